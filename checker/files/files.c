/*
 * files.c: what the shell alone cannot do with files.
 *     files lock FILE PROGRAM [ARGUMENT...]   runs PROGRAM while it holds a lock (flock(2)) on FILE
 *     files hold NUMBER                       locks a file that its caller has open, until it ends
 *     files rename FOLDER [FROM TO]...        renames what is in FOLDER; what TO names is removed
 *     files keep NEW LAST                     NEW takes the place of LAST, which is removed
 * NUMBER is that of the open file. `keep` exchanges the two folders in one step, so checks that end
 * at the same time do not disturb each other. Exit code: that of PROGRAM; 1 others hold the lock; 2
 * wrong arguments; 3 not possible, with one line on stderr.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { EXIT_HELD = 1, EXIT_USAGE = 2, EXIT_TROUBLE = 3 };
enum { FOLDERS_OPEN_MAX = 16 }; /* while a tree of files is removed */
enum { ATTEMPTS = 100 };        /* to take a place that other checks take at the same time */

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

static int lock(int argc, char *argv[])
{
    if (argc < 2) return EXIT_USAGE;
    int file = open(argv[0], O_RDWR | O_CREAT, 0666); /* stays open in PROGRAM */
    if (file < 0) return trouble("open", argv[0]);
    while (flock(file, LOCK_EX) != 0)
        if (errno != EINTR) return trouble("lock", argv[0]);
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
