/* folders.c: see folders.h. */
#define _GNU_SOURCE
#include "fsutil/folders.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>

enum { FOLDERS_OPEN_MAX = 16 }; /* while a tree of files is removed */
enum { ATTEMPTS = 100 };        /* to take a place that other checks take at the same time */

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)status, (void)kind, (void)walk;
    return remove(path);
}

bool folder_remove(const char *path)
{
    return nftw(path, remove_one, FOLDERS_OPEN_MAX, FTW_DEPTH | FTW_PHYS) == 0 || errno == ENOENT;
}

bool folder_rename(const char *from, const char *to)
{
    return folder_remove(to) && rename(from, to) == 0;
}

/* Some file systems, such as NFS, cannot exchange two names. */
bool folder_keep(const char *new, const char *last)
{
    for (int i = 0; i < ATTEMPTS; i++) {
        if (renameat2(AT_FDCWD, new, AT_FDCWD, last, RENAME_EXCHANGE) == 0)
            return folder_remove(new);
        if (errno != ENOENT && !folder_remove(last)) return false;
        if (rename(new, last) == 0) return true;
        if (errno != ENOTEMPTY && errno != EEXIST) break;
    }
    return false;
}
