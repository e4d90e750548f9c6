/*
 * parts.h: a result that came to the host in several arrays, which the host put together: one after
 * another, or one number of each in turn (all x in one array, all y in another).
 */
#ifndef WARPUP_PARTS_H
#define WARPUP_PARTS_H

#include "judge/oracle/oracle.h"
#include "judge/result/host_copy.h"

enum { PARTS_MAX = 16 }; /* arrays: one per host thread, stream or component */

/* The arrays that hold the result, each from its start on. */
struct parts {
    const struct host_array *arrays[PARTS_MAX];
    size_t count;
};

/* True when arrays of the host hold the result together. */
bool parts_find(const struct host_copy *host, const struct oracle_problem *problem,
                struct parts *parts);

#endif
