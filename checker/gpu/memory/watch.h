/*
 * watch.h: every access of a warp to global and shared memory is announced here before it happens:
 * it is checked (bounds, alignment, initialisation, races), counted (requests, sectors, wavefronts,
 * caches), and sampled. What orders threads (barriers, warp synchronisation, fences, atomics) is
 * announced too: races are found by happens-before. Faults are noted with kernel, block, thread,
 * file, line and array (fault.h).
 *
 * The executor owns blocks and warps; here is what memory/ keeps beside them: one `watcher` per
 * worker, one `watched_block` per resident block, one `watched_warp` per warp.
 */
#ifndef WARPUP_WATCH_H
#define WARPUP_WATCH_H

#include "gpu/memory/tally.h"
#include "gpu/ptx/ptx.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The figures of the simulated GPU's profile about memory. */
struct watch_figures {
    uint64_t l1_bytes, l2_bytes;
    uint32_t l1_ns, l2_ns, dram_ns; /* latencies */
    uint32_t float_atomic_ns;       /* of adding to a float in shared memory */
    uint32_t barrier_ns;            /* until a warp goes on */
    uint32_t lookup_parts;          /* of a line in the L1: clocks times L1_PARTS */
    bool in_l2; /* all memory in use is expected in the L2 when the launch begins */
};

struct watcher;       /* a worker's tally, L1, and the tags of what it runs */
struct watched_block; /* a block's shared memory, its shadow and its clocks */
struct watched_warp;

enum access_kind {
    ACCESS_LOAD,
    ACCESS_STORE,
    ACCESS_ATOMIC,    /* reads and writes; its result is used */
    ACCESS_REDUCTION, /* an atomic whose result nothing uses */
    ACCESS_COPY_READ, /* the global side of an asynchronous copy to shared memory */
    ACCESS_COPY_WRITE /* its shared side: the bytes are in flight from now on */
};

/* One request: a warp-level access instruction of the lanes of `mask`. */
struct request {
    const struct ptx_instruction *instruction; /* its place, its number among the accesses */
    enum access_kind kind;
    uint32_t mask;
    uint32_t bytes;   /* per lane: element times vector: 1 … 32 */
    uint32_t element; /* bytes of an element, which decides alignment only with the vector:
                         alignment = bytes */
    const uint64_t *
        address; /* by lane. Global: the address. Shared: the offset in the block's shared memory */
    bool is_volatile;   /* volatile, relaxed or stronger: it may be a flag that others wait for */
    bool real;          /* atomic: of floats */
    bool swaps;         /* atomic: compare and swap */
    const void *values; /* of a store: `bytes` bytes per lane, one lane after the other, before they
                           are stored; NULL: not known. Stores of what is already there do not race
                           with their like */
    bool consecutive;   /* all 32 lanes take part, and address[l] = address[0] + l * bytes */
    /* Bit l: lanes l - 1 and l both take part, and address[l] is the same as address[l - 1], or
     * address[l - 1] + bytes: so the runs of lanes with one address, or neighbouring ones, are
     * known without a look at 32 addresses. */
    uint32_t same, next;
    uint32_t location; /* the student's: that of the instruction, or of the call of a function that
                       has no places */
};

/* A launch: begun before its blocks run, ended after the last one. `workers` run its blocks. */
void watch_launch(uint64_t launch, const char *kernel, const uint32_t grid[3],
                  const uint32_t block[3], const struct ptx_module *module, uint32_t workers);
/* The figures of launches from now on. */
void watch_use(const struct watch_figures *figures);
/* The launch is over: adds to the sum of the workers' tallies what only all of them together know.
 */
void watch_end(struct tally *total);
/* Notes that lanes have exchanged values within their warp. */
void watch_exchange(struct watched_warp *warp, uint32_t lanes);
/* Before it: the launch will run again anyway. */
void watch_repeat(void);
/* Orders everything: all blocks of the launch have ended, or the whole grid has waited for itself.
 */
void watch_order_all(void);

