/* model.c: see model.h. All figures are the profile's, but for a few that are the same for all
 * GPUs. */
#include "gpu/time/model.h"

#include "gpu/time/counts.h"
#include "gpu/time/depth.h"
#include "gpu/time/profile.h"
#include "occupancy/occupancy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How sharply the longest time dominates others. Chosen by the errors of all measured kernels
 * between 2 and 4: where two resources take equally long, the time comes out 33 % above either. */
static const double CORNER = 2.4;

/* The same for waiting and a DRAM that also stores: it turns between loads and stores, and the
 * fewer loads wait for it, the more often. Chosen by the errors of solutions/kernels between 1.4
 * and 2. */
static const double TURNS_CORNER = 1.7;

/* The units of an SM share its instructions, and one that is full waits little for another: by
 * Nsight Compute's counts of small kernels on an H100, the fullest one reaches 0.9 of its rate. */
static const double UNITS_CORNER = 4;

/* Per SM. */
static const double SCHEDULERS = 4;

static const double SECTORS_PER_LINE = 4;

/* Clocks between two lines that an SM asks the L2 for: measured on an H100 and an H200 with loads
 * of one word per line from anywhere in 1 MB. */
static const double MISS_CLOCKS = 1.9;

/* Measured on an H100 and an H200: clocks of an SM for each further word of constant memory that
 * the lanes of a warp want (solutions/kernels/texts.cu, base64). */
static const double CONSTANT_CLOCKS = 4;

/* CUDA programming guide, for all GPUs since the V100: how many comparisons, shifts and operations
 * on bits an SM does per clock, and how many special functions. */
static const double LOGIC_PER_CLOCK = 64, SPECIAL_PER_CLOCK = 16;

/* The quantities from which the terms are computed. */
struct kernel_work {
    const struct launch *launch;
    const struct tally *tally;
    struct counts counts;
    double depth;                  /* clocks of all warps (depth.h) */
    double blocks, threads, warps; /* of the grid; of a block */
    double held, active_sms;       /* blocks per SM; SMs that have a block */
    double busiest; /* ns per clock of all SMs together, on the SM with most blocks */
    bool in_l2;
    bool full; /* the launch is a part of one that fills the GPU for long */
};

/* How much longer the L2 needs for a compare and swap than for an addition: measured on an H100
 * with insertions in hash tables. */
static const double SWAP_COST = 2.5;

/* The same for an addition of floats to the word that was added to before, and one of integers:
 * measured on an H200. */
static const double FLOAT_COST = 2.4;

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* ---- occupancy ------------------------------------------------------------------------------ */

uint32_t time_blocks_per_sm(uint64_t threads, uint32_t registers, uint64_t shared)
{
    const struct profile *gpu = profile();
    const struct occupancy_sm sm = {.capability = gpu->capability,
                                    .threads = gpu->threads_per_sm,
                                    .blocks = gpu->blocks_per_sm,
                                    .shared_kb = gpu->shared_kb_per_sm,
                                    .reserved_kb = profile_shared_kb_reserved()};
    double blocks = occupancy_on(&sm, (double)threads, registers, (double)shared).blocks_per_sm;
    return blocks > 0 ? (uint32_t)blocks : 0;
}

uint32_t time_blocks_of(const struct ptx_function *kernel, uint64_t threads,
                        uint64_t dynamic_shared)
{
    uint32_t registers = kernel->module->source_build ? 0 : kernel->registers;
    return time_blocks_per_sm(threads, registers, kernel->static_shared + dynamic_shared);
}

/* ---- terms ---------------------------------------------------------------------------------- */

/* The longest time dominates, and others that are nearly as long add to it. */
static double combine(const double *terms, int count, double corner)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += pow(terms[i], corner);
    return pow(sum, 1 / corner);
}

/* What the L2 does not hold goes through it, too. */
static double memory_ns(const struct kernel_time *time)
{
    return larger(time->dram_ns, larger(time->l2_ns, time->stores_ns));
}

