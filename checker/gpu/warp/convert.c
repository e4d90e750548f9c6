/*
 * convert.c: cvt: the conversions that programs use often, each a rule with a loop over the lanes.
 * All others are made lane by lane: a number is taken out of its register, rounded or clamped, and
 * put into the other one.
 */
#include "gpu/warp/convert.h"

#include <fenv.h>

#define CVT_(name, to, from, form, D, A, ...)                                                      \
    RULE_1(name, cvt, to, from, form, D, A, AS_IT_IS, __VA_ARGS__)
#define CVT_NAMED(...)                 CVT_(__VA_ARGS__)
#define CVT(to, from, form, D, A, ...) CVT_NAMED(NAME(to, from), to, from, form, D, A, __VA_ARGS__)

/* ---- whole numbers -------------------------------------------------------------------------- */

/* From each type, in a register that may be wider, to each type in its own register. */
#define WHOLE(from, R, F)                                                                          \
    CVT(u8, from, 0, uint16_t, R, (uint8_t)(F)x)                                                   \
    CVT(s8, from, 0, int16_t, R, (int8_t)(F)x)                                                     \
    CVT(u16, from, 0, uint16_t, R, (F)x)                                                           \
    CVT(s16, from, 0, uint16_t, R, (F)x)                                                           \
    CVT(u32, from, 0, uint32_t, R, (F)x)                                                           \
    CVT(s32, from, 0, uint32_t, R, (F)x)                                                           \
    CVT(u64, from, 0, uint64_t, R, (F)x)                                                           \
    CVT(s64, from, 0, uint64_t, R, (F)x)
#define NARROW(R)                                                                                  \
    WHOLE(u8, R, uint8_t) WHOLE(s8, R, int8_t) WHOLE(u16, R, uint16_t) WHOLE(s16, R, int16_t)
NARROW(uint16_t)
NARROW(uint32_t)
NARROW(uint64_t)
WHOLE(u32, uint32_t, uint32_t)
WHOLE(s32, uint32_t, int32_t)
WHOLE(u32, uint64_t, uint32_t)
WHOLE(s32, uint64_t, int32_t)
WHOLE(u64, uint64_t, uint64_t)
WHOLE(s64, uint64_t, int64_t)

#define REAL_OF(from, A, T) CVT(f32, from, 0, float, A, (T)x) CVT(f64, from, 0, double, A, (T)x)
REAL_OF(u8, uint16_t, uint8_t)
REAL_OF(s8, uint16_t, int8_t)
REAL_OF(u16, uint16_t, uint16_t)
REAL_OF(s16, uint16_t, int16_t)
REAL_OF(u32, uint32_t, uint32_t)
REAL_OF(s32, uint32_t, int32_t)
REAL_OF(u64, uint64_t, uint64_t)
REAL_OF(s64, uint64_t, int64_t)

/* ---- real to whole -------------------------------------------------------------------------- */

/* The nearest number of a type, of a real number without fraction. `last` is the largest real
 * number below `end`, which is too large. A NaN becomes `none`. A subnormal number becomes 0 with
 * and without .ftz, if it is not rounded down or up. */
