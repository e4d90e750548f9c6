/* timer.c: see timer.h. */
#include "judge/timing/timer.h"
#include "judge/timing/thresholds.h"

#include <math.h>

/* Finds kernels first to end - 1 of a run in another one: as many follow them there, where a call
 * of a library may be several. A whole job comes last, with another number for each size: then as
 * many come before them. If a warm-up or a large problem takes more kernels, they are the last ones
 * that fit in the printed time. False if unknown. */
static bool find_in(const struct run *other, const struct run *run, size_t first, size_t end,
                    bool mean, size_t *from, size_t *to)
{
    const struct trace_index *kernels = &other->trace.kernels;
    size_t count = run->trace.kernels.count, all = kernels->count, calls = 0, inside = 0, later = 0;
    for (size_t i = 0; i < count; i++) {
        bool is_call = run->trace.kernels.list[i]->kernel.library != NULL;
        calls += is_call;
        inside += is_call && i >= first;
        later += is_call && i >= end;
    }
    if (run->printed.job.present && all != count && calls == 0) {
        *from = first;
        *to = end;
        return end <= all;
    }
    size_t more = calls > 0 && all > count ? (all - count) / calls : 0; /* kernels per call */
    size_t after = count - end + later * more;
    if (after > all) return false;
    *from = *to = all - after;
    if (all == count || more > 0) {
        *from = first == 0 && calls > 0 ? 0 : all - (count - first + inside * more);
        return true;
    }
    double ns = mean ? 0 : 1e9 * other->printed.b.time / TIME_OF_ALL;
    double stop = *to > 0 ? kernels->list[*to - 1]->end : 0;
    while (*from > 0 && (*from == *to || stop - kernels->list[*from - 1]->start <= ns))
        --*from;
    return end > first && *to - *from >= end - first;
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
    const struct timed_work *work = &range.work;
    if (counted != NULL && range.measured < MEASURED_EARLY)
        range = clock_reads_last(check, counted);
    bool mean = range.divisor > 1 && (!range.sum || range.divisor == (double)work->repeats);
    size_t first = 0,
           end = range.from == NULL && counted != NULL ? counted->trace.kernels.count : 0;
    if (work->kernels > 0) {
        first = work->indices[mean ? work->kernels - work->length : 0];
        end = work->indices[work->kernels - 1] + 1;
    }
    for (size_t i = 0; i < check->run_count; i++) {
        struct run *run = &check->runs[i];
        size_t from, to, all = run->trace.kernels.count;
        bool found = counted != NULL && find_in(run, counted, first, end, mean, &from, &to);
        run->timed = timed_of(run, found ? from : 0, found ? to : all, range.sum);
        run->timed.chosen = found;
    }
}

/* Finds the run whose printed time is the smallest part of its kernels' time. If it is not known
 * which of several kernels are timed, a time that is too short for all of them proves nothing. */
static void choose_run(struct timer *timer, const struct check *check)
{
    const struct run *run = NULL;
    timer->why = "no kernel ran";
    while ((run = check_next_timed(check, run)) != NULL) {
        double kernel = run->timed.ns * 1e-9, printed = run->printed.b.time;
        if (isnan(printed)) timer->why = "part B's time is not printed";
        if (isnan(printed) || kernel <= 0) continue;
        if (!run->timed.chosen && trace_kernels(&run->trace) > 1 && printed < TIME_OF_ALL * kernel)
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

struct timer timer_find(struct check *check)
{
    const struct run *counted = check_counted(check);
    struct timer timer = {.range = {.unit = 1, .divisor = 1}};
    if (counted != NULL && !counted->died) timer.range = clock_reads_find(check, counted, NULL);
    find_kernels(check, counted, timer.range);
    choose_run(&timer, check);
    timer.over = timer.range;
    if (timer.run == NULL || timer.run->device != DEVICE_REAL) return timer;
    struct timed_range own = clock_reads_find(check, timer.run, NULL);
    if (own.from != NULL) timer.over = own;
    return timer;
}
