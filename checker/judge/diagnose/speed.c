/*
 * speed.c: the diagnoses of what keeps a right program slow: accesses that move more sectors or
 * take more wavefronts than they need, too few threads, too small blocks, repeated work, and slow
 * arithmetic. Each is given only where the ladder asks for more than was seen.
 */
#include "judge/diagnose/kinds.h"
#include "judge/measure/accesses.h"
#include "judge/timing/timer.h"
#include "judge/read/phrases.h"

#include <math.h>
#include <string.h>

enum { SECTOR = 32 }; /* bytes: the unit in which memory moves */

/* The access of the timed kernels that wastes the most sectors or wavefronts. Only loads are looked
 * at when stores do not count. */
static const struct record *worst_access(const struct trace *trace, const struct counts *counts,
                                         bool shared, bool stores)
{
    const struct record *worst = NULL;
    double most = 0;
    TRACE_EACH (trace, EVENT_ACCESS, r) {
        double wasted = r->access.used - access_needed(r);
        if (!counts_hold(counts, r->access.kernel) || r->access.shared != shared || wasted <= most)
            continue;
        if (!stores && strcmp(r->access.kind, "load") != 0) continue;
        most = wasted;
        worst = r;
    }
    return worst;
}

static void add_access(struct diagnoses *diagnoses, const struct run *run,
                       const struct counts *counts, bool shared, bool stores)
{
    const struct record *r = worst_access(&run->trace, counts, shared, stores);
    if (r == NULL) return;
    unsigned long long lanes = r->access.worst_lanes, used = r->access.worst_used;
    double ideal = ceil((double)lanes * (double)r->access.size / (shared ? 128 : 32));
    json_t *evidence =
        json_pack("{s:s, s:f, s:f, s:f, s:I}", "kind", r->access.kind, "requests",
                  r->access.requests, shared ? "wavefronts" : "sectors", r->access.used, "ideal",
                  r->access.ideal, "size", (json_int_t)r->access.size);
    if ((double)used <= ideal && !shared)
        diagnoses_add(diagnoses, run, "uncoalesced-access", r, evidence,
                      "on average, %.3g of a warp's 32 threads take part in this %.10s. It moves "
                      "whole sectors of 32 bytes, and uses %.0f %% of them",
                      r->access.lanes / r->access.requests, r->access.kind,
                      100 * access_needed(r) / r->access.used);
    else if ((double)used <= ideal)
        json_decref(evidence);
    else
        diagnoses_add(
            diagnoses, run, shared ? "bank-conflict" : "uncoalesced-access", r, evidence,
            shared ? "one warp's %llu %.10ss of shared memory take %llu wavefronts; %.0f would be "
                     "enough"
                   : "one warp's %llu %.10ss touch %llu sectors of 32 bytes; %.0f would be enough",
            lanes, r->access.kind, used, ideal);
}

/* The launch with the most blocks among the timed kernels. */
static const struct record *widest_launch(const struct trace *trace, const struct counts *counts)
{
    const struct record *widest = NULL;
    TRACE_EACH (trace, EVENT_LAUNCH, r)
        if (counts_hold(counts, r->launch.id) && r->launch.error == 0 &&
            r->launch.blocks > (widest != NULL ? widest->launch.blocks : 0))
            widest = r;
    return widest;
}

static void add_few_blocks(struct diagnoses *diagnoses, const struct run *run,
                           const struct counts *counts)
{
    const struct record *r = widest_launch(&run->trace, counts);
    double sms = run->trace.sms;
    if (r == NULL || r->launch.library != NULL || counts->blocks >= sms) return;
    diagnoses_add(diagnoses, run, "few-blocks", r,
                  json_pack("{s:f, s:f}", "blocks", counts->blocks, "sms", sms),
                  "%.0f block%s of the GPU's %.0f SMs. No work is left for the other %.0f",
                  counts->blocks, counts->blocks == 1 ? " runs on one" : "s run, each on one", sms,
                  sms - counts->blocks);
}

/* Blocks so small that an SM reaches its limit of blocks before it is full of threads. */
static void add_tiny_blocks(struct diagnoses *diagnoses, const struct run *run,
                            const struct measures *measures)
{
    const struct occupancy *occupancy = &measures->occupancy;
    const struct record *r = widest_launch(&run->trace, &measures->counts);
    if (r == NULL || r->launch.library != NULL || measures->counts.blocks < run->trace.sms ||
        !(occupancy->value <= 0.5) || strcmp(occupancy->limited_by, "blocks") != 0)
        return;
    diagnoses_add(diagnoses, run, "tiny-blocks", r,
                  json_pack("{s:i, s:f, s:f}", "threads", (int)r->launch.threads, "blocks_per_sm",
                            occupancy->blocks_per_sm, "occupancy", occupancy->value),
                  "with %.0f threads per block, an SM is only %.0f %% full: it never holds more "
                  "than %.0f blocks",
                  r->launch.threads, 100 * occupancy->value, occupancy->blocks_per_sm);
}

