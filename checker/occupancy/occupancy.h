/*
 * occupancy.h: how many blocks of a kernel one streaming multiprocessor (SM) holds at a time. The
 * simulator's time model, CUDA's occupancy calls and the judge all ask here. The rule is that of
 * the CUDA programming guide and of NVIDIA's occupancy calculator.
 */
#ifndef WARPUP_OCCUPANCY_H
#define WARPUP_OCCUPANCY_H

#include <stdbool.h>

/* The limits of an SM. */
struct occupancy_sm {
    double capability; /* 90 for 9.0 */
    double threads, blocks;
    double shared_kb, reserved_kb; /* reserved: of each block, by the runtime */
};

/* The SM of a compute capability. False if the table does not have it. */
bool occupancy_sm(double capability, struct occupancy_sm *sm);

struct occupancy {
    double value; /* resident threads / most possible; NAN if it is not known */
    double blocks_per_sm;
    const char *limited_by; /* the resource that allows no more blocks: "threads", "registers",
                               "shared memory", "blocks" */
};

/* The occupancy of blocks with this many threads, registers per thread (0: not known, no limit) and
 * bytes of shared memory. */
struct occupancy occupancy_on(const struct occupancy_sm *sm, double threads, double registers,
                              double shared);

#endif
