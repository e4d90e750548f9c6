/*
 * trial.h: tries some blocks of a launch as it would be for a larger problem, without the data. Its
 * arrays are addresses without memory: loads from them give 0, stores to them do nothing, and only
 * what they reach is looked at. So arrays may be larger than this machine's memory. All other
 * memory stays as it is: it is read, never written.
 */
#ifndef WARPUP_TRIAL_H
#define WARPUP_TRIAL_H

#include "gpu/memory/watch.h"
#include "gpu/warp/launch.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    TRIAL_ARRAYS = 32,
    TRIAL_BLOCKS = 32 /* the first, the last, and others between them */
};

struct trial_array {
    uint64_t id, bytes; /* of the allocation that it stands for; of the larger problem */
};

struct trial {
    struct trial_array array[TRIAL_ARRAYS];
    uint32_t count;
    uint32_t jumps; /* that a warp may make back; then it leaves its loops */
    bool stored;    /* a thread of block 0 stored anything */
    bool elsewhere; /* an access reached neither an array nor the program's memory */
    bool outside;   /* an access was before its array or far past it: the first one is */
    uint32_t left;  /* this array, */
    int64_t offset; /* at this byte */
    uint32_t bytes, location, block[3], thread[3];
    const char *kind; /* "load", "store", "atomic" */
};

/* The address of an array. A wrong index does not reach the next one. */
static inline uint64_t trial_address(uint32_t array)
{
    return UINT64_C(0x400000000000) + ((uint64_t)array << 40);
}

/* Runs blocks of the launch, whose `trial` notes what they do. What they print is dropped. */
void trial_run(const struct launch *launch);

struct warp;
/* An access to global memory while a trial runs. Returns the lanes that do it. */
uint32_t trial_access(struct warp *warp, const struct request *request);
/* An access to shared memory while a trial runs. It does not notice words that nobody has written:
 * the copies of a trial bring nothing. */
uint32_t trial_shared(struct warp *warp, const struct request *request);

#endif
