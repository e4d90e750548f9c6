/*
 * async_copies.h: asynchronous copies to shared memory. A thread issues them, puts those since the
 * last time into a batch, and waits for its batches in their order; the data are there only then.
 */
#ifndef WARPUP_ASYNC_COPIES_H
#define WARPUP_ASYNC_COPIES_H

#include <stdint.h>

#include "sim/requests/warp.h"

enum { COPY_BYTES_MAX = 16, NO_COPY = 0 };

/* A copy under way. */
struct async_copy {
    char *to;
    unsigned char data[COPY_BYTES_MAX]; /* as it was read */
    unsigned bytes;
    uint32_t batch;
    uint32_t next; /* of the same thread, or of the free ones: an index into the pool; NO_COPY */
};

/* The copies of the running block; one a worker. */
struct async_copies {
    struct async_copy *pool;    /* index 0 is not used */
    uint32_t count, room, free; /* used since the block began; the first that is free again */
    struct {
        uint32_t first, last; /* of those under way */
        uint32_t batch;       /* that the next copy belongs to: so many were committed */
    } thread[THREADS_MAX];
};

/* Forgets the copies of the block that has ended, those too that it has not waited for. */
void async_copies_reset(struct async_copies *copies, struct shared_shadow *shadow);

#endif
