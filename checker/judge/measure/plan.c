/* plan.c: see plan.h. */
#include "judge/measure/plan.h"

#include <math.h>

/* This many units of the simulator's work count as 1 ns of modelled time: two cores do 10^7 units
 * in 1 s. A request is one unit, and so are eight sectors. */
static const double WORK_PER_NS = 10, SECTORS_PER_WORK = 8;

/* Launches whose number of different sizes reaches this grow with the arguments. */
enum { SIZES_OF_GROWTH = 4 };

enum { TALL_MAX = 65535 }; /* blocks of a grid along y or z */

static bool is_counted(const struct record *r)
{
    return r->event == EVENT_KERNEL && !r->kernel.repeats;
}

static bool reads_clock(const struct record *r)
{
    return r->event == EVENT_CLOCK || r->event == EVENT_MARK;
}

/* The smallest sum of kernels' times between two clock readings. */
static double least_between_clocks(const struct trace *trace)
{
    double least = INFINITY, sum = 0;
    for (size_t i = 0; i <= trace->count; i++) {
        const struct record *r = &trace->records[i];
        if (i == trace->count || reads_clock(r)) {
            if (sum > 0) least = fmin(least, sum);
            sum = 0;
        } else if (is_counted(r)) {
            sum += r->end - r->start;
        }
    }
    return isinf(least) ? 0 : least;
}

double plan_kernel_ns(const struct trace *trace)
{
    double all = 0, requests = 0, sectors = 0;
    TRACE_EACH (trace, EVENT_KERNEL, r) {
        if (!is_counted(r)) continue;
        const struct traffic *load = &r->kernel.load, *store = &r->kernel.store;
        const struct traffic *atomic = &r->kernel.atomic;
        all += r->end - r->start;
        requests += load->requests + store->requests + atomic->requests;
        sectors += load->sectors + store->sectors + atomic->sectors;
    }
    if (!trace->simulated) return all;
    double work = (requests + sectors / SECTORS_PER_WORK) / WORK_PER_NS;
    return fmax(least_between_clocks(trace), work);
}

/* The largest launch of a run: its threads, and the threads of a block. */
struct largest {
    double threads, block;
};

/* False if the run launched no kernel of its own. */
static bool find_largest(const struct trace *trace, struct largest *largest)
{
    bool found = false;
    *largest = (struct largest){0};
    TRACE_EACH (trace, EVENT_LAUNCH, r) {
        if (r->launch.library != NULL) continue;
        found = true;
        largest->threads = fmax(largest->threads, r->launch.blocks * r->launch.threads);
        largest->block = fmax(largest->block, r->launch.threads);
    }
    return found;
}

double plan_threads(const struct trace *trace)
{
    struct largest largest;
    return find_largest(trace, &largest) ? largest.threads : 0;
}

/* True if no run before the last of these has its value; `at` is where a run's value is. */
static bool is_new(const struct largest *runs, size_t last, size_t at)
{
    for (size_t i = 0; i < last; i++) {
        const double *value = (const double *)((const char *)&runs[i] + at);
        if (*value == *(const double *)((const char *)&runs[last] + at)) return false;
    }
    return true;
}

/* True if a launch would have too many blocks along y or z for a larger problem. */
static bool is_tall(const struct trace *trace)
{
    TRACE_EACH (trace, EVENT_LARGER, r)
        if (r->larger.grid[1] > TALL_MAX || r->larger.grid[2] > TALL_MAX) return true;
    return false;
}

struct extra_sizes plan_extra_sizes(const struct trace *traces, size_t count)
{
    struct arena arena = {NULL};
    struct largest *runs = arena_alloc(&arena, count * sizeof *runs);
    size_t found = 0, threads = 0, blocks = 0;
    bool tall = false;
    for (size_t i = 0; i < count; i++) {
        tall = tall || is_tall(&traces[i]);
        if (!find_largest(&traces[i], &runs[found])) continue;
        threads += is_new(runs, found, offsetof(struct largest, threads));
        blocks += is_new(runs, found, offsetof(struct largest, block));
        found++;
    }
    arena_free(&arena);
    return (struct extra_sizes){threads == 1, blocks >= SIZES_OF_GROWTH, tall};
}

bool plan_warmed_up(const struct trace *trace)
{
    const struct record *first = NULL, *last = NULL;
    TRACE_EACH (trace, EVENT_LAUNCH, r) {
        if (r->launch.library == NULL) return false;
        if (first == NULL) first = r;
        last = r;
    }
    for (const struct record *r = first; r != last; r++)
        if (reads_clock(r)) return true;
    return false;
}
