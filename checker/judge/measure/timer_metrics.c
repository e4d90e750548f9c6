/* timer_metrics.c: see timer_metrics.h. */
#include "judge/measure/timer_metrics.h"
#include "judge/read/run_facts.h"
#include "judge/timing/thresholds.h"

#include <math.h>

/* True when a run prints no more than the time of its kernels, and of starting and waiting. */
static bool is_in_time(const struct run *run)
{
    return run->printed.b.time <= TIME_MOST * run->timed.ns * 1e-9 + START_AND_WAIT;
}

bool timer_is_refuted(const struct timed_range *range)
{
    if (range->measured != MEASURED_NOWHERE && range->measured != MEASURED_DIVIDED)
        return range->measured == MEASURED_OUTSIDE;
    double kernel = range->run->timed.ns * 1e-9;
    return kernel > 0 && range->run->printed.b.time >= TIME_LEAST * kernel &&
           is_in_time(range->run);
}

static const char *both_times(const struct check *check, const struct timer *timer)
{
    return arena_format(check->arena, "%.4g ms printed, the kernel took %.4g ms",
                        timer->printed * 1e3, timer->kernel * 1e3);
}

/* The part of the kernels that had run when the simulated GPU saw the timer stop. */
static double share_run(const struct timed_work *work)
{
    return fmax(work->stop->start - work->late->start, 0) / (work->late->end - work->late->start);
}

struct measure measure_timer(const struct check *check, const struct measures *measures)
{
    const struct timer *timer = &measures->timer;
    const struct timed_range *range = &timer->range;
    if (measures->too_fast)
        return (struct measure){0, "the timed kernels are much faster than this GPU's limit"};
    if (measures->refuted)
        return (struct measure){
            0, range->measured == MEASURED_OUTSIDE
                   ? "the work is not done between the clock readings that give this time"
                   : "no two clock readings differ by the printed time"};
    if (timer->run == NULL) return measure_unknown(timer->why);
    if (range->measured == MEASURED_EARLY && !range->work.awaited)
        return (struct measure){0, range->work.running == NULL
                                       ? "nothing waits for the kernel before the timer stops"
                                       : "nothing waits for one of the kernels before the timer "
                                         "stops"};
    double share = timer->printed / timer->kernel;
    if (range->measured == MEASURED_EARLY) share = fmin(share, share_run(&range->work));
    return (struct measure){share, both_times(check, timer)};
}

/* The seconds of CUDA's own calls around a real GPU's timed kernels: the launch of the first one
 * before it ran, and the wait for the last one after it had ended. */
static double calls_took(const struct run *run)
{
    const struct record *launch = trace_launch(&run->trace, run->timed.first);
    double start = run->timed.start, end = run->timed.end;
    if (run->device != DEVICE_REAL || launch == NULL) return 0;
    double took = fmax(fmin(launch->launch.returned, start) - launch->start, 0);
    const struct record *wait = trace_next(&run->trace, launch, EVENT_SYNC);
    while (wait != NULL && wait->end < end)
        wait = trace_next(&run->trace, wait + 1, EVENT_SYNC);
    return (took + (wait != NULL ? wait->end - fmax(wait->start, end) : 0)) * 1e-9;
}

static bool includes_more(const struct timer *timer)
{
    return timer->over.work.copy != NULL || timer->over.work.alloc != NULL;
}

static double excess_of(const struct timer *timer)
{
    double calls = includes_more(timer) ? 0 : fmax(START_AND_WAIT, calls_took(timer->run));
    double excess = (timer->printed - TIME_MOST * timer->kernel - calls) / timer->kernel;
    return fmax(fmax(excess, 0), fabs(timer->run->printed.b.rates - 1));
}

/* True on a real GPU when nothing in the timer explains the excess. The simulated GPU must have
 * seen the whole work in the timer, and no excess: its clock does not depend on other programs. */
static bool is_disturbed(const struct timer *timer)
{
    const struct timed_range *range = &timer->range;
    bool is_mean = range->divisor == (double)range->work.repeats;
    return timer->run->device == DEVICE_REAL && excess_of(timer) > 0 &&
           timer->run->printed.b.rates == 1 && timer->over.unit == 1 && !includes_more(timer) &&
           range->measured == MEASURED_WHOLE && (range->work.repeats <= 1 || is_mean) &&
           run_timed_launch(range->run) != NULL && !run_times_first_call(range->run) &&
           is_in_time(range->run);
}

struct measure measure_timer_excess(const struct check *check, const struct timer *timer)
{
    if (timer->run == NULL) return measure_unknown(timer->why);
    if (is_disturbed(timer))
        return measure_unknown(arena_format(
            check->arena,
            "%.4g ms printed, but the kernel took %.4g ms on the GPU. The simulated GPU "
            "saw nothing else in the timer: other programs probably use this machine",
            timer->printed * 1e3, timer->kernel * 1e3));
    const struct figures *b = &timer->run->printed.b;
    double value = excess_of(timer);
    if (value <= 0) return (struct measure){value, "none"};
    if (b->rates == 1) return (struct measure){value, both_times(check, timer)};
    return (struct measure){
        value, arena_format(check->arena,
                            "%.4g Gflop/s and %.4g GB/s printed, computed from different times",
                            b->gflops.value, b->gbytes.value)};
}

bool timer_cpu_too_fast(const struct run *run)
{
    const struct figures *a = &run->printed.a;
    const struct oracle_problem *problem = &run->problem;
    double cores = a->threads >= 1 ? a->threads : INFINITY; /* NAN: not printed */
    double bytes = fmin(CPU_BYTES, cores * CORE_BYTES), flops = fmin(CPU_FLOPS, cores * CORE_FLOPS);
    double longest = a->time + CLOCK_FREE;
    return longest * bytes < problem->bytes || longest * flops < problem->flops ||
           1e9 * a->gbytes.value > fmax(bytes, RATE_SLACK * problem->bytes / a->time) ||
           1e9 * a->gflops.value > fmax(flops, RATE_SLACK * problem->flops / a->time);
}

/* True when this time between two clock readings is the printed one, in another unit. */
static bool in_another_unit(double printed, double seconds)
{
    for (double unit = 1e3; unit <= 1e6; unit *= 1e3)
        if (fabs(printed - unit * seconds) <= UNIT_SLACK * printed) return true;
    return false;
}

bool timer_cpu_unread(const struct run *run)
{
    const struct trace_index *clocks = &run->trace.clocks;
    double printed = run->printed.a.time;
    if (isnan(printed) || run->trace.elapsed.count >= 2) return false;
    if (clocks->count < 2) return true;
    for (size_t i = 1; i < clocks->count; i++)
        if (in_another_unit(printed, trace_seconds(clocks->list[i - 1], clocks->list[i])))
            return false;
    double span = trace_seconds(clocks->list[0], clocks->list[clocks->count - 1]);
    return clocks->count < CLOCKS_TRACED && printed > (1 + UNIT_SLACK) * span + CLOCK_TICK;
}
