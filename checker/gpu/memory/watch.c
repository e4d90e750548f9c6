/*
 * watch.c: the life of launches, watchers, blocks and warps under watch (watch.h). What happens to
 * an access is in global.c and shared.c; what orders threads, in order.c.
 */
#include "gpu/memory/watching.h"
#include "gpu/memory/obtain.h"

#include "gpu/memory/order.h"
#include "gpu/memory/race.h"
#include "gpu/memory/sample.h"

#include <stdlib.h>
#include <string.h>

struct watching watching = {.figures = {.l1_bytes = 128 << 10,
                                        .l2_bytes = 50 << 20,
                                        .l1_ns = 20,
                                        .l2_ns = 150,
                                        .dram_ns = 400,
                                        .lookup_parts = L1_PARTS}};

void watch_use(const struct watch_figures *figures)
{
    watching.figures = *figures;
}

void watch_launch(uint64_t launch, const char *kernel, const uint32_t grid[3],
                  const uint32_t block[3], const struct ptx_module *module, uint32_t workers)
{
    watching.launch = launch;
    watching.module = module;
    watching.parallel = workers > 1;
    memcpy(watching.grid, grid, sizeof watching.grid);
    memcpy(watching.block, block, sizeof watching.block);
    if (launch != watching.sampled_launch) watching.sampled = sample_wanted(kernel);
    watching.sampled_launch = launch;
    memset(watching.hot, 0, sizeof watching.hot);
    fault_begin(grid);
    traffic_begin(watching.figures.l2_bytes);
    order_launch(launch);
}

void watch_end(struct tally *total)
{
    order_end();
    if (watching.parallel && watch_depends_on_order())
        traffic_forget();
    else
        traffic_end(total);
    contention_end(total);
}

void watch_repeat(void)
{
    order_note_dependence();
}

/* ---- watchers ------------------------------------------------------------------------------- */

struct watcher *watcher_make(struct tally *tally, uint32_t rank)
{
    struct watcher *watcher = obtain(1, sizeof *watcher);
    watcher->tally = tally;
    watcher->rank = rank;
    watcher->l1 = cache_make(watching.figures.l1_bytes);
    watcher->whole = obtain(2 * (size_t)tally->module->access_count, sizeof *watcher->whole);
    watcher->traffic.first = 1; /* no block yet */
    order_watcher(watcher);
    return watcher;
}

static void free_blocks(struct watched_block *block)
{
    while (block != NULL) {
        struct watched_block *next = block->next;
        order_free_block(block);
        race_shared_begin(block); /* frees its tags of bytes */
        free(block->words);
        free(block->quiet);
        free(block);
        block = next;
    }
}

void watcher_free(struct watcher *watcher)
{
    count_whole_loads(watcher);
    traffic_close(&watcher->traffic);
    free(watcher->traffic.entries);
    uint64_t *hot = &watcher->hot[0][0], *sums = &watching.hot[0][0];
    for (int i = 0; i < 2 * HOT_WORDS; i++)
        if (hot[i] != 0) __atomic_fetch_add(&sums[i], hot[i], __ATOMIC_RELAXED);
    free_blocks(watcher->blocks);
    free_blocks(watcher->spare);
    order_free_watcher(watcher);
    cache_free(&watcher->l1);
    free(watcher->bank_memo);
    free(watcher->whole);
    free(watcher);
}

void watcher_next_sm(struct watcher *watcher)
{
    traffic_close(&watcher->traffic);
    cache_clear(&watcher->l1);
    if (watching.sampled && watcher->tally->samples == NULL) watcher->sample = true;
}

/* ---- blocks --------------------------------------------------------------------------------- */

/* A spare block that has room for the words and was of the same kernel; any other one, or a new
 * one, without words. */
static struct watched_block *take_spare(struct watcher *watcher, size_t words,
                                        const struct ptx_function *kernel, uint32_t dynamic)
{
    struct watched_block **location = &watcher->spare;
    while (*location != NULL && ((*location)->room < words || (*location)->kernel != kernel ||
                                 (*location)->dynamic != dynamic))
        location = &(*location)->next;
    if (*location == NULL) location = &watcher->spare;
    struct watched_block *block = *location;
    if (block != NULL) *location = block->next;
    return block != NULL ? block : obtain(1, sizeof *block);
}

static void begin_warp(struct watched_warp *warp, struct watched_block *block, uint32_t index,
                       uint32_t lanes)
{
    warp->block = block;
    warp->index = index;
    warp->lanes = lanes;
    warp->first_thread = index * LANES;
    warp->touched = warp->gave = 0;
    warp->bytes_of_all = 0;
    if (warp->uneven) memset(warp->bytes_of, 0, sizeof warp->bytes_of);
    warp->uneven = false;
    warp->flight = (struct flight){0};
    warp->stall = (struct stall){0};
    memset(warp->stored, 0, sizeof warp->stored);
    order_warp(warp);
}

