/*
 * slow.c: preloaded, it makes every opening in the folder SLOW_FOLDER, and of this folder, take SLOW_MS more.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void wait_if_slow(const char *path)
{
    const char *folder = getenv("SLOW_FOLDER"), *ms = getenv("SLOW_MS");
    if (folder != NULL && ms != NULL && strncmp(path, folder, strlen(folder)) == 0) usleep(1000 * (useconds_t)atoi(ms));
}

#define OPENS(name)                                                                                                              \
    int name(const char *path, int flags, ...)                                                                                   \
    {                                                                                                                            \
        va_list rest;                                                                                                            \
        va_start(rest, flags);                                                                                                   \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;                                                  \
        va_end(rest);                                                                                                            \
        wait_if_slow(path);                                                                                                      \
        return ((int (*)(const char *, int, ...))dlsym(RTLD_NEXT, #name))(path, flags, mode);                                    \
    }

OPENS(open)
OPENS(open64)
