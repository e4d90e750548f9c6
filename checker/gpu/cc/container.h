/*
 * container.h: what a program carries as its device code: PTX texts of both builds, in one
 * container. Its layout, in the machine's byte order: 16 bytes "WARPUP-PTX" padded with zeros, the
 * number of parts (4 bytes), and of each part its kind (4 bytes: 0 near the source, 1 as nvcc
 * optimises), its bytes (4 bytes), and its text.
 */
#ifndef WARPUP_CC_CONTAINER_H
#define WARPUP_CC_CONTAINER_H

#include "gpu/cc/compiler.h"

/* The host's object file was compiled with a placeholder in its section .nv_fatbin, while the
 * device code was not there yet. Replaces the content of that section by the container. Returns why
 * it could not; NULL: it could. */
const char *container_put(const char *object, const char *const texts[BUILDS]);

#endif
