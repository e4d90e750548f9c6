/* end_to_end_faults.c: see end_to_end_faults.h. */
#include "judge/measure/end_to_end_faults.h"
#include "judge/read/run_facts.h"

#include "judge/read/source.h"
#include "judge/result/host_copy.h"
#include "judge/result/result.h"
#include "judge/timing/thresholds.h"

#include <math.h>
#include <string.h>

/* True when the job's last copy brought a part of this array, or came from this memory. */
static bool is_of_job(const struct end_to_end *job, const struct host_array *array, bool by_site)
{
    const struct record *last = job->last_up;
    if (by_site) return array->alloc == last->copy.from;
    return array->alloc == 0 && last->copy.host >= array->start &&
           last->copy.host < array->start + array->bytes;
}

/* The copy of the job that brought this byte of the host's memory; NULL when none did. */
static const struct record *copy_of(const struct run *run, const struct end_to_end *job,
                                    uint64_t host)
{
    const struct record *found = NULL;
    TRACE_EACH (&run->trace, EVENT_COPY, r)
        if (job_brings(job, r) && host >= r->copy.host && host - r->copy.host < r->copy.bytes)
            found = r;
    return found;
}

/* Where the job's result begins in an array, in bytes: the first place that its copies wrote. */
static uint64_t begin_of(const struct run *run, const struct end_to_end *job,
                         const struct host_array *array)
{
    uint64_t begin = array->bytes;
    TRACE_EACH (&run->trace, EVENT_COPY, r)
        if (job_brings(job, r) && r->copy.host >= array->start &&
            r->copy.host - array->start < begin)
            begin = r->copy.host - array->start;
    return begin;
}

/* The first element of the job's result in an array that is wrong or missing. */
static size_t first_wrong(const struct run *run, const struct host_array *array, uint64_t begin)
{
    size_t skipped = begin / sizeof(float), floats = array->bytes / sizeof(float) - skipped, k = 0;
    while (k < floats && k < run->problem.elements &&
           compare_fits(&run->problem, host_array_float(array, k + skipped), k))
        k++;
    return k;
}

/* True if two copies use the same bytes of the host's memory. */
static bool share_host(const struct record *a, const struct record *b)
{
    return a->copy.host < b->copy.host + b->copy.bytes &&
           b->copy.host < a->copy.host + a->copy.bytes;
}

/* A copy in this direction, before the job or of the job, that uses the host's memory of `copy`. */
static const struct record *shares(const struct trace *trace, const struct end_to_end *job,
                                   const char *direction, bool of_job, const struct record *copy)
{
    TRACE_EACH (trace, EVENT_COPY, r) {
        bool is_of_job = r >= (direction[0] == 'd' ? job->first_up : job->first_down);
        if (strcmp(r->copy.direction, direction) == 0 && is_of_job == of_job && share_host(r, copy))
            return r;
    }
    return NULL;
}

/* A copy of the job that brings its result to part B's array: part B copied that array to the GPU
 * and back, and the job copied another one to the GPU. */
static const struct record *brought_to_part_b(const struct trace *trace,
                                              const struct end_to_end *job)
{
    TRACE_EACH (trace, EVENT_COPY, r)
        if (job_brings(job, r) && shares(trace, job, "h2d", false, r) != NULL &&
            shares(trace, job, "d2h", false, r) != NULL &&
            shares(trace, job, "h2d", true, r) == NULL)
            return r;
    return NULL;
}

/* True if a kernel or a copy of the job may read this allocation. */
static bool reads(const struct trace *trace, const struct end_to_end *job, uint64_t alloc)
{
    TRACE_EACH (trace, EVENT_LAUNCH, r)
        for (size_t i = 0; i < LAUNCH_POINTERS && r > job->first_down; i++)
            if (r->launch.pointers[i] == alloc) return true;
    TRACE_EACH (trace, EVENT_COPY, r)
        if (r > job->first_down && strcmp(r->copy.direction, "h2d") != 0 && r->copy.from == alloc)
            return true;
    return false;
}

