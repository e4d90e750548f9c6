/*
 * release.c: fences, releases, and what threads learn by them (release.h). What a lane knows is a
 * short list: of objects, with how many of their releases it has seen, and of single fences. The
 * lists never change; a lane that learns gets a new one. All of it lives until the worker's watcher
 * is freed.
 */
#include "gpu/memory/release.h"
#include "gpu/memory/obtain.h"

#include "gpu/memory/order.h"

#include <stdlib.h>
#include <string.h>

enum { OBJECTS = 1 << 16, CHUNK = 1 << 16, STEPS_MAX = 1024, LOOKED_MAX = 4096, SIGNALS = 1 << 10 };

/* Something on which threads release: a word, a barrier object. */
struct object {
    uint64_t key;
    uint32_t *clock; /* of a barrier object: what whole warps have released (order.h) */
    struct object *next;
    struct release {
        const struct fence *fence;
        uint32_t lane;
        uint32_t before; /* the last release of the same block before it + 1 */
    } * list;
    size_t room;
    uint32_t count;
    struct latest {
        uint32_t block, at; /* block + 1; index into list + 1 */
    } * latest;             /* by block: an open hash table */
    uint32_t blocks, latest_room;
};

/* The releases that a lane knows: the first `count` of each object, or a single fence of a lane. */
struct knowledge {
    uint32_t count;
    struct acquired {
        const struct object *object;
        const struct fence *fence;
        uint32_t upto; /* releases of the object; the fence's lane */
    } item[];
};

struct releases {
    struct object *bucket[OBJECTS];
    struct chunk {
        struct chunk *next;
        size_t used, room;
        _Alignas(16) char bytes[];
    } * chunks;
    const struct fence **fences; /* by number */
    size_t fence_room;
    uint32_t fence_count;
    struct signal { /* the last one of a block in global memory, by a hash of the block */
        uint32_t block, location; /* block + 1 */
        uint32_t upto;            /* stores of segments up to this came before it */
        bool used, fenced;        /* the block has read one; its thread has called a fence */
        bool flag;                /* a volatile store; else an atomic */
    } signals[SIGNALS];
};

/* ---- memory --------------------------------------------------------------------------------- */

static struct releases *releases_of(struct watcher *watcher)
{
    if (watcher->releases == NULL) watcher->releases = obtain(1, sizeof *watcher->releases);
    return watcher->releases;
}

void *release_get(struct watcher *watcher, size_t bytes)
{
    struct releases *all = releases_of(watcher);
    bytes = (bytes + 15) / 16 * 16;
    if (all->chunks == NULL || bytes > all->chunks->room - all->chunks->used) {
        size_t room = bytes > CHUNK ? bytes : CHUNK;
        struct chunk *chunk = obtain(1, sizeof *chunk + room);
        chunk->next = all->chunks;
        chunk->room = room;
        all->chunks = chunk;
    }
    void *location = all->chunks->bytes + all->chunks->used;
    all->chunks->used += bytes;
    return location;
}

void *release_copy(struct watcher *watcher, const void *from, size_t bytes)
{
    return from == NULL ? NULL : memcpy(release_get(watcher, bytes), from, bytes);
}

void release_free(struct watcher *watcher)
{
    struct releases *all = watcher->releases;
    if (all == NULL) return;
    for (int i = 0; i < OBJECTS; i++)
        for (struct object *one = all->bucket[i]; one != NULL; one = one->next) {
            free(one->list);
            free(one->latest);
        }
    while (all->chunks != NULL) {
        struct chunk *chunk = all->chunks;
        all->chunks = chunk->next;
        free(chunk);
    }
    free(all->fences);
    free(all);
    watcher->releases = NULL;
}

uint32_t release_number(struct watcher *watcher, const struct fence *fence)
{
    struct releases *all = releases_of(watcher);
    if (all->fence_count + 1 >= all->fence_room)
        all->fences = obtain_more(all->fences, &all->fence_room, 64, sizeof *all->fences);
    all->fences[++all->fence_count] = fence;
    return all->fence_count;
}

const struct fence *release_numbered(const struct watcher *watcher, uint32_t number)
{
    const struct releases *all = watcher->releases;
    return number == 0 || all == NULL || number > all->fence_count ? NULL : all->fences[number];
}

/* ---- what a lane knows ---------------------------------------------------------------------- */

