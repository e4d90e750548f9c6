/*
 * timing_diagnoses.c: the sentences about printed times. The files in timing/ find the facts. This
 * file decides which of them the ladder asks about, and phrases them.
 */
#include "judge/diagnose/kinds.h"
#include "judge/read/run_facts.h"
#include "judge/read/phrases.h"
#include "judge/read/source.h"
#include "judge/measure/timer_metrics.h"
#include "judge/timing/thresholds.h"

#include <math.h>
#include <string.h>

/* Adds a diagnosis at a record's line. Its evidence is the times, and `more` if that is given. */
__attribute__((format(printf, 6, 7))) static bool add(struct diagnoses *diagnoses, const char *name,
                                                      const struct record *site,
                                                      const struct timer *timer, json_t *more,
                                                      const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_format_list(diagnoses->arena, format, arguments);
    va_end(arguments);
    json_t *evidence = json_pack("{s:f, s:f}", "printed_ms", timer->printed * 1e3, "kernel_ms",
                                 timer->kernel * 1e3);
    json_object_update(evidence, more);
    json_decref(more);
    diagnoses_add(diagnoses, timer->run, name, site, evidence, "%s", text);
    return true;
}

/* The last launch. It comes from the device that knows lines, if there is one. */
static const struct record *launch_of(const struct check *check, const struct timer *timer)
{
    const struct run *counted = check_counted(check);
    return run_timed_launch(counted != NULL ? counted : timer->run);
}

/* The line that prints part B's figures; that of the last launch, if the source does not show it.
 */
static const struct record *report_of(const struct check *check, const struct timer *timer)
{
    struct record *report = arena_alloc(check->arena, sizeof *report);
    report->file = check->source;
    report->line = source_line_with(check->arena, check->source, "report(\"GPU\"", NULL);
    return report->line > 0 ? report : launch_of(check, timer);
}

/* The diagnoses of the CPU line. They have no line of the source, because no device sees part A. */
static void add_first_line(struct diagnoses *diagnoses, const struct check *check)
{
    const struct run *run = check_counted(check);
    if (run == NULL || run->died || !run->printed.a.present) return;
    double printed = run->printed.a.time;
    bool fast = !timer_cpu_unread(run);
    if (fast && !timer_cpu_too_fast(run)) return;
    diagnoses_add(diagnoses, run, fast ? "part-a-skipped" : "time-not-measured", NULL, NULL,
                  fast ? "with arguments %s, the CPU line prints %.2g ms, less than any CPU needs"
                       : "with arguments %s, the CPU line prints %.4g ms, but the program did not "
                         "measure it with a system clock",
                  run->arguments, printed * 1e3);
}

/* The line to name for a timer that stopped too early. It is the line of the last clock reading.
 * When readings share a line, they are in a function of their own; then it is the line of the
 * launch. */
static const struct record *stop_site(const struct run *run, const struct record *stop)
{
    const struct record *launch = run_timed_launch(run);
    TRACE_EACH (&run->trace, stop->event, r)
        if (r < stop && r->line == stop->line) return launch;
    return stop->file == NULL ? launch : stop;
}

/* The simulated GPU saw that the clock was read before the kernel ended. The place comes from that
 * run. The times come from the run that counts, if its timer shows the same. */
static bool add_stopped_early(struct diagnoses *diagnoses, const struct check *check,
                              const struct timer *timer)
{
    const struct run *run = check_counted(check);
    const struct record *stop = timer->range.work.stop;
    if (timer->range.measured != MEASURED_EARLY) return false;
    double early = (timer->kernel - timer->printed) * 1e9;
    if (run == timer->run || 2 * timer->printed > timer->kernel)
        early = run->timed.end - stop->start;
    const struct record *running = timer->range.work.running;
    if (running != NULL)
        return add(diagnoses, "timer-stopped-early", trace_launch(&run->trace, running->kernel.id),
                   timer, json_pack("{s:i}", "timer_line", stop->line),
                   "nothing waits for this kernel before the timer stops: it is in another stream");
    if (early <= 0)
        return add(diagnoses, "timer-stopped-early", stop_site(run, stop), timer,
                   json_pack("{s:i}", "timer_line", stop->line),
                   "nothing waits for the kernel before the timer stops. This kernel is short, and "
                   "had already finished by chance");
    return add(diagnoses, "timer-stopped-early", stop_site(run, stop), timer,
               json_pack("{s:f, s:i}", "early_ms", early * 1e-6, "timer_line", stop->line),
               "the timer stopped %.3g ms before the kernel finished: a launch does not wait for "
               "its kernel",
               early * 1e-6);
}

