/* block.c: threads, warps and barriers of one block (block.h). */
#include "sim/engine/block.h"

#include "sim/engine/engine.h"
#include "sim/engine/grid.h"
#include "sim/gpu/profile.h"
#include "sim/image/device_image.h"
#include "sim/image/source_line.h"
#include "sim/requests/fault.h"
#include "sim/requests/flight.h"
#include "sim/requests/lane.h"
#include "sim/requests/request.h"

#include <stdio.h>
#include <string.h>

bool block_prepare(struct worker *worker, size_t threads)
{
    size_t count = (threads < THREADS_MAX ? THREADS_MAX : threads) + 1;
    if (worker->fibers.count == count) return true;
    if (worker->fibers.count > 0) fibers_free(&worker->fibers);
    return fibers_make(&worker->fibers, count, running_threads, worker);
}

uintptr_t block_entry(struct worker *worker, const struct kernel_launch *launch)
{
    running_worker = worker;
    cursor = (struct cursor)NO_CURSOR;
    cursor.block = UINTPTR_MAX; /* higher than any: the first block jumps back */
    worker->launch = launch;
    worker->running_warp = NULL;
    struct fiber *fiber = fiber_take(&worker->fibers);
    fiber_enter(&worker->fibers, fiber);
    fiber_drop(&worker->fibers, fiber);
    cursor = (struct cursor)NO_CURSOR;
    running_worker = NULL;
    return worker->entry;
}

/* Where the fiber of a lane of the running warp is kept while the lane waits. */
static struct fiber **fiber_of(struct worker *worker, uint32_t lane)
{
    return &worker->fiber[worker->running_warp - worker->warps][lane];
}

/* Lets a fiber run until it has nothing left to do, or until its thread has to wait. */
static inline __attribute__((always_inline)) void enter(struct worker *worker, struct fiber *fiber)
{
    const struct warp *warp = worker->running_warp;
    fiber_enter(&worker->fibers, fiber);
    if (worker->error != 0) return;
    if ((warp->running | warp->at_barrier | warp->at_exchange) >> running_lane() & 1)
        *fiber_of(worker, running_lane()) = fiber;
    else
        fiber_give(&worker->fibers, fiber);
}

int block_wait_at_barrier(int predicate, bool for_grid, int *threads, uintptr_t pc)
{
    struct worker *worker = running_worker;
    struct warp *warp = worker->running_warp;
    struct barrier *barrier = &worker->barrier;
    uint32_t bit = 1u << running_lane();
    struct arrival arrival = {pc, warp->first_thread + running_lane()};
    if (barrier->came++ == 0)
        barrier->first = arrival;
    else if (pc != barrier->first.pc && barrier->other.pc == 0)
        barrier->other = arrival;
    barrier->counted += predicate != 0;
    barrier->for_grid += for_grid;
    warp->at_barrier |= bit;
    running_pause();
    *threads = worker->barrier.all_came;
    return worker->barrier.all_counted;
}

void block_moved(void)
{
    running_worker->barrier.moved = true;
}

void block_return(uintptr_t pc)
{
    struct worker *worker = running_worker;
    struct early_ends *ends = &worker->shared.ends;
    ends->place[worker->running_warp->first_thread + running_lane()] = pc;
    ends->any_place = true;
}

bool block_poll(bool again, uintptr_t pc)
{
    struct worker *worker = running_worker;
    struct warp *warp = worker->running_warp;
    uint32_t bit = 1u << running_lane();
    if (worker->stuck) return false;
    if (!again) worker->barrier.moved = true;
    worker->barrier.polls++;
    worker->poll_at = (struct arrival){pc, warp->first_thread + running_lane()};
    warp->at_barrier |= bit;
    warp->polling |= bit;
    running_pause();
    return !worker->stuck;
}

/* The running warp's */
static struct exchange *exchange_of(struct worker *worker)
{
    return &worker->exchanges[worker->running_warp - worker->warps];
}

/* Waits until the other lanes of the warp cannot go on without this one. Returns the lanes that
 * came. */
static uint32_t wait_for_lanes(struct worker *worker, uintptr_t pc)
{
    uint32_t lane = running_lane();
    struct exchange *exchange = exchange_of(worker);
    exchange->pc[lane] = pc;
    worker->running_warp->at_exchange |= 1u << lane;
    running_pause();
    return exchange->came[lane];
}

