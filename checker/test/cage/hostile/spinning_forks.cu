// Its processes all compute at the same time, and each starts the next one before it is noticed.
#include <unistd.h>

int main()
{
    for (int i = 0; i < 7; i++)
        fork();
    for (unsigned long round = 1;; round++)
        if (round % (1ul << 24) == 0 && fork() != 0) _exit(0);
}
