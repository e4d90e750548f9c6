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
    const struct record *site; /* the launch concerned; NULL when none is */
    bool of_values; /* the kernel computes or stores a wrong value: the diagnosis names the kernel's
                       own line */
    const char *next; /* the next step, if it is not that of the diagnosis; else NULL */
};

/* Looks for a pattern in a wrong array. Its difference is known, and every element must have been
 * compared. */
struct pattern pattern_find(struct arena *arena, const struct run *run,
                            const struct host_array *array, const struct difference *difference);

/* Looks for a missing tail alone: this does not take long in a large array. */
struct pattern pattern_find_tail(struct arena *arena, const struct run *run,
                                 const struct host_array *array,
                                 const struct difference *difference);

#endif
