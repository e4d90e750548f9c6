/* order.c: segments, and what barriers and __syncwarp order (order.h). */
#define _GNU_SOURCE
#include "gpu/memory/order.h"
#include "gpu/memory/obtain.h"

#include "gpu/memory/conflict.h"
#include "gpu/memory/release.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* The last number stands for all segments that begin when the numbers have run out: no race with
 * them is reported. */
enum { LAST = NUMBERS - 2, TOGETHER = 64 };

struct segment *segments;
uint32_t tag_first;
bool order_is_plain;

static struct {
    pthread_mutex_t lock;
    uint32_t next;            /* number that nobody has taken */
    struct watcher *watchers; /* of the launch */
    bool depends;
    bool forgotten;
    struct begun { /* launches, and their first tags */
        uint64_t launch;
        uint32_t first_tag;
    } * launches;
    size_t count, room;
} order = {.lock = PTHREAD_MUTEX_INITIALIZER, .next = 1};

/* ---- launches ------------------------------------------------------------------------------- */

static void make_table(void)
{
    if (segments != NULL) return;
    segments = shadow_room(NUMBERS * sizeof *segments);
    if (segments == NULL) segments = obtain(NUMBERS, sizeof *segments);
}

/* The table's entries of earlier launches are not needed any more. */
static void forget_entries(uint32_t end)
{
    enum { WORTH = 1 << 16 };
    static uint32_t from;
    if (end < from) from = 0;
    if (end - from < WORTH) return;
    uintptr_t page = 1 << 16, low = (uintptr_t)(segments + from) / page * page,
              high = (uintptr_t)(segments + end) / page * page;
    if (high > low) madvise((void *)low, high - low, MADV_DONTNEED);
    from = end;
}

static void begin_numbering(void)
{
    shadow_forget_tags();
    order.next = 1;
    order.forgotten = true;
    order.count = 0;
}

static void note_launch(uint64_t launch)
{
    if (order.count == order.room)
        order.launches = obtain_more(order.launches, &order.room, 256, sizeof *order.launches);
    order.launches[order.count++] = (struct begun){launch, tag_first};
}

/* A new start: what happened before is before all that comes. */
static void begin_anew(void)
{
    uint32_t number = order.next < LAST ? order.next++ : LAST;
    tag_first = number << FORM_BITS;
    segments[number] = (struct segment){UINT32_MAX, UINT32_MAX, 0, 0};
}

/* A barrier of some warps has a number or a count of threads. */
static bool is_partial_barrier(const struct ptx_instruction *one)
{
    if (one->opcode != OP_bar && one->opcode != OP_barrier) return false;
    if (ptx_has(one, M_warp)) return false;
    return ptx_has(one, M_arrive) || one->operand_count != 1 || !one->operand[0].immediate ||
           one->operand[0].value != 0;
}

static bool orders_some(const struct ptx_instruction *one)
{
    if (one->opcode == OP_membar || one->opcode == OP_fence || one->opcode == OP_mbarrier)
        return true;
    if (is_partial_barrier(one)) return true;
    return one->access >= 0 && (ptx_has(one, M_release) || ptx_has(one, M_acq_rel) ||
                                ptx_has(one, M_acquire) || ptx_has(one, M_sc));
}

static bool is_plain(const struct ptx_module *module)
{
    for (uint32_t f = 0; f < module->function_count; f++)
        for (uint32_t i = 0; i < module->functions[f]->code_count; i++)
            if (orders_some(&module->functions[f]->code[i])) return false;
    return true;
}

void order_launch(uint64_t launch)
{
    make_table();
    if (order.next > LAST / 2) begin_numbering();
    forget_entries(order.next);
    begin_anew();
    note_launch(launch);
    order.depends = false;
    order_is_plain = is_plain(watching.module);
}

void order_end(void)
{
    if (conflict_settle()) order.depends = true;
    conflict_end();
}

bool watch_depends_on_order(void)
{
    return __atomic_load_n(&order.depends, __ATOMIC_RELAXED);
}

void order_note_dependence(void)
{
    if (!order.depends) __atomic_store_n(&order.depends, true, __ATOMIC_RELAXED);
}

uint64_t order_launch_of(uint32_t tag, struct tag_range *range)
{
    size_t low = 0, high = order.count;
    while (low < high) { /* the last one that begins at or before the tag */
        size_t middle = (low + high) / 2;
        if (order.launches[middle].first_tag <= tag)
            low = middle + 1;
        else
            high = middle;
    }
    range->first = low == 0 ? 0 : order.launches[low - 1].first_tag;
    range->end = low == order.count ? UINT32_MAX : order.launches[low].first_tag;
    return low == 0 ? 0 : order.launches[low - 1].launch;
}

