/*
 * report.c: writes run.json: how a run was started and how it ended (../trace/README.md).
 */
#define _GNU_SOURCE
#include "run/report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>

/* Writes a JSON string; bytes that are not UTF-8 become question marks. */
static void put_string(FILE *file, const char *text)
{
    mbstate_t state = {0};
    putc('"', file);
    for (size_t left = strlen(text); left > 0;) {
        size_t length = mbrlen(text, left, &state);
        if (length == 0 || length > left) {
            state = (mbstate_t){0};
            length = 1;
            putc('?', file);
        } else if (*text == '"' || *text == '\\') {
            fprintf(file, "\\%c", *text);
        } else if ((unsigned char)*text < ' ') {
            fprintf(file, "\\u%04x", (unsigned char)*text);
        } else {
            fwrite(text, 1, length, file);
        }
        text += length;
        left -= length;
    }
    putc('"', file);
}

static void put_number_or_null(FILE *file, const char *key, bool present, int value)
{
    if (present)
        fprintf(file, "\"%s\":%d,", key, value);
    else
        fprintf(file, "\"%s\":null,", key);
}

static const char *truth(bool value)
{
    return value ? "true" : "false";
}

static void put_report(FILE *file, const struct request *request, const struct outcome *outcome,
                       const struct capture *out, const struct capture *err)
{
    const int status = outcome->status;
    fputs("{\"argv\":[", file);
    for (char **argument = request->argv; *argument; argument++) {
        if (argument != request->argv) putc(',', file);
        put_string(file, *argument);
    }
    fputs("],", file);
    put_number_or_null(file, "exit", outcome->ended && WIFEXITED(status), WEXITSTATUS(status));
    put_number_or_null(file, "signal", outcome->ended && WIFSIGNALED(status), WTERMSIG(status));
    fprintf(file, "\"timed_out\":%s,\"seconds\":%.3f,\"processor_seconds\":%.3f,",
            truth(outcome->timed_out), outcome->seconds, outcome->processor_seconds);
    fprintf(file, "\"stdout_truncated\":%s,\"stderr_truncated\":%s,\"internal_error\":",
            truth(out->truncated), truth(err->truncated));
    if (outcome->internal_error[0])
        put_string(file, outcome->internal_error);
    else
        fputs("null", file);
    fputs("}\n", file);
}

bool report_write(int directory, const struct request *request, const struct outcome *outcome,
                  const struct capture *out, const struct capture *err)
{
    /* The program may have made a link of this name, which would lead the runner to any file. */
    unlinkat(directory, "run.json", 0);
    int descriptor =
        openat(directory, "run.json", O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (!file) return false;
    put_report(file, request, outcome, out, err);
    bool whole = fflush(file) == 0 && !ferror(file);
    int error = errno;
    whole = fclose(file) == 0 && whole;
    errno = error;
    return whole;
}
