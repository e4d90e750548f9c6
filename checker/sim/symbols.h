/*
 * symbols.h: from a program counter to the student's source, through the debug information of the
 * running program and its libraries (libdw). Read on the first question only: at report time.
 */
#ifndef WARPUP_SYMBOLS_H
#define WARPUP_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

struct source_place {
    const char *file; /* as the compiler saw it; lives until the program ends */
    int line;
};

/* The place of the instruction before the return address `pc`. False when it is not known. */
bool symbols_place(uintptr_t pc, struct source_place *place);

#endif
