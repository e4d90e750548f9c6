/* bus.c: see bus.h. */
#include "gpu/runtime/bus.h"

#include "gpu/time/profile.h"

static int64_t free_at[2]; /* when the engine of each direction has done all its copies */

/* A copy runs beside those of the other direction that are known when it starts. */
static double pinned_ns(const struct bus_copy *copy, int64_t start)
{
    const struct profile *gpu = profile();
    double starting = 1e3 * (copy->async ? gpu->pinned_start_us : gpu->transfer_start_us);
    double both_ns = (double)(free_at[!copy->to_device] - start) - starting;
    if (both_ns <= 0) return starting + copy->bytes / gpu->pinned_gbs;
    if (copy->bytes <= both_ns * gpu->pinned_both_gbs)
        return starting + copy->bytes / gpu->pinned_both_gbs;
    double left = copy->bytes - both_ns * gpu->pinned_both_gbs;
    return starting + both_ns + left / gpu->pinned_gbs;
}

int64_t bus_take(const struct bus_copy *copy, int64_t *start)
{
    const struct profile *gpu = profile();
    int64_t *engine = &free_at[copy->to_device];
    if (*engine > *start) *start = *engine;
    double ns = copy->pinned ? pinned_ns(copy, *start)
                             : 1e3 * gpu->transfer_start_us + copy->bytes / gpu->transfer_gbs;
    return *engine = *start + (int64_t)ns;
}
