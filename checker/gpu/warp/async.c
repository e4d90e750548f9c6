/*
 * async.c: cp.async: copies from global to shared memory that arrive when a thread waits for them,
 * not before. A kernel that reads too early gets the old data, and memory/ reports it.
 */
#include "gpu/ptx/arena.h"
#include "gpu/warp/access.h"

#include <stdlib.h>
#include <string.h>

enum { COPY_BYTES = 16 };

/* The copies of one instruction. */
struct copy {
    uint32_t mask; /* lanes whose copy is in flight */
    uint32_t bytes;
    uint64_t copied;       /* watch_copied() */
    uint32_t batch[LANES]; /* groups that the lane had committed before */
    uint32_t offset[LANES];
    unsigned char data[LANES][COPY_BYTES];
};

struct copies {
    struct copy *flight;
    size_t count, room;
    uint32_t committed[LANES];
};

static struct copies *copies_of(struct warp *warp)
{
    struct copies **copies = &warp->control->copies;
    if (*copies == NULL) *copies = obtain(1, sizeof **copies);
    return *copies;
}

void copies_reset(struct warp *warp)
{
    struct copies *copies = warp->control->copies;
    if (copies == NULL) return;
    copies->count = 0;
    memset(copies->committed, 0, sizeof copies->committed);
}

void copies_free(struct warp *warp)
{
    if (warp->control->copies != NULL) free(warp->control->copies->flight);
    free(warp->control->copies);
    warp->control->copies = NULL;
}

/* ---- a copy begins -------------------------------------------------------------------------- */

/* The bytes that each lane reads: all, `src-size`, or none with ignore-src. The others are zeros.
 */
static void source_bytes(const struct warp *warp, const struct ptx_instruction *at, uint32_t bytes,
                         uint32_t read[LANES])
{
    for (int lane = 0; lane < LANES; lane++)
        read[lane] = bytes;
    if (at->operand_count < 4) return;
    const struct ptx_operand *size = &at->operand[3];
    if (size->kind != OPERAND_VALUE || size->bytes == 8) return; /* a cache policy */
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint32_t some = size->bytes == 0 ? (predicate_of(warp, size) >> lane & 1 ? 0 : bytes)
                                         : VALUES(warp, const uint32_t, size->base, size->at)[lane];
        read[lane] = some < bytes ? some : bytes;
    }
}

/* One side of the copy is announced. Returns the lanes that copy. */
static uint32_t side_of(struct warp *warp, const struct ptx_instruction *at, bool shared,
                        uint32_t mask, const uint64_t *address, uint32_t bytes)
{
    struct request request = {.instruction = at,
                              .kind = shared ? ACCESS_COPY_WRITE : ACCESS_COPY_READ,
                              .mask = mask,
                              .bytes = bytes,
                              .element = bytes,
                              .address = address,
                              .location = warp_location(warp, at)};
    return mask == 0 ? 0 : announced(warp, &request, shared);
}

/* The global side: lanes whose sources have the same number of bytes at a time. */
static uint32_t read_sources(struct warp *warp, const struct ptx_instruction *at, uint32_t mask,
                             const uint64_t *address, const uint32_t read[LANES], struct copy *copy)
{
    uint32_t done = 0;
    for (uint32_t left = mask, same; left != 0 && !warp->control->stop; left &= ~same) {
        uint32_t bytes = read[__builtin_ctz(left)];
        same = lanes_like(read, left);
        uint32_t lanes = bytes == 0 ? 0 : side_of(warp, at, false, same, address, bytes);
        EACH_LANE (lane, lanes)
            memcpy(copy->data[lane], (const void *)(uintptr_t)address[lane], bytes);
        done |= bytes == 0 ? same : lanes;
    }
    return done;
}

static void begin_copy(struct warp *warp, const struct ptx_instruction *at, uint32_t mask)
{
    uint64_t to[LANES], from[LANES];
    uint32_t read[LANES], bytes = (uint32_t)at->operand[2].value;
    struct copies *copies = copies_of(warp);
    struct copy copy = {.bytes = bytes};
    const struct ptx_operand *source = &at->operand[1];
    shared_offsets(warp, &at->operand[0], to);
    for (int lane = 0; lane < LANES; lane++)
        from[lane] =
            VALUES(warp, const uint64_t, source->base, source->at)[lane] + (uint64_t)source->offset;
    source_bytes(warp, at, bytes, read);
    copy.mask = read_sources(warp, at, mask, from, read, &copy);
    copy.copied = watch_copied(warp->watched);
    copy.mask = side_of(warp, at, true, copy.mask, to, bytes);
    EACH_LANE (lane, copy.mask) {
        copy.batch[lane] = copies->committed[lane];
        copy.offset[lane] = (uint32_t)to[lane];
    }
    ADD(copies->flight, copies->count, copies->room) = copy;
}

/* ---- copies arrive -------------------------------------------------------------------------- */

static void land(struct warp *warp, struct copy *copy, uint32_t lanes)
{
    EACH_LANE (lane, lanes) {
        memcpy(warp->block->shared + copy->offset[lane], copy->data[lane], copy->bytes);
        watch_arrived(warp->watched, lane, copy->offset[lane], copy->bytes, copy->copied);
    }
    copy->mask &= ~lanes;
}

/* For each of these lanes, those copies arrive after which it has committed more than `prior`
 * groups.
 */
static void wait_for(struct warp *warp, uint32_t mask, uint32_t prior)
{
    struct copies *copies = warp->control->copies;
    size_t left = 0;
    if (copies == NULL) return;
    for (size_t i = 0; i < copies->count; i++) {
        struct copy *copy = &copies->flight[i];
        uint32_t lanes = 0;
        EACH_LANE (lane, mask & copy->mask)
            if (copy->batch[lane] + prior < copies->committed[lane]) lanes |= 1u << lane;
        land(warp, copy, lanes);
        if (copy->mask != 0 && left++ != i) copies->flight[left - 1] = *copy;
    }
    copies->count = left;
}

static void commit_group(struct warp *warp, const struct ptx_instruction *at, uint32_t mask)
{
    struct copies *copies = copies_of(warp);
    (void)at;
    EACH_LANE (lane, mask)
        copies->committed[lane]++;
}

static void wait_group(struct warp *warp, const struct ptx_instruction *at, uint32_t mask)
{
    wait_for(warp, mask, (uint32_t)at->operand[0].value);
}

static void wait_all(struct warp *warp, const struct ptx_instruction *at, uint32_t mask)
{
    if (warp->control->copies == NULL) return;
    commit_group(warp, at, mask);
    wait_for(warp, mask, 0);
}

void copies_land(struct warp *warp, uint32_t mask)
{
    wait_all(warp, NULL, mask);
}

ptx_execute *async_select(const struct ptx_instruction *at)
{
    if (!ptx_has(at, M_async) || ptx_has(at, M_bulk)) return NULL;
    if (ptx_has(at, M_commit_group)) return commit_group;
    if (ptx_has(at, M_wait_group)) return at->operand_count == 1 ? wait_group : NULL;
    if (ptx_has(at, M_wait_all)) return wait_all;
    if (at->operand_count < 3 || !at->operand[2].immediate) return NULL;
    uint64_t bytes = at->operand[2].value;
    return bytes == 4 || bytes == 8 || bytes == 16 ? begin_copy : NULL;
}
