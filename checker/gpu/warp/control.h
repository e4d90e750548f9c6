/*
 * control.h: what the files of this room share: groups of lanes and activations of a warp, barriers
 * of a block, workers, and the launch that they run. Nobody outside of the room includes it.
 */
#ifndef WARPUP_CONTROL_H
#define WARPUP_CONTROL_H

#include "gpu/memory/obtain.h"
#include "gpu/memory/watch.h"
#include "gpu/warp/launch.h"
#include "gpu/warp/warp.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define LIKELY(condition)   __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

enum { WARPS_MAX = 32, BARRIERS = 16, SPECIAL_BYTES = 128 * SPECIALS + 256 };

/* Values of `flow` that module_prepare() makes, so that the loop tests nothing else. */
enum {
    FLOW_GUARDED = FLOW_NOTHING + 1, /* FLOW_NEXT with a guard */
    FLOW_GRID,                       /* waits for all blocks of the grid */
    FLOW_CLUSTER,                    /* waits for all blocks of the cluster */
    FLOW_MEET_FIXED, /* FLOW_MEET of the lanes that `target` says: an immediate mask */
    FLOW_PAUSE       /* executes, and lets others run: nanosleep, a try_wait that fails */
};

/* A call of a function by a group of lanes: its registers, its .param area, its part of local
 * memory. */
struct activation {
    const struct ptx_function *function;
    struct activation *caller;          /* NULL: this is the kernel */
    const struct ptx_instruction *call; /* the caller's instruction */
    uint32_t inside;                    /* lanes that are in it, or in what it calls */
    uint32_t depth;
    uint32_t local; /* where its local memory begins, in the thread's */
    uint32_t stack; /* bytes of stack of all callers */
    unsigned char *frame, *call_area;
    struct activation *next; /* among the spare ones */
};

enum group_state {
    GROUP_READY,
    GROUP_MEETS,   /* for lanes of the warp */
    GROUP_BARRIER, /* for threads of the block */
    GROUP_CLUSTER,
    GROUP_GRID
};

/* Lanes that are at the same instruction of the same activation. */
struct group {
    uint32_t mask;
    int32_t at; /* the instruction that comes next, or that the group waits at */
    struct activation *activation;
    uint8_t state;
    uint8_t barrier; /* its number */
    bool gave_way;   /* its slice is over: others come first */
    int32_t slice;   /* see SLICE */
};

/* A group gives way after this many jumps back, or after 1024 if it polls: if it loads what may be
 * a flag. It gives way immediately after an atomic operation on global memory whose result it uses:
 * a counter that gives out work serves all warps in turn, as on a GPU. */
enum { SLICE = 1 << 20, POLL_COST = 1 << 10 };

/* How the lanes of a base register went on when an access last looked (repeats.c). */
enum { SPREADS = 8 };
struct spread {
    int32_t at; /* the register */
    uint32_t kind;
};

struct control {
    struct group group[LANES];
    struct spread spread[SPREADS];
    uint32_t count;
    int32_t slice;                 /* what the running group has left */
    bool polled, drew;             /* since the last jump back; see SLICE */
    bool stop;                     /* the kernel ends by a fault */
    bool paused;                   /* the running instruction asks to let others run */
    bool spun;                     /* in the last slice a group gave way because it polls */
    bool phase_polls, other_polls; /* in the last slice: it polled an mbarrier, something else */
    uint64_t instructions;
    struct activation *kernel;
    unsigned char *local; /* local_bytes for each lane, interleaved by words */
    uint32_t local_bytes;
    /* For lanes that wait in GROUP_MEETS: the mask that they gave, and the instruction. */
    uint32_t meet_mask[LANES];
    const struct ptx_instruction *meet_at[LANES];
    /* While lanes exchange values that are not at the same place: all values, and who came. */
    bool gathered;
    uint32_t came;
    uint64_t value[LANES];
    struct copies *copies; /* in flight: async.c */
    /* Lanes that arrive at an mbarrier when their copies have landed, and which. */
    uint32_t promised, promised_to[LANES];
    /* Lanes that jumped to the kernel's end, and where: at a return statement, perhaps. */
    uint32_t jumped, exited;
    const struct ptx_instruction *jumped_at[LANES];
    uint64_t clock; /* instructions when %clock was last read */
    const struct activation *running_in;
    uint8_t barrier_number; /* of the barrier that the running group has come to */
};

/* A thread has come to an instruction. `location` is the student's. */
struct arrival {
    const struct ptx_instruction *at;
    uint32_t location, thread;
};