#define TO_WHOLE(to, T, from, R, suffix, low, last, end, none)                                     \
    static inline T to##_of_##from(R value)                                                        \
    {                                                                                              \
        R inside = value == value ? value : 0;                                                     \
        inside = inside < low ? low : inside;                                                      \
        inside = inside > last ? last : inside;                                                    \
        T whole = (T)inside;                                                                       \
        whole = value >= end                                                                       \
                    ? (T)(((T)-1 < (T)1) ? (T)(UINT64_MAX >> (65 - 8 * sizeof(T))) : (T)-1)        \
                    : whole;                                                                       \
        return value == value ? whole : (T)(none);                                                 \
    }                                                                                              \
    CVT(to, from, FORM_RNI, T, R, to##_of_##from(__builtin_rint##suffix(x)))                       \
    CVT(to, from, FORM_RZI, T, R, to##_of_##from(__builtin_trunc##suffix(x)))                      \
    CVT(to, from, FORM_RMI, T, R, to##_of_##from(__builtin_floor##suffix(x)))                      \
    CVT(to, from, FORM_RPI, T, R, to##_of_##from(__builtin_ceil##suffix(x)))                       \
    CVT(to, from, FORM_RNI | FORM_FTZ, T, R, to##_of_##from(__builtin_rint##suffix(x)))            \
    CVT(to, from, FORM_RZI | FORM_FTZ, T, R, to##_of_##from(__builtin_trunc##suffix(x)))
#define TOP_32 UINT32_C(1) << 31
#define TOP_64 UINT64_C(1) << 63
TO_WHOLE(s32, int32_t, f32, float, f, -0x1p31f, 0x1.fffffep30f, 0x1p31f, 0)
TO_WHOLE(u32, uint32_t, f32, float, f, 0.0f, 0x1.fffffep31f, 0x1p32f, 0)
TO_WHOLE(s64, int64_t, f32, float, f, -0x1p63f, 0x1.fffffep62f, 0x1p63f, TOP_64)
TO_WHOLE(u64, uint64_t, f32, float, f, 0.0f, 0x1.fffffep63f, 0x1p64f, TOP_64)
TO_WHOLE(s32, int32_t, f64, double, , -0x1p31, 0x1p31 - 1, 0x1p31, TOP_32)
TO_WHOLE(u32, uint32_t, f64, double, , 0.0, 0x1p32 - 1, 0x1p32, TOP_32)
TO_WHOLE(s64, int64_t, f64, double, , -0x1p63, 0x1.fffffffffffffp62, 0x1p63, TOP_64)
TO_WHOLE(u64, uint64_t, f64, double, , 0.0, 0x1.fffffffffffffp63, 0x1p64, TOP_64)

/* ---- real to real --------------------------------------------------------------------------- */

CVT(f64, f32, 0, double, float, x)
CVT(f64, f32, FORM_FTZ, double, float, flushed(x))
CVT(f32, f64, 0, float, double, canonical((float)x))
CVT(f32, f64, FORM_FTZ, float, double, flushed(canonical((float)x)))
CVT(f32, f32, FORM_SAT, float, float, saturated(x))
CVT(f32, f32, FORM_SAT | FORM_FTZ, float, float, flushed(saturated(x)))
#define TO_WHOLE_REAL(form, function)                                                              \
    CVT(f32, f32, form, float, float, function##f(x))                                              \
    CVT(f32, f32, form | FORM_FTZ, float, float, function##f(flushed(x)))                          \
    CVT(f64, f64, form, double, double, function(x))
TO_WHOLE_REAL(FORM_RNI, __builtin_rint)
TO_WHOLE_REAL(FORM_RZI, __builtin_trunc)
TO_WHOLE_REAL(FORM_RMI, __builtin_floor)
TO_WHOLE_REAL(FORM_RPI, __builtin_ceil)

/* Short numbers to the nearest: a call converts them all. */
#define SHORTS(type, format)                                                                       \
    static void f32_of_##type(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)   \
    {                                                                                              \
        float kept[LANES];                                                                         \
        floats_of(format, kept, A_OF(warp, i, uint16_t), LANES);                                   \
        blend(D_OF(warp, i, float), kept, sizeof *kept, mask);                                     \
    }                                                                                              \
    RULE(cvt, f32, type, 0, f32_of_##type, 2, 4, 2)                                                \
    static void type##_of_f32(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)   \
    {                                                                                              \
        uint16_t kept[LANES];                                                                      \
        shorts_of(format, kept, A_OF(warp, i, float), LANES);                                      \
        blend(D_OF(warp, i, uint16_t), kept, sizeof *kept, mask);                                  \
    }                                                                                              \
    RULE(cvt, type, f32, 0, type##_of_f32, 2, 2, 4)                                                \
    static void type##_pair(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)     \
    {                                                                                              \
        uint16_t high[LANES], low[LANES];                                                          \
        uint32_t both[LANES];                                                                      \
        shorts_of(format, high, A_OF(warp, i, float), LANES);                                      \
        shorts_of(format, low, B_OF(warp, i, float), LANES);                                       \
        ALL_LANES both[l] = (uint32_t)high[l] << 16 | low[l];                                      \
        blend(D_OF(warp, i, uint32_t), both, sizeof *both, mask);                                  \
    }                                                                                              \
    RULE(cvt, type##x2, f32, 0, type##_pair, 3, 4, 4, 4)
SHORTS(f16, FORMAT_F16)
SHORTS(bf16, FORMAT_BF16)

/* ---- all others: whole numbers -------------------------------------------------------------- */

/* A whole number, as one of 64 bits; a signed one has its sign repeated. */
static uint64_t whole_of(enum ptx_type type, uint64_t bits)
{
    unsigned unused = 64 - 8 * ptx_type_bytes(type);
    return ptx_is_signed(type) ? (uint64_t)((int64_t)(bits << unused) >> unused)
                               : bits << unused >> unused;
}

static uint64_t largest(enum ptx_type type)
{
    return UINT64_MAX >> (64 - 8 * ptx_type_bytes(type) + ptx_is_signed(type));
}

static uint64_t lowest(enum ptx_type type)
{
    return ptx_is_signed(type) ? ~largest(type) : 0;
}

/* The nearest number of a type. */
static uint64_t clamped(enum ptx_type to, enum ptx_type from, uint64_t value)
{
    if (ptx_is_signed(from) && (int64_t)value < 0) {
        if (!ptx_is_signed(to)) return 0;
        return (int64_t)value < (int64_t)lowest(to) ? lowest(to) : value;
    }
    return value > largest(to) ? largest(to) : value;
}

static double rounded_to_whole(double value, unsigned form)
{
    switch (form & FORM_WHOLE) {
    case FORM_RNI: return rint(value);
    case FORM_RMI: return floor(value);
    case FORM_RPI: return ceil(value);
    case FORM_RZI: return trunc(value);
    default: return value;
    }
}

/* A real number that is too large becomes the largest; no number becomes 0, or the number with only
 * its top bit set. */
static uint64_t whole_of_real(const struct conversion *how, double value)
{
    enum ptx_type to = how->to;
    unsigned bits = 8 * ptx_type_bytes(to);
    if (value != value) return how->from == TYPE_f64 || bits == 64 ? UINT64_C(1) << (bits - 1) : 0;
    value = how->form & FORM_WHOLE ? rounded_to_whole(value, how->form) : trunc(value);
    if (ptx_is_signed(to)) {
        double end = ldexp(1, (int)bits - 1);
        return value >= end ? largest(to) : value < -end ? lowest(to) : (uint64_t)(int64_t)value;
    }
    return value >= ldexp(1, (int)bits) ? largest(to) : value < 0 ? 0 : (uint64_t)value;
}

/* ---- all others: real numbers --------------------------------------------------------------- */

static double real_of(enum ptx_type type, uint64_t bits)
{
    switch (type) {
    case TYPE_f16: return short_value(FORMAT_F16, (uint16_t)bits);
    case TYPE_bf16: return short_value(FORMAT_BF16, (uint16_t)bits);
    case TYPE_f64: return double_of(bits);
    default: return float_of((uint32_t)bits);
    }
}

/* To 10 bits after the point; .rna rounds a half away from zero. */
static uint32_t tf32_bits(float value, const struct conversion *how)
{
    uint32_t bits = float_bits(value), rest = bits & 0x1fff;
    bool finite = how->form & FORM_FINITE;
    if (value != value) return 0x7fffffff;
    bits &= ~UINT32_C(0x1fff);
    if (isinf(value)) return finite ? (bits & 0x80000000u) | 0x7f7fe000u : bits;
    bool up = how->form & FORM_AWAY ? rest >= 0x1000
                                    : rest > 0x1000 || (rest == 0x1000 && (bits & 0x2000));
    if (up && how->rounding != ROUND_ZERO) bits += 0x2000;
    if (finite && (bits & 0x7f800000) == 0x7f800000) bits -= 0x2000;
    return bits;
}

static uint64_t bits_of_real(const struct conversion *how, double value)
{
    if (how->form & FORM_SAT) value = value > 0 ? fmin(value, 1) : 0;
    if (how->form & FORM_RELU && value < 0) value = 0;
    bool finite = how->form & FORM_FINITE;
    switch (how->to) {
    case TYPE_f16: return short_bits(FORMAT_F16, value, how->rounding, finite);
    case TYPE_bf16: return short_bits(FORMAT_BF16, value, how->rounding, finite);
    case TYPE_tf32: return tf32_bits((float)value, how);
    case TYPE_f64: return double_bits(value);
    default: {
        float number = canonical((float)value);
        return float_bits(how->form & FORM_FTZ ? flushed(number) : number);
    }
    }
}

/* A whole number of 64 bits becomes a float or a double in one rounding. What a double cannot hold
 * exactly is too large for a half; for a bfloat16, its last digit says that there is more. */
static uint64_t bits_of_whole(const struct conversion *how, uint64_t whole)
{
    bool negative = ptx_is_signed(how->from) && (int64_t)whole < 0;
    if (how->to == TYPE_f32) {
        float number = negative ? (float)(int64_t)whole : (float)whole;
        return float_bits(how->form & FORM_SAT ? saturated(number) : number);
    }
    if (how->to != TYPE_f64 && how->to != TYPE_f16 && !negative && whole >> 53 != 0) whole |= 1;
    return bits_of_real(how, negative ? (double)(int64_t)whole : (double)whole);
}

uint64_t converted(const struct conversion *how, uint64_t bits)
{
    if (!ptx_is_real(how->from)) {
        uint64_t whole = whole_of(how->from, bits);
        if (ptx_is_real(how->to)) return bits_of_whole(how, whole);
        return how->form & FORM_SAT ? clamped(how->to, how->from, whole) : whole;
    }
    double value = real_of(how->from, bits);
    if (how->form & FORM_FTZ && how->from == TYPE_f32) value = flushed((float)value);
    if (!ptx_is_real(how->to)) return whole_of_real(how, value);
    return bits_of_real(how, rounded_to_whole(value, how->form));
}

bool conversion_of(const struct ptx_instruction *i, struct conversion *how)
{
    *how = (struct conversion){.to = i->types[0], .from = i->types[1]};
    return rule_form(i, &how->form, &how->rounding) && i->type_count >= 2;
}

static void convert_any(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    struct conversion how;
    const struct ptx_operand *d = &i->operand[0], *a = &i->operand[1];
    conversion_of(i, &how);
    fesetround(modes[how.rounding]);
    EACH_LANE (l, mask) {
        uint64_t bits = converted(&how, lane_bits(OPERAND_OF(warp, a, char), a->bytes, l));
        set_lane_bits(OPERAND_OF(warp, d, char), d->bytes, l,
                      ptx_is_real(how.to) ? bits : whole_of(how.to, bits));
    }
    fesetround(FE_TONEAREST);
}

/* ---- all others: pairs ---------------------------------------------------------------------- */

static bool pair_format(enum ptx_type type, enum short_format *format)
{
    bool pair;
    *format = type == TYPE_e4m3x2 ? FORMAT_E4M3 : FORMAT_E5M2;
    return type == TYPE_e4m3x2 || type == TYPE_e5m2x2 || (short_type(type, format, &pair) && pair);
}

static uint32_t short_of(const struct conversion *how, enum short_format format, double value)
{
    if (how->form & FORM_RELU && value < 0) value = 0;
    return short_bits(format, value, how->rounding, how->form & FORM_FINITE);
}

/* Two floats, or a pair, become a pair. The first source is in the upper half. */
static void convert_pair(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    struct conversion how;
    enum short_format to, from;
    const struct ptx_operand *d = &i->operand[0], *a = &i->operand[1];
    conversion_of(i, &how);
    pair_format(how.to, &to);
    bool pair = pair_format(how.from, &from);
    unsigned bits = 4 * ptx_type_bytes(how.to), from_bits = 4 * ptx_type_bytes(how.from);
    EACH_LANE (l, mask) {
        uint64_t both = lane_bits(OPERAND_OF(warp, a, char), a->bytes, l);
        double high = pair ? short_value(from, (uint32_t)(both >> from_bits))
                           : (double)A_OF(warp, i, float)[l];
        double low = pair ? short_value(from, (uint32_t)both & ((UINT32_C(1) << from_bits) - 1))
                          : (double)B_OF(warp, i, float)[l];
        set_lane_bits(OPERAND_OF(warp, d, char), d->bytes, l,
                      (uint64_t)short_of(&how, to, high) << bits | short_of(&how, to, low));
    }
}

/* cvt.pack: two numbers side by side, of 16 bits; or two of 8 bits, beside the lower ones of c. */
static void pack(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    struct conversion how;
    conversion_of(i, &how);
    unsigned bits = 8 * ptx_type_bytes(how.to);
    uint32_t ones = (UINT32_C(1) << bits) - 1;
    EACH_LANE (l, mask) {
        uint32_t a = (uint32_t)converted(&how, A_OF(warp, i, uint32_t)[l]) & ones;
        uint32_t b = (uint32_t)converted(&how, B_OF(warp, i, uint32_t)[l]) & ones;
        uint32_t c = i->operand_count == 4 ? C_OF(warp, i, uint32_t)[l] << 2 * bits : 0;
        D_OF(warp, i, uint32_t)[l] = c | a << bits | b;
    }
}

static ptx_execute *select_pair(const struct ptx_instruction *i, const struct conversion *how)
{
    enum short_format to, from;
    if (how->form & FORM_PACK) {
        bool halves = how->to == TYPE_u16 || how->to == TYPE_s16,
             bytes = how->to == TYPE_u8 || how->to == TYPE_s8;
        if (!(how->form & FORM_SAT) || how->from != TYPE_s32) return NULL;
        return has_sizes(i, halves ? "444" : bytes ? "4444" : "") ? pack : NULL;
    }
    if (!pair_format(how->to, &to)) return NULL;
    bool small = ptx_type_bytes(how->to) == 2, from_small = ptx_type_bytes(how->from) == 2;
    if (how->from == TYPE_f32) return has_sizes(i, small ? "244" : "444") ? convert_pair : NULL;
    static const char *const sizes[2][2] = {{"44", "42"}, {"24", "22"}};
    return pair_format(how->from, &from) && has_sizes(i, sizes[small][from_small]) ? convert_pair
                                                                                   : NULL;
}

/* ---- choosing ------------------------------------------------------------------------------- */

static bool is_whole(enum ptx_type type)
{
    return type == TYPE_u8 || type == TYPE_u16 || type == TYPE_u32 || type == TYPE_u64 ||
           ptx_is_signed(type);
}

/* A register holds its type, or is wider. */
static bool holds(const struct ptx_operand *operand, enum ptx_type type)
{
    return (is_whole(type) || ptx_is_real(type)) && operand->kind == OPERAND_VALUE &&
           operand->bytes <= 8 && operand->bytes >= ptx_type_bytes(type);
}

/* Selects the conversion: if no rule has it, that of the processor's types, which follows its
 * rounding. */
ptx_execute *select_convert(const struct ptx_function *function, struct ptx_instruction *i)
{
    struct conversion how;
    (void)function;
    if (i->opcode != OP_cvt || !conversion_of(i, &how)) return NULL;
    if (how.form & FORM_PACK || !holds(&i->operand[0], how.to) ||
        !holds(&i->operand[1], how.from) || i->operand_count != 2)
        return select_pair(i, &how);
    bool is_short = how.to == TYPE_f16 || how.to == TYPE_bf16;
    ptx_execute *execute =
        is_short || how.rounding == ROUND_NEAREST ? NULL : find_rule(i, how.form);
    return execute != NULL ? with_rounding(i, execute, how.rounding) : convert_any;
}
