/*
 * model.h: how long the GPU of the profile would have taken, by a roofline with latency. For each
 * resource the model computes a time as if only this resource mattered. The longest time dominates,
 * and others that are nearly as long add to it.
 */
#ifndef WARPUP_MODEL_H
#define WARPUP_MODEL_H

#include "sim/engine/arithmetic.h"
#include "sim/engine/balance.h"
#include "sim/engine/instructions.h"
#include "sim/requests/warp.h"

struct kernel_outcome {
    int error; /* cudaSuccess, or what ended the kernel: 700 illegal address, 710 assert, 716
                  misaligned */
    struct access_counts load, store, atomic; /* global memory */
    struct arithmetic arithmetic;
    bool narrow_stores;    /* of fewer than 4 bytes, to global memory: they leave no tag (race.h) */
    uint64_t threads;      /* that touched global memory */
    uint64_t even_threads; /* as many would do if each moved as many bytes as the busiest one */
    uint64_t dram_bytes;
    uint64_t moved_bytes, bus_bytes; /* of them: moved from the host; over the bus (memory.h) */
    bool repeats;                    /* taken over from the launch before (repeat.h) */
    uint64_t overlap_bytes; /* in flight to shared memory while the block computed (warp.h) */
    uint64_t tensor_flops;  /* products and sums that the tensor cores made */
    size_t static_shared;   /* bytes, with those that functions called by the kernel declare */
    int blocks_per_sm;      /* resident at a time */
    double ns;              /* modelled time, from first start to last end */
    double start_ns, dram_ns, l2_ns, l1_ns, issue_ns, latency_ns, blocks_ns; /* the model's terms */
    double compute_ns, bus_ns, atomics_ns, hot_ns, stores_ns, barriers_ns;
    /* Of `ns`: what would be saved by doing everything in float; without divisions of integers */
    double doubles_cost_ns, divisions_cost_ns;
};

/* What the model needs to know of a launch. */
struct work {
    uint64_t blocks, threads_per_block, shared_per_block;
    const struct tally *tally;          /* of all blocks */
    const struct block_work *per_block; /* of each; NULL: not known */
    uint64_t memory_bytes;              /* that the program has allocated */
    bool in_l2;                         /* all of it fits there */
    double overlap; /* share of the loaded bytes that overlap with computing (warp.h) */
    struct instructions instructions;
};

/* Blocks of this shape that one SM holds at a time. Registers are not known, and limit nothing. */
int model_blocks_per_sm(uint64_t threads_per_block, uint64_t shared_per_block);

/* Sets the outcome's blocks_per_sm, its ns and the terms of that, and what arithmetic costs. The
 * outcome's arithmetic and bytes are known. */
void model_time(const struct work *work, struct kernel_outcome *outcome);

#endif