struct barrier {
    uint32_t required;           /* threads; 0: all that have not ended */
    uint32_t came;               /* threads that wait */
    uint32_t arrived;            /* threads that do not wait (bar.arrive) */
    uint32_t votes, voters;      /* of bar.red */
    struct arrival first, other; /* other: at another place of the source; at == NULL: none */
};

enum block_state { BLOCK_WAITS, BLOCK_ENDED };

struct block {
    struct execution *run;
    struct worker *worker;
    uint64_t index; /* in the grid */
    uint32_t at[3];
    uint32_t threads, live_threads, warp_count;
    struct warp *warps;
    struct control *controls;
    unsigned char *special, *shared;
    struct watched_block *watched;
    struct barrier barrier[BARRIERS];
    uint32_t used_barriers; /* a bit each */
    bool changed;           /* threads have come to barriers or have ended: is one complete? */
    bool polls;             /* its last slice ended because all threads ask again and again */
    /* For threads that wait for mbarriers. moved: how often mbarriers changed. phase_polls,
     * other_polls: in this round a thread asked for a phase that had not ended, or for something
     * else. stuck: nothing will come, so waits end. */
    uint64_t moved, moved_before;
    uint32_t idle_rounds;
    bool phase_polls, other_polls, stuck;
    struct arrival phase_at, grid_at;
    struct log *log; /* of its group */
    struct block *next;
};

/* A worker runs blocks, one thread of this machine each. */
struct worker {
    struct execution *run;
    uint32_t rank;
    struct tally tally;
    struct watcher *watcher;
    int64_t *warps_at, *lanes_at; /* by instruction: differences to the one before (control.c) */
    struct activation **spare;    /* by function */
    struct block *spare_block;
    struct log *log; /* of the group of blocks that run now */
    int error;
};

/* A launch while it runs. */
struct execution {
    const struct launch *launch;
    const struct ptx_function *kernel;
    struct ptx_module *module;
    uint64_t blocks, group; /* group: consecutive blocks that one worker runs with one L1 */
    bool fixed;             /* one worker, and blocks take turns */
    bool clusters;          /* of more than one block */
    size_t shared_bytes;
    uint32_t stack_limit;
    uint32_t threads, warps; /* of a block */
    uint64_t next;           /* fixed: the next block; else the next group */
    pthread_mutex_t lock;
    uint64_t failed; /* the lowest block that ended by a fault; UINT64_MAX: none */
    int error;       /* the program's error for it */
    bool spins;      /* a block waits for others: run in the fixed order */
    bool depends;    /* a block reads a sum that is not complete: run in the fixed order */
    struct worker *workers;
    struct commits *commits;
    uint64_t started_ns;
    uint64_t workspace; /* of cooperative launches: %envreg1, 2 */
};

/* Is it an instruction with matrices, which all 32 lanes execute together? */
static inline bool needs_whole_warp(const struct ptx_instruction *at)
{
    return at->opcode == OP_mma || at->opcode == OP_wmma || at->opcode == OP_ldmatrix ||
           at->opcode == OP_stmatrix || at->opcode == OP_movmatrix;
}

/* control.c */
enum warp_state { WARP_ENDED, WARP_WAITS, WARP_SPINS };
/* Runs a warp until it ends, waits, or its slices are over. */
enum warp_state warp_advance(struct warp *warp);
void warp_begin(struct warp *warp, uint32_t lanes);
void counters_add(struct worker *worker);

/* Lanes have executed the instructions from `from` to the one before `to`. Only the differences
 * between neighbours are kept, so a loop of any length costs four additions. */
static inline void count_segment(struct warp *warp, const struct ptx_function *function,
                                 const struct ptx_instruction *from,
                                 const struct ptx_instruction *to, uint32_t lanes)
{
    struct worker *worker = warp->worker;
    size_t first = function->first + (size_t)(from - function->code);
    size_t last = function->first + (size_t)(to - function->code);
    int64_t count = __builtin_popcount(lanes);
    worker->warps_at[first]++;
    worker->warps_at[last]--;
    worker->lanes_at[first] += count;
    worker->lanes_at[last] -= count;
    warp->control->instructions += (uint64_t)(to - from);
}

/* Registers and calls are now those of the activation. */
static inline void enter_activation(struct warp *warp, const struct activation *activation)
{
    warp->base[BASE_FRAME] = activation->frame;
    warp->call_area = activation->call_area;
    warp->call_stride = activation->function->call_bytes;
    warp->control->running_in = activation;
}

