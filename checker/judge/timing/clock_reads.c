/* clock_reads.c: see clock_reads.h. */
#include "judge/timing/clock_reads.h"

#include <math.h>
#include <string.h>

/* A program that reads clocks more often may put its time together from many parts. */
enum { READINGS_MAX = 16 };

/* A printed time differs from the difference of two readings by so much at most: its digits, and
 * what reading a clock takes. */
static const double PART_APART = 0.05, SECONDS_APART = 5e-6;

/* No CPU, and no node full of them, works at these rates. */
static const double CPU_BYTES_PER_SECOND = 2e13, CPU_FLOPS_PER_SECOND = 1e14;

/* How often the program has read a clock, and the time between two events. */
struct readings {
    size_t clocks, elapsed;
};

static struct readings clock_reads_of(const struct trace *trace)
{
    struct readings readings = {0};
    for (size_t i = 0; i < trace->count; i++) {
        readings.clocks += trace->records[i].event == EVENT_CLOCK;
        readings.elapsed += trace->records[i].event == EVENT_ELAPSED;
    }
    return readings;
}

/* A time that the program printed, two ways to work it out, and what is known of it. */
struct printed_time {
    double by_bytes, by_flops; /* seconds */
    bool measured;
    double loaded; /* by kernels that were launched between the readings; the most of all pairs */
    double least, most; /* the seconds between two readings that have one round between them */
    double sum, summed; /* of all seconds between a reading and the next that have kernels between
                           them; what these load */
};

/* True when the printed time is the measured one, or, of so many rounds, one's share of it. */
static bool explains(double measured, double printed, size_t rounds)
{
    bool whole = fabs(measured - printed) <= PART_APART * printed + SECONDS_APART;
    double share = measured / (double)rounds;
    return whole || (rounds > 1 && fabs(share - printed) <= PART_APART * printed);
}

static double loaded_between(const struct record *from, const struct record *to)
{
    double loaded = 0;
    for (const struct record *r = from; r < to; r++)
        if (r->event == EVENT_KERNEL)
            loaded += r->kernel.library != NULL ? r->kernel.dram_bytes : r->kernel.load.bytes;
    return loaded;
}

/* Two readings that stand at `from` and `to` are so many seconds apart; `next` to each other when
 * there is none between them. */
static void try_pair(struct printed_time *time, const struct check *check, const struct run *run,
                     const struct record *from, const struct record *to, double seconds, bool next)
{
    if (from == NULL || to == NULL) return;
    size_t rounds = repeats_of(check, run, from, to).count;
    const struct record *kernel = trace_next(&run->trace, from, EVENT_KERNEL);
    if (next && kernel != NULL && kernel < to) {
        time->sum += seconds;
        time->summed += loaded_between(from, to);
    }
    if (next && rounds == 1) {
        time->least = fmin(time->least, seconds);
        time->most = fmax(time->most, seconds);
    }
    if (!explains(seconds, time->by_bytes, rounds) && !explains(seconds, time->by_flops, rounds))
        return;
    time->measured = true;
    time->loaded = fmax(time->loaded, loaded_between(from, to));
}

/* Of several rounds, each with readings of its own, any mean lies between the shortest and the
 * longest. */
static void try_mean(struct printed_time *time, const struct run *run)
{
    bool mean = time->by_bytes >= (1 - PART_APART) * time->least &&
                time->by_bytes <= (1 + PART_APART) * time->most;
    if (!mean) return;
    time->measured = true;
    time->loaded = fmax(time->loaded, repeats_inputs(run));
}

/* The work was done in pieces, each with readings of its own. */
static void try_sum(struct printed_time *time)
{
    if (time->sum <= 0 ||
        (!explains(time->sum, time->by_bytes, 1) && !explains(time->sum, time->by_flops, 1)))
        return;
    time->measured = true;
    time->loaded = fmax(time->loaded, time->summed);
}

/* The recording of an event before it was asked about. */
static const struct record *mark_of(const struct trace *trace, uint64_t id,
                                    const struct record *before)
{
    const struct record *found = NULL;
    TRACE_EACH (trace, EVENT_MARK, r)
        if (r < before && r->mark.id == id) found = r;
    return found;
}

/* A time that cannot be the kernel's is told otherwise: a wrong formula may be all there is to it.
 */
