/* clock_reads.c: see clock_reads.h. */
#include "judge/timing/clock_reads.h"
#include "judge/timing/thresholds.h"

#include <math.h>
#include <string.h>

/* Records of what does not wait for a kernel, as bits. All others may come from calls that wait. */
static const unsigned WAITS_NEVER = 1u << EVENT_LAUNCH | 1u << EVENT_KERNEL | 1u << EVENT_ACCESS |
                                    1u << EVENT_ARITHMETIC | 1u << EVENT_CLOCK | 1u << EVENT_MARK |
                                    1u << EVENT_FAULT | 1u << EVENT_FORGIVEN |
                                    1u << EVENT_PERTURBED;

/* Compares the times of two records. If they are the same, the record that was written first is
 * earlier. */
static bool is_earlier(const struct record *a, const struct record *b)
{
    return a->start < b->start || (a->start == b->start && a < b);
}

/* True when a kernel belongs to a range: it was launched between two clock readings, or it started
 * between two events. Other host threads and other streams count as well. */
static bool holds(const struct timed_range *range, const struct record *kernel)
{
    const struct record *launch = trace_launch(&range->run->trace, kernel->kernel.id);
    const struct record *begun =
        range->from->event == EVENT_MARK || launch == NULL ? kernel : launch;
    return is_earlier(range->from, begun) && is_earlier(begun, range->to);
}

static const struct record *kernel_of(const struct timed_range *range, size_t i)
{
    return range->run->trace.kernels.list[range->work.indices[i]];
}

/* True when every kernel i is like kernel i - length, and each group of `length` kernels makes the
 * whole result. */
static bool repeats(const struct timed_range *range, size_t length)
{
    const struct run *run = range->run;
    double inputs = LOADED_LEAST * oracle_input_bytes(&run->problem), in = 0, out = 0;
    double result = (double)run->problem.elements * sizeof(float);
    if (range->work.kernels % length != 0) return false;
    for (size_t i = 0; i < range->work.kernels; i++) {
        const struct record *r = kernel_of(range, i), *other = kernel_of(range, i % length);
        if (!trace_alike(&run->trace, other->kernel.id, r->kernel.id)) return false;
        in += r->kernel.loaded;
        out += r->kernel.written;
        if (i % length != length - 1) continue;
        if (in < inputs || out < result) return false;
        in = out = 0;
    }
    return true;
}

/* The kernel of this launch, if it belongs to the range. */
static const struct record *held_kernel(const struct timed_range *range, uint64_t launch)
{
    for (size_t i = 0; launch != 0 && i < range->work.kernels; i++)
        if (kernel_of(range, i)->kernel.id == launch) return kernel_of(range, i);
    return NULL;
}

/* Finds out whether something can wait for the kernels between the launch of the last one and the
 * end of the range. If it leaves one out, because that one is in another stream, `running` is this
 * kernel. A kernel can also tell the host that it has ended, in memory that both use. */
static void find_waits(struct timed_range *range, const struct record *last)
{
    const struct trace *trace = &range->run->trace;
    const struct record *launch = trace_launch(trace, last->kernel.id);
    struct timed_work *work = &range->work;
    work->awaited = true;
    if (!trace->simulated || launch == NULL) return;
    if (range->to->event == EVENT_MARK) {
        work->running = held_kernel(range, range->to->mark.running);
        work->awaited = work->running == NULL;
        return;
    }
    for (const struct record *r = launch; r < range->to; r++) {
        if ((WAITS_NEVER >> r->event & 1) != 0) continue;
        work->running = r->event == EVENT_SYNC ? held_kernel(range, r->sync.running) : NULL;
        if (work->running == NULL) return;
    }
    work->awaited = false;
    TRACE_EACH (trace, EVENT_ALLOC, r)
        if (strcmp(r->alloc.space, "device") != 0) work->awaited = true;
    if (work->awaited) work->running = NULL;
}

static void add_kernel(struct timed_range *range, size_t index)
{
    const struct run *run = range->run;
    const struct record *r = run->trace.kernels.list[index];
    struct timed_work *work = &range->work;
    work->indices[work->kernels++] = index;
    work->loaded += r->kernel.loaded;
    if (work->late == NULL && r->end > range->to->start + TRACE_ROUNDING) work->late = r;
}

static bool holds_like(const struct timed_range *range, uint64_t launch)
{
    for (size_t i = 0; i < range->work.kernels; i++)
        if (trace_writes_alike(&range->run->trace, kernel_of(range, i)->kernel.id, launch))
            return true;
    return false;
}

