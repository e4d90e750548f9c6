/*
 * barrier.c: the barriers of a block: bar.sync, bar.arrive, bar.red with their numbers and counts
 * of threads. Threads that have ended are no longer waited for. Threads that wait at different
 * places of the source, or that skipped the barrier, are reported. Also blocks that wait for other
 * blocks: for the whole grid of a cooperative launch, or for their cluster, in a launch whose
 * blocks take turns (launch.c).
 */
#include "gpu/warp/control.h"

#include <stdio.h>
#include <string.h>

static bool same_location(const struct ptx_module *module, uint32_t a, uint32_t b)
{
    while (a != b) {
        if (a == 0 || b == 0) return false;
        const struct ptx_location *x = &module->locations[a], *y = &module->locations[b];
        if (x->line != y->line || (x->file == NULL) != (y->file == NULL)) return false;
        if (x->file != NULL && strcmp(x->file, y->file) != 0) return false;
        a = x->inlined_at;
        b = y->inlined_at;
    }
    return true;
}

/* ---- what is reported ----------------------------------------------------------------------- */

/* Threads wait at one barrier in different places: on a GPU they might wait forever. */
static void check_offsets(struct block *block, const struct barrier *barrier)
{
    const struct ptx_module *module = block->run->module;
    struct arrival first = barrier->first, other = barrier->other;
    if (other.at == NULL) return;
    if (other.at < first.at) {
        first = barrier->other;
        other = barrier->first;
    }
    const struct ptx_location *there = &module->locations[other.location];
    char detail[200] = "";
    if (there->file != NULL) {
        const char *slash = strrchr(there->file, '/');
        snprintf(detail, sizeof detail, "other threads of the block wait at %s:%d",
                 slash != NULL ? slash + 1 : there->file, there->line);
    }
    warp_fault_with(&block->warps[first.thread / LANES], first.location, first.thread % LANES,
                    "barrier-divergence", detail, &block->warps[other.thread / LANES],
                    other.thread % LANES);
}

/* A thread that has run past the last line of the kernel has skipped the barrier at which others
 * wait. CUDA forbids that. A return statement before the barrier is accepted: GPUs since Volta wait
 * only for threads that have not ended. Only code near the source shows which of the two it was. */
static void check_skipped(struct block *block, const struct arrival *first)
{
    if (block->live_threads == block->threads || !block->run->module->source_build) return;
    for (uint32_t i = 0; i < block->warp_count; i++) {
        const struct warp *warp = &block->warps[i];
        uint32_t ended = warp->lanes & ~warp->live & ~warp->control->exited;
        EACH_LANE (lane, ended) {
            const struct ptx_instruction *jump = warp->control->jumped_at[lane];
            bool jumped = warp->control->jumped >> lane & 1;
            if (jumped && jump->returns) continue;
            warp_fault_with(&block->warps[first->thread / LANES], first->location,
                            first->thread % LANES, "barrier-divergence", NULL, warp, lane);
            return;
        }
    }
}

/* ---- waiting -------------------------------------------------------------------------------- */

static uint32_t value_at(const struct warp *warp, const struct ptx_operand *operand, uint32_t lane)
{
    if (operand->immediate) return (uint32_t)operand->value;
    return VALUES(warp, const uint32_t, operand->base, operand->at)[lane];
}

/* bar.red's operands: d, number, (threads,) predicate. Others: number, (threads). */
static void take_votes(struct warp *warp, struct barrier *barrier, const struct ptx_instruction *at,
                       uint32_t lanes)
{
    uint32_t votes = predicate_of(warp, &at->operand[at->operand_count - 1]) & lanes;
    barrier->votes += (uint32_t)__builtin_popcount(votes);
    barrier->voters += (uint32_t)__builtin_popcount(lanes);
}

static struct arrival arrival_of(const struct warp *warp, const struct ptx_instruction *at,
                                 uint32_t lanes)
{
    uint32_t lane = (uint32_t)__builtin_ctz(lanes);
    return (struct arrival){at, warp_location(warp, at), thread_of(warp, lane)};
}

