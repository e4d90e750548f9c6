/*
 * source_line.h: from a program counter to the student's source, through the debug information of
 * the program's two images (libdw). Read on the first question only: at report time.
 */
#ifndef WARPUP_SOURCE_LINE_H
#define WARPUP_SOURCE_LINE_H

#include <stdbool.h>
#include <stdint.h>

struct source_place {
    const char *file; /* as the compiler saw it; lives until the program ends */
    int line;
};

/* The place of the instruction before the return address `pc`. If a function of the lab or of the
 * system was inlined there, this is the place of its call. False if it is not known. */
bool source_line_of(uintptr_t pc, struct source_place *place);

/* The same for a call that may have come through a library: then it is the student's line that
 * called the library, from the running thread's stack. */
bool source_line_of_caller(uintptr_t pc, struct source_place *place);

/* Adds "file" and "line" of source_line_of_caller() to the open record, if they are known. */
void source_line_write(uintptr_t pc);

/* The return address whose place source_line_of_caller() gives; `pc` if none is better. */
uintptr_t source_line_caller_pc(uintptr_t pc);

#endif
