/*
 * gpu_metrics.c: the measures of how the timed kernels use the GPU, one function each, in the order
 * of enum measure_name. The simulated GPU counts all of them. Only occupancy comes from the real
 * GPU if there is one, because that knows registers.
 */
#include "judge/measure/gpu_metrics.h"

#include "judge/read/phrases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Says why there are no counts from the simulated GPU. */
static const char *uncounted(const struct check *check)
{
    if (check->unknown == NULL) return "it did not run on the simulated GPU";
    return arena_format(check->arena, "the simulated GPU does not know %s; checked on the GPU only",
                        check->unknown);
}

/* "1 wavefront", "1.5 wavefronts" */
static const char *ratio(struct arena *arena, double value, const char *thing)
{
    const char *number = arena_format(arena, "%.3g", value);
    return arena_format(arena, "%s %s%s", number, thing, strcmp(number, "1") == 0 ? "" : "s");
}

static struct measure library(const struct counts *counts)
{
    return (struct measure){(double)counts->library_kernels,
                            counts->library != NULL ? counts->library : "none"};
}

/* Threads per block of the timed kernel that stores the most, or of the last one of several; 0 when
 * there is none. Other kernels may only prepare its inputs, or do the rest. */
static double block_threads(const struct run *run)
{
    const struct record *most = NULL;
    TRACE_EACH (&run->trace, EVENT_KERNEL, r)
        if (timer_times(run, r) && r->kernel.library == NULL &&
            (most == NULL || work_written(r) >= work_written(most)))
            most = r;
    const struct record *r = most != NULL ? trace_launch(&run->trace, most->kernel.id) : NULL;
    if (r == NULL) return 0;
    return (double)r->launch.block[0] * r->launch.block[1] * r->launch.block[2];
}

/* The largest difference between the first argument and the threads per block, launched or printed.
 * It looks at all runs on the simulated GPU in which a kernel ran. */
static struct measure block_mismatch(const struct check *check)
{
    struct measure worst = measure_unknown("no run has blocks to look at");
    for (size_t i = 0; i < check->run_count; i++) {
        const struct run *run = &check->runs[i];
        double launched = block_threads(run), printed = run->printed.b.threads;
        if (run->device != DEVICE_SIM || run->argc < 1 || launched <= 0) continue;
        double asked = strtod(run->argv[0], NULL);
        bool by_print = fabs(printed - asked) > fabs(launched - asked);
        double value = fabs((by_print ? printed : launched) - asked);
        if (value <= worst.value) continue;
        worst.value = value;
        worst.seen = by_print ? arena_format(check->arena, "prints nthr = %.0f for %s", printed,
                                             run->arguments)
                              : arena_format(check->arena, "%.0f threads per block for %s",
                                             launched, run->arguments);
    }
    return worst;
}

/* Takes the run that has the most threads: the timed one may be small, with few rows to share. */
static struct measure threads(const struct check *check, const struct counts *counts)
{
    double most = counts->threads;
    for (size_t i = 0; i < check->run_count; i++)
        if (check->runs[i].device == DEVICE_SIM)
            most = fmax(most, counts_of(&check->runs[i]).threads);
    return (struct measure){most, phrase_count(check->arena, most, "thread")};
}

static struct measure threads_per_item(const struct check *check, const struct counts *counts,
                                       const struct run *run)
{
    double value = counts->threads / (double)run->problem.elements;
    return measure_of(check, value, "%s per element of the result",
                      ratio(check->arena, value, "thread"));
}

static struct measure blocks(const struct check *check, const struct counts *counts, double sms)
{
    if (sms <= 0) return measure_unknown("the trace does not say how many SMs the GPU has");
    return measure_of(check, counts->blocks / sms, "%s for %.0f SMs",
                      phrase_count(check->arena, counts->blocks, "block"), sms);
}

static struct measure occupancy(const struct check *check, const struct occupancy *occupancy)
{
    if (isnan(occupancy->value)) return measure_unknown("the occupancy of this GPU is not known");
    return measure_of(check, occupancy->value, "%.0f %%, limited by %s", 100 * occupancy->value,
                      occupancy->limited_by);
}

static struct measure sectors(const struct check *check, double moved, double ideal)
{
    if (ideal <= 0) return measure_unknown("no kernel touched global memory");
    return measure_of(check, moved / ideal, "%.2f sectors moved per sector needed", moved / ideal);
}