static const struct knowledge *acquired_of(const struct watched_warp *warp, uint32_t lane)
{
    return warp->acquired_by != NULL ? warp->acquired_by[lane] : warp->acquired;
}

static const struct knowledge *acquired_of_fence(const struct fence *fence, uint32_t lane)
{
    return fence->acquired_by != NULL ? fence->acquired_by[lane] : fence->acquired;
}

static void set_acquired(struct watched_warp *warp, uint32_t lane, const struct knowledge *acquired)
{
    warp->block->learned = true;
    if (warp->acquired_by == NULL) {
        warp->acquired_by = obtain(LANES, sizeof *warp->acquired_by);
        for (uint32_t i = 0; i < LANES; i++)
            warp->acquired_by[i] = warp->acquired;
    }
    warp->acquired_by[lane] = acquired;
}

/* Is the second item known by whoever knows the first? Later fences of a thread cover more. */
static bool implies(const struct acquired *one, const struct acquired *other)
{
    if (one->object != other->object) return false;
    if (one->object != NULL) return one->upto >= other->upto;
    return one->fence->block == other->fence->block && one->fence->warp == other->fence->warp &&
           one->upto == other->upto && one->fence->last >= other->fence->last;
}

static const struct knowledge *with(struct watcher *watcher, const struct knowledge *acquired,
                                    struct acquired more)
{
    uint32_t count = acquired == NULL ? 0 : acquired->count, kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (implies(&acquired->item[i], &more)) return acquired;
    struct knowledge *new = release_get(watcher, sizeof *new + (count + 1) * sizeof *new->item);
    for (uint32_t i = 0; i < count; i++)
        if (!implies(&more, &acquired->item[i])) new->item[kept++] = acquired->item[i];
    new->item[kept++] = more;
    new->count = kept;
    return new;
}

static const struct knowledge *join(struct watcher *watcher, const struct knowledge *one,
                                    const struct knowledge *other)
{
    if (one == other || other == NULL) return one;
    if (one == NULL) return other;
    for (uint32_t i = 0; i < other->count; i++)
        one = with(watcher, one, other->item[i]);
    return one;
}

void release_join_lanes(struct watched_warp *warp, uint32_t lanes)
{
    const struct knowledge *all = NULL;
    if (warp->acquired_by == NULL) return;
    EACH_LANE (lane, lanes)
        all = join(warp->block->watcher, all, warp->acquired_by[lane]);
    EACH_LANE (lane, lanes)
        warp->acquired_by[lane] = all;
}

void release_join_warps(struct watched_block *block, uint32_t warps)
{
    const struct knowledge *all = NULL;
    EACH_LANE (one, warps)
        for (uint32_t lane = 0; lane < LANES; lane++)
            all = join(block->watcher, all, acquired_of(&block->warps[one], lane));
    EACH_LANE (one, warps) {
        free(block->warps[one].acquired_by);
        block->warps[one].acquired_by = NULL;
        block->warps[one].acquired = all;
    }
}

/* ---- objects -------------------------------------------------------------------------------- */

static struct object *find_object(struct watcher *watcher, uint64_t key, bool make)
{
    if (watcher->releases == NULL && !make) return NULL;
    struct object **bucket =
        &releases_of(watcher)->bucket[(key * UINT64_C(0x9e3779b97f4a7c15)) >> 48];
    struct object *one = *bucket;
    while (one != NULL && one->key != key)
        one = one->next;
    if (one != NULL || !make) return one;
    one = release_get(watcher, sizeof *one);
    *one = (struct object){.key = key, .next = *bucket};
    return *bucket = one;
}

/* The number of a barrier object of a block, which is an address or a number. */
static uint64_t key_of(uint32_t block, uint64_t object)
{
    return (UINT64_C(3) << 62) ^ ((uint64_t)block << 32) ^ object;
}

static struct latest *slot_of(struct latest *table, uint32_t room, uint32_t block)
{
    uint32_t at = block * 0x9e3779b1u & (room - 1);
    while (table[at].block != 0 && table[at].block != block + 1)
        at = (at + 1) & (room - 1);
    return &table[at];
}

