/* timer.c: see timer.h. */
#include "judge/timing/timer.h"

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

/* What the kernels of the simulated GPU's run are. */
struct parts {
    struct tally all, timed;
    struct tally after;    /* behind the last reading, once the result was made */
    struct repeats rounds; /* of the timed ones */
};

static struct tally less(struct tally all, struct tally some)
{
    return (struct tally){all.own - some.own, all.library - some.library};
}

/* The last reading of a clock, or event; the trace's first record when there is none. */
static const struct record *last_reading(const struct trace *trace)
{
    const struct record *last = trace->records;
    for (size_t i = 0; i < trace->count; i++) {
        enum event event = trace->records[i].event;
        if (event == EVENT_CLOCK || event == EVENT_MARK) last = &trace->records[i];
    }
    return last;
}

/* The timed ones are those behind the last new beginning, or all but those after the watch when
 * these do not write the whole result. */
static struct parts parts_of(const struct check *check, const struct run *run)
{
    const struct trace *trace = &run->trace;
    const struct record *first = NULL, *last = NULL, *read = last_reading(trace);
    struct parts parts = {0};
    double written = 0;
    bool anew = true;
    for (size_t i = 0; i < trace->count; i++) {
        const struct record *r = &trace->records[i];
        anew = anew || begins_anew(r);
        if (r->event != EVENT_KERNEL) continue;
        count(&parts.all, r);
        if (run->result_kernel != 0 && r->kernel.id > run->result_kernel && r > read &&
            last != NULL) {
            count(&parts.after, r);
            continue;
        }
        if (anew) {
            parts.timed = (struct tally){0};
            written = 0;
            first = r;
        }
        anew = false;
        last = r;
        written += repeats_written(r);
        count(&parts.timed, r);
    }
    if (!repeats_write(run, written)) {
        parts.timed = less(parts.all, parts.after);
        first = trace->records;
    }
    if (last != NULL) parts.rounds = repeats_of(check, run, first, last + 1);
    return parts;
}

/* Which of a run's kernels are timed, in the order of their starts: `count` from `first` on. */
struct choice {
    size_t first, count;
    size_t rounds; /* of them; 1 when they are not repeated */
};

/* A call of a library is taken to be as many kernels as any other. Where it cannot be told which
 * kernels they are, all are chosen. */
static struct choice choose(const struct check *check, size_t kernels)
{
    struct choice all = {0, kernels, 1};
    const struct run *counted = check_counted(check);
    if (counted == NULL) return all;
    struct parts parts = parts_of(check, counted);
    size_t calls = parts.all.library, each = 1;
    if (kernels < parts.all.own + calls || (calls == 0 && kernels != parts.all.own)) return all;
    if (calls > 0) each = (kernels - parts.all.own) / calls;
    bool even = parts.all.own + each * calls == kernels;
    size_t after = parts.after.own + each * parts.after.library;
    size_t timed = parts.timed.own + each * parts.timed.library;
    if (!even && parts.after.library > 0) return all;
    return (struct choice){kernels - after - timed, timed, even ? parts.rounds.count : 1};
}

/* True when the printed time is one round's share of a watch over all of them, which took so long.
 */
static bool is_share(const struct run *run, size_t rounds, double ns)
{
    double whole = ns * 1e-9, printed = run_printed_seconds(run);
    double watch = (double)rounds * printed;
    return rounds > 1 && printed < 0.9 * whole && watch >= 0.9 * whole &&
           watch <= 1.1 * whole + 1e-3;
}

static int compare_starts(const void *left, const void *right)
{
    const struct record *a = *(const struct record *const *)left;
    const struct record *b = *(const struct record *const *)right;
    return a->start != b->start ? (a->start > b->start) - (a->start < b->start) : (a > b) - (a < b);
}

/* The records of a kind in the order of their starts, in `list`. */
static size_t by_start(struct arena *arena, const struct trace *trace, enum event event,
                       const struct record ***list)
{
    size_t count = 0;
    *list = arena_take(arena, (trace->count + 1) * sizeof **list);
    TRACE_EACH (trace, event, r)
        (*list)[count++] = r;
    qsort(*list, count, sizeof **list, compare_starts);
    return count;
}