uint32_t block_exchange(uint32_t mask, uint64_t value, uint64_t from[LANES], uintptr_t pc)
{
    struct exchange *exchange = exchange_of(running_worker);
    uint32_t lane = running_lane();
    exchange->mask[lane] = mask | 1u << lane;
    exchange->value[lane] = value;
    uint32_t came = wait_for_lanes(running_worker, pc);
    memcpy(from, exchange->from[lane], sizeof exchange->from[lane]);
    return came;
}

uint32_t block_meet(uint64_t value, const uint64_t **from, uintptr_t pc)
{
    struct exchange *exchange = exchange_of(running_worker);
    uint32_t lane = running_lane();
    exchange->timeless |= 1u << lane;
    exchange->mask[lane] = UINT32_MAX;
    exchange->value[lane] = value;
    *from = exchange->value;
    return wait_for_lanes(running_worker, pc);
}

uint32_t block_active(uintptr_t pc)
{
    exchange_of(running_worker)->open |= 1u << running_lane();
    return wait_for_lanes(running_worker, pc);
}

void block_take_turn(const void *at, uintptr_t pc)
{
    struct worker *worker = running_worker;
    if (!(worker->tally.known[image_place(pc)] & KNOWN_UNIFORM)) return;
    const void **asked = &worker->asked[worker->running_warp - worker->warps][running_lane()];
    if (*asked == at) {
        worker->tally.turns++;
        block_active(pc);
    }
    *asked = at;
    worker->any_asked = true;
}

/* ---- warps ---------------------------------------------------------------------------------- */

/* Runs each lane that can go on: lanes whose log has been merged, and new ones. */
static void run_lanes(struct worker *worker, struct warp *warp)
{
    uint32_t begun = (uint32_t)((UINT64_C(1) << warp->begun) - 1);
    EACH_LANE (lane, warp->running & begun) {
        if (worker->error != 0 || warp->written[lane] != 0) continue;
        warp->running &= ~(1u << lane);
        enter(worker, *fiber_of(worker, lane));
    }
    if (warp->begun < warp->lanes) warp->running &= begun;
    while (warp->begun < warp->lanes && worker->error == 0)
        enter(worker, fiber_take(&worker->fibers));
}

/* The lanes for which a waiting lane waits and which can still come. */
static uint32_t awaited(struct worker *worker, const struct warp *warp, uint32_t lane)
{
    uint32_t alive = warp->running | warp->at_exchange | warp->at_barrier;
    return exchange_of(worker)->mask[lane] & alive;
}

/* Gives each lane of a group the values of all, and lets them go on. */
static void release_group(struct worker *worker, struct warp *warp, uint32_t group)
{
    struct exchange *exchange = exchange_of(worker);
    worker->tally.exchanges++;
    EACH_LANE (lane, group) {
        exchange->came[lane] = group;
        if (exchange->timeless >> lane & 1) continue;
        memcpy(exchange->from[lane], exchange->value, sizeof exchange->value);
    }
    exchange->open &= ~group;
    exchange->timeless &= ~group;
    warp->at_exchange &= ~group;
    warp->running |= group;
}

/* Lets those lanes go on whose partners have all come, with the same mask. */
static void release_complete(struct worker *worker, struct warp *warp)
{
    uint32_t waiting = warp->at_exchange & ~exchange_of(worker)->open;
    EACH_LANE (lane, waiting) {
        uint32_t group = awaited(worker, warp, lane), together = 0;
        if (!(warp->at_exchange >> lane & 1)) continue;
        EACH_LANE (one, waiting)
            if ((warp->at_exchange >> one & 1) && awaited(worker, warp, one) == group)
                together |= 1u << one;
        if ((group & ~together) == 0) release_group(worker, warp, group);
    }
}

/* Of the lanes that wait for no particular lane, those at the earliest place in the code go on. */
static void release_open(struct worker *worker, struct warp *warp)
{
    const uintptr_t *pc = exchange_of(worker)->pc;
    uint32_t group = 0;
    uintptr_t lowest = UINTPTR_MAX;
    EACH_LANE (lane, exchange_of(worker)->open) {
        if (pc[lane] < lowest) group = 0;
        if (pc[lane] <= lowest) group |= 1u << lane;
        if (pc[lane] < lowest) lowest = pc[lane];
    }
    release_group(worker, warp, group);
}

/* A lane of the mask is at the block's barrier, or waits for other lanes: a GPU might hang. The
 * lane is reported, and goes on alone. */