static void grow_latest(struct object *object)
{
    uint32_t room = object->latest_room == 0 ? 8 : 2 * object->latest_room;
    struct latest *table = obtain(room, sizeof *table);
    for (uint32_t i = 0; i < object->latest_room; i++)
        if (object->latest[i].block != 0)
            *slot_of(table, room, object->latest[i].block - 1) = object->latest[i];
    free(object->latest);
    object->latest = table;
    object->latest_room = room;
}

static void append(struct object *object, const struct fence *fence, uint32_t lane)
{
    if (2 * (object->blocks + 1) > object->latest_room) grow_latest(object);
    if (object->count == object->room)
        object->list = obtain_more(object->list, &object->room, 8, sizeof *object->list);
    struct latest *latest = slot_of(object->latest, object->latest_room, fence->block);
    object->list[object->count++] = (struct release){fence, lane, latest->at};
    object->blocks += latest->block == 0;
    *latest = (struct latest){fence->block + 1, object->count};
}

void release_on(struct watched_warp *warp, uint32_t lane, uint64_t key)
{
    struct fence *fence = fence_of_lane(warp->fence, lane);
    if (fence == NULL) return;
    struct object *object = find_object(warp->block->watcher, key, true);
    if (fence->on == object && (fence->on_lanes >> lane & 1)) return;
    if (fence->on != object) fence->on_lanes = 0;
    fence->on = object;
    fence->on_lanes |= 1u << lane;
    append(object, fence, lane);
}

void release_take(struct watched_warp *warp, uint32_t lane, uint64_t key)
{
    const struct object *object = find_object(warp->block->watcher, key, false);
    if (object == NULL || (object->count == 0 && object->clock == NULL)) return;
    const struct knowledge *acquired = acquired_of(warp, lane);
    const struct knowledge *more = with(warp->block->watcher, acquired,
                                        (struct acquired){.object = object, .upto = object->count});
    if (more != acquired) set_acquired(warp, lane, more);
}

bool release_take_flag(struct watched_warp *warp, uint32_t lane, uint32_t tag)
{
    const struct fence *fence = fence_of_tag(warp->block->watcher, tag);
    if (fence == NULL) return false;
    const struct knowledge *acquired = acquired_of(warp, lane);
    const struct knowledge *more = with(warp->block->watcher, acquired,
                                        (struct acquired){.fence = fence, .upto = tag % LANES});
    if (more != acquired) set_acquired(warp, lane, more);
    return true;
}

/* ---- the question --------------------------------------------------------------------------- */

/* Items whose own knowledge is still to be looked at; and how far each object has been looked at.
 */
struct search {
    uint32_t block; /* of the lane that asks */
    uint32_t tag;
    struct acquired list[STEPS_MAX];
    uint32_t count;
};

static bool reaches(const struct fence *fence, uint32_t block)
{
    return fence->scope != FENCE_BLOCK || fence->block == block;
}

static void look_later(struct search *search, const struct knowledge *acquired)
{
    for (uint32_t i = 0; acquired != NULL && i < acquired->count; i++) {
        bool looked = false;
        for (uint32_t k = 0; k < search->count && !looked; k++)
            looked = implies(&search->list[k], &acquired->item[i]);
        if (!looked && search->count < STEPS_MAX) search->list[search->count++] = acquired->item[i];
    }
}

/* Does a release on the object, among the first `upto`, cover the access? */
static bool object_covers(const struct search *search, const struct object *object, uint32_t upto)
{
    uint32_t block = segments[tag_number(search->tag)].block;
    uint32_t warp = segments[tag_number(search->tag)].warp;
    if (object->clock != NULL && object->key == key_of(block, object->key & UINT32_MAX) &&
        object->clock[warp] >= tag_base(search->tag))
        return true;
    if (object->latest_room == 0) return false;
    for (uint32_t at = slot_of(object->latest, object->latest_room, block)->at; at != 0;) {
        const struct release *one = &object->list[at - 1];
        if (at <= upto && reaches(one->fence, search->block) &&
            fence_covers(one->fence, one->lane, search->tag))
            return true;
        at = one->before;
    }
    return false;
}

/* Searches what the releasing threads had acquired themselves. */
static void look_behind(struct search *search, const struct acquired *item)
{
    if (item->object == NULL) {
        look_later(search, acquired_of_fence(item->fence, item->upto));
        return;
    }
    uint32_t first = item->upto > LOOKED_MAX ? item->upto - LOOKED_MAX : 0;
    const struct knowledge *last = NULL;
    for (uint32_t i = item->upto; i-- > first;) {
        const struct release *one = &item->object->list[i];
        const struct knowledge *acquired = acquired_of_fence(one->fence, one->lane);
        if (acquired != last) look_later(search, acquired);
        last = acquired;
    }
}