static void note_arrival(struct warp *warp, struct barrier *barrier,
                         const struct ptx_instruction *at, uint32_t lanes)
{
    struct arrival arrival = arrival_of(warp, at, lanes);
    if (barrier->came == 0)
        barrier->first = arrival;
    else if (barrier->other.at == NULL &&
             (at != barrier->first.at || arrival.location != barrier->first.location) &&
             !same_location(warp->block->run->module, arrival.location, barrier->first.location))
        barrier->other = arrival;
}

/* Lanes wait for all blocks of the grid or the cluster; false: they go on immediately. */
static bool grid_wait(struct warp *warp, const struct ptx_instruction *at, uint32_t lanes)
{
    warp->block->grid_at = arrival_of(warp, at, lanes);
    if (at->flow == FLOW_CLUSTER || warp->block->run->launch->cooperative) return true;
    warp_fault(warp, at, (uint32_t)__builtin_ctz(lanes), "assert-failed",
               "grid.sync() needs a cooperative launch");
    warp_fail(warp, LAUNCH_FAILED);
    return false;
}

bool wait_at(struct warp *warp, const struct ptx_instruction *at, uint32_t lanes)
{
    struct block *block = warp->block;
    block->changed = true;
    if (at->flow != FLOW_BARRIER) return grid_wait(warp, at, lanes);
    bool reduces = ptx_has(at, M_red);
    int number_at = reduces ? 1 : 0, rest = at->operand_count - number_at - (reduces ? 1 : 0);
    uint32_t lane = (uint32_t)__builtin_ctz(lanes), number = 0;
    if (rest > 0) number = value_at(warp, &at->operand[number_at], lane) % BARRIERS;
    struct barrier *barrier = &block->barrier[number];
    if (rest > 1) barrier->required = value_at(warp, &at->operand[number_at + 1], lane);
    warp->control->barrier_number = (uint8_t)number;
    block->used_barriers |= 1u << number;
    if (ptx_has(at, M_arrive)) {
        barrier->arrived += LANES;
        watch_release(warp->watched, lanes, number);
        return false;
    }
    note_arrival(warp, barrier, at, lanes);
    if (reduces) take_votes(warp, barrier, at, lanes);
    barrier->came += (uint32_t)__builtin_popcount(lanes);
    return true;
}

/* ---- going on ------------------------------------------------------------------------------- */

/* Each lane of bar.red gets the result. */
static void give_result(struct warp *warp, const struct barrier *barrier, int number)
{
    const struct control *control = warp->control;
    for (uint32_t i = 0; i < control->count; i++) {
        const struct group *one = &control->group[i];
        if (one->state != GROUP_BARRIER || one->barrier != number) continue;
        const struct ptx_instruction *at = one->activation->function->code + one->at;
        if (!ptx_has(at, M_red)) continue;
        const struct ptx_operand *d = &at->operand[0];
        uint32_t *to = (uint32_t *)(void *)(one->activation->frame + d->at);
        bool all = barrier->votes == barrier->voters;
        if (ptx_has(at, M_popc)) {
            EACH_LANE (lane, one->mask)
                to[lane] = barrier->votes;
        } else {
            bool result = ptx_has(at, M_and) ? all : barrier->votes > 0;
            *to = result ? *to | one->mask : *to & ~one->mask;
        }
    }
}

/* Threads that wait at a barrier; warps count as a whole where the barrier counts threads. */
static uint32_t threads_there(const struct block *block, int number)
{
    const struct barrier *barrier = &block->barrier[number];
    if (barrier->required == 0) return barrier->came + barrier->arrived;
    uint32_t threads = barrier->arrived;
    for (uint32_t i = 0; i < block->warp_count; i++) {
        uint32_t lanes = waiting_lanes(&block->warps[i], GROUP_BARRIER, number);
        threads += lanes != 0 && lanes == block->warps[i].live
                       ? LANES
                       : (uint32_t)__builtin_popcount(lanes);
    }
    return threads;
}

