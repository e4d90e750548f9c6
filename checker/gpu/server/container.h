/*
 * container.h: PTX out of what a compiler puts into the program: the lab's own container, and
 * nvcc's fat binary.
 */
#ifndef WARPUP_CONTAINER_H
#define WARPUP_CONTAINER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct code {
    char *text; /* of malloc(); NULL: there is none */
    size_t bytes;
    bool source_build; /* made near the source */
    const char *
        problem; /* why there is none: the rest of a sentence that begins with the program's name */
};

/* The code of the container at this address in the program: that part of it which suits this GPU
 * best. */
struct code container_read(uint64_t address);

#endif