struct watched_block *watch_block(struct watcher *watcher, uint32_t block, unsigned char *shared,
                                  size_t shared_bytes, const struct ptx_function *kernel,
                                  uint32_t dynamic_shared)
{
    struct watched_block *one = take_spare(watcher, (shared_bytes + 3) / 4, kernel, dynamic_shared);
    if (watcher->sample && watching.sampled)
        sample_begin(watcher->tally, kernel, watching.grid, dynamic_shared);
    watcher->sample = false;
    one->watcher = watcher;
    one->index = block;
    one->shared = shared;
    one->shared_bytes = shared_bytes;
    one->warp_count = 0;
    memset(one->added, 0, sizeof one->added);
    one->most_added = 0;
    shared_begin(one, kernel, dynamic_shared);
    one->next = watcher->blocks;
    watcher->blocks = one;
    memset(one->ends.ended, 0, sizeof one->ends.ended);
    memset(one->ends.early, 0, sizeof one->ends.early);
    if (one->ends.any) memset(one->ends.location, 0, sizeof one->ends.location);
    one->ends.any = false;
    traffic_block(&watcher->traffic, block);
    order_block(one);
    return one;
}

struct watched_warp *watch_warp(struct watched_block *block, uint32_t index, uint32_t lanes)
{
    struct watched_warp *warp = &block->warps[index];
    begin_warp(warp, block, index, lanes);
    if (index >= block->warp_count) block->warp_count = index + 1;
    return warp;
}

void watch_exchange(struct watched_warp *warp, uint32_t lanes)
{
    warp->gave |= lanes;
}

/* The threads of a warp that used global memory, and how many bytes of it. A thread that gives
 * nothing to memory or to other threads has no part in the result. */
static void count_threads(struct tally *tally, const struct watched_warp *warp)
{
    uint32_t lanes = warp->touched & warp->gave, alike = warp->uneven ? 0 : lanes;
    uint64_t count = (uint64_t)__builtin_popcount(alike);
    tally->threads += count;
    tally->thread_bytes += count * warp->bytes_of_all;
    if (count > 0 && warp->bytes_of_all > tally->busiest_bytes)
        tally->busiest_bytes = warp->bytes_of_all;
    EACH_LANE (lane, lanes & ~alike) {
        uint64_t bytes = warp->bytes_of_all + warp->bytes_of[lane];
        tally->threads++;
        tally->thread_bytes += bytes;
        if (bytes > tally->busiest_bytes) tally->busiest_bytes = bytes;
    }
}

void watch_block_end(struct watched_block *block)
{
    struct watcher *watcher = block->watcher;
    struct tally *tally = watcher->tally;
    flight_barrier(block);
    for (uint32_t i = 0; i < block->warp_count; i++) {
        struct watched_warp *warp = &block->warps[i];
        stall_settle(warp);
        count_threads(tally, warp);
        tally->stall_ns += warp->stall.ns;
        if (warp->stall.ns > tally->critical_path_ns) tally->critical_path_ns = warp->stall.ns;
        uint64_t handoff = warp->stall.behind > 0 ? warp->stall.ns + warp->stall.behind : 0;
        if (handoff > tally->handoff_ns) tally->handoff_ns = handoff;
    }
    struct watched_block **location = &watcher->blocks;
    while (*location != block)
        location = &(*location)->next;
    *location = block->next;
    block->next = watcher->spare;
    watcher->spare = block;
}

void watch_exit(struct watched_warp *warp, uint32_t lanes, const struct ptx_instruction *at)
{
    struct ends *ends = &warp->block->ends;
    ends->ended[warp->index] |= lanes;
    if (at == NULL || at->location == 0) return;
    ends->any = true;
    uint32_t *location = &ends->location[warp->first_thread];
    if (lanes == UINT32_MAX)
        for (uint32_t lane = 0; lane < LANES; lane++)
            location[lane] = at->location;
    else
        EACH_LANE (lane, lanes)
            location[lane] = at->location;
}

/* ---- faults --------------------------------------------------------------------------------- */

static void set_block(uint32_t index, uint32_t block[3])
{
    block[0] = index % watching.grid[0];
    block[1] = index / watching.grid[0] % watching.grid[1];
    block[2] = index / watching.grid[0] / watching.grid[1];
}

static void set_thread(uint32_t index, uint32_t thread[3])
{
    thread[0] = index % watching.block[0];
    thread[1] = index / watching.block[0] % watching.block[1];
    thread[2] = index / watching.block[0] / watching.block[1];
}

struct fault fault_of_lane(const struct watched_warp *warp, const struct looked *looked,
                           uint32_t lane, const char *name)
{
    const struct request *request = looked->request;
    struct fault fault = {.name = name,
                          .module = watching.module,
                          .location = request->location != 0 ? request->location
                                                             : request->instruction->location,
                          .bytes = request->bytes,
                          .kind = kind_name(request->kind),
                          .in_kernel = true,
                          .shared = looked->shared};
    if (!looked->shared) fault.address = (const void *)(uintptr_t)request->address[lane];
    set_block(warp->block->index, fault.block);
    set_thread(warp->first_thread + lane, fault.thread);
    return fault;
}

void fault_set_other(struct fault *fault, uint32_t block, uint32_t thread)
{
    fault->has_other = true;
    set_block(block, fault->other_block);
    set_thread(thread, fault->other_thread);
}
