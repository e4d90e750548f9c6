// Leaves a process that goes on after the check.
#include <csignal>
#include <unistd.h>

int main()
{
    if (fork() == 0) {
        setsid();
        if (fork() != 0) _exit(0);
        signal(SIGHUP, SIG_IGN);
        signal(SIGTERM, SIG_IGN);
        for (int i = 3; i < 1000; i++)
            close(i);
        execl("/usr/bin/sleep", "warpup-hostile", "1000", (char *)nullptr);
    }
    return 1;
}
