/*
 * gpu_metrics.c: the measures of how the timed kernels use the GPU. The simulated GPU counts all of
 * them. Only occupancy comes from the real GPU if there is one, because that knows registers.
 */
#include "judge/measure/gpu_metrics.h"

#include "judge/measure/accesses.h"
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

/* The launch that made the result of the counted run; NULL when it is not known, or the only one.
 */
static const struct record *maker(const struct check *check)
{
    const struct run *run = check_counted(check);
    if (run == NULL || run->maker_count == 0) return NULL;
    return trace_launch(&run->trace, run->makers[0].last);
}

static bool is_like(const struct run *run, const struct record *kernel, const struct record *maker)
{
    const struct record *launch = trace_launch(&run->trace, kernel->kernel.id);
    return maker == NULL || launch == NULL ||
           strcmp(launch->launch.kernel, maker->launch.kernel) == 0;
}

/* Threads per block of the timed kernel that stores the most, or of the last one of several; 0 when
 * there is none. Other kernels may only prepare its inputs, or do the rest. If it is known which
 * kernel makes the result, only that one counts. */
static double block_threads(const struct run *run, const struct record *maker)
{
    const struct record *most = NULL;
    TRACE_EACH (&run->trace, EVENT_KERNEL, r)
        if (run_times(run, r) && r->kernel.library == NULL && is_like(run, r, maker) &&
            (most == NULL || r->kernel.written >= most->kernel.written))
            most = r;
    const struct record *r = most != NULL ? trace_launch(&run->trace, most->kernel.id) : NULL;
    return r != NULL ? r->launch.threads : 0;
}

/* The largest difference between the first argument and the threads per block, launched or printed.
 * It looks at all runs on the simulated GPU in which a kernel ran. */
static struct measure block_mismatch(const struct check *check)
{
    struct measure worst = measure_unknown("no run has blocks to look at");
    const struct record *made = maker(check);
    for (size_t i = 0; i < check->run_count; i++) {
        const struct run *run = &check->runs[i];
        double launched = block_threads(run, made), printed = run->printed.b.threads;
        if (run->device != DEVICE_SIM || run->argc < 1 || launched <= 0) continue;
        double asked = strtod(run->argv[0], NULL);
        bool by_print = fabs(printed - asked) > fabs(launched - asked);
        double value = fabs((by_print ? printed : launched) - asked);
        if (value <= worst.value) continue;
        worst.value = value;
        worst.seen =
            by_print
                ? arena_format(check->arena, "prints nthr = %.0f for %s", printed, run->arguments)
                : arena_format(check->arena, "%.0f thread%s per block with the arguments %s",
                               launched, launched == 1 ? "" : "s", run->arguments);
    }
    return worst;
}

/* How many threads share the work of a run: not more than the problem has floats, whoever stores
 * something else. */
static double sharing(const struct run *run, double threads)
{
    return fmin(threads, run->problem.bytes / sizeof(float));
}

/* Takes the run that has the most threads: the timed one may be small, with few rows to share. A
 * small size may need few threads: without a timed run, only many threads tell anything. */
static struct measure threads(const struct check *check, const struct counts *counts,
                              const struct run *run)
{
    enum { MANY = 256 }; /* threads: what the ladders ask for */
    double most = sharing(run, counts->threads);
    for (size_t i = 0; i < check->run_count; i++)
        if (check->runs[i].device == DEVICE_SIM)
            most = fmax(most, sharing(&check->runs[i], counts_of(&check->runs[i]).threads));
    if (!run->speed && most < MANY) return measure_unknown("no timed run ended well");
    return (struct measure){most, phrase_count(check->arena, most, "thread")};
}

