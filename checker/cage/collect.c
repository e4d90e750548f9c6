/*
 * collect.c: takes what a step leaves out of the sandbox: regular files with the names that a
 * compiler or the tracer of a real GPU writes, and nothing else. A link could lead the judge to any
 * file; a pipe could stop it.
 */
#define _GNU_SOURCE
#include "cage/collect.h"

#include "cage/notes.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TRACE_MB_MAX = 64 }; /* of a correct program it is 0.01 */

/* Is this what a step of this kind writes? */
static bool is_known(const struct step *step, const char *name)
{
    int end = 0;
    if (step->kind == STEP_COMPILE)
        return strcmp(name, "program") == 0 || strcmp(name, "converts") == 0 ||
               strcmp(name, "multiplies") == 0;
    if (strcmp(name, "trace.jsonl") == 0) return true;
    return sscanf(name, "data-%*9[0-9].bin%n", &end) == 0 && end > 0 && name[end] == '\0';
}

static bool copy(int from, int to)
{
    ssize_t count;
    while ((count = sendfile(to, from, NULL, 1 << 24)) > 0)
        continue;
    return count == 0;
}

/* Can a file of this size be taken? The judge reads a trace as a whole. */
static bool is_small(const struct step *step, const char *name, off_t bytes)
{
    const off_t mb = strcmp(name, "trace.jsonl") == 0 ? TRACE_MB_MAX : (off_t)step->file_mb;
    return bytes <= mb << 20;
}

/* Copies a file, if it is a regular one; a false result is the machine's fault. */
static bool take(const struct step *step, int from, int to, const char *name)
{
    struct stat file;
    int source = openat(from, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (source < 0 || fstat(source, &file) != 0 || !S_ISREG(file.st_mode)) {
        if (source >= 0) close(source);
        note_seen(step, "It wrote %s, which is not a regular file.", name);
        return true;
    }
    if (!is_small(step, name, file.st_size)) {
        close(source);
        note_seen(step, "It wrote the file %s of %ld MB, which is too long.", name,
                  (long)(file.st_size >> 20));
        return true;
    }
    int copied = openat(to, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                        step->kind == STEP_COMPILE ? 0755 : 0644);
    bool whole = copied >= 0 && copy(source, copied);
    int error = errno;
    close(source);
    if (copied >= 0) close(copied);
    if (whole || error != ENOSPC) return whole;
    note_seen(step, "The files that it wrote are more than the check can hold.");
    return unlinkat(to, name, 0) == 0;
}

static bool take_all(const struct step *step)
{
    char path[PATH_MAX + 32];
    bool whole = true;
    snprintf(path, sizeof path, "%s/out", step->scratch);
    DIR *from = opendir(path);
    int to = open(step->out, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (from == NULL || to < 0) return false;
    for (struct dirent *entry; whole && (entry = readdir(from));)
        if (is_known(step, entry->d_name)) whole = take(step, dirfd(from), to, entry->d_name);
    closedir(from);
    close(to);
    return whole;
}

static int remove_one(const char *path, const struct stat *file, int kind, struct FTW *place)
{
    (void)file, (void)kind, (void)place;
    return remove(path);
}

/* Only what has longer names than a path may have needs another process. */
static void remove_all(const char *path)
{
    enum { FOLDERS_OPEN = 16 };
    if (nftw(path, remove_one, FOLDERS_OPEN, FTW_DEPTH | FTW_PHYS | FTW_MOUNT) == 0) return;
    pid_t child = fork();
    if (child == 0) {
        execlp("rm", "rm", "-rf", "--", path, (char *)NULL);
        _exit(127);
    }
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
}

/* Keeps the program for those who look at what it can call. WORK/program is the one for the
 * simulated GPU: what nvcc makes has all of CUDA's runtime in it, which calls much of the system.
 */
static bool keep_program(const struct step *step)
{
    char from[PATH_MAX + 16], to[PATH_MAX + 16];
    const char *name = strrchr(step->out, '/');
    if (name == NULL || strcmp(name, "/compile-sim") != 0) return true;
    snprintf(from, sizeof from, "%s/program", step->out);
    snprintf(to, sizeof to, "%s/program", step->work);
    return link(from, to) == 0 || errno == EEXIST || errno == ENOENT;
}

bool collect(const struct step *step)
{
    bool whole =
        step->out == NULL || (take_all(step) && (step->kind != STEP_COMPILE || keep_program(step)));
    if (!whole) note_internal_error(step, "what a step left cannot be copied: %s", strerror(errno));
    remove_all(step->scratch);
    remove_all(step->links);
    return whole;
}
