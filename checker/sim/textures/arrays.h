/*
 * arrays.h: CUDA arrays: memory of one or two dimensions whose elements have a format.
 */
#ifndef WARPUP_ARRAYS_H
#define WARPUP_ARRAYS_H

#include "cuda_runtime_api.h"

#include <stdbool.h>

/* Rows are `pitch` bytes apart, as in pitched memory: where a GPU puts the elements, it does not
 * say. */
struct cudaArray {
    char *base;
    size_t width, height, pitch; /* in elements, rows and bytes; height 1 for one dimension */
    cudaChannelFormatDesc format;
    unsigned int flags;
    struct cudaArray *next;
};

/* Is this one that was made, and not freed? */
bool array_is_live(cudaArray_const_t array);

/* Bytes of an element; 0 if there is no such format. */
size_t format_bytes(const cudaChannelFormatDesc *format);

#endif
