/* fences.c: the fences of a worker's threads, for release.c (release.h). */
#include "gpu/memory/release.h"
#include "gpu/memory/obtain.h"

#include "gpu/memory/footprint.h"
#include "gpu/memory/order.h"

#include <stdlib.h>
#include <string.h>

/* The last fence would be the same. */
static bool is_repeated(const struct watched_warp *warp, uint32_t mask, enum fence_scope scope)
{
    const struct fence *last = warp->fence;
    return last != NULL && warp->own == 0 && last->last == warp->last && last->scope >= scope &&
           (mask & ~last->mask) == 0 && last->block_floor == warp->block->floor &&
           last->warp_floor == warp->floor && last->acquired == warp->acquired &&
           warp->acquired_by == NULL && warp->seen == NULL && warp->block->clock == NULL;
}

uint32_t release_fence_number(const struct watched_warp *warp)
{
    return warp->fence == NULL ? 0 : warp->fence_number;
}

static void note_fenced(struct watched_warp *warp, uint32_t mask)
{
    struct watched_block *block = warp->block;
    if (block->fenced_upto == NULL)
        block->fenced_upto = obtain(THREADS_MAX, sizeof *block->fenced_upto);
    EACH_LANE (lane, mask)
        block->fenced_upto[warp->first_thread + lane] = warp->last;
    block->fenced = warp->fenced = true;
}

void watch_fence(struct watched_warp *warp, uint32_t mask, enum fence_scope scope)
{
    struct watched_block *block = warp->block;
    struct watcher *watcher = block->watcher;
    if (scope == FENCE_SYSTEM) footprint_note_fence();
    note_fenced(warp, mask);
    if (scope >= FENCE_GPU) stall_fence(warp);
    if (is_repeated(warp, mask, scope)) return;
    struct fence *fence = release_get(watcher, sizeof *fence);
    *fence = (struct fence){.previous = warp->fence,
                            .block = block->index,
                            .warp = warp->index,
                            .mask = mask,
                            .block_floor = block->floor,
                            .warp_floor = warp->floor,
                            .last = warp->last,
                            .scope = scope,
                            .acquired = warp->acquired};
    if (block->clock != NULL)
        fence->clock = release_copy(watcher, block->clock[warp->index], sizeof *block->clock);
    fence->seen = release_copy(watcher, warp->seen, LANES * sizeof *warp->seen);
    fence->acquired_by =
        release_copy(watcher, warp->acquired_by, LANES * sizeof *warp->acquired_by);
    warp->fence_number = release_number(watcher, fence);
    warp->fence = fence;
    warp->own = 0;
}

struct fence *fence_of_lane(struct fence *fence, uint32_t lane)
{
    while (fence != NULL && !(fence->mask >> lane & 1))
        fence = fence->previous;
    return fence;
}

const struct fence *fence_of_tag(const struct watcher *watcher, uint32_t tag)
{
    const struct fence *last = release_numbered(watcher, segments[tag_number(tag)].fence);
    return tag_is_lane(tag) ? fence_of_lane((struct fence *)(uintptr_t)last, tag % LANES) : NULL;
}

bool release_is_fenced(const struct watched_warp *warp, uint32_t tag)
{
    return fence_of_tag(warp->block->watcher, tag) != NULL;
}

bool release_has_fenced(const struct watched_warp *warp, uint32_t lane)
{
    return fence_of_lane(warp->fence, lane) != NULL;
}

/* Is the access covered by the fences that were passed on? */
static bool passes(const struct fence *fence, uint32_t tag)
{
    const struct segment *entry = &segments[tag_number(tag)];
    uint32_t base = tag_base(tag);
    if (fence->clock[entry->warp] >= base) return true;
    return fence->threads != NULL && tag_is_lane(tag) &&
           fence->threads[entry->warp * LANES + tag % LANES] >= base;
}

