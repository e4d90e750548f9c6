// Ends its parents, and every process that it may.
#include <csignal>
#include <unistd.h>

int main()
{
    kill(getppid(), SIGKILL);
    for (int process = 1; process < 70000; process++)
        if (process != getpid()) kill(process, SIGKILL);
    kill(0, SIGTERM);
    kill(-1, SIGKILL);
    return 1;
}
