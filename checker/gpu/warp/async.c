/*
 * async.c: cp.async: copies from global to shared memory that arrive when a thread waits for them,
 * not before. A kernel that reads too early gets the old data, and memory/ reports it.
 */
#include "gpu/warp/async.h"

#include "gpu/warp/access.h"

#include <stdlib.h>
#include <string.h>

enum { COPY_BYTES = 16 };

/* The copies of one instruction. */
struct copy {
    uint32_t mask; /* lanes whose copy is in flight */
    uint32_t bytes;
    uint32_t batch[LANES]; /* groups that the lane had committed before */
    uint32_t offset[LANES];
    unsigned char data[LANES][COPY_BYTES];
};

struct copies {
    struct copy *flight;
    uint32_t count, room;
    uint32_t committed[LANES];
};

static struct copies *copies_of(struct warp *warp)
{
    struct control *control = warp->control;
    if (control->copies == NULL) {
        control->copies = calloc(1, sizeof *control->copies);
        if (control->copies == NULL) out_of_memory();
    }
    return control->copies;
}

void copies_reset(struct warp *warp)
{
    struct copies *copies = warp->control->copies;
    copies->count = 0;
    memset(copies->committed, 0, sizeof copies->committed);
}

void copies_free(struct warp *warp)
{
    if (warp->control->copies == NULL) return;
    free(warp->control->copies->flight);
    free(warp->control->copies);
    warp->control->copies = NULL;
}