uint32_t order_first_tag(uint64_t launch)
{
    uint32_t first = UINT32_MAX;
    for (size_t i = order.count; i-- > 0 && order.launches[i].launch >= launch;)
        first = order.launches[i].first_tag;
    return first;
}

bool order_forgotten(void)
{
    return order.forgotten;
}

/* ---- numbers -------------------------------------------------------------------------------- */

static uint32_t take_number(struct watcher *watcher)
{
    if (watcher->number == watcher->numbers_end) {
        uint32_t next = __atomic_load_n(&order.next, __ATOMIC_RELAXED);
        if (next >= LAST - TOGETHER) return LAST;
        watcher->number = __atomic_fetch_add(&order.next, TOGETHER, __ATOMIC_RELAXED);
        watcher->numbers_end = watcher->number + TOGETHER;
    }
    uint32_t number = watcher->number++;
    return number < LAST ? number : LAST;
}

uint32_t order_number(struct watcher *watcher)
{
    uint32_t number = take_number(watcher);
    return number == LAST ? 0 : number;
}

/* Numbers of the watcher that are taken from now on have tags of at least this. */
static uint32_t order_floor(const struct watcher *watcher)
{
    return watcher->number << FORM_BITS;
}

/* Another worker that finds a tag of the segment must find its entry, too. */
void order_begin_segment(struct watched_warp *warp)
{
    uint32_t number = take_number(warp->block->watcher);
    warp->segment = &segments[number];
    *warp->segment = (struct segment){.block = warp->block->index, .warp = warp->index};
    warp->segment->fence = release_fence_number(warp);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    warp->own = warp->last = number << FORM_BITS;
}

void order_watcher(struct watcher *watcher)
{
    pthread_mutex_lock(&order.lock);
    watcher->next = order.watchers;
    order.watchers = watcher;
    pthread_mutex_unlock(&order.lock);
    if (watching.parallel) conflict_begin(watcher);
}

void order_free_watcher(struct watcher *watcher)
{
    pthread_mutex_lock(&order.lock);
    struct watcher **link = &order.watchers;
    while (*link != NULL && *link != watcher)
        link = &(*link)->next;
    if (*link != NULL) *link = watcher->next;
    pthread_mutex_unlock(&order.lock);
    conflict_free(watcher);
    release_free(watcher);
}

/* ---- blocks and warps ----------------------------------------------------------------------- */

void order_block(struct watched_block *block)
{
    block->floor = 0;
    block->learned = block->fenced = false;
    free(block->fenced_upto);
    block->fenced_upto = NULL;
    free(block->clock);
    block->clock = NULL;
}

static void forget_lanes(struct watched_warp *warp)
{
    free(warp->seen);
    free(warp->acquired_by);
    warp->seen = NULL;
    warp->acquired_by = NULL;
}

void order_free_block(struct watched_block *block)
{
    free(block->clock);
    free(block->fenced_upto);
    for (uint32_t i = 0; i < WARPS_MAX; i++)
        forget_lanes(&block->warps[i]);
}

void order_warp(struct watched_warp *warp)
{
    warp->own = warp->last = warp->floor = 0;
    warp->fence = NULL;
    warp->fenced = false;
    warp->acquired = NULL;
    if (warp->seen != NULL || warp->acquired_by != NULL) forget_lanes(warp);
}

static uint32_t lanes_left(const struct watched_warp *warp)
{
    uint32_t all = warp->lanes >= LANES ? UINT32_MAX : (1u << warp->lanes) - 1;
    return all & ~warp->block->ends.ended[warp->index];
}

static bool is_whole(const struct watched_block *block, uint32_t warps)
{
    for (uint32_t i = 0; i < block->warp_count; i++)
        if (!(warps >> i & 1) && lanes_left(&block->warps[i]) != 0) return false;
    return true;
}

static void make_clock(struct watched_block *block)
{
    if (block->clock == NULL) block->clock = obtain(WARPS_MAX, sizeof *block->clock);
}

static void join_clock(uint32_t joined[WARPS_MAX], const uint32_t more[WARPS_MAX])
{
    for (uint32_t i = 0; i < WARPS_MAX; i++)
        if (more[i] > joined[i]) joined[i] = more[i];
}

/* Some warps of the block have met: each has seen what any of them has seen or done. */
static void join_clocks(struct watched_block *block, uint32_t warps)
{
    uint32_t joined[WARPS_MAX] = {0};
    make_clock(block);
    EACH_LANE (one, warps)
        join_clock(joined, block->clock[one]);
    EACH_LANE (one, warps)
        if (block->warps[one].last > joined[one]) joined[one] = block->warps[one].last;
    EACH_LANE (one, warps)
        memcpy(block->clock[one], joined, sizeof joined);
}

