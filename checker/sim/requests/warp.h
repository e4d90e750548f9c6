/*
 * warp.h: putting lanes back together. The threads of a warp run one after another on the CPU; each
 * leaves a log of the basic blocks that it entered and the memory that it touched. Merging the logs
 * by the lowest program counter gives the order in which a warp on a GPU would have run the code.
 * Lanes at the same place make one request together, and lanes that are earlier in the code go
 * first.
 */
#ifndef WARPUP_WARP_H
#define WARPUP_WARP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/image/device_image.h"
#include "sim/requests/cache.h"
#include "sim/requests/event.h"
#include "sim/requests/race.h"
#include "sim/requests/shared.h"

enum { ENDS = 8 }; /* that a warp's chain remembers */
enum { ALL_JOINED_LINES = 6, JOINED_LINES = 8, JOINED_PART = 4 };
enum { HOT_PLACES = 64, HOT_PIECE_BYTES = 1024, SWAPPED_BITS = 1 << 15 };
enum { TURNS_MAX = 64 };
enum { LANES = 32, LOG_ROWS = 256, LOG_EVENTS = LOG_ROWS * LANES };
enum { WARPS_MAX = 32, THREADS_MAX = LANES * WARPS_MAX };

/* The logs of one warp: row r is the r-th event of each lane. */
struct warp_log {
    uint32_t event[LOG_ROWS][LANES];  /* as of event_to_log() */
    bool same[LOG_ROWS][LANES];       /* the store changed nothing */
    uint64_t offset[LOG_ROWS][LANES]; /* into the shadow (shadow.h), or shared memory (shared.h) */
};

/* An event in the log has the low bits of a return address. What makes a place of them is
 * subtracted when the log is merged: mostly once for all lanes. */
static inline uint32_t event_to_log(uintptr_t pc, enum access_kind kind, unsigned size_code)
{
    return event_make((uint32_t)pc, kind, size_code);
}

static inline uint32_t event_from_log(uint32_t logged)
{
    return logged - event_make((uint32_t)image_code, 0, 0);
}

/* Sectors are 32 bytes; `ideal` is the fewest sectors that as many lanes of that size fit in. */
struct access_counts {
    uint64_t requests, sectors, ideal, bytes, lanes;
    uint64_t wavefronts; /* of shared memory; ideal is then the fewest that the lanes need */
};

/* What the compiled code says of an access: it is in a loop that nvcc does not unroll, or each
 * round of which needs what the one before has loaded; its address is made by a bit mask, so that
 * nvcc does not join it with neighbours; it has one address for all threads; it is in a loop whose
 * number of rounds is not a constant; the rounds of its loop are long; for how many loads of its
 * round it waits, one after another; nothing uses what it returns; the number of its loop, if that
 * needs what was loaded before it. As in instructions.awk. */
enum access_known {
    KNOWN_ROLLED = 1,
    KNOWN_MASKED = 2,
    KNOWN_UNIFORM = 4,
    KNOWN_LOOPED = 8,
    KNOWN_LARGE = 16,
    KNOWN_WAITS = 32, /* the factor of a number up to 3 */
    KNOWN_UNUSED = 128,
    KNOWN_LOOP = 256 /* the factor of a number up to 255 */
};
enum { WAITS = 4 };

/* One access instruction of the device code, and the counts of all its requests. */
struct site {
    uint32_t event;
    struct access_counts counts;
    uint32_t worst_lanes, worst_sectors; /* the request with most sectors (or wavefronts) a lane */
    bool shared;                         /* an access to shared memory */
    uint16_t known;                      /* bits of enum access_known */
    uint64_t next;       /* the offset after that of the last request's first lane */
    const void *next_of; /* the warp of that request */
    uint64_t batch;      /* of which it last was one (struct chain) */
    uint64_t last_miss;  /* the line of global memory that the L2 last did not have */
    uint32_t samples;    /* of it: index into the tally's samples + 1; 0 if it has none */
};

/* Time that one warp has spent waiting for memory, by the profile's latencies. */
struct chain {
    double ns; /* of the batches that are closed */
    /* The slowest of the loads in flight together, and of those that wait for these, and so on */
    double batch_ns[WAITS];
    int loads;          /* their number */
    uint64_t batch;     /* their number among the tally's batches */
    unsigned registers; /* that they need */
    uint32_t mask;      /* the lanes of the last one: others are in a branch of their own */
    uint32_t rolled;    /* event of the first of them in a loop that is not unrolled; 0: none */
    unsigned loop;      /* the last load's, as in enum access_known */
    /* A store ends the batch, because later loads may not pass it. Compilers can tell global from
     * shared memory, so a store to shared memory only holds up loads from there. It also holds up
     * loads of a branch that begins after it: it waits for the number that it stores. */
    bool stored, shared_stored;
    uint64_t ends[ENDS]; /* of the last loads of words from shared memory, the newest first */
};

/*
 * Bytes of one warp in flight from global to shared memory. They overlap with computing if the warp
 * reads shared memory after it has loaded them and before it stores them, or waits for their copy.
 * Those are `overtaken`, the others `fresh`. What a warp stores first counts as what it loaded
 * last; asynchronous copies arrive in their order.
 */
struct flight {
    uint64_t fresh, overtaken;               /* loaded */
    uint64_t fresh_copies, overtaken_copies; /* by asynchronous copies */
    /* Of the running interval: bytes that were stored without overlap, and whether the warp has
     * read shared memory. A warp that has not only loads data for others, which compute at the same
     * time. */
    uint64_t at_once;
    bool reads;
    /* Of the last store, and its place: g++ announces that of a copied struct before the load. */
    uint64_t announced;
    uint32_t announced_at;
};

