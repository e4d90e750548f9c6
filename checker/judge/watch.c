/* watch.c: see watch.h. */
#include "watch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* True for what a program does between kernels that it does not time and those that it does. */
static bool begins_anew(const struct record *r)
{
    return r->event == EVENT_CLOCK || r->event == EVENT_MARK || r->event == EVENT_SET ||
           (r->event == EVENT_COPY && strcmp(r->copy.direction, "d2h") != 0);
}

/* Kernels of the program's own, and calls of a library. On the simulated GPU a call is one kernel;
 * on a real one it may be several. */
struct tally {
    size_t own, library;
};

static void count(struct tally *tally, const struct record *kernel)
{
    if (kernel->kernel.library != NULL)
        tally->library++;
    else
        tally->own++;
}

/* A library's kernel whose stores nobody counted is taken to write the whole result. */
static double stored_bytes(const struct run *run, const struct record *kernel)
{
    if (kernel->kernel.library != NULL && kernel->kernel.store.bytes <= 0)
        return (double)run->problem.elements * sizeof(float);
    return kernel->kernel.store.bytes;
}

/* Of the simulated GPU's run, the timed kernels, and all of them. The timed ones are those behind
 * the last new beginning, or all when these do not write the whole result. */
static struct tally timed_kernels(const struct run *run, struct tally *all)
{
    const struct trace *trace = &run->trace;
    struct tally timed = {0};
    double stored = 0;
    bool anew = false;
    *all = timed;
    for (size_t i = 0; i < trace->count; i++) {
        const struct record *r = &trace->records[i];
        anew = anew || begins_anew(r);
        if (r->event != EVENT_KERNEL) continue;
        if (anew) {
            timed = (struct tally){0};
            stored = 0;
            anew = false;
        }
        stored += stored_bytes(run, r);
        count(&timed, r);
        count(all, r);
    }
    bool whole = stored >= (double)run->problem.elements * sizeof(float);
    return whole ? timed : *all;
}

/* How many of a run's `kernels` kernels, from the last one back, are the timed ones. */
static size_t count_timed(const struct run *counted, size_t kernels)
{
    struct tally all, timed = timed_kernels(counted, &all);
    if (all.library == 0) return kernels == all.own ? timed.own : kernels;
    if (kernels < all.own + all.library) return kernels;
    return timed.own + timed.library * ((kernels - all.own) / all.library);
}