static double stores_ns(const struct kernel_work *work)
{
    const struct tally *tally = work->tally;
    double sectors = (double)tally->store_sectors + (double)tally->local_stores,
           lines = (double)tally->store_lines + (double)tally->local_store_lines,
           spills = work->counts.spills;
    sectors += spills * SECTORS_PER_LINE;
    lines += spills;
    return (sectors * profile()->store_sector_clocks + lines * profile()->store_line_clocks) /
           (work->active_sms * profile()->clock_ghz);
}

static double requests_of(const struct access_counts counts[ACCESS_CLASSES])
{
    double sum = 0;
    for (int i = 0; i < ACCESS_CLASSES; i++)
        sum += (double)counts[i].requests;
    return sum;
}

/* Lines of global memory and wavefronts of shared memory go through the same L1. Lanes that add to
 * the same word of shared memory are serialised. */
static double l1_ns(const struct kernel_work *work)
{
    const struct tally *tally = work->tally;
    double global = (double)tally->l1_clocks / L1_PARTS;
    double shared = (double)tally->shared[CLASS_LOAD].wavefronts +
                    (double)tally->shared[CLASS_STORE].wavefronts +
                    (double)tally->shared_atomic_rounds;
    return (global + shared) * work->busiest;
}

/* Words of constant memory, shared-memory and global accesses go through one unit of the SM. */
static double issue_ns(const struct kernel_work *work)
{
    const struct tally *tally = work->tally;
    double requests =
        requests_of(tally->global) + requests_of(tally->shared) + (double)tally->exchanges;
    double constants = (double)tally->constant_passes * CONSTANT_CLOCKS;
    return (requests + constants) * work->busiest;
}

/* Clocks of one SM for all instructions. The units work at the same time; one half of those of
 * floats also does the products of integers. */
static double compute_clocks(const struct kernel_work *work, const struct work_counts *warps)
{
    const struct profile *gpu = profile();
    double floats_per_clock = gpu->flops_per_clock / 2;
    const double units[] = {
        (warps->floats + warps->products) * LANES / floats_per_clock,
        warps->products * LANES / LOGIC_PER_CLOCK,
        warps->logic * LANES / LOGIC_PER_CLOCK,
        warps->special * LANES / SPECIAL_PER_CLOCK,
        warps->doubles * LANES / gpu->doubles_per_clock,
        (double)work->tally->tensor_flops * work->counts.tensor_cost / gpu->tensor_flops_per_clock,
    };
    return larger(warps->issued / SCHEDULERS,
                  combine(units, sizeof units / sizeof *units, UNITS_CORNER));
}

/* How long one warp takes that nothing holds up but its own instructions. It waits for memory and
 * computes at the same time as far as it loads its data ahead. */
static double one_warp_ns(const struct kernel_work *work, double stall_ns, double clocks)
{
    const struct tally *tally = work->tally;
    double loaded = (double)tally->global[CLASS_LOAD].bytes;
    double overlap = loaded > 0 ? smaller((double)tally->overlap_bytes / loaded, 1) : 0;
    double compute_ns = clocks / profile()->clock_ghz;
    return larger(stall_ns, compute_ns) + (1 - overlap) * smaller(stall_ns, compute_ns);
}

/* An atomic operation may tell a block what to do next. Here blocks run one after another, and the
 * first one gets all of it; those of a GPU run at the same time and share it. */
static bool hands_out_work(const struct kernel_work *work)
{
    return work->launch->kernel->uses_atomic_result;
}

/* How long a block waits for floats that it adds to one word of shared memory. Each addition reads
 * the word, adds, and tries to replace what it has read. */
static double added_ns(const struct kernel_work *work)
{
    return (double)work->tally->added_in_row * profile()->shared_float_atomic_ns / work->blocks;
}

