/*
 * timer.h: the program's own watch against the trace: the time of part B by its printed figures,
 * and the time of its kernels, from the first one's start to the last one's end.
 *
 * Kernels before the watch (a first launch to warm up, or one that fills the arrays) are left out
 * when the simulated GPU saw them so: the kernels behind the last reading of a clock, event or copy
 * to the GPU between two kernels are the timed ones if they write as many bytes as the result has.
 * Left out are also those behind the last reading of all that write no part of the result: they
 * compare it. On the real GPU the same kernels are taken, counted from the last one back,
 * if it ran as many in all; a call of a library may be several kernels there, and each call is
 * taken to be as many. Where the simulated GPU did not run, all kernels are taken; when a part of
 * them, behind a wait, would fit the printed time and all do not, nothing is said.
 *
 * Where they make the whole result several times over (repeats.h), and the printed time is a mean,
 * the last round's kernels are the timed ones.
 *
 * Where they make the result in pieces, with copies between them, and the printed time is the sum
 * of the pieces' times, the time between two kernels in which there was a copy is not the kernels'.
 */
#ifndef WARPUP_TIMER_H
#define WARPUP_TIMER_H

#include "judge/timing/timed_range.h"
#include "judge/timing/repeats.h"
#include "judge/read/runs.h"

struct watch {
    const struct run *run;  /* the timed run with the smallest ratio; NULL when none can be told */
    double printed, kernel; /* seconds */
    double ran; /* how long the kernels had run when the simulated GPU saw the watch stop too early;
                   else the kernels' time, or more */
    struct timed_range over;   /* what it ran over, when that is known */
    const struct record *copy; /* the first copy between host and GPU in it; NULL when none */
    double copies;             /* the time of all of them, seconds */
    double calls;    /* a real GPU: how long the launch held the program up before the kernel ran,
                        and the wait for it after its end, seconds */
    double rates;    /* the time that P means / the time that B means: 1 unless one is wrong */
    const char *why; /* when run is NULL */
};

/* Sets the timed kernels of all runs, once their results were judged. */
void timer_find(struct check *check);

/* True for a kernel that is one of the timed ones. */
static inline bool timer_times(const struct run *run, const struct record *kernel)
{
    return kernel->start >= run->timed.start && kernel->start <= run->timed.last_start;
}

/* The time of a run's timed kernels without the pauses, ns; 0 when none ran. */
double timer_kernel_ns(const struct run *run);

/* How many times over the timed kernels make the whole result, as the simulated GPU has seen. */
struct repeats timer_rounds(const struct check *check, const struct run *run);

/* The last launch of the timed kernels, or, where none ran, of all; NULL when there is none. */
const struct record *timer_launch(const struct run *run);

/* What the watch of a run ran over; not known where it was stopped between the kernels. */
struct timed_range timer_interval(const struct run *run);

struct watch timer_read(const struct check *check);

/* By how much the printed time exceeds what is allowed, in kernel times, 0 when it does not.
 * Allowed are the kernel's time, a tenth of it, and for starting and waiting 1 ms, or what the
 * calls took where that is more (a first kernel that prints, or needs a larger stack, is made room
 * for); a watch that runs over copies does not get these. Where P and B mean different times, the
 * one is taken for the kernel's and the other for the printed one. */
double timer_excess(const struct watch *watch);

/* On the simulated GPU, the reading of a clock that ended the watch: the first one after the last
 * timed launch. NULL when the trace has none. */
const struct record *timer_stop(const struct run *run);

#endif
