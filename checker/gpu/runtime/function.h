/*
 * function.h: what a program has set for a kernel.
 */
#ifndef WARPUP_FUNCTION_H
#define WARPUP_FUNCTION_H

#include "gpu/ptx/ptx.h"

#include <stddef.h>

/* Bytes of dynamic shared memory that the kernel may be launched with. */
size_t function_shared_limit(const struct ptx_function *kernel);

#endif