/* Did kernels of the range write an array with the result? They wrote nearly all of it. Or they
 * wrote nothing of it, but are like its last writer, and the result had come back before they
 * ended: the program may time the same work again. */
static bool made_array(const struct timed_range *range, const struct maker *maker)
{
    double inside = 0, all = 0;
    for (size_t i = 0; i < maker->count; i++) {
        all += maker->writers[i].bytes;
        if (held_kernel(range, maker->writers[i].launch) != NULL) inside += maker->writers[i].bytes;
    }
    if (inside > 0) return inside >= WRITTEN_LEAST * all;
    return (range->to == NULL || maker->copied < range->to->start) &&
           holds_like(range, maker->last);
}

/* Notes which launch outside of the range wrote the most of the result. */
static void find_elsewhere(struct timed_range *range)
{
    const struct maker *maker = &range->run->makers[0];
    double all = 0, most = 0;
    range->work.elsewhere = trace_launch(&range->run->trace, maker->last);
    range->work.elsewhere_share = 1;
    for (size_t i = 0; i < maker->count; i++) {
        const struct writer *writer = &maker->writers[i];
        all += writer->bytes;
        if (held_kernel(range, writer->launch) != NULL || writer->bytes <= most) continue;
        most = writer->bytes;
        range->work.elsewhere = trace_launch(&range->run->trace, writer->launch);
    }
    if (most > 0) range->work.elsewhere_share = most / all;
}

static bool made(const struct timed_range *range)
{
    const struct run *run = range->run;
    for (size_t i = 0; i < run->maker_count; i++)
        if (made_array(range, &run->makers[i])) return true;
    return run->maker_count == 0;
}

/* Adds what else happens between the readings. */
static void add_call(struct timed_work *work, const struct record *r)
{
    if (r->event == EVENT_ALLOC && r->file != NULL && work->alloc == NULL) work->alloc = r;
    if (r->event != EVENT_COPY || strcmp(r->copy.direction, "h2h") == 0 ||
        strcmp(r->copy.direction, "d2d") == 0)
        return;
    if (work->copy == NULL) work->copy = r;
    work->copies += (r->end - r->start) * 1e-9;
}

/* Finds the work of a job. It is whole if the range begins before its first copy, and ends after
 * the call that makes its last copy. It repeats as often as all of its bytes go to the GPU. */
static void find_job_work(struct timed_range *range)
{
    const struct end_to_end *job = range->job;
    const struct record *from = range->from, *to = range->to;
    struct timed_work *work = &range->work;
    double bytes = 0;
    uint64_t running = 0; /* the first launch that nobody has waited for */
    *work = (struct timed_work){.made = true, .awaited = true, .stop = to};
    TRACE_EACH (&range->run->trace, EVENT_COPY, r)
        if (is_earlier(from, r) && r < to && strcmp(r->copy.direction, "h2d") == 0)
            bytes += (double)r->copy.bytes;
    TRACE_EACH (&range->run->trace, EVENT_ALLOC, r)
        if (is_earlier(from, r) && is_earlier(r, to) && r->file != NULL && work->alloc == NULL)
            work->alloc = r;
    work->whole =
        from->start <= job->start + TRACE_ROUNDING && from < job->first_down && job->last_up < to;
    if (job->end > to->start + TRACE_ROUNDING) work->late = job->latest;
    if (to->event == EVENT_MARK) running = to->mark.running;
    for (const struct record *r = job->last_up; r < to && to->event != EVENT_MARK; r++)
        if (r->event == EVENT_SYNC) running = r->sync.running;
    TRACE_EACH (&range->run->trace, EVENT_KERNEL, r)
        if (running != 0 && r->kernel.id == running && r->start >= job->start)
            work->running = work->late = r;
    work->repeats = (size_t)(bytes / job->down_bytes);
    work->kernels = work->repeats;
}

/* Finds out what happens between the readings. */
static void find_work(const struct check *check, struct timed_range *range)
{
    if (range->job != NULL) {
        find_job_work(range);
        return;
    }
    const struct run *run = range->run;
    const struct trace_index *kernels = &run->trace.kernels;
    struct timed_work *work = &range->work;
    *work = (struct timed_work){.stop = range->to};
    work->indices = arena_alloc(check->arena, (kernels->count + 1) * sizeof *work->indices);
    for (size_t i = 0; i < kernels->count; i++)
        if (holds(range, kernels->list[i])) add_kernel(range, i);
    work->made = made(range);
    if (!work->made) find_elsewhere(range);
    for (size_t i = 0; i < run->trace.count && !range->sum; i++) {
        const struct record *r = &run->trace.records[i];
        if (is_earlier(range->from, r) && is_earlier(r, range->to) && r->end <= range->to->start)
            add_call(work, r);
    }
    work->whole = work->loaded >= LOADED_LEAST * oracle_input_bytes(&run->problem);
    const struct record *last = work->kernels > 0 ? kernel_of(range, work->kernels - 1) : NULL;
    work->awaited = true;
    if (last != NULL) find_waits(range, last);
    if (!work->awaited && work->late == NULL)
        work->late = work->running != NULL ? work->running : last;
    for (size_t length = 1; work->whole && work->repeats == 0 && length <= work->kernels; length++)
        if (repeats(range, length)) {
            work->repeats = work->kernels / length;
            work->length = length;
        }
}

