/*
 * pattern.h: what a wrong result looks like, found by arithmetic alone. Every claim is checked for
 * every element; what does not hold exactly is not said.
 */
#ifndef WARPUP_PATTERN_H
#define WARPUP_PATTERN_H

#include "judge/result/compare.h"

struct pattern {
    const char *name; /* of the diagnosis; NULL when no pattern fits */
    const char *text;
    const struct record *place; /* the launch concerned; NULL when none is */
    bool of_values; /* the kernel computes or stores a wrong value: its own line is concerned */
};

/* Looks for a pattern in a wrong array, whose difference is known. Every element must have been
 * compared. */
struct pattern pattern_find(struct arena *arena, const struct run *run,
                            const struct host_array *array, const struct difference *difference);

/* A copy of as many bytes as the problem has elements, out of or into an array at least four times
 * as large that no other copy in that direction completes. NULL when there is none. */
const struct record *pattern_short_copy(const struct run *run);

/* The first copy to the GPU into this allocation when all such copies leave a part of it unset, and
 * in `bytes` how many they set. NULL when there is none. */
const struct record *pattern_part_uploaded(const struct run *run, uint64_t alloc, uint64_t *bytes);

/* The first copy to the host out of this allocation, and in `bytes` how many all of them moved.
 * NULL when there is none. */
const struct record *pattern_copies_back(const struct run *run, uint64_t alloc, uint64_t *bytes);

#endif
