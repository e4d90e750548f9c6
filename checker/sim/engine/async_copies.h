/*
 * async_copies.h: asynchronous copies to shared memory. A thread starts copies, commits them as a
 * batch, and waits for its batches in their order. Only then the data are in shared memory.
 */
#ifndef WARPUP_ASYNC_COPIES_H
#define WARPUP_ASYNC_COPIES_H

#include <stddef.h>
#include <stdint.h>

#include "sim/requests/warp.h"

enum { COPY_BYTES_MAX = 16, NO_COPY = 0 };

/* A copy in flight. */
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
    uint32_t count, room, free; /* used since the block began; the first one that is free again */
    struct {
        uint32_t first, last; /* copies in flight */
        uint32_t batch;       /* of the next copy: the number of committed batches */
        bool arrived;         /* a barrier waits for them in place of the thread */
    } thread[THREADS_MAX];
};

/* The running thread, at this place, starts a copy whose last `zeros` bytes are not read but 0; it
 * waits for its batches, except the last `prior`. */
void async_copies_start(void *shared, const void *global, size_t bytes, size_t zeros, uintptr_t pc);
void async_copies_wait(size_t prior, uintptr_t pc);

/* A barrier waits for the copies of the running thread; they arrive at the next time that threads
 * are released. */
void async_copies_promise(void);
void async_copies_land(struct async_copies *copies, const struct warp *warps);

/* Forgets the copies of a block that has ended, also those that it did not wait for. */
void async_copies_reset(struct async_copies *copies, struct shared_shadow *shadow);

#endif