/* Lanes of one atomic access share addresses when the access touches fewer sectors than their
 * numbers would fill. */
static void add_atomics(struct diagnoses *diagnoses, const struct run *run,
                        const struct counts *counts)
{
    TRACE_EACH (&run->trace, EVENT_ACCESS, r) {
        bool atomic = strcmp(r->access.kind, "atomic") == 0;
        if (!counts_hold(counts, r->access.kernel) || !atomic || r->access.shared ||
            r->access.requests <= 0 || r->access.lanes < 2 * r->access.requests ||
            r->access.used * 2 * SECTOR > r->access.lanes * (double)sizeof(float))
            continue;
        diagnoses_add(diagnoses, run, "atomics-on-one-address", r,
                      json_pack("{s:f, s:f, s:f}", "requests", r->access.requests, "lanes",
                                r->access.lanes, "sectors", r->access.used),
                      "with each access, %.3g lanes of a warp update numbers in %.3g sector%s. "
                      "Lanes with the same address wait for each other",
                      r->access.lanes / r->access.requests, r->access.used / r->access.requests,
                      r->access.used > r->access.requests ? "s" : "");
    }
}

/* There are many threads per number of the result, and all lanes of a warp load the same data. */
static void add_redundant(struct diagnoses *diagnoses, const struct run *run,
                          const struct measures *measures)
{
    const struct counts *counts = &measures->counts;
    const struct record *r = widest_launch(&run->trace, counts);
    if (r == NULL || counts->load.ideal <= 0 ||
        counts->load.sectors * 3 * SECTOR > counts->load.bytes)
        return;
    double threads = r->launch.blocks * r->launch.threads / (double)run->problem.elements;
    if (threads < 8) return;
    diagnoses_add(diagnoses, run, "redundant-work", r,
                  json_pack("{s:f, s:f, s:f}", "threads_per_item", threads, "sectors",
                            counts->load.sectors, "ideal", counts->load.ideal),
                  "the launch has %.3g threads per number of the result, and the lanes of a warp "
                  "load the same data. They all do the same work",
                  threads);
}

/* The bytes that the problem needs, per nanosecond of the run's kernels. */
static double rate_of(const struct run *run)
{
    return run->timed.ns > 0 ? run->problem.bytes / run->timed.ns : 0;
}

/* The timed kernels are the first to touch managed memory that holds most of what they need. */
static void add_managed(struct diagnoses *diagnoses, const struct check *check,
                        const struct run *counted, const struct measures *measures)
{
    const struct run *timed = check_next_timed(check, NULL);
    const struct record *first = NULL;
    double moved = measures->counts.moved_bytes;
    if (timed == NULL || moved < 0.5 * counted->problem.bytes) return;
    TRACE_EACH (&counted->trace, EVENT_ALLOC, r)
        if (first == NULL && strcmp(r->alloc.space, "managed") == 0) first = r;
    if (first == NULL) return;
    diagnoses_add(diagnoses, counted, "managed-memory-moves", first,
                  json_pack("{s:f, s:f}", "moved_bytes", moved, "gbs", rate_of(timed)),
                  "with arguments %s, %.3g MB of managed memory move to the GPU when the kernel "
                  "first touches them. The kernel waits for them, and reaches only %.3g GB/s",
                  counted->arguments, moved * 1e-6, rate_of(timed));
}

/* Operations of one kind in a source line. */
typedef double (*operations)(const struct record *);

static double in_double(const struct record *r)
{
    return r->arithmetic.doubles + r->arithmetic.double_divisions + r->arithmetic.conversions;
}

static double divisions(const struct record *r)
{
    return r->arithmetic.divisions + r->arithmetic.divisions_64;
}

/* The line of the timed kernels that does the most of these operations. */
static const struct record *busiest_line(const struct trace *trace, const struct counts *counts,
                                         operations of)
{
    const struct record *busiest = NULL;
    TRACE_EACH (trace, EVENT_ARITHMETIC, r)
        if (counts_hold(counts, r->arithmetic.kernel) &&
            of(r) > (busiest != NULL ? of(busiest) : 0))
            busiest = r;
    return busiest;
}

/* The threads of the kernel that a line's operations belong to. */
static double threads_of(const struct trace *trace, const struct record *line)
{
    const struct record *r = trace_launch(trace, line->arithmetic.kernel);
    return r != NULL ? r->launch.blocks * r->launch.threads : 0;
}

/* How many times as fast the kernels would be without operations that cost this time. */
static double gain(const struct counts *counts, double cost_ns)
{
    double left = counts->kernel_ns - cost_ns;
    return left > 0 ? counts->kernel_ns / left : 0;
}

