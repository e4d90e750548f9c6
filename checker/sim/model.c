/* model.c: the time model behind model.h; its figures are the profile's. */
#include "model.h"

#include "profile.h"

#include <math.h>

/* Fitted to the block sizes of axpy on an H200 (32 to 1024 threads): with 3, the time where two
 * resources take equally long comes out 26 % above either. */
static const double CORNER = 3;

/* Of an SM. The only warp of a scheduler uses one resource after another. */
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
    double warps = floor((double)(threads_per_block + 31) / 32);
    double blocks = smaller(gpu->blocks_per_sm, floor(gpu->threads_per_sm / 32 / warps));
    double shared_kb = (double)shared_per_block / 1024 + gpu->shared_kb_reserved;
    if (shared_per_block > 0) blocks = smaller(blocks, floor(gpu->shared_kb_per_sm / shared_kb));
    return (int)blocks;
}

/* Blocks run in as many at a time as the SMs hold; no launch is faster than its slowest block. */
static double latency_ns(const struct work *work, double resident)
{
    if (resident < 1) return work->chain_max_ns;
    double at_once = smaller((double)work->blocks, resident);
    return larger(work->chain_max_ns, work->chain_sum_ns / at_once);
}

/* The terms' sum where a scheduler has one warp; the more it has, the more they overlap. */
static double combine(const double *terms, int count, double warps)
{
    double alone = smaller(1, SCHEDULERS / warps), power = alone + (1 - alone) * CORNER, sum = 0;
    for (int i = 0; i < count; i++)
        sum += pow(terms[i], power);
    return pow(sum, 1 / power);
}

/* That an SM has at a time. */
static double warps_per_sm(const struct work *work, int held)
{
    double blocks = smaller(ceil((double)work->blocks / profile()->sms), larger(held, 1));
    return blocks * ceil((double)work->threads_per_block / 32);
}

void model_time(const struct work *work, struct kernel_outcome *outcome)
{
    const struct profile *gpu = profile();
    double active_sms = smaller((double)work->blocks, gpu->sms);
    double clocks = active_sms * gpu->clock_ghz; /* of all active SMs, a nanosecond */
    int held = model_blocks_per_sm(work->threads_per_block, work->shared_per_block);

    outcome->blocks_per_sm = held;
    outcome->start_ns = gpu->kernel_start_ns;
    outcome->dram_ns = (double)work->dram_bytes / gpu->stream_gbs;
    outcome->l2_ns = (double)work->l2_bytes / gpu->l2_gbs;
    outcome->l1_ns = work->lines / (gpu->lines_per_clock * clocks);
    outcome->issue_ns = work->requests / (gpu->requests_per_clock * clocks);
    outcome->latency_ns = latency_ns(work, held * gpu->sms);
    outcome->blocks_ns = (double)work->blocks * gpu->block_start_ns;

    const double terms[] = {outcome->dram_ns,  outcome->l2_ns,      outcome->l1_ns,
                            outcome->issue_ns, outcome->latency_ns, outcome->blocks_ns};
    outcome->ns =
        outcome->start_ns + combine(terms, sizeof terms / sizeof *terms, warps_per_sm(work, held));
}
