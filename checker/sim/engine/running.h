/*
 * running.h: the CUDA thread that a worker runs now, and its place in the log. A worker is one of
 * this machine's threads. It runs blocks of a launch, one after another.
 */
#ifndef WARPUP_RUNNING_H
#define WARPUP_RUNNING_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "sim/engine/async_copies.h"
#include "sim/engine/balance.h"
#include "sim/engine/arithmetic.h"
#include "sim/engine/fiber.h"
#include "sim/engine/instructions.h"
#include "sim/requests/lane.h"
#include "sim/requests/warp.h"

/* A store that was announced and then happens. What it stored is read before the next store of any
 * thread, or before the log is merged. */
struct store {
    const uint32_t *address; /* NULL: none */
    bool *same;              /* in the log */
    unsigned more;           /* words after the first: 0, 1 or 3 */
    uint32_t was[4];
};

/* Where the running CUDA thread writes its next event: `at` is the index into each array of the
 * log. A cursor that is full, or without a log, takes none. */
struct cursor {
    struct warp_log *log; /* NULL: no kernel runs */
    size_t at;
    uintptr_t block; /* return address in the last basic block, which is not logged yet; 0: none */
    const char *shared; /* the block's shared memory */
    uint64_t shared_bytes;
    struct store store;
    unsigned vectors; /* worker->vectors that are in use */
    uintptr_t again;  /* is added to `block` before the next one is compared with it */
};

/* What `again` consists of: a block that follows itself is logged too, as in the sample; vectors
 * are in use, which end with the block. */
static const uintptr_t AGAIN_LOGGED = 1, AGAIN_VECTORS = (uintptr_t)1 << 62;
extern _Thread_local struct cursor cursor;
#define NO_CURSOR                                                                                  \
    {                                                                                              \
        .at = LOG_EVENTS                                                                           \
    }

static inline uint32_t *log_event(struct warp_log *log, size_t at)
{
    return &log->event[0][0] + at;
}

static inline uint64_t *log_offset(struct warp_log *log, size_t at)
{
    return &log->offset[0][0] + at;
}

static inline bool *log_same(struct warp_log *log, size_t at)
{
    return &log->same[0][0] + at;
}

/* Did the store leave the word as it was? */
static inline bool store_kept(const struct store *store, unsigned word)
{
    uint32_t now;
    memcpy(&now, store->address + word, sizeof now);
    return now == store->was[word];
}

/* The block that waits to be logged is not needed any more. To look costs less than to store. */
static inline void cursor_leave_block(void)
{
    if (cursor.block != 0) cursor.block = 0;
}

static inline void cursor_forget_vectors(void)
{
    cursor.vectors = 0;
    cursor.again &= AGAIN_LOGGED;
}

/* Notes whether the last store changed anything. Its address is to be replaced then. Without a
 * call: each store of a kernel comes here. */
static inline void cursor_compare(void)
{
    struct store *store = &cursor.store;
    if (store->address == NULL) return;
    bool same = store_kept(store, 0);
    if (__builtin_expect(store->more > 0, 0)) {
        same &= store_kept(store, 1);
        if (store->more > 1) same &= store_kept(store, 2) & store_kept(store, 3);
        store->more = 0;
    }
    *store->same = same;
}

static inline void cursor_settle(void)
{
    cursor_compare();
    cursor.store.address = NULL;
}

