/* repeats.c: see repeats.h. */
#include "judge/timing/repeats.h"

#include <string.h>

static const double LOADED_LEAST = 0.9;

/* A kernel and its launch; NULL where the trace does not hold that. */
struct launched {
    const struct record *launch, *kernel;
};

double repeats_inputs(const struct run *run)
{
    return run->problem.bytes - (double)run->problem.elements * sizeof(float);
}

bool repeats_load(const struct run *run, double bytes)
{
    return bytes >= LOADED_LEAST * repeats_inputs(run);
}

bool repeats_write(const struct run *run, double bytes)
{
    return bytes >= (double)run->problem.elements * sizeof(float);
}

double repeats_written(const struct record *kernel)
{
    return kernel->kernel.store.bytes + kernel->kernel.atomic_bytes;
}

/* Sets `list` to the kernels of [from, to), and returns how many there are. */
static size_t gather(const struct trace *trace, const struct record *from, const struct record *to,
                     struct launched *list)
{
    const struct record *launch = NULL;
    size_t count = 0;
    for (const struct record *r = trace->records; r < to; r++) {
        if (r->event == EVENT_LAUNCH) launch = r;
        if (r->event != EVENT_KERNEL || r < from) continue;
        bool own = launch != NULL && launch->launch.id == r->kernel.id;
        list[count++] = (struct launched){own ? launch : NULL, r};
    }
    return count;
}

static bool is_alike(const struct launched *a, const struct launched *b)
{
    if (a->launch == NULL || b->launch == NULL) return false;
    return strcmp(a->launch->launch.kernel, b->launch->launch.kernel) == 0 &&
           memcmp(a->launch->launch.grid, b->launch->launch.grid, sizeof a->launch->launch.grid) ==
               0 &&
           memcmp(a->launch->launch.block, b->launch->launch.block,
                  sizeof a->launch->launch.block) == 0;
}

/* True when kernel i is alike to kernel i + length, for all of them. */
static bool repeats(const struct launched *list, size_t count, size_t length)
{
    for (size_t i = length; i < count; i++)
        if (!is_alike(&list[i - length], &list[i])) return false;
    return true;
}

static bool makes_all(const struct run *run, const struct launched *round, size_t length)
{
    double loaded = 0, written = 0;
    for (size_t i = 0; i < length; i++) {
        loaded += round[i].kernel->kernel.load.bytes;
        written += repeats_written(round[i].kernel);
    }
    return repeats_load(run, loaded) && repeats_write(run, written);
}

struct repeats repeats_of(const struct check *check, const struct run *run,
                          const struct record *from, const struct record *to)
{
    size_t all = trace_kernels(&run->trace);
    struct launched *list = arena_take(check->arena, (all + 1) * sizeof *list);
    size_t count = gather(&run->trace, from, to, list);
    for (size_t length = 1; length <= count; length++) {
        bool whole = count % length == 0 && repeats(list, count, length);
        for (size_t at = 0; whole && at < count; at += length)
            whole = makes_all(run, list + at, length);
        if (whole) return (struct repeats){count / length, length};
    }
    return (struct repeats){0, count};
}
