/*
 * array.h: CUDA arrays: memory of one or two dimensions whose elements have a format.
 */
#ifndef WARPUP_ARRAY_H
#define WARPUP_ARRAY_H

#include "gpu/include/driver_types.h"

#include <stddef.h>
#include <stdint.h>

/* Rows are `pitch` bytes apart, as in pitched memory: where a GPU puts the elements, it does not
 * say. */
struct array {
    uint64_t handle, base;
    size_t width, height, pitch; /* in elements, rows and bytes; height 1 for one dimension */
    size_t element;              /* bytes */
    cudaChannelFormatDesc format;
};

/* The array that was made, and not freed, with this handle; NULL if there is none. */
struct array *array_find(uint64_t handle);

#endif