static bool fits_kernel(const struct run *run, double printed)
{
    double kernel = timer_kernel_ns(run) * 1e-9;
    return kernel > 0 && printed >= 0.5 * kernel && printed <= 1.1 * kernel + 1e-3;
}

static struct printed_time time_of(const struct check *check, const struct run *run)
{
    const struct trace *trace = &run->trace;
    struct printed_time time = {.by_bytes = run_printed_seconds(run),
                                .by_flops = run->problem.flops / run->printed.b.gflops * 1e-9,
                                .least = INFINITY};
    if (!fits_kernel(run, time.by_flops)) time.by_flops = NAN;
    TRACE_EACH (trace, EVENT_ELAPSED, r)
        try_pair(&time, check, run, mark_of(trace, r->elapsed.from, r),
                 mark_of(trace, r->elapsed.to, r), r->elapsed.ms * 1e-3, true);
    TRACE_EACH (trace, EVENT_CLOCK, from) {
        const struct record *next = trace_next(trace, from + 1, EVENT_CLOCK), *to = next;
        for (; to != NULL; to = trace_next(trace, to + 1, EVENT_CLOCK))
            try_pair(&time, check, run, from, to, (to->start - from->start) * 1e-9, to == next);
    }
    try_mean(&time, run);
    try_sum(&time);
    return time;
}

const char *clock_reads_refute(const struct check *check, const char **name)
{
    const struct run *run = check_counted(check);
    if (run == NULL || run->died || !run->printed.b.present) return NULL;
    struct readings readings = clock_reads_of(&run->trace);
    if (readings.clocks + readings.elapsed > READINGS_MAX) return NULL;
    struct printed_time time = time_of(check, run);
    if (isnan(time.by_bytes) || !fits_kernel(run, time.by_bytes)) return NULL;
    *name = "work-outside-the-watch";
    if (time.measured && repeats_load(run, time.loaded)) return NULL;
    if (time.measured)
        return arena_format(check->arena,
                            "between the readings that give %.4g ms, kernels load %.4g bytes for "
                            "%s; the inputs have %.4g",
                            time.by_bytes * 1e3, time.loaded, run->arguments, repeats_inputs(run));
    *name = "time-not-measured";
    return arena_format(check->arena,
                        "%.4g ms printed for %s; no two readings of a clock are so far apart",
                        time.by_bytes * 1e3, run->arguments);
}

const char *clock_reads_refute_first(const struct check *check, const char **name)
{
    const struct run *run = check_counted(check);
    if (run == NULL || run->died || !run->printed.a.present) return NULL;
    double bytes = run->problem.bytes, flops = run->problem.flops;
    double printed = printed_seconds(&run->printed.a, bytes, flops);
    struct readings readings = clock_reads_of(&run->trace);
    *name = "part-a-skipped";
    if (printed * CPU_BYTES_PER_SECOND < bytes || printed * CPU_FLOPS_PER_SECOND < flops)
        return arena_format(check->arena,
                            "by its line the CPU took %.2g ms for %s, less than any CPU needs",
                            printed * 1e3, run->arguments);
    *name = "time-not-measured";
    if (readings.clocks < 2 && readings.elapsed < 2 && !isnan(printed))
        return arena_format(check->arena,
                            "the CPU's line tells %.4g ms for %s, but no clock of the system was "
                            "read for it",
                            printed * 1e3, run->arguments);
    return NULL;
}

static const struct record *last_launch(const struct trace *trace)
{
    const struct record *last = NULL;
    TRACE_EACH (trace, EVENT_LAUNCH, r)
        last = r;
    return last;
}

static void add(struct diagnoses *diagnoses, const char *name, const struct record *place,
                const char *text, const struct run *run)
{
    json_t *evidence = json_pack("{s:s}", "run", run->dir);
    diagnoses_add(diagnoses, name, place != NULL ? place->file : NULL,
                  place != NULL ? place->line : 0, text, evidence);
}

void clock_reads_diagnose(struct diagnoses *diagnoses, const struct check *check,
                          const struct measures *measures)
{
    const struct run *run = check_counted(check);
    const char *name, *first = clock_reads_refute_first(check, &name);
    const char *other = measures->unread_name, *second = measures->unread;
    if (first != NULL) add(diagnoses, name, NULL, first, run);
    if (second == NULL || measures->outside != NULL || (first != NULL && strcmp(name, other) == 0))
        return;
    add(diagnoses, other, last_launch(&run->trace), second, run);
}
