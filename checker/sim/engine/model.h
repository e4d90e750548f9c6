/*
 * model.h: how long would the GPU of the profile have taken? Roofline with latency: each resource
 * gives a time as if it were the only one that mattered; the slowest dominates, and the others
 * blur the corner where two are close.
 */
#ifndef WARPUP_MODEL_H
#define WARPUP_MODEL_H

#include "sim/engine/engine.h"

/* What the model needs to know of a launch, summed over its blocks. */
struct work {
    uint64_t blocks, threads_per_block, shared_per_block;
    uint64_t l2_bytes, dram_bytes;
    struct arithmetic arithmetic;
    double overlap;                    /* share of the loads that are asked for ahead (warp.h) */
    double requests, lines;            /* as they weigh on an SM */
    double chain_sum_ns, chain_max_ns; /* waiting time of each block's slowest warp: sum, largest */
};

/* Blocks of this shape that one SM holds at a time; registers are not known here. */
int model_blocks_per_sm(uint64_t threads_per_block, uint64_t shared_per_block);

/* Fills the outcome's blocks_per_sm, ns and the terms behind it, and what arithmetic costs. */
void model_time(const struct work *work, struct kernel_outcome *outcome);

#endif
