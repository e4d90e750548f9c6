/*
 * watching.h: what the files of this room share about a running launch: the launch itself, a
 * worker's watcher, a block, a warp. No other room includes it.
 */
#ifndef WARPUP_WATCHING_H
#define WARPUP_WATCHING_H

#include "gpu/memory/cache.h"
#include "gpu/memory/fault.h"
#include "gpu/memory/shadow.h"
#include "gpu/memory/traffic.h"
#include "gpu/memory/watch.h"

enum {
    WARPS_MAX = 32,
    THREADS_MAX = 1024,
    HOT_WORDS = 8192,
    RANGES_NEAR = 64,
    SET_MEMOS = 1024,
    QUIET_WORDS = 16,
    ERROR_ADDRESS = 700,
    ERROR_MISALIGNED = 716
};

/* The launch that runs. */
struct watching {
    uint64_t launch;
    uint32_t grid[3], block[3];
    const struct ptx_module *module;
    uint64_t sampled_launch;
    uint64_t hot[2][HOT_WORDS]; /* sums of the workers' */
    bool parallel; /* several workers: only whether blocks depend on each other is found out, not
                      how */
    bool sampled;
    struct watch_figures figures;
};
extern struct watching watching;

/* Bytes of one warp in flight from global to shared memory (flight.c). */
struct flight {
    uint64_t in_flight, overlapped;               /* loaded */
    uint64_t in_flight_copies, overlapped_copies; /* by asynchronous copies */
    uint64_t at_once; /* of the running interval: stored without overlap */
    bool reads;       /* in it the warp has read shared memory */
};

/* The time that a warp waits for its own accesses (stall.c). */
struct stall {
    uint64_t ns;       /* of the batches that are over */
    uint32_t batch_ns; /* the slowest of the loads in flight together */
    uint32_t loads;    /* their number */
    uint32_t rounds;   /* of a loop of one block, of which they are */
    bool computes;     /* their basic block computes with them */
    bool stored[2];    /* since then: to global, to shared memory */
    uint64_t behind;   /* what it waited for other warps (handoff.c) */
    uint64_t copied;   /* `ns` when its last asynchronous copy is there */
    uint64_t flag;     /* the word that its last access tested; 0: that was no test */
};

struct fence;
struct knowledge;
struct releases;
struct conflicts;
struct watched_range;

/* What a warp has just stored in a line; no sectors: there is nothing. An L1 holds a few lines. */
struct stored_line {
    uint64_t line;
    uint8_t sectors;
};
enum { STORED_LINES = 4 };

struct watched_warp {
    struct watched_block *block;
    /* The order of its accesses (order.h). `own`: the tag of the running segment; 0: it has not
     * begun. `last`: of the last one. Accesses of the warp with tags below `floor` come before what
     * any lane does now; `seen`: by lane, the tag up to which it has seen what each other lane did.
     * NULL: nothing beyond `floor`. */
    uint32_t own, last, floor;
    struct segment *segment;
    uint32_t (*seen)[LANES];
    struct fence *fence; /* the last one, and its number */
    uint32_t fence_number;
    bool fenced;                          /* some lane has called one since the warp last met */
    const struct knowledge *acquired;     /* of all lanes, */
    const struct knowledge **acquired_by; /* or of each */

    uint32_t index, lanes, first_thread;
    uint32_t touched; /* lanes that have used global memory */
    uint32_t gave;    /* lanes that have stored anything, or exchanged it with other lanes */
    uint64_t bytes_of_all,
        bytes_of[LANES]; /* of global memory: of all lanes together, and of each beyond that */
    bool uneven;
    struct flight flight;
    struct stall stall;
    struct stored_line stored[STORED_LINES]; /* the last one first */
};

/* Threads that had ended when the block's last barrier opened: what they had to write is missing.
 */
struct ends {
    uint32_t ended[WARPS_MAX], early[WARPS_MAX]; /* lanes: now, and at that barrier */
    uint32_t location[THREADS_MAX];              /* of each thread, where it ended; 0: not known */
    bool any;
};

enum { WORDS_ADDED = 256 };

struct watched_block {
    struct watcher *watcher;
    struct watched_block *next; /* of the worker's blocks, or of its spare ones */
    uint32_t index;
    unsigned char *shared;
    size_t shared_bytes, room;
    /* Additions of floats to each word of shared memory, by hash, and the most of them. */
    uint32_t added[WORDS_ADDED], most_added;
    struct tags *words; /* of shared memory */
    uint32_t *quiet;    /* by QUIET_WORDS of them: see race_shared.c */
    const struct ptx_function *kernel;
    uint32_t dynamic, warp_count;
    uint32_t floor; /* accesses of the block with tags below this come before what anyone of it does
                       now */
    uint32_t (*clock)[WARPS_MAX]; /* by warp: the tag up to which it has seen each other warp; NULL:
                                     not beyond floor */
    uint32_t *fenced_upto; /* by thread: the tag of its warp's last segment before its last fence;
                              NULL: all 0 */
    bool fenced;           /* some thread has called one since the block last met */
    bool learned;          /* some lane has acquired something */
    struct tags **narrow;  /* of shared memory, by granule: tags of bytes; NULL: there are none */
    size_t granules;       /* that `narrow` has */
    struct ends ends;
    struct watched_warp warps[WARPS_MAX];
};

