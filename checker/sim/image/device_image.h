/*
 * device_image.h: the device image in memory: where its code and its variables are.
 */
#ifndef WARPUP_DEVICE_IMAGE_H
#define WARPUP_DEVICE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where the device image's code begins. A place in it is an offset from there, of 24 bits. */
extern __attribute__((visibility("hidden"))) uintptr_t image_code;

/* The place that a return address stands for, and back. */
static inline uint32_t image_place(uintptr_t pc)
{
    return (uint32_t)(pc - image_code);
}

static inline uintptr_t image_pc(uint32_t place)
{
    return image_code + place;
}

/* What is at an address outside the simulated GPU's range. */
enum image_part {
    IMAGE_VARIABLE, /* a __device__ variable */
    IMAGE_CONSTANT, /* a __constant__ variable, a string, a table */
    IMAGE_OUTSIDE   /* none of these: the host's, a variable of its own among them */
};
enum image_part image_part_of(const char *address, size_t bytes);

/* For an access outside all variables: writes a sentence about the nearest one. False if none is
 * near. In the image there are gaps between variables, so that an index past the end is noticed. */
bool image_describe(const char *address, char *text, size_t room);

/* Finds the image; done once. False when there is none. */
bool image_find(void);

/* From the image's first byte to its last. */
size_t image_bytes(void);

#endif
