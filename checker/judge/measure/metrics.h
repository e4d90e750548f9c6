/*
 * metrics.h: the figures that a ladder's criteria test. README.md lists them. The simulated GPU
 * counts how a program uses the GPU, even if there is a real one. The time comes from the real GPU
 * if there is one, else from the model.
 */
#ifndef WARPUP_METRICS_H
#define WARPUP_METRICS_H

#include "judge/measure/counts.h"
#include "judge/measure/job_faults.h"
#include "judge/result/result.h"
#include "judge/read/runs.h"
#include "judge/timing/timer.h"

#include <math.h>

struct measure {
    double value;     /* NAN when it could not be measured */
    const char *seen; /* in words; the reason when it could not be measured */
};

enum measure_name {
    /* how the runs ended */
    MEASURE_COMPILES,
    MEASURE_RUNS,
    MEASURE_KERNELS,
    MEASURE_RIGHT,
    MEASURE_REFUSES,
    MEASURE_MAY_REFUSE,
    MEASURE_FAULTS,
    MEASURE_TIMER,
    MEASURE_TIMER_EXCESS,
    MEASURE_SHARE,
    MEASURE_OTHER_SHARE,
    MEASURE_JOB,
    MEASURE_JOB_OVERLAP,
    MEASURE_JOB_SHARE,
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
    struct rate rate, limit; /* value NAN when not known */
    double share;
    bool extrapolated; /* the share comes from a small modelled run, and is only exact within
                          MODEL_ERROR */
    struct timer timer;
    bool too_fast; /* on a real GPU the timed kernels are far faster than the limit */
    bool refuted;  /* the result is right, but the printed time is not the time of the work */
    struct counts counts; /* from the run that provides the simulated GPU's counts */
    struct occupancy occupancy;
    struct {
        const struct run *counted; /* NULL if the simulated GPU did not run it */
        struct counts counts;
        bool extrapolated;
    } other;        /* what is needed of the other timed size (other_size.h) */
    struct job job; /* of the counted run */
    struct job_fault job_fault;
};

/* Modelled rates are within this factor of the measured ones: solutions/measured/model.md. */
#define MODEL_ERROR 2.0

/* Takes the measures of how the runs ended. `results` has one entry per run; `faults` is the number
 * of different faults that were found, `fault_names` lists them. */
void measure_all(struct measures *measures, const struct check *check, const struct result *results,
                 size_t faults, const char *fault_names, bool in_flops);

/* The measure's index by its name in ladder.tsv, -1 when there is none of that name. */
int measure_find(const char *name);

/* True when a measure meets a test (=, >=, <=) against a value. If a library ran all timed kernels,
 * every test of how the GPU is used is met: students cannot change a library. An extrapolated share
 * fails only where the model's error cannot explain it. */
bool measure_holds(const struct measures *measures, int name, const char *test, double value);

/* What was seen, in words. Where only the model's error lets a share pass, this says how much is
 * needed here. */
const char *measure_seen(struct arena *arena, const struct measures *measures, int name,
                         double value);

/* What a test asks for here, in words: "at least 256 threads". */
const char *measure_needed(struct arena *arena, const struct measures *measures, int name,
                           const char *test, double value);

/* A measure, with what was seen in words. */
struct measure measure_of(const struct check *check, double value, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A measure that could not be taken, with the reason. */
static inline struct measure measure_unknown(const char *why)
{
    return (struct measure){NAN, why};
}

#endif
