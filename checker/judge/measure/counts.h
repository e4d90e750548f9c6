/*
 * counts.h: what the timed kernels of a run did, added up, and how many of its blocks an SM
 * holds. The sums come from the simulated GPU's trace.
 */
#ifndef WARPUP_COUNTS_H
#define WARPUP_COUNTS_H

#include "judge/read/runs.h"
#include "occupancy/occupancy.h"

struct counts {
    uint64_t first, last; /* launches of timed kernels; those between are timed too */
    size_t kernels, library_kernels;
    const char *library; /* the call that ran a library's kernel; NULL when there is none */
    double threads;      /* that touched global memory, in the kernel that had the most */
    double blocks;       /* of the widest launch */
    double block_shared; /* bytes of shared memory that a block has, the most */
    struct traffic load, store;
    double library_bytes; /* that a library's calls read and write */
    double dram_bytes, overlap_bytes;
    double moved_bytes;     /* of managed memory, to the GPU */
    double start_ns;        /* of the kernels' time, starting them takes, by the model */
    double busy_ns;         /* the rest of it, times the share of the SMs that had a block */
    double library_busy_ns; /* of that, the library's */
    double kernel_ns;       /* summed, and what of it these cost by the model: */
    double doubles_cost_ns, divisions_cost_ns;
    double lane_bytes, lane_requests; /* sizes of loads and stores of global memory, summed */
    double lanes, requests;           /* of all accesses */
    double shared_wavefronts, shared_ideal, shared_requests;
    double shared_load_bytes; /* that lanes asked for */
};

/* Adds up a run's timed kernels. */
struct counts counts_of(const struct run *run);

/* True when a launch is one of them. */
static inline bool counts_hold(const struct counts *counts, uint64_t launch)
{
    return launch >= counts->first && launch <= counts->last;
}

/* The occupancy of the longest timed kernel: of the real GPU's run where there is one, which knows
 * registers, else of the simulated GPU's. */
struct occupancy occupancy_of(const struct check *check);

#endif
