/*
 * model.h: how long the GPU of the profile would have taken for a launch. For each of its resources
 * (DRAM, L2, L1, schedulers, arithmetic units …) the model computes a time as if only this resource
 * mattered. The longest time dominates, and others that are nearly as long add to it. What goes in
 * are the counts of a tally and the figures of the profile.
 */
#ifndef WARPUP_MODEL_H
#define WARPUP_MODEL_H

#include "gpu/memory/tally.h"
#include "gpu/memory/watch.h"
#include "gpu/ptx/ptx.h"
#include "gpu/warp/launch.h"

#include <stdbool.h>
#include <stdint.h>

/* All times are in ns. trace/README.md says what each term is. */
struct kernel_time {
    const char *kind; /* what takes longest: how exact the model is depends on it */
    double ns;        /* from the start of the first block to the end of the last one */
    double part_ns;   /* as a part of a larger launch that fills the GPU */
    double start_ns, dram_ns, l2_ns, stores_ns, l1_ns, issue_ns, latency_ns, blocks_ns, compute_ns,
        bus_ns, atomics_ns, hot_ns;
    double doubles_cost_ns,
        divisions_cost_ns; /* of `ns`: what float arithmetic, and no integer division, would save */
    uint32_t blocks_per_sm; /* resident at a time */
};

/* How many blocks of this shape one SM of the profile holds at a time; 0: none. `registers`: per
 * thread; 0: not known, no limit. `shared`: static and dynamic bytes. */
uint32_t time_blocks_per_sm(uint64_t threads, uint32_t registers, uint64_t shared);

/* How many blocks of a launch of this kernel one SM holds at a time. The number of registers counts
 * only in the optimised build, where it is known. */
uint32_t time_blocks_of(const struct ptx_function *kernel, uint64_t threads,
                        uint64_t dynamic_shared);

/* Models the launch that left this tally. `bytes_in_use`: of device memory, by all allocations of
 * the program. If they fit in the L2, the data are expected there, except with WARPUP_COLD. */
void time_kernel(const struct launch *launch, const struct tally *tally, uint64_t bytes_in_use,
                 struct kernel_time *time);

/* The profile's figures about memory, for watch_use() before a launch. `bytes_in_use` as above. */
struct watch_figures time_figures(uint64_t bytes_in_use);

/* When a kernel that starts at `start` (ns of the GPU's clock) ends. Kernels of several streams
 * overlap, but share what the GPU has only once, above all its memory: this remembers until when
 * that is busy. */
int64_t time_end(int64_t start, const struct kernel_time *time);

#endif