/* A kernel without loads wastes nothing. */
static struct measure load_sectors(const struct check *check, const struct counts *counts)
{
    if (counts->load.ideal <= 0 && counts->store.ideal > 0)
        return (struct measure){0, "the kernel loads nothing"};
    return sectors(check, counts->load.sectors, counts->load.ideal);
}

static struct measure bytes_per_access(const struct check *check, const struct counts *counts)
{
    double value = counts->lane_bytes / counts->lane_requests;
    if (counts->lane_requests <= 0) return measure_unknown("no kernel touched global memory");
    return measure_of(check, value, "%.3g bytes per thread and access", value);
}

static struct measure active_lanes(const struct check *check, const struct counts *counts)
{
    double value = counts->lanes / counts->requests;
    if (counts->requests <= 0) return measure_unknown("no kernel touched memory");
    return measure_of(check, value, "%.3g of 32 lanes per access", value);
}

static struct measure intensity(const struct check *check, double flops, double bytes,
                                const char *where)
{
    if (bytes <= 0) return measure_unknown("no kernel loads from global memory");
    return measure_of(check, flops / bytes, "%.3g flop per byte %s", flops / bytes, where);
}

static struct measure shared_bytes(const struct check *check, const struct counts *counts)
{
    if (counts->block_shared <= 0) return (struct measure){0, "none"};
    return measure_of(check, counts->block_shared, "%.0f bytes per block", counts->block_shared);
}

/* A kernel that does not read shared memory does not read too much of it. */
static struct measure shared_intensity(const struct check *check, const struct counts *counts,
                                       double flops)
{
    if (counts->shared_load_bytes <= 0)
        return (struct measure){INFINITY, "the kernel reads no shared memory"};
    return intensity(check, flops, counts->shared_load_bytes, "of shared memory");
}

static struct measure wavefronts(const struct check *check, const struct counts *counts)
{
    if (counts->shared_ideal <= 0) return (struct measure){0, "the kernel uses no shared memory"};
    double value = counts->shared_wavefronts / counts->shared_ideal;
    return measure_of(check, value, "%s per wavefront needed",
                      ratio(check->arena, value, "wavefront"));
}

static struct measure overlap(const struct check *check, const struct counts *counts)
{
    double value = counts->overlap_bytes / counts->load.bytes;
    if (counts->load.bytes <= 0) return measure_unknown("no kernel loads from global memory");
    if (value <= 0) return (struct measure){0, "none"};
    return measure_of(check, value, "%.3g %% of the loaded bytes while the block computes",
                      100 * value);
}

void measure_gpu(struct measures *measures, const struct check *check)
{
    struct measure *list = measures->list;
    const struct run *run = check_counted(check);
    const struct counts *counts = &measures->counts;
    for (int i = MEASURE_LIBRARY; i < MEASURE_COUNT; i++)
        list[i] = measure_unknown(uncounted(check));
    list[MEASURE_OCCUPANCY] = occupancy(check, &measures->occupancy);
    if (run == NULL) return;
    double flops = run->problem.flops;
    list[MEASURE_LIBRARY] = library(counts);
    list[MEASURE_BLOCK_MISMATCH] = block_mismatch(check);
    list[MEASURE_THREADS] = threads(check, counts);
    list[MEASURE_THREADS_PER_ITEM] = threads_per_item(check, counts, run);
    list[MEASURE_BLOCKS] = blocks(check, counts, run->trace.sms);
    list[MEASURE_SECTORS] = sectors(check, counts->load.sectors + counts->store.sectors,
                                    counts->load.ideal + counts->store.ideal);
    list[MEASURE_LOAD_SECTORS] = load_sectors(check, counts);
    list[MEASURE_BYTES_PER_ACCESS] = bytes_per_access(check, counts);
    list[MEASURE_ACTIVE_LANES] = active_lanes(check, counts);
    list[MEASURE_INTENSITY] = intensity(check, flops, counts->load.bytes, "loaded");
    list[MEASURE_DRAM_INTENSITY] = intensity(check, flops, counts->dram_bytes, "from DRAM");
    list[MEASURE_SHARED_BYTES] = shared_bytes(check, counts);
    list[MEASURE_SHARED_INTENSITY] = shared_intensity(check, counts, flops);
    list[MEASURE_WAVEFRONTS] = wavefronts(check, counts);
    list[MEASURE_OVERLAP] = overlap(check, counts);
    if (counts->library_kernels == 0 || counts->library_kernels < counts->kernels) return;
    for (int i = MEASURE_THREADS; i < MEASURE_COUNT; i++)
        list[i] = measure_unknown(arena_format(check->arena, "left to %s", counts->library));
}
