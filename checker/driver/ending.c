/* ending.c: see ending.h. */
#define _GNU_SOURCE
#include "driver/ending.h"

#include "driver/directory.h"
#include "driver/driver.h"
#include "driver/task.h"
#include "fsutil/folders.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SOURCE_BYTES_MAX = 16 << 20 };

static const char *tool(const char *name)
{
    return arena_format(&arena, "%s/%s", request.build, name);
}

static const char *in_exercise(const char *name)
{
    return arena_format(&arena, "%s/%s", request.exercise, name);
}

void keep_verdict(void)
{
    const char *verdict = in_directory("verdict.json"), *next = in_directory("verdict.new");
    if (!request.own) return;
    if (!copy_file(verdict, next) || rename(next, in_exercise("build/verdict.json")) != 0) {
        disk_check();
        cannot("%s cannot be written: %s", in_exercise("build/verdict.json"), strerror(errno));
    }
    /* if progress.tsv cannot be written, one line says so, and the check goes on */
    const char *words[] = {tool("fsutil"),
                           "lock",
                           in_exercise("build/.lock"),
                           tool("progress"),
                           "note",
                           in_exercise("progress.tsv"),
                           verdict,
                           in_directory("source/%s", request.source),
                           NULL};
    tool_run(words);
}

/* The verdict as it is. */
static void print_verdict(void)
{
    char bytes[1 << 16];
    size_t count;
    FILE *file = fopen(in_directory("verdict.json"), "re");
    while (file != NULL && (count = fread(bytes, 1, sizeof bytes, file)) > 0)
        if (fwrite(bytes, 1, count, stdout) != count) break;
    if (file != NULL) fclose(file);
}

/* A reader of the output who has closed it is no error. */
enum { EXIT_OF_PIPE = 141 };

enum status show_verdict(enum status status, const char *log)
{
    int code = 0;
    if (strcmp(request.format, "json") == 0) {
        print_verdict();
        bool is_written = (!ferror(stdout) && fflush(stdout) == 0) || errno == EPIPE;
        if (!is_written) cannot("the verdict cannot be printed: %s", strerror(errno));
    } else {
        const char *words[] = {tool("show"),
                               request.format,
                               in_directory("verdict.json"),
                               "--log",
                               log,
                               "--hints",
                               in_exercise("checker/hints.md"),
                               "--pages",
                               arena_format(&arena, "%s/mistakes", request.checker),
                               "--profile",
                               getenv("WARPUP_PROFILE"),
                               "--next-exercise",
                               request.next,
                               "--file",
                               request.shown,
                               NULL};
        code = tool_run(words);
    }
    if (code == STATUS_COULD_NOT_CHECK) exit(code); /* show has said why */
    if (code != 0 && code != EXIT_OF_PIPE) cannot("the verdict cannot be shown");
    if (strcmp(request.format, "hint") == 0 && status == STATUS_NOT_YET) status = STATUS_REACHED;
    if (request.own && strcmp(request.format, "pretty") == 0) {
        const char *words[] = {tool("progress"), "compare", request.exercise, NULL};
        tool_run(words);
    }
    return status;
}

static bool are_same(const char *one, const char *other)
{
    char *texts[2];
    size_t lengths[2];
    return arena_read(&arena, one, SOURCE_BYTES_MAX, &texts[0], &lengths[0]) == NULL &&
           arena_read(&arena, other, SOURCE_BYTES_MAX, &texts[1], &lengths[1]) == NULL &&
           lengths[0] == lengths[1] && memcmp(texts[0], texts[1], lengths[0]) == 0;
}

static void remove_all(const char *pattern)
{
    glob_t found;
    if (glob(in_directory("%s", pattern), GLOB_NOSORT, NULL, &found) != 0) return;
    for (size_t i = 0; i < found.gl_pathc; i++)
        unlink(found.gl_pathv[i]);
    globfree(&found);
}

void keep_files(void)
{
    const char *board = getenv("WARPUP_BOARD"), *last = in_exercise("build/last");
    if (!request.own) return;
    if (board != NULL && board[0] != '\0') {
        const char *words[] = {
            tool("progress"), "drop", board, request.exercise, in_directory("verdict.json"), NULL};
        tool_run(words);
    }
    remove_all("*/data-*.bin");
    remove_all("*/program");
    const char *before = arena_format(&arena, "%s/source/%s", last, request.source);
    if (access(arena_format(&arena, "%s/verdict.json", last), R_OK) == 0 &&
        !are_same(before, in_directory("source/%s", request.source)))
        folder_keep(last, in_exercise("build/before"));
    folder_keep(directory, last);
}
