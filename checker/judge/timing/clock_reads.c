/* clock_reads.c: see clock_reads.h. */
#include "judge/timing/clock_reads.h"
#include "judge/timing/printed_time.h"
#include "judge/timing/thresholds.h"

#include <math.h>
#include <string.h>

static bool loads_all(const struct run *run, double bytes)
{
    return bytes >= LOADED_LEAST * oracle_input_bytes(&run->problem);
}

bool work_holds(const struct run *run, const struct record *kernel, const struct record *from,
                const struct record *to)
{
    const struct record *launch = trace_launch(&run->trace, kernel->kernel.id);
    const struct record *begun = from->event == EVENT_MARK || launch == NULL ? kernel : launch;
    bool after = begun->start > from->start || (begun->start == from->start && begun > from);
    return after && (begun->start < to->start || (begun->start == to->start && begun < to));
}

/* True when every kernel i is like kernel i - length, and each group of `length` kernels makes the
 * whole result. */
static bool repeats(const struct run *run, const struct record *const *list, size_t count,
                    size_t length)
{
    double in = 0, out = 0, result = (double)run->problem.elements * sizeof(float);
    if (count % length != 0) return false;
    for (size_t i = 0; i < count; i++) {
        if (i >= length &&
            !trace_alike(&run->trace, list[i - length]->kernel.id, list[i]->kernel.id))
            return false;
        in += list[i]->kernel.loaded;
        out += list[i]->kernel.written;
        if (i % length != length - 1) continue;
        if (!loads_all(run, in) || out < result) return false;
        in = out = 0;
    }
    return true;
}

/* True when a record can come from a call that waits for a kernel. */
static bool may_wait(const struct record *r)
{
    switch (r->event) {
    case EVENT_LAUNCH:
    case EVENT_KERNEL:
    case EVENT_ACCESS:
    case EVENT_ARITHMETIC:
    case EVENT_CLOCK:
    case EVENT_MARK:
    case EVENT_FAULT:
    case EVENT_FORGIVEN:
    case EVENT_PROBE: return false;
    default: return true;
    }
}

/* True when a kernel can tell the host that it has ended: in memory that both use. */
static bool shares_memory(const struct run *run)
{
    TRACE_EACH (&run->trace, EVENT_ALLOC, r)
        if (strcmp(r->alloc.space, "device") != 0) return true;
    return false;
}

static bool can_be_awaited(const struct run *run, const struct record *kernel,
                           const struct record *to)
{
    const struct record *launch = trace_launch(&run->trace, kernel->kernel.id);
    if (!run->trace.simulated || to->event != EVENT_CLOCK || launch == NULL) return true;
    for (const struct record *r = launch; r < to; r++)
        if (may_wait(r)) return true;
    return shares_memory(run);
}

struct work work_between(const struct check *check, const struct run *run,
                         const struct record *from, const struct record *to)
{
    struct work work = {.made = run->maker_count == 0};
    const struct record **list =
        arena_take(check->arena, (trace_kernels(&run->trace) + 1) * sizeof *list);
    TRACE_EACH (&run->trace, EVENT_KERNEL, r) {
        if (!work_holds(run, r, from, to)) continue;
        list[work.kernels++] = r;
        work.loaded += r->kernel.loaded;
        if (work.late == NULL && r->end > to->start + TRACE_ROUNDING) work.late = r;
        for (size_t i = 0; i < run->maker_count; i++)
            work.made = work.made || trace_alike(&run->trace, r->kernel.id, run->makers[i]);
    }
    work.whole = loads_all(run, work.loaded);
    work.awaited = work.kernels == 0 || can_be_awaited(run, list[work.kernels - 1], to);
    if (!work.awaited && work.late == NULL) work.late = list[work.kernels - 1];
    for (size_t length = 1; work.whole && work.repeats == 0 && length <= work.kernels; length++)
        if (repeats(run, list, work.kernels, length)) {
            work.repeats = work.kernels / length;
            work.length = length;
        }
    return work;
}

/* The ranges from a clock reading to the next, or between two events. */
struct laps {
    struct timed_range *list;
    size_t count;
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

/* The number that divides `seconds` to give the printed time; 0 when there is none. */
static double divisor_of(const struct search *search, double seconds, double tick)
{
    double shares = round(search->unit * seconds / search->times.list[0].seconds);
    const double divisors[] = {1, shares >= 2 && shares <= READS_MAX ? shares : 1};
    for (size_t i = 0; i < 2 * search->times.count; i++) {
        double divisor = divisors[i / search->times.count], share = seconds / divisor;
        if (lies_between(search, i % search->times.count, share, share, tick / divisor))
            return divisor;
    }
    return 0;
}

static bool holds_copies(const struct run *run, const struct timed_range *range)
{
    TRACE_EACH (&run->trace, EVENT_COPY, r)
        if (r->start >= range->from->start && r->end <= range->to->start) return true;
    return false;
}

/* A wrong divisor is only assumed if it is a likely one, and if the range is as a timer should be:
 * with any range and any divisor, many printed times would fit by chance. */
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
        if (range.measured != MEASURED_WHOLE || !likely || holds_copies(search->run, &range))
            return;
        range.measured = MEASURED_DIVIDED;
    }
    if (range.measured > search->best.measured) search->best = range;
}

