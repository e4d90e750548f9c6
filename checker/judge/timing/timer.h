/* timer.h: compares the time that a program prints for part B with what the devices saw. */
#ifndef WARPUP_TIMER_H
#define WARPUP_TIMER_H

#include "judge/timing/clock_reads.h"

struct timer {
    const struct run *run;  /* the timed run with the smallest ratio; NULL when none is known */
    const char *why;        /* when run is NULL */
    double printed, kernel; /* seconds: the printed time, and the time of its kernels */
    double ran; /* the kernels' time until the timer stopped; more than all if it stopped later */
    struct timed_range range; /* what the printed time is, on the simulated GPU */
    bool refuted; /* no readings give it, or only readings that do not enclose the work */
    struct timed_range over; /* the same; on a real GPU that of its own events, if these give it */
};

/* Sets the timed kernels of all runs, after their results were judged, and finds the facts. */
struct timer timer_find(struct check *check);

/* How much the printed time exceeds the allowed time, in kernel times; 0 when it does not. The
 * allowed time is the kernel's time and a tenth of it. Starting and waiting may add 1 ms or the
 * time that these calls took, but not if the timer includes copies or allocations. */
double timer_excess(const struct timer *timer);

/* True when nothing in the timer explains the excess: other programs may have caused it. */
bool timer_excess_unexplained(const struct timer *timer);

/* The same on a real GPU, where the simulated GPU saw the whole work in the timer, and no excess.
 */
bool timer_disturbed(const struct check *check, const struct timer *timer);

/* For the CPU line: true when its time is shorter than any CPU needs; or when no clock was read for
 * it, or only in a shorter time than the printed one. */
bool timer_cpu_too_fast(const struct run *run);
bool timer_cpu_unread(const struct run *run);

/* True for a kernel that is one of the timed ones. */
static inline bool timer_times(const struct run *run, const struct record *kernel)
{
    return kernel->start >= run->timed.start && kernel->start <= run->timed.last_start;
}

/* The last launch of the timed kernels or, if none ran, of all kernels; NULL when there is none. */
const struct record *timer_launch(const struct run *run);

#endif