/* A smaller gain is not reported. */
static const double GAIN_TOLD = 1.25;

/* A thread that divides fewer times than this does so to find its place, not in a loop. */
static const double DIVISIONS_IN_LOOP = 8;

static void add_doubles(struct diagnoses *diagnoses, const struct run *run,
                        const struct counts *counts)
{
    const struct record *r = busiest_line(&run->trace, counts, in_double);
    double faster = gain(counts, counts->doubles_cost_ns);
    double threads = r == NULL ? 0 : threads_of(&run->trace, r);
    if (threads <= 0 || faster < GAIN_TOLD) return;
    double doubles = r->arithmetic.doubles + r->arithmetic.double_divisions;
    diagnoses_add(diagnoses, run, "double-arithmetic", r,
                  json_pack("{s:f, s:f, s:f}", "doubles", doubles, "conversions",
                            r->arithmetic.conversions, "faster", faster),
                  "each thread does %.6g operations in double here, and %.6g conversions from or "
                  "to double. By the model, floats alone would make the kernel %.2g times as fast",
                  doubles / threads, r->arithmetic.conversions / threads, faster);
}

static void add_divisions(struct diagnoses *diagnoses, const struct run *run,
                          const struct counts *counts)
{
    const struct record *r = busiest_line(&run->trace, counts, divisions);
    double faster = gain(counts, counts->divisions_cost_ns);
    double threads = r == NULL ? 0 : threads_of(&run->trace, r);
    if (threads <= 0 || divisions(r) < DIVISIONS_IN_LOOP * threads || faster < GAIN_TOLD) return;
    diagnoses_add(
        diagnoses, run, "division-in-loop", r,
        json_pack("{s:f, s:f}", "divisions", divisions(r), "faster", faster),
        "each thread divides whole numbers %.6g times here. By the model, the kernel would be %.2g "
        "times as fast without these divisions",
        divisions(r) / threads, faster);
}

/* A modelled run at the other size is smaller than a measured one. There, only fewer blocks than
 * this share of the SMs are too few. */
static const double FEW_OF_SMS = 0.5;

/* Wavefronts per needed one from which bank conflicts may be why a kernel is slow: matmul's ladder
 * asks for no more. */
static const double WAVEFRONTS_SLOW = 2;

/* Adds the reasons why the program is slow at the timed size of the second shape. */
static void add_second_shape(struct diagnoses *diagnoses, const struct measures *measures)
{
    const struct run *counted = measures->second_shape.counted;
    if (counted == NULL) return;
    if (measures->second_shape.counts.blocks < FEW_OF_SMS * counted->trace.sms)
        add_few_blocks(diagnoses, counted, &measures->second_shape.counts);
    add_atomics(diagnoses, counted, &measures->second_shape.counts);
}

void diagnose_speed(struct diagnoses *diagnoses, const struct check *check,
                    const struct ladder *ladder, const struct measures *measures)
{
    const struct run *counted = check_counted(check);
    const struct counts *counts = &measures->counts;
    diagnose_timing(diagnoses, check, ladder, measures);
    if (counted == NULL) return;
    bool stores = ladder_misses(ladder, measures, MEASURE_SECTORS);
    /* Only timed runs are of the optimised build; the other one copies a float4 in two halves. */
    if (counted->speed && (stores || ladder_misses(ladder, measures, MEASURE_LOAD_SECTORS)))
        add_access(diagnoses, counted, counts, false, stores);
    if (ladder_misses(ladder, measures, MEASURE_WAVEFRONTS))
        add_access(diagnoses, counted, counts, true, true);
    if (ladder_misses(ladder, measures, MEASURE_BLOCKS)) add_few_blocks(diagnoses, counted, counts);
    if (ladder_misses(ladder, measures, MEASURE_SHARE_SECOND_SHAPE))
        add_second_shape(diagnoses, measures);
    if (!ladder_misses(ladder, measures, MEASURE_SHARE)) return;
    add_managed(diagnoses, check, counted, measures);
    add_tiny_blocks(diagnoses, counted, measures);
    add_atomics(diagnoses, counted, counts);
    add_redundant(diagnoses, counted, measures);
    /* Bank conflicts and slow arithmetic may be intended: they are reported only when nothing but
     * speed is missing. */
    const struct criterion *open = ladder_next(ladder);
    if (open == NULL || open->passed != PASSED_NO || !criterion_asks(open, MEASURE_SHARE)) return;
    if (measures->list[MEASURE_WAVEFRONTS].value > WAVEFRONTS_SLOW)
        add_access(diagnoses, counted, counts, true, true);
    add_doubles(diagnoses, counted, counts);
    add_divisions(diagnoses, counted, counts);
}
