/*
 * repeats.h: how many times over kernels make the whole result. Programs launch the same kernels
 * again and again to measure a mean: a round is as many of them as repeat, if each round alone
 * loads about all of the inputs and writes as many bytes as the result has. Only the simulated GPU
 * counts these.
 */
#ifndef WARPUP_REPEATS_H
#define WARPUP_REPEATS_H

#include "judge/read/runs.h"

struct repeats {
    size_t count;   /* 0 when all kernels together are not known to make the whole result */
    size_t kernels; /* of one round */
};

/* Of the kernels whose records lie in [from, to). */
struct repeats repeats_of(const struct check *check, const struct run *run,
                          const struct record *from, const struct record *to);

/* The bytes that a run's inputs have. */
double repeats_inputs(const struct run *run);

/* True when so many are about all of them: a part may come from constant memory or with a launch.
 */
bool repeats_load(const struct run *run, double bytes);

/* True when a kernel, or several that wrote so many bytes, may have made the whole result. */
bool repeats_write(const struct run *run, double bytes);

/* The bytes that a kernel wrote, with atomics too. */
double repeats_written(const struct record *kernel);

#endif
