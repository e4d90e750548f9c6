/*
 * conflict.h: if several workers run a launch, which words of global memory each of them reads,
 * stores and changes by atomics: bits that only the worker itself sets. Words that two workers have
 * used, one of them writing, make the launch one that depends on the order of its blocks.
 */
#ifndef WARPUP_CONFLICT_H
#define WARPUP_CONFLICT_H

#include "gpu/memory/watching.h"

enum conflict_use { CONFLICT_READ, CONFLICT_WRITE, CONFLICT_ATOMIC, CONFLICT_USES };

enum { RANGE_BYTES = 1 << 16, RANGE_WORDS = RANGE_BYTES / 4 };

/* The bits of 64 KB of memory. */
struct watched_range {
    uint64_t number;
    struct watched_range *next; /* with the same hash, or spare */
    uint32_t bits[CONFLICT_USES][RANGE_WORDS / 32];
};

struct conflicts;
void conflict_begin(struct watcher *watcher);
struct watched_range *conflict_range(struct watcher *watcher, uint64_t number);

/* A lane, or a row of lanes, uses these bytes. */
static inline void conflict_note(struct watcher *watcher, uint64_t offset, uint32_t bytes,
                                 enum conflict_use use)
{
    uint64_t first = offset / 4, last = (offset + bytes - 1) / 4;
    while (first <= last) {
        uint64_t number = first / RANGE_WORDS, index = first % RANGE_WORDS / 32, shift = first % 32;
        uint64_t here = 32 - shift < last - first + 1 ? 32 - shift : last - first + 1;
        struct watched_range *range = watcher->ranges[number % RANGES_NEAR];
        if (range == NULL || range->number != number) range = conflict_range(watcher, number);
        range->bits[use][index] |= (uint32_t)(((UINT64_C(1) << here) - 1) << shift);
        first += here;
    }
}

/* Do words of two workers conflict? Forgets all bits. Nobody runs meanwhile. */
bool conflict_settle(void);
void conflict_free(struct watcher *watcher);

/* The launch is over. */
void conflict_end(void);

#endif
