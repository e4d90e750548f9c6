/*
 * warp.h: putting lanes back together. The threads of a warp run one after another on the CPU; each
 * leaves a log of the basic blocks that it entered and the memory that it touched. Merging the logs
 * lowest program counter first gives the order in which a warp on a GPU would have gone through
 * the code: lanes at the same place make one request together, lanes behind wait for none ahead.
 */
#ifndef WARPUP_WARP_H
#define WARPUP_WARP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/requests/cache.h"
#include "sim/requests/event.h"
#include "sim/requests/race.h"
#include "sim/requests/shared.h"

enum { LANES = 32, LOG_ROWS = 256, WARPS_MAX = 32, THREADS_MAX = LANES * WARPS_MAX };

/* The logs of one warp: row r holds the r-th event of each lane. */
struct warp_log {
    uint32_t event[LOG_ROWS][LANES];
    bool same[LOG_ROWS][LANES];       /* the store left there what was there */
    uint64_t offset[LOG_ROWS][LANES]; /* into the shadow (shadow.h), or shared memory (shared.h) */
};

/* Sectors are 32 bytes; `ideal` is the fewest sectors that as many lanes of that size fit in. */
struct access_counts {
    uint64_t requests, sectors, ideal, bytes, lanes;
    uint64_t wavefronts; /* of shared memory; ideal is then the fewest that the lanes need */
};

/* One access instruction of the kernels' code, and what all its requests came to. */
struct site {
    uint32_t event;
    struct access_counts counts;
    uint32_t worst_lanes, worst_sectors; /* the request with most sectors (or wavefronts) a lane */
    bool shared;                         /* an access to shared memory */
    uint64_t next;                       /* the offset behind the last request's first lane */
};

/* Time that one warp has spent waiting for memory, by the profile's latencies. */
struct chain {
    double ns;       /* of the batches that are closed */
    double batch_ns; /* the slowest of the loads under way together */
    int loads;       /* how many those are */
    /* A store ends the batch: later loads may not pass it. Compilers know global and shared memory
     * apart, so that one to shared memory holds up only loads from there. */
    bool stored, shared_stored;
};

/*
 * Bytes on their way from global to shared memory, of one warp: they overlap with computing when
 * the warp reads shared memory between asking for them and storing them, or waiting for their copy.
 * Those are `overtaken`, the others `fresh`. What it stores first is taken to be what it loaded
 * last; asynchronous copies arrive in their order.
 */
struct flight {
    uint64_t fresh, overtaken;               /* loaded */
    uint64_t fresh_copies, overtaken_copies; /* by asynchronous copies */
    /* Of the running interval: bytes that went there at once, and whether the warp has read shared
     * memory. A warp that has not fetches for others, which compute meanwhile. */
    uint64_t at_once;
    bool reads;
};

/* What a worker has seen since the launch began. */
struct tally {
    struct site *sites; /* grown as places are met */
    size_t site_count, site_room;
    uint16_t *site_at; /* by place: index into sites + 1 */
    uint64_t threads, l2_bytes, dram_bytes;
    uint64_t *counters;                /* of what the threads compute (arithmetic.h) */
    uint64_t overlap_bytes;            /* see struct flight */
    double requests, lines;            /* as the model weighs them */
    double miss_ns;                    /* that a load waits which the caches do not hold */
    double chain_sum_ns, chain_max_ns; /* over blocks */
};

/* One warp being merged: its logs, and the lanes' places in them. */
struct warp {
    struct warp_log *log;
    uint32_t first_thread; /* linear index in the block */
    uint32_t lanes;        /* 32, or fewer in a block's last warp */
    uint32_t begun;        /* lanes that have begun; they begin in order */
    /* Lanes that have begun and are not done, a bit each. */
    uint32_t running, at_barrier, at_exchange;
    uint32_t written[LANES], read[LANES]; /* events logged and merged, per lane */
    uint32_t touched;                     /* lanes that have touched global memory */
    struct flight flight;
    struct chain *chain;
    struct segment *segment;
    struct tally *tally;
    struct cache *l1, *l2;
    struct shared_shadow *shared;
};

/* Merges what can be merged: until a running lane has no event left that could come first. */
void warp_merge(struct warp *warp);

#endif
