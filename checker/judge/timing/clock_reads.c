/* clock_reads.c: see clock_reads.h. */
#include "judge/timing/clock_reads.h"
#include "judge/timing/thresholds.h"

#include <math.h>
#include <string.h>

/* Two readings, or the marks of two events, and the time between them. */
struct lap {
    const struct record *from, *to;
    double seconds;
};

/* What is searched, and the best range so far. */
struct search {
    const struct check *check;
    const struct run *run;
    struct printed_times times;
    double unit;
    size_t tried;
    struct timed_range best;
};

static bool lies_between(const struct search *search, size_t which, double least, double most,
                         double tick)
{
    const struct printed_time *time = &search->times.list[which];
    if (search->unit != 1) tick = fmin(tick, UNIT_SLACK * least);
    double slack = tick + FLOAT_ROUNDING * most;
    return search->unit * (most + slack) >= time->least &&
           search->unit * (least - slack) <= time->most;
}

static bool is_printed(const struct search *search, double seconds, double tick)
{
    for (size_t i = 0; i < search->times.count; i++)
        if (lies_between(search, i, seconds, seconds, tick)) return true;
    return false;
}

/* The number that divides `seconds` to give the printed time; 0 when there is none. */
static double divisor_of(const struct search *search, double seconds, double tick)
{
    double shares = round(search->unit * seconds / search->times.list[0].seconds);
    if (is_printed(search, seconds, tick)) return 1;
    bool found = shares >= 2 && shares <= READS_MAX;
    return found && is_printed(search, seconds / shares, tick / shares) ? shares : 0;
}

static void offer(struct search *search, struct timed_range range)
{
    const struct work *work = &range.work;
    range.unit = search->unit;
    if (range.stop == NULL) range.stop = range.to;
    range.measured = !work->whole || !work->made ? MEASURED_OUTSIDE
                     : work->late != NULL        ? MEASURED_EARLY
                                                 : MEASURED_WHOLE;
    if (range.divisor != 1 && range.divisor != (double)work->repeats) {
        bool likely =
            range.divisor <= DIVISOR_MOST || range.divisor == 100 || range.divisor == 1000;
        if (range.measured != MEASURED_WHOLE || !likely) return;
        range.measured = MEASURED_DIVIDED;
    }
    if (range.measured > search->best.measured) search->best = range;
}

static void try_lap(struct search *search, struct lap lap)
{
    struct timed_range range = {.from = lap.from, .to = lap.to, .seconds = lap.seconds};
    range.divisor = divisor_of(search, lap.seconds, CLOCK_TICK);
    if (range.divisor == 0 || search->tried++ >= RANGES_MAX) return;
    range.work = work_between(search->check, search->run, lap.from, lap.to);
    offer(search, range);
}

/* Tries the sum of the last laps, or a share of it. If each lap makes the whole result, any time
 * between the shortest and the longest lap also fits, because a mean is there. */
static void try_laps(struct search *search, const struct lap *laps, size_t count)
{
    struct timed_range last = {.divisor = 0}, range = {.sum = true};
    const struct record *late = NULL;
    double least = INFINITY, most = 0;
    size_t wholes = 0;
    for (size_t i = count; i-- > 0;) {
        struct work work = work_between(search->check, search->run, laps[i].from, laps[i].to);
        double each = laps[i].seconds / (double)work.repeats;
        if (late == NULL && work.late != NULL) {
            late = work.late;
            range.stop = laps[i].to;
        }
        if (work.repeats > 0) {
            wholes++;
            least = fmin(least, each);
            most = fmax(most, each);
            if (last.divisor == 0)
                last = (struct timed_range){.from = laps[i].from,
                                            .to = laps[i].to,
                                            .work = work,
                                            .divisor = (double)work.repeats,
                                            .seconds = laps[i].seconds};
        }
        range.from = laps[i].from;
        range.to = laps[count - 1].to;
        range.seconds += laps[i].seconds;
        range.divisor = divisor_of(search, range.seconds, (double)(count - i) * CLOCK_TICK);
        if (i + 1 == count || range.divisor == 0 || search->tried++ >= RANGES_MAX) continue;
        range.work = work_between(search->check, search->run, range.from, range.to);
        range.work.late = late;
        offer(search, range);
    }
    if (wholes >= 2 && lies_between(search, 0, least, most, CLOCK_TICK)) offer(search, last);
}

