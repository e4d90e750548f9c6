/*
 * fsutil.c: what the shell alone cannot do with files.
 *     fsutil lock FILE PROGRAM [ARGUMENT...]  runs PROGRAM while it holds a lock on FILE: flock(2),
 *                                             or FILE.held where the file system has no locks
 *     fsutil hold NUMBER                      locks a file that its caller has open, until it ends
 *
 * NUMBER is that of the open file. Exit code: that of PROGRAM; 1 others hold the lock; 2
 * wrong arguments; 3 not possible, with one line on stderr.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_HELD = 1, EXIT_USAGE = 2, EXIT_TROUBLE = 3 };

enum { LOOK_NS = 50000000 };     /* between two looks at a lock that another process holds */
enum { HELD_SECONDS_MAX = 900 }; /* nothing that the lab locks takes that long */
enum { HOST_BYTES = 256, HOLDER_BYTES = 300 };

static int fail_to(const char *what, const char *name)
{
    fprintf(stderr, "fsutil: cannot %s %s: %s\n", what, name, strerror(errno));
    return EXIT_TROUBLE;
}

/* Sets `holder` to what names a process: HOST:PID. */
static void name_process(pid_t process, char holder[HOLDER_BYTES])
{
    char host[HOST_BYTES] = "";
    gethostname(host, sizeof host - 1);
    snprintf(holder, HOLDER_BYTES, "%s:%ld", host, (long)process);
}

/* True if whoever holds a lock no longer runs: its process on this machine has ended, or too much
 * time has passed. */
static bool is_abandoned(const char *held)
{
    char holder[HOLDER_BYTES] = "", same[HOLDER_BYTES];
    struct stat status;
    ssize_t bytes = readlink(held, holder, sizeof holder - 1);
    if (bytes <= 0 || lstat(held, &status) != 0) return false;
    if (time(NULL) - status.st_mtime > HELD_SECONDS_MAX) return true;
    const char *colon = strrchr(holder, ':');
    pid_t process = colon != NULL ? (pid_t)atol(colon + 1) : 0;
    name_process(process, same);
    return process > 0 && strcmp(holder, same) == 0 && kill(process, 0) != 0 && errno == ESRCH;
}

/* Runs PROGRAM and waits for it. It gets the signals that would end this process. */
static int run_and_wait(char *argv[])
{
    sigset_t awaited, before;
    int signal, status;
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGCHLD);
    sigaddset(&awaited, SIGINT);
    sigaddset(&awaited, SIGTERM);
    sigaddset(&awaited, SIGHUP);
    sigprocmask(SIG_BLOCK, &awaited, &before);
    pid_t child = fork();
    if (child == 0) {
        sigprocmask(SIG_SETMASK, &before, NULL);
        execvp(argv[0], argv);
        _exit(fail_to("start", argv[0]));
    }
    if (child < 0) return fail_to("start", argv[0]);
    while (waitpid(child, &status, WNOHANG) == 0)
        if (sigwait(&awaited, &signal) == 0 && signal != SIGCHLD) kill(child, signal);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Some file systems have no locks: NFS without its lock service, or Lustre as it is often mounted.
 * There, FILE.held is the lock: a symbolic link, which only one process can make, on any machine.
 */
static int lock_by_link(const char *file, char *argv[])
{
    char held[PATH_MAX], holder[HOLDER_BYTES];
    snprintf(held, sizeof held, "%s.held", file);
    name_process(getpid(), holder);
    while (symlink(holder, held) != 0) {
        if (errno != EEXIST) return fail_to("lock", file);
        if (is_abandoned(held))
            unlink(held);
        else
            nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL);
    }
    int code = run_and_wait(argv);
    unlink(held);
    return code;
}

static int lock(int argc, char *argv[])
{
    if (argc < 2) return EXIT_USAGE;
    int file = open(argv[0], O_RDWR | O_CREAT, 0666); /* stays open in PROGRAM */
    if (file < 0) return fail_to("open", argv[0]);
    while (flock(file, LOCK_EX) != 0)
        if (errno != EINTR) return lock_by_link(argv[0], argv + 1);
    execvp(argv[1], argv + 1);
    return fail_to("start", argv[1]);
}

/* A file system without locks locks nobody out. */
static int hold(const char *number)
{
    return flock(atoi(number), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK ? EXIT_HELD : 0;
}

int main(int argc, char *argv[])
{
    int code = EXIT_USAGE;
    if (argc > 2 && strcmp(argv[1], "lock") == 0) code = lock(argc - 2, argv + 2);
    if (argc == 3 && strcmp(argv[1], "hold") == 0) code = hold(argv[2]);
    if (code == EXIT_USAGE)
        fputs("usage: fsutil lock FILE PROGRAM [ARGUMENT...] | hold NUMBER\n", stderr);
    return code;
}
