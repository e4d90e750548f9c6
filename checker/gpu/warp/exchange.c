/*
 * exchange.c: what lanes of a warp do together: **shuffles**, votes, matches, reductions,
 * elections, bar.warp.sync. When one of these executes, the lanes that it waits for have come
 * (meet.c); mostly they are the lanes of `mask`, or `came` and `value` hold those that came to
 * another place.
 */
#include "gpu/warp/control.h"

#include <string.h>

/* The value that a lane reads from a lane that did not come; on a GPU this is undefined. Here it is
 * a NaN as a float, and as two halves of a double; and a conspicuous number as an integer. */
static const uint32_t NO_VALUE = 0x7ff5dead;

/* ---- operands, which are optional at the front ---------------------------------------------- */

static const struct ptx_operand *from_end(const struct ptx_instruction *at, int back)
{
    return &at->operand[at->operand_count - 1 - back];
}

/* The lanes' own value, of a shuffle, vote, match or reduction. */
static const struct ptx_operand *given(const struct ptx_instruction *at)
{
    return from_end(at, (at->opcode == OP_shfl ? 2 : 0) + ptx_has(at, M_sync));
}

/* The destination; NULL: the text does not want it. */
static uint32_t *destination(struct warp *warp, const struct ptx_instruction *at)
{
    const struct ptx_operand *d = &at->operand[0];
    return d->kind == OPERAND_VALUE ? VALUES(warp, uint32_t, d->base, d->at) : NULL;
}

static void set_bits(uint32_t *to, uint32_t lanes, uint32_t mask)
{
    *to = (*to & ~mask) | (lanes & mask);
}

/* The predicate that may follow the destination, d|p. */
static void set_second(struct warp *warp, const struct ptx_instruction *at, uint32_t lanes,
                       uint32_t mask)
{
    const struct ptx_operand *p = &at->operand[1];
    if (at->results > 1 && p->kind == OPERAND_VALUE)
        set_bits(VALUES(warp, uint32_t, p->base, p->at), lanes, mask);
}

/* In two branches, lanes meet if both call the same function. Instructions that are `aligned` have
 * to be one and the same. */
bool exchange_is_same(const struct ptx_instruction *one, const struct ptx_instruction *other)
{
    if (one == other) return true;
    return one->opcode == other->opcode && one->type_count == other->type_count &&
           one->modifier_count == other->modifier_count && !ptx_has(one, M_aligned) &&
           memcmp(one->types, other->types, one->type_count) == 0 &&
           memcmp(one->modifiers, other->modifiers, one->modifier_count) == 0;
}

static uint64_t value_of(const struct warp *warp, const struct ptx_operand *a, uint32_t lane)
{
    if (a->bytes == 0) return predicate_of(warp, a) >> lane & 1;
    if (a->bytes == 8) return VALUES(warp, const uint64_t, a->base, a->at)[lane];
    return VALUES(warp, const uint32_t, a->base, a->at)[lane];
}

void exchange_gather(struct warp *warp, const struct ptx_instruction *at, uint32_t mask)
{
    if (at->opcode == OP_shfl || at->opcode == OP_vote || at->opcode == OP_match ||
        at->opcode == OP_redux)
        EACH_LANE (lane, mask)
            warp->control->value[lane] = value_of(warp, given(at), lane);
}

/* All lanes' values, those that came to another place included. */
static void take_values(const struct warp *warp, const struct ptx_instruction *at,
                        uint64_t value[LANES])
{
    const struct control *control = warp->control;
    for (uint32_t lane = 0; lane < LANES; lane++)
        value[lane] = control->gathered ? control->value[lane] : value_of(warp, given(at), lane);
}

/* Finds for each lane the lanes that take part with it: those that came with its mask. This runs
 * before anything is written, because the result may take the place of the masks. */
static void find_partners(const struct warp *warp, const struct ptx_instruction *at, uint32_t mask,
                          uint32_t with[LANES])
{
    const struct control *control = warp->control;
    uint32_t all = control->gathered ? control->came : mask;
    if (control->gathered || at->flow != FLOW_MEET) {
        bool fixed = !control->gathered && at->flow == FLOW_MEET_FIXED;
        for (uint32_t lane = 0; lane < LANES; lane++)
            with[lane] = fixed ? mask & ((uint32_t)at->target | 1u << lane) : all;
        return;
    }
    for (uint32_t left = mask, same; left != 0; left &= ~same) {
        same = lanes_like(VALUES(warp, const uint32_t, at->c_base, at->target), left);
        EACH_LANE (one, same)
            with[one] = same;
    }
}