/* The event that ends the timer was recorded before the kernel was launched. */
static bool add_marked_early(struct diagnoses *diagnoses, const struct timer *timer)
{
    const struct record *mark = timer->over.to;
    const struct record *launch = mark != NULL ? run_timed_launch(timer->over.run) : NULL;
    if (launch == NULL || mark->event != EVENT_MARK || timer->over.work.kernels > 0 ||
        mark > launch)
        return false;
    return add(diagnoses, "timer-stopped-early", launch, timer, NULL,
               "the event that ends the timer is recorded before this launch");
}

/* On a real GPU nothing records when the clock is read. But the timer stopped early if two things
 * hold: the printed time is below the kernel's; no call between the last launch and the copy of the
 * result waits. */
static bool add_unawaited(struct diagnoses *diagnoses, const struct timer *timer)
{
    const struct trace *trace = &timer->run->trace;
    const struct record *launch = run_timed_launch(timer->run), *copy = NULL;
    if (timer->run->device != DEVICE_REAL || launch == NULL) return false;
    copy = trace_next(trace, launch, EVENT_COPY);
    for (const struct record *r = launch; copy != NULL && r < copy; r++)
        if (r->event == EVENT_SYNC || r->event == EVENT_ELAPSED) return false;
    if (copy == NULL) return false;
    return add(diagnoses, "timer-stopped-early", launch, timer, NULL,
               "the program prints %.4g ms, but the kernel took %.4g ms. Nothing waits for the "
               "kernel before the copy of the result",
               timer->printed * 1e3, timer->kernel * 1e3);
}

static bool add_copies(struct diagnoses *diagnoses, const struct timer *timer)
{
    const struct timed_range *over = &timer->over;
    if (over->work.copy == NULL || over->work.copies < COPIES_LEAST * timer->kernel ||
        (over->run->device == DEVICE_SIM && over->work.kernels == 0))
        return false;
    return add(diagnoses, "times-the-copies", over->work.copy, timer,
               json_pack("{s:f}", "copies_ms", over->work.copies * 1e3),
               "the timer includes copies between host and GPU, which take %.4g ms; the kernel "
               "takes %.4g ms",
               over->work.copies * 1e3, over->run->timed.ns * 1e-6);
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
    return add(diagnoses, "wrong-unit", report_of(check, timer), timer,
               json_pack("{s:f}", "timer_ms", seconds * 1e3),
               "the program prints %.4g s, but its timer measured %.4g ms: it uses %s",
               over->unit * seconds, seconds * 1e3, unit);
}

/* The program makes only one library call, and its timer shows much more than the kernels' time:
 * that call also loaded and prepared them. */
static bool add_first_call(struct diagnoses *diagnoses, const struct check *check,
                           const struct timer *timer)
{
    const struct run *run = check_counted(check);
    if (run == NULL || !run_times_first_call(run)) return false;
    const struct record *call = run_timed_launch(run);
    return add(diagnoses, "first-library-call", call, timer, NULL,
               "this is the first call of %s, which loads and prepares its kernels: the program "
               "prints %.4g ms, but the kernel took %.4g ms",
               call->launch.library, timer->printed * 1e3, timer->kernel * 1e3);
}

