/* provenance.c: see provenance.h. */
#include "judge/measure/provenance.h"
#include "judge/read/run_facts.h"
#include "judge/measure/perturbed.h"
#include "judge/timing/end_to_end.h"

#include <math.h>
#include <string.h>

/* ---- where the result comes from ------------------------------------------------------------ */

/* True when a kernel ran after the first copy and before the second. A graph's kernels have no
 * launch of their own between the copies of the graph. */
static bool kernel_ran_between(const struct trace *trace, const struct record *first,
                               const struct record *second)
{
    TRACE_EACH (trace, EVENT_KERNEL, r)
        if (r->start >= first->end && r->end <= second->start) return true;
    return false;
}

/* True when the host filled the memory that a copy then brings back, and no kernel was launched in
 * between. */
static bool no_kernel_between(const struct trace *trace, const struct record *back)
{
    for (const struct record *r = back; r-- > trace->records && r->event != EVENT_LAUNCH;) {
        bool same = r->event == EVENT_COPY && strcmp(r->copy.direction, "h2d") == 0 &&
                    r->copy.to != 0 && r->copy.to == back->copy.from;
        if (same && r->copy.offset <= back->copy.offset &&
            r->copy.offset + r->copy.bytes >= back->copy.offset + back->copy.bytes)
            return !kernel_ran_between(trace, r, back);
    }
    return false;
}

/* The number of bytes that a copy brought and no kernel wrote. */
static uint64_t host_bytes(const struct run *run, const struct record *copy)
{
    return no_kernel_between(&run->trace, copy) ? copy->copy.bytes : copy->copy.host_bytes;
}

/* The last copy that brought a part of the result that the host had written; NULL when kernels
 * wrote all of it. A later copy to the same place replaces an earlier one. */
static const struct record *copy_of_host(const struct run *run, const struct result *result)
{
    const struct record *found = NULL;
    TRACE_EACH (&run->trace, EVENT_COPY, r) {
        if (strcmp(r->copy.direction, "d2h") != 0) continue;
        uint64_t needed = result_bytes_of(result, &run->problem, r);
        if (needed == 0) continue;
        if (r->copy.bytes - host_bytes(run, r) < needed)
            found = r;
        else if (found != NULL && found->copy.host == r->copy.host &&
                 (result->alloc == 0 || found->copy.offset == r->copy.offset))
            found = NULL;
    }
    return found;
}

/* Finds out whether the host itself wrote a right result into the GPU's memory. */
static void judge_origin(const struct run *run, struct result *result)
{
    if (result->array != ANSWER_RIGHT || !result->copied || run_was_aborted(run)) return;
    const struct record *copy = copy_of_host(run, result);
    if (copy == NULL) return;
    result->made = (struct host_made){.how = MADE_COPIED,
                                      .run = run,
                                      .site = copy,
                                      .bytes = copy->copy.bytes,
                                      .host = host_bytes(run, copy)};
}

static void add_writer(struct maker *maker, const struct writer *more)
{
    size_t i = 0;
    while (i < maker->count && maker->writers[i].launch != more->launch)
        i++;
    if (i == maker->count) maker->writers[maker->count++] = (struct writer){more->launch, 0};
    maker->writers[i].bytes += more->bytes;
}

/* The launches that wrote the bytes that copies brought to a host array; its `last` is 0 when that
 * is not known. A job that brings its result to part B's array does not count. */
static struct maker maker_of(struct arena *arena, const struct run *run,
                             const struct host_array *array, const struct end_to_end *job)
{
    struct maker maker = {.last = 0};
    size_t most = 0;
    TRACE_EACH (&run->trace, EVENT_COPY, r)
        most += r->copy.writer_count;
    maker.writers = arena_alloc(arena, (most + 1) * sizeof *maker.writers);
    TRACE_EACH (&run->trace, EVENT_COPY, r) {
        uint64_t from = r->copy.host, to = from + r->copy.bytes;
        bool brings = from < array->start + array->bytes && to > array->start;
        if (strcmp(r->copy.direction, "d2h") != 0 || !brings) continue;
        if (maker.last != 0 && job->found && job_brings(job, r)) break;
        if (r->copy.last_kernel == 0) return (struct maker){.last = 0};
        if (r->copy.last_kernel > maker.last) maker.last = r->copy.last_kernel;
        maker.copied = r->start;
        for (size_t i = 0; i < r->copy.writer_count; i++)
            add_writer(&maker, &r->copy.writers[i]);
    }
    return maker;
}

/* Did copies to the host make this array? */
static bool was_copied(const struct host_array *array)
{
    return array->record->event == EVENT_COPY && array->alloc == 0;
}

/* Adds the launches that wrote an array with the result, or with a part of it. */
static void add_maker(struct arena *arena, struct run *run, const struct host_array *array,
                      const struct end_to_end *job)
{
    if (!was_copied(array) || run->maker_count == MAKERS_MAX) return;
    struct maker maker = maker_of(arena, run, array, job);
    if (maker.last != 0) run->makers[run->maker_count++] = maker;
}

/* For each array that came to the host and holds the result: the launches that wrote it. */
static void find_makers(struct check *check, struct run *run)
{
    struct host_copy host;
    struct parts parts = {.count = 0};
    struct end_to_end job = {.found = false};
    if (run->printed.job.present) job = end_to_end_find(check->arena, run);
    if (host_copy_read(check->arena, run, &host) == NULL) {
        bool whole = false;
        for (size_t i = 0; i < host.count; i++) {
            if (!was_copied(&host.arrays[i])) continue;
            if (!result_is_in(&host.arrays[i], &run->problem)) continue;
            add_maker(check->arena, run, &host.arrays[i], &job);
            whole = true;
        }
        for (size_t i = 0; !whole && i < host.count; i++)
            whole = !was_copied(&host.arrays[i]) && result_is_in(&host.arrays[i], &run->problem);
        if (!whole && parts_find(&host, &run->problem, &parts))
            for (size_t i = 0; i < parts.count; i++)
                add_maker(check->arena, run, parts.arrays[i], &job);
    }
    host_copy_free(&host);
}

void provenance_results(struct check *check, struct result *results)
{
    for (size_t i = 0; i < check->run_count; i++)
        judge_origin(&check->runs[i], &results[i]);
    perturbed_judge(check, results);
    const struct run *counted = check_counted(check);
    if (counted == NULL || trace_kernels(&counted->trace) < 2) return;
    struct run *run = &check->runs[counted - check->runs];
    if (results[counted - check->runs].array == ANSWER_RIGHT) find_makers(check, run);
}
