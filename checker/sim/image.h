/*
 * image.h: setting what place.h answers from: the device image, which is the shared library that
 * holds the kernels, and the shape of the running launch.
 */
#ifndef WARPUP_IMAGE_H
#define WARPUP_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Finds the image that the function at `code` lies in; done once. False when there is none. */
bool image_find(const void *code);

/* From the image's first byte to its last. */
size_t image_bytes(void);

/* Where the calling OS thread has the image's __shared__ variables; 0 bytes when it has none. */
void image_shared(const char **base, uint64_t *bytes);

void image_set_shape(const uint32_t grid[3], const uint32_t block[3]);

#endif