/* P and B mean different times: states both. */
static bool add_rates(struct diagnoses *diagnoses, const struct check *check,
                      const struct timer *timer)
{
    const struct figures *b = &timer->run->printed.b;
    const struct oracle_problem *problem = &timer->run->problem;
    if (timer->run->printed.b.rates == 1) return false;
    struct record report = {.file = check->source,
                            .line = source_line_with(check->arena, check->source, "Gflop/s", NULL)};
    return add(diagnoses, "wrong-rate", report.line > 0 ? &report : NULL, timer,
               json_pack("{s:f, s:f}", "gflops", isnan(b->gflops.value) ? 0 : b->gflops.value,
                         "gbytes", isnan(b->gbytes.value) ? 0 : b->gbytes.value),
               "with arguments %s, P = %.4g Gflop/s and B = %.4g GB/s are computed from different "
               "times: %.4g flop at this rate take %.4g ms, but %.4g bytes take %.4g ms",
               timer->run->arguments, b->gflops.value, b->gbytes.value, problem->flops,
               problem->flops / b->gflops.value * 1e-6, problem->bytes,
               problem->bytes / b->gbytes.value * 1e-6);
}

/* Each of several timed launches of one kernel makes the whole result, and the timer includes all
 * of them. */
static bool add_rehearsal(struct diagnoses *diagnoses, const struct check *check,
                          const struct timer *timer)
{
    const struct timed_work *work = &timer->range.work;
    if (timer->range.measured < MEASURED_EARLY || timer->range.divisor != 1 || timer->range.sum ||
        work->repeats < 2 || work->length > 1 || timer->printed < TIME_OF_ALL * timer->kernel)
        return false;
    return add(diagnoses, "times-several-runs", launch_of(check, timer), timer,
               json_pack("{s:I}", "kernels", (json_int_t)work->repeats),
               "the timer includes %zu kernels, but each of them computes the whole result",
               work->repeats);
}

/* The launch in the range, if a launch outside of it has more blocks of the same kernel. */
static const struct record *smaller_launch(const struct timed_range *range,
                                           const struct record **larger)
{
    const struct record *inside = NULL;
    *larger = NULL;
    TRACE_EACH (&range->run->trace, EVENT_LAUNCH, r)
        if (r > range->from && r < range->to) inside = r;
    TRACE_EACH (&range->run->trace, EVENT_LAUNCH, r)
        if (inside != NULL && r->launch.blocks > inside->launch.blocks &&
            strcmp(r->launch.kernel, inside->launch.kernel) == 0)
            *larger = r;
    return *larger != NULL ? inside : NULL;
}

/* The printed time comes from no pair of clock readings, or from readings that do not enclose all
 * of the work. */
static void add_refuted(struct diagnoses *diagnoses, const struct check *check,
                        const struct timer *timer)
{
    const struct run *run = check_counted(check);
    const struct timed_range *range = &timer->range;
    const struct record *site = run_timed_launch(run);
    double printed = run->printed.b.time * 1e3;
    const char *name = "work-outside-the-timer", *text;
    const struct record *larger, *smaller = smaller_launch(range, &larger);
    if (range->measured != MEASURED_OUTSIDE) {
        if (run->printed.a.present && timer_cpu_unread(run)) return; /* reported for the CPU line */
        name = "time-not-measured";
        text = arena_format(diagnoses->arena,
                            "with arguments %s, the program prints %.4g ms, but no two clock "
                            "readings differ by the printed time",
                            run->arguments, printed);
    } else if (range->work.kernels == 0 && timer->over.work.copy != NULL) {
        site = timer->over.work.copy;
        text = arena_format(diagnoses->arena,
                            "no kernel runs between the clock readings that give %.4g ms. The "
                            "timer includes only this copy",
                            printed);
    } else if (range->work.whole) {
        site = range->work.elsewhere;
        const char *part = range->work.elsewhere_share < 1
                               ? arena_format(diagnoses->arena, "%.3g %% of the result",
                                              100 * range->work.elsewhere_share)
                               : "the result";
        text = arena_format(diagnoses->arena,
                            "this kernel writes %s, but it does not run between the clock readings "
                            "that give %.4g ms",
                            part, printed);
    } else if (smaller != NULL) {
        site = smaller;
        text = arena_format(diagnoses->arena,
                            "with arguments %s, the timed launch %s does only a part of the work: "
                            "that of line %d has %.0f blocks",
                            run->arguments, phrase_launch(diagnoses->arena, smaller), larger->line,
                            larger->launch.blocks);
    } else {
        text = arena_format(
            diagnoses->arena,
            "with arguments %s, kernels load %.7g bytes between the clock readings that give %.4g "
            "ms. The inputs have %.7g bytes: the timer misses a part of the work",
            run->arguments, range->work.loaded, printed, oracle_input_bytes(&run->problem));
    }
    if (diagnoses_add(diagnoses, run, name, site, json_pack("{s:f}", "loaded", range->work.loaded),
                      "%s", text) &&
        smaller != NULL && site == smaller)
        diagnoses->list[diagnoses->count - 1].next =
            "give the launch between the clock readings the grid of the whole result";
}

