/* timer.c: see timer.h. */
#include "judge/timing/timer.h"
#include "judge/timing/thresholds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The kernels of a run in the order of their starts, and whether each is timed. */
struct plan {
    const struct record **kernels;
    bool *timed;
    size_t count, library;
};

static int compare_starts(const void *left, const void *right)
{
    const struct record *a = *(const struct record *const *)left;
    const struct record *b = *(const struct record *const *)right;
    return a->start != b->start ? (a->start > b->start) - (a->start < b->start) : (a > b) - (a < b);
}

static struct plan plan_of(struct arena *arena, const struct run *run)
{
    struct plan plan = {0};
    size_t all = trace_kernels(&run->trace) + 1;
    plan.kernels = arena_take(arena, all * sizeof *plan.kernels);
    plan.timed = arena_take(arena, all * sizeof *plan.timed);
    TRACE_EACH (&run->trace, EVENT_KERNEL, r) {
        plan.library += r->kernel.library != NULL;
        plan.timed[plan.count] = true;
        plan.kernels[plan.count++] = r;
    }
    qsort(plan.kernels, plan.count, sizeof *plan.kernels, compare_starts);
    return plan;
}

/* If the time is divided, only the kernels of the last repeat count. Without a range, all kernels
 * count. */
static void take(struct plan *plan, const struct run *run, const struct timed_range *range)
{
    size_t left = !range->sum && range->divisor > 1 ? range->work.length : plan->count;
    for (size_t i = plan->count; i-- > 0 && range->from != NULL;) {
        bool held = work_holds(run, plan->kernels[i], range->from, range->to);
        plan->timed[i] = held && left > 0;
        left -= plan->timed[i];
    }
}

/* Finds the same kernels in another run, from the last one backwards. If they cannot be
 * distinguished, all are timed. */
static void carry(const struct plan *from, struct plan *to)
{
    size_t own = from->count - from->library, each = 1, j = to->count;
    if (to->count < from->count || (from->library == 0 && to->count != own)) return;
    if (from->library > 0) each = (to->count - own) / from->library;
    for (size_t i = from->count; i-- > 0;)
        for (size_t k = from->kernels[i]->kernel.library != NULL ? each : 1; k > 0 && j > 0; k--)
            to->timed[--j] = from->timed[i];
    while (j > 0 && from->count > 0)
        to->timed[--j] = from->timed[0];
}

/* A sum leaves out the time between two kernels. */
static struct timed timed_of(const struct plan *plan, bool sum)
{
    struct timed timed = {0};
    for (size_t i = 0; i < plan->count; i++) {
        const struct record *kernel = plan->kernels[i];
        if (!plan->timed[i]) continue;
        if (timed.last == 0)
            timed = (struct timed){.start = kernel->start, .first = kernel->kernel.id};
        else if (sum)
            timed.pauses += fmax(kernel->start - timed.end, 0);
        timed.end = fmax(timed.end, kernel->end);
        timed.last_start = kernel->start;
        if (kernel->kernel.id < timed.first) timed.first = kernel->kernel.id;
        if (kernel->kernel.id > timed.last) timed.last = kernel->kernel.id;
    }
    return timed;
}

/* If the printed time does not show the range, the last readings with the whole work between them
 * do. */
static void find_kernels(struct check *check, const struct run *counted, struct timed_range range)
{
    struct plan known = {0};
    if (counted != NULL) {
        if (range.measured < MEASURED_EARLY) range = clock_reads_last(check, counted);
        known = plan_of(check->arena, counted);
        take(&known, counted, &range);
    }
    for (size_t i = 0; i < check->run_count; i++) {
        struct plan own = plan_of(check->arena, &check->runs[i]);
        if (counted != NULL) carry(&known, &own);
        check->runs[i].timed = timed_of(&own, range.sum);
    }
}

double timer_kernel_ns(const struct run *run)
{
    return run->timed.end - run->timed.start - run->timed.pauses;
}

const struct record *timer_launch(const struct run *run)
{
    const struct record *launch = trace_launch(&run->trace, run->timed.last);
    if (launch != NULL) return launch;
    TRACE_EACH (&run->trace, EVENT_LAUNCH, r)
        launch = r;
    return launch;
}

double timer_printed(const struct figures *figures, const struct oracle_problem *problem)
{
    struct printed_times times = printed_times(figures, problem);
    return figures->present && times.count > 0 ? times.list[0].seconds : NAN;
}

/* The time of CUDA's own calls around a real GPU's timed kernels: the launch of the first one
 * before it ran, and the wait for the last one after it had ended. */
static double calls_took(const struct run *run)
{
    const struct trace *trace = &run->trace;
    const struct record *launch = trace_launch(trace, run->timed.first);
    double start = run->timed.start, end = run->timed.end;
    if (run->device != DEVICE_REAL || launch == NULL) return 0;
    double took = fmax(fmin(launch->launch.returned, start) - launch->start, 0);
    const struct record *wait = trace_next(trace, launch, EVENT_SYNC);
    while (wait != NULL && wait->end < end)
        wait = trace_next(trace, wait + 1, EVENT_SYNC);
    if (wait != NULL) took += wait->end - fmax(wait->start, end);
    return took * 1e-9;
}