static void release_stuck(struct worker *worker, struct warp *warp)
{
    uint32_t lane = (uint32_t)__builtin_ctz(warp->at_exchange);
    struct fault fault = fault_of_thread("lanes-missing", exchange_of(worker)->pc[lane],
                                         worker->segment.block, warp->first_thread + lane);
    uint32_t missing = awaited(worker, warp, lane) & ~(1u << lane);
    snprintf(fault.detail, sizeof fault.detail,
             "it waits for lane %d of the warp, but that lane waits %s", __builtin_ctz(missing),
             missing & warp->at_barrier ? "at a barrier of the block" : "for other lanes");
    fault_note(&fault);
    release_group(worker, warp, 1u << lane);
}

/* Do lanes wait for a lane that polls for what other warps do? */
static bool awaits_poll(struct worker *worker, const struct warp *warp)
{
    EACH_LANE (lane, warp->at_exchange & ~exchange_of(worker)->open)
        if (awaited(worker, warp, lane) & warp->polling) return true;
    return false;
}

/* All lanes wait, some of them for each other. None goes on if other warps have to run first. */
static void release_exchange(struct worker *worker, struct warp *warp)
{
    race_begin_segment(&worker->segment);
    shared_begin_segment(&worker->shared);
    request_settle(warp->chain);
    if ((warp->at_exchange & ~exchange_of(worker)->timeless) != 0)
        warp->chain->ns +=
            profile()->l1_latency_ns; /* a shuffle takes about as long as a load from the L1 */
    release_complete(worker, warp);
    if (warp->running != 0) return;
    if (exchange_of(worker)->open != 0)
        release_open(worker, warp);
    else if (!awaits_poll(worker, warp))
        release_stuck(worker, warp);
}

/* Runs a warp until each lane is done or at the barrier, or waits for a lane there that polls. */
static void run_warp(struct worker *worker, struct warp *warp)
{
    worker->running_warp = warp;
    cursor_forget_vectors();
    cursor.again = warp == worker->sample.warp ? AGAIN_LOGGED : 0;
    if (worker->sample.warp != NULL) warpup_counters = worker->tally.counters;
    do {
        if (warp->running == 0 && warp->at_exchange != 0) {
            release_exchange(worker, warp);
            if (warp->running == 0) return;
        }
        run_lanes(worker, warp);
        warp_merge(warp);
    } while (worker->error == 0 && (warp->running | warp->at_exchange) != 0);
}

static void begin_warps(struct worker *worker)
{
    for (uint32_t i = 0; i < worker->warp_count; i++) {
        struct warp *warp = &worker->warps[i];
        uint32_t first = i * LANES, left = worker->threads - first;
        warp->first_thread = first;
        warp->lanes = left < LANES ? left : LANES;
        warp->begun = warp->touched = 0;
        warp->turns = NULL;
        warp->bytes_of_all = 0;
        if (warp->uneven) memset(warp->bytes_of, 0, sizeof warp->bytes_of);
        warp->uneven = false;
        warp->running = (uint32_t)((UINT64_C(1) << warp->lanes) - 1);
        warp->at_barrier = warp->at_exchange = warp->polling = 0;
        warp->flight = (struct flight){0};
        warp->last_store.lines = 0;
    }
    memset(worker->chain, 0, worker->warp_count * sizeof *worker->chain);
    if (worker->any_asked) memset(worker->asked, 0, sizeof worker->asked);
    worker->any_asked = false;
}

/* Threads of the block wait at barriers in different places: on a GPU they might wait forever.
 * Copies of one source line that the compiler made count as one place. */
static void check_barrier(const struct worker *worker)
{
    struct arrival first = worker->barrier.first, other = worker->barrier.other;
    if (other.pc == 0) return;
    if (other.pc < first.pc) {
        struct arrival later = first;
        first = other;
        other = later;
    }
    struct source_place here = {0}, there = {0};
    bool known = source_line_of(first.pc, &here) && source_line_of(other.pc, &there);
    if (known && here.line == there.line && strcmp(here.file, there.file) == 0) return;
    struct fault fault =
        fault_of_thread("barrier-divergence", first.pc, worker->segment.block, first.thread);
    if (known)
        snprintf(fault.detail, sizeof fault.detail, "other threads of the block wait at %s:%d",
                 there.file, there.line);
    fault_set_other(&fault, worker->segment.block, other.thread);
    fault_note(&fault);
}

/* A thread that has run past the last line of the kernel has skipped the barrier at which others
 * wait. CUDA forbids that. A return statement before the barrier is accepted: GPUs since Volta wait
 * only for threads that have not ended. */
