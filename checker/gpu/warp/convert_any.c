/*
 * convert_any.c: cvt of any type to any other, lane by lane, with all of its modifiers. convert.c
 * has loops for what programs use often; this is for the rest. A number is taken out of its
 * register, rounded or clamped, and put into the other one.
 */
#include "gpu/warp/convert.h"
#include "gpu/warp/half.h"

#include <fenv.h>

bool is_real_type(enum ptx_type type)
{
    switch (type) {
    case TYPE_f16:
    case TYPE_bf16:
    case TYPE_tf32:
    case TYPE_f32:
    case TYPE_f64: return true;
    default: return false;
    }
}

bool is_signed_type(enum ptx_type type)
{
    return type == TYPE_s8 || type == TYPE_s16 || type == TYPE_s32 || type == TYPE_s64;
}

unsigned value_bytes(enum ptx_type type)
{
    static const uint8_t bytes[] = {
#define X(name, bytes) bytes,
        PTX_TYPES(X)
#undef X
    };
    return bytes[type];
}

/* ---- out of a register ---------------------------------------------------------------------- */

static double real_of(enum ptx_type type, uint64_t bits)
{
    switch (type) {
    case TYPE_f16: return short_value(FORMAT_F16, (uint16_t)bits);
    case TYPE_bf16: return short_value(FORMAT_BF16, (uint16_t)bits);
    case TYPE_f64: return double_of(bits);
    default: return float_of((uint32_t)bits);
    }
}

/* A whole number, as one of 64 bits; a signed one has its sign repeated. */
static uint64_t whole_of(enum ptx_type type, uint64_t bits)
{
    unsigned unused = 64 - 8 * value_bytes(type);
    return is_signed_type(type) ? (uint64_t)((int64_t)(bits << unused) >> unused)
                                : bits << unused >> unused;
}

/* ---- to whole numbers ----------------------------------------------------------------------- */

static uint64_t largest(enum ptx_type type)
{
    return UINT64_MAX >> (64 - 8 * value_bytes(type) + is_signed_type(type));
}

static uint64_t lowest(enum ptx_type type)
{
    return is_signed_type(type) ? ~largest(type) : 0;
}

/* The nearest number of a type. */
static uint64_t clamped(enum ptx_type to, enum ptx_type from, uint64_t value)
{
    if (is_signed_type(from) && (int64_t)value < 0) {
        if (!is_signed_type(to)) return 0;
        return (int64_t)value < (int64_t)lowest(to) ? lowest(to) : value;
    }
    return value > largest(to) ? largest(to) : value;
}

static double rounded_to_whole(double value, enum whole_rounding rounding)
{
    switch (rounding) {
    case WHOLE_NEAREST: return rint(value);
    case WHOLE_DOWN: return floor(value);
    case WHOLE_UP: return ceil(value);
    case WHOLE_ZERO: return trunc(value);
    default: return value;
    }
}

/* A real number that is too large becomes the largest; no number becomes 0, or the number with only
 * its top bit set. */
static uint64_t whole_of_real(enum ptx_type to, enum ptx_type from, double value,
                              enum whole_rounding rounding)
{
    unsigned bits = 8 * value_bytes(to);
    if (value != value) return from == TYPE_f64 || bits == 64 ? UINT64_C(1) << (bits - 1) : 0;
    value = rounded_to_whole(value, rounding == WHOLE_NOT ? WHOLE_ZERO : rounding);
    if (is_signed_type(to)) {
        double end = ldexp(1, (int)bits - 1);
        return value >= end ? largest(to) : value < -end ? lowest(to) : (uint64_t)(int64_t)value;
    }
    return value >= ldexp(1, (int)bits) ? largest(to) : value < 0 ? 0 : (uint64_t)value;
}

/* ---- to real numbers ------------------------------------------------------------------------ */

/* To 10 bits after the point; .rna rounds a half away from zero. */
static uint32_t tf32_bits(float value, const struct conversion *how)
{
    uint32_t bits = float_bits(value), rest = bits & 0x1fff;
    if (value != value) return 0x7fffffff;
    bits &= ~UINT32_C(0x1fff);
    if (isinf(value)) return how->finite ? (bits & 0x80000000u) | 0x7f7fe000u : bits;
    bool up = how->away ? rest >= 0x1000 : rest > 0x1000 || (rest == 0x1000 && (bits & 0x2000));
    if (how->rounding == ROUND_ZERO) up = false;
    if (up) bits += 0x2000;
    if (how->finite && (bits & 0x7f800000) == 0x7f800000) bits -= 0x2000;
    return bits;
}

static double modified(const struct conversion *how, double value)
{
    if (how->sat) value = saturated_double(value);
    if (how->relu && value < 0) value = 0;
    return value;
}

static uint64_t bits_of_real(const struct conversion *how, double value)
{
    value = modified(how, value);
    switch (how->to) {
    case TYPE_f16: return short_bits(FORMAT_F16, value, how->rounding, how->finite);
    case TYPE_bf16: return short_bits(FORMAT_BF16, value, how->rounding, how->finite);
    case TYPE_tf32: return tf32_bits((float)value, how);
    case TYPE_f64: return double_bits(value);
    default: {
        float number = canonical((float)value);
        return float_bits(how->ftz ? flushed(number) : number);
    }
    }
}

/* A whole number of 64 bits becomes a float or a double in one rounding. What a double cannot hold
 * exactly is too large for a half; for a bfloat16, its last digit says that there is more. */
static uint64_t bits_of_whole(const struct conversion *how, uint64_t whole)
{
    bool negative = is_signed_type(how->from) && (int64_t)whole < 0;
    if (how->to == TYPE_f32) {
        float number = negative ? (float)(int64_t)whole : (float)whole;
        return float_bits(how->sat ? saturated(number) : number);
    }
    if (how->to != TYPE_f64 && how->to != TYPE_f16 && !negative && whole >> 53 != 0) whole |= 1;
    return bits_of_real(how, negative ? (double)(int64_t)whole : (double)whole);
}

/* ---- one lane, and all ---------------------------------------------------------------------- */

uint64_t converted(const struct conversion *how, uint64_t bits)
{
    if (!is_real_type(how->from)) {
        uint64_t whole = whole_of(how->from, bits);
        if (is_real_type(how->to)) return bits_of_whole(how, whole);
        return how->sat ? clamped(how->to, how->from, whole) : whole;
    }
    double value = real_of(how->from, bits);
    if (how->ftz && how->from == TYPE_f32) value = flushed((float)value);
    if (!is_real_type(how->to)) return whole_of_real(how->to, how->from, value, how->whole);
    return bits_of_real(how, rounded_to_whole(value, how->whole));
}

void convert_any(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    struct conversion how;
    const struct ptx_operand *d = &i->operand[0], *a = &i->operand[1];
    conversion_of(i, &how);
    fesetround(modes[how.rounding]);
    EACH_LANE (l, mask) {
        uint64_t bits = converted(&how, lane_bits(OPERAND_OF(warp, a, char), a->bytes, l));
        set_lane_bits(OPERAND_OF(warp, d, char), d->bytes, l,
                      is_real_type(how.to) ? bits : whole_of(how.to, bits));
    }
    fesetround(FE_TONEAREST);
}
