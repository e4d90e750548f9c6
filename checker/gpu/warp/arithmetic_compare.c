/*
 * arithmetic_compare.c: setp and set, which compare, and selp and slct, which choose. A comparison
 * makes a mask with one bit per lane; setp of one predicate and no other condition stores it, all
 * other instructions use it.
 */
#include "gpu/warp/half.h"

/* The mask of the lanes for which a condition on x and y holds, and the setp that stores it. */
#define COMPARISON(name, T, bits_type, bit, loaded, condition)                                     \
    static uint32_t name(const void *a, const void *b)                                             \
    {                                                                                              \
        bits_type bits = 0;                                                                        \
        ALL_LANES                                                                                  \
        {                                                                                          \
            const T x = loaded(((const T *)a)[l]), y = loaded(((const T *)b)[l]);                  \
            bits |= (condition) ? bit : 0;                                                         \
        }                                                                                          \
        return (uint32_t)bits;                                                                     \
    }                                                                                              \
    static void setp_##name(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)     \
    {                                                                                              \
        uint32_t bits = name(A_OF(warp, i, char), B_OF(warp, i, char)),                            \
                 *to = D_OF(warp, i, uint32_t);                                                    \
        *to = (*to & ~mask) | (bits & mask);                                                       \
    }
#define ITSELF(x) (x)
#define NARROW(name, T, condition)                                                                 \
    COMPARISON(name, T, uint32_t, UINT32_C(1) << l, ITSELF, condition)
#define WIDE(name, T, condition) COMPARISON(name, T, uint64_t, wide_bit[l], ITSELF, condition)
#define FLUSHED(name, T, condition)                                                                \
    COMPARISON(name, T, uint32_t, UINT32_C(1) << l, flushed, condition)

