/*
 * model.h: how long would the GPU of the profile have taken? Roofline with latency: each resource
 * gives a time as if it were the only one that mattered; the slowest dominates, and the others
 * blur the corner where two are close.
 */
#ifndef WARPUP_MODEL_H
#define WARPUP_MODEL_H

#include "sim/engine/arithmetic.h"
#include "sim/requests/warp.h"

struct kernel_outcome {
    int error; /* cudaSuccess, or what ended the kernel: 700 illegal address, 710 assert, 716
                  misaligned */
    struct access_counts load, store, atomic;       /* global memory */
    struct access_counts shared_load, shared_store; /* atomics among the stores */
    struct arithmetic arithmetic;
    uint64_t threads; /* that touched global memory */
    uint64_t dram_bytes;
    uint64_t overlap_bytes; /* on their way to shared memory while the block computed (warp.h) */
    size_t static_shared;   /* bytes, with those that functions called by the kernel declare */
    int blocks_per_sm;      /* resident at a time */
    double ns;              /* modelled time, first start to last end */
    double start_ns, dram_ns, l2_ns, l1_ns, issue_ns, latency_ns, blocks_ns; /* the model's terms */
    double compute_ns;
    /* Of `ns`: what would be saved by doing everything in float; without divisions of integers */
    double doubles_cost_ns, divisions_cost_ns;
};

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