bool fence_covers(const struct fence *fence, uint32_t lane, uint32_t tag)
{
    const struct segment *entry = &segments[tag_number(tag)];
    uint32_t base = tag_base(tag);
    if (entry->block != fence->block) return false;
    for (; fence != NULL && fence->passed_on; fence = fence_of_lane(fence->previous, lane))
        if (passes(fence, tag)) return true;
    if (fence == NULL) return false;
    if (base < fence->block_floor) return true;
    if (entry->warp != fence->warp)
        return fence->clock != NULL && fence->clock[entry->warp] >= base;
    if (base < fence->warp_floor) return true;
    if (base > fence->last) return false;
    if (tag_is_lane(tag))
        return tag % LANES == lane ||
               (fence->seen != NULL && fence->seen[lane][tag % LANES] >= base);
    for (uint32_t i = 0; fence->seen != NULL && i < LANES; i++)
        if (i != lane && fence->seen[lane][i] < base) return false;
    return fence->seen != NULL;
}

/* The number up to which all lanes of the warp, but those of `left_out`, have fenced; `alike`: it
 * is the same for each of them. */
static uint32_t fenced_by_all(const struct watched_warp *warp, uint32_t left_out, bool *alike)
{
    uint32_t least = UINT32_MAX, most = 0;
    for (uint32_t lane = 0; lane < warp->lanes && lane < LANES; lane++) {
        uint32_t upto =
            left_out >> lane & 1 ? 0 : warp->block->fenced_upto[warp->first_thread + lane];
        if (upto < least) least = upto;
        if (upto > most) most = upto;
    }
    *alike = *alike && least == most;
    return least == UINT32_MAX ? 0 : least;
}

static void pass_on(struct watched_warp *warp, uint32_t lanes, uint32_t *clock, uint32_t *threads)
{
    struct watcher *watcher = warp->block->watcher;
    struct fence *fence = release_get(watcher, sizeof *fence);
    *fence = (struct fence){
        .previous = warp->fence,
        .block = warp->block->index,
        .warp = warp->index,
        .mask = lanes,
        .last = warp->last,
        .scope = FENCE_SYSTEM,
        .clock = clock,
        .threads = threads,
        .passed_on = true,
        .acquired = warp->acquired,
        .acquired_by = release_copy(watcher, warp->acquired_by, LANES * sizeof *warp->acquired_by)};
    warp->fence_number = release_number(watcher, fence);
    warp->fence = fence;
}

void release_pass_warps(struct watched_block *block, uint32_t warps)
{
    struct watcher *watcher = block->watcher;
    uint32_t *clock = release_get(watcher, WARPS_MAX * sizeof *clock), *threads = NULL;
    bool alike = true;
    EACH_LANE (one, warps)
        clock[one] = fenced_by_all(&block->warps[one], 0, &alike);
    if (!alike) threads = release_get(watcher, THREADS_MAX * sizeof *threads);
    EACH_LANE (one, threads != NULL ? warps : 0)
        memcpy(threads + one * LANES, block->fenced_upto + one * LANES, LANES * sizeof *threads);
    EACH_LANE (one, warps) {
        pass_on(&block->warps[one], UINT32_MAX, clock, threads);
        block->warps[one].fenced = false;
    }
}

void release_pass_lanes(struct watched_warp *warp, uint32_t lanes)
{
    struct watcher *watcher = warp->block->watcher;
    uint32_t *clock = release_get(watcher, WARPS_MAX * sizeof *clock), *threads = NULL;
    bool alike = true;
    clock[warp->index] = fenced_by_all(warp, ~lanes, &alike);
    if (!alike) threads = release_get(watcher, THREADS_MAX * sizeof *threads);
    EACH_LANE (lane, threads != NULL ? lanes : 0)
        threads[warp->first_thread + lane] = warp->block->fenced_upto[warp->first_thread + lane];
    pass_on(warp, lanes, clock, threads);
    warp->fenced = false;
}