#define ORDERED(KIND, name, T)                                                                     \
    KIND(lt_##name, T, x < y)                                                                      \
    KIND(le_##name, T, x <= y) KIND(gt_##name, T, x > y) KIND(ge_##name, T, x >= y)
#define EQUAL(KIND, name, T) KIND(eq_##name, T, x == y) KIND(ne_##name, T, x != y)
#define REAL(KIND, name, T)                                                                        \
    ORDERED(KIND, name, T)                                                                         \
    KIND(eq_##name, T, x == y)                                                                     \
    KIND(ne_##name, T, x<y || x> y)                                                                \
    KIND(equ_##name, T, !(x < y || x > y))                                                         \
    KIND(neu_##name, T, x != y)                                                                    \
    KIND(ltu_##name, T, !(x >= y))                                                                 \
    KIND(leu_##name, T, !(x > y))                                                                  \
    KIND(gtu_##name, T, !(x <= y))                                                                 \
    KIND(geu_##name, T, !(x < y))                                                                  \
    KIND(num_##name, T, x == x && y == y)                                                          \
    KIND(nan_##name, T, x != x || y != y)

EQUAL(NARROW, 16, uint16_t)
EQUAL(NARROW, 32, uint32_t)
EQUAL(WIDE, 64, uint64_t)
ORDERED(NARROW, u16, uint16_t)
ORDERED(NARROW, s16, int16_t)
ORDERED(NARROW, u32, uint32_t)
ORDERED(NARROW, s32, int32_t)
ORDERED(WIDE, u64, uint64_t)
ORDERED(WIDE, s64, int64_t)
REAL(NARROW, f32, float)
REAL(FLUSHED, ftz, float)
REAL(WIDE, f64, double)

/* ---- choosing a comparison ------------------------------------------------------------------ */

struct comparison {
    uint8_t modifier, type;
    bool ftz;
    compare_lanes *compare;
    ptx_execute *setp;
};

#define ROW(modifier, type, ftz, name)                                                             \
    {                                                                                              \
        M_##modifier, TYPE_##type, ftz, name, setp_##name                                          \
    }
#define EQUAL_ROWS(bits, type) ROW(eq, type, false, eq_##bits), ROW(ne, type, false, ne_##bits)
#define SIGNED_ROWS(bits)                                                                          \
    EQUAL_ROWS(bits, s##bits), ROW(lt, s##bits, false, lt_s##bits),                                \
        ROW(le, s##bits, false, le_s##bits), ROW(gt, s##bits, false, gt_s##bits),                  \
        ROW(ge, s##bits, false, ge_s##bits), EQUAL_ROWS(bits, b##bits)
#define UNSIGNED_ROWS(bits)                                                                        \
    EQUAL_ROWS(bits, u##bits), ROW(lt, u##bits, false, lt_u##bits),                                \
        ROW(le, u##bits, false, le_u##bits), ROW(gt, u##bits, false, gt_u##bits),                  \
        ROW(ge, u##bits, false, ge_u##bits), ROW(lo, u##bits, false, lt_u##bits),                  \
        ROW(ls, u##bits, false, le_u##bits), ROW(hi, u##bits, false, gt_u##bits),                  \
        ROW(hs, u##bits, false, ge_u##bits)
#define REAL_ROWS(type, ftz, name)                                                                 \
    ROW(eq, type, ftz, eq_##name), ROW(ne, type, ftz, ne_##name), ROW(lt, type, ftz, lt_##name),   \
        ROW(le, type, ftz, le_##name), ROW(gt, type, ftz, gt_##name),                              \
        ROW(ge, type, ftz, ge_##name), ROW(equ, type, ftz, equ_##name),                            \
        ROW(neu, type, ftz, neu_##name), ROW(ltu, type, ftz, ltu_##name),                          \
        ROW(leu, type, ftz, leu_##name), ROW(gtu, type, ftz, gtu_##name),                          \
        ROW(geu, type, ftz, geu_##name), ROW(num, type, ftz, num_##name),                          \
        ROW(isnan, type, ftz, nan_##name)

static const struct comparison comparisons[] = {
    SIGNED_ROWS(16),
    SIGNED_ROWS(32),
    SIGNED_ROWS(64),
    UNSIGNED_ROWS(16),
    UNSIGNED_ROWS(32),
    UNSIGNED_ROWS(64),
    REAL_ROWS(f32, false, f32),
    REAL_ROWS(f32, true, ftz),
    REAL_ROWS(f64, false, f64),
};

static const struct comparison *find_comparison(enum ptx_modifier modifier, enum ptx_type type,
                                                bool ftz)
{
    for (size_t i = 0; i < sizeof comparisons / sizeof comparisons[0]; i++)
        if (comparisons[i].modifier == modifier && comparisons[i].type == type &&
            comparisons[i].ftz == ftz)
            return &comparisons[i];
    return NULL;
}

compare_lanes *float_comparison(enum ptx_modifier modifier)
{
    const struct comparison *found = find_comparison(modifier, TYPE_f32, false);
    return found == NULL ? NULL : found->compare;
}

/* ---- conditions with a second part ---------------------------------------------------------- */

/* The last operand is a predicate that .and, .or or .xor joins to the comparison. */
uint32_t joined_condition(const struct warp *warp, const struct ptx_instruction *i, uint32_t bits)
{
    if (i->modifier_count < 2) return bits;
    uint32_t other = predicate_of(warp, &i->operand[i->operand_count - 1]);
    switch (i->modifiers[1]) {
    case M_and: return bits & other;
    case M_or: return bits | other;
    case M_xor: return bits ^ other;
    default: return bits;
    }
}

static uint32_t compared(const struct warp *warp, const struct ptx_instruction *i, int first)
{
    const struct comparison *comparison = i->detail;
    const struct ptx_operand *a = &i->operand[first];
    return comparison->compare(OPERAND_OF(warp, a, char), OPERAND_OF(warp, a + 1, char));
}

static void setp_joined(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    set_predicate(warp, &i->operand[0], joined_condition(warp, i, compared(warp, i, 1)), mask);
}

/* p|q: q gets the opposite of the comparison. */
static void setp_both(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    uint32_t bits = compared(warp, i, 2), p = joined_condition(warp, i, bits),
             q = joined_condition(warp, i, ~bits);
    set_predicate(warp, &i->operand[0], p, mask);
    set_predicate(warp, &i->operand[1], q, mask);
}

/* set: a number instead of a predicate: 1.0 for floats, all ones for integers. */
static void set_number(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    uint32_t bits = joined_condition(warp, i, compared(warp, i, 1)), *d = D_OF(warp, i, uint32_t);
    uint32_t yes = i->types[0] == TYPE_f32 ? float_bits(1) : UINT32_MAX;
    EACH_LANE (l, mask)
        d[l] = bits >> l & 1 ? yes : 0;
}

/* What the modifiers say: the comparison first, then .and, .or or .xor, and .ftz. */
static const struct comparison *comparison_of(const struct ptx_instruction *i, bool *has_join)
{
    bool ftz = ptx_has(i, M_ftz);
    int said = i->modifier_count - ftz;
    if (said < 1 || said > 2) return NULL;
    *has_join = said == 2;
    if (*has_join && i->modifiers[1] != M_and && i->modifiers[1] != M_or &&
        i->modifiers[1] != M_xor)
        return NULL;
    if (ftz && i->modifiers[i->modifier_count - 1] != M_ftz) return NULL;
    return find_comparison(i->modifiers[0], i->types[i->type_count - 1], ftz);
}

static unsigned bytes_of(enum ptx_type type)
{
    switch (type) {
    case TYPE_b16:
    case TYPE_u16:
    case TYPE_s16: return 2;
    case TYPE_b64:
    case TYPE_u64:
    case TYPE_s64:
    case TYPE_f64: return 8;
    default: return 4;
    }
}

/* Are the operands from `first` on two values of the type and, with a join, a predicate? */
static bool compares(const struct ptx_instruction *i, int first, bool has_join)
{
    unsigned bytes = bytes_of(i->types[i->type_count - 1]);
    if (i->operand_count != first + 2 + has_join) return false;
    for (int k = first; k < i->operand_count; k++)
        if (i->operand[k].kind != OPERAND_VALUE ||
            i->operand[k].bytes != (k < first + 2 ? bytes : 0))
            return false;
    return true;
}

static bool is_predicate(const struct ptx_operand *operand)
{
    return operand->kind == OPERAND_SINK || (operand->kind == OPERAND_VALUE && operand->bytes == 0);
}

static ptx_execute *select_setp(struct ptx_instruction *i)
{
    bool has_join;
    const struct comparison *comparison = comparison_of(i, &has_join);
    if (comparison == NULL || i->operand_count < 3 || !is_predicate(&i->operand[0])) return NULL;
    i->detail = comparison;
    if (is_predicate(&i->operand[1])) return compares(i, 2, has_join) ? setp_both : NULL;
    if (!compares(i, 1, has_join)) return NULL;
    return has_join || i->operand[0].kind == OPERAND_SINK ? setp_joined : comparison->setp;
}

static ptx_execute *select_set(struct ptx_instruction *i)
{
    bool has_join;
    const struct comparison *comparison = comparison_of(i, &has_join);
    bool known = i->types[0] == TYPE_u32 || i->types[0] == TYPE_s32 || i->types[0] == TYPE_f32;
    if (comparison == NULL || !known || i->type_count != 2 || !compares(i, 1, has_join))
        return NULL;
    if (i->operand[0].kind != OPERAND_VALUE || i->operand[0].bytes != 4) return NULL;
    i->detail = comparison;
    return set_number;
}

/* ---- selections ----------------------------------------------------------------------------- */

#define SELECTIONS(bits, U, wide)                                                                  \
    static void selp_##bits(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)     \
    {                                                                                              \
        const wide which = predicate_of(warp, &i->operand[3]);                                     \
        U kept[LANES], *d = D_OF(warp, i, U), *to = mask == FULL_MASK ? d : kept;                  \
        const U *a = A_OF(warp, i, U), *b = B_OF(warp, i, U);                                      \
        ALL_LANES                                                                                  \
        {                                                                                          \
            const U x = a[l], y = b[l];                                                            \
            to[l] = which & (wide)wide_bit[l] ? x : y;                                             \
        }                                                                                          \
        if (mask != FULL_MASK) blend_##wide(d, kept, mask);                                        \
    }
#define blend_uint64_t blend_8
#define blend_uint32_t blend_4
SELECTIONS(32, uint32_t, uint32_t)
SELECTIONS(64, uint64_t, uint64_t)

static void selp_16(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    const uint32_t which = predicate_of(warp, &i->operand[3]);
    uint16_t kept[LANES], *d = D_OF(warp, i, uint16_t);
    const uint16_t *a = A_OF(warp, i, uint16_t), *b = B_OF(warp, i, uint16_t);
    ALL_LANES kept[l] = which >> l & 1 ? a[l] : b[l];
    blend_2(d, kept, mask);
}

TERNARY(slct_s32_16, uint16_t, uint16_t, uint16_t, int32_t, z >= 0 ? x : y)
TERNARY(slct_s32_32, uint32_t, uint32_t, uint32_t, int32_t, z >= 0 ? x : y)
TERNARY(slct_s32_64, uint64_t, uint64_t, uint64_t, int32_t, z >= 0 ? x : y)
TERNARY(slct_f32_16, uint16_t, uint16_t, uint16_t, float, z >= 0 ? x : y)
TERNARY(slct_f32_32, uint32_t, uint32_t, uint32_t, float, z >= 0 ? x : y)
TERNARY(slct_f32_64, uint64_t, uint64_t, uint64_t, float, z >= 0 ? x : y)
TERNARY(slct_ftz_32, uint32_t, uint32_t, uint32_t, float, flushed(z) >= 0 ? x : y)
TERNARY(slct_ftz_64, uint64_t, uint64_t, uint64_t, float, flushed(z) >= 0 ? x : y)

static ptx_execute *select_selp(const struct ptx_instruction *i)
{
    static ptx_execute *const by_size[] = {selp_16, selp_32, selp_64};
    static const char *const widths[] = {"2220", "4440", "8880"};
    for (int k = 0; k < 3; k++)
        if (i->modifier_count == 0 && has_widths(i, widths[k])) return by_size[k];
    return NULL;
}

static ptx_execute *select_slct(const struct ptx_instruction *i)
{
    static ptx_execute *const signed_ones[] = {slct_s32_16, slct_s32_32, slct_s32_64};
    static ptx_execute *const floats[] = {slct_f32_16, slct_f32_32, slct_f32_64};
    static ptx_execute *const flushed_floats[] = {NULL, slct_ftz_32, slct_ftz_64};
    static const char *const widths[] = {"2224", "4444", "8884"};
    if (i->type_count != 2) return NULL;
    for (int k = 0; k < 3; k++) {
        if (!has_widths(i, widths[k])) continue;
        if (i->types[1] == TYPE_s32) return signed_ones[k];
        if (i->types[1] == TYPE_f32) return ptx_has(i, M_ftz) ? flushed_floats[k] : floats[k];
    }
    return NULL;
}

ptx_execute *select_compare(const struct ptx_function *function,
                            struct ptx_instruction *instruction)
{
    (void)function;
    if (instruction->type_count == 0) return NULL;
    switch (instruction->opcode) {
    case OP_setp: return select_setp(instruction);
    case OP_set: return select_set(instruction);
    case OP_selp: return select_selp(instruction);
    case OP_slct: return select_slct(instruction);
    default: return NULL;
    }
}