/* The ranges from a clock reading to the next, or between two events. */
struct laps {
    struct timed_range *list;
    size_t count;
};

/* The parameters of the search, and the best range so far. */
struct search {
    const struct check *check;
    enum measured least; /* less is not enough for another unit than seconds */
    double unit;
    size_t tried;
    struct timed_range best;
};

/* The line whose time is looked for. */
static const struct figures *line_of(const struct timed_range *range)
{
    return range->job != NULL ? &range->run->printed.job : &range->run->printed.b;
}

/* How far the times between these two are from all that may be printed: 0 for the timer itself. */
static double misfit_of(const struct search *search, double least, double most)
{
    const struct figures *printed = line_of(&search->best);
    double misfit = INFINITY, low = search->unit * least, high = search->unit * most;
    for (size_t i = 0; i < printed->time_count; i++)
        misfit = fmin(misfit, fmax(low - printed->times[i].most, printed->times[i].least - high));
    return fmax(misfit, 0);
}

/* True when a time between these two may be printed. */
static bool fits(const struct search *search, double least, double most, double tick)
{
    if (search->unit != 1) tick = fmin(tick, UNIT_SLACK * least);
    return misfit_of(search, least, most) <= search->unit * (tick + FLOAT_ROUNDING * most);
}

/* The number that divides `seconds` to give the printed time; 0 when there is none. */
static double divisor_of(const struct search *search, double seconds, double tick)
{
    double shares = round(search->unit * seconds / line_of(&search->best)->time);
    if (fits(search, seconds, seconds, tick)) return 1;
    if (!(shares >= 2 && shares <= READS_MAX)) return 0;
    return fits(search, seconds / shares, seconds / shares, tick / shares) ? shares : 0;
}

/* A wrong divisor is only assumed if it is a likely one, and if the range is as a timer should be:
 * with any range and any divisor, many printed times would fit by chance. */
static void offer(struct search *search, struct timed_range range)
{
    const struct timed_work *work = &range.work;
    range.unit = search->unit;
    range.measured = !work->whole || !work->made ? MEASURED_OUTSIDE
                     : work->late != NULL        ? MEASURED_EARLY
                                                 : MEASURED_WHOLE;
    if (range.divisor != 1 && range.divisor != (double)work->repeats) {
        bool likely =
            range.divisor <= DIVISOR_MOST || range.divisor == 100 || range.divisor == 1000;
        if (range.measured != MEASURED_WHOLE || !likely || work->copy != NULL) return;
        range.measured = MEASURED_DIVIDED;
    }
    if (search->unit != 1 && range.measured < search->least) return;
    double time = range.seconds / range.divisor;
    range.misfit = misfit_of(search, time, time);
    bool nearer = range.measured == search->best.measured && range.misfit < search->best.misfit;
    if (range.measured > search->best.measured || nearer) search->best = range;
}

/* Tries one range. For a sum of laps, the caller knows already which kernel was late. */
static void try_range(struct search *search, struct timed_range range, double tick)
{
    struct timed_work before = range.work;
    range.divisor = divisor_of(search, range.seconds, tick);
    if (range.divisor == 0 || search->tried++ >= RANGES_MAX) return;
    find_work(search->check, &range);
    if (range.sum) {
        range.work.late = before.late;
        range.work.stop = before.stop;
    }
    offer(search, range);
}

/* Tries the sum of the last laps in which kernels run, or a share of it. If each lap makes the
 * whole result, any time between the shortest and the longest lap also fits, as a mean; but in
 * seconds only, because nearly every time is such a mean in some unit. */
