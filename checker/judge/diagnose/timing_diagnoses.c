/*
 * timing_diagnoses.c: the sentences about printed times. What they say was found by timing/; here
 * it is decided which facts the ladder asks about, and how they are put.
 */
#include "judge/diagnose/timing_diagnoses.h"
#include "judge/timing/thresholds.h"

#include <math.h>
#include <string.h>

/* Adds a diagnosis at a record's line, with the times as evidence, and what else there is. */
static bool add(struct diagnoses *diagnoses, const char *name, const struct record *place,
                const struct timer *timer, const char *text, json_t *more)
{
    json_t *evidence = json_pack("{s:s, s:f, s:f}", "run", timer->run->dir, "printed_ms",
                                 timer->printed * 1e3, "kernel_ms", timer->kernel * 1e3);
    if (more != NULL) json_object_update(evidence, more);
    json_decref(more);
    diagnoses_add(diagnoses, name, place != NULL ? place->file : NULL,
                  place != NULL ? place->line : 0, text, evidence);
    return true;
}

/* The last launch, on the device that knows lines where there is one. */
static const struct record *launch_of(const struct check *check, const struct timer *timer)
{
    const struct run *counted = check_counted(check);
    return timer_launch(counted != NULL ? counted : timer->run);
}

/* Nobody knows the place of the CPU line. */
static void add_first_line(struct diagnoses *diagnoses, const struct check *check)
{
    const struct run *run = check_counted(check);
    if (run == NULL || run->died || !run->printed.a.present) return;
    double printed = timer_printed(&run->printed.a, &run->problem);
    bool fast = timer_cpu_too_fast(run);
    if (!fast && !timer_cpu_unread(run)) return;
    diagnoses_add(diagnoses, fast ? "part-a-skipped" : "time-not-measured", NULL, 0,
                  arena_format(diagnoses->arena,
                               fast ? "the CPU line prints %.2g ms for %s, less than any CPU needs"
                                    : "the CPU line prints %.4g ms for %s, but the program read no "
                                      "clock of the system for it",
                               printed * 1e3, run->arguments),
                  json_pack("{s:s}", "run", run->dir));
}

/* The line to name for a timer that stopped too early: that of its last reading, or of the launch
 * when the readings share a line and so stand in a function of their own. */
static const struct record *stop_place(const struct run *run, const struct record *stop)
{
    const struct record *launch = timer_launch(run);
    TRACE_EACH (&run->trace, stop->event, r)
        if (r < stop && r->line == stop->line) return launch;
    return stop->file == NULL ? launch : stop;
}

/* The simulated GPU saw the timer read before the kernel's end: the place comes from there, the
 * times from the run that counts where its timer shows it too. */
static bool add_stopped_early(struct diagnoses *diagnoses, const struct check *check,
                              const struct timer *timer)
{
    const struct run *run = check_counted(check);
    const struct record *stop = timer->range.stop;
    if (timer->range.measured != MEASURED_EARLY) return false;
    double early = (timer->kernel - timer->printed) * 1e9;
    if (run == timer->run || 2 * timer->printed > timer->kernel)
        early = run->timed.end - stop->start;
    return add(diagnoses, "timer-stopped-early", stop_place(run, stop), timer,
               arena_format(diagnoses->arena,
                            "the timer stopped %.3g ms before the kernel did: a launch returns "
                            "at once",
                            early * 1e-6),
               json_pack("{s:f, s:i}", "early_ms", early * 1e-6, "timer_line", stop->line));
}

/* The event that ends the timer was recorded before the kernel was launched. */
static bool add_marked_early(struct diagnoses *diagnoses, const struct timer *timer)
{
    const struct record *mark = timer->over.to;
    const struct record *launch = mark != NULL ? timer_launch(timer->over_run) : NULL;
    if (launch == NULL || mark->event != EVENT_MARK || timer->over.work.kernels > 0 ||
        mark > launch)
        return false;
    return add(diagnoses, "timer-stopped-early", launch, timer,
               "the event that ends the timer is recorded before this launch", NULL);
}

/* On a real GPU nobody sees the clock read; but a printed time below the kernel's, and no call
 * between the last launch and the copy of the result that waits, say as much. */
static bool add_unawaited(struct diagnoses *diagnoses, const struct timer *timer)
{
    const struct trace *trace = &timer->run->trace;
    const struct record *launch = timer_launch(timer->run), *copy = NULL;
    if (timer->run->device != DEVICE_REAL || launch == NULL) return false;
    copy = trace_next(trace, launch, EVENT_COPY);
    for (const struct record *r = launch; copy != NULL && r < copy; r++)
        if (r->event == EVENT_SYNC || r->event == EVENT_ELAPSED) return false;
    if (copy == NULL) return false;
    return add(diagnoses, "timer-stopped-early", launch, timer,
               arena_format(diagnoses->arena,
                            "the program prints %.4g ms, the kernel took %.4g ms, and nothing "
                            "waits for it before the copy of the result: a launch returns at once",
                            timer->printed * 1e3, timer->kernel * 1e3),
               NULL);
}

