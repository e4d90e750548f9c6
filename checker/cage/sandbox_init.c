/*
 * sandbox_init.c: the first process of a step inside of the sandbox. It starts the command and
 * tells the outside how it ended: bwrap itself would report exit(139) and signal 11 alike. The
 * limit on processes is set here, because here nobody else's processes count. The environment comes
 * through a pipe: the program must find the key of its trace in no other process, and this one's
 * memory is closed to it.
 */
#define _GNU_SOURCE
#include "cage/sandbox_init.h"

#include "cage/step.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Reads all of ENVIRONMENT_FD; returns the number of bytes. */
static size_t read_environment(char *text, size_t capacity)
{
    size_t length = 0;
    ssize_t count;
    while (length + 1 < capacity &&
           ((count = read(ENVIRONMENT_FD, text + length, capacity - 1 - length)) > 0 ||
            (count < 0 && errno == EINTR)))
        if (count > 0) length += (size_t)count;
    text[length] = '\0';
    close(ENVIRONMENT_FD);
    return length;
}

/* Becomes the command, with the environment of NAME=VALUE strings in `text`. */
static _Noreturn void become(char **command, const char *text, size_t length)
{
    close(STATUS_FD);
    prctl(PR_SET_PDEATHSIG, (long)SIGKILL);
    for (size_t i = 0; i < length; i += strlen(text + i) + 1)
        putenv((char *)(text + i));
    execvp(command[0], command);
    fprintf(stderr, "cannot start %s: %s\n", command[0], strerror(errno));
    _exit(127);
}

int sandbox_init(const char *processes, char **command)
{
    static char text[1 << 17];
    static char *nothing[] = {NULL};
    const rlim_t most = (rlim_t)strtoul(processes, NULL, 10);
    prctl(PR_SET_DUMPABLE, 0L);
    environ = nothing;
    size_t length = read_environment(text, sizeof text);
    if (write(STATUS_FD, "s", 1) != 1) return 1;
    if (most > 0 && setrlimit(RLIMIT_NPROC, &(struct rlimit){most, most}) != 0) return 1;
    pid_t child = fork();
    if (child == 0) become(command, text, length);
    explicit_bzero(text, sizeof text);
    int status = 127 << 8;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return write(STATUS_FD, &status, sizeof status) == (ssize_t)sizeof status ? 0 : 1;
}
