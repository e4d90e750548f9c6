/*
 * timing_diagnoses.c: the diagnoses of a watch that does not show the kernel's time, where the
 * ladder misses it: it stops too early, runs over copies or over a rehearsal, takes milliseconds
 * for seconds, or the printed figures do not fit to each other.
 */
#include "judge/diagnose/diagnose.h"
#include "judge/read/phrases.h"

#include <math.h>
#include <string.h>

/* The line to name for a watch that stopped too early: that of its last reading, or of the launch
 * when the readings share a line and so stand in a function of their own. */
static const struct record *timer_place(const struct trace *trace, const struct record *stop)
{
    const struct record *launch = NULL;
    bool shared = stop->file == NULL;
    TRACE_EACH (trace, EVENT_CLOCK, r)
        if (r < stop && r->line == stop->line) shared = true;
    TRACE_EACH (trace, EVENT_LAUNCH, r)
        if (r < stop) launch = r;
    return shared ? launch : stop;
}

/* The simulated GPU saw the clock read before the kernel's end: the place comes from there, the
 * times from the run that counts where its watch shows it too. True when it did. */
static bool add_stopped_early(struct diagnoses *diagnoses, const struct check *check,
                              const struct watch *watch)
{
    const struct run *run = watch->run->device == DEVICE_SIM ? watch->run : check_counted(check);
    const struct record *stop = run != NULL ? timer_stop(run) : NULL;
    double end = run != NULL ? run->timed.end : 0;
    if (stop == NULL || stop->start >= end) return false;
    double early = (watch->kernel - watch->printed) * 1e9;
    if (run == watch->run || 2 * watch->printed > watch->kernel) early = end - stop->start;
    const struct record *place = timer_place(&run->trace, stop);
    diagnoses_add(diagnoses, "watch-stopped-early", place->file, place->line,
                  arena_format(diagnoses->arena,
                               "the watch stopped %.3g ms before the kernel did: a launch returns "
                               "at once",
                               early * 1e-6),
                  json_pack("{s:s, s:f, s:f, s:f, s:i}", "run", watch->run->dir, "early_ms",
                            early * 1e-6, "printed_ms", watch->printed * 1e3, "kernel_ms",
                            watch->kernel * 1e3, "timer_line", stop->line));
    return true;
}

/* The event that ends the watch was recorded before the kernel was launched. */
static bool add_marked_early(struct diagnoses *diagnoses, const struct watch *watch)
{
    const struct record *launch = timer_launch(watch->run), *mark = watch->over.to;
    if (mark == NULL || mark->event != EVENT_MARK || launch == NULL || mark > launch) return false;
    diagnoses_add(diagnoses, "watch-stopped-early", launch->file, launch->line,
                  "the event that ends the watch is recorded before this launch",
                  json_pack("{s:s, s:f, s:f}", "run", watch->run->dir, "printed_ms",
                            watch->printed * 1e3, "kernel_ms", watch->kernel * 1e3));
    return true;
}

/* On a real GPU nobody sees the clock read; but a printed time below the kernel's, and no call
 * between the last launch and the copy of the result that waits, say as much. */
static bool add_unawaited(struct diagnoses *diagnoses, const struct watch *watch)
{
    const struct trace *trace = &watch->run->trace;
    const struct record *launch = timer_launch(watch->run), *copy = NULL;
    if (watch->run->device != DEVICE_REAL || launch == NULL) return false;
    copy = trace_next(trace, launch, EVENT_COPY);
    for (const struct record *r = launch; copy != NULL && r < copy; r++)
        if (r->event == EVENT_SYNC || r->event == EVENT_ELAPSED) return false;
    if (copy == NULL) return false;
    diagnoses_add(diagnoses, "watch-stopped-early", launch->file, launch->line,
                  arena_format(diagnoses->arena,
                               "part B took %.4g ms by its printed rate, the kernel %.4g ms, and "
                               "nothing waits for it before the copy of the result: a launch "
                               "returns at once",
                               watch->printed * 1e3, watch->kernel * 1e3),
                  json_pack("{s:s, s:f, s:f}", "run", watch->run->dir, "printed_ms",
                            watch->printed * 1e3, "kernel_ms", watch->kernel * 1e3));
    return true;
}

/* The simulated GPU's run, and its own watch, stand in where the real one's does not show what the
 * watch ran over. */
static struct watch known_watch(const struct check *check, const struct watch *watch)
{
    struct watch known = *watch;
    const struct run *run = check_counted(check);
    if (watch->over.from != NULL || run == NULL) return known;
    known.run = run;
    known.printed = run_printed_seconds(run);
    known.kernel = timer_kernel_ns(run) * 1e-9;
    known.over = timer_interval(run);
    known.copy = timed_range_copies(run, &known.over, &known.copies);
    return known;
}

static bool add_copies(struct diagnoses *diagnoses, const struct watch *watch)
{
    if (watch->copy == NULL || watch->copies < 0.1 * watch->kernel) return false;
    diagnoses_add(
        diagnoses, "times-the-copies", watch->copy->file, watch->copy->line,
        arena_format(diagnoses->arena,
                     "the watch runs over copies between host and GPU, which take %.4g ms; "
                     "the kernel takes %.4g ms",
                     watch->copies * 1e3, watch->kernel * 1e3),
        json_pack("{s:s, s:f, s:f, s:f}", "run", watch->run->dir, "copies_ms", watch->copies * 1e3,
                  "printed_ms", watch->printed * 1e3, "kernel_ms", watch->kernel * 1e3));
    return true;
}

