/* timer.h: the time that a program prints for part B, against what the devices saw. */
#ifndef WARPUP_TIMER_H
#define WARPUP_TIMER_H

#include "judge/timing/clock_reads.h"

struct timer {
    const struct run *run;      /* the timed run with the smallest ratio; NULL when none is known */
    const char *why;            /* when run is NULL */
    double printed, kernel;     /* seconds: as printed, and of its kernels */
    double ran;                 /* the kernels' time until the timer stopped; all of it, or more */
    struct timed_range range;   /* what the printed time is, on the simulated GPU */
    bool refuted;               /* no readings give it, or others than those around the work */
    const struct run *over_run; /* the run of `over`: on a real GPU two events can tell, too */
    struct timed_range over;
    const struct record *copy;  /* the first copy between host and GPU in it */
    const struct record *alloc; /* the first allocation in it */
    double copies;              /* the time of all such copies, seconds */
    double calls; /* a real GPU: how long launching held the program up before the first kernel ran,
                     and waiting after the last one had ended, seconds */
    double rates; /* the time that P or B means / the printed one; 1 unless one is wrong */
    double all;   /* seconds from the program's start to its end */
};

/* Sets the timed kernels of all runs, once their results were judged, and finds the facts. */
struct timer timer_find(struct check *check);

/* By how much the printed time exceeds what is allowed, in kernel times, 0 when it does not.
 * Allowed are the kernel's time, a tenth of it, and for starting and waiting 1 ms, or what these
 * calls took; a timer that runs over copies does not get these. */
double timer_excess(const struct timer *timer);

/* The CPU line: true when its time is shorter than any CPU needs; when no clock was read for it. */
bool timer_cpu_too_fast(const struct run *run);
bool timer_cpu_unread(const struct run *run);

/* The time by which a line of results is read first; NAN when no figure says. */
double timer_printed(const struct figures *figures, const struct oracle_problem *problem);

/* True for a kernel that is one of the timed ones. */
static inline bool timer_times(const struct run *run, const struct record *kernel)
{
    return kernel->start >= run->timed.start && kernel->start <= run->timed.last_start;
}

/* The time of a run's timed kernels without the pauses, ns; 0 when none ran. */
double timer_kernel_ns(const struct run *run);

/* The last launch of the timed kernels, or, where none ran, of all; NULL when there is none. */
const struct record *timer_launch(const struct run *run);

#endif