static void try_laps(struct search *search, const struct laps *laps)
{
    struct timed_range sum = {.run = search->best.run, .job = search->best.job, .sum = true},
                       whole = {.sum = false};
    double least = INFINITY, most = 0;
    size_t used = 0, wholes = 0;
    for (size_t i = laps->count; i-- > 0;) {
        const struct timed_range *lap = &laps->list[i];
        if (lap->work.kernels == 0) continue;
        if (used++ == 0) sum.to = lap->to;
        sum.from = lap->from;
        sum.seconds += lap->seconds;
        if (sum.work.late == NULL) sum.work = lap->work;
        if (lap->work.repeats > 0) {
            double each = lap->seconds / (double)lap->work.repeats;
            if (wholes++ == 0) whole = *lap;
            least = fmin(least, each);
            most = fmax(most, each);
        }
        if (used > 1) try_range(search, sum, (double)used * CLOCK_TICK);
    }
    whole.divisor = (double)whole.work.repeats;
    if (search->unit == 1 && wholes >= 2 && fits(search, least, most, CLOCK_TICK))
        offer(search, whole);
}

/* The last laps of one kind: EVENT_CLOCK or EVENT_ELAPSED. */
static struct laps laps_of(const struct check *check, const struct run *run,
                           const struct end_to_end *job, enum event kind)
{
    const struct trace *trace = &run->trace;
    bool clocks = kind == EVENT_CLOCK;
    const struct trace_index *reads = clocks ? &trace->clocks : &trace->elapsed;
    struct laps laps = {arena_alloc(check->arena, READS_MAX * sizeof *laps.list), 0};
    size_t first = reads->count > READS_MAX ? reads->count - READS_MAX : 0;
    for (size_t i = first + clocks; i < reads->count; i++) {
        const struct record *r = reads->list[i];
        struct timed_range lap = {.run = run, .job = job};
        lap.from = clocks ? reads->list[i - 1] : trace_mark(trace, r->elapsed.from);
        lap.to = clocks ? r : trace_mark(trace, r->elapsed.to);
        if (lap.from == NULL || lap.to == NULL) continue;
        lap.seconds = clocks ? trace_seconds(lap.from, r) : r->elapsed.ms * 1e-3;
        find_work(check, &lap);
        laps.list[laps.count++] = lap;
    }
    return laps;
}

struct timed_range clock_reads_last(const struct check *check, const struct run *run)
{
    struct laps laps = laps_of(check, run, NULL, EVENT_CLOCK);
    if (laps.count == 0) laps = laps_of(check, run, NULL, EVENT_ELAPSED);
    for (size_t i = laps.count; i-- > 0;)
        if (laps.list[i].work.repeats > 0 && laps.list[i].work.made) return laps.list[i];
    return (struct timed_range){.from = NULL};
}

/* Tries all pairs of clock readings, the last ones first: warm-ups come before the timer. */
static void try_pairs(struct search *search, const struct laps *clocks)
{
    for (size_t i = clocks->count; i-- > 0;)
        for (size_t j = i; j < clocks->count; j++) {
            struct timed_range range = clocks->list[i];
            range.to = clocks->list[j].to;
            range.seconds = trace_seconds(range.from, range.to);
            try_range(search, range, CLOCK_TICK);
        }
}

/* Tries sums of times between events that follow each other, each from where the one before ends:
 * unlike other sums, they also hold what is between two kernels. */
static void try_chains(struct search *search, const struct laps *events)
{
    for (size_t i = 0; i < events->count; i++) {
        struct timed_range range = events->list[i];
        for (size_t j = i + 1; j < events->count && events->list[j].from == range.to; j++) {
            range.to = events->list[j].to;
            range.seconds += events->list[j].seconds;
            try_range(search, range, (double)(j - i + 1) * CLOCK_TICK);
        }
    }
}

struct timed_range clock_reads_find(const struct check *check, const struct run *run,
                                    const struct end_to_end *job)
{
    static const double units[] = {1, 1e3, 1e6, 1e-3};
    struct search search = {
        check, .best = {.run = run, .job = job, .unit = 1, .divisor = 1, .misfit = INFINITY}};
    if (!isnan(line_of(&search.best)->time)) search.best.measured = MEASURED_NOWHERE;
    if (!(line_of(&search.best)->time > 0)) return search.best;
    struct laps events = laps_of(check, run, job, EVENT_ELAPSED);
    struct laps clocks = laps_of(check, run, job, EVENT_CLOCK);
    search.least = run->device == DEVICE_SIM ? MEASURED_EARLY : MEASURED_OUTSIDE;
    for (size_t u = 0; u < sizeof units / sizeof units[0] && search.best.measured < search.least;
         u++) {
        search.unit = units[u];
        for (size_t i = 0; i < events.count; i++)
            try_range(&search, events.list[i], CLOCK_TICK);
        try_pairs(&search, &clocks);
        try_chains(&search, &events);
        try_laps(&search, &events);
        try_laps(&search, &clocks);
    }
    return search.best;
}
