/*
 * compare.c: setp and set, which compare, and selp and slct, which choose. A comparison makes a
 * mask with one bit per lane; setp of one predicate and no other condition stores it, all other
 * instructions use it. Short numbers are compared as floats; of pairs, setp's first predicate is
 * for the lower numbers, the second for the upper ones.
 */
#include "gpu/warp/half.h"

/* ---- comparisons ---------------------------------------------------------------------------- */

struct comparison {
    uint8_t modifier, type;
    bool ftz;
    uint32_t (*compare)(const void *a, const void *b);
    ptx_execute *setp;
};

/* The mask of the lanes for which a condition on x and y holds, and the setp that stores it. */
#define COMPARISON(name, modifier, type, ftz, T, W, load, condition)                               \
    static uint32_t name(const void *a, const void *b)                                             \
    {                                                                                              \
        W bits = 0;                                                                                \
        ALL_LANES                                                                                  \
        {                                                                                          \
            const T x = load(((const T *)a)[l]), y = load(((const T *)b)[l]);                      \
            bits |= (condition) ? (sizeof(W) == 8 ? (W)wide_bit[l] : (W)1 << l) : 0;               \
        }                                                                                          \
        return (uint32_t)bits;                                                                     \
    }                                                                                              \
    static void setp_##name(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)     \
    {                                                                                              \
        uint32_t bits = name(A_OF(warp, i, char), B_OF(warp, i, char)),                            \
                 *to = D_OF(warp, i, uint32_t);                                                    \
        *to = (*to & ~mask) | (bits & mask);                                                       \
    }                                                                                              \
    static const struct comparison __attribute__((used, section("comparisons"), aligned(8)))       \
    name##_comparison = {M_##modifier, TYPE_##type, ftz, name, setp_##name};
#define COMPARISON_(...) COMPARISON(__VA_ARGS__)
#define COMPARES(modifier, type, ftz, T, W, load, condition)                                       \
    COMPARISON_(NAME(modifier, type), modifier, type, ftz, T, W, load, condition)

#define EQUAL(type, T, W)                                                                          \
    COMPARES(eq, type, false, T, W, AS_IT_IS, x == y)                                              \
    COMPARES(ne, type, false, T, W, AS_IT_IS, x != y)
#define SIGNED(type, ftz, T, W, load)                                                              \
    COMPARES(lt, type, ftz, T, W, load, x < y)                                                     \
    COMPARES(le, type, ftz, T, W, load, x <= y)                                                    \
    COMPARES(gt, type, ftz, T, W, load, x > y)                                                     \
    COMPARES(ge, type, ftz, T, W, load, x >= y)
#define INTEGERS(b, u, s, U, S, W)                                                                 \
    EQUAL(b, U, W)                                                                                 \
    EQUAL(u, U, W)                                                                                 \
    EQUAL(s, U, W)                                                                                 \
    SIGNED(s, false, S, W, AS_IT_IS)                                                               \
    SIGNED(u, false, U, W, AS_IT_IS)                                                               \
    COMPARES(lo, u, false, U, W, AS_IT_IS, x < y)                                                  \
    COMPARES(ls, u, false, U, W, AS_IT_IS, x <= y)                                                 \
    COMPARES(hi, u, false, U, W, AS_IT_IS, x > y)                                                  \
    COMPARES(hs, u, false, U, W, AS_IT_IS, x >= y)
#define REALS(type, ftz, T, W, load)                                                               \
    SIGNED(type, ftz, T, W, load)                                                                  \
    COMPARES(eq, type, ftz, T, W, load, x == y)                                                    \
    COMPARES(ne, type, ftz, T, W, load, x<y || x> y)                                               \
    COMPARES(equ, type, ftz, T, W, load, !(x < y || x > y))                                        \
    COMPARES(neu, type, ftz, T, W, load, x != y)                                                   \
    COMPARES(ltu, type, ftz, T, W, load, !(x >= y))                                                \
    COMPARES(leu, type, ftz, T, W, load, !(x > y))                                                 \
    COMPARES(gtu, type, ftz, T, W, load, !(x <= y))                                                \
    COMPARES(geu, type, ftz, T, W, load, !(x < y))                                                 \
    COMPARES(num, type, ftz, T, W, load, x == x && y == y)                                         \
    COMPARES(isnan, type, ftz, T, W, load, x != x || y != y)

