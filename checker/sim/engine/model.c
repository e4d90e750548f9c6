/* model.c: see model.h. All figures are the profile's. */
#include "sim/engine/model.h"

#include "occupancy/occupancy.h"
#include "sim/gpu/profile.h"
#include "sim/requests/contention.h"

#include <math.h>

/* Fitted to the block sizes of axpy on an H200 (32 to 1024 threads): with 3, the time where two
 * resources take equally long comes out 26 % above either. */
static const double CORNER = 3;

/* Per SM. */
static const double SCHEDULERS = 4;

/* Fitted to small kernels on an H200 and an H100: of the instructions that are not of floats, the
 * share that needs the units for integers. nvcc gives the units for floats some of the sums,
 * products and moves. */
static const double NEEDS_INTEGER_UNIT = 0.83;

/* CUDA programming guide, for all GPUs since the V100: how many comparisons, shifts and operations
 * on bits an SM does per clock. Only the units for integers do them. */
static const double LOGIC_PER_CLOCK = 64;

/* Measured on an H200: for each address that the lanes of a warp want from constant memory. */
static const double CONSTANT_CLOCKS = 2;

/* Fitted to loads of sectors from anywhere, on an H200 and an H100: what the L2 needs for one that
 * is not part of a pair. If they are in order, it is 1.57. */
static const double SINGLE_COST = 1.8;

/* Fitted to loads and stores anywhere in 64 MB, on an H200 and an H100: for half lines in other
 * rows of DRAM than the ones before. */
static const double FAR_COST = 1.3;

/* Measured on an H100, where 30 to 8500 threads swap the same word: from one successful swap to the
 * next one of another thread, which grows with the root of their number. */
static const double SWAP_NS = 1400, CROWD_NS = 175;

/* Also measured there: with more sectors in a request, the turns of its lanes take longer. */
static const double SWAP_SECTORS = 16;

/* Measured on an H100 and an H200, for loads, copies and additions in place: of data that are only
 * loaded, the L2 keeps this share of its size from one launch to the next. Of data that are all
 * stored too, it keeps less. If there are more by the margin, it keeps nothing; up to there, what
 * it loses grows by the power. */
static const double KEPT = 0.73, LESS_KEPT = 0.2, MARGIN = 0.2, MORE_MARGIN = 0.1, POWER = 1.5;

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

/* The longest time dominates, and others that are nearly as long add to it. */
static double combine(const double *terms, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += pow(terms[i], CORNER);
    return pow(sum, 1 / CORNER);
}

/* Clocks of one SM's arithmetic units for all warps. The units work at the same time. */
static double compute_clocks(const struct work *work, const struct arithmetic *arithmetic)
{
    const struct profile *gpu = profile();
    const uint64_t *count = arithmetic->count;
    const struct instructions *others = &work->instructions;
    const double issued = others->issued + others->floats + work->tally->requests +
                          (double)(work->tally->exchanges + work->tally->constant_loads) +
                          (double)(arithmetic->float_fused + arithmetic->double_fused) / LANES;
    /* A division is a sequence of instructions, which the schedulers issue like all others. */
    const double divisions = (double)count[FLOAT_DIVIDE] / gpu->float_divisions_per_clock +
                             others->roots / gpu->float_roots_per_clock +
                             (double)count[DIVIDE] / gpu->divisions_per_clock +
                             (double)count[DIVIDE_64] / gpu->divisions_64_per_clock;
    const double units[] = {
        (double)arithmetic->float_fused / (gpu->flops_per_clock / 2),
        issued / gpu->instructions_per_clock + divisions,
        NEEDS_INTEGER_UNIT * others->issued * LANES / gpu->integers_per_clock + divisions,
        others->logic * LANES / LOGIC_PER_CLOCK + divisions,
        others->special * LANES / gpu->special_per_clock,
        ((double)arithmetic->double_fused + others->doubles * LANES) / gpu->doubles_per_clock +
            (double)count[DOUBLE_DIVIDE] / gpu->double_divisions_per_clock,
        (double)count[CONVERT] / gpu->conversions_per_clock + divisions,
        work->tally->tensor_work / gpu->tensor_flops_per_clock,
    };
    double most = 0;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        most = larger(most, units[i]);
    return most;
}

/* How much longer the busiest SM works than the mean of those that have a block. */
static struct block_work imbalance(const struct work *work, int held)
{
    double sms = profile()->sms, blocks = (double)work->blocks;
    if (work->per_block != NULL)
        return balance(work->per_block, work->blocks, (int)profile()->sms, held);
    float even = 1;
    if (blocks > sms && blocks <= sms * larger(held, 1))
        even = (float)(ceil(blocks / sms) * sms / blocks);
    return (struct block_work){even, even};
}

static double hottest(const struct hot *places)
{
    double most = 0;
    for (int i = 0; i < HOT_PLACES; i++)
        most = larger(most, places[i].count);
    return most;
}

