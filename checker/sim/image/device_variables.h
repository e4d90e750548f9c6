/*
 * device_variables.h: the __device__ and __constant__ variables of the device image, by address.
 * In the image there are gaps between them, so that an index past the end of one is noticed.
 */
#ifndef WARPUP_DEVICE_VARIABLES_H
#define WARPUP_DEVICE_VARIABLES_H

#include "sim/image/program.h"

#include <stdbool.h>
#include <stddef.h>

/* The variable that holds all of these bytes; NULL when none does. */
const struct device_symbol *device_variables_find(const char *address, size_t bytes);

/* For an access outside all variables: writes a sentence about the nearest one. False if none is
 * near. */
bool device_variables_describe(const char *address, char *text, size_t room);

#endif
