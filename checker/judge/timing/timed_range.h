/*
 * timed_range.h: what a program's watch ran over. Its two ends are a pair of events whose time is
 * the printed one, on either device; else, on the simulated GPU alone, the last reading of a clock
 * before the first timed launch and the first one after the last timed launch.
 */
#ifndef WARPUP_TIMED_RANGE_H
#define WARPUP_TIMED_RANGE_H

#include "judge/read/runs.h"

struct timed_range {
    const struct record *from, *to; /* NULL when the ends are not known */
    double seconds;                 /* between them */
    double unit; /* printed time / seconds: 1, or 1000 where milliseconds pass for seconds */
};

/* Finds the ends, given the time that the run printed, when its first timed kernel started and the
 * last timed launch (NULL when there is none). */
struct timed_range timed_range_find(const struct run *run, double printed, double start_ns,
                                    const struct record *launch);

/* The first copy between host and GPU inside an interval, and the seconds of all of them; NULL when
 * there is none. */
const struct record *timed_range_copies(const struct run *run, const struct timed_range *interval,
                                        double *seconds);

#endif