/* A vector (float4 …) of which the running basic block has accessed a member. */
struct vector {
    unsigned bytes, size; /* of the vector type, and of a member */
    unsigned
        members; /* accessed so far, one bit per member; only of a vector that is not aligned */
    uint64_t start;
    size_t at; /* of the first member's event, in the log */
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
    uint64_t launch_id, launch_blocks;
    uint32_t block;          /* that runs now: its linear index */
    struct block_work *work; /* of each block of the launch; NULL: it is not noted */
    struct {
        double compute, memory; /* of all blocks that ran on this worker */
    } work_so_far;
    uint32_t rank; /* among the workers */
    uint32_t threads, warp_count;
    struct barrier {
        int came, counted;         /* threads so far, and those with a predicate */
        int all_came, all_counted; /* at the last release */
        int for_grid;              /* of those that came: they wait for all blocks */
        int polls;                 /* of those that came: they ask again at the next release */
        bool moved; /* a thread began to poll, or something was done that polls ask for */
        struct arrival {
            uintptr_t pc;
            uint32_t thread;
        } first, other; /* the first thread to come, and the first that came to another place */
    } barrier;
    struct arrival poll_at;              /* the last thread that began to poll */
    bool stuck;                          /* threads of the block poll in vain */
    uint32_t releases;                   /* of threads that waited for the block */
    const void *asked[WARPS_MAX][LANES]; /* where each thread has added to an integer last */
    bool any_asked;
    struct exchange {
        uint32_t timeless;    /* lanes that wait for an instruction of the warp, not for others */
        uint32_t open;        /* lanes that wait for all lanes that come to the same place */
        uint32_t mask[LANES]; /* for which each of the others waits */
        uint64_t value[LANES], from[LANES][LANES];
        uint32_t came[LANES];
        uintptr_t pc[LANES];
    } exchanges[WARPS_MAX]; /* of each warp */
    bool flat;              /* blockDim.y and .z are 1; otherwise the threads' indices are: */
    uint32_t thread_at[THREADS_MAX][3];

    struct warp *running_warp; /* of the CUDA thread that runs now */
    struct vector vectors[VECTORS_MAX];
    int error;       /* not 0: the kernel was ended */
    uintptr_t entry; /* see block_entry() */
    struct fibers fibers;
    struct shared_shadow shared;
    struct async_copies copies;
    struct warp_sample sample;
};

/* The worker of the calling OS thread; NULL if it has none. */
extern _Thread_local struct worker *running_worker;

/* The lane of the CUDA thread that runs now, or ran last. */
static inline uint32_t running_lane(void)
{
    return (uint32_t)(cursor.at % LANES);
}

/* Is the index in the warp all that its threads do not have in common? */
static inline bool running_is_plain(const struct worker *worker, const struct warp *warp)
{
    return worker->flat && warp != worker->sample.warp;
}

/* Makes this lane of the running warp the running thread, which begins: its place in the log, its
 * threadIdx. */
static inline void running_begin(const struct worker *worker, const struct warp *warp,
                                 uint32_t lane, bool plain)
{
    uint32_t thread = warp->first_thread + lane;
    cursor.at = lane;
    cursor.block = 0;
    warpup_lane.thread[0] = thread;
    if (plain) return;
    if (warp == worker->sample.warp) warpup_counters = worker->sample.lane[lane];
    if (!worker->flat)
        memcpy(warpup_lane.thread, worker->thread_at[thread], sizeof warpup_lane.thread);
}

/* The same for a thread that goes on. */
static inline void running_set(struct worker *worker, const struct warp *warp, uint32_t lane)
{
    running_begin(worker, warp, lane, running_is_plain(worker, warp));
    cursor_forget_vectors();
    cursor.log = &worker->log;
    cursor.at = warp->written[lane] * LANES + lane;
}

/* Notes how far the running thread's log has come. */
static inline void running_keep(struct warp *warp, uint32_t lane)
{
    warp->written[lane] = (uint32_t)(cursor.at / LANES);
}

/* The same before others run, which may begin. */
static inline void running_stop(struct warp *warp, uint32_t lane)
{
    cursor_settle();
    running_keep(warp, lane);
    if (warp->begun <= lane) warp->begun = lane + 1;
}

/* The fiber of the running thread has nothing to do for now. */
static inline void running_leave(struct worker *worker)
{
    lane_runs = false;
    fiber_leave(&worker->fibers);
    lane_runs = true;
}

/* The running thread waits: others run, and its log is merged. */
static inline void running_pause(void)
{
    struct worker *worker = running_worker;
    struct warp *warp = worker->running_warp;
    uint32_t lane = running_lane();
    running_stop(warp, lane);
    running_leave(worker);
    running_set(worker, warp, lane);
}

/* The same for a thread that goes on as soon as its log is merged. */
void running_yield(void);

/* Ends the kernel with this error code; its fault was noted before. Ends a thread that was started
 * only to find this place. */
_Noreturn void running_abort(int error);
_Noreturn void running_give_entry(uintptr_t pc);

/* Every fiber of a worker runs this: the threads of the running warp that have not begun. Without a
 * running warp it runs one thread, only to find out where that begins. */
void running_threads(void *worker);

#endif
