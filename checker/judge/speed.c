/*
 * speed.c: the diagnoses of what keeps a right program slow: accesses that move more sectors, or
 * take more wavefronts, than they need, too few threads or too small blocks, and work that is done
 * several times. Each is given only where the ladder asks for more than was seen.
 */
#include "diagnose.h"
#include "flow.h"
#include "words.h"

#include <math.h>
#include <string.h>

/* The access of the timed kernels that wastes the most sectors, or the most wavefronts. */
static const struct record *worst_access(const struct trace *trace, uint64_t first, bool shared)
{
    const struct record *worst = NULL;
    double most = 0;
    TRACE_EACH (trace, EVENT_ACCESS, r) {
        double wasted = r->access.used - r->access.ideal;
        if (r->access.kernel < first || r->access.shared != shared || wasted <= most) continue;
        most = wasted;
        worst = r;
    }
    return worst;
}

static void add_access(struct diagnoses *diagnoses, const struct run *run, uint64_t first,
                       bool shared)
{
    const struct record *r = worst_access(&run->trace, first, shared);
    if (r == NULL) return;
    unsigned long long lanes = r->access.worst_lanes, used = r->access.worst_used;
    double ideal = ceil((double)lanes * (double)r->access.size / (shared ? 128 : 32));
    const char *text = text_format(
        diagnoses->arena,
        shared ? "one warp's %llu %.10ss of shared memory take %llu wavefronts; %.0f would do"
               : "one warp's %llu %.10ss touch %llu sectors of 32 bytes; %.0f would do",
        lanes, r->access.kind, used, ideal);
    diagnoses_add(
        diagnoses, shared ? "bank-conflict" : "uncoalesced-access", r->file, r->line, text,
        json_pack("{s:s, s:s, s:f, s:f, s:f, s:I}", "run", run->dir, "kind", r->access.kind,
                  "requests", r->access.requests, shared ? "wavefronts" : "sectors", r->access.used,
                  "ideal", r->access.ideal, "size", (json_int_t)r->access.size));
}

/* The widest launch of the timed kernels. */
static const struct record *widest_launch(const struct trace *trace, uint64_t first)
{
    const struct record *widest = NULL;
    double most = 0;
    TRACE_EACH (trace, EVENT_LAUNCH, r) {
        double blocks = (double)r->launch.grid[0] * r->launch.grid[1] * r->launch.grid[2];
        if (r->launch.id < first || r->launch.error != 0 || blocks <= most) continue;
        most = blocks;
        widest = r;
    }
    return widest;
}

static void add_few_blocks(struct diagnoses *diagnoses, const struct run *run,
                           const struct counts *counts)
{
    const struct record *r = widest_launch(&run->trace, counts->first);
    double sms = run->trace.sms;
    if (r == NULL || r->launch.library != NULL || counts->blocks >= sms) return;
    diagnoses_add(
        diagnoses, "few-blocks", r->file, r->line,
        text_format(diagnoses->arena,
                    "%.0f block%s of the GPU's %.0f multiprocessors: %.0f have nothing to do",
                    counts->blocks, counts->blocks == 1 ? " runs on one" : "s run on as many", sms,
                    sms - counts->blocks),
        json_pack("{s:s, s:f, s:f}", "run", run->dir, "blocks", counts->blocks, "sms", sms));
}

/* So small blocks that a multiprocessor has room for more threads, but not for more blocks. */
static void add_tiny_blocks(struct diagnoses *diagnoses, const struct run *run,
                            const struct measures *measures)
{
    const struct occupancy *occupancy = &measures->occupancy;
    const struct record *r = widest_launch(&run->trace, measures->counts.first);
    if (r == NULL || r->launch.library != NULL || measures->counts.blocks < run->trace.sms ||
        !(occupancy->value <= 0.5) || strcmp(occupancy->limited_by, "blocks") != 0)
        return;
    unsigned threads = r->launch.block[0] * r->launch.block[1] * r->launch.block[2];
    diagnoses_add(
        diagnoses, "tiny-blocks", r->file, r->line,
        text_format(diagnoses->arena,
                    "blocks of %u threads: a multiprocessor holds %.0f blocks and no more, %.0f %% "
                    "of the threads that it has room for",
                    threads, occupancy->blocks_per_sm, 100 * occupancy->value),
        json_pack("{s:s, s:i, s:f, s:f}", "run", run->dir, "threads", (int)threads, "blocks_per_sm",
                  occupancy->blocks_per_sm, "occupancy", occupancy->value));
}

/* Lanes of one atomic access share what they update when it touches fewer sectors than as many
 * numbers fill. */
static void add_atomics(struct diagnoses *diagnoses, const struct run *run, uint64_t first)
{
    TRACE_EACH (&run->trace, EVENT_ACCESS, r) {
        bool atomic = strcmp(r->access.kind, "atomic") == 0;
        if (r->access.kernel < first || !atomic || r->access.shared || r->access.requests <= 0 ||
            r->access.lanes < 2 * r->access.requests || r->access.used * 2 > r->access.ideal)
            continue;
        diagnoses_add(
            diagnoses, "atomics-on-one-address", r->file, r->line,
            text_format(diagnoses->arena,
                        "%.3g lanes of a warp update numbers in %.3g sector%s with each "
                        "access: those that share an address go one after another",
                        r->access.lanes / r->access.requests, r->access.used / r->access.requests,
                        r->access.used > r->access.requests ? "s" : ""),
            json_pack("{s:s, s:f, s:f, s:f}", "run", run->dir, "requests", r->access.requests,
                      "lanes", r->access.lanes, "sectors", r->access.used));
    }
}

/* Many threads for each number of the result, and all lanes of a warp load the same. */
static void add_redundant(struct diagnoses *diagnoses, const struct run *run,
                          const struct measures *measures)
{
    const struct counts *counts = &measures->counts;
    double threads = counts->threads / (double)run->problem.elements;
    const struct record *r = widest_launch(&run->trace, counts->first);
    if (r == NULL || threads < 8 || counts->load.ideal <= 0 ||
        counts->load.sectors * 3 > counts->load.ideal)
        return;
    diagnoses_add(diagnoses, "redundant-work", r->file, r->line,
                  text_format(diagnoses->arena,
                              "%.3g threads for each number of the result, and the lanes of a warp "
                              "load the same: they do one and the same work",
                              threads),
                  json_pack("{s:s, s:f, s:f, s:f}", "run", run->dir, "threads_per_item", threads,
                            "sectors", counts->load.sectors, "ideal", counts->load.ideal));
}

void diagnose_speed(struct diagnoses *diagnoses, const struct check *check,
                    const struct ladder *ladder, const struct measures *measures)
{
    const struct run *counted = check_counted(check);
    uint64_t first = measures->counts.first;
    if (measures->outside != NULL) flow_diagnose_outside(diagnoses, check, measures);
    diagnose_watch(diagnoses, check, ladder, measures);
    if (counted == NULL) return;
    if (ladder_misses(ladder, measures, MEASURE_SECTORS))
        add_access(diagnoses, counted, first, false);
    if (ladder_misses(ladder, measures, MEASURE_WAVEFRONTS))
        add_access(diagnoses, counted, first, true);
    if (ladder_misses(ladder, measures, MEASURE_BLOCKS))
        add_few_blocks(diagnoses, counted, &measures->counts);
    if (!ladder_misses(ladder, measures, MEASURE_SHARE)) return;
    add_tiny_blocks(diagnoses, counted, measures);
    add_atomics(diagnoses, counted, first);
    add_redundant(diagnoses, counted, measures);
}