static void check_skipped(const struct worker *worker)
{
    const struct early_ends *ends = &worker->shared.ends;
    struct arrival first = worker->barrier.first;
    if (worker->barrier.came == 0 || worker->barrier.for_grid > 0) return;
    for (uint32_t thread = 0; thread < worker->threads; thread++) {
        bool ended = ends->lanes[thread / LANES] >> thread % LANES & 1;
        if (!ended || ends->place[thread] != 0) continue;
        struct fault fault =
            fault_of_thread("barrier-divergence", first.pc, worker->segment.block, first.thread);
        fault_set_other(&fault, worker->segment.block, thread);
        fault_note(&fault);
        return;
    }
}

/* All lanes are done or at the barrier. Those at the barrier go on, at the time of the slowest
 * warp. False if all lanes are done. */
static bool release_barrier(struct worker *worker)
{
    uint32_t waiting = 0;
    double latest = 0;
    worker->releases++;
    for (uint32_t i = 0; i < worker->warp_count; i++) {
        struct warp *warp = &worker->warps[i];
        waiting |= warp->at_barrier;
        worker->shared.ends.lanes[i] =
            (uint32_t)((UINT64_C(1) << warp->lanes) - 1) & ~warp->at_barrier;
        warp->running = warp->at_barrier;
        warp->at_barrier = 0;
        double ns = request_settle(warp->chain);
        if (ns > latest) latest = ns;
    }
    for (uint32_t i = 0; waiting != 0 && i < worker->warp_count; i++)
        worker->chain[i].ns = latest + profile()->barrier_ns;
    if (waiting != 0) worker->tally.barriers += worker->warp_count;
    check_barrier(worker);
    check_skipped(worker);
    worker->barrier =
        (struct barrier){.all_came = worker->barrier.came, .all_counted = worker->barrier.counted};
    return waiting != 0;
}

/* Nothing that the threads that poll ask for will be done. */
static void note_stuck(struct worker *worker)
{
    struct fault fault = fault_of_thread("barrier-divergence", worker->poll_at.pc,
                                         worker->segment.block, worker->poll_at.thread);
    snprintf(fault.detail, sizeof fault.detail,
             "it waits for threads that have ended or wait at another place");
    fault_note(&fault);
    worker->stuck = true;
}

/* Threads that poll ask again, at the time of the slowest warp. Those at a barrier of the block
 * stay. */
static void release_polls(struct worker *worker)
{
    double latest = 0;
    if (!worker->barrier.moved) note_stuck(worker);
    worker->releases++;
    worker->barrier.moved = false;
    worker->barrier.polls = 0;
    async_copies_land(&worker->copies, worker->warps);
    for (uint32_t i = 0; i < worker->warp_count; i++) {
        struct warp *warp = &worker->warps[i];
        double ns = request_settle(warp->chain);
        if (ns > latest) latest = ns;
    }
    for (uint32_t i = 0; i < worker->warp_count; i++) {
        struct warp *warp = &worker->warps[i];
        if (warp->polling != 0) warp->chain->ns = latest;
        warp->running = warp->polling;
        warp->at_barrier &= ~warp->polling;
        warp->polling = 0;
    }
}

/* Warps that only load data into shared memory overlap with other warps that read from there. */
static void count_interval(struct worker *worker)
{
    uint64_t fetched = 0;
    bool reads = false;
    for (uint32_t i = 0; i < worker->warp_count; i++) {
        struct flight *flight = &worker->warps[i].flight;
        flight_land(&worker->warps[i]);
        if (!flight->reads) fetched += flight->at_once;
        reads = reads || flight->reads;
        flight->at_once = 0;
        flight->reads = false;
    }
    if (reads) worker->tally.overlap_bytes += fetched;
}

/* After an error: no thread of the block goes on. */
static void abandon(struct worker *worker)
{
    for (uint32_t i = 0; i < WARPS_MAX; i++) {
        memset(worker->warps[i].written, 0, sizeof worker->warps[i].written);
        memset(worker->warps[i].read, 0, sizeof worker->warps[i].read);
    }
    worker->barrier = (struct barrier){0};
    for (uint32_t i = 0; i < WARPS_MAX; i++)
        worker->exchanges[i].open = worker->exchanges[i].timeless = 0;
    fibers_drop(&worker->fibers);
}

/* The bytes of global memory that each thread has asked for */
static void count_bytes(struct tally *tally, const struct warp *warp)
{
    uint64_t sum = 0, most = 0;
    for (uint32_t lane = 0; warp->uneven && lane < LANES; lane++) {
        sum += warp->bytes_of[lane];
        most = warp->bytes_of[lane] > most ? warp->bytes_of[lane] : most;
    }
    most += warp->bytes_of_all;
    tally->thread_bytes += sum + warp->lanes * warp->bytes_of_all;
    if (most > tally->busiest_bytes) tally->busiest_bytes = most;
}

