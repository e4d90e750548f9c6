/* repeats.c: see repeats.h. */
#include "judge/timing/repeats.h"
#include "judge/timing/thresholds.h"

#include <string.h>

double work_inputs(const struct run *run)
{
    return run->problem.bytes - (double)run->problem.elements * sizeof(float);
}

/* An atomic reads what it updates, and writes it. */
static double loaded(const struct record *kernel)
{
    double bytes = kernel->kernel.load.bytes + kernel->kernel.atomic_bytes;
    bool counted = kernel->kernel.library == NULL || bytes > 0;
    return counted ? bytes : kernel->kernel.dram_bytes;
}

double work_written(const struct record *kernel)
{
    return kernel->kernel.store.bytes + kernel->kernel.atomic_bytes;
}

static bool loads_all(const struct run *run, double bytes)
{
    return bytes >= LOADED_LEAST * work_inputs(run);
}

bool work_holds(const struct run *run, const struct record *kernel, const struct record *from,
                const struct record *to)
{
    const struct record *launch = trace_launch(&run->trace, kernel->kernel.id);
    const struct record *begun = from->event == EVENT_MARK || launch == NULL ? kernel : launch;
    bool after = begun->start > from->start || (begun->start == from->start && begun > from);
    return after && (begun->start < to->start || (begun->start == to->start && begun < to));
}

static bool is_alike(const struct run *run, uint64_t left, uint64_t right)
{
    const struct record *a = trace_launch(&run->trace, left);
    const struct record *b = trace_launch(&run->trace, right);
    if (left == right || a == NULL || b == NULL) return left == right;
    return strcmp(a->launch.kernel, b->launch.kernel) == 0 &&
           memcmp(a->launch.grid, b->launch.grid, sizeof a->launch.grid) == 0 &&
           memcmp(a->launch.block, b->launch.block, sizeof a->launch.block) == 0;
}

/* True when every kernel i is like kernel i - length, and each group of `length` kernels makes the
 * whole result. */
static bool repeats(const struct run *run, const struct record *const *list, size_t count,
                    size_t length)
{
    double in = 0, out = 0, result = (double)run->problem.elements * sizeof(float);
    if (count % length != 0) return false;
    for (size_t i = 0; i < count; i++) {
        if (i >= length && !is_alike(run, list[i - length]->kernel.id, list[i]->kernel.id))
            return false;
        in += loaded(list[i]);
        out += work_written(list[i]);
        if (i % length != length - 1) continue;
        if (!loads_all(run, in) || out < result) return false;
        in = out = 0;
    }
    return true;
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
        work.loaded += loaded(r);
        if (work.late == NULL && r->end > to->start + TRACE_ROUNDING) work.late = r;
        for (size_t i = 0; i < run->maker_count; i++)
            work.made = work.made || is_alike(run, r->kernel.id, run->makers[i]);
    }
    work.whole = loads_all(run, work.loaded);
    for (size_t length = 1; work.whole && work.repeats == 0 && length <= work.kernels; length++)
        if (repeats(run, list, work.kernels, length)) {
            work.repeats = work.kernels / length;
            work.length = length;
        }
    return work;
}
