/*
 * objects.h: where the variables of a function's local memory begin, as debug information says.
 */
#ifndef WARPUP_PTX_OBJECTS_H
#define WARPUP_PTX_OBJECTS_H

#include "gpu/ptx/reader.h"

/* Offsets at which a variable of the function's local memory begins, in ascending order. None:
 * nothing is known. */
struct objects {
    const struct object_start *starts;
    size_t count;
};

/* The objects in the local memory of this name. */
struct objects objects_of(struct reader *reader, const char *name, size_t length);

#endif