/* groups.c */
/* Lanes that are ready at the same place become one group. */
void add_group(struct control *control, const struct group *group);
void drop_group(struct control *control, uint32_t i);
/* Takes the group that runs next. False if all wait, or have given way. */
bool take_group(struct control *control, struct group *taken);
/* The next place in its activation at which the running group meets another one that is ready. */
const struct ptx_instruction *limit_of(const struct control *control, const struct group *running);
/* Where the caller of an activation stands. */
int32_t location_of_call(const struct activation *activation);
uint32_t waiting_lanes(const struct warp *warp, enum group_state state, int barrier);
/* Groups that wait go on after their instruction. */
void release_groups(struct warp *warp, enum group_state state, int barrier);

/* meet.c */
uint32_t complete_lanes(struct warp *warp, const struct ptx_instruction *at, uint32_t lanes);
/* Executes what lanes wait for whose partners have all come. */
void exchange_complete(struct warp *warp);
/* Lanes for which nobody will come go on; false: there are none. */
bool release_meeting(struct warp *warp);

/* calls.c */
struct activation *activation_make(struct warp *warp, const struct ptx_function *function);
void activation_leave(struct warp *warp, struct activation *activation, uint32_t lanes);
void refuse_call(struct warp *warp, const struct ptx_instruction *call, uint32_t lanes,
                 uint64_t pointer);
bool call_function(struct warp *warp, const struct ptx_instruction *call,
                   const struct ptx_function *callee, struct activation *caller, uint32_t lanes,
                   struct activation **entered);
void return_results(struct activation *activation, uint32_t lanes);
const struct ptx_function *function_at(const struct ptx_module *module, uint64_t address);
void activations_free(struct worker *worker);
void local_begin(struct warp *warp, const struct activation *activation, uint32_t lanes);
uint32_t stack_limit_of(const struct ptx_module *module);

/* faults.c */
/* The student's place of an instruction. */
uint32_t warp_location(const struct warp *warp, const struct ptx_instruction *at);
void warp_fault_at(struct warp *warp, uint32_t location, uint32_t lane, const char *name,
                   const char *detail);
void warp_fault_with(struct warp *warp, uint32_t location, uint32_t lane, const char *name,
                     const char *detail, const struct warp *other, uint32_t other_lane);
void thread_at(const struct warp *warp, uint32_t lane, uint32_t at[3]);

/* barrier.c */
/* Lanes come to a barrier; false: they go on immediately. */
bool wait_at(struct warp *warp, const struct ptx_instruction *at, uint32_t lanes);
bool barriers_release(struct block *block);
bool barriers_release_stuck(struct block *block);
/* Lets those resident blocks go on that wait for the grid or their cluster, and need not. */
bool grid_release(struct execution *run, struct block **resident, uint32_t count);

/* block.c */
struct block *block_take(struct worker *worker);
void block_start(struct block *block, uint64_t index);
enum block_state block_advance(struct block *block);
void block_drop(struct block *block);
void blocks_free(struct worker *worker);

/* exchange.c */
void meet_prepare(struct ptx_instruction *instruction);
/* The lanes for which a lane waits at a FLOW_MEET. meet_prepare() has put its mask operand into
 * `target` and `c_base`. */
static inline uint32_t meet_mask_of(const struct warp *warp, const struct ptx_instruction *at,
                                    uint32_t lane)
{
    if (at->flow == FLOW_MEET_FIXED) return (uint32_t)at->target;
    return VALUES(warp, const uint32_t, at->c_base, at->target)[lane];
}
ptx_execute *exchange_select(struct ptx_instruction *instruction);
/* Do lanes at these two instructions meet? */
bool exchange_is_same(const struct ptx_instruction *one, const struct ptx_instruction *other);
void exchange_gather(struct warp *warp, const struct ptx_instruction *at, uint32_t mask);

/* access.c, local.c, atomics.c, async.c, special.c */
ptx_execute *access_select(const struct ptx_function *function,
                           struct ptx_instruction *instruction);
ptx_execute *atomic_select(const struct ptx_function *function,
                           struct ptx_instruction *instruction);
ptx_execute *async_select(const struct ptx_instruction *instruction);
ptx_execute *phase_select(struct ptx_instruction *instruction);
ptx_execute *special_select(struct ptx_instruction *instruction);
void special_begin_launch(struct warp *warp);
void special_begin_block(struct warp *warp);
void copies_reset(struct warp *warp);
void copies_free(struct warp *warp);
/* All copies of these lanes arrive. */
void copies_land(struct warp *warp, uint32_t mask);

/* The thread of a lane in its block */
static inline uint32_t thread_of(const struct warp *warp, uint32_t lane)
{
    return warp->index * LANES + lane;
}

#endif
