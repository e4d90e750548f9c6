/* end_to_end.c: see end_to_end.h. */
#include "judge/timing/end_to_end.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct span {
    double start, end;
};

static int by_start(const void *one, const void *other)
{
    double a = ((const struct span *)one)->start, b = ((const struct span *)other)->start;
    return (a > b) - (a < b);
}

/* Sorts spans and joins those that touch. Returns how many are left. */
static size_t join(struct span *spans, size_t count)
{
    size_t joined = 0;
    qsort(spans, count, sizeof *spans, by_start);
    for (size_t i = 0; i < count; i++)
        if (joined > 0 && spans[i].start <= spans[joined - 1].end)
            spans[joined - 1].end = fmax(spans[joined - 1].end, spans[i].end);
        else
            spans[joined++] = spans[i];
    return joined;
}

static double length(const struct span *spans, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += spans[i].end - spans[i].start;
    return sum;
}

/* The time in which both of two joined lists are busy. */
static double common(const struct span *a, size_t a_count, const struct span *b, size_t b_count)
{
    double sum = 0;
    for (size_t i = 0, j = 0; i < a_count && j < b_count;) {
        sum += fmax(fmin(a[i].end, b[j].end) - fmax(a[i].start, b[j].start), 0);
        if (a[i].end < b[j].end)
            i++;
        else
            j++;
    }
    return sum;
}

/* The last copies in a direction that together have at least this many bytes. */
struct copies {
    const struct record *first, *last;
    struct span *spans;
    size_t count;
    double bytes;
};

static struct copies last_copies(struct arena *arena, const struct trace *trace,
                                 const char *direction, double bytes)
{
    struct copies copies = {.spans = arena_alloc(arena, trace->count * sizeof *copies.spans)};
    for (size_t i = trace->count; i-- > 0 && copies.bytes < bytes;) {
        const struct record *r = &trace->records[i];
        if (r->event != EVENT_COPY || strcmp(r->copy.direction, direction) != 0) continue;
        copies.first = r;
        if (copies.last == NULL) copies.last = r;
        copies.bytes += (double)r->copy.bytes;
        copies.spans[copies.count++] = (struct span){r->start, r->end};
    }
    if (copies.bytes < bytes || bytes <= 0) copies.first = NULL;
    return copies;
}

static double kernels_in(struct arena *arena, const struct trace *trace,
                         const struct end_to_end *job, const struct span *copies, size_t count)
{
    struct span *spans = arena_alloc(arena, trace->count * sizeof *spans);
    size_t kernels = 0;
    TRACE_EACH (trace, EVENT_KERNEL, r)
        if (r->start >= job->start && r->end <= job->end)
            spans[kernels++] = (struct span){r->start, r->end};
    kernels = join(spans, kernels);
    return common(spans, kernels, copies, count);
}

bool job_brings(const struct end_to_end *job, const struct record *copy)
{
    return copy->event == EVENT_COPY && strcmp(copy->copy.direction, "d2h") == 0 &&
           copy >= job->first_up;
}

/* A copy of the job that brings what the host wrote, or a kernel that ran before the job. */
static const struct record *find_unmade(const struct trace *trace, const struct end_to_end *job)
{
    TRACE_EACH (trace, EVENT_COPY, r) {
        if (!job_brings(job, r)) continue;
        const struct record *launch = trace_launch(trace, r->copy.last_kernel);
        if (r->copy.host_bytes > 0 || (launch != NULL && launch->start < job->start)) return r;
    }
    return NULL;
}

static const struct record *find_pageable(const struct trace *trace, const struct end_to_end *job)
{
    TRACE_EACH (trace, EVENT_COPY, r) {
        bool down = strcmp(r->copy.direction, "h2d") == 0 && r >= job->first_down;
        if (r->copy.pageable && (down || job_brings(job, r))) return r;
    }
    return NULL;
}

/* False if the last copies reach back into what came before the job, because the job's own have too
 * few bytes: the first one goes to the GPU, and none to the host comes before the first that
 * counts. */
static bool is_alone(const struct record *first_down, const struct record *first_up)
{
    if (first_down > first_up) return false;
    for (const struct record *r = first_down; r < first_up; r++)
        if (r->event == EVENT_COPY && strcmp(r->copy.direction, "d2h") == 0) return false;
    return true;
}

/* The job's copy that ends last. */
static const struct record *latest(const struct trace *trace, const struct end_to_end *job)
{
    const struct record *found = job->last_up;
    TRACE_EACH (trace, EVENT_COPY, r)
        if (job_brings(job, r) && r->end > found->end) found = r;
    return found;
}

struct end_to_end end_to_end_find(struct arena *arena, const struct run *run)
{
    const struct trace *trace = &run->trace;
    double result = (double)run->problem.elements * sizeof(float);
    struct copies down = last_copies(arena, trace, "h2d", oracle_input_bytes(&run->problem));
    struct copies up = last_copies(arena, trace, "d2h", result);
    struct end_to_end job = {.first_down = down.first, .first_up = up.first, .last_up = up.last};
    if (down.first == NULL || up.first == NULL || !is_alone(down.first, up.first)) return job;
    job.down_count = down.count;
    size_t down_count = join(down.spans, down.count), up_count = join(up.spans, up.count);
    job.found = true;
    job.latest = latest(trace, &job);
    job.start = fmin(down.spans[0].start, up.spans[0].start);
    job.end = fmax(down.spans[down_count - 1].end, up.spans[up_count - 1].end);
    job.down = length(down.spans, down_count);
    job.up = length(up.spans, up_count);
    job.both = common(down.spans, down_count, up.spans, up_count);
    job.down_bytes = down.bytes;
    job.up_bytes = up.bytes;
    struct span *all = arena_alloc(arena, (down_count + up_count) * sizeof *all);
    memcpy(all, down.spans, down_count * sizeof *all);
    memcpy(all + down_count, up.spans, up_count * sizeof *all);
    job.kernels = kernels_in(arena, trace, &job, all, join(all, down_count + up_count));
    job.pageable = find_pageable(trace, &job);
    job.unmade = find_unmade(trace, &job);
    return job;
}

void end_to_end_mark(struct arena *arena, struct run *run)
{
    if (run->died || !run->printed.job.present) return;
    struct end_to_end job = end_to_end_find(arena, run);
    run->job = job.found ? job.first_down : NULL;
}
