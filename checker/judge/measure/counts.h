/*
 * counts.h: sums over the timed kernels of a run, and how many of its blocks an SM holds. The sums
 * come from the simulated GPU's trace.
 */
#ifndef WARPUP_COUNTS_H
#define WARPUP_COUNTS_H

#include "judge/read/runs.h"
#include "occupancy/occupancy.h"

struct counts {
    uint64_t first, last; /* the first and the last launch of a timed kernel; all launches between
                             them are timed too */
    size_t kernels, library_kernels;
    const char *library; /* the library call that ran a kernel; NULL when there is none */
    double threads;      /* threads that share the work, in the kernel that had the most */
    double blocks;       /* of the widest launch */
    double block_shared; /* bytes of shared memory per block, in the kernel that has the most */
    struct traffic load, store;
    double loaded_bytes;  /* those of `load`, and what atomics read */
    double library_bytes; /* bytes that library calls read and write */
    double dram_bytes, overlap_bytes;
    double tensor_flops; /* of tensor cores */
    double moved_bytes;  /* bytes of managed memory that moved to the GPU */
    const char *kind;    /* what limits the longest kernel, by the model; NULL for a library's */
    double start_ns;     /* the part of the kernels' time that starting them takes, by the model */
    double busy_ns;      /* of the rest, what counts if the launches did not fill the GPU */
    double library_busy_ns; /* the part of it that is the library's */
    double kernel_ns; /* summed; and the parts of it that these operations cost, by the model: */
    double doubles_cost_ns, divisions_cost_ns;
    double shared_wavefronts, shared_ideal, shared_requests;
    double shared_load_bytes; /* bytes that lanes asked for */
};

/* Adds up a run's timed kernels. */
struct counts counts_of(const struct run *run);

/* True when a launch is one of them. */
static inline bool counts_hold(const struct counts *counts, uint64_t launch)
{
    return launch >= counts->first && launch <= counts->last;
}

/* The occupancy of the longest timed kernel. It comes from the real GPU's run if there is one,
 * because that knows registers; else from the simulated GPU's. */
struct occupancy occupancy_of(const struct check *check);

#endif
