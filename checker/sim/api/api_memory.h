/*
 * api_memory.h: what becomes of the program's allocations.
 */
#ifndef WARPUP_API_MEMORY_H
#define WARPUP_API_MEMORY_H

#include <stdbool.h>

/* Writes the closing records of all allocations; frees none. `leaked` tells what has become of
 * those that still live. */
void allocations_report(bool leaked);

/* The allocation that begins at `pointer` and lives; NULL when there is none. */
struct allocation *allocation_at(const void *pointer);

#endif