/* True when it is not known which of a real GPU's kernels are timed: the simulated GPU has not seen
 * them, and the printed time fits some of them, but is too short for all. */
static bool could_be_fewer(const struct check *check, const struct run *run, double printed)
{
    double all = timer_kernel_ns(run) * 1e-9;
    size_t count = trace_kernels(&run->trace);
    return check_counted(check) == NULL && count > 1 && printed < TIME_OF_ALL * all;
}

/* Finds what else is between the readings. A sum leaves out what is between its parts. */
static void look_inside(struct timer *timer)
{
    const struct timed_range *over = &timer->over;
    if (over->from == NULL || over->sum) return;
    for (size_t i = 0; i < timer->over_run->trace.count; i++) {
        const struct record *r = &timer->over_run->trace.records[i];
        if (r->start < over->from->start || r->end > over->to->start) continue;
        if (r->event == EVENT_ALLOC && timer->alloc == NULL) timer->alloc = r;
        if (r->event != EVENT_COPY || strcmp(r->copy.direction, "h2h") == 0 ||
            strcmp(r->copy.direction, "d2d") == 0)
            continue;
        if (timer->copy == NULL) timer->copy = r;
        timer->copies += (r->end - r->start) * 1e-9;
    }
}

/* Finds the run whose printed time is the smallest part of its kernels' time. */
static void choose_run(struct timer *timer, const struct check *check)
{
    const struct run *run = NULL;
    timer->why = "no kernel ran";
    while ((run = check_next_timed(check, run)) != NULL) {
        double kernel = timer_kernel_ns(run) * 1e-9;
        double printed = timer_printed(&run->printed.b, &run->problem);
        if (isnan(printed)) timer->why = "part B's time is not printed";
        if (isnan(printed) || kernel <= 0) continue;
        if (could_be_fewer(check, run, printed)) {
            timer->why = "only the simulated GPU could tell which of the kernels are timed";
            continue;
        }
        if (timer->run != NULL && printed * timer->kernel >= timer->printed * kernel) continue;
        timer->run = run;
        timer->printed = printed;
        timer->kernel = kernel;
    }
}

/* The part of the kernels that had run when the simulated GPU saw the timer stop. */
static double share_run(const struct timed_range *range)
{
    const struct record *late = range->work.late;
    if (range->measured != MEASURED_EARLY) return INFINITY;
    return fmax(range->stop->start - late->start, 0) / (late->end - late->start);
}

static bool fits(const struct run *run)
{
    double printed = timer_printed(&run->printed.b, &run->problem);
    double kernel = timer_kernel_ns(run) * 1e-9;
    return kernel > 0 && printed >= TIME_LEAST * kernel &&
           printed <= TIME_MOST * kernel + START_AND_WAIT;
}

struct timer timer_find(struct check *check)
{
    const struct run *counted = check_counted(check);
    struct timer timer = {.range = {.unit = 1, .divisor = 1}, .rates = 1};
    if (counted != NULL && !counted->died) timer.range = clock_reads_find(check, counted);
    find_kernels(check, counted, timer.range);
    enum measured measured = timer.range.measured;
    timer.refuted =
        measured == MEASURED_OUTSIDE ||
        ((measured == MEASURED_NOWHERE || measured == MEASURED_DIVIDED) && fits(counted));
    choose_run(&timer, check);
    if (timer.run == NULL) return timer;
    timer.ran = share_run(&timer.range) * timer.kernel;
    timer.rates = printed_rates(&timer.run->printed.b, &timer.run->problem, timer.printed);
    timer.over_run = timer.run;
    timer.over = timer.range;
    if (timer.run->device == DEVICE_REAL) timer.over = clock_reads_find(check, timer.run);
    if (timer.over.from == NULL && counted != NULL) {
        timer.over_run = counted;
        timer.over = timer.range;
    }
    look_inside(&timer);
    timer.calls = calls_took(timer.run);
    timer.all = timer.run->seconds;
    return timer;
}

double timer_excess(const struct timer *timer)
{
    double calls = timer->copy != NULL ? 0 : fmax(START_AND_WAIT, timer->calls);
    double excess = (timer->printed - TIME_MOST * timer->kernel - calls) / timer->kernel;
    return fmax(fmax(excess, 0), fabs(timer->rates - 1));
}

bool timer_cpu_too_fast(const struct run *run)
{
    const struct figures *a = &run->printed.a;
    double printed = timer_printed(a, &run->problem);
    return printed * CPU_BYTES < run->problem.bytes || printed * CPU_FLOPS < run->problem.flops ||
           1e9 * a->gbytes.value > CPU_BYTES || 1e9 * a->gflops.value > CPU_FLOPS;
}

bool timer_cpu_unread(const struct run *run)
{
    size_t clocks = 0, events = 0;
    for (size_t i = 0; i < run->trace.count; i++) {
        clocks += run->trace.records[i].event == EVENT_CLOCK;
        events += run->trace.records[i].event == EVENT_ELAPSED;
    }
    return clocks < 2 && events < 2 && !isnan(timer_printed(&run->printed.a, &run->problem));
}
