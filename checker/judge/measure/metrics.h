/*
 * metrics.h: the figures that a ladder's criteria test. README.md lists them. The simulated GPU
 * counts how a program uses the GPU, even if there is a real one. The time comes from the real GPU
 * if there is one, else from the model.
 */
#ifndef WARPUP_METRICS_H
#define WARPUP_METRICS_H

#include "judge/measure/band.h"
#include "judge/measure/counts.h"
#include "judge/measure/end_to_end_faults.h"
#include "judge/result/result.h"
#include "judge/read/runs.h"
#include "judge/timing/timer.h"

#include <math.h>

struct measure {
    double value;     /* NAN when it could not be measured */
    const char *seen; /* in words; the reason when it could not be measured */
};

/* The outcome of a test. Undecided: some of the values in the measure's band meet it. */
enum passed { PASSED_UNKNOWN, PASSED_YES, PASSED_NO, PASSED_UNDECIDED };

enum measure_name {
    /* how the runs ended */
    MEASURE_COMPILES,
    MEASURE_RUNS,
    MEASURE_KERNELS,
    MEASURE_RIGHT,
    MEASURE_REFUSES,
    MEASURE_MAY_REFUSE,
    MEASURE_LARGER,
    MEASURE_FAULTS,
    MEASURE_TIMER,
    MEASURE_TIMER_EXCESS,
    MEASURE_SHARE,
    MEASURE_SHARE_SECOND_SHAPE,
    MEASURE_END_TO_END,
    MEASURE_COPY_OVERLAP,
    MEASURE_BUS_SHARE,
    /* how the GPU is used */
    MEASURE_LIBRARY,
    MEASURE_BLOCK_MISMATCH,
    MEASURE_THREADS,
    MEASURE_THREADS_PER_ITEM,
    MEASURE_BLOCKS,
    MEASURE_OCCUPANCY,
    MEASURE_SECTORS,
    MEASURE_LOAD_SECTORS,
    MEASURE_BYTES_PER_ACCESS,
    MEASURE_ACTIVE_LANES,
    MEASURE_INTENSITY,
    MEASURE_DRAM_INTENSITY,
    MEASURE_SHARED_BYTES,
    MEASURE_SHARED_INTENSITY,
    MEASURE_WAVEFRONTS,
    MEASURE_OVERLAP,
    MEASURE_TENSOR,
    MEASURE_COUNT
};

struct measures {
    struct measure list[MEASURE_COUNT];
    struct band bands[MEASURE_COUNT]; /* of those that are modelled */
    struct rate rate, limit;          /* value NAN when not known */
    double share;
    bool extrapolated; /* the share comes from a small modelled run */
    struct timer timer;
    bool too_fast; /* on a real GPU the timed kernels are far faster than the limit */
    bool refuted;  /* the result is right, but the printed time is not the time of the work */
    struct counts counts; /* from the run that provides the simulated GPU's counts */
    struct occupancy occupancy;
    struct {
        const struct run *counted; /* NULL if the simulated GPU did not run it */
        struct counts counts;
    } second_shape; /* what is needed of the timed size of the second shape (second_shape.h) */
    struct end_to_end job; /* of the counted run */
    struct end_to_end_fault job_fault;
};

/* Takes the measures of how the runs ended. `results` has one entry per run; `faults` is the number
 * of different faults that were found, `fault_names` lists them. */
void measure_all(struct measures *measures, const struct check *check, const struct result *results,
                 size_t faults, const char *fault_names, bool in_flops);

/* The measure's index by its name in ladder.tsv, -1 when there is none of that name. */
int measure_find(const char *name);

/* Does a measure meet a test (=, >=, <=) against a value? If a library ran all timed kernels, every
 * test of how the GPU is used is met: students cannot change a library. */
enum passed measure_passes(const struct measures *measures, int name, const char *test,
                           double value);

/* The words for what a test needs: "at least 256 threads". */
const char *measure_needed(struct arena *arena, int name, const char *test, double value);

/* A measure, with what was seen in words. */
struct measure measure_of(const struct check *check, double value, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A measure that could not be taken, with the reason. */
static inline struct measure measure_unknown(const char *why)
{
    return (struct measure){NAN, why};
}

#endif
