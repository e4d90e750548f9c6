// Sleeps for ever, and takes no signal.
#include <csignal>
#include <unistd.h>

int main()
{
    for (int number = 1; number < 32; number++)
        signal(number, SIG_IGN);
    for (;;)
        pause();
}