static bool add_copies(struct diagnoses *diagnoses, const struct timer *timer)
{
    bool kernels = timer->over_run->device == DEVICE_REAL || timer->over.work.kernels > 0;
    if (timer->copy == NULL || !kernels || timer->copies < COPIES_LEAST * timer->kernel)
        return false;
    return add(diagnoses, "times-the-copies", timer->copy, timer,
               arena_format(diagnoses->arena,
                            "the timer includes copies between host and GPU, which take %.4g ms; "
                            "the kernel takes %.4g ms",
                            timer->copies * 1e3, timer_kernel_ns(timer->over_run) * 1e-6),
               json_pack("{s:f}", "copies_ms", timer->copies * 1e3));
}

static bool add_unit(struct diagnoses *diagnoses, const struct check *check,
                     const struct timer *timer)
{
    const struct timed_range *over = &timer->over;
    if (over->from == NULL || over->unit == 1) return false;
    const char *unit = over->unit == 1e3   ? "milliseconds as if they were seconds"
                       : over->unit == 1e6 ? "microseconds as if they were seconds"
                                           : "a time in seconds as if it were in milliseconds";
    double seconds = over->seconds / over->divisor;
    return add(diagnoses, "wrong-unit", launch_of(check, timer), timer,
               arena_format(diagnoses->arena,
                            "the program prints %.4g s, and its timer measured %.4g ms: it uses %s",
                            over->unit * seconds, seconds * 1e3, unit),
               json_pack("{s:f}", "timer_ms", seconds * 1e3));
}

/* All that the program runs is one call of a library, and its timer shows far more than the
 * kernels: they were loaded and prepared in it. */
static bool add_first_call(struct diagnoses *diagnoses, const struct check *check,
                           const struct timer *timer)
{
    const struct run *run = check_counted(check);
    const struct record *call = run != NULL ? timer_launch(run) : NULL;
    if (timer->run->device != DEVICE_REAL || call == NULL || call->launch.library == NULL ||
        trace_kernels(&run->trace) != 1)
        return false;
    return add(diagnoses, "first-library-call", call, timer,
               arena_format(diagnoses->arena,
                            "this is the first call of %s, which loads and prepares its kernels: "
                            "the program prints %.4g ms, the kernel took %.4g ms",
                            call->launch.library, timer->printed * 1e3, timer->kernel * 1e3),
               NULL);
}

/* P and B, and the time that each of them means. */
static bool add_rates(struct diagnoses *diagnoses, const struct timer *timer)
{
    const struct figures *b = &timer->run->printed.b;
    const struct oracle_problem *problem = &timer->run->problem;
    if (timer->rates == 1) return false;
    return add(diagnoses, "wrong-rate", NULL, timer,
               arena_format(diagnoses->arena,
                            "P = %.4g Gflop/s and B = %.4g GB/s are computed from different times "
                            "for %s: with %.4g flop, P means %.4g ms; with %.4g bytes, B means "
                            "%.4g ms",
                            b->gflops.value, b->gbytes.value, timer->run->arguments, problem->flops,
                            problem->flops / b->gflops.value * 1e-6, problem->bytes,
                            problem->bytes / b->gbytes.value * 1e-6),
               json_pack("{s:f, s:f}", "gflops", isnan(b->gflops.value) ? 0 : b->gflops.value,
                         "gbytes", isnan(b->gbytes.value) ? 0 : b->gbytes.value));
}

/* Each of several timed launches of one kernel makes the whole result, and the timer includes all
 * of them. */
static bool add_rehearsal(struct diagnoses *diagnoses, const struct check *check,
                          const struct timer *timer)
{
    const struct work *work = &timer->range.work;
    if (timer->range.measured < MEASURED_EARLY || timer->range.divisor != 1 || timer->range.sum ||
        work->repeats < 2 || work->length > 1 || timer->printed < TIME_OF_ALL * timer->kernel)
        return false;
    return add(diagnoses, "times-several-runs", launch_of(check, timer), timer,
               arena_format(diagnoses->arena,
                            "the timer includes %zu kernels, and each of them makes the whole "
                            "result",
                            work->repeats),
               json_pack("{s:I}", "kernels", (json_int_t)work->repeats));
}

