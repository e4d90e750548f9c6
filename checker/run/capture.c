/*
 * capture.c: writes the program's output to files, up to a limit. Output over the limit, or output
 * that cannot be written, is still read, so that the program never waits for a reader.
 */
#define _GNU_SOURCE
#include "run/capture.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int capture_open(struct capture *capture, int directory, const char *name, size_t limit)
{
    int ends[2];
    *capture = (struct capture){.pipe = -1, .file = -1, .limit = limit};
    capture->file = openat(directory, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (capture->file < 0 || pipe2(ends, O_CLOEXEC) != 0) return -1;
    capture->pipe = ends[0];
    fcntl(capture->pipe, F_SETFL, O_NONBLOCK);
    return ends[1];
}

static void keep(struct capture *capture, const char *bytes, size_t count)
{
    if (count > capture->limit - capture->kept) {
        count = capture->limit - capture->kept;
        capture->truncated = true;
    }
    while (count > 0 && capture->error == 0) {
        ssize_t written = write(capture->file, bytes, count);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) {
            capture->error = written < 0 ? errno : ENOSPC;
            return;
        }
        bytes += written;
        count -= (size_t)written;
        capture->kept += (size_t)written;
    }
}

void capture_pump(struct capture *capture)
{
    char bytes[1 << 16];
    while (capture->pipe >= 0) {
        ssize_t count = read(capture->pipe, bytes, sizeof bytes);
        if (count > 0) {
            keep(capture, bytes, (size_t)count);
            return;
        }
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && errno == EAGAIN) return;
        close(capture->pipe);
        capture->pipe = -1;
    }
}
