/*
 * accesses.h: means over the accesses of the timed kernels. They do not count all accesses, but the
 * worst requests of each place of the source first, until these have moved the problem's bytes.
 * Useless accesses elsewhere, however good, therefore do not improve a mean.
 */
#ifndef WARPUP_ACCESSES_H
#define WARPUP_ACCESSES_H

#include "judge/measure/counts.h"

/* A mean is number / by. */
struct mean {
    double number, by;
};

/* The quantity that a mean over accesses is of */
enum access_mean {
    ACCESS_SECTORS,      /* sectors moved / fewest possible: loads, stores and atomics */
    ACCESS_LOAD_SECTORS, /* the same, loads alone */
    ACCESS_BYTES,        /* bytes per thread and access to global memory */
    ACCESS_LANES,        /* active lanes, to global and to shared memory */
};

/* The sectors, or wavefronts, that an access record needs. A lane alone needs a part of a sector.
 */
double access_needed(const struct record *access);

struct mean accesses_mean(const struct check *check, const struct run *run,
                          const struct counts *counts, enum access_mean mean);

#endif
