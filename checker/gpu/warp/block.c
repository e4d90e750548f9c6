/*
 * block.c: a block while it runs: its warps take turns until all have ended or wait. Who waits for
 * what will not come is reported and goes on, so a kernel does not hang where a GPU would.
 */
#include "gpu/warp/control.h"
#include "gpu/warp/log.h"

#include <stdlib.h>
#include <string.h>

/* ---- its memory ----------------------------------------------------------------------------- */

static void *zeroed(size_t count, size_t bytes)
{
    return memset(obtain_aligned(count * bytes), 0, count * bytes);
}

static struct block *make_block(struct worker *worker)
{
    struct execution *run = worker->run;
    struct block *block = zeroed(1, sizeof *block);
    block->run = run;
    block->worker = worker;
    block->threads = run->threads;
    block->warp_count = run->warps;
    block->warps = zeroed(run->warps, sizeof *block->warps);
    block->controls = zeroed(run->warps, sizeof *block->controls);
    block->special = zeroed(run->warps, SPECIAL_BYTES);
    block->shared = zeroed(1, run->shared_bytes + 64);
    for (uint32_t i = 0; i < run->warps; i++) {
        struct warp *warp = &block->warps[i];
        uint32_t left = run->threads - i * LANES;
        warp->index = i;
        warp->lanes = left >= LANES ? FULL_MASK : (1u << left) - 1;
        warp->block = block;
        warp->worker = worker;
        warp->control = &block->controls[i];
        warp->base[BASE_CONSTANT] = run->module->constants;
        warp->base[BASE_SPECIAL] = block->special + (size_t)i * SPECIAL_BYTES;
        warp->control->kernel = activation_make(warp, run->kernel);
        special_begin_launch(warp);
    }
    return block;
}

struct block *block_take(struct worker *worker)
{
    struct block *block = worker->spare_block;
    if (block == NULL) return make_block(worker);
    worker->spare_block = block->next;
    return block;
}

void block_drop(struct block *block)
{
    block->next = block->worker->spare_block;
    block->worker->spare_block = block;
}

void blocks_free(struct worker *worker)
{
    while (worker->spare_block != NULL) {
        struct block *block = worker->spare_block;
        worker->spare_block = block->next;
        for (uint32_t i = 0; i < block->warp_count; i++) {
            copies_free(&block->warps[i]);
            free(block->controls[i].local);
            free(block->controls[i].kernel);
        }
        free(block->warps);
        free(block->controls);
        free(block->special);
        free(block->shared);
        if (block->log != worker->log) log_free(block->log);
        free(block);
    }
}

/* ---- its run -------------------------------------------------------------------------------- */

void block_start(struct block *block, uint64_t index)
{
    struct execution *run = block->run;
    const uint32_t *grid = run->launch->grid;
    block->index = index;
    block->at[0] = (uint32_t)(index % grid[0]);
    block->at[1] = (uint32_t)(index / grid[0] % grid[1]);
    block->at[2] = (uint32_t)(index / grid[0] / grid[1]);
    block->live_threads = block->threads;
    if (block->used_barriers != 0) memset(block->barrier, 0, sizeof block->barrier);
    block->used_barriers = 0;
    block->changed = block->stuck = block->phase_polls = block->other_polls = false;
    block->idle_rounds = 0;
    block->watched = watch_block(block->worker->watcher, (uint32_t)index, block->shared,
                                 run->shared_bytes, run->kernel, run->launch->dynamic_shared);
    for (uint32_t i = 0; i < block->warp_count; i++) {
        struct warp *warp = &block->warps[i];
        warp->watched = watch_warp(block->watched, i, warp->lanes);
        warp_begin(warp, warp->lanes);
        special_begin_block(warp);
        copies_reset(warp);
        if (run->kernel->local_bytes > 0) local_begin(warp, warp->control->kernel, warp->lanes);
    }
}

static bool is_ready(const struct control *control)
{
    for (uint32_t i = 0; i < control->count; i++)
        if (control->group[i].state == GROUP_READY) return true;
    return false;
}

static void end_block(struct block *block)
{
    struct tally *tally = &block->worker->tally;
    for (uint32_t i = 0; i < block->warp_count; i++) {
        uint64_t instructions = block->controls[i].instructions;
        if (block->index < BLOCKS_NOTED) tally->block_work[block->index] += (uint32_t)instructions;
        if (instructions > tally->longest_warp) tally->longest_warp = instructions;
    }
    tally->warps += block->warp_count;
    tally->blocks++;
    watch_block_end(block->watched);
}

/* The result of one slice of all warps. */
struct round {
    bool moved; /* a warp has ended, or a barrier was complete */
    bool spins; /* warps can go on, but have had their turn */
    bool polls; /* all of those ask again and again for what others do */
};

/* Runs each warp that can go on. False: the kernel ends by a fault. */
static bool run_round(struct block *block, struct round *round)
{
    *round = (struct round){.polls = true};
    block->phase_polls = block->other_polls = false;
    for (uint32_t i = 0; i < block->warp_count; i++) {
        struct warp *warp = &block->warps[i];
        if (!is_ready(warp->control)) continue;
        enum warp_state state = warp_advance(warp);
        if (block->worker->error != 0) return false;
        round->moved = round->moved || state == WARP_ENDED;
        round->spins = round->spins || state == WARP_SPINS;
        if (state == WARP_SPINS && !warp->control->spun) round->polls = false;
        block->phase_polls = block->phase_polls || warp->control->phase_polls;
        block->other_polls = block->other_polls || warp->control->other_polls;
        if (block->changed && barriers_release(block)) round->moved = true;
    }
    return true;
}

/* All threads that can go on wait for mbarriers, and nobody arrives at any. */
static void note_stuck(struct block *block)
{
    const struct arrival *at = &block->phase_at;
    warp_fault_at(&block->warps[at->thread / LANES], at->location, at->thread % LANES,
                  "barrier-divergence",
                  "it waits for threads that have ended or wait at another place");
    block->stuck = true;
}

/* Nobody can go on. Lanes that wait for lanes that do not come go on, then threads at a barrier.
 * False: all that are left wait for other blocks. */
static bool release_stuck(struct block *block)
{
    for (uint32_t i = 0; i < block->warp_count; i++)
        if (release_meeting(&block->warps[i])) return true;
    return barriers_release_stuck(block);
}

/* Runs a block until it has ended, or only waits: for the grid, the cluster, or by asking again and
 * again. */
enum block_state block_advance(struct block *block)
{
    enum { IDLE_ROUNDS = 2, STUCK_ROUNDS = 4 };
    struct round round;
    for (uint32_t idle = 0;;) {
        if (!run_round(block, &round)) {
            watch_block_end(block->watched);
            return BLOCK_ENDED;
        }
        if (block->live_threads == 0) {
            end_block(block);
            return BLOCK_ENDED;
        }
        if (round.moved) {
            idle = block->idle_rounds = 0;
            continue;
        }
        if (!round.spins) {
            if (!release_stuck(block)) return BLOCK_WAITS;
            continue;
        }
        if (block->phase_polls && !block->other_polls && block->moved == block->moved_before &&
            !block->stuck) {
            if (++block->idle_rounds >= STUCK_ROUNDS) note_stuck(block);
        } else
            block->idle_rounds = 0;
        block->moved_before = block->moved;
        block->polls = round.polls;
        if (++idle >= IDLE_ROUNDS && (round.polls || block->run->fixed)) return BLOCK_WAITS;
    }
}
