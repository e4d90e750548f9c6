/* directory.c: see directory.h. */
#define _GNU_SOURCE
#include "driver/directory.h"

#include "driver/driver.h"
#include "driver/task.h"
#include "fsutil/folders.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LEFTOVER_SECONDS = 3600 }; /* a folder that nothing has changed for so long is a leftover */
enum { COPY_BYTES = 1 << 16 };

static const char *source_path(void)
{
    return arena_format(&arena, "%s/%s", request.source_dir, request.source);
}

bool copy_file(const char *from, const char *to)
{
    char bytes[COPY_BYTES];
    struct stat status;
    ssize_t count = -1;
    int in = open(from, O_RDONLY | O_CLOEXEC);
    int out = in >= 0 ? open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
    bool is_whole = out >= 0 && fstat(in, &status) == 0;
    while (is_whole && (count = read(in, bytes, sizeof bytes)) > 0)
        is_whole = write(out, bytes, (size_t)count) == count;
    is_whole = is_whole && count == 0 && fchmod(out, status.st_mode & 0777) == 0;
    if (is_whole) futimens(out, (struct timespec[]){status.st_atim, status.st_mtim});
    if (out >= 0) is_whole = close(out) == 0 && is_whole;
    if (in >= 0) close(in);
    return is_whole;
}

static void remove_leftovers(const char *builds)
{
    glob_t found;
    struct stat status;
    if (glob(arena_format(&arena, "%s/check-*", builds), GLOB_NOSORT, NULL, &found) != 0) return;
    for (size_t i = 0; i < found.gl_pathc; i++)
        if (stat(found.gl_pathv[i], &status) == 0 &&
            time(NULL) - status.st_mtime >= LEFTOVER_SECONDS)
            folder_remove(found.gl_pathv[i]);
    globfree(&found);
}

void open_directory(void)
{
    const char *builds = arena_format(&arena, "%s/build", request.exercise);
    char *folder = arena_format(&arena, "%s/check-XXXXXX", builds);
    if ((mkdir(builds, 0777) != 0 && errno != EEXIST) || mkdtemp(folder) == NULL)
        cannot("%s cannot be written: %s", builds, strerror(errno));
    directory = folder;
    remove_leftovers(builds);
    if (mkdir(in_directory("source"), 0777) != 0 ||
        !copy_file(source_path(), in_directory("source/%s", request.source))) {
        disk_check();
        cannot("%s cannot be copied: %s", request.source, strerror(errno));
    }
    if (chdir(request.source_dir) != 0)
        cannot("%s cannot be entered: %s", request.source_dir, strerror(errno));
}

void close_directory(void)
{
    const char *kept = getenv("WARPUP_KEEP");
    if (directory == NULL || access(directory, F_OK) != 0) return;
    restore_source();
    if (kept != NULL && kept[0] != '\0' && access(kept, F_OK) != 0) {
        if (rename(directory, kept) != 0) {
            /* another file system */
            const char *words[] = {"mv", "-T", "--", directory, kept, NULL};
            tool_run(words);
        }
    }
    folder_remove(directory);
    directory = NULL;
}

bool restore_source(void)
{
    const char *copy = in_directory("source/%s", request.source);
    if (access(source_path(), F_OK) == 0 || access(copy, F_OK) != 0) return false;
    return copy_file(copy, source_path());
}

bool has_run(const char *name)
{
    return access(in_directory("%s", name), F_OK) == 0;
}

bool file_is_full(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && status.st_size > 0;
}