/* At a time, as many blocks run as the SMs hold. No launch is faster than its slowest warp. */
static double latency_ns(const struct kernel_work *work, double clocks)
{
    const struct profile *gpu = profile();
    const struct tally *tally = work->tally;
    double all_warps = larger((double)tally->warps, 1);
    double depth = work->depth / all_warps;
    double own = larger(depth, clocks / work->blocks * SCHEDULERS / work->warps);
    double mean = larger((double)tally->warp_instructions / all_warps, 1);
    double most = larger((double)tally->longest_warp / mean, 1);
    double slowest =
        one_warp_ns(work, (double)tally->critical_path_ns, own * most) + gpu->block_overhead_ns;
    double each =
        one_warp_ns(work, (double)tally->stall_ns / all_warps, own) + gpu->block_overhead_ns;
    double resident = work->held * gpu->sms;
    each = larger(each, added_ns(work));
    if (work->full && resident >= 1) return each * work->blocks / resident;
    if (hands_out_work(work)) slowest = each;
    slowest = larger(slowest, (double)tally->handoff_ns);
    if (resident < 1) return slowest;
    return larger(slowest, each * work->blocks / smaller(work->blocks, resident));
}

/* How many warps follow each other at one word, and the share of the launch that runs at a time. */
static double handoffs(const struct kernel_work *work)
{
    return (double)work->tally->handoff_ns / profile()->l2_latency_ns;
}

static double resident_share(const struct kernel_work *work)
{
    return smaller(larger(work->held, 1) * profile()->sms / work->blocks, 1);
}

/* Warps that replace a value by compare and swap try again when another one was faster. Here they
 * run one after another. On a GPU those that are resident try at the same time, and one of them is
 * done at a time: half of them still try, on average. All of them have read the first value before
 * one replaces it, so each tries once, and half of them again. If fewer swaps than values were
 * read, most found a value that they leave: none of those tries once more. */
static double more_tries(const struct kernel_work *work)
{
    const struct counts *counts = &work->counts;
    double again = counts->swaps < counts->expected ? 0 : counts->expected * handoffs(work) / 2,
           first = 2 * counts->expected;
    return larger((again + first) * resident_share(work) - counts->swaps, 0);
}

static double hot_ns(const struct kernel_work *work)
{
    double tries = (double)work->tally->hottest_range;
    if (work->counts.expected > 0)
        tries += handoffs(work) * handoffs(work) / 2 * resident_share(work);
    return larger(tries, (double)work->tally->hottest_word * FLOAT_COST) *
           profile()->atomic_word_ns;
}

static double atomics_ns(const struct kernel_work *work)
{
    const struct counts *counts = &work->counts;
    double passes = (double)work->tally->atomic_passes + more_tries(work);
    if (counts->swaps > 0)
        passes += ((double)work->tally->atomic_passes * counts->swaps / counts->atomics +
                   more_tries(work)) *
                  (SWAP_COST - 1);
    return passes / profile()->atomic_sectors_per_ns;
}

/* ---- the whole ------------------------------------------------------------------------------ */

/* Do all blocks run at the same time? Then none begins in the place of one that waits, and all end
 * together.
 */
static bool is_one_wave(const struct kernel_work *work)
{
    return work->blocks <= work->held * profile()->sms;
}

/* Of a DRAM that also stores what the launch computes. */
static bool turns(const struct kernel_work *work)
{
    static const double LEAST = 0.1;
    double stored = (double)work->tally->dram_store_bytes / (double)work->tally->dram_bytes;
    return stored > LEAST && stored < 1 - LEAST;
}

/* Time of the kernel if this were its arithmetic. The other terms are known. Warps that share the
 * DRAM until the end, and then each add to one word, do so one after another. */
