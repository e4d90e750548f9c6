/*
 * running.h: the CUDA thread that a worker runs now, and where it leaves its log. A worker is one
 * of this machine's threads, which runs blocks of a launch one after another.
 */
#ifndef WARPUP_RUNNING_H
#define WARPUP_RUNNING_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "sim/engine/async_copies.h"
#include "sim/engine/fiber.h"
#include "sim/requests/warp.h"

/* A store that is announced: what it leaves there is seen once the thread announces its next one,
 * or pauses. */
struct store {
    const void *at; /* NULL: there is none */
    unsigned bytes; /* 4, 8 or 16 */
    uint64_t was[2];
    bool *same; /* in the log */
};

/* Where the running CUDA thread leaves its events; at `end` its log is full. */
struct cursor {
    uint32_t *event, *end;
    uint64_t *offset;
    uintptr_t block;    /* return address in the last basic block, not logged yet; 0: none */
    const char *shared; /* the block's shared memory */
    uint64_t shared_bytes;
    unsigned vectors; /* worker->vectors that are in use */
    struct store store;
};
extern _Thread_local struct cursor cursor;

/* Notes what the last store has left. */
static inline void cursor_settle(void)
{
    struct store *store = &cursor.store;
    uint64_t now[2] = {0, 0};
    if (store->at == NULL) return;
    memcpy(now, store->at, 4);
    if (store->bytes >= 8) memcpy(now, store->at, 8);
    if (store->bytes == 16) memcpy(now, store->at, 16);
    *store->same = now[0] == store->was[0] && now[1] == store->was[1];
    store->at = NULL;
}

/* A vector (float4 …) that the running basic block has touched a member of. */
struct vector {
    unsigned bytes;   /* of the vector type */
    unsigned members; /* touched so far, a bit each; only of one that is not aligned */
    uint64_t start;
    uint32_t *event; /* where the first stands in the log */
    uint64_t *offset;
};
enum { VECTORS_MAX = 8 };

struct worker {
    struct warp_log log;
    struct warp warps[WARPS_MAX];
    struct fiber *fiber[WARPS_MAX][LANES]; /* of a thread that waits */
    struct chain chain[WARPS_MAX];
    struct segment segment;
    struct tally tally;
    struct cache l1;
    const struct kernel_launch *launch; /* valid while it runs */
    uint64_t launch_id;
    uint32_t threads, warp_count;
    struct barrier {
        int came, counted;         /* threads so far, and those with a predicate */
        int all_came, all_counted; /* at the last release */
        struct arrival {
            uintptr_t pc;
            uint32_t thread;
        } first, other; /* the first thread to come, and the first that came to another place */
    } barrier;
    struct exchange {
        uint32_t open;        /* lanes that take whoever has come to the same place */
        uint32_t mask[LANES]; /* that each of the others asked for */
        uint64_t value[LANES], from[LANES][LANES];
        uint32_t came[LANES];
        uintptr_t pc[LANES];
    } exchange; /* of the running warp */
    bool flat;  /* blockDim.y and .z are 1; otherwise the threads' indices are: */
    uint32_t thread_at[THREADS_MAX][3];

    struct warp *running_warp; /* of the CUDA thread that runs now */
    uint32_t running_lane;
    struct vector vectors[VECTORS_MAX];
    int error;       /* not 0: the kernel was ended */
    uintptr_t entry; /* see block_entry() */
    struct fibers fibers;
    struct shared_shadow shared;
    struct async_copies copies;
};

/* The calling OS thread's worker; NULL when it runs none. */
extern _Thread_local struct worker *running_worker;

/* Makes this lane of the running warp the running thread: its log, its threadIdx. */
void running_set(struct worker *worker, uint32_t lane);

/* Notes how far the running thread's log has come. */
void running_keep(struct worker *worker);

/* Called by the running thread, which gives its place to others and goes on later; its log is
 * merged meanwhile. */
void running_pause(void);

/* The running thread's fiber has nothing more to do for now. */
void running_leave(struct worker *worker);

/* Ends the kernel, whose fault is noted, with this error code; or only tells where the running
 * thread begins. The thread never goes on. */
_Noreturn void running_abort(int error);
_Noreturn void running_give_entry(uintptr_t pc);

#endif
