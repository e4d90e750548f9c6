/*
 * line.h: from a return address in the program to the student's source, through the program's debug
 * information.
 */
#ifndef WARPUP_LINE_H
#define WARPUP_LINE_H

#include <stdint.h>

/* A place in the student's source. `file` is as the compiler got it and lives as long as the
 * process; line 0: not known. */
struct line {
    const char *file;
    int line;
};

/* The program's file, which belongs to this room from now on, and where it is loaded. */
void line_begin(int file, uint64_t bias);

/* The place of the first of these return addresses that is in the program; a zero ends them. If a
 * function of the lab or of the system was inlined there, the place of its call. */
struct line line_of(const uint64_t *frames, int count);

#endif