/* What atomic operations on few places of global memory take. */
static double hot_ns(const struct atomics *atomics)
{
    const struct profile *gpu = profile();
    double in_words = larger(hottest(atomics->words) * gpu->atomic_word_ns,
                             hottest(atomics->real_words) * gpu->atomic_real_word_ns);
    double in_pieces = hottest(atomics->pieces) * gpu->atomic_piece_ns;
    return larger(in_words, larger(in_pieces, hottest(atomics->lines)));
}

/* What they take when they are everywhere. */
static double spread_ns(const struct atomics *atomics)
{
    return (double)atomics->sectors / profile()->atomic_sectors_per_ns +
           (double)atomics->repeats * profile()->atomic_repeat_ns;
}

/* What threads lose that swap words which others have changed since they read them: a thread whose
 * compare and swap fails needs another one, and all that wait for the word try in between. */
static double swaps_ns(const struct work *work, int held)
{
    const struct atomics *atomics = &work->tally->atomics;
    double words = contention_swapped_words(atomics), threads = (double)work->tally->threads;
    if (words < 1 || threads < 1 || atomics->tried_requests == 0) return 0;
    double by_others = (double)atomics->swaps * (1 / words - 1 / threads);
    double resident = larger(held, 1) * profile()->sms * (double)work->threads_per_block;
    double crowd = smaller(smaller(resident, threads), (double)atomics->tried) / words;
    double sectors = (double)atomics->tried_sectors / (double)atomics->tried_requests;
    double turn = larger(SWAP_NS, CROWD_NS * sqrt(crowd)) * larger(1, sectors / SWAP_SECTORS);
    return larger(by_others, 0) * turn;
}

/* The rest of the kernel together with its atomic operations on few places. Blocks that run at the
 * same time all come to these when they have done the rest. Later blocks do the rest meanwhile. */
static double with_hot_ns(const struct work *work, int held, double hot, double rest)
{
    double turns = ceil((double)work->blocks / (larger(held, 1) * profile()->sms));
    return larger(hot, rest) + smaller(hot, rest) / turns;
}

/* As how many bytes half lines count besides their own, if near each other they count `cost` times.
 */
static double half_lines(const struct lone *lone, double cost)
{
    double all = (double)lone->bytes, far = smaller((double)lone->far_bytes, all);
    return (all - far) * (cost - 1) + far * (cost * FAR_COST - 1);
}

/* The share of the launch's data that the L2 does not hold when it begins. If all memory of the
 * program fits there, only the data of the launch itself take the place of each other. */
static double missing_share(const struct work *work)
{
    const struct tally *tally = work->tally;
    double l2_bytes = profile()->l2_mb * 1024 * 1024;
    double dirty = (double)tally->dirty_bytes, unread = (double)tally->unread_bytes;
    double touched =
        smaller(larger((double)tally->dram_bytes - dirty, 0) + unread, (double)work->memory_bytes);
    if (!work->in_l2 || touched <= 0) return !work->in_l2;
    double stored = smaller(dirty / touched, 1);
    double more = touched / l2_bytes - (KEPT - LESS_KEPT * stored);
    return pow(smaller(larger(more / (MARGIN + MORE_MARGIN * stored), 0), 1), POWER);
}

/* What loads and stores cost more than their bytes: half a line takes as long as a whole one,
 * nearly, and sectors that are stored in part are loaded first. Where the L2 holds most of the
 * data, it has what is stored together before that leaves it. */
static double dram_ns(const struct work *work, const struct kernel_outcome *outcome)
{
    const struct profile *gpu = profile();
    const struct tally *tally = work->tally;
    double dirty = (double)tally->dirty_bytes;
    double bytes = (double)outcome->dram_bytes + half_lines(&tally->lone_loads, gpu->lone_cost);
    if (work->in_l2) return missing_share(work) * bytes / gpu->stream_gbs;
    double stores = half_lines(&tally->lone_stores, 2 * gpu->lone_cost);
    double partial = dirty > 0 ? 1 - (double)outcome->store.bytes / dirty : 0;
    double unread = dirty > 0 ? smaller(1, (double)tally->unread_bytes / dirty) : 0;
    bytes += stores;
    if (partial > 0) bytes += smaller(partial * 32 / 28, 1) * unread * (dirty + stores);
    return bytes / gpu->stream_gbs;
}

/* Of the DRAM, the L2, and its stores, what takes longest. What the L2 does not hold at first takes
 * the DRAM's time. */
static double memory_ns(const struct work *work, const struct kernel_outcome *outcome)
{
    const double l2_ns = larger(outcome->l2_ns, outcome->stores_ns);
    return larger(outcome->dram_ns + (1 - missing_share(work)) * l2_ns, l2_ns);
}

/* How long one warp takes that nothing holds up but its own instructions: it waits for memory, and
 * computes. It computes as fast as its scheduler lets it, or as its results come. It does both at
 * the same time as far as it loads its data ahead. */
static double lone_warp_ns(const struct work *work, double chain_ns, double depth, double own)
{
    double compute_ns = larger(depth, own) / profile()->clock_ghz;
    return larger(chain_ns, compute_ns) + (1 - work->overlap) * smaller(chain_ns, compute_ns);
}

/* Clocks that a warp computes if no other block does. Its scheduler also serves others of the
 * block, which matters where all wait for the last one. */
