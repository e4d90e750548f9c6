/*
 * api_memory.h: the program's allocations, as other calls see them.
 */
#ifndef WARPUP_API_MEMORY_H
#define WARPUP_API_MEMORY_H

#include "sim/api/api_call.h"

#include <stdbool.h>
#include <stddef.h>

/* cudaMallocPitch and cudaFree, for other calls that allocate. */
cudaError_t allocate_rows(const struct call *call, void **pointer, size_t *pitch, size_t width,
                          size_t height);
cudaError_t allocation_free(const struct call *call, void *pointer);

/* Writes the final records of all live allocations, and frees none. `leaked`: they are leaks. */
void allocations_report(bool leaked);

#endif
