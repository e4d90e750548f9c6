/*
 * measure.h: the figures that a ladder's criteria test. README.md lists them. How a program uses
 * the GPU is counted by the simulated GPU even where there is a real one; its time is the real
 * one's where there is one, else modelled.
 */
#ifndef WARPUP_MEASURE_H
#define WARPUP_MEASURE_H

#include "result.h"
#include "runs.h"
#include "watch.h"

struct measure {
    double value;     /* NAN when it could not be measured */
    const char *seen; /* in words; when it could not be measured, why */
};

enum measure_name {
    MEASURE_COMPILES,
    MEASURE_RUNS,
    MEASURE_KERNELS,
    MEASURE_RIGHT,
    MEASURE_FAULTS,
    MEASURE_WATCH,
    MEASURE_WATCH_EXCESS,
    MEASURE_THREADS,
    MEASURE_SECTORS,
    MEASURE_BLOCKS,
    MEASURE_LANE_BYTES,
    MEASURE_SHARE,
    MEASURE_COUNT
};

struct measures {
    struct measure list[MEASURE_COUNT];
    struct rate rate, limit; /* value NAN when not known */
    double share;
    struct watch watch;
};

/* Takes all measures. `results` has one entry a run; `faults` is how many different faults were
 * found, `fault_names` which. */
void measure_all(struct measures *measures, const struct check *check, const struct result *results,
                 size_t faults, const char *fault_names, bool in_flops);

/* The measure's index by its name in ladder.tsv, -1 when there is none of that name. */
int measure_find(const char *name);

/* What a test asks for, in words: "at least 256 threads". */
const char *measure_needed(struct arena *arena, const char *name, const char *test, double value);

#endif