/* For each set of lanes that have the same partners. */
#define EACH_SET(partners_, mask)                                                                  \
    uint32_t with[LANES];                                                                          \
    find_partners(warp, at, mask, with);                                                           \
    for (uint32_t left_ = (mask), partners_, set_;                                                 \
         left_ != 0 && (partners_ = with[__builtin_ctz(left_)],                                    \
                       set_ = (partners_ & left_) | (left_ & -left_), true);                       \
         left_ &= ~set_)

/* ---- shuffles ------------------------------------------------------------------------------- */

/* The lane that each lane reads from, and the predicate: it is within its section. */
static inline uint32_t sources(enum ptx_modifier direction, const uint32_t *b, const uint32_t *c,
                               uint32_t source[LANES])
{
    uint32_t inside = 0;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint32_t by = b[lane] & 31, clamp = c[lane] & 31, section = c[lane] >> 8 & 31;
        uint32_t first = lane & section, last = first | (clamp & ~section);
        uint32_t from = direction == M_up     ? lane - by
                        : direction == M_down ? lane + by
                        : direction == M_bfly ? lane ^ by
                                              : first | (by & ~section);
        bool valid = direction == M_up ? (int32_t)from >= (int32_t)last : from <= last;
        source[lane] = valid ? from : lane;
        inside |= (uint32_t)valid << lane;
    }
    return inside;
}

static inline void shuffle(struct warp *warp, const struct ptx_instruction *at, uint32_t mask,
                           enum ptx_modifier direction)
{
    const struct control *control = warp->control;
    bool sync = at->flow == FLOW_MEET || at->flow == FLOW_MEET_FIXED;
    const struct ptx_operand *c = from_end(at, sync), *b = from_end(at, sync + 1);
    const struct ptx_operand *a = from_end(at, sync + 2);
    uint32_t source[LANES], value[LANES], with[LANES];
    uint32_t inside = sources(direction, VALUES(warp, const uint32_t, b->base, b->at),
                              VALUES(warp, const uint32_t, c->base, c->at), source);
    const uint32_t *own = VALUES(warp, const uint32_t, a->base, a->at);
    for (int lane = 0; lane < LANES; lane++)
        value[lane] = control->gathered ? (uint32_t)control->value[lane] : own[lane];
    set_second(warp, at, inside, mask);
    uint32_t *d = destination(warp, at);
    if (d == NULL) return;
    if (LIKELY(mask == FULL_MASK && at->flow == FLOW_MEET_FIXED && at->target == -1)) {
        for (int lane = 0; lane < LANES; lane++)
            d[lane] = value[source[lane]];
        return;
    }
    find_partners(warp, at, mask, with);
    EACH_LANE (lane, mask) {
        bool came = with[lane] >> source[lane] & 1;
        d[lane] = came ? value[source[lane]] : NO_VALUE;
        if (!came && warp->worker->tally.lost_location == 0)
            warp->worker->tally.lost_location = warp_location(warp, at);
    }
}

#define SHUFFLE(name, direction)                                                                   \
    static void name(struct warp *warp, const struct ptx_instruction *at, uint32_t mask)           \
    {                                                                                              \
        shuffle(warp, at, mask, direction);                                                        \
    }
SHUFFLE(shuffle_up, M_up)
SHUFFLE(shuffle_down, M_down)
SHUFFLE(shuffle_bfly, M_bfly)
SHUFFLE(shuffle_idx, M_idx)

/* ---- votes, matches, reductions ------------------------------------------------------------- */

static void vote(struct warp *warp, const struct ptx_instruction *at, uint32_t mask)
{
    const struct control *control = warp->control;
    uint32_t votes = 0, yes = 0, *d = destination(warp, at);
    bool ballot = ptx_has(at, M_ballot);
    if (control->gathered)
        EACH_LANE (lane, control->came)
            votes |= (uint32_t)control->value[lane] << lane;
    else
        votes = predicate_of(warp, given(at));
    if (d == NULL) return;
    EACH_SET (all, mask) {
        uint32_t own = votes & all;
        bool result = ptx_has(at, M_all)   ? own == all
                      : ptx_has(at, M_any) ? own != 0
                                           : own == all || own == 0;
        if (result) yes |= set_;
        EACH_LANE (lane, ballot ? set_ : 0)
            d[lane] = own;
    }
    if (!ballot) set_bits(d, yes, mask);
}

