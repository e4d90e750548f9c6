/*
 * engine.h: running a kernel on the simulated GPU. The engine runs every CUDA thread of a grid on
 * the CPU's cores, sees each access to memory through the compiler's callbacks (access.c), puts
 * the lanes of a warp back together (warp.c), and returns what the kernel did and how long the
 * GPU of the profile would have taken.
 */
#ifndef WARPUP_ENGINE_H
#define WARPUP_ENGINE_H

#include "sim/engine/arithmetic.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where the running CUDA thread is; the built-in variables read it. One per OS thread. */
struct warpup_lane {
    uint32_t thread[3], block[3];           /* threadIdx, blockIdx */
    uint32_t block_shape[3], grid_shape[3]; /* blockDim, gridDim */
};
extern _Thread_local struct warpup_lane warpup_lane;

struct kernel_launch {
    uint64_t id;      /* of its launch record */
    const char *name; /* as the student would write it */
    uint32_t grid[3], block[3];
    const void *kernel;             /* its function in the device image; NULL when not known */
    size_t static_shared;           /* bytes that the kernel declares */
    size_t dynamic_shared;          /* bytes that it was launched with */
    void (*thread)(void *argument); /* runs one CUDA thread to its end */
    void *argument;
};

/* Sectors are 32 bytes; `ideal` is the fewest sectors that as many lanes of that size fit in. */
struct access_counts {
    uint64_t requests, sectors, ideal, bytes, lanes;
    uint64_t wavefronts; /* of shared memory; ideal is then the fewest that the lanes need */
};

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

/* The place where the kernel of a launch begins, found by starting it; 0 when it has none. Only
 * `thread` and `argument` of the launch are looked at. */
uintptr_t engine_entry(const struct kernel_launch *launch);

/* Runs a kernel whose launch was found valid. Device memory must be open. Writes the `access` and
 * `fault` records of this kernel; the caller writes `launch` before and `kernel` after. */
void engine_run(const struct kernel_launch *launch, struct kernel_outcome *outcome);

/* True when the calling OS thread is running a CUDA thread just now. */
bool engine_in_kernel(void);

enum access_kind {
    ACCESS_LOAD,
    ACCESS_STORE,
    ACCESS_ATOMIC,
    ACCESS_COPY,    /* an asynchronous copy to shared memory begins, or has arrived */
    ACCESS_EXCHANGE /* an atomic that stores the same whatever was there */
};

static inline bool access_is_atomic(enum access_kind kind)
{
    return kind == ACCESS_ATOMIC || kind == ACCESS_EXCHANGE;
}

/* Does what the access leaves there depend on what it found? */
static inline bool access_reads(enum access_kind kind)
{
    return kind != ACCESS_STORE && kind != ACCESS_EXCHANGE;
}

/* Notes an access of the running CUDA thread that the compiler does not announce (atomics, copies
 * inside the runtime). `pc` is the return address in the kernel. May not return: an illegal
 * address ends the kernel. */
void engine_access(const void *address, size_t bytes, enum access_kind kind, uintptr_t pc);

/* Notes that an asynchronous copy of the running CUDA thread to shared memory begins, or that the
 * thread has waited for it. */
void engine_copy(const void *shared, size_t bytes, bool arrived, uintptr_t pc);

/* Ends the running kernel with this error code; the fault was told before. */
_Noreturn void engine_abort(int error);

/* Where __constant__ variables lie. */
void engine_constants(const void *low, const void *high);

/* Tells a fault of the running CUDA thread, or of host code when none runs. `address` may be NULL,
 * `detail` is a sentence or NULL. Faults of one name at one place are gathered into one record. */
void engine_fault(const char *name, uintptr_t pc, const void *address, size_t bytes,
                  const char *kind, const char *detail);

/* Writes the gathered faults of the host; called once at the end of the program. */
void engine_report(void);

#endif
