/*
 * half_compare.c: setp and set of f16 and bf16, alone and in pairs: their numbers are compared as
 * floats. Of pairs, setp's first predicate is for the lower numbers, the second for the upper ones.
 */
#include "gpu/warp/half.h"

struct kind {
    enum short_format format;
    bool pair;
};

static bool kind_of(enum ptx_type type, struct kind *kind)
{
    switch (type) {
    case TYPE_f16: *kind = (struct kind){FORMAT_F16, false}; return true;
    case TYPE_f16x2: *kind = (struct kind){FORMAT_F16, true}; return true;
    case TYPE_bf16: *kind = (struct kind){FORMAT_BF16, false}; return true;
    case TYPE_bf16x2: *kind = (struct kind){FORMAT_BF16, true}; return true;
    default: return false;
    }
}

/* The lower or upper numbers of a register, as floats. */
static void load(float *to, struct kind kind, const void *from, bool upper, bool ftz)
{
    uint16_t shorts[LANES];
    const bits_16 *numbers = from;
    for (unsigned l = 0; l < LANES; l++)
        shorts[l] = kind.pair ? numbers[2 * l + upper] : numbers[l];
    if (kind.format == FORMAT_F16)
        halves_to_floats(to, shorts, LANES);
    else
        bfloats_to_floats(to, shorts, LANES);
    if (ftz) flush_shorts(kind.format, to, LANES);
}

static uint32_t compared(struct warp *warp, const struct ptx_instruction *i, int first, bool upper)
{
    struct kind kind = {FORMAT_F16, false};
    float a[LANES], b[LANES];
    bool ftz = ptx_has(i, M_ftz);
    kind_of(i->types[i->type_count - 1], &kind);
    load(a, kind, OPERAND_OF(warp, &i->operand[first], char), upper, ftz);
    load(b, kind, OPERAND_OF(warp, &i->operand[first + 1], char), upper, ftz);
    return float_comparison(i->modifiers[0])(a, b);
}

static void setp_half(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    int first = i->operand[1].kind == OPERAND_SINK || i->operand[1].bytes == 0 ? 2 : 1;
    struct kind kind = {FORMAT_F16, false};
    kind_of(i->types[0], &kind);
    uint32_t low = compared(warp, i, first, false),
             high = kind.pair ? compared(warp, i, first, true) : ~low;
    low = joined_condition(warp, i, low), high = joined_condition(warp, i, high);
    set_predicate(warp, &i->operand[0], low, mask);
    if (first == 2) set_predicate(warp, &i->operand[1], high, mask);
}

/* 1.0 of the destination's type, or all ones of an integer's. */
static uint32_t yes_of(enum ptx_type type)
{
    switch (type) {
    case TYPE_f16: return 0x3c00;
    case TYPE_f16x2: return 0x3c003c00;
    case TYPE_bf16: return 0x3f80;
    case TYPE_bf16x2: return 0x3f803f80;
    case TYPE_f32: return float_bits(1);
    default: return UINT32_MAX;
    }
}

static void set_half(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    struct kind kind = {FORMAT_F16, false};
    const struct ptx_operand *d = &i->operand[0];
    kind_of(i->types[1], &kind);
    uint32_t low = joined_condition(warp, i, compared(warp, i, 1, false)),
             yes = yes_of(i->types[0]);
    uint32_t high = kind.pair ? joined_condition(warp, i, compared(warp, i, 1, true)) : 0;
    EACH_LANE (l, mask) {
        uint32_t number = low >> l & 1 ? yes : 0;
        if (kind.pair) number = (number & 0xffff) | (high >> l & 1 ? yes & 0xffff0000u : 0);
        set_lane_bits(OPERAND_OF(warp, d, char), d->bytes, l, number);
    }
}

/* The comparison first, then perhaps .and, .or or .xor, then perhaps .ftz. */
static bool knows_modifiers(const struct ptx_instruction *i, bool *has_join)
{
    int said = i->modifier_count - ptx_has(i, M_ftz);
    if (said < 1 || said > 2 || float_comparison(i->modifiers[0]) == NULL) return false;
    *has_join = said == 2;
    return said == 1 || i->modifiers[1] == M_and || i->modifiers[1] == M_or ||
           i->modifiers[1] == M_xor;
}

ptx_execute *select_half_compare(const struct ptx_instruction *i)
{
    struct kind kind;
    bool has_join, is_set = i->opcode == OP_set;
    if (i->type_count == 0) return NULL;
    if (!kind_of(i->types[i->type_count - 1], &kind) || !knows_modifiers(i, &has_join)) return NULL;
    int first = !is_set && (i->operand[1].kind == OPERAND_SINK || i->operand[1].bytes == 0) ? 2 : 1;
    if (i->operand_count != first + 2 + has_join || (kind.pair && !is_set && first == 1))
        return NULL;
    for (int k = first; k < i->operand_count; k++) {
        int bytes = k < first + 2 ? kind.pair ? 4 : 2 : 0;
        if (i->operand[k].kind != OPERAND_VALUE || i->operand[k].bytes != bytes) return NULL;
    }
    if (!is_set) return i->operand[0].bytes == 0 ? setp_half : NULL;
    int wanted = i->types[0] == TYPE_f16 || i->types[0] == TYPE_bf16 ? 2 : 4;
    return i->type_count == 2 && i->operand[0].kind == OPERAND_VALUE &&
                   i->operand[0].bytes == wanted
               ? set_half
               : NULL;
}
