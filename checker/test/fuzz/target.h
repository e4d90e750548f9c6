/*
 * target.h: what every fuzz target is made of. A target is one C file with
 * LLVMFuzzerTestOneInput(); libFuzzer's main calls it with inputs that it makes up, replay.c's with
 * files.
 */
#ifndef WARPUP_FUZZ_TARGET_H
#define WARPUP_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the process, which counts as a crash, when something that must hold does not. */
#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);         \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

#endif
