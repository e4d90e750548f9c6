/* timer.h: compares the time that a program prints for part B with what the devices saw. */
#ifndef WARPUP_TIMER_H
#define WARPUP_TIMER_H

#include "judge/timing/clock_reads.h"

struct timer {
    const struct run *run;    /* the timed run with the smallest ratio; NULL when none is known */
    const char *why;          /* when run is NULL */
    double printed, kernel;   /* seconds: the printed time, and the time of its kernels */
    struct timed_range range; /* what the printed time is, on the simulated GPU */
    struct timed_range over;  /* the same; on a real GPU that of its own events, if these give it */
};

/* Sets the timed kernels of all runs, after their results were judged, and finds the facts. */
struct timer timer_find(struct check *check);

/* True for a kernel that is one of the timed ones. */
static inline bool timer_times(const struct run *run, const struct record *kernel)
{
    return kernel->start >= run->timed.start && kernel->start <= run->timed.last_start;
}

/* The last launch of the timed kernels or, if none ran, of all kernels; NULL when there is none. */
const struct record *timer_launch(const struct run *run);

#endif
