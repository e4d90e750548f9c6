/*
 * object.h: texture and surface objects: what a number that a kernel has stands for. The runtime
 * makes them (runtime/texture.c); the instructions tex, suld and sust (warp/) look them up. This
 * room is below warp/.
 */
#ifndef WARPUP_OBJECT_H
#define WARPUP_OBJECT_H

#include "gpu/include/driver_types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct texture_object {
    bool surface;                         /* otherwise a texture */
    bool linear;                          /* of linear memory: one dimension, read by index */
    char *base;                           /* in the GPU's memory */
    size_t width, height, pitch, element; /* in elements, rows, bytes, bytes */
    cudaChannelFormatDesc format;
    cudaTextureDesc texture; /* address modes, filter, how numbers are read; of textures only */
};

/* The object of this number; NULL if there is none, or it is not of this kind. */
const struct texture_object *texture_find(uint64_t number, bool surface);

/* Gives a copy of the object a number; 0: there are too many. */
uint64_t texture_add(const struct texture_object *object);

/* The number is free again. False if there is no such object. */
bool texture_drop(uint64_t number, bool surface);

/* Bytes of an element; 0 if there is no such format. */
size_t format_bytes(const cudaChannelFormatDesc *format);

#endif