static const struct record *mark_of(const struct trace *trace, uint64_t id)
{
    TRACE_EACH (trace, EVENT_MARK, r)
        if (r->mark.id == id) return r;
    return NULL;
}

/* The times between events, in `laps`. */
static size_t event_laps(const struct run *run, struct lap laps[READS_MAX])
{
    size_t count = 0;
    TRACE_EACH (&run->trace, EVENT_ELAPSED, r) {
        const struct record *from = mark_of(&run->trace, r->elapsed.from);
        const struct record *to = mark_of(&run->trace, r->elapsed.to);
        if (count < READS_MAX && from != NULL && to != NULL)
            laps[count++] = (struct lap){from, to, r->elapsed.ms * 1e-3};
    }
    return count;
}

static struct lap between(const struct record *from, const struct record *to)
{
    return (struct lap){from, to, (to->start - from->start) * 1e-9};
}

/* Keeps the laps in which kernels run. */
static size_t with_kernels(const struct check *check, const struct run *run, struct lap *laps,
                           size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (work_between(check, run, laps[i].from, laps[i].to).kernels > 0) laps[kept++] = laps[i];
    return kept;
}

/* The last readings of a clock, in `reads`. */
static size_t last_reads(const struct run *run, const struct record *reads[READS_MAX])
{
    size_t all = 0, count = 0;
    TRACE_EACH (&run->trace, EVENT_CLOCK, r)
        all++;
    TRACE_EACH (&run->trace, EVENT_CLOCK, r)
        if (all-- <= READS_MAX) reads[count++] = r;
    return count;
}

static void try_unit(struct search *search, const struct record **reads, size_t read_count,
                     double unit)
{
    struct lap laps[READS_MAX];
    size_t count = event_laps(search->run, laps);
    search->unit = unit;
    for (size_t i = 0; i < count; i++)
        try_lap(search, laps[i]);
    for (size_t i = 0; i < read_count; i++)
        for (size_t j = i + 1; j < read_count; j++)
            try_lap(search, between(reads[i], reads[j]));
    try_laps(search, laps, with_kernels(search->check, search->run, laps, count));
    for (count = 0; count + 1 < read_count; count++)
        laps[count] = between(reads[count], reads[count + 1]);
    try_laps(search, laps, with_kernels(search->check, search->run, laps, count));
}

struct timed_range clock_reads_last(const struct check *check, const struct run *run)
{
    const struct record *reads[READS_MAX];
    struct lap laps[READS_MAX];
    size_t count = last_reads(run, reads);
    struct timed_range last = {.unit = 1, .divisor = 1};
    for (size_t i = 0; i + 1 < count; i++)
        laps[i] = between(reads[i], reads[i + 1]);
    if (count < 2) count = event_laps(run, laps) + 1;
    for (size_t i = count - 1; i > 0 && last.from == NULL; i--) {
        last.from = laps[i - 1].from;
        last.to = laps[i - 1].to;
        last.work = work_between(check, run, last.from, last.to);
        if (last.work.repeats == 0 || !last.work.made) last.from = NULL;
    }
    return last;
}

struct timed_range clock_reads_find(const struct check *check, const struct run *run)
{
    static const double units[] = {1, 1e3, 1e6, 1e-3};
    const struct record *reads[READS_MAX];
    struct search search = {.check = check, .run = run, .best = {.unit = 1, .divisor = 1}};
    search.times = printed_times(&run->printed.b, &run->problem);
    if (!run->printed.b.present || search.times.count == 0) return search.best;
    search.best.measured = MEASURED_NOWHERE;
    if (!(search.times.list[0].seconds > 0)) return search.best;
    size_t count = last_reads(run, reads);
    struct timed_range first = search.best;
    enum measured least = run->device == DEVICE_SIM ? MEASURED_EARLY : MEASURED_OUTSIDE;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        try_unit(&search, reads, count, units[i]);
        if (i == 0) first = search.best;
        if (search.best.measured >= least) return search.best;
    }
    return first;
}
