/*
 * mbarrier.c: barriers in shared memory that have phases: mbarrier. A phase ends when as many
 * threads have arrived as are expected, and all bytes that are expected. The 64 bits are: expected
 * and missing arrivals, bytes in flight, and the phase. Kernels' accesses do not include those to a
 * barrier itself.
 */
#include "gpu/warp/access.h"

#include <string.h>

struct phases {
    uint64_t expected : 20, missing : 20, bytes : 21, phase : 3;
};

enum { BYTES_NONE = 1 << 20 };

_Static_assert(sizeof(struct phases) == sizeof(uint64_t), "an mbarrier has 64 bits");

static struct phases *phases_at(struct warp *warp, const struct ptx_instruction *at, uint32_t lane,
                                uint64_t offset)
{
    if (offset % 8 == 0 && offset + 8 <= warp->block->run->shared_bytes)
        return (struct phases *)(void *)(warp->block->shared + offset);
    warp_fault(warp, at, lane, offset % 8 != 0 ? "misaligned-access" : "shared-out-of-bounds",
               "there is no mbarrier");
    warp_fail(warp, offset % 8 != 0 ? LAUNCH_MISALIGNED : LAUNCH_ILLEGAL_ADDRESS);
    return NULL;
}

static void end_phase(struct warp *warp, struct phases *phases)
{
    warp->block->moved++;
    if (phases->missing != 0 || phases->bytes != BYTES_NONE) return;
    phases->missing = phases->expected;
    phases->phase = (phases->phase + 1) & 7;
}

static void arrive(struct warp *warp, struct phases *phases, uint32_t count)
{
    phases->missing = count < phases->missing ? phases->missing - count : 0;
    end_phase(warp, phases);
}

/* ---- operands ------------------------------------------------------------------------------- */

/* The first operand that is an address. */
static int address_at(const struct ptx_instruction *at)
{
    for (int i = 0; i < at->operand_count; i++)
        if (at->operand[i].kind == OPERAND_ADDRESS) return i;
    return 0;
}

static uint32_t value_of(const struct warp *warp, const struct ptx_instruction *at, int number,
                         uint32_t lane, uint32_t otherwise)
{
    if (number >= at->operand_count) return otherwise;
    const struct ptx_operand *operand = &at->operand[number];
    return VALUES(warp, const uint32_t, operand->base, operand->at)[lane];
}

/* ---- instructions --------------------------------------------------------------------------- */

#define EACH_BARRIER(phases, lane, mask)                                                           \
    uint64_t offset_[LANES];                                                                       \
    int first = address_at(at);                                                                    \
    struct phases *phases;                                                                         \
    shared_offsets(warp, &at->operand[first], offset_);                                            \
    EACH_LANE (lane, mask)                                                                         \
        if ((phases = phases_at(warp, at, lane, offset_[lane])) == NULL)                           \
            return;                                                                                \
        else

/* Tells memory/ that lanes arrive at their barriers, or have waited for them. */
static void announce(struct warp *warp, uint32_t lanes, const uint64_t offset[LANES],
                     void (*event)(struct watched_warp *, uint32_t, uint64_t))
{
    for (uint32_t same; lanes != 0; lanes &= ~same) {
        same = lanes_like_64(offset, lanes);
        event(warp->watched, same, offset[__builtin_ctz(lanes)]);
    }
}

static void init(struct warp *warp, const struct ptx_instruction *at, uint32_t mask)
{
    EACH_BARRIER (phases, lane, mask) {
        uint32_t count = value_of(warp, at, first + 1, lane, 1) & 0xfffff;
        *phases = (struct phases){.expected = count, .missing = count, .bytes = BYTES_NONE};
    }
}

static void come(struct warp *warp, const struct ptx_instruction *at, uint32_t mask)
{
    bool drops = ptx_has(at, M_arrive_drop), expects = ptx_has(at, M_expect_tx);
    EACH_BARRIER (phases, lane, mask) {
        uint32_t number = value_of(warp, at, first + 1, lane, expects ? 0 : 1);
        struct phases token = *phases;
        if (expects) phases->bytes += number;
        if (drops && phases->expected > 0) phases->expected--;
        arrive(warp, phases, expects ? 1 : number);
        const struct ptx_operand *d = &at->operand[0];
        if (first > 0 && d->kind == OPERAND_VALUE && d->bytes == 8)
            memcpy(&VALUES(warp, uint64_t, d->base, d->at)[lane], &token, sizeof token);
    }
    announce(warp, mask, offset_, watch_release);
}

