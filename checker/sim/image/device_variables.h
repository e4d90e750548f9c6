/*
 * device_variables.h: the __device__ and __constant__ variables of the device image, by address.
 * In the image there are gaps between them, so that an index past the end of one is noticed.
 */
#ifndef WARPUP_DEVICE_VARIABLES_H
#define WARPUP_DEVICE_VARIABLES_H

#include <stdbool.h>
#include <stddef.h>

struct variable {
    const char *symbol; /* as the compiler calls it */
    const char *base;
    size_t bytes;
};

/* Reads them from the image's symbols, the first time. */
void device_variables_read(void);

/* The variable that holds all of these bytes; NULL when none does. */
const struct variable *device_variables_find(const char *address, size_t bytes);

/* For an access outside all variables: writes a sentence about the nearest one. False if none is
 * near. */
bool device_variables_describe(const char *address, char *text, size_t room);

#endif
