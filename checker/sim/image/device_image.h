/*
 * device_image.h: where things are in the running launch: code addresses, blocks and threads.
 */
#ifndef WARPUP_DEVICE_IMAGE_H
#define WARPUP_DEVICE_IMAGE_H

#include <stddef.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where the device image's code begins: events tell places from there, 16 MB far. */
extern __attribute__((visibility("hidden"))) uintptr_t place_code;

/* The place that a return address stands for, and back. */
static inline uint32_t place_of(uintptr_t pc)
{
    return (uint32_t)(pc - place_code);
}

static inline uintptr_t place_pc(uint32_t place)
{
    return place_code + place;
}

/* What lies at an address outside the simulated GPU's range. */
enum image_part {
    IMAGE_VARIABLE, /* a __device__ variable */
    IMAGE_CONSTANT, /* a __constant__ variable, a string, a table */
    IMAGE_OUTSIDE   /* none of these: the host's, a variable of its own among them */
};
enum image_part place_part(const char *address, size_t bytes);

/* blockIdx of a linear block index, threadIdx of a linear thread index of the running launch. */
void place_block(uint32_t index, uint32_t block[3]);
void place_thread(uint32_t index, uint32_t thread[3]);

/* Finds the image that the function at `code` lies in; done once. False when there is none. */
bool image_find(const void *code);

/* From the image's first byte to its last. */
size_t image_bytes(void);

/* Where the calling OS thread has the image's __shared__ variables; 0 bytes when it has none. */
void image_shared(const char **base, uint64_t *bytes);

void image_set_shape(const uint32_t grid[3], const uint32_t block[3]);

#endif
