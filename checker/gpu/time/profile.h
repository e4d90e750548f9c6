/*
 * profile.h: the figures of the GPU that is simulated. One file of profiles/ is one GPU, with one
 * row per figure: name, value, unit and source. The names below are the names in the file.
 */
#ifndef WARPUP_PROFILE_H
#define WARPUP_PROFILE_H

#include <stddef.h>

/* All are doubles. profile.c reads their names from here. */
#define PROFILE_FIGURES                                                                            \
    /* what cudaGetDeviceProperties returns */                                                     \
    double capability; /* 90 for 9.0 */                                                            \
    double sms, clock_ghz;                                                                         \
    double memory_gb, l2_mb, l1_kb; /* l1_kb: L1 and shared memory of one SM together */           \
    double threads_per_sm, blocks_per_sm, registers_per_sm;                                        \
    double shared_kb_per_sm, shared_kb_per_block;                                                  \
    double memory_bus_bits;                                                                        \
    /* for the time model; rates in GB/s, times in ns */                                           \
    double peak_gbs, copy_gbs, stream_gbs, l2_gbs; /* stream: the best a kernel reaches */         \
    double dram_latency_ns, l2_latency_ns, l1_latency_ns;                                          \
    double kernel_start_ns; /* from the start of an empty kernel to its end */                     \
    double block_start_ns;  /* between two block starts, whole GPU */                              \
    double flops_per_clock; /* of one SM, single precision */                                      \
    /* Operations of threads that one SM does per clock. Doubles: a fused multiply-add is one. */  \
    double doubles_per_clock;                                                                      \
    double tensor_flops_per_clock; /* of one SM's tensor cores, with TF32 numbers */               \
    double store_sector_clocks, store_line_clocks; /* of one SM, when all SMs store */             \
    double barrier_ns;                             /* until a warp goes on */                      \
    double block_overhead_ns; /* of a block that does nothing, until the next one starts in its    \
                                 place */                                                          \
    double tags_per_clock; /* lines that an L1 looks up for lanes whose words are in many banks */ \
    double shared_float_atomic_ns; /* a float in shared memory */                                  \
    /* Atomic operations on global memory: passes (memory/contention.c) per ns; and the time of    \
     * one on the same range as the one before, of integers */                                     \
    double atomic_sectors_per_ns, atomic_word_ns;                                                  \
    double sgemm_gflops, dgemm_gflops; /* cuBLAS's products of large matrices */                   \
    /* what host calls cost */                                                                     \
    double launch_us, sync_us, transfer_gbs, transfer_start_us;                                    \
    /* Copies of pinned memory: the rate, the rate of each direction while both are busy, and what \
     * each of many copies in a row costs more. */                                                 \
    double pinned_gbs, pinned_both_gbs, pinned_start_us;

struct profile {
    char name[64]; /* "NVIDIA H200" */
    PROFILE_FIGURES
};

/* NULL before profile_load(). */
extern const struct profile *profile_loaded;
const struct profile *profile_load(void);

/* The profile in use: WARPUP_PROFILE names a file of profiles/ ("h200") or gives a path; without
 * it, h200. Loaded on the first call. A missing or damaged profile ends the program with one line
 * on stderr that says which file and row, exit code 2. */
static inline const struct profile *profile(void)
{
    const struct profile *loaded = __atomic_load_n(&profile_loaded, __ATOMIC_ACQUIRE);
    return loaded != NULL ? loaded : profile_load();
}

/* Of each block, the system keeps some shared memory for itself. */
static inline double profile_shared_kb_reserved(void)
{
    return profile()->shared_kb_per_sm - profile()->shared_kb_per_block;
}

#endif