/* Finds the pieces of timed kernels, in the order of their starts: between them something was
 * copied. The watch has left that time out when what was printed is too short for one that has not,
 * and not too short for one that has. */
static void find_pieces(struct arena *arena, const struct run *run,
                        const struct record *const *kernels, size_t count, struct timed *timed)
{
    const struct record **copies;
    size_t all = by_start(arena, &run->trace, EVENT_COPY, &copies), next = 0;
    double end = kernels[0]->end, pauses = 0, printed = 1e9 * run_printed_seconds(run);
    for (size_t i = 1; i < count; i++) {
        double start = kernels[i]->start;
        bool copied = false;
        while (next < all && copies[next]->start < end)
            next++;
        for (; next < all && copies[next]->start < start; next++)
            copied = copied || (copies[next]->end <= start &&
                                strcmp(copies[next]->copy.direction, "d2d") != 0);
        if (copied) {
            pauses += start - end;
            timed->piece_start = start;
        }
        end = fmax(end, kernels[i]->end);
    }
    double whole = end - kernels[0]->start;
    if (printed < 0.9 * whole && printed >= 0.9 * (whole - pauses)) timed->pauses = pauses;
}

/* The time and the launches of so many kernels. */
static struct timed span_of(const struct record *const *kernels, size_t count)
{
    struct timed timed = {.start = kernels[0]->start,
                          .piece_start = kernels[0]->start,
                          .end = kernels[0]->end,
                          .last_start = kernels[count - 1]->start,
                          .first = kernels[0]->kernel.id,
                          .last = kernels[0]->kernel.id,
                          .rounds = 1};
    for (size_t i = 1; i < count; i++) {
        timed.end = fmax(timed.end, kernels[i]->end);
        if (kernels[i]->kernel.id < timed.first) timed.first = kernels[i]->kernel.id;
        if (kernels[i]->kernel.id > timed.last) timed.last = kernels[i]->kernel.id;
    }
    return timed;
}

static struct timed timed_of(const struct check *check, const struct run *run)
{
    const struct record **list;
    size_t kernels = by_start(check->arena, &run->trace, EVENT_KERNEL, &list);
    if (kernels == 0) return (struct timed){.rounds = 1};
    struct choice choice = choose(check, kernels);
    struct timed timed = span_of(list + choice.first, choice.count);
    if (!is_share(run, choice.rounds, timed.end - timed.start)) {
        find_pieces(check->arena, run, list + choice.first, choice.count, &timed);
        return timed;
    }
    size_t round = choice.count / choice.rounds;
    timed = span_of(list + choice.first + choice.count - round, round);
    timed.rounds = choice.rounds;
    return timed;
}

void timer_find(struct check *check)
{
    for (size_t i = 0; i < check->run_count; i++)
        check->runs[i].timed = timed_of(check, &check->runs[i]);
}

double timer_kernel_ns(const struct run *run)
{
    return run->timed.end - run->timed.start - run->timed.pauses;
}

struct repeats timer_rounds(const struct check *check, const struct run *run)
{
    const struct run *counted = check_counted(check);
    if (counted == NULL || run->timed.rounds > 1) return (struct repeats){1, 0};
    return parts_of(check, counted).rounds;
}

const struct record *timer_launch(const struct run *run)
{
    const struct record *launch = trace_launch(&run->trace, run->timed.last);
    if (launch != NULL) return launch;
    TRACE_EACH (&run->trace, EVENT_LAUNCH, r)
        launch = r;
    return launch;
}

/* How much of the timed kernels, or of their last piece, had run when the simulated GPU saw the
 * watch read for the last time. Infinite where it did not, or the time printed there is not too
 * short: it may then come from elsewhere. */
