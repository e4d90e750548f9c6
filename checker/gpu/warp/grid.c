/*
 * grid.c: blocks that wait for other blocks: for the whole grid of a cooperative launch, or for
 * their cluster. Only in a launch whose blocks take turns (launch.c).
 */
#include "gpu/warp/control.h"

#include <stdio.h>

bool grid_wait(struct warp *warp, const struct ptx_instruction *at, uint32_t lanes)
{
    if (at->flow == FLOW_CLUSTER || warp->block->run->launch->cooperative) return true;
    warp_fault(warp, at, (uint32_t)__builtin_ctz(lanes), "assert-failed",
               "grid.sync() needs a cooperative launch");
    warp_fail(warp, LAUNCH_FAILED);
    return false;
}

/* Blocks that have ended will never come to where these wait: a GPU would wait forever. */
static void note_divergence(struct block *block, uint64_t ended)
{
    const struct arrival *at = &block->grid_at;
    char detail[120];
    snprintf(detail, sizeof detail,
             "all blocks of the grid have to come here, but %llu of the %llu blocks have ended",
             (unsigned long long)ended, (unsigned long long)block->run->blocks);
    warp_fault_at(&block->warps[at->thread / LANES], at->place, at->thread % LANES,
                  "barrier-divergence", detail);
}

/* Lets the grid go on if all blocks that have not ended wait for it. */
static bool release_grid(struct run *run, struct block **resident, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!block_waits_for(resident[i], GROUP_GRID)) return false;
    if (run->next < run->blocks) return false;
    if (count < run->blocks) note_divergence(resident[count - 1], run->blocks - count);
    for (uint32_t i = 0; i < count; i++) {
        check_skipped(resident[i], &resident[i]->grid_at);
        block_release(resident[i], GROUP_GRID);
    }
    watch_order_all();
    return true;
}

static bool same_cluster(const struct block *a, const struct block *b)
{
    const uint32_t *size = a->run->launch->cluster;
    for (int i = 0; i < 3; i++)
        if (a->at[i] / size[i] != b->at[i] / size[i]) return false;
    return true;
}

/* Lets the cluster of a block go on, if all of its blocks that have not ended wait for it. */
static bool release_cluster(const struct block *first, struct block **resident, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (same_cluster(first, resident[i]) && !block_waits_for(resident[i], GROUP_CLUSTER))
            return false;
    for (uint32_t i = 0; i < count; i++)
        if (same_cluster(first, resident[i])) block_release(resident[i], GROUP_CLUSTER);
    watch_order_all();
    return true;
}

/* Lets those resident blocks go on whose waiting is over. */
bool grid_release(struct run *run, struct block **resident, uint32_t count)
{
    bool any = count > 0 && release_grid(run, resident, count);
    for (uint32_t i = 0; i < count && run->clusters; i++)
        if (block_waits_for(resident[i], GROUP_CLUSTER) && run->next >= run->blocks &&
            release_cluster(resident[i], resident, count))
            any = true;
    return any;
}