static void release_barrier(struct block *block, int number)
{
    struct barrier *barrier = &block->barrier[number];
    uint32_t warps = 0;
    check_offsets(block, barrier);
    check_skipped(block, &barrier->first);
    for (uint32_t i = 0; i < block->warp_count; i++) {
        struct warp *warp = &block->warps[i];
        uint32_t lanes = waiting_lanes(warp, GROUP_BARRIER, number);
        if (lanes == 0) continue;
        warps |= 1u << i;
        if (barrier->voters > 0) give_result(warp, barrier, number);
        if (barrier->arrived > 0) watch_acquire(warp->watched, lanes, (uint64_t)number);
        release_groups(warp, GROUP_BARRIER, number);
    }
    block->worker->tally.barriers += (uint64_t)__builtin_popcount(warps);
    watch_barrier(block->watched, warps);
    *barrier = (struct barrier){0};
    block->used_barriers &= ~(1u << number);
}

/* Lets threads go on whose barrier is complete. True if there were any. */
bool barriers_release(struct block *block)
{
    bool any = false;
    block->changed = false;
    EACH_LANE (number, block->used_barriers) {
        const struct barrier *barrier = &block->barrier[number];
        uint32_t required = barrier->required != 0 ? barrier->required : block->live_threads;
        if (barrier->came == 0 || threads_there(block, (int)number) < required) continue;
        release_barrier(block, (int)number);
        any = true;
    }
    return any;
}

/* Nobody will come for whom threads wait at a barrier: a GPU would hang. They are reported, and go
 * on. */
bool barriers_release_stuck(struct block *block)
{
    bool any = false;
    EACH_LANE (number, block->used_barriers) {
        const struct barrier *barrier = &block->barrier[number];
        if (barrier->came == 0) continue;
        const struct arrival *first = &barrier->first;
        warp_fault_at(&block->warps[first->thread / LANES], first->location, first->thread % LANES,
                      "barrier-divergence",
                      "it waits for threads that have ended or wait at another place");
        release_barrier(block, (int)number);
        any = true;
    }
    return any;
}

/* ---- the grid, and clusters ------------------------------------------------------------------ */

/* Do all threads that have not ended wait for the grid, or the cluster? */
static bool block_waits_for(const struct block *block, enum group_state state)
{
    for (uint32_t i = 0; i < block->warp_count; i++)
        if (waiting_lanes(&block->warps[i], state, 0) != block->warps[i].live) return false;
    return true;
}

static void block_release(struct block *block, enum group_state state)
{
    for (uint32_t i = 0; i < block->warp_count; i++)
        release_groups(&block->warps[i], state, 0);
}

/* Blocks that have ended will never come to where these wait: a GPU would wait forever. */
static void note_divergence(struct block *block, uint64_t ended)
{
    const struct arrival *at = &block->grid_at;
    char detail[120];
    snprintf(detail, sizeof detail,
             "all blocks of the grid have to come here, but %llu of the %llu blocks have ended",
             (unsigned long long)ended, (unsigned long long)block->run->blocks);
    warp_fault_at(&block->warps[at->thread / LANES], at->location, at->thread % LANES,
                  "barrier-divergence", detail);
}

/* Lets the grid go on if all blocks that have not ended wait for it. */
static bool release_grid(struct execution *run, struct block **resident, uint32_t count)
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
bool grid_release(struct execution *run, struct block **resident, uint32_t count)
{
    bool any = count > 0 && release_grid(run, resident, count);
    for (uint32_t i = 0; i < count && run->clusters; i++)
        if (block_waits_for(resident[i], GROUP_CLUSTER) && run->next >= run->blocks &&
            release_cluster(resident[i], resident, count))
            any = true;
    return any;
}
