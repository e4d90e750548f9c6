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

#endif
