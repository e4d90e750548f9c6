/*
 * pattern.h: what a wrong result looks like, found by arithmetic alone. A pattern is reported only
 * if every element shows it.
 */
#ifndef WARPUP_PATTERN_H
#define WARPUP_PATTERN_H

#include "judge/result/compare.h"

struct pattern {
    const char *name; /* of the diagnosis; NULL when no pattern fits */
    const char *text;
    const struct record *place; /* the launch concerned; NULL when none is */
    bool of_values; /* the kernel computes or stores a wrong value: the diagnosis names the kernel's
                       own line */
};

/* Looks for a pattern in a wrong array. Its difference is known, and every element must have been
 * compared. */
struct pattern pattern_find(struct arena *arena, const struct run *run,
                            const struct host_array *array, const struct difference *difference);

/* A copy with exactly as many bytes as the problem has elements. Its array is at least four times
 * as large, and no other copy in that direction completes it. NULL when there is none. */
const struct record *pattern_short_copy(const struct run *run);

/* The first copy to the GPU into this allocation, if all such copies leave a part of it unset;
 * `bytes` becomes the number of bytes that they set. NULL when there is none. */
const struct record *pattern_part_uploaded(const struct run *run, uint64_t alloc, uint64_t *bytes);

/* The first copy to the host out of this allocation; `bytes` becomes the number of bytes that all
 * such copies moved. NULL when there is none. */
const struct record *pattern_copies_back(const struct run *run, uint64_t alloc, uint64_t *bytes);

#endif