static void match(struct warp *warp, const struct ptx_instruction *at, uint32_t mask)
{
    uint64_t value[LANES];
    uint32_t with[LANES], agreed = 0, *d = destination(warp, at);
    take_values(warp, at, value);
    find_partners(warp, at, mask, with);
    EACH_LANE (lane, mask) {
        uint32_t all = with[lane], same = 0;
        EACH_LANE (one, all)
            if (value[one] == value[lane]) same |= 1u << one;
        if (same == all) agreed |= 1u << lane;
        if (ptx_has(at, M_all) && same != all) same = 0;
        if (d != NULL) d[lane] = same;
    }
    if (ptx_has(at, M_all)) set_second(warp, at, agreed, mask);
}

static uint32_t reduced(const struct ptx_instruction *at, uint32_t x, uint32_t y)
{
    if (ptx_has(at, M_add)) return x + y;
    if (ptx_has(at, M_and)) return x & y;
    if (ptx_has(at, M_or)) return x | y;
    if (ptx_has(at, M_xor)) return x ^ y;
    bool less = at->types[0] == TYPE_s32 ? (int32_t)x < (int32_t)y : x < y;
    return less == ptx_has(at, M_min) ? x : y;
}

static void reduce(struct warp *warp, const struct ptx_instruction *at, uint32_t mask)
{
    uint64_t value[LANES];
    uint32_t *d = destination(warp, at);
    take_values(warp, at, value);
    if (d == NULL) return;
    EACH_SET (all, mask) {
        uint32_t result = (uint32_t)value[__builtin_ctz(all)];
        EACH_LANE (lane, all & (all - 1))
            result = reduced(at, result, (uint32_t)value[lane]);
        EACH_LANE (lane, set_)
            d[lane] = result;
    }
}

static void active(struct warp *warp, const struct ptx_instruction *at, uint32_t mask)
{
    uint32_t *d = destination(warp, at);
    EACH_LANE (lane, d != NULL ? mask : 0)
        d[lane] = mask;
}

static void elect(struct warp *warp, const struct ptx_instruction *at, uint32_t mask)
{
    uint32_t leaders = 0, *d = destination(warp, at);
    EACH_SET (all, mask) {
        leaders |= all & -all;
        EACH_LANE (lane, d != NULL ? set_ : 0)
            d[lane] = (uint32_t)__builtin_ctz(all);
    }
    set_second(warp, at, leaders, mask);
}

static void warp_barrier(struct warp *warp, const struct ptx_instruction *at, uint32_t mask)
{
    EACH_SET (all, mask)
        watch_meet(warp->watched, all);
}

/* ---- choice --------------------------------------------------------------------------------- */

/* Says for which lanes a FLOW_MEET waits: its last operand, or the whole warp. */
void meet_prepare(struct ptx_instruction *at)
{
    bool masked = at->opcode == OP_shfl || at->opcode == OP_vote || at->opcode == OP_match ||
                  at->opcode == OP_redux || at->opcode == OP_elect || at->opcode == OP_bar ||
                  at->opcode == OP_barrier;
    const struct ptx_operand *mask = from_end(at, 0);
    if (!masked || at->operand_count == 0 || mask->immediate) {
        at->flow = FLOW_MEET_FIXED;
        at->target = masked && at->operand_count > 0 ? (int32_t)(uint32_t)mask->value : -1;
        return;
    }
    at->target = mask->at;
    at->c_base = mask->base;
}

ptx_execute *exchange_select(struct ptx_instruction *at)
{
    switch (at->opcode) {
    case OP_shfl:
        return ptx_has(at, M_up)     ? shuffle_up
               : ptx_has(at, M_down) ? shuffle_down
               : ptx_has(at, M_bfly) ? shuffle_bfly
                                     : shuffle_idx;
    case OP_vote: return vote;
    case OP_match: return match;
    case OP_redux: return at->types[0] == TYPE_f32 ? NULL : reduce;
    case OP_activemask: return active;
    case OP_elect: return elect;
    case OP_bar:
    case OP_barrier: return ptx_has(at, M_warp) ? warp_barrier : NULL;
    default: return NULL;
    }
}
