/*
 * modules.h: the device code of the program that runs: its modules, read when the program first
 * needs one, and what the program calls by addresses of its own: kernels (their stubs) and device
 * variables (their shadows).
 */
#ifndef WARPUP_MODULES_H
#define WARPUP_MODULES_H

#include "gpu/ptx/ptx.h"
#include "gpu/server/call.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The kernel whose stub has this address in the program; NULL if there is none. An error of the
 * module that keeps it from running has been reported once, then `*error` says what a launch has to
 * return. */
const struct ptx_function *module_kernel(uint64_t stub, cudaError_t *error);

/* The __device__, __constant__ or __managed__ variable with this shadow in the program; NULL if
 * there is none. Its memory is at variable->address, as everywhere on the GPU. */
const struct ptx_variable *module_variable(uint64_t shadow);

/* The variable that holds this device address, or NULL. */
const struct ptx_variable *module_variable_at(uint64_t address);

#endif