bool order_are_all(const struct watched_warp *warp, uint32_t lanes)
{
    return (lanes_left(warp) & ~lanes) == 0;
}

void order_hand_over(struct watched_warp *warp, uint32_t clock[WARPS_MAX])
{
    if (warp->block->clock != NULL) join_clock(clock, warp->block->clock[warp->index]);
    if (warp->last > clock[warp->index]) clock[warp->index] = warp->last;
    warp->own = 0;
}

void order_take_over(struct watched_warp *warp, const uint32_t clock[WARPS_MAX])
{
    uint32_t floor = clock[warp->index] + FORMS;
    make_clock(warp->block);
    join_clock(warp->block->clock[warp->index], clock);
    if (clock[warp->index] != 0 && floor > warp->floor) warp->floor = floor;
}

void watch_barrier(struct watched_block *block, uint32_t warps)
{
    uint32_t floor = order_floor(block->watcher);
    memcpy(block->ends.early, block->ends.ended, sizeof block->ends.early);
    flight_barrier(block);
    stall_barrier(block, warps);
    if (is_whole(block, warps))
        block->floor = floor;
    else
        join_clocks(block, warps);
    EACH_LANE (one, warps) {
        struct watched_warp *warp = &block->warps[one];
        warp->own = 0;
        warp->floor = floor;
    }
    if (block->learned) release_join_warps(block, warps);
    if (block->fenced) release_pass_warps(block, warps);
    block->fenced = block->fenced && !is_whole(block, warps);
}

/* Some lanes of the warp have met. */
static void join_lanes(struct watched_warp *warp, uint32_t lanes)
{
    uint32_t joined[LANES] = {0};
    if (warp->seen == NULL) warp->seen = obtain(LANES, sizeof *warp->seen);
    EACH_LANE (lane, lanes)
        for (uint32_t i = 0; i < LANES; i++)
            if (warp->seen[lane][i] > joined[i]) joined[i] = warp->seen[lane][i];
    EACH_LANE (lane, lanes)
        joined[lane] = warp->last;
    EACH_LANE (lane, lanes)
        memcpy(warp->seen[lane], joined, sizeof joined);
}

void watch_meet(struct watched_warp *warp, uint32_t lanes)
{
    if ((lanes_left(warp) & ~lanes) == 0)
        warp->floor = order_floor(warp->block->watcher);
    else
        join_lanes(warp, lanes);
    warp->own = 0;
    if (warp->block->learned) release_join_lanes(warp, lanes);
    if (warp->fenced) release_pass_lanes(warp, lanes);
}

/* All blocks have met; none runs meanwhile. */
void watch_order_all(void)
{
    if (conflict_settle()) order.depends = true;
    for (struct watcher *watcher = order.watchers; watcher != NULL; watcher = watcher->next)
        watcher->number = watcher->numbers_end = 0;
    begin_anew();
    for (struct watcher *watcher = order.watchers; watcher != NULL; watcher = watcher->next) {
        memset(watcher->ranges, 0, sizeof watcher->ranges);
        for (struct watched_block *block = watcher->blocks; block != NULL; block = block->next) {
            block->floor = tag_first;
            for (uint32_t i = 0; i < block->warp_count; i++) {
                block->warps[i].own = 0;
                block->warps[i].floor = tag_first;
            }
        }
    }
}

/* ---- the question --------------------------------------------------------------------------- */

/* Has the lane seen what the tag's lane, or all lanes, of its own warp did in that segment? */
static bool is_seen(const struct watched_warp *warp, uint32_t lane, uint32_t tag)
{
    uint32_t base = tag_base(tag);
    if (tag_is_lane(tag))
        return tag % LANES == lane || (warp->seen != NULL && warp->seen[lane][tag % LANES] >= base);
    for (uint32_t i = 0; warp->seen != NULL && i < warp->lanes; i++)
        if (i != lane && warp->seen[lane][i] < base) return false;
    return warp->seen != NULL;
}

bool order_is_before(const struct watched_warp *warp, uint32_t lane, uint32_t tag)
{
    const struct watched_block *block = warp->block;
    const struct segment *entry = &segments[tag_number(tag)];
    uint32_t base = tag_base(tag);
    if (base < tag_first || tag_number(tag) == LAST) return true;
    if (entry->block == block->index) {
        if (base < block->floor) return true;
        if (entry->warp == warp->index && (base < warp->floor || is_seen(warp, lane, tag)))
            return true;
        if (entry->warp != warp->index && block->clock != NULL &&
            block->clock[warp->index][entry->warp] >= base)
            return true;
    }
    return block->learned && release_orders(warp, lane, tag);
}