struct watcher *watcher_make(struct tally *tally, uint32_t rank); /* NULL: no memory */
void watcher_free(struct watcher *watcher);
/* The next blocks of the worker start on the next SM: its L1 is empty. */
void watcher_next_sm(struct watcher *watcher);

/* Bytes to reserve for a block's shared memory, gaps between variables included (place_shared()
 * gives them their offsets); a block begins, with all its bytes 0xff; ends. `shared` is its memory.
 */
struct watched_block *watch_block(struct watcher *watcher, uint32_t block, unsigned char *shared,
                                  size_t shared_bytes, const struct ptx_function *kernel,
                                  uint32_t dynamic_shared);
void watch_block_end(struct watched_block *block);
struct watched_warp *watch_warp(struct watched_block *block, uint32_t index, uint32_t lanes);

/* Gives the module's shared variables their offsets, in multiples of 128, so that banks stay as
 * they are. A red zone of at least 128 bytes follows each. Returns the bytes before dynamic shared
 * memory, whose variables all begin there. Called once per kernel: for a kernel only its own and
 * its callees' variables count as declared. */
size_t layout_shared(struct ptx_module *module);

/* The lanes that may go on with the access. If one may not, the launch ends with *error (a LAUNCH_
 * code): the fault is noted. A fault that a GPU would not notice (a race, an uninitialised value)
 * is noted, and all lanes go on. */
uint32_t watch_global(struct watched_warp *warp, const struct request *request, int *error);
uint32_t watch_shared(struct watched_warp *warp, const struct request *request, int *error);

/* An access to the threads' local memory: only counted. `offset`: by lane, in its own. */
void watch_local(struct watched_warp *warp, const struct ptx_instruction *instruction, bool store,
                 uint32_t mask, const uint64_t offset[LANES], uint32_t bytes);

/* Watches a load by 32 lanes of 4 bytes each, quickly: from one place, or from places that are side
 * by side from `offset` on. False: nothing is known yet, and watch_shared() has to look at it.
 */
bool watch_shared_whole(struct watched_warp *warp, const struct ptx_instruction *instruction,
                        uint64_t offset, bool same);

/* An asynchronous copy to shared memory has arrived: the lane has waited for it. `copied`: what
 * watch_copied() was when it began. */
uint64_t watch_copied(const struct watched_warp *warp);
void watch_arrived(struct watched_warp *warp, uint32_t lane, uint32_t offset, uint32_t bytes,
                   uint64_t copied);

/* The events that order accesses. All warps of `warps` (a bit each) have met at a barrier of the
 * block; the lanes of `lanes` have met (__syncwarp; shuffles and votes order nothing and are not
 * announced); a fence of the lanes of `mask` (scope: the block, the GPU, the system). */
void watch_barrier(struct watched_block *block, uint32_t warps);
void watch_meet(struct watched_warp *warp, uint32_t lanes);
/* The lanes' compare and swap in global memory has changed the words at these addresses; spins:
 * they may have tried before. */
void watch_swap(struct watched_warp *warp, uint32_t lanes, const uint64_t *address, bool spins);

enum fence_scope { FENCE_BLOCK, FENCE_GPU, FENCE_SYSTEM };
void watch_fence(struct watched_warp *warp, uint32_t mask, enum fence_scope scope);
/* One-sided: a thread arrives at (releases), or has waited for (acquires), a synchronisation object
 * such as an mbarrier or a named barrier with arrive: `object` is its address or number. */
void watch_release(struct watched_warp *warp, uint32_t lanes, uint64_t object);
void watch_acquire(struct watched_warp *warp, uint32_t lanes, uint64_t object);

/* Lanes have ended; those that others may later miss the stores of. */
void watch_exit(struct watched_warp *warp, uint32_t lanes, const struct ptx_instruction *at);

/* Did a launch that ran in parallel do something whose outcome depends on the order of blocks (it
 * read what another block wrote, or blocks wrote the same word)? Then the executor restores memory
 * and runs it in the fixed order. */
bool watch_depends_on_order(void);

#endif
