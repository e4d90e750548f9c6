/* timer_metrics.h: the measures of the times that a program prints for part B and for part A. */
#ifndef WARPUP_TIMER_METRICS_H
#define WARPUP_TIMER_METRICS_H

#include "judge/measure/metrics.h"

/* The printed time, or the kernels' time until the timer stopped, in kernel times: the smaller. */
struct measure measure_timer(const struct check *check, const struct measures *measures);

/* How much the printed time exceeds the allowed time, in kernel times; 0 when it does not. The
 * allowed time is the kernel's time and a tenth of it. Starting and waiting may add 1 ms or the
 * time that these calls took, but not if the timer includes copies or allocations. It is not known
 * on a real GPU, if the simulated GPU saw the whole work in the timer, and no excess. */
struct measure measure_timer_excess(const struct check *check, const struct timer *timer);

/* True when no readings give the printed time of a right program, or only readings that do not
 * enclose the work. */
bool timer_is_refuted(const struct timed_range *range);

/* For the CPU line: true when its time is shorter than any CPU needs; or when no clock was read for
 * it, or only in a shorter time than the printed one. */
bool timer_cpu_too_fast(const struct run *run);
bool timer_cpu_unread(const struct run *run);

#endif
