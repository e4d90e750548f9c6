/*
 * tally.h: what a launch did, counted: per access instruction, per opcode, and in all. Sums of
 * integers, so that the order of blocks does not matter. time/ models the kernel's time from it,
 * and the server writes the trace's `kernel`, `access` and `sample` records.
 */
#ifndef WARPUP_TALLY_H
#define WARPUP_TALLY_H

#include "gpu/ptx/ptx.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sectors are 32 bytes; `ideal` is the fewest sectors that hold as many lanes' bytes, and at most
 * `sectors`. Of shared memory: wavefronts instead of sectors. */
struct access_counts {
    uint64_t requests, sectors, ideal, bytes, lanes;
    uint64_t wavefronts;
};

enum access_class { CLASS_LOAD, CLASS_STORE, CLASS_ATOMIC, ACCESS_CLASSES };

/* One access instruction (ptx_instruction.access). A generic one may be both global and shared. */
struct access_site {
    struct access_counts global, shared;
    struct access_counts
        poor; /* global requests that move more than twice the bytes of their lanes */
    uint32_t worst_lanes, worst_sectors; /* the global request with most sectors per lane */
    uint32_t worst_shared_lanes, worst_wavefronts;
};

/* Arithmetic per source line, as trace/README.md defines its counts: by lane. */
enum arithmetic_kind {
    FLOAT_OPERATIONS, /* additions and products; an fma is two */
    DOUBLE_OPERATIONS,
    FLOAT_DIVISIONS, /* roots too */
    DOUBLE_DIVISIONS,
    CONVERSIONS, /* from or to double */
    DIVISIONS,   /* of integers of at most 32 bits */
    DIVISIONS_64,
    ARITHMETIC_KINDS
};

enum { L1_PARTS = 64, BLOCKS_NOTED = 1 << 14 };

struct tally {
    const struct ptx_module *module;
    struct access_site *sites; /* module->access_count of them */
    uint64_t *executed;        /* per instruction of every function that ran: warp executions; see
                                  tally_executed() */
    uint64_t *executed_lanes;
    uint32_t
        *block_work; /* of the first BLOCKS_NOTED blocks: PTX instructions of all their warps */
    /* Sums: what one worker counted is added to what others did (tally.c). */
    struct access_counts global[ACCESS_CLASSES], shared[ACCESS_CLASSES];
    uint64_t warp_instructions; /* PTX instructions that warps executed */
    uint64_t dram_bursts;       /* bytes: traffic.h */
    uint64_t l2_lines;          /* of 128 bytes, of which loads ask the L2 for something */
    uint64_t l2_bytes, dram_bytes, dram_store_bytes, moved_bytes, bus_bytes;
    uint64_t store_lines, store_sectors; /* of global stores that do not join the one before */
    uint64_t l1_clocks;                  /* that an L1 needs for global requests, times L1_PARTS */
    uint64_t threads; /* that used global memory, and gave something to memory or to other lanes */
    uint64_t thread_bytes;                        /* of global memory: of all threads */
    uint64_t overlap_bytes;                       /* trace/README.md */
    uint64_t barriers, exchanges;                 /* of warps */
    uint64_t atomic_passes, shared_atomic_rounds; /* contention.c */
    uint64_t added_in_row; /* floats, to one word of shared memory: the most of each block */
    uint64_t local_loads, local_stores, local_store_lines; /* sectors; lines */
    uint64_t tensor_flops;
    uint64_t stall_ns; /* of all warps, summed */
    uint64_t warps, blocks;
    uint64_t constant_passes; /* words of constant memory that loads want beyond their first one */
    /* Counters whose greatest value counts, not their sum. */
    uint64_t busiest_bytes;    /* of global memory: of the busiest thread */
    uint64_t hottest_range;    /* passes on the range of global memory that got most of them */
    uint64_t hottest_word;     /* of those that add floats, on one word */
    uint64_t handoff_ns;       /* of warps that waited for others: until the last of them is done */
    uint64_t critical_path_ns; /* of one warp: the modelled latency of its own dependent accesses */
    uint64_t longest_warp;     /* PTX instructions of the warp that executed most */
    /* Neither. */
    uint32_t blocks_per_sm;
    uint64_t lost_location; /* where a lane took a value from a lane that had ended or did not come;
                            0: nowhere */
    bool narrow_stores;
    void *samples; /* sample.h */
};

static inline void tally_add_counts(struct access_counts *sum, const struct access_counts *more)
{
    sum->requests += more->requests;
    sum->sectors += more->sectors;
    sum->ideal += more->ideal;
    sum->bytes += more->bytes;
    sum->lanes += more->lanes;
    sum->wavefronts += more->wavefronts;
}

/* The request with more per lane; of two that are as bad, the one with more lanes, whoever met it
 * first. */
static inline void tally_take_worse(uint32_t *lanes, uint32_t *used, uint32_t other_lanes,
                                    uint32_t other_used)
{
    uint64_t mine = (uint64_t)*used * other_lanes, other = (uint64_t)other_used * *lanes;
    if (other_lanes == 0 ||
        (*lanes != 0 && (other < mine || (other == mine && other_lanes <= *lanes))))
        return;
    *lanes = other_lanes;
    *used = other_used;
}

/* Makes an empty tally for launches of a module. Adds another one. */
void tally_begin(struct tally *tally, const struct ptx_module *module);
void tally_add(struct tally *tally, const struct tally *more);
void tally_free(struct tally *tally);

#endif
