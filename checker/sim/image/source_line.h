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

/* The place of the instruction before the return address `pc`: where that is in a function of ours
 * or of the system's that was compiled into the student's, the place where it was called. False
 * when it is not known. */
bool source_line_of(uintptr_t pc, struct source_place *place);

/* The same for a call that may have come through a library: then the student's line that called
 * the library. Asks the running thread's stack. */
bool source_line_of_caller(uintptr_t pc, struct source_place *place);

/* The return address that source_line_of_caller() takes the place of; `pc` when there is no better.
 */
uintptr_t source_line_caller_pc(uintptr_t pc);

#endif