/* True if copies of the host filled an allocation before the job alone. */
static bool is_older(const struct trace *trace, const struct end_to_end *job, uint64_t alloc)
{
    bool older = false;
    TRACE_EACH (trace, EVENT_COPY, r) {
        if (strcmp(r->copy.direction, "h2d") != 0 || r->copy.to != alloc) continue;
        if (r >= job->first_down) return false;
        older = true;
    }
    return older;
}

/* A copy of the job whose bytes none of its kernels gets, while one of them gets an array that was
 * filled before the job. */
static const struct record *unused(const struct trace *trace, const struct end_to_end *job)
{
    bool older = false;
    TRACE_EACH (trace, EVENT_LAUNCH, r)
        for (size_t i = 0; i < LAUNCH_POINTERS && r > job->first_down; i++)
            older = older ||
                    (r->launch.pointers[i] != 0 && is_older(trace, job, r->launch.pointers[i]));
    TRACE_EACH (trace, EVENT_COPY, r)
        if (older && r >= job->first_down && strcmp(r->copy.direction, "h2d") == 0 &&
            r->copy.to != 0 && !reads(trace, job, r->copy.to))
            return r;
    return NULL;
}

/* Says which element is the first wrong one of the array that the job's copies brought. */
static struct end_to_end_fault describe(const struct check *check, const struct run *run,
                                        const struct end_to_end *job, const struct host_copy *host)
{
    struct end_to_end_fault fault = {.run = run, .site = job->last_up, .name = "job-wrong"};
    for (size_t i = 0; i < host->count; i++) {
        const struct host_array *array = &host->arrays[i];
        if (array->on_device || !is_of_job(job, array, false)) continue;
        uint64_t begin = begin_of(run, job, array);
        size_t k = first_wrong(run, array, begin);
        const struct record *copy = copy_of(run, job, array->start + begin + k * sizeof(float));
        if (copy != NULL) fault.site = copy;
        fault.text = arena_format(
            check->arena, "with arguments %s, the job's result is wrong from element %zu on",
            run->arguments, k);
        return fault;
    }
    fault.text =
        arena_format(check->arena, "with arguments %s, the job's result is wrong", run->arguments);
    return fault;
}

/* True if two copies of the job bring pieces to the same bytes of the host's memory: the program
 * takes each piece from there before the next one comes. */
static bool uses_one_buffer(const struct end_to_end *job, const struct host_copy *host)
{
    for (size_t i = 0; i < host->copy_count; i++)
        for (size_t k = 0; k < i && job_brings(job, host->copies[i].record); k++)
            if (job_brings(job, host->copies[k].record) &&
                share_host(host->copies[i].record, host->copies[k].record))
                return true;
    return false;
}

/* The array that the job's copies brought, one after another. */
static struct host_array in_order(struct arena *arena, const struct end_to_end *job,
                                  const struct host_copy *host)
{
    struct host_array array = {.data = NULL, .record = job->first_up};
    for (size_t i = 0; i < host->copy_count; i++)
        if (job_brings(job, host->copies[i].record))
            array.bytes += host->copies[i].record->copy.bytes;
    unsigned char *joined = arena_alloc(arena, array.bytes + 1);
    array.data = joined;
    for (size_t i = 0; i < host->copy_count; i++) {
        const struct record *copy = host->copies[i].record;
        if (!job_brings(job, copy)) continue;
        memcpy(joined, host->copies[i].data, copy->copy.bytes);
        joined += copy->copy.bytes;
    }
    return array;
}

/* The copy of the job that brought byte `at` of those that came one after another. */
static const struct record *copy_in_order(const struct end_to_end *job,
                                          const struct host_copy *host, uint64_t at)
{
    for (size_t i = 0; i < host->copy_count; i++) {
        const struct record *copy = host->copies[i].record;
        if (!job_brings(job, copy)) continue;
        if (at < copy->copy.bytes) return copy;
        at -= copy->copy.bytes;
    }
    return job->last_up;
}

