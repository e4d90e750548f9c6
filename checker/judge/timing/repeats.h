/* repeats.h: what kernels do in a range of time, and how often they compute the result. */
#ifndef WARPUP_REPEATS_H
#define WARPUP_REPEATS_H

#include "judge/read/runs.h"

/* The kernels that run in a range of time. Only the simulated GPU counts their bytes. */
struct work {
    size_t kernels;
    double loaded;  /* bytes */
    bool whole;     /* they load all of the inputs */
    bool made;      /* one of them is like a kernel that wrote the result, if that is known */
    size_t repeats; /* how many times they make the whole result; 0 when they do not */
    size_t length;  /* kernels per repeat */
    const struct record *late; /* the first kernel that ends after the range; NULL when none does */
};

/* True when a kernel belongs to a range: it was launched between two clock readings, or it started
 * between two events. Other host threads and other streams count as well. */
bool work_holds(const struct run *run, const struct record *kernel, const struct record *from,
                const struct record *to);

struct work work_between(const struct check *check, const struct run *run,
                         const struct record *from, const struct record *to);

/* The bytes that a kernel wrote, including atomics. */
double work_written(const struct record *kernel);

/* The size of a run's inputs in bytes. */
double work_inputs(const struct run *run);

#endif