static double own_clocks(const struct work *work, double compute_clocks)
{
    double warps = ceil((double)work->threads_per_block / 32);
    double together = work->tally->barriers > 0 ? larger(warps, SCHEDULERS) : SCHEDULERS;
    return compute_clocks / (double)work->blocks * together / warps;
}

/* At a time, as many blocks run as the SMs hold. No launch is faster than its slowest block. If
 * threads take piece after piece of the work from a counter, the first blocks have taken all
 * pieces: in the simulator, blocks run one after another. A GPU's blocks share the pieces. */
static double latency_ns(const struct work *work, double resident, double compute_clocks)
{
    const struct profile *gpu = profile();
    const struct instructions *code = &work->instructions;
    const struct tally *tally = work->tally;
    double warps = ceil((double)work->threads_per_block / 32), blocks = (double)work->blocks;
    double turn = gpu->block_turn_ns + warps * gpu->warp_turn_ns;
    double own = own_clocks(work, compute_clocks);
    double slowest = lone_warp_ns(work, tally->chain_max_ns, code->depth_max, own) + turn;
    if (resident < 1) return slowest;
    double at_once = smaller(blocks, resident), pieces = (double)tally->turns;
    double chain = tally->chain_sum_ns / blocks;
    if (pieces > 0) {
        chain = tally->warps_sum_ns / warps / blocks;
        at_once = smaller(at_once, pieces);
        slowest = 0;
    }
    return larger(slowest, (lone_warp_ns(work, chain, code->depth, own) + turn) * blocks / at_once);
}

/* Time of the kernel if this were its arithmetic. The other terms of the outcome are known. */
static double total_ns(const struct work *work, const struct arithmetic *arithmetic, double busiest,
                       struct kernel_outcome *outcome)
{
    const struct profile *gpu = profile();
    int held = outcome->blocks_per_sm;
    double active_sms = smaller((double)work->blocks, gpu->sms);
    double clocks = compute_clocks(work, arithmetic);
    outcome->compute_ns = clocks * busiest / (active_sms * gpu->clock_ghz);
    outcome->latency_ns = latency_ns(work, held * gpu->sms, clocks);
    const double terms[] = {memory_ns(work, outcome), outcome->l1_ns,      outcome->issue_ns,
                            outcome->latency_ns,      outcome->blocks_ns,  outcome->compute_ns,
                            outcome->bus_ns,          outcome->barriers_ns};
    const double rest_ns = combine(terms, sizeof terms / sizeof *terms);
    return outcome->start_ns +
           with_hot_ns(work, held, outcome->hot_ns + outcome->atomics_ns, rest_ns);
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

    struct block_work uneven = imbalance(work, held);
    double busiest = (double)uneven.memory / clocks;

    outcome->blocks_per_sm = held;
    outcome->start_ns = gpu->kernel_start_ns;
    outcome->dram_ns = dram_ns(work, outcome);
    outcome->bus_ns = (double)outcome->moved_bytes / gpu->transfer_gbs +
                      (double)outcome->bus_bytes / gpu->bus_gbs;
    outcome->l2_ns =
        ((double)work->tally->l2_bytes + (double)work->tally->single_bytes * (SINGLE_COST - 1)) /
        gpu->l2_gbs;
    outcome->stores_ns = ((double)work->tally->store_sectors * gpu->store_sector_clocks +
                          (double)work->tally->store_lines * gpu->store_line_clocks) *
                         busiest;
    outcome->hot_ns = hot_ns(&work->tally->atomics) + swaps_ns(work, held);
    outcome->atomics_ns = spread_ns(&work->tally->atomics);
    double block_warps = ceil((double)work->threads_per_block / 32);
    outcome->l1_ns =
        (work->tally->lines / gpu->lines_per_clock + work->instructions.local +
         (double)work->tally->atomics.shared_real_rounds * (gpu->shared_real_atomic_clocks - 1) +
         (double)work->tally->atomics.contended_rounds * block_warps * gpu->contended_clocks) *
        busiest;
    outcome->barriers_ns = (double)work->tally->barriers * gpu->barrier_clocks * busiest;
    double requests = work->tally->requests + (double)work->tally->exchanges;
    outcome->issue_ns = larger(requests / gpu->requests_per_clock,
                               (double)work->tally->constants * CONSTANT_CLOCKS) *
                        busiest;
    outcome->blocks_ns =
        (double)work->blocks * larger(gpu->block_start_ns, block_warps * gpu->warp_start_ns);

    struct arithmetic floats = in_float(work->instructions.lanes);
    struct arithmetic undivided = without_divisions(work->instructions.lanes);
    double floats_ns = total_ns(work, &floats, (double)uneven.compute, outcome);
    double undivided_ns = total_ns(work, &undivided, (double)uneven.compute, outcome);
    outcome->ns = total_ns(work, &work->instructions.lanes, (double)uneven.compute, outcome);
    outcome->doubles_cost_ns = outcome->ns - floats_ns;
    outcome->divisions_cost_ns = outcome->ns - undivided_ns;
}
