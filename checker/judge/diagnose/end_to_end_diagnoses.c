/* end_to_end_diagnoses.c: see kinds.h. */
#include "judge/diagnose/kinds.h"

#include <math.h>

/* Copies that have less than this share of their time in common run one after another. */
static const double IN_TURN = 0.5;

/* Bytes: starting a copy takes about as long as it takes a bus of 50 GB/s to move this much. */
static const double SMALL_COPY = 64 << 10;

static double rate_of(const struct record *copy)
{
    return copy->end > copy->start ? (double)copy->copy.bytes / (copy->end - copy->start) : 0;
}

static void add_pageable(struct diagnoses *diagnoses, const struct run *run,
                         const struct end_to_end *job)
{
    const struct record *r = job->pageable;
    diagnoses_add(
        diagnoses, run, "pageable-copies", r,
        json_pack("{s:I, s:f}", "bytes", (json_int_t)r->copy.bytes, "gbs", rate_of(r)),
        "the host's memory is not pinned here. So the program waits for each copy, and it "
        "reaches only %.3g GB/s",
        rate_of(r));
}

/* The first wait before the job's last copy: it keeps the next copies from starting. */
static const struct record *wait_in(const struct run *run, const struct end_to_end *job)
{
    TRACE_EACH (&run->trace, EVENT_SYNC, r)
        if (r->line > 0 && r->end >= job->first_up->end && r->end <= job->latest->start) return r;
    return NULL;
}

/* Are all copies of the job in the stream of the first one? */
static bool in_one_stream(const struct run *run, const struct end_to_end *job)
{
    TRACE_EACH (&run->trace, EVENT_COPY, r)
        if (r->start >= job->first_down->start && r->end <= job->latest->end &&
            r->copy.stream != job->first_down->copy.stream)
            return false;
    return true;
}

static void add_serialised_copies(struct diagnoses *diagnoses, const struct run *run,
                                  const struct end_to_end *job)
{
    double least = fmin(job->up, job->down);
    const struct record *wait = wait_in(run, job);
    bool alone = wait == NULL && in_one_stream(run, job);
    bool added = diagnoses_add(
        diagnoses, run, "copies-in-turn", wait != NULL ? wait : job->first_up,
        json_pack("{s:f, s:f, s:f}", "to_gpu_ns", job->down, "to_host_ns", job->up, "both_ns",
                  job->both),
        "copies to the GPU take %.3g ms and copies to the host %.3g ms; both run at the same time "
        "for %.0f %% of the shorter time%s",
        job->down * 1e-6, job->up * 1e-6, least > 0 ? 100 * job->both / least : 0,
        wait != NULL ? ". This wait is between them"
        : alone      ? ". All of them are in one stream"
                     : "");
    if (!added) return;
    diagnoses->list[diagnoses->count - 1].next =
        wait != NULL ? "wait for the streams once, after all pieces"
        : alone ? "give neighbouring pieces to different streams. If several threads of the host "
                  "do the job, each needs a stream of its own"
                : NULL;
}

static void add_small(struct diagnoses *diagnoses, const struct run *run,
                      const struct end_to_end *job)
{
    double bytes = job->down_bytes / (double)job->down_count;
    diagnoses_add(
        diagnoses, run, "small-copies", job->first_down,
        json_pack("{s:f, s:I}", "bytes", bytes, "copies", (json_int_t)job->down_count),
        "the arrays go to the GPU in %zu copies, of %.3g KB each: starting so small a copy "
        "takes longer than moving its bytes",
        job->down_count, bytes / 1e3);
}

void diagnose_end_to_end(struct diagnoses *diagnoses, const struct check *check,
                         const struct ladder *ladder, const struct measures *measures)
{
    const struct end_to_end *job = &measures->job;
    const struct run *counted = check_counted(check);
    const struct end_to_end_fault *fault = &measures->job_fault;
    if (fault->text != NULL && !ladder_misses(ladder, measures, MEASURE_TIMER) &&
        !ladder_misses(ladder, measures, MEASURE_TIMER_EXCESS) &&
        diagnoses_add(diagnoses, fault->run, fault->name, fault->site, NULL, "%s", fault->text))
        diagnoses->list[diagnoses->count - 1].next = fault->next;
    bool slow = ladder_misses(ladder, measures, MEASURE_COPY_OVERLAP) ||
                ladder_misses(ladder, measures, MEASURE_BUS_SHARE);
    if (!slow || !job->found) return;
    if (job->pageable != NULL)
        add_pageable(diagnoses, counted, job);
    else if (job->both < IN_TURN * fmin(job->up, job->down))
        add_serialised_copies(diagnoses, counted, job);
    else if (job->down_bytes < SMALL_COPY * (double)job->down_count)
        add_small(diagnoses, counted, job);
}