/* Chooses a warp of this block whose lanes count apart: one of few blocks, evenly distributed. */
static void begin_sample(struct worker *worker, uint64_t block)
{
    enum { BLOCKS = 64 };
    uint64_t blocks = worker->launch_blocks;
    uint64_t apart = blocks > BLOCKS ? blocks / BLOCKS | 1 : 1; /* odd: grids often repeat by 2 */
    if (worker->launch->cooperative || block % apart != 0) return;
    struct warp *warp = &worker->warps[block / apart % worker->warp_count];
    worker->sample.warp = warp;
    worker->sample.turns.count = 0;
    warp->turns = &worker->sample.turns;
}

/* Additions of floats to one word of shared memory come after one another. Each is a load and an
 * exchange, but the next warp can load while the exchange is in flight. */
static double shared_words_ns(struct worker *worker)
{
    struct hot *words = worker->tally.atomics.shared_words;
    double most = 0;
    if (worker->tally.atomics.shared_real_rounds == 0) return 0; /* as in most kernels */
    for (int i = 0; i < HOT_PLACES; i++) {
        if (words[i].count > most) most = words[i].count;
        words[i].count = 0;
    }
    return most * profile()->shared_real_atomic_ns / 2;
}

/* Notes what the block has added to the work of all that ran on this worker before. */
static void note_work(struct worker *worker)
{
    const struct profile *gpu = profile();
    const struct tally *tally = &worker->tally;
    double compute =
        instructions_clocks(tally->counters) + tally->requests / gpu->instructions_per_clock;
    double memory = (double)tally->store_sectors * gpu->store_sector_clocks +
                    (double)tally->store_lines * gpu->store_line_clocks;
    double lines = tally->lines / gpu->lines_per_clock;
    if (lines > memory) memory = lines;
    worker->work[worker->block] =
        (struct block_work){.compute = (float)(compute - worker->work_so_far.compute),
                            .memory = (float)(memory - worker->work_so_far.memory)};
    worker->work_so_far.compute = compute;
    worker->work_so_far.memory = memory;
}

static void count_block(struct worker *worker)
{
    if (worker->sample.warp != NULL) {
        instructions_end_warp(&worker->sample, worker->tally.counters);
        warpup_counters = worker->tally.counters;
    }
    double slowest = shared_words_ns(worker);
    for (uint32_t i = 0; i < worker->warp_count; i++) {
        double ns = request_settle(&worker->chain[i]);
        if (ns > slowest) slowest = ns;
        worker->tally.warps_sum_ns += ns;
        worker->tally.threads += (uint64_t)__builtin_popcount(worker->warps[i].touched);
        count_bytes(&worker->tally, &worker->warps[i]);
    }
    if (worker->work != NULL) note_work(worker);
    worker->tally.warps += worker->warp_count;
    worker->tally.chain_sum_ns += slowest;
    if (slowest > worker->tally.chain_max_ns) worker->tally.chain_max_ns = slowest;
}

/* Runs the threads that can go on, until each has ended or waits. */
static void run_interval(struct worker *worker)
{
    race_begin_interval(&worker->segment);
    shared_begin_interval(&worker->shared);
    for (uint32_t i = 0; i < worker->warp_count && worker->error == 0; i++)
        run_warp(worker, &worker->warps[i]);
    count_interval(worker);
}

/* Runs the block's threads until all have ended, or all wait for the grid. */
static struct parked_block *run_intervals(struct worker *worker)
{
    const struct barrier *barrier = &worker->barrier;
    do {
        run_interval(worker);
        while (worker->error == 0 && barrier->polls > 0) {
            release_polls(worker);
            run_interval(worker);
        }
        if (worker->error == 0 && barrier->for_grid > 0 && barrier->for_grid == barrier->came)
            return grid_park(worker);
    } while (worker->error == 0 && release_barrier(worker));
    count_block(worker);
    if (worker->error != 0) abandon(worker);
    return NULL;
}

struct parked_block *block_run(struct worker *worker, uint32_t block)
{
    lane_block(block, warpup_lane.block);
    warpup_lane.thread[1] = warpup_lane.thread[2] = 0;
    race_begin_block(&worker->segment, block);
    begin_warps(worker);
    begin_sample(worker, block);
    worker->block = block;
    worker->stuck = false;
    async_copies_reset(&worker->copies, &worker->shared);
    shared_begin_block(&worker->shared);
    return run_intervals(worker);
}

struct parked_block *block_go_on(struct worker *worker, struct parked_block *parked)
{
    grid_unpark(worker, parked);
    release_barrier(worker);
    return run_intervals(worker);
}
