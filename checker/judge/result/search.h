/*
 * search.h: looks for the oracle's result: in one array, whatever its layout, or in several arrays,
 * which the host put together.
 */
#ifndef WARPUP_SEARCH_H
#define WARPUP_SEARCH_H

#include "judge/result/compare.h"

/* Looks for the result at the array's start, and at multiples of its length. */
bool search_plain(const struct host_array *array, const struct oracle_problem *problem,
                  struct layout *layout);

/* Looks for any layout by which the array holds the result. */
bool search_any(const struct host_array *array, const struct oracle_problem *problem,
                struct layout *layout);

enum { PARTS_MAX = 16 }; /* arrays: one per host thread, stream or component */

/* The arrays that hold a result together, each from its start on: one after another, or one number
 * of each in turn (all x in one array, all y in another). */
struct parts {
    const struct host_array *arrays[PARTS_MAX];
    size_t count;
};

/* True when arrays of the host hold the result together. */
bool parts_find(const struct host_copy *host, const struct oracle_problem *problem,
                struct parts *parts);

#endif
