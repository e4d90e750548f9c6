/*
 * api_memory.h: the program's allocations, as other calls see them.
 */
#ifndef WARPUP_API_MEMORY_H
#define WARPUP_API_MEMORY_H

#include <stdbool.h>

/* Writes the final records of all live allocations, and frees none. `leaked`: they are leaks. */
void allocations_report(bool leaked);

#endif
