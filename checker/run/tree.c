/*
 * tree.c: starts a program, and ends it together with all processes that it started. The runner is
 * the subreaper of its descendants (prctl(2)): a process that loses its parent becomes a child of
 * the runner. So the runner kills its children until none is left, and reaches daemons as well.
 */
#define _GNU_SOURCE
#include "run/tree.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FILE_GIB_MAX = 8 }; /* the largest file that a program may write */

void tree_adopt(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1L);
    /* The program cannot read the memory or the environment of the runner. */
    prctl(PR_SET_DUMPABLE, 0L);
}

/* No core files, no runaway files, and first in line when memory runs out. */
static void set_limits(void)
{
    const rlim_t file_bytes = (rlim_t)FILE_GIB_MAX << 30;
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){file_bytes, file_bytes});
    int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file >= 0) {
        if (write(file, "1000", 4) < 0) errno = 0; /* not essential */
        close(file);
    }
}

/* The child after the fork becomes the program; if it cannot, it sends the reason to `report`. */
static _Noreturn void become(char **argv, int out, int err, int report)
{
    sigset_t none;
    sigemptyset(&none);
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL);
    setsid();
    prctl(PR_SET_DUMPABLE, 1L);
    prctl(PR_SET_PDEATHSIG, (long)SIGKILL);
    set_limits();
    int null = open("/dev/null", O_RDONLY);
    if (null >= 0 && dup2(null, 0) == 0 && dup2(out, 1) == 1 && dup2(err, 2) == 2) {
        if (null > 2) close(null);
        sigprocmask(SIG_SETMASK, &none, NULL);
        execvp(argv[0], argv);
    }
    int error = errno;
    if (write(report, &error, sizeof error) < 0) _exit(126);
    _exit(127);
}

pid_t tree_start(char **argv, int out, int err)
{
    int report[2], error = 0;
    if (pipe2(report, O_CLOEXEC) != 0) return -1;
    pid_t child = fork();
    if (child == 0) become(argv, out, err, report[1]);
    if (child < 0) error = errno;
    close(report[1]);
    if (child > 0 && read(report[0], &error, sizeof error) > 0) {
        waitpid(child, NULL, 0);
        child = -1;
    }
    close(report[0]);
    errno = error;
    return child;
}

bool tree_collect(pid_t child, int *status)
{
    bool found = false;
    for (;;) {
        int one;
        pid_t ended = waitpid(-1, &one, WNOHANG);
        if (ended <= 0) return found;
        if (ended != child) continue;
        *status = one;
        found = true;
    }
}

/* The parent of a process, from the fourth field of /proc/PID/stat; 0 if the process has ended. */
static pid_t parent_of(const char *process)
{
    char path[300], line[512];
    snprintf(path, sizeof path, "/proc/%s/stat", process);
    FILE *file = fopen(path, "re");
    if (!file) return 0;
    size_t length = fread(line, 1, sizeof line - 1, file);
    fclose(file);
    line[length] = '\0';
    const char *name_end =
        strrchr(line, ')'); /* the name may contain any character, also brackets */
    int parent = 0;
    if (!name_end || sscanf(name_end + 1, " %*c %d", &parent) != 1) return 0;
    return parent;
}

static void kill_children(void)
{
    DIR *processes = opendir("/proc");
    if (!processes) return;
    pid_t self = getpid();
    for (struct dirent *entry; (entry = readdir(processes));) {
        if (!isdigit((unsigned char)entry->d_name[0])) continue;
        if (parent_of(entry->d_name) == self) kill((pid_t)atoi(entry->d_name), SIGKILL);
    }
    closedir(processes);
}

void tree_kill(pid_t child, int *status, bool *ended)
{
    siginfo_t any;
    kill(-child, SIGKILL); /* the whole group in one call, so that no process can fork in between */
    for (int attempts = 0; attempts < 2000; attempts++) {
        if (tree_collect(child, status)) *ended = true;
        if (waitid(P_ALL, 0, &any, WEXITED | WNOHANG | WNOWAIT) < 0) return; /* none is left */
        kill_children();
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}
