/* order.c: see order.h. */
#include "gpu/memory/order.h"

#include <string.h>

void order_launch(uint32_t workers)
{
    (void)workers;
}

void order_end(void)
{
}

bool order_watcher(struct watcher *watcher)
{
    (void)watcher;
    return true;
}

void order_free_watcher(struct watcher *watcher)
{
    (void)watcher;
}

void order_block(struct watched_block *block)
{
    (void)block;
}

void order_block_end(struct watched_block *block)
{
    (void)block;
}

void order_free_block(struct watched_block *block)
{
    (void)block;
}

void order_warp(struct watched_warp *warp)
{
    (void)warp;
}

bool watch_depends_on_order(void)
{
    return false;
}

void watch_order_all(void)
{
}

void watch_barrier(struct watched_block *block, uint32_t warps)
{
    memcpy(block->ends.early, block->ends.ended, sizeof block->ends.early);
    (void)warps;
    flight_barrier(block);
    for (uint32_t i = 0; i < block->warp_count; i++)
        chain_settle(&block->warps[i]);
}

void watch_meet(struct watched_warp *warp, uint32_t lanes)
{
    (void)warp;
    (void)lanes;
}

void watch_fence(struct watched_warp *warp, uint32_t mask, enum fence_scope scope)
{
    (void)warp;
    (void)mask;
    (void)scope;
}

void watch_release(struct watched_warp *warp, uint32_t lanes, uint64_t object)
{
    (void)warp;
    (void)lanes;
    (void)object;
}

void watch_acquire(struct watched_warp *warp, uint32_t lanes, uint64_t object)
{
    (void)warp;
    (void)lanes;
    (void)object;
}
