/* repeats.h: what kernels do in a range of time, and how often they make the result. */
#ifndef WARPUP_REPEATS_H
#define WARPUP_REPEATS_H

#include "judge/read/runs.h"

/* The kernels that run in a range of time. Only the simulated GPU counts their bytes. */
struct work {
    size_t kernels;
    double loaded;             /* bytes */
    bool whole;                /* they load all of the inputs */
    bool made;                 /* one of them is like one that wrote the result, if that is known */
    size_t repeats;            /* so many times over; 0 when they do not make the whole result */
    size_t length;             /* kernels of one repeat */
    const struct record *late; /* the first one that ends after the range; NULL when none does */
};

/* True for a kernel that belongs to a range: between two readings of a clock it was launched,
 * between two events it started. Other host threads and other streams count as well. */
bool work_holds(const struct run *run, const struct record *kernel, const struct record *from,
                const struct record *to);

struct work work_between(const struct check *check, const struct run *run,
                         const struct record *from, const struct record *to);

/* The bytes that a kernel wrote, with atomics too. */
double work_written(const struct record *kernel);

/* The bytes that a run's inputs have. */
double work_inputs(const struct run *run);

#endif