static double total_ns(const struct kernel_work *work, const struct work_counts *warps,
                       struct kernel_time *time)
{
    double clocks = compute_clocks(work, warps), after_ns = 0;
    time->compute_ns = clocks * work->busiest;
    time->latency_ns = latency_ns(work, clocks);
    /* The load-store unit feeds the L1, and a block that starts takes the place of one that ends:
     * of each two, only the longer one is seen. */
    double terms[] = {memory_ns(time),
                      larger(time->latency_ns, time->blocks_ns),
                      larger(time->l1_ns, time->issue_ns),
                      time->compute_ns,
                      time->bus_ns,
                      time->atomics_ns,
                      time->hot_ns};
    enum { MEMORY, LATENCY, HOT = sizeof terms / sizeof *terms - 1 };
    if (time->dram_ns > 0 && is_one_wave(work) && turns(work)) {
        terms[MEMORY] = combine(terms, 2, TURNS_CORNER);
        terms[LATENCY] = 0;
    }
    if (time->dram_ns > time->hot_ns && is_one_wave(work) &&
        work->tally->atomic_passes <= work->tally->warps) {
        after_ns = time->hot_ns;
        terms[HOT] = 0;
    }
    return time->start_ns + after_ns + combine(terms, sizeof terms / sizeof *terms, CORNER);
}

/* A check may set WARPUP_COLD: then the problem that it can simulate stands for one that does not
 * fit into the L2. */
static bool fits_in_l2(double bytes)
{
    return getenv("WARPUP_COLD") == NULL && bytes <= profile()->l2_mb * 1024 * 1024;
}

/* How much longer the busiest SM works than the mean of those that have a block. SMs get blocks in
 * turn. Of many blocks all get about the same. */
static double imbalance(const struct kernel_work *work)
{
    const uint32_t sms = (uint32_t)profile()->sms;
    double most = 0, all = 0;
    if (work->blocks > BLOCKS_NOTED || hands_out_work(work)) return 1;
    for (uint32_t sm = 0; sm < sms; sm++) {
        double sum = 0;
        for (uint32_t i = sm; i < work->blocks; i += sms)
            sum += work->tally->block_work[i];
        most = larger(most, sum);
        all += sum;
    }
    return all > 0 ? most * work->active_sms / all : 1;
}

static struct kernel_work work_of(const struct launch *launch, const struct tally *tally,
                                  uint64_t bytes_in_use)
{
    struct kernel_work work = {
        .launch = launch, .tally = tally, .counts = counts_of(launch->kernel, tally)};
    work.depth = depth_clocks(tally);
    work.blocks = (double)launch->grid[0] * launch->grid[1] * launch->grid[2];
    work.threads = (double)launch->block[0] * launch->block[1] * launch->block[2];
    work.warps = ceil(work.threads / LANES);
    work.held = time_blocks_of(launch->kernel, (uint64_t)work.threads, launch->dynamic_shared);
    work.active_sms = smaller(work.blocks, profile()->sms);
    work.busiest = imbalance(&work) / (work.active_sms * profile()->clock_ghz);
    work.in_l2 = fits_in_l2((double)bytes_in_use);
    return work;
}

/* The kind of a kernel, by its longest term. Memory's is apart where lanes use most of what they
 * move, and arithmetic's where most instructions are those of floats. */
static const char *kind_of(const struct kernel_work *work, const struct kernel_time *time)
{
    static const double SCATTERED = 1.25, FLOATS = 0.45;
    const struct {
        const char *name;
        double ns;
    } terms[] = {{"latency", larger(time->latency_ns, time->blocks_ns)},
                 {"cache", larger(time->l2_ns, time->stores_ns)},
                 {"instructions", larger(larger(time->l1_ns, time->issue_ns), time->compute_ns)},
                 {"atomics", time->atomics_ns + time->hot_ns},
                 {"bus", time->bus_ns},
                 {"stream", time->dram_ns}};
    const struct access_counts *load = &work->tally->global[CLASS_LOAD],
                               *store = &work->tally->global[CLASS_STORE];
    size_t longest = 0;
    for (size_t i = 1; i < sizeof terms / sizeof *terms; i++)
        if (terms[i].ns > terms[longest].ns) longest = i;
    const char *kind = terms[longest].name;
    bool scatters =
        (double)(load->sectors + store->sectors) > SCATTERED * (double)(load->ideal + store->ideal);
    bool floats = work->counts.warps.floats > FLOATS * work->counts.warps.issued;
    if (strcmp(kind, "stream") == 0 && scatters) return "scattered";
    return strcmp(kind, "instructions") == 0 && floats ? "floats" : kind;
}

