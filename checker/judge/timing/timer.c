/* timer.c: see timer.h. */
#include "judge/timing/timer.h"
#include "judge/timing/thresholds.h"

#include <math.h>
#include <string.h>

/* Finds a run's kernel number `at` in another run: as many kernels follow it there, where a call of
 * a library may be several. If another number of kernels ran there, because a program may warm up
 * for a certain time, only the one that is timed can be found. False if it is not known. */
static bool find_place(const struct run *run, size_t at, bool one, const struct run *other,
                       size_t *place)
{
    const struct trace_index *kernels = &run->trace.kernels;
    size_t library = 0, each = 1, follow = 0, count = other->trace.kernels.count;
    for (size_t i = 0; i < kernels->count; i++)
        library += kernels->list[i]->kernel.library != NULL;
    if (library > 0 ? count < kernels->count : count != kernels->count && !one) return false;
    if (library > 0) each = (count - (kernels->count - library)) / library;
    for (size_t i = at; i < kernels->count; i++)
        follow += kernels->list[i]->kernel.library != NULL ? each : 1;
    if (follow > count) return false;
    *place = at == 0 && library > 0 ? 0 : count - follow;
    return true;
}

/* Takes the kernels from number `first` to before `end`. A sum leaves out the time between two. */
static struct timed timed_of(const struct run *run, size_t first, size_t end, bool sum)
{
    struct timed timed = {0};
    double pauses = 0;
    for (size_t i = first; i < end; i++) {
        const struct record *kernel = run->trace.kernels.list[i];
        uint64_t id = kernel->kernel.id;
        if (i == first)
            timed = (struct timed){.start = kernel->start, .first = id};
        else if (sum)
            pauses += fmax(kernel->start - timed.end, 0);
        timed.end = fmax(timed.end, kernel->end);
        timed.last_start = kernel->start;
        if (id < timed.first) timed.first = id;
        if (id > timed.last) timed.last = id;
    }
    timed.ns = timed.end - timed.start - pauses;
    return timed;
}

/* Sets the timed kernels of all runs. In the counted run these are the kernels in the range, or the
 * last repeat's if the time is divided; without a range, all. If the printed time does not show the
 * range, the last readings with the whole work between them do. */
static void find_kernels(struct check *check, const struct run *counted, struct timed_range range)
{
    size_t first = 0, end = 0, count = counted != NULL ? counted->trace.kernels.count : 0;
    if (counted != NULL && range.measured < MEASURED_EARLY)
        range = clock_reads_last(check, counted);
    bool mean = range.divisor > 1 && (!range.sum || range.divisor == (double)range.work.repeats);
    size_t left = mean ? range.work.length : count;
    for (size_t i = count; i-- > 0 && left > 0;) {
        const struct record *kernel = counted->trace.kernels.list[i];
        if (range.from != NULL && !work_holds(&range, kernel)) continue;
        if (end == 0) end = i + 1;
        first = i;
        left--;
    }
    for (size_t i = 0; i < check->run_count; i++) {
        struct run *run = &check->runs[i];
        size_t from = 0, to = run->trace.kernels.count;
        bool one = end == first + 1;
        bool known = counted != NULL && find_place(counted, first, one, run, &from) &&
                     find_place(counted, end, one, run, &to);
        run->timed =
            timed_of(run, known ? from : 0, known ? to : run->trace.kernels.count, range.sum);
        run->timed.known = known;
    }
}

const struct record *timer_launch(const struct run *run)
{
    const struct record *launch = trace_launch(&run->trace, run->timed.last);
    return launch != NULL ? launch : run_last_launch(run);
}

/* Finds the run whose printed time is the smallest part of its kernels' time. If it is not known
 * which of several kernels are timed, a time that is too short for all of them proves nothing. */
static void choose_run(struct timer *timer, const struct check *check)
{
    const struct run *run = NULL;
    timer->why = "no kernel ran";
    while ((run = check_next_timed(check, run)) != NULL) {
        double kernel = run->timed.ns * 1e-9;
        double printed = run->printed.b.time;
        if (isnan(printed)) timer->why = "part B's time is not printed";
        if (isnan(printed) || kernel <= 0) continue;
        if (!run->timed.known && trace_kernels(&run->trace) > 1 && printed < TIME_OF_ALL * kernel)
            timer->why = check_counted(check) == NULL
                             ? "only the simulated GPU could tell which of the kernels are timed"
                             : "the number of kernels differs from run to run: "
                               "it is not known which of them are timed";
        else if (timer->run == NULL || printed * timer->kernel < timer->printed * kernel) {
            timer->run = run;
            timer->printed = printed;
            timer->kernel = kernel;
        }
    }
}