static struct copy *new_copy(struct copies *copies)
{
    if (copies->count == copies->room) {
        copies->room = 2 * copies->room + 8;
        copies->flight = realloc(copies->flight, copies->room * sizeof *copies->flight);
        if (copies->flight == NULL) out_of_memory();
    }
    struct copy *copy = &copies->flight[copies->count++];
    memset(copy, 0, sizeof *copy);
    return copy;
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

/* The addresses of an operand; those of 4 bytes, and generic shared ones, as offsets. */
void shared_offsets(const struct warp *warp, const struct ptx_operand *operand,
                    uint64_t offset[LANES])
{
    for (int lane = 0; lane < LANES; lane++) {
        uint64_t address = operand->bytes == 4
                               ? VALUES(warp, const uint32_t, operand->base, operand->at)[lane]
                               : VALUES(warp, const uint64_t, operand->base, operand->at)[lane];
        address += (uint64_t)operand->offset;
        if (operand->bytes == 4) address = (uint32_t)address;
        if (address - SHARED_WINDOW < WINDOW_BYTES) address -= SHARED_WINDOW;
        offset[lane] = address;
    }
}

/* The global side: those lanes whose source has this many bytes. */
static uint32_t read_sources(struct warp *warp, const struct ptx_instruction *at, uint32_t mask,
                             const uint64_t *address, const uint32_t read[LANES], struct copy *copy)
{
    uint32_t done = 0;
    for (uint32_t left = mask; left != 0 && !warp->control->stop;) {
        uint32_t bytes = read[__builtin_ctz(left)], same = 0;
        int error = 0;
        EACH_LANE (lane, left)
            if (read[lane] == bytes) same |= 1u << lane;
        left &= ~same;
        if (bytes == 0) {
            done |= same;
            continue;
        }
        struct request request = {.instruction = at,
                                  .kind = ACCESS_COPY_READ,
                                  .mask = same,
                                  .bytes = bytes,
                                  .element = bytes,
                                  .address = address,
                                  .place = warp_place(warp, at)};
        find_runs(&request);
        uint32_t lanes = watch_global(warp->watched, &request, &error);
        EACH_LANE (lane, lanes)
            memcpy(copy->data[lane], (const void *)(uintptr_t)address[lane], bytes);
        done |= lanes;
        if (error != 0) warp_fail(warp, error);
    }
    return done;
}

static void begin_copy(struct warp *warp, const struct ptx_instruction *at, uint32_t mask)
{
    uint64_t to[LANES], from[LANES];
    uint32_t read[LANES], bytes = (uint32_t)at->operand[2].value;
    struct copies *copies = copies_of(warp);
    struct copy *copy = new_copy(copies);
    shared_offsets(warp, &at->operand[0], to);
    const struct ptx_operand *source = &at->operand[1];
    for (int lane = 0; lane < LANES; lane++)
        from[lane] =
            VALUES(warp, const uint64_t, source->base, source->at)[lane] + (uint64_t)source->offset;
    source_bytes(warp, at, bytes, read);
    uint32_t lanes = read_sources(warp, at, mask, from, read, copy);
    struct request request = {.instruction = at,
                              .kind = ACCESS_COPY_WRITE,
                              .mask = lanes,
                              .bytes = bytes,
                              .element = bytes,
                              .address = to,
                              .place = warp_place(warp, at)};
    int error = 0;
    find_runs(&request);
    if (lanes != 0) lanes = watch_shared(warp->watched, &request, &error);
    copy->mask = lanes;
    copy->bytes = bytes;
    EACH_LANE (lane, lanes) {
        copy->batch[lane] = copies->committed[lane];
        copy->offset[lane] = (uint32_t)to[lane];
    }
    if (error != 0) warp_fail(warp, error);
}

/* ---- copies arrive -------------------------------------------------------------------------- */

static void land(struct warp *warp, struct copy *copy, uint32_t lanes)
{
    EACH_LANE (lane, lanes) {
        memcpy(warp->block->shared + copy->offset[lane], copy->data[lane], copy->bytes);
        watch_arrived(warp->watched, lane, copy->offset[lane], copy->bytes);
    }
    copy->mask &= ~lanes;
}

/* For each of these lanes, those copies arrive after which it has committed more than `prior`
 * groups.
 */
static void wait_for(struct warp *warp, uint32_t mask, uint32_t prior)
{
    struct copies *copies = warp->control->copies;
    uint32_t left = 0;
    if (copies == NULL) return;
    for (uint32_t i = 0; i < copies->count; i++) {
        struct copy *copy = &copies->flight[i];
        uint32_t lanes = 0;
        EACH_LANE (lane, mask & copy->mask)
            if (copy->batch[lane] + prior < copies->committed[lane]) lanes |= 1u << lane;
        land(warp, copy, lanes);
        if (copy->mask != 0 && left++ != i) copies->flight[left - 1] = *copy;
    }
    copies->count = left;
}

static void commit(struct warp *warp, uint32_t mask)
{
    struct copies *copies = copies_of(warp);
    EACH_LANE (lane, mask)
        copies->committed[lane]++;
}

void copies_land(struct warp *warp, uint32_t mask)
{
    if (warp->control->copies == NULL || mask == 0) return;
    commit(warp, mask);
    wait_for(warp, mask, 0);
}

static void commit_group(struct warp *warp, const struct ptx_instruction *at, uint32_t mask)
{
    (void)at;
    commit(warp, mask);
}

static void wait_group(struct warp *warp, const struct ptx_instruction *at, uint32_t mask)
{
    wait_for(warp, mask, (uint32_t)at->operand[0].value);
}

static void wait_all(struct warp *warp, const struct ptx_instruction *at, uint32_t mask)
{
    (void)at;
    copies_land(warp, mask);
}

ptx_execute *async_select(const struct ptx_function *function, struct ptx_instruction *at)
{
    (void)function;
    if (at->opcode == OP_mbarrier) return phase_select(at);
    if (!ptx_has(at, M_async) || ptx_has(at, M_bulk)) return NULL;
    if (ptx_has(at, M_mbarrier)) return phase_select(at);
    if (ptx_has(at, M_commit_group)) return commit_group;
    if (ptx_has(at, M_wait_group)) return at->operand_count == 1 ? wait_group : NULL;
    if (ptx_has(at, M_wait_all)) return wait_all;
    if (at->operand_count < 3 || !at->operand[2].immediate) return NULL;
    uint64_t bytes = at->operand[2].value;
    return bytes == 4 || bytes == 8 || bytes == 16 ? begin_copy : NULL;
}