/* The printed time comes from readings between which not all of the work is done, or from none. */
static void add_refuted(struct diagnoses *diagnoses, const struct check *check,
                        const struct timer *timer)
{
    const struct run *run = check_counted(check);
    const struct timed_range *range = &timer->range;
    const struct record *place = timer_launch(run);
    double printed = timer_printed(&run->printed.b, &run->problem) * 1e3;
    const char *name = "work-outside-the-timer", *text;
    if (range->measured != MEASURED_OUTSIDE) {
        if (run->printed.a.present && timer_cpu_unread(run)) return; /* said of the CPU line */
        name = "time-not-measured";
        text = arena_format(diagnoses->arena,
                            "%.4g ms printed for %s; no two clock readings differ by the printed "
                            "time",
                            printed, run->arguments);
    } else if (range->work.kernels == 0 && timer->copy != NULL) {
        place = timer->copy;
        text = arena_format(diagnoses->arena,
                            "between the readings that give %.4g ms no kernel runs: the timer "
                            "includes only this copy",
                            printed);
    } else if (range->work.whole) {
        place = trace_launch(&run->trace, run->makers[0]);
        text = arena_format(diagnoses->arena,
                            "between the readings that give %.4g ms other kernels run than this "
                            "one, which writes the result",
                            printed);
    } else {
        text = arena_format(diagnoses->arena,
                            "between the readings that give %.4g ms, kernels load %.4g bytes for "
                            "%s; the inputs have %.4g: a part of the work is elsewhere",
                            printed, range->work.loaded, run->arguments, work_inputs(run));
    }
    diagnoses_add(diagnoses, name, place != NULL ? place->file : NULL,
                  place != NULL ? place->line : 0, text,
                  json_pack("{s:s, s:f}", "run", run->dir, "loaded", range->work.loaded));
}

static void add_too_fast(struct diagnoses *diagnoses, const struct check *check,
                         const struct measures *measures)
{
    add(diagnoses, "work-outside-the-timer", launch_of(check, &measures->timer), &measures->timer,
        arena_format(diagnoses->arena,
                     "by the timed kernels the rate is %.4g %s for %s; this GPU's limit is %.4g: a "
                     "part of the work is elsewhere",
                     measures->rate.value, measures->rate.unit, measures->timer.run->arguments,
                     measures->limit.value),
        NULL);
}

/* What is odd about a printed time that no other fact explains. */
static void add_figure(struct diagnoses *diagnoses, const struct check *check,
                       const struct timer *timer)
{
    const struct record *place = launch_of(check, timer);
    const char *odd = "";
    if (timer->printed < 0)
        odd = ". A time below 0 is probably the earlier reading minus the later one";
    else if (timer->printed == 0)
        odd = ". A time of 0 is probably two readings without the work between them";
    else if (timer->printed > timer->all && timer->all > 0)
        odd = arena_format(diagnoses->arena,
                           ". The whole program ran for only %.3g s: the printed time is probably "
                           "a reading of the clock, not a difference of two",
                           timer->all);
    else if (timer->range.measured == MEASURED_DIVIDED)
        odd = arena_format(diagnoses->arena,
                           ". The time between two readings is divided by %.0f, but the result is "
                           "made %zu time%s between them",
                           timer->range.divisor, timer->range.work.repeats,
                           timer->range.work.repeats == 1 ? "" : "s");
    else if (timer->alloc != NULL && timer->printed > timer->kernel) {
        odd = ". The timer includes the allocation of memory in this line";
        place = timer->alloc;
    }
    add(diagnoses, "printed-figure", place, timer,
        arena_format(diagnoses->arena,
                     "the program prints %.4g ms for %s; the kernel took %.4g ms%s",
                     timer->printed * 1e3, timer->run->arguments, timer->kernel * 1e3, odd),
        NULL);
}

void diagnose_timing(struct diagnoses *diagnoses, const struct check *check,
                     const struct ladder *ladder, const struct measures *measures)
{
    const struct timer *timer = &measures->timer;
    bool too_short = ladder_misses(ladder, measures, MEASURE_TIMER);
    bool too_long = ladder_misses(ladder, measures, MEASURE_TIMER_EXCESS);
    add_first_line(diagnoses, check);
    if (measures->too_fast && timer->run != NULL) add_too_fast(diagnoses, check, measures);
    if (timer->run == NULL) return;
    if (measures->refuted && timer->range.measured != MEASURED_DIVIDED) {
        bool marked = too_short && add_marked_early(diagnoses, timer);
        if (!marked && !measures->too_fast) add_refuted(diagnoses, check, timer);
        too_short = false;
    }
    if (too_short &&
        (measures->too_fast || add_unit(diagnoses, check, timer) ||
         add_stopped_early(diagnoses, check, timer) || add_unawaited(diagnoses, timer) ||
         (timer->range.measured == MEASURED_WHOLE && add_rates(diagnoses, timer))))
        too_short = false;
    if (too_long && (add_unit(diagnoses, check, timer) || add_copies(diagnoses, timer) ||
                     add_rates(diagnoses, timer) || add_first_call(diagnoses, check, timer) ||
                     add_rehearsal(diagnoses, check, timer)))
        too_long = false;
    if (measures->refuted && timer->range.work.kernels == 0 && timer->copy != NULL)
        too_long = false; /* the copy's line was named */
    if (too_short || too_long) add_figure(diagnoses, check, timer);
    if (ladder_misses(ladder, measures, MEASURE_SHARE)) add_rehearsal(diagnoses, check, timer);
}