/* All terms but those of the arithmetic. */
static void find_terms(const struct kernel_work *work, struct kernel_time *time)
{
    const struct profile *gpu = profile();
    const struct tally *tally = work->tally;
    time->start_ns = gpu->kernel_start_ns;
    time->dram_ns = work->in_l2 ? 0 : (double)tally->dram_bursts / gpu->stream_gbs;
    time->bus_ns =
        (double)tally->moved_bytes / gpu->transfer_gbs + (double)tally->bus_bytes / gpu->pinned_gbs;
    time->l2_ns = larger((double)tally->l2_bytes / gpu->l2_gbs,
                         (double)tally->l2_lines * MISS_CLOCKS * work->busiest);
    time->stores_ns = stores_ns(work);
    time->l1_ns = l1_ns(work);
    time->issue_ns = issue_ns(work);
    time->hot_ns = hot_ns(work);
    time->atomics_ns = atomics_ns(work);
    time->blocks_ns = work->blocks * gpu->block_start_ns;
}

/* The time of the launch as a part of one that is like many of it, and fills all SMs. */
static double part_ns(struct kernel_work work)
{
    struct kernel_time time = {0};
    work.full = true;
    work.active_sms = profile()->sms;
    work.busiest = 1 / (profile()->sms * profile()->clock_ghz);
    find_terms(&work, &time);
    return total_ns(&work, &work.counts.warps, &time) - time.start_ns;
}

void time_kernel(const struct launch *launch, const struct tally *tally, uint64_t bytes_in_use,
                 struct kernel_time *time)
{
    struct kernel_work work = work_of(launch, tally, bytes_in_use);
    *time = (struct kernel_time){.blocks_per_sm = (uint32_t)work.held, .part_ns = part_ns(work)};
    find_terms(&work, time);
    double floats_ns = total_ns(&work, &work.counts.in_floats, time),
           undivided_ns = total_ns(&work, &work.counts.undivided, time);
    time->ns = total_ns(&work, &work.counts.warps, time);
    time->kind = kind_of(&work, time);
    time->doubles_cost_ns = time->ns - floats_ns;
    time->divisions_cost_ns = time->ns - undivided_ns;
}

struct watch_figures time_figures(uint64_t bytes_in_use)
{
    const struct profile *gpu = profile();
    return (struct watch_figures){.l1_bytes =
                                      (uint64_t)((gpu->l1_kb - gpu->shared_kb_per_sm / 8) * 1024),
                                  .l2_bytes = (uint64_t)(gpu->l2_mb * 1024 * 1024),
                                  .l1_ns = (uint32_t)gpu->l1_latency_ns,
                                  .l2_ns = (uint32_t)gpu->l2_latency_ns,
                                  .dram_ns = (uint32_t)gpu->dram_latency_ns,
                                  .float_atomic_ns = (uint32_t)gpu->shared_float_atomic_ns,
                                  .barrier_ns = (uint32_t)gpu->barrier_ns,
                                  .lookup_parts = (uint32_t)(L1_PARTS / gpu->tags_per_clock),
                                  .in_l2 = fits_in_l2((double)bytes_in_use)};
}

int64_t time_end(int64_t start, const struct kernel_time *time)
{
    static double busy_until;
    double shared =
        larger(larger(time->dram_ns, time->bus_ns), larger(time->l2_ns, time->blocks_ns));
    busy_until = larger(busy_until, (double)start) + shared;
    return (int64_t)larger((double)start + time->ns, busy_until);
}
