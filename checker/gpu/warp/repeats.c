/*
 * repeats.c: whole warps mostly load one place, or places side by side. Whether they do is a matter
 * of the base register alone, and unrolled loops use one base register again and again with other
 * offsets: then the warp need not look at 32 addresses each time.
 */
#include "gpu/warp/access.h"

#include <stdlib.h>

/* ---- while a kernel runs -------------------------------------------------------------------- */

#define KIND_OF(T)                                                                                 \
    static enum spread_kind kind_of_##T(const T *base)                                             \
    {                                                                                              \
        T first = base[0], step = base[1] - first, odd = 0;                                        \
        if (step != 0 && step != 4) return SPREAD_OTHER;                                           \
        for (T lane = 0; lane < LANES; lane++)                                                     \
            odd |= base[lane] ^ (first + step * lane);                                             \
        return odd != 0 ? SPREAD_OTHER : step == 0 ? SPREAD_SAME : SPREAD_WORDS;                   \
    }
KIND_OF(uint32_t)
KIND_OF(uint64_t)

enum spread_kind spread_of(struct warp *warp, const struct ptx_instruction *at,
                           const struct ptx_operand *operand)
{
    struct spread *spread = &warp->control->spread[operand->at / 128 % SPREADS];
    if (LIKELY((at->b & ACCESS_REPEATS) && spread->at == operand->at))
        return (enum spread_kind)spread->kind;
    enum spread_kind kind =
        at->b & ACCESS_NARROW_ADDRESS
            ? kind_of_uint32_t(VALUES(warp, uint32_t, operand->base, operand->at))
            : kind_of_uint64_t(VALUES(warp, uint64_t, operand->base, operand->at));
    *spread = (struct spread){operand->at, kind};
    return kind;
}

/* ---- before it ------------------------------------------------------------------------------ */

/* The places that a jump leads to. */
static bool *find_targets(const struct ptx_function *function)
{
    bool *target = calloc(function->code_count + 1, sizeof *target);
    for (uint32_t i = 0; target != NULL && i < function->code_count; i++) {
        const struct ptx_instruction *at = &function->code[i];
        if (at->flow != FLOW_BRANCH) continue;
        for (int32_t *one = at->targets; one != NULL && *one >= 0; one++)
            target[*one] = true;
        if (at->targets == NULL) target[at->target] = true;
    }
    return target;
}

static bool overlaps(const struct ptx_operand *written, const struct ptx_operand *base)
{
    int32_t bytes = LANES * (written->bytes == 0 ? 1 : written->bytes == 1 ? 2 : written->bytes);
    return written->kind == OPERAND_VALUE && written->base == BASE_FRAME &&
           written->at < base->at + LANES * base->bytes && base->at < written->at + bytes;
}

static bool writes(const struct ptx_function *function, const struct ptx_instruction *at,
                   const struct ptx_operand *base)
{
    for (uint32_t i = 0; i < at->results; i++) {
        const struct ptx_operand *one = &at->operand[i];
        if (one->kind == OPERAND_VECTOR)
            for (uint32_t k = 0; k < one->count; k++)
                if (overlaps(&function->elements[one->first + k], base)) return true;
        if (overlaps(one, base)) return true;
    }
    return false;
}

static const struct ptx_operand *base_of(const struct ptx_instruction *at)
{
    bool whole = at->opcode == OP_ld && at->space == SPACE_SHARED && at->flow == FLOW_NEXT;
    const struct ptx_operand *address = &at->operand[1];
    return whole && address->kind == OPERAND_ADDRESS && address->base == BASE_FRAME ? address
                                                                                    : NULL;
}

/* Goes back to an access with this base, as far as the code is straight. */
static bool repeats(const struct ptx_function *function, const bool *target, uint32_t i)
{
    enum { FAR = 256 };
    const struct ptx_operand *base = base_of(&function->code[i]);
    for (uint32_t k = 0; base != NULL && k < FAR && i > 0 && !target[i]; k++) {
        const struct ptx_instruction *before = &function->code[--i];
        const struct ptx_operand *other = base_of(before);
        bool plain = before->flow == FLOW_NEXT || before->flow == FLOW_GUARDED ||
                     before->flow == FLOW_NOTHING;
        if (!plain || writes(function, before, base)) return false;
        if (other != NULL && other->at == base->at && other->bytes == base->bytes &&
            before->execute == function->code[i].execute)
            return true;
    }
    return false;
}

void repeats_mark(const struct ptx_function *function)
{
    bool *target = find_targets(function);
    for (uint32_t i = 0; target != NULL && i < function->code_count; i++)
        if (repeats(function, target, i)) function->code[i].b |= ACCESS_REPEATS;
    free(target);
}