static int compare_starts(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* When the first of the last `count` kernels started. */
static double start_of_last(const struct check *check, const struct trace *trace, size_t count)
{
    size_t all = 0;
    double *starts = arena_take(check->arena, trace_kernels(trace) * sizeof *starts);
    TRACE_EACH (trace, EVENT_KERNEL, r)
        starts[all++] = r->start;
    qsort(starts, all, sizeof *starts, compare_starts);
    return starts[all - count];
}

double watch_start_ns(const struct check *check, const struct run *run)
{
    const struct run *counted = check_counted(check);
    size_t kernels = trace_kernels(&run->trace);
    if (kernels == 0) return 0;
    return start_of_last(check, &run->trace,
                         counted != NULL ? count_timed(counted, kernels) : kernels);
}

double watch_kernel_ns(const struct check *check, const struct run *run)
{
    double first = watch_start_ns(check, run), last = first;
    TRACE_EACH (&run->trace, EVENT_KERNEL, r)
        last = fmax(last, r->end);
    return last - first;
}

/* How much of the timed kernels had run when the simulated GPU saw the watch read for the last
 * time. Infinite where it did not, or the time printed there is not too short: it may then come
 * from elsewhere. */
static double ran_until_stop(const struct check *check)
{
    const struct run *run = check_counted(check);
    const struct record *stop = run != NULL ? watch_stop(&run->trace) : NULL;
    double kernel = stop != NULL ? watch_kernel_ns(check, run) : 0;
    if (kernel <= 0 || !(run_printed_seconds(run) < kernel * 1e-9)) return INFINITY;
    double ran = stop->start - watch_start_ns(check, run);
    return ran < kernel ? fmax(ran, 0) / kernel : INFINITY;
}

/* The time that P means, as a multiple of what B means. Figures too small to have digits enough are
 * not held against each other: 1 then. */
static double compare_rates(const struct run *run)
{
    const struct figures *b = &run->printed.b;
    double rates = run->problem.flops / b->gflops * b->gbytes / run->problem.bytes;
    bool told = b->gflops >= 1 && b->gbytes >= 1 && isfinite(rates);
    return told && !(rates > 1 / 1.15 && rates < 1.15) ? rates : 1;
}

/* What CUDA's own calls took around a real GPU's timed kernels, seconds: the launch of the first
 * before it ran, and the wait for the last after it had ended. */
static double calls_took(const struct check *check, const struct run *run)
{
    const struct trace *trace = &run->trace;
    const struct record *launch = NULL, *kernel = NULL;
    double start = watch_start_ns(check, run), end = start + watch_kernel_ns(check, run);
    if (run->device != DEVICE_REAL) return 0;
    TRACE_EACH (trace, EVENT_KERNEL, r)
        if (r->start == start) kernel = r;
    TRACE_EACH (trace, EVENT_LAUNCH, r)
        if (kernel != NULL && r->launch.id == kernel->kernel.id) launch = r;
    if (launch == NULL) return 0;
    double took = fmax(fmin(launch->launch.returned, start) - launch->start, 0);
    const struct record *wait = trace_next(trace, launch, EVENT_SYNC);
    while (wait != NULL && wait->end < end)
        wait = trace_next(trace, wait + 1, EVENT_SYNC);
    if (wait != NULL) took += wait->end - fmax(wait->start, end);
    return took * 1e-9;
}

/* True when nobody can tell which of a real GPU's kernels are timed: the simulated GPU has not seen
 * them, and the printed time is too short for all, but not for those behind some wait. */
static bool could_be_fewer(const struct check *check, const struct run *run, double printed)
{
    const struct trace *trace = &run->trace;
    double end = watch_start_ns(check, run) + watch_kernel_ns(check, run);
    bool waited = false;
    if (run->device != DEVICE_REAL || check_counted(check) != NULL ||
        printed >= 0.9e-9 * watch_kernel_ns(check, run))
        return false;
    for (size_t i = 0; i < trace->count; i++) {
        const struct record *r = &trace->records[i];
        if (r->event == EVENT_SYNC) waited = true;
        if (r->event == EVENT_KERNEL && waited && end - r->start <= 1.1e9 * printed) return true;
    }
    return false;
}

struct watch watch_read(const struct check *check)
{
    struct watch watch = {.why = "no kernel ran", .rates = 1};
    const struct run *run = NULL;
    while ((run = check_next_timed(check, run)) != NULL) {
        double kernel = watch_kernel_ns(check, run) * 1e-9;
        double printed = run_printed_seconds(run);
        if (!run->printed.b.present || isnan(printed)) watch.why = "part B's time is not printed";
        if (!run->printed.b.present || isnan(printed) || kernel <= 0) continue;
        if (could_be_fewer(check, run, printed)) {
            watch.why = "only the simulated GPU could tell which of the kernels are timed";
            continue;
        }
        if (watch.run != NULL && printed * watch.kernel >= watch.printed * kernel) continue;
        watch.run = run;
        watch.printed = printed;
        watch.kernel = kernel;
    }
    if (watch.run == NULL) return watch;
    watch.ran = ran_until_stop(check) * watch.kernel;
    watch.rates = compare_rates(watch.run);
    watch.over = interval_find(watch.run, watch.printed, watch_start_ns(check, watch.run));
    watch.copy = interval_copies(watch.run, &watch.over, &watch.copies);
    watch.calls = calls_took(check, watch.run);
    return watch;
}

double watch_excess(const struct watch *watch)
{
    double allowed = 1.1 * watch->kernel + (watch->copy != NULL ? 0 : fmax(1e-3, watch->calls));
    double excess = fmax((watch->printed - allowed) / watch->kernel, 0);
    return watch->rates == 1 ? excess : fmax(excess, fabs(watch->rates - 1));
}

const struct record *watch_stop(const struct trace *trace)
{
    const struct record *launch = NULL;
    TRACE_EACH (trace, EVENT_LAUNCH, r)
        launch = r;
    return launch != NULL ? trace_next(trace, launch, EVENT_CLOCK) : NULL;
}
