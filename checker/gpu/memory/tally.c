/* tally.c: see tally.h. */
#include "gpu/memory/tally.h"

#include "gpu/memory/obtain.h"
#include "gpu/memory/sample.h"

#include <stdlib.h>
#include <string.h>

void tally_begin(struct tally *tally, const struct ptx_module *module)
{
    *tally = (struct tally){.module = module};
    tally->sites = obtain(module->access_count, sizeof *tally->sites);
    tally->executed = obtain(module->numbers, sizeof *tally->executed);
    tally->executed_lanes = obtain(module->numbers, sizeof *tally->executed_lanes);
    tally->block_work = obtain(BLOCKS_NOTED, sizeof *tally->block_work);
}

void tally_free(struct tally *tally)
{
    sample_free(tally);
    free(tally->sites);
    free(tally->executed);
    free(tally->executed_lanes);
    free(tally->block_work);
    *tally = (struct tally){0};
}

static void add_site(struct access_site *sum, const struct access_site *more)
{
    tally_add_counts(&sum->global, &more->global);
    tally_add_counts(&sum->shared, &more->shared);
    tally_add_counts(&sum->poor, &more->poor);
    tally_take_worse(&sum->worst_lanes, &sum->worst_sectors, more->worst_lanes,
                     more->worst_sectors);
    tally_take_worse(&sum->worst_shared_lanes, &sum->worst_wavefronts, more->worst_shared_lanes,
                     more->worst_wavefronts);
}

static void take_larger(uint64_t *value, uint64_t other)
{
    if (other > *value) *value = other;
}

static void add_sums(struct tally *tally, const struct tally *more)
{
    tally->warp_instructions += more->warp_instructions;
    tally->l2_bytes += more->l2_bytes;
    tally->l2_lines += more->l2_lines;
    tally->dram_bytes += more->dram_bytes;
    tally->dram_store_bytes += more->dram_store_bytes;
    tally->moved_bytes += more->moved_bytes;
    tally->bus_bytes += more->bus_bytes;
    tally->store_lines += more->store_lines;
    tally->l1_clocks += more->l1_clocks;
    tally->threads += more->threads;
    tally->thread_bytes += more->thread_bytes;
    tally->overlap_bytes += more->overlap_bytes;
    tally->barriers += more->barriers;
    tally->exchanges += more->exchanges;
    tally->divergent_branches += more->divergent_branches;
    tally->atomic_passes += more->atomic_passes;
    tally->local_loads += more->local_loads;
    tally->local_load_lines += more->local_load_lines;
    tally->local_stores += more->local_stores;
    tally->local_store_lines += more->local_store_lines;
    tally->dram_bursts += more->dram_bursts;
    tally->dram_alone += more->dram_alone;
    tally->shared_atomic_rounds += more->shared_atomic_rounds;
    tally->tensor_flops += more->tensor_flops;
    tally->stall_ns += more->stall_ns;
    tally->constant_passes += more->constant_passes;
    tally->retry_rounds += more->retry_rounds;
    tally->warps += more->warps;
    tally->blocks += more->blocks;
    tally->narrow_stores |= more->narrow_stores;
}

static void add_greatest(struct tally *tally, const struct tally *more)
{
    take_larger(&tally->busiest_bytes, more->busiest_bytes);
    take_larger(&tally->hottest_range, more->hottest_range);
    take_larger(&tally->critical_path_ns, more->critical_path_ns);
    take_larger(&tally->longest_warp, more->longest_warp);
    if (more->blocks_per_sm > tally->blocks_per_sm) tally->blocks_per_sm = more->blocks_per_sm;
    if (tally->lost_location == 0 ||
        (more->lost_location != 0 && more->lost_location < tally->lost_location))
        tally->lost_location = more->lost_location;
}

void tally_add(struct tally *tally, const struct tally *more)
{
    for (uint32_t i = 0; i < tally->module->access_count; i++)
        add_site(&tally->sites[i], &more->sites[i]);
    for (uint32_t i = 0; i < tally->module->numbers; i++) {
        tally->executed[i] += more->executed[i];
        tally->executed_lanes[i] += more->executed_lanes[i];
    }
    for (int i = 0; i < ACCESS_CLASSES; i++) {
        tally_add_counts(&tally->global[i], &more->global[i]);
        tally_add_counts(&tally->shared[i], &more->shared[i]);
    }
    for (int i = 0; i < ISSUE_KINDS; i++) {
        tally->issued[i] += more->issued[i];
        tally->issued_lanes[i] += more->issued_lanes[i];
    }
    for (uint32_t i = 0; i < BLOCKS_NOTED; i++)
        tally->block_work[i] += more->block_work[i];
    add_sums(tally, more);
    add_greatest(tally, more);
    sample_add(tally, more);
}
