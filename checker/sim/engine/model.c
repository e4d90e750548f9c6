/* model.c: see model.h. All figures are the profile's. */
#include "sim/engine/model.h"

#include "occupancy/occupancy.h"
#include "sim/gpu/profile.h"

#include <math.h>

/* Fitted to the block sizes of axpy on an H200 (32 to 1024 threads): with 3, the time where two
 * resources take equally long comes out 26 % above either. */
static const double CORNER = 3;

/* Per SM. */
static const double SCHEDULERS = 4;

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

int model_blocks_per_sm(uint64_t threads_per_block, uint64_t shared_per_block)
{
    const struct profile *gpu = profile();
    const struct occupancy_sm sm = {.capability = gpu->capability,
                                    .threads = gpu->threads_per_sm,
                                    .blocks = gpu->blocks_per_sm,
                                    .shared_kb = gpu->shared_kb_per_sm,
                                    .reserved_kb = gpu->shared_kb_reserved};
    return (int)occupancy_on(&sm, (double)threads_per_block, 0, (double)shared_per_block)
        .blocks_per_sm;
}

/* At a time, as many blocks run as the SMs hold. No launch is faster than its slowest block. If
 * threads take piece after piece of the work from a counter, the first blocks have taken all
 * pieces: in the simulator, blocks run one after another. A GPU's blocks share the pieces. */
static double latency_ns(const struct work *work, double resident)
{
    if (resident < 1) return work->tally->chain_max_ns;
    double at_once = smaller((double)work->blocks, resident);
    double pieces = (double)work->tally->turns, warps = ceil((double)work->threads_per_block / 32);
    if (pieces > 0) return work->tally->warps_sum_ns / (warps * smaller(at_once, pieces));
    return larger(work->tally->chain_max_ns, work->tally->chain_sum_ns / at_once);
}

/* Warps that an SM has at a time. */
static double warps_per_sm(const struct work *work, int held)
{
    double blocks = smaller(ceil((double)work->blocks / profile()->sms), larger(held, 1));
    return blocks * ceil((double)work->threads_per_block / 32);
}

/* A scheduler with one warp needs the sum of the terms, because a warp uses one resource after
 * another, unless it loads its data ahead. The more warps a scheduler has, the more they overlap.
 */
static double combine(const double *terms, int count, const struct work *work, double warps)
{
    double alone = smaller(1, SCHEDULERS / warps) * (1 - work->overlap);
    double power = alone + (1 - alone) * CORNER, sum = 0;
    for (int i = 0; i < count; i++)
        sum += pow(terms[i], power);
    return pow(sum, 1 / power);
}

/* Clocks that the threads' arithmetic takes, over all SMs. They include idle lanes of a block's
 * last warp, and schedulers that have no warp. The units work at the same time. */
static double compute_clocks(const struct work *work, const struct arithmetic *arithmetic,
                             double warps)
{
    const struct profile *gpu = profile();
    const uint64_t *count = arithmetic->count;
    const double units[] = {
        (double)arithmetic->float_fused / (gpu->flops_per_clock / 2),
        (double)arithmetic->double_fused / gpu->doubles_per_clock +
            (double)count[DOUBLE_DIVIDE] / gpu->double_divisions_per_clock,
        (double)count[CONVERT] / gpu->conversions_per_clock +
            (double)count[FLOAT_DIVIDE] / gpu->float_divisions_per_clock +
            (double)count[DIVIDE] / gpu->divisions_per_clock +
            (double)count[DIVIDE_64] / gpu->divisions_64_per_clock,
        work->tally->tensor_work / gpu->tensor_flops_per_clock,
    };
    double threads = (double)work->threads_per_block, lanes = 32 * ceil(threads / 32);
    return combine(units, sizeof units / sizeof *units, work, warps) * lanes / threads /
           smaller(1, warps / SCHEDULERS);
}

/* Time of the kernel if this were its arithmetic. The other terms of the outcome are known. */
static double total_ns(const struct work *work, const struct arithmetic *arithmetic,
                       struct kernel_outcome *outcome)
{
    double warps = warps_per_sm(work, outcome->blocks_per_sm);
    double active_sms = smaller((double)work->blocks, profile()->sms);
    outcome->compute_ns =
        compute_clocks(work, arithmetic, warps) / (active_sms * profile()->clock_ghz);
    const double terms[] = {outcome->dram_ns,    outcome->l2_ns,      outcome->l1_ns,
                            outcome->issue_ns,   outcome->latency_ns, outcome->blocks_ns,
                            outcome->compute_ns, outcome->bus_ns};
    return outcome->start_ns + combine(terms, sizeof terms / sizeof *terms, work, warps);
}

/* The same arithmetic with floats alone. */
static struct arithmetic in_float(struct arithmetic arithmetic)
{
    arithmetic.float_fused += arithmetic.double_fused;
    arithmetic.count[FLOAT_DIVIDE] += arithmetic.count[DOUBLE_DIVIDE];
    arithmetic.double_fused = arithmetic.count[DOUBLE_DIVIDE] = arithmetic.count[CONVERT] = 0;
    return arithmetic;
}

static struct arithmetic without_divisions(struct arithmetic arithmetic)
{
    arithmetic.count[DIVIDE] = arithmetic.count[DIVIDE_64] = 0;
    return arithmetic;
}

void model_time(const struct work *work, struct kernel_outcome *outcome)
{
    const struct profile *gpu = profile();
    double active_sms = smaller((double)work->blocks, gpu->sms);
    double clocks = active_sms * gpu->clock_ghz; /* of all active SMs, per nanosecond */
    int held = model_blocks_per_sm(work->threads_per_block, work->shared_per_block);

    outcome->blocks_per_sm = held;
    outcome->start_ns = gpu->kernel_start_ns;
    outcome->dram_ns = (double)outcome->dram_bytes / gpu->stream_gbs;
    outcome->bus_ns = (double)outcome->moved_bytes / gpu->transfer_gbs +
                      (double)outcome->bus_bytes / gpu->bus_gbs;
    outcome->l2_ns = (double)work->tally->l2_bytes / gpu->l2_gbs;
    outcome->l1_ns = work->tally->lines / (gpu->lines_per_clock * clocks);
    outcome->issue_ns = work->tally->requests / (gpu->requests_per_clock * clocks);
    outcome->latency_ns = latency_ns(work, held * gpu->sms);
    outcome->blocks_ns = (double)work->blocks * gpu->block_start_ns;

    struct arithmetic floats = in_float(outcome->arithmetic);
    struct arithmetic undivided = without_divisions(outcome->arithmetic);
    double floats_ns = total_ns(work, &floats, outcome);
    double undivided_ns = total_ns(work, &undivided, outcome);
    outcome->ns = total_ns(work, &outcome->arithmetic, outcome);
    outcome->doubles_cost_ns = outcome->ns - floats_ns;
    outcome->divisions_cost_ns = outcome->ns - undivided_ns;
}