/* The fault of a result that comes through one buffer; without a text if it is right. */
static struct end_to_end_fault wrong_in_order(const struct check *check, const struct run *run,
                                              const struct end_to_end *job,
                                              const struct host_copy *host)
{
    struct end_to_end_fault fault = {.run = run, .name = "job-wrong"};
    struct host_array array = in_order(check->arena, job, host);
    if (result_is_in(&array, &run->problem)) return fault;
    size_t k = first_wrong(run, &array, 0);
    fault.site = copy_in_order(job, host, k * sizeof(float));
    fault.text = arena_format(check->arena,
                              "with arguments %s, the job's result is wrong from element %zu on",
                              run->arguments, k);
    return fault;
}

/* A fault without a text if the job's copies brought the result. */
static struct end_to_end_fault wrong_result(const struct check *check, const struct run *run,
                                            const struct end_to_end *job)
{
    struct host_copy host;
    struct end_to_end_fault fault = {.run = run};
    bool right = false;
    if (host_copy_read(check->arena, run, &host) == NULL) {
        for (size_t i = 0; i < host.all && !right; i++) {
            const struct host_array *array = &host.arrays[i];
            right = !array->on_device && is_of_job(job, array, i >= host.count) &&
                    result_is_in(array, &run->problem);
        }
        if (!right)
            fault = uses_one_buffer(job, &host) ? wrong_in_order(check, run, job, &host)
                                                : describe(check, run, job, &host);
    }
    host_copy_free(&host);
    return fault;
}

/* True if nothing was copied to the host after the last launch: all copies are part B's. */
static bool copies_nothing(const struct trace *trace, const struct end_to_end *job)
{
    const struct record *last = job->last_up;
    TRACE_EACH (trace, EVENT_LAUNCH, r)
        if (r > last) return true;
    return false;
}

struct end_to_end_fault end_to_end_fault_find(const struct check *check, const struct run *run)
{
    const struct trace *trace = &run->trace;
    const struct end_to_end job = end_to_end_find(check->arena, run);
    struct end_to_end_fault fault = {.run = run, .name = "job-wrong"};
    const char *what;
    if (!job.found) {
        what = "the job's copies bring fewer bytes than the arrays have";
    } else if (copies_nothing(trace, &job)) {
        what = "the job has no copies: its last kernels start after the last copy to the host";
        fault.site = run_last_launch(run);
        fault.next = "let the job copy x and y2 to the GPU, and its result back to y2";
    } else if (job.unmade != NULL) {
        what = "no kernel of the job wrote all that this copy brings to the host";
        fault.site = job.unmade;
    } else if ((fault.site = unused(trace, &job)) != NULL) {
        what = "no kernel of the job uses what this copy brings to the GPU: the kernels work on "
               "arrays that were copied before the job";
        fault.next = "pass the job's kernels the arrays that the job copied";
    } else if ((fault.site = brought_to_part_b(trace, &job)) != NULL) {
        what = "the job copies its result to the host array of part B, not to its own array";
        fault.next = "copy the job's result back to its own array, y2";
    } else {
        return wrong_result(check, run, &job);
    }
    fault.text = arena_format(check->arena, "with arguments %s, %s", run->arguments, what);
    return fault;
}

/* The line that prints the time of the job, as far as the source shows it. */
static const struct record *report_line(const struct check *check)
{
    struct record *site = arena_alloc(check->arena, sizeof *site);
    site->file = check->source;
    site->line = source_line_with(check->arena, check->source, "\"JOB\"", NULL);
    return site->line > 0 ? site : NULL;
}