/* A search that gets too long ends as if it had found an order: what is reported must be sure. */
static bool orders_lane(const struct watched_warp *warp, uint32_t lane, uint32_t tag)
{
    struct search search;
    search.block = warp->block->index;
    search.tag = tag;
    search.count = 0;
    look_later(&search, acquired_of(warp, lane));
    for (uint32_t i = 0; i < search.count; i++) {
        struct acquired item = search.list[i];
        if (item.object != NULL
                ? object_covers(&search, item.object, item.upto)
                : reaches(item.fence, search.block) && fence_covers(item.fence, item.upto, tag))
            return true;
        look_behind(&search, &item);
    }
    return search.count == STEPS_MAX;
}

/* Accesses of several lanes are covered if those of each lane are, perhaps by a release of its own.
 */
bool release_orders(const struct watched_warp *warp, uint32_t lane, uint32_t tag)
{
    if (tag_is_lane(tag)) return orders_lane(warp, lane, tag);
    uint32_t index = segments[tag_number(tag)].warp;
    if (index >= warp->block->warp_count) return false;
    for (uint32_t one = 0; one < warp->block->warps[index].lanes && one < LANES; one++)
        if (!orders_lane(warp, lane, tag_base(tag) | FORM_PLAIN | one)) return false;
    return true;
}

/* ---- barrier objects ------------------------------------------------------------------------ */

/* Whole warps hand over by the object's clock, unless a lane of it has learned more than its clock
 * says. */
void watch_release(struct watched_warp *warp, uint32_t lanes, uint64_t object)
{
    struct watcher *watcher = warp->block->watcher;
    uint64_t key = key_of(warp->block->index, object);
    if (order_are_all(warp, lanes)) {
        struct object *one = find_object(watcher, key, true);
        if (one->clock == NULL) one->clock = release_get(watcher, WARPS_MAX * sizeof *one->clock);
        order_hand_over(warp, one->clock);
        if (warp->acquired == NULL && warp->acquired_by == NULL) return;
    }
    watch_fence(warp, lanes, FENCE_GPU);
    EACH_LANE (lane, lanes)
        release_on(warp, lane, key);
}

void watch_acquire(struct watched_warp *warp, uint32_t lanes, uint64_t object)
{
    uint64_t key = key_of(warp->block->index, object);
    const struct object *one = find_object(warp->block->watcher, key, false);
    if (one == NULL) return;
    bool all = order_are_all(warp, lanes);
    if (all && one->clock != NULL) order_take_over(warp, one->clock);
    EACH_LANE (lane, !all || one->count > 0 ? lanes : 0)
        release_take(warp, lane, key);
}

/* ---- the missing fence ---------------------------------------------------------------------- */

/* Stores in the running segment come after the signal, if there is none yet. */
void release_note_signal(const struct watched_warp *warp, uint32_t lane, uint32_t location,
                         bool reads, bool writes, bool flag)
{
    uint32_t block = warp->block->index + 1;
    struct signal *one = &releases_of(warp->block->watcher)->signals[block % SIGNALS];
    if (one->block != block) *one = (struct signal){.block = block};
    one->used = reads || (flag && one->used);
    if (!writes) return;
    one->upto = warp->segment->store_location != 0 ? warp->own : warp->own - 1;
    one->location = location;
    one->fenced = fence_of_lane(warp->fence, lane) != NULL;
    one->flag = flag;
}

uint32_t release_missing_fence(const struct watched_block *reader, uint32_t tag, bool *flag)
{
    const struct releases *all = reader->watcher->releases;
    uint32_t block = segments[tag_number(tag)].block + 1;
    if (all == NULL) return 0;
    const struct signal *its = &all->signals[block % SIGNALS],
                        *mine = &all->signals[(reader->index + 1) % SIGNALS];
    bool both = its->block == block && mine->block == reader->index + 1 && mine->used;
    *flag = its->flag;
    return both && !its->fenced && tag_base(tag) <= its->upto ? its->location : 0;
}