static void add_too_fast(struct diagnoses *diagnoses, const struct check *check,
                         const struct measures *measures)
{
    add(diagnoses, "work-outside-the-timer", launch_of(check, &measures->timer), &measures->timer,
        NULL,
        "with arguments %s, the timed kernels would reach %.4g %s, but this GPU's limit is %.4g: "
        "the timer misses a part of the work",
        measures->timer.run->arguments, measures->rate.value, measures->rate.unit,
        measures->limit.value);
}

/* A t0 that differs by more from the time that P and B mean is another time. */
static const double T0_APART = 0.02;

/* Adds what is unusual about a printed time that no other fact explains. */
static void add_figure(struct diagnoses *diagnoses, const struct check *check,
                       const struct timer *timer)
{
    const struct record *site = report_of(check, timer);
    const char *odd = "", *next = NULL;
    double t0 = timer->run->printed.b.t0.value / timer->printed;
    if (t0 > 0 && fabs(t0 - 1) > T0_APART) {
        odd = arena_format(diagnoses->arena,
                           ". This is what P and B mean. The line's own t0 is %.4g ms: P and B are "
                           "%.3g times too high for it",
                           timer->run->printed.b.t0.value * 1e3, t0);
        next = "give report() the size of the problem, and compute P and B from it and t0";
    } else if (timer->printed < 0) {
        odd = ". The program probably subtracts the later clock reading from the earlier one";
        next = "subtract the clock reading before the kernel from the one after it";
    } else if (timer->printed == 0) {
        odd = ". The work is probably not between the two clock readings";
        next = "read the clock before the launch, and again when the kernel has finished";
    } else if (timer->printed > timer->run->seconds && timer->run->seconds > 0)
        odd = arena_format(diagnoses->arena,
                           ". The whole program ran for only %.3g s: the printed time is probably "
                           "one clock reading instead of a difference of two",
                           timer->run->seconds);
    else if (timer->range.measured == MEASURED_DIVIDED) {
        next = "divide the time by how often the result is computed between the two readings";
        odd = arena_format(diagnoses->arena,
                           ". The time between two clock readings is divided by %.0f, but the "
                           "result is computed %zu time%s between them",
                           timer->range.divisor, timer->range.work.repeats,
                           timer->range.work.repeats == 1 ? "" : "s");
    } else if (timer->over.work.alloc != NULL && timer->printed > timer->kernel) {
        odd = ". The timer includes the memory allocation in this line";
        next = "allocate the memory before you start the timer";
        site = timer->over.work.alloc;
    }
    bool added = add(diagnoses, "printed-figure", site, timer, NULL,
                     "with arguments %s, the program prints %.4g ms, but the kernel took %.4g ms%s",
                     timer->run->arguments, timer->printed * 1e3, timer->kernel * 1e3, odd);
    if (added) diagnoses->list[diagnoses->count - 1].next = next;
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
         (timer->range.measured == MEASURED_WHOLE && add_rates(diagnoses, check, timer))))
        too_short = false;
    if (too_long &&
        (add_unit(diagnoses, check, timer) || add_copies(diagnoses, timer) ||
         add_rates(diagnoses, check, timer) || add_first_call(diagnoses, check, timer) ||
         add_rehearsal(diagnoses, check, timer)))
        too_long = false;
    if (measures->refuted && timer->range.work.kernels == 0 && timer->over.work.copy != NULL)
        too_long = false; /* the copy's line has been named */
    if (too_short || too_long) add_figure(diagnoses, check, timer);
    if (ladder_misses(ladder, measures, MEASURE_SHARE)) add_rehearsal(diagnoses, check, timer);
}