static bool add_unit(struct diagnoses *diagnoses, const struct watch *watch)
{
    const struct record *launch = timer_launch(watch->run);
    if (watch->over.from == NULL || watch->over.unit == 1 || launch == NULL) return false;
    diagnoses_add(diagnoses, "wrong-unit", launch->file, launch->line,
                  arena_format(diagnoses->arena,
                               "by its printed rate part B took %.4g s; the watch ran for %.4g ms: "
                               "milliseconds pass for seconds",
                               watch->printed, watch->over.seconds * 1e3),
                  json_pack("{s:s, s:f, s:f, s:f}", "run", watch->run->dir, "timer_ms",
                            watch->over.seconds * 1e3, "printed_ms", watch->printed * 1e3,
                            "kernel_ms", watch->kernel * 1e3));
    return true;
}

/* All that the program runs is one call of a library, and its watch shows far more than the
 * kernels: they were loaded and prepared in it. */
static bool add_first_call(struct diagnoses *diagnoses, const struct check *check,
                           const struct watch *watch)
{
    const struct run *run = check_counted(check);
    const struct record *call = run != NULL ? timer_launch(run) : NULL;
    if (watch->run->device != DEVICE_REAL || call == NULL || call->launch.library == NULL ||
        trace_kernels(&run->trace) != 1)
        return false;
    diagnoses_add(
        diagnoses, "first-library-call", call->file, call->line,
        arena_format(diagnoses->arena,
                     "this is the first call of %s, which loads and prepares its kernels: "
                     "part B took %.4g ms by its printed rate, the kernel %.4g ms",
                     call->launch.library, watch->printed * 1e3, watch->kernel * 1e3),
        json_pack("{s:s, s:f, s:f}", "run", watch->run->dir, "printed_ms", watch->printed * 1e3,
                  "kernel_ms", watch->kernel * 1e3));
    return true;
}

/* P and B, and what they should come to for one another. */
static bool add_rates(struct diagnoses *diagnoses, const struct watch *watch)
{
    const struct figures *b = &watch->run->printed.b;
    const struct oracle_problem *problem = &watch->run->problem;
    if (watch->rates == 1) return false;
    diagnoses_add(
        diagnoses, "wrong-rate", NULL, 0,
        arena_format(diagnoses->arena,
                     "P = %.4g Gflop/s and B = %.4g GB/s are not of the same time for %s: "
                     "with %.4g flop that P would mean %.4g bytes, not %.4g",
                     b->gflops, b->gbytes, watch->run->arguments, problem->flops,
                     problem->flops / b->gflops * b->gbytes, problem->bytes),
        json_pack("{s:s, s:f, s:f}", "run", watch->run->dir, "gflops", b->gflops, "gbytes",
                  b->gbytes));
    return true;
}

/* The place is the last launch, on the device that knows lines where there is one. */
static void add_figure(struct diagnoses *diagnoses, const struct check *check,
                       const struct watch *watch)
{
    const struct run *counted = check_counted(check);
    const struct record *launch = timer_launch(counted != NULL ? counted : watch->run);
    diagnoses_add(diagnoses, "printed-figure", launch != NULL ? launch->file : NULL,
                  launch != NULL ? launch->line : 0,
                  arena_format(diagnoses->arena,
                               "by its printed rate part B took %.4g ms for %s; the kernel took "
                               "%.4g ms",
                               watch->printed * 1e3, watch->run->arguments, watch->kernel * 1e3),
                  json_pack("{s:s, s:f, s:f}", "run", watch->run->dir, "printed_ms",
                            watch->printed * 1e3, "kernel_ms", watch->kernel * 1e3));
}

/* Each of several timed launches of one kernel makes the whole result, and the watch has run over
 * all of them. */
static bool add_rehearsal(struct diagnoses *diagnoses, const struct check *check,
                          const struct watch *watch)
{
    const struct run *run = check_counted(check);
    const struct record *launch = run != NULL ? timer_launch(run) : NULL;
    if (launch == NULL || watch->printed < 0.9 * watch->kernel) return false;
    struct repeats rounds = timer_rounds(check, watch->run);
    if (rounds.count < 2 || rounds.kernels > 1) return false;
    diagnoses_add(diagnoses, "times-several-runs", launch->file, launch->line,
                  arena_format(diagnoses->arena,
                               "%zu kernels run inside the watch, and each of them makes the whole "
                               "result",
                               rounds.count),
                  json_pack("{s:s, s:I}", "run", run->dir, "kernels", (json_int_t)rounds.count));
    return true;
}

void diagnose_timing(struct diagnoses *diagnoses, const struct check *check,
                     const struct ladder *ladder, const struct measures *measures)
{
    const struct watch *watch = &measures->watch;
    if (watch->run == NULL) return;
    struct watch known = known_watch(check, watch);
    bool elsewhere = measures->outside != NULL || measures->unread != NULL; /* and told there */
    bool too_short = ladder_misses(ladder, measures, MEASURE_TIMER) && !elsewhere;
    bool too_long = ladder_misses(ladder, measures, MEASURE_TIMER_EXCESS);
    if (too_short && (add_stopped_early(diagnoses, check, watch) ||
                      add_marked_early(diagnoses, &known) || add_unawaited(diagnoses, watch)))
        too_short = false;
    if (too_long && (add_unit(diagnoses, &known) || add_copies(diagnoses, &known) ||
                     add_rates(diagnoses, watch) || add_first_call(diagnoses, check, watch) ||
                     add_rehearsal(diagnoses, check, watch)))
        too_long = false;
    if (too_short || too_long) add_figure(diagnoses, check, watch);
    if (ladder_misses(ladder, measures, MEASURE_SHARE)) add_rehearsal(diagnoses, check, watch);
}
