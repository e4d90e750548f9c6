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

/* How many kernels, from the last one back, are the timed ones in the simulated GPU's run: all
 * unless the last group writes the whole result. */
static size_t timed_kernels(const struct run *run)
{
    const struct trace *trace = &run->trace;
    size_t kernels = 0;
    double stored = 0;
    bool anew = false;
    for (size_t i = 0; i < trace->count; i++) {
        const struct record *r = &trace->records[i];
        anew = anew || begins_anew(r);
        if (r->event != EVENT_KERNEL) continue;
        kernels = anew ? 1 : kernels + 1;
        stored = anew ? r->kernel.store.bytes : stored + r->kernel.store.bytes;
        anew = false;
    }
    bool whole = stored >= (double)run->problem.elements * sizeof(float);
    return whole ? kernels : trace_kernels(trace);
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

double watch_kernel_ns(const struct check *check, const struct run *run)
{
    const struct run *counted = check_counted(check);
    size_t all = trace_kernels(&run->trace), timed = all;
    if (all == 0) return 0;
    if (counted != NULL && trace_kernels(&counted->trace) == all) timed = timed_kernels(counted);
    double first = start_of_last(check, &run->trace, timed), last = first;
    TRACE_EACH (&run->trace, EVENT_KERNEL, r)
        last = fmax(last, r->end);
    return last - first;
}

struct watch watch_read(const struct check *check)
{
    struct watch watch = {.why = "no kernel ran"};
    const struct run *run = NULL;
    while ((run = check_next_timed(check, run)) != NULL) {
        double kernel = watch_kernel_ns(check, run) * 1e-9;
        double printed = printed_seconds(&run->printed.b, run->problem.bytes, run->problem.flops);
        if (!run->printed.b.present || isnan(printed)) watch.why = "part B's time is not printed";
        if (!run->printed.b.present || isnan(printed) || kernel <= 0) continue;
        if (watch.run != NULL && printed * watch.kernel >= watch.printed * kernel) continue;
        watch.run = run;
        watch.printed = printed;
        watch.kernel = kernel;
    }
    return watch;
}

double watch_excess(const struct watch *watch)
{
    double excess = (watch->printed - 1.1 * watch->kernel - 1e-3) / watch->kernel;
    return excess > 0 ? excess : 0;
}

const struct record *watch_stop(const struct trace *trace)
{
    const struct record *launch = NULL;
    TRACE_EACH (trace, EVENT_LAUNCH, r)
        launch = r;
    return launch != NULL ? trace_next(trace, launch, EVENT_CLOCK) : NULL;
}