INTEGERS(b16, u16, s16, uint16_t, int16_t, uint32_t)
INTEGERS(b32, u32, s32, uint32_t, int32_t, uint32_t)
INTEGERS(b64, u64, s64, uint64_t, int64_t, uint64_t)
REALS(f32, false, float, uint32_t, AS_IT_IS)
REALS(f32, true, float, uint32_t, flushed)
REALS(f64, false, double, uint64_t, AS_IT_IS)

/* The comparison that the modifiers name: the comparison first, then .and, .or or .xor, and .ftz.
 * Short numbers are flushed before they are compared. */
static const struct comparison *comparison_of(const struct ptx_instruction *i, bool *has_join)
{
    extern const struct comparison __start_comparisons[], __stop_comparisons[];
    enum ptx_type type = i->types[i->type_count - 1];
    enum short_format format;
    bool pair, is_short = short_type(type, &format, &pair), ftz = ptx_has(i, M_ftz);
    int said = i->modifier_count - ftz;
    if (said < 1 || said > 2) return NULL;
    *has_join = said == 2;
    if (*has_join && i->modifiers[1] != M_and && i->modifiers[1] != M_or &&
        i->modifiers[1] != M_xor)
        return NULL;
    if (ftz && i->modifiers[i->modifier_count - 1] != M_ftz) return NULL;
    for (const struct comparison *one = __start_comparisons; one < __stop_comparisons; one++)
        if (one->modifier == i->modifiers[0] && one->type == (is_short ? TYPE_f32 : type) &&
            one->ftz == (ftz && !is_short))
            return one;
    return NULL;
}

/* ---- setp and set --------------------------------------------------------------------------- */

static uint32_t compared(const struct warp *warp, const struct ptx_instruction *i, int first,
                         bool upper)
{
    const struct comparison *comparison = i->detail;
    const struct ptx_operand *operand = &i->operand[first];
    const void *a = OPERAND_OF(warp, operand, char), *b = OPERAND_OF(warp, operand + 1, char);
    enum short_format format;
    float x[LANES], y[LANES];
    bool pair;
    if (!short_type(i->types[i->type_count - 1], &format, &pair)) return comparison->compare(a, b);
    shorts_to_floats(format, x, a, pair, upper, ptx_has(i, M_ftz));
    shorts_to_floats(format, y, b, pair, upper, ptx_has(i, M_ftz));
    return comparison->compare(x, y);
}

/* The last operand is a predicate that .and, .or or .xor joins to the comparison. */
static uint32_t joined(const struct warp *warp, const struct ptx_instruction *i, uint32_t bits)
{
    if (i->modifier_count < 2 || i->modifiers[1] == M_ftz) return bits;
    uint32_t other = predicate_of(warp, &i->operand[i->operand_count - 1]);
    return i->modifiers[1] == M_and  ? bits & other
           : i->modifiers[1] == M_or ? bits | other
                                     : bits ^ other;
}

static void setp_joined(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    set_predicate(warp, &i->operand[0], joined(warp, i, compared(warp, i, 1, false)), mask);
}

static bool has_pairs(const struct ptx_instruction *i)
{
    enum short_format format;
    bool pair;
    return short_type(i->types[i->type_count - 1], &format, &pair) && pair;
}

/* p|q: q gets the opposite of the comparison, or what it is for the upper numbers. */
static void setp_both(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    uint32_t low = compared(warp, i, 2, false), p = joined(warp, i, low),
             q = joined(warp, i, has_pairs(i) ? compared(warp, i, 2, true) : ~low);
    set_predicate(warp, &i->operand[0], p, mask);
    set_predicate(warp, &i->operand[1], q, mask);
}

/* The value that set gives where the condition holds: 1.0 of floats, or all ones. 0: it knows no
 * such type. */
static uint32_t yes_of(enum ptx_type type)
{
    switch (type) {
    case TYPE_f16: return 0x3c00;
    case TYPE_f16x2: return 0x3c003c00;
    case TYPE_bf16: return 0x3f80;
    case TYPE_bf16x2: return 0x3f803f80;
    case TYPE_f32: return float_bits(1);
    case TYPE_u32:
    case TYPE_s32: return UINT32_MAX;
    default: return 0;
    }
}