/* Of a sum it is known what was late. */
static void try_range(struct search *search, struct timed_range range, double tick)
{
    const struct record *late = range.work.late;
    range.divisor = divisor_of(search, range.seconds, tick);
    if (range.divisor == 0 || search->tried++ >= RANGES_MAX) return;
    range.work = work_between(search->check, search->run, range.from, range.to);
    if (range.sum) range.work.late = late;
    offer(search, range);
}

/* Tries the sum of the last laps in which kernels run, or a share of it. If each lap makes the
 * whole result, any time between the shortest and the longest lap also fits, because a mean is
 * there. */
static void try_laps(struct search *search, const struct laps *laps)
{
    struct timed_range sum = {.sum = true}, whole = {.divisor = 0};
    double least = INFINITY, most = 0;
    size_t used = 0, wholes = 0;
    for (size_t i = laps->count; i-- > 0;) {
        const struct timed_range *lap = &laps->list[i];
        if (lap->work.kernels == 0) continue;
        if (used++ == 0) sum.to = lap->to;
        sum.from = lap->from;
        sum.seconds += lap->seconds;
        if (sum.work.late == NULL && lap->work.late != NULL) {
            sum.work.late = lap->work.late;
            sum.stop = lap->to;
        }
        if (lap->work.repeats > 0) {
            if (wholes++ == 0) whole = *lap;
            least = fmin(least, lap->seconds / lap->divisor);
            most = fmax(most, lap->seconds / lap->divisor);
        }
        if (used > 1) try_range(search, sum, (double)used * CLOCK_TICK);
    }
    if (wholes >= 2 && lies_between(search, 0, least, most, CLOCK_TICK)) offer(search, whole);
}

static double seconds_between(const struct record *from, const struct record *to)
{
    return (to->start - from->start) * 1e-9;
}

static const struct record *mark_of(const struct trace *trace, uint64_t id)
{
    TRACE_EACH (trace, EVENT_MARK, r)
        if (r->mark.id == id) return r;
    return NULL;
}

/* The last laps of one kind: EVENT_CLOCK or EVENT_ELAPSED. */
static struct laps laps_of(const struct check *check, const struct run *run, enum event kind)
{
    struct laps laps = {arena_take(check->arena, READS_MAX * sizeof *laps.list), 0};
    const struct record *before = NULL;
    size_t left = 0;
    TRACE_EACH (&run->trace, kind, r)
        left++;
    TRACE_EACH (&run->trace, kind, r) {
        struct timed_range lap = {.from = before, .to = r};
        before = left <= READS_MAX ? r : NULL;
        if (left-- > READS_MAX) continue;
        if (kind == EVENT_ELAPSED) {
            lap.from = mark_of(&run->trace, r->elapsed.from);
            lap.to = mark_of(&run->trace, r->elapsed.to);
        }
        if (lap.from == NULL || lap.to == NULL) continue;
        lap.seconds =
            kind == EVENT_CLOCK ? seconds_between(lap.from, lap.to) : r->elapsed.ms * 1e-3;
        lap.work = work_between(check, run, lap.from, lap.to);
        lap.divisor = (double)lap.work.repeats;
        laps.list[laps.count++] = lap;
    }
    return laps;
}

struct timed_range clock_reads_last(const struct check *check, const struct run *run)
{
    struct laps laps = laps_of(check, run, EVENT_CLOCK);
    struct timed_range last = {.unit = 1, .divisor = 1};
    if (laps.count == 0) laps = laps_of(check, run, EVENT_ELAPSED);
    for (size_t i = laps.count; i-- > 0 && last.from == NULL;) {
        if (laps.list[i].work.repeats == 0 || !laps.list[i].work.made) continue;
        last = laps.list[i];
        last.unit = last.divisor = 1;
    }
    return last;
}

static void try_unit(struct search *search, double unit, const struct laps *events,
                     const struct laps *clocks)
{
    search->unit = unit;
    for (size_t i = 0; i < events->count; i++)
        try_range(search, events->list[i], CLOCK_TICK);
    for (size_t i = 0; i < clocks->count; i++)
        for (size_t j = i; j < clocks->count; j++) {
            struct timed_range range = {.from = clocks->list[i].from, .to = clocks->list[j].to};
            range.seconds = seconds_between(range.from, range.to);
            try_range(search, range, CLOCK_TICK);
        }
    try_laps(search, events);
    try_laps(search, clocks);
}

struct timed_range clock_reads_find(const struct check *check, const struct run *run)
{
    static const double units[] = {1, 1e3, 1e6, 1e-3};
    struct search search = {.check = check, .run = run, .best = {.unit = 1, .divisor = 1}};
    search.times = printed_times(&run->printed.b, &run->problem);
    if (search.times.count == 0) return search.best;
    search.best.measured = MEASURED_NOWHERE;
    if (!(search.times.list[0].seconds > 0)) return search.best;
    struct laps events = laps_of(check, run, EVENT_ELAPSED);
    struct laps clocks = laps_of(check, run, EVENT_CLOCK);
    struct timed_range first = search.best;
    enum measured least = run->device == DEVICE_SIM ? MEASURED_EARLY : MEASURED_OUTSIDE;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        try_unit(&search, units[i], &events, &clocks);
        if (i == 0) first = search.best;
        if (search.best.measured >= least) return search.best;
    }
    return first;
}
