/*
 * files.c: what the shell alone cannot do with files.
 *     files lock FILE PROGRAM [ARGUMENT...]   runs PROGRAM while it holds a lock on FILE: flock(2),
 *                                             or FILE.held where the file system has no locks
 *     files hold NUMBER                       locks a file that its caller has open, until it ends
 *     files rename FOLDER [FROM TO]...        renames what is in FOLDER; what TO names is removed
 *     files keep NEW LAST                     NEW takes the place of LAST, which is removed
 *
 * NUMBER is that of the open file. `keep` exchanges the two folders in one step, so checks that end
 * at the same time do not disturb each other. Exit code: that of PROGRAM; 1 others hold the lock; 2
 * wrong arguments; 3 not possible, with one line on stderr.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
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
enum { FOLDERS_OPEN_MAX = 16 }; /* while a tree of files is removed */
enum { ATTEMPTS = 100 };        /* to take a place that other checks take at the same time */

enum { LOOK_NS = 50000000 };     /* between two looks at a lock that another process holds */
enum { HELD_SECONDS_MAX = 900 }; /* nothing that the lab locks takes that long */
enum { HOST_BYTES = 256, HOLDER_BYTES = 300 };

static int trouble(const char *what, const char *name)
{
    fprintf(stderr, "files: cannot %s %s: %s\n", what, name, strerror(errno));
    return EXIT_TROUBLE;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status, (void)kind, (void)place;
    return remove(path);
}

/* Removes a file, or a folder with all that is in it; true also if there is none. */
static bool remove_tree(const char *path)
{
    return nftw(path, remove_one, FOLDERS_OPEN_MAX, FTW_DEPTH | FTW_PHYS) == 0 || errno == ENOENT;
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
        _exit(trouble("start", argv[0]));
    }
    if (child < 0) return trouble("start", argv[0]);
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
        if (errno != EEXIST) return trouble("lock", file);
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
    if (file < 0) return trouble("open", argv[0]);
    while (flock(file, LOCK_EX) != 0)
        if (errno != EINTR) return lock_by_link(argv[0], argv + 1);
    execvp(argv[1], argv + 1);
    return trouble("start", argv[1]);
}

/* A file system without locks locks nobody out. */
static int hold(const char *number)
{
    return flock(atoi(number), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK ? EXIT_HELD : 0;
}

static int rename_all(int argc, char *argv[])
{
    if (argc < 1 || argc % 2 == 0) return EXIT_USAGE;
    if (chdir(argv[0]) != 0) return trouble("enter", argv[0]);
    for (int i = 1; i < argc; i += 2)
        if (!remove_tree(argv[i + 1]) || rename(argv[i], argv[i + 1]) != 0)
            return trouble("rename", argv[i]);
    return 0;
}

/* Some file systems, such as NFS, cannot exchange two names. */
static int keep(int argc, char *argv[])
{
    if (argc != 2) return EXIT_USAGE;
    const char *new = argv[0], *last = argv[1];
    for (int i = 0; i < ATTEMPTS; i++) {
        if (renameat2(AT_FDCWD, new, AT_FDCWD, last, RENAME_EXCHANGE) == 0)
            return remove_tree(new) ? 0 : trouble("remove", new);
        if (errno != ENOENT && !remove_tree(last)) return trouble("remove", last);
        if (rename(new, last) == 0) return 0;
        if (errno != ENOTEMPTY && errno != EEXIST) break;
    }
    return trouble("rename", new);
}

int main(int argc, char *argv[])
{
    int code = EXIT_USAGE;
    if (argc > 2 && strcmp(argv[1], "lock") == 0) code = lock(argc - 2, argv + 2);
    if (argc == 3 && strcmp(argv[1], "hold") == 0) code = hold(argv[2]);
    if (argc > 2 && strcmp(argv[1], "rename") == 0) code = rename_all(argc - 2, argv + 2);
    if (argc > 2 && strcmp(argv[1], "keep") == 0) code = keep(argc - 2, argv + 2);
    if (code == EXIT_USAGE)
        fputs("usage: files lock FILE PROGRAM [ARGUMENT...] | hold NUMBER | "
              "rename FOLDER [FROM TO]... | keep NEW LAST\n",
              stderr);
    return code;
}