/* Looks for a fault in the time between the readings that give the printed one. */
static void judge_range(const struct check *check, const struct timed_range *range,
                        struct end_to_end_fault *fault)
{
    const struct end_to_end *job = range->job;
    double printed = range->run->printed.job.time * 1e3;
    if (range->unit != 1) {
        fault->name = "wrong-unit";
        fault->next = NULL;
        fault->text =
            arena_format(check->arena, "the line JOB shows %.4g s, but its timer measured %.4g ms",
                         printed * 1e-3, range->seconds / range->divisor * 1e3);
    } else if (range->measured == MEASURED_DIVIDED) {
        fault->text = arena_format(check->arena,
                                   "the line JOB shows %.4g ms: the time between two clock "
                                   "readings, divided by %.0f, but they enclose %zu job%s",
                                   printed, range->divisor, range->work.repeats,
                                   range->work.repeats == 1 ? "" : "s");
    } else if (range->measured == MEASURED_EARLY) {
        fault->name = "timer-stopped-early";
        const struct record *running = range->work.running;
        fault->site =
            running != NULL ? trace_launch(&range->run->trace, running->kernel.id) : job->latest;
        fault->next = "wait for all streams before you stop the timer: cudaDeviceSynchronize()";
        fault->text =
            running != NULL
                ? "nothing waits for this kernel and for the copy after it "
                  "before the timer of the line JOB stops: it is in another stream"
                : arena_format(check->arena,
                               "the timer of the line JOB stopped %.3g ms before this copy had "
                               "finished",
                               (job->end - range->to->start) * 1e-6);
    } else if (range->measured == MEASURED_OUTSIDE) {
        bool late = range->from > job->first_down || range->from->start > job->start;
        fault->name = "work-outside-the-timer";
        fault->site = late ? job->first_down : job->last_up;
        fault->next = "put all copies and kernels of the job between the two clock readings";
        fault->text = arena_format(check->arena,
                                   "this copy of the job is not between the clock "
                                   "readings that give the %.4g ms of the line JOB",
                                   printed);
    }
}

/* Looks for a fault in a time that is that of the job: its line, or what else the timer includes.
 * The host may copy the first piece to pinned memory, and the last piece from there. */
static void judge_length(const struct check *check, const struct timed_range *range,
                         struct end_to_end_fault *fault)
{
    const struct figures *line = &range->run->printed.job;
    double took = (range->job->end - range->job->start) * 1e-9;
    double staged = (double)(range->job->first_down->copy.bytes + range->job->last_up->copy.bytes);
    double other = range->work.alloc == NULL ? START_AND_WAIT + staged / HOST_COPY_LEAST : 0;
    if (line->rates != 1) {
        fault->name = "wrong-rate";
        fault->text = arena_format(check->arena,
                                   "on the line JOB, P = %.4g Gflop/s and B = %.4g GB/s are "
                                   "computed from different times",
                                   line->gflops.value, line->gbytes.value);
    } else if (line->time > TIME_MOST * took + other) {
        const struct record *alloc = range->work.alloc;
        if (alloc != NULL) fault->site = alloc;
        fault->text = arena_format(
            check->arena,
            "the line JOB shows %.4g ms, but the job's copies and kernels take %.4g ms%s",
            line->time * 1e3, took * 1e3,
            alloc != NULL ? ". The timer includes the memory allocation in this line"
                          : ": the host does something else between the two clock readings");
    }
}

struct end_to_end_fault end_to_end_fault_time(const struct check *check, const struct run *run)
{
    const struct figures *line = &run->printed.job;
    struct end_to_end job = end_to_end_find(check->arena, run);
    struct end_to_end_fault fault = {
        .run = run, .name = "printed-figure", .site = report_line(check)};
    if (!job.found || !run->trace.simulated || run->died || !line->present) return fault;
    fault.next = "start the job's timer just before its first copy, and stop it when its last copy "
                 "has finished";
    struct timed_range range = clock_reads_find(check, run, &job);
    range.job = &job;
    if (range.measured <= MEASURED_NOWHERE) {
        fault.name = "time-not-measured";
        fault.next = "print the difference of two clock readings, just before the job and after it";
        fault.text = arena_format(check->arena,
                                  "the line JOB shows %.4g ms, but no two clock readings differ by "
                                  "this time%s",
                                  line->time * 1e3,
                                  line->time > run->seconds && run->seconds > 0
                                      ? ". It is probably one clock reading"
                                      : "");
        return fault;
    }
    judge_range(check, &range, &fault);
    if (fault.text == NULL) judge_length(check, &range, &fault);
    return fault;
}