/*
 * The lines of a warp's last store whose lanes were not side by side. The L1 joins the next store
 * with it where both touch the same sectors: the members of a struct. Measured on an H100: nearly
 * all sectors of structs of up to 6 words are joined, whose stores touch 6 lines. Of those of up to
 * 8 words it is about a quarter, and of larger ones none.
 */
struct last_store {
    unsigned lines;
    struct {
        uint64_t line;
        unsigned sectors;
    } at[JOINED_LINES];
};

/* Atomic operations of a launch. */
struct atomics {
    /* On shared memory: warps do them in rounds, because lanes that want the same word take turns.
     * Floats and doubles are added by compare and exchange. */
    uint64_t shared_rounds, shared_real_rounds;
    uint64_t
        contended_rounds; /* of those of floats: on a word that another warp added to just before */
    uint64_t last_word;   /* to which floats were added, and by whom */
    const void *last_warp;
    uint64_t sectors; /* of global memory, one for each request that touches it */
    uint64_t repeats; /* lanes of these requests that want a word that another lane had */
    /* Where most operations are, by a few counters: one that two places share loses what the second
     * one would gain. Of words, each lane's operation; of lines, the time; of pieces of 1 KB, the
     * sectors. */
    struct hot {
        uint64_t place;
        double count;
    } words[HOT_PLACES], real_words[HOT_PLACES], lines[HOT_PLACES], pieces[HOT_PLACES];
    struct hot shared_words[HOT_PLACES]; /* of the running block: to which floats are added */
    /* Compare and swaps that changed a word, and a bit for each of these words; and all that were
     * tried, with their requests and the sectors of these. */
    uint64_t swaps, swapped[SWAPPED_BITS / 64], tried, tried_requests, tried_sectors;
};

/* What a worker has seen since the launch began. */
struct tally {
    struct site *sites; /* grown as places are met */
    size_t site_count, site_room;
    uint16_t *site_at;     /* by place: index into sites + 1 */
    const uint16_t *known; /* by place: see struct site */
    uint64_t threads, l2_bytes, dram_bytes;
    uint64_t thread_bytes, busiest_bytes; /* of global memory: of all threads, and of one */
    uint64_t moved_bytes, bus_bytes; /* of dram_bytes: managed memory that moves, pinned memory */
    uint64_t *counters;              /* of what the threads compute (arithmetic.h) */
    uint64_t overlap_bytes;          /* see struct flight */
    uint64_t tensor_flops;           /* of tensor cores; and as many of TF32 numbers as would */
    double tensor_work;              /* take the same time */
    double requests, lines;          /* with the weights of the time model */
    uint64_t batches;                /* of loads that were in flight together (struct chain) */
    struct atomics atomics;
    double miss_ns;                    /* how long a load waits that misses both caches */
    double chain_sum_ns, chain_max_ns; /* over blocks */
    double warps_sum_ns;               /* the same over warps */
    uint64_t turns;                    /* see block_take_turn() */
    uint64_t barriers, exchanges;      /* of warps */
    uint64_t constant_loads;           /* instructions of warps that load from there */
    uint64_t constants;                /* turns of lanes that load from constant memory */
    uint64_t warps;
    uint64_t store_sectors, store_lines;
    uint64_t dirty_bytes;  /* of dram_bytes: stored */
    uint64_t unread_bytes; /* stored to sectors that the L2 did not hold */
    /* Of dram_bytes: loaded or stored where requests need only one half of a line; and of those,
     * far from where the same instruction missed the L2 before. */
    struct lone {
        uint64_t bytes, far_bytes;
    } lone_loads, lone_stores;
    uint64_t single_bytes;   /* of l2_bytes: loaded sectors without the other half of their pair */
    bool sampled;            /* are requests kept to be shown? (sample.h) */
    struct samples *samples; /* of sample_count sites */
    uint32_t sample_count;
    uint64_t last_block; /* of the grid */
};

/* How often a warp went back to the beginning of loops. */
struct turns {
    uint32_t count;
    struct turn {
        uint32_t place; /* of the loop's last basic block */
        uint64_t warp;
    } at[TURNS_MAX];
};

/* One warp: its log, and the lanes' places in it. */
struct warp {
    struct warp_log *log;
    uint32_t first_thread; /* linear index in the block */
    uint32_t lanes;        /* 32, or fewer in a block's last warp */
    uint32_t begun;        /* lanes that have begun; they begin in order */
    /* Lanes that are not done, a bit each, but not the one that runs now. Those that have not begun
     * are `running`. */
    uint32_t running, at_barrier, at_exchange;
    uint32_t polling;                     /* of those at a barrier: see block_poll() */
    uint32_t written[LANES], read[LANES]; /* events logged and merged, per lane */
    uint32_t touched;                     /* lanes that have touched global memory */
    /* Bytes of global memory that a lane has asked for: all of them together, and each beyond that,
     * if `uneven` */
    uint64_t bytes_of_all, bytes_of[LANES];
    bool uneven;
    struct flight flight;
    struct last_store last_store;
    struct chain *chain;
    struct segment *segment;
    struct tally *tally;
    struct cache *l1, *l2;
    struct shared_shadow *shared;
    struct turns *turns; /* of a warp in the sample; else NULL */
};

/* Merges events until a running lane has none left, because its next one could come first. */
void warp_merge(struct warp *warp);

#endif