static void expect_bytes(struct warp *warp, const struct ptx_instruction *at, uint32_t mask)
{
    bool completes = ptx_has(at, M_complete_tx);
    EACH_BARRIER (phases, lane, mask) {
        uint32_t bytes = value_of(warp, at, first + 1, lane, 0);
        phases->bytes += completes ? 0u - bytes : bytes;
        if (completes) end_phase(warp, phases);
    }
}

/* Copies whose threads have said that they arrive at a barrier: they land when somebody looks for
 * them. */
static void land_promised(struct block *block)
{
    for (uint32_t i = 0; i < block->warp_count; i++) {
        struct warp *warp = &block->warps[i];
        struct control *control = warp->control;
        uint32_t lanes = control->promised;
        if (lanes == 0) continue;
        control->promised = 0;
        copies_land(warp, lanes);
        uint64_t offset[LANES];
        EACH_LANE (lane, lanes) {
            offset[lane] = control->promised_to[lane];
            arrive(warp, (void *)(block->shared + offset[lane]), 1);
        }
        announce(warp, lanes, offset, watch_release);
    }
}

/* test_wait, try_wait: has the phase ended? If it has not, the lanes that ask let others run. */
static void ask(struct warp *warp, const struct ptx_instruction *at, uint32_t mask)
{
    struct block *block = warp->block;
    uint32_t over = 0, last = 0;
    land_promised(block);
    EACH_BARRIER (phases, lane, mask) {
        const struct ptx_operand *token = &at->operand[first + 1];
        struct phases seen;
        bool parity = ptx_has(at, M_parity);
        if (!parity)
            memcpy(&seen, &VALUES(warp, const uint64_t, token->base, token->at)[lane], sizeof seen);
        bool ended = parity ? (phases->phase & 1) != (value_of(warp, at, first + 1, lane, 0) & 1)
                            : seen.phase != phases->phase;
        last = lane;
        if (ended || block->stuck) over |= 1u << lane;
    }
    announce(warp, over, offset_, watch_acquire);
    uint32_t *p = VALUES(warp, uint32_t, at->operand[0].base, at->operand[0].at);
    *p = (*p & ~mask) | over;
    if (over == mask) return;
    warp->control->paused = warp->control->phase_polls = true;
    block->phase_at = (struct arrival){at, warp_location(warp, at), thread_of(warp, last)};
}

static void pending_count(struct warp *warp, const struct ptx_instruction *at, uint32_t mask)
{
    const struct ptx_operand *d = &at->operand[0], *a = &at->operand[1];
    EACH_LANE (lane, mask) {
        struct phases phases;
        memcpy(&phases, &VALUES(warp, const uint64_t, a->base, a->at)[lane], sizeof phases);
        VALUES(warp, uint32_t, d->base, d->at)[lane] = (uint32_t)phases.missing;
    }
}

/* cp.async.mbarrier.arrive: the lane's copies arrive at the barrier when they have landed. */
static void promise(struct warp *warp, const struct ptx_instruction *at, uint32_t mask)
{
    bool counted = ptx_has(at, M_noinc);
    land_promised(warp->block);
    EACH_BARRIER (phases, lane, mask) {
        if (!counted) phases->missing++;
        warp->control->promised |= 1u << lane;
        warp->control->promised_to[lane] = (uint32_t)offset_[lane];
    }
}

static void inval(struct warp *warp, const struct ptx_instruction *at, uint32_t mask)
{
    (void)warp, (void)at, (void)mask;
}

ptx_execute *phase_select(struct ptx_instruction *at)
{
    if (at->opcode == OP_cp) return promise;
    if (ptx_has(at, M_test_wait) || ptx_has(at, M_try_wait)) {
        at->flow = FLOW_PAUSE;
        return ask;
    }
    if (ptx_has(at, M_init)) return init;
    if (ptx_has(at, M_inval)) return inval;
    if (ptx_has(at, M_pending_count)) return pending_count;
    if (ptx_has(at, M_arrive) || ptx_has(at, M_arrive_drop)) return come;
    if (ptx_has(at, M_expect_tx) || ptx_has(at, M_complete_tx)) return expect_bytes;
    return NULL;
}
