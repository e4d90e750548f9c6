/*
 * capture.h: copies what the program prints to files.
 */
#ifndef WARPUP_CAPTURE_H
#define WARPUP_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>

/* One output stream of the program, which the runner copies from a pipe to a file. */
struct capture {
    int pipe, file; /* -1 when closed */
    size_t kept, limit;
    bool truncated;
    int error; /* errno of the first write that failed, 0 when none did */
};

/* Opens the file `name` in `directory`, and a pipe to it. Returns the writing end of the pipe, or
 * -1 with errno set. */
int capture_open(struct capture *capture, int directory, const char *name, size_t limit);
/* Copies what the pipe holds now; closes the pipe at its end. */
void capture_pump(struct capture *capture);

#endif