static void set_number(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    const struct ptx_operand *d = &i->operand[0];
    uint32_t yes = yes_of(i->types[0]), low = joined(warp, i, compared(warp, i, 1, false)), high;
    high = has_pairs(i) ? joined(warp, i, compared(warp, i, 1, true)) : low;
    EACH_LANE (l, mask)
        set_lane_bits(OPERAND_OF(warp, d, char), d->bytes, l,
                      (low >> l & 1 ? yes & 0xffff : 0) | (high >> l & 1 ? yes & ~0xffffu : 0));
}

static bool is_predicate(const struct ptx_operand *operand)
{
    return operand->kind == OPERAND_SINK || (operand->kind == OPERAND_VALUE && operand->bytes == 0);
}

static ptx_execute *select_comparison(struct ptx_instruction *i)
{
    bool has_join, is_set = i->opcode == OP_set;
    const struct comparison *comparison = comparison_of(i, &has_join);
    enum ptx_type type = i->types[i->type_count - 1];
    if (comparison == NULL || i->operand_count < 3) return NULL;
    int first = !is_set && is_predicate(&i->operand[1]) ? 2 : 1;
    if (i->operand_count != first + 2 + has_join) return NULL;
    for (int k = first; k < i->operand_count; k++)
        if (i->operand[k].kind != OPERAND_VALUE ||
            i->operand[k].bytes != (k < first + 2 ? ptx_type_bytes(type) : 0))
            return NULL;
    i->detail = comparison;
    if (is_set) {
        uint32_t yes = yes_of(i->types[0]);
        bool fits = i->operand[0].kind == OPERAND_VALUE &&
                    i->operand[0].bytes == ptx_type_bytes(i->types[0]);
        return yes != 0 && i->type_count == 2 && fits ? set_number : NULL;
    }
    if (!is_predicate(&i->operand[0]) || (has_pairs(i) && first == 1)) return NULL;
    if (first == 2) return setp_both;
    bool plain = !has_join && i->operand[0].kind == OPERAND_VALUE && comparison->type == type;
    return plain ? comparison->setp : setp_joined;
}

/* ---- selections ----------------------------------------------------------------------------- */

#define SELECTIONS(bits, U, W)                                                                     \
    static void selp_##bits(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)     \
    {                                                                                              \
        const W which = (W)predicate_of(warp, &i->operand[3]);                                     \
        U kept[LANES], *d = D_OF(warp, i, U), *to = mask == FULL_MASK ? d : kept;                  \
        const U *a = A_OF(warp, i, U), *b = B_OF(warp, i, U);                                      \
        ALL_LANES                                                                                  \
        {                                                                                          \
            const U x = a[l], y = b[l];                                                            \
            to[l] = which & (W)wide_bit[l] ? x : y;                                                \
        }                                                                                          \
        if (mask != FULL_MASK) blend(d, kept, sizeof(U), mask);                                    \
    }                                                                                              \
    RULE(selp, any, any, 0, selp_##bits, 4, sizeof(U), sizeof(U), sizeof(U), 0)                    \
    SLCT(s32, 0, U, int32_t, z)                                                                    \
    SLCT(f32, 0, U, float, z)
#define SLCT(last, form, U, C, z)                                                                  \
    RULE_3_(NAME(slct, last), slct, any, last, form, U, U, U, C, AS_IT_IS, (z) >= 0 ? x : y)
SELECTIONS(16, uint16_t, uint32_t)
SELECTIONS(32, uint32_t, uint32_t)
SELECTIONS(64, uint64_t, uint64_t)
SLCT(f32, FORM_FTZ, uint32_t, float, flushed(z))
SLCT(f32, FORM_FTZ, uint64_t, float, flushed(z))

ptx_execute *select_compare(const struct ptx_function *function, struct ptx_instruction *i)
{
    (void)function;
    bool compares = i->opcode == OP_setp || i->opcode == OP_set;
    return compares && i->type_count > 0 ? select_comparison(i) : NULL;
}
