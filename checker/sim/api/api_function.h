/*
 * api_function.h: what a program has set for a kernel.
 */
#ifndef WARPUP_API_FUNCTION_H
#define WARPUP_API_FUNCTION_H

#include <stddef.h>

/* Bytes of dynamic shared memory that the device image's kernel may be launched with. */
size_t function_shared_limit(const void *kernel);

#endif