struct watcher {
    struct tally *tally;
    uint32_t rank;
    struct cache l1;
    struct traffic traffic;
    struct watched_block *blocks, *spare;
    bool sample;                  /* the next block's launch is to be sampled */
    struct watcher *next;         /* of the launch's */
    uint32_t number, numbers_end; /* of segments, which it may use */
    struct releases *releases;
    struct conflicts *conflicts;
    struct watched_range *ranges[RANGES_NEAR]; /* those used last */
    struct set_memo {
        uint32_t others, member, row, set;
    } memo[SET_MEMOS];           /* the last sets that were made */
    struct bank_memo *bank_memo; /* by access instruction: its last patterns (banks.c) */
    struct whole_loads *whole;   /* by access instruction: count.c */
    uint64_t hot[2][HOT_WORDS];  /* passes by the hash of the piece; sums of floats, of the word */
};

/* One request while it is examined. */
struct looked {
    const struct request *request;
    bool shared;
    uint32_t mask;          /* lanes that may go on */
    const uint64_t *offset; /* by lane: in the range, or in shared memory */
    /* Lanes that access one place, or neighbouring ones. Every lane is in one run. */
    uint32_t run_count;
    struct lane_run {
        uint8_t lane, length;
        bool same;
    } run[LANES];
    uint32_t lines, sectors, wavefronts, missing; /* missing: sectors that the L1 did not hold */
};

/* runs.c: finds the runs; makes each lane one, after some were refused. */
void runs_find(struct looked *looked);
void runs_split(struct looked *looked);

/* The bytes of a run's places, from its first lane's on. */
static inline uint32_t run_bytes(const struct looked *looked, const struct lane_run *run)
{
    return looked->request->bytes * (run->same ? 1 : run->length);
}

/* `bytes` is a power of 2. */
static inline bool is_aligned(uint64_t address, uint32_t bytes)
{
    return (address & (bytes - 1)) == 0;
}

static inline bool is_load(enum access_kind kind)
{
    return kind == ACCESS_LOAD || kind == ACCESS_COPY_READ;
}

/* True if both words of a value have to be written: it is a double. In a structure that is copied
 * in one piece, or in a vector, one word may be a gap between members, or unused. */
static inline bool is_of_doubles(const struct request *request)
{
    return request->instruction->type_count > 0 && request->instruction->types[0] == TYPE_f64;
}

static inline bool is_atomic(enum access_kind kind)
{
    return kind == ACCESS_ATOMIC || kind == ACCESS_REDUCTION;
}

/* The kind of an access, as the records of faults name it. */
static inline const char *kind_name(enum access_kind kind)
{
    return is_atomic(kind)        ? "atomic"
           : kind == ACCESS_LOAD  ? "load"
           : kind == ACCESS_STORE ? "store"
                                  : "copy";
}

/* A fault of one lane of the request; of a thread of the running launch by its linear indices. */
struct fault fault_of_lane(const struct watched_warp *warp, const struct looked *looked,
                           uint32_t lane, const char *name);
void fault_set_other(struct fault *fault, uint32_t block, uint32_t thread);

/* shared.c: a block begins in this shared memory. A lane accesses nobody's bytes. */
void shared_begin(struct watched_block *block, const struct ptx_function *kernel, uint32_t dynamic);
void shared_note_outside(const struct watched_warp *warp, const struct looked *looked,
                         uint32_t lane);

/* count.c: sectors, caches, sites of a request to global memory whose lanes are looked at. */
void count_row(struct watched_warp *warp, struct looked *looked, uint64_t first, uint32_t bytes);
void count_scattered(struct watched_warp *warp, struct looked *looked);
/* Constant memory gives one word at a time to all lanes that want it: counts how many more than one
 * they want. */
void count_constants(struct watched_warp *warp, const struct looked *looked);
void count_shared(struct watched_warp *warp, struct looked *looked);

/* Loads of shared memory by whole warps that are added to the tally when the watcher ends: 32 lanes
 * load one place, or 32 words side by side. The wavefronts of one are known after the first. */
struct whole_loads {
    uint32_t wavefronts;
    uint64_t requests;
};
bool count_is_known(const struct watched_warp *warp, const struct ptx_instruction *instruction,
                    bool same);
void count_whole_load(struct watched_warp *warp, const struct ptx_instruction *instruction,
                      bool same);
void count_whole_loads(struct watcher *watcher);

/* The wavefronts of the request that this access instruction makes. */
uint32_t banks_of(struct watcher *watcher, const struct looked *looked, uint32_t bytes, bool load);

/* contention.c: atomic operations that wait for each other. */
void contention_global(struct watched_warp *warp, const struct looked *looked);
void contention_shared(struct watched_warp *warp, const struct looked *looked);
void contention_end(struct tally *total);

/* flight.c */
void flight_follow(struct watched_warp *warp, enum access_kind kind, bool shared, uint64_t bytes);
void flight_arrive(struct watched_warp *warp, uint64_t bytes);
void flight_barrier(struct watched_block *block);

/* stall.c */
void stall_extend(struct watched_warp *warp, const struct looked *looked, bool shared);
void stall_load(struct watched_warp *warp, const struct ptx_instruction *instruction, uint32_t ns,
                bool shared);
void stall_settle(struct watched_warp *warp);
/* Waits until the warp's `ns`. */
void stall_until(struct watched_warp *warp, uint64_t ns);
void stall_barrier(struct watched_block *block, uint32_t warps);
void stall_fence(struct watched_warp *warp);

/* handoff.c */
void handoff_follow(struct watched_warp *warp, const struct looked *looked);

#endif