static double ran_until_stop(const struct check *check)
{
    const struct run *run = check_counted(check);
    const struct record *stop = run != NULL ? timer_stop(run) : NULL;
    if (stop == NULL) return INFINITY;
    double kernel = timer_kernel_ns(run);
    if (kernel <= 0 || !(run_printed_seconds(run) < kernel * 1e-9)) return INFINITY;
    double start = run->timed.piece_start, piece = run->timed.end - start;
    double ran = stop->start - start;
    return ran < piece ? fmax(ran, 0) / piece : INFINITY;
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
static double calls_took(const struct run *run)
{
    const struct trace *trace = &run->trace;
    const struct record *kernel = NULL;
    double start = run->timed.start, end = run->timed.end;
    if (run->device != DEVICE_REAL) return 0;
    TRACE_EACH (trace, EVENT_KERNEL, r)
        if (r->start == start) kernel = r;
    const struct record *launch = kernel != NULL ? trace_launch(trace, kernel->kernel.id) : NULL;
    if (launch == NULL) return 0;
    double took = fmax(fmin(launch->launch.returned, start) - launch->start, 0);
    const struct record *wait = trace_next(trace, launch, EVENT_SYNC);
    while (wait != NULL && wait->end < end)
        wait = trace_next(trace, wait + 1, EVENT_SYNC);
    if (wait != NULL) took += wait->end - fmax(wait->start, end);
    return took * 1e-9;
}

/* True when all launches of a run are of one kernel. */
static bool all_alike(const struct trace *trace)
{
    const struct record *first = trace_next(trace, trace->records, EVENT_LAUNCH);
    TRACE_EACH (trace, EVENT_LAUNCH, r)
        if (strcmp(r->launch.kernel, first->launch.kernel) != 0) return false;
    return true;
}

/* True when nobody can tell which of a real GPU's kernels are timed: the simulated GPU has not seen
 * them, and the printed time is too short for all, but not for those behind some wait, or for one
 * of so many that are alike. */
static bool could_be_fewer(const struct check *check, const struct run *run, double printed)
{
    const struct trace *trace = &run->trace;
    const struct timed timed = run->timed;
    bool waited = false;
    if (run->device != DEVICE_REAL || check_counted(check) != NULL ||
        printed >= 0.9e-9 * (timed.end - timed.start))
        return false;
    if (all_alike(trace) && is_share(run, trace_kernels(trace), timed.end - timed.start))
        return true;
    for (size_t i = 0; i < trace->count; i++) {
        const struct record *r = &trace->records[i];
        if (r->event == EVENT_SYNC) waited = true;
        if (r->event == EVENT_KERNEL && waited && timed.end - r->start <= 1.1e9 * printed)
            return true;
    }
    return false;
}

struct watch timer_read(const struct check *check)
{
    struct watch watch = {.why = "no kernel ran", .rates = 1};
    const struct run *run = NULL;
    while ((run = check_next_timed(check, run)) != NULL) {
        double kernel = timer_kernel_ns(run) * 1e-9;
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
    watch.over = timer_interval(watch.run);
    watch.copy = timed_range_copies(watch.run, &watch.over, &watch.copies);
    watch.calls = calls_took(watch.run);
    return watch;
}

double timer_excess(const struct watch *watch)
{
    double allowed = 1.1 * watch->kernel + (watch->copy != NULL ? 0 : fmax(1e-3, watch->calls));
    double excess = fmax((watch->printed - allowed) / watch->kernel, 0);
    return watch->rates == 1 ? excess : fmax(excess, fabs(watch->rates - 1));
}

struct timed_range timer_interval(const struct run *run)
{
    const struct timed timed = run->timed;
    if (timed.pauses > 0) return (struct timed_range){NULL, NULL, 0, 1};
    return timed_range_find(run, (double)timed.rounds * run_printed_seconds(run), timed.start,
                            timer_launch(run));
}

const struct record *timer_stop(const struct run *run)
{
    const struct record *launch = timer_launch(run);
    return launch != NULL ? trace_next(&run->trace, launch, EVENT_CLOCK) : NULL;
}