/* A small size may need fewer blocks than the GPU has SMs: only a timed run tells. */
static struct measure blocks(const struct check *check, const struct counts *counts,
                             const struct run *run)
{
    double sms = run->trace.sms;
    if (!run->speed) return measure_unknown("no timed run ended well");
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

/* The bytes that lanes load. An atomic that only adds to the result does not read an input; so of
 * the bytes that atomics read, as many as the problem has are left out. */
static double loaded_bytes(const struct counts *counts, const struct run *run)
{
    double atomics = counts->loaded_bytes - counts->load.bytes;
    return counts->load.bytes + fmax(atomics - run->problem.bytes, 0);
}

/* The measures that are one number by another, and what they are when there is no other. */
static void take_ratios(struct measures *measures, const struct check *check, const struct run *run)
{
    const struct counts *c = &measures->counts;
    const double flops = run->problem.flops;
    struct mean means[ACCESS_LANES + 1];
    for (int i = 0; i <= ACCESS_LANES; i++)
        means[i] = accesses_mean(check, run, c, (enum access_mean)i);
    const struct measure untouched = measure_unknown("no kernel touched global memory"),
                         unloaded = measure_unknown("no kernel loads from global memory");
    const struct {
        enum measure_name name;
        double number, by;
        const char *format;
        struct measure otherwise;
    } ratios[] = {
        {MEASURE_SECTORS, means[ACCESS_SECTORS].number, means[ACCESS_SECTORS].by,
         "%.2f sectors moved per sector needed", untouched},
        {MEASURE_LOAD_SECTORS, means[ACCESS_LOAD_SECTORS].number, means[ACCESS_LOAD_SECTORS].by,
         "%.2f sectors moved per sector needed",
         c->store.ideal > 0 ? (struct measure){0, "the kernel loads nothing"} : untouched},
        {MEASURE_BYTES_PER_ACCESS, means[ACCESS_BYTES].number, means[ACCESS_BYTES].by,
         "%.3g bytes per thread and access", untouched},
        {MEASURE_ACTIVE_LANES, means[ACCESS_LANES].number, means[ACCESS_LANES].by,
         "%.3g of 32 lanes per access", measure_unknown("no kernel touched memory")},
        {MEASURE_INTENSITY, flops, loaded_bytes(c, run), "%.3g flop per byte loaded", unloaded},
        {MEASURE_DRAM_INTENSITY, flops, c->dram_bytes, "%.3g flop per byte from DRAM", unloaded},
        {MEASURE_SHARED_INTENSITY,
         flops,
         c->shared_load_bytes,
         "%.3g flop per byte of shared memory",
         {INFINITY, "the kernel reads no shared memory"}},
    };
    for (size_t i = 0; i < sizeof ratios / sizeof ratios[0]; i++) {
        double value = ratios[i].number / ratios[i].by;
        measures->list[ratios[i].name] = ratios[i].by <= 0
                                             ? ratios[i].otherwise
                                             : measure_of(check, value, ratios[i].format, value);
    }
}

/* Shared memory counts if kernels read at least as many bytes from it as the inputs have. Where a
 * library computes, kernels may do less. */
static struct measure shared_bytes(const struct check *check, const struct counts *counts,
                                   const struct run *run)
{
    if (counts->block_shared <= 0) return (struct measure){0, "none"};
    bool alone = counts->library_kernels == 0;
    if (alone && counts->shared_load_bytes < oracle_input_bytes(&run->problem))
        return measure_of(check, 0, "%.0f bytes per block, but the kernel hardly reads them",
                          counts->block_shared);
    return measure_of(check, counts->block_shared, "%.0f bytes per block", counts->block_shared);
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

/* Products of parts of the numbers make it more than 1. */
static struct measure tensor(const struct check *check, const struct counts *counts,
                             const struct run *run)
{
    double value = counts->tensor_flops / run->problem.flops;
    if (!(value > 0)) return (struct measure){0, "none"};
    return measure_of(check, value, "%.3g flop of tensor cores per flop of the problem", value);
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
    double per_item = counts->threads / (double)run->problem.elements;
    take_ratios(measures, check, run);
    list[MEASURE_LIBRARY].value = (double)counts->library_kernels;
    list[MEASURE_LIBRARY].seen = counts->library != NULL ? counts->library : "none";
    list[MEASURE_BLOCK_MISMATCH] = block_mismatch(check);
    list[MEASURE_THREADS] = threads(check, counts, run);
    list[MEASURE_THREADS_PER_ITEM] = measure_of(check, per_item, "%s per element of the result",
                                                ratio(check->arena, per_item, "thread"));
    list[MEASURE_BLOCKS] = blocks(check, counts, run);
    list[MEASURE_SHARED_BYTES] = shared_bytes(check, counts, run);
    list[MEASURE_WAVEFRONTS] = wavefronts(check, counts);
    list[MEASURE_OVERLAP] = overlap(check, counts);
    list[MEASURE_TENSOR] = tensor(check, counts, run);
    if (counts->library_kernels == 0 || counts->library_kernels < counts->kernels) return;
    for (int i = MEASURE_THREADS; i < MEASURE_COUNT; i++)
        list[i] = measure_unknown(arena_format(check->arena, "left to %s", counts->library));
}