/* The part of the kernels that had run when the simulated GPU saw the timer stop. If nothing waits
 * for them, that part is a matter of luck, and does not count. */
static double share_run(const struct timed_range *range)
{
    const struct record *late = range->work.late;
    if (range->measured != MEASURED_EARLY) return INFINITY;
    if (!range->work.awaited) return 0;
    return fmax(range->work.stop->start - late->start, 0) / (late->end - late->start);
}

/* True when no readings give the printed time, though it fits the kernels, or when only readings
 * that do not enclose the work do. */
static bool is_refuted(const struct timed_range *range, const struct run *counted)
{
    if (range->measured != MEASURED_NOWHERE && range->measured != MEASURED_DIVIDED)
        return range->measured == MEASURED_OUTSIDE;
    double printed = counted->printed.b.time;
    double kernel = counted->timed.ns * 1e-9;
    return kernel > 0 && printed >= TIME_LEAST * kernel &&
           printed <= TIME_MOST * kernel + START_AND_WAIT;
}

struct timer timer_find(struct check *check)
{
    const struct run *counted = check_counted(check);
    struct timer timer = {.range = {.unit = 1, .divisor = 1}};
    if (counted != NULL && !counted->died) timer.range = clock_reads_find(check, counted);
    find_kernels(check, counted, timer.range);
    timer.refuted = is_refuted(&timer.range, counted);
    choose_run(&timer, check);
    if (timer.run == NULL) return timer;
    timer.ran = share_run(&timer.range) * timer.kernel;
    timer.over = timer.range;
    if (timer.run->device == DEVICE_REAL) timer.over = clock_reads_find(check, timer.run);
    if (timer.over.from == NULL && counted != NULL) timer.over = timer.range;
    return timer;
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

double timer_excess(const struct timer *timer)
{
    bool more = timer->over.work.copy != NULL || timer->over.work.alloc != NULL;
    double calls = more ? 0 : fmax(START_AND_WAIT, calls_took(timer->run));
    double excess = (timer->printed - TIME_MOST * timer->kernel - calls) / timer->kernel;
    return fmax(fmax(excess, 0), fabs(timer->run->printed.b.rates - 1));
}

bool timer_excess_unexplained(const struct timer *timer)
{
    return timer->run != NULL && timer_excess(timer) > 0 && timer->run->printed.b.rates == 1 &&
           timer->over.unit == 1 && timer->over.work.copy == NULL &&
           timer->over.work.alloc == NULL && timer->range.measured == MEASURED_WHOLE;
}

bool timer_disturbed(const struct check *check, const struct timer *timer)
{
    const struct run *counted = check_counted(check);
    if (counted == NULL || !timer_excess_unexplained(timer) || timer->run->device != DEVICE_REAL ||
        timer->range.work.repeats > 1)
        return false;
    const struct record *launch = timer_launch(counted);
    if (launch == NULL || launch->launch.library != NULL) return false;
    double printed = counted->printed.b.time;
    return printed <= TIME_MOST * counted->timed.ns * 1e-9 + START_AND_WAIT;
}

bool timer_cpu_too_fast(const struct run *run)
{
    const struct figures *a = &run->printed.a;
    double printed = a->time;
    return printed * CPU_BYTES < run->problem.bytes || printed * CPU_FLOPS < run->problem.flops ||
           1e9 * a->gbytes.value > CPU_BYTES || 1e9 * a->gflops.value > CPU_FLOPS;
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
    const struct record *first = NULL, *before = NULL;
    size_t clocks = 0, events = 0;
    double printed = run->printed.a.time;
    TRACE_EACH (&run->trace, EVENT_ELAPSED, r)
        events++;
    if (isnan(printed) || events >= 2) return false;
    TRACE_EACH (&run->trace, EVENT_CLOCK, r) {
        if (before != NULL && in_another_unit(printed, (r->start - before->start) * 1e-9))
            return false;
        if (clocks++ == 0) first = r;
        before = r;
    }
    if (clocks < 2) return true;
    double span = (before->start - first->start) * 1e-9;
    return clocks < CLOCKS_TRACED && printed > (1 + UNIT_SLACK) * span + CLOCK_TICK;
}
