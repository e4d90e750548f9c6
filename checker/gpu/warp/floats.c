/*
 * floats.c: sums, products, quotients, roots, minima of floats and doubles. Each operation is one
 * of the processor's, so it is rounded as PTX says; other roundings than the nearest run the same
 * functions with the processor's rounding changed. Sines, powers and logarithms, which a GPU's
 * special function units approximate, are as exact as the C library's, so better than PTX asks for.
 */
#include "gpu/warp/compute.h"

/* ---- floats --------------------------------------------------------------------------------- */

#define FLOAT_1(op, form, load, ...)                                                               \
    RULE_1_(NAME(op, f32), op, f32, f32, form, float, float, load, __VA_ARGS__)
#define FLOAT_2(op, form, load, ...)                                                               \
    RULE_2_(NAME(op, f32), op, f32, f32, form, float, float, float, load, __VA_ARGS__)
#define FLOAT_3(op, form, load, ...)                                                               \
    RULE_3_(NAME(op, f32), op, f32, f32, form, float, float, float, float, load, __VA_ARGS__)

/* Each operation in two forms, or in four. */
#define FTZ(FLOAT, op, form, ...)                                                                  \
    FLOAT(op, form, AS_IT_IS, canonical(__VA_ARGS__))                                              \
    FLOAT(op, form | FORM_FTZ, flushed, flushed(canonical(__VA_ARGS__)))
#define FTZ_SAT(FLOAT, op, ...)                                                                    \
    FTZ(FLOAT, op, 0, __VA_ARGS__)                                                                 \
    FLOAT(op, FORM_SAT, AS_IT_IS, saturated(__VA_ARGS__))                                          \
    FLOAT(op, FORM_SAT | FORM_FTZ, flushed, flushed(saturated(__VA_ARGS__)))

static inline float inverse_root(float x)
{
    return (float)(1.0 / sqrt((double)x));
}

FTZ_SAT(FLOAT_2, add, x + y)
FTZ_SAT(FLOAT_2, sub, x - y)
FTZ_SAT(FLOAT_2, mul, x *y)
FTZ_SAT(FLOAT_3, fma, __builtin_fmaf(x, y, z))
FTZ_SAT(FLOAT_3, mad, __builtin_fmaf(x, y, z))
FTZ(FLOAT_2, div, 0, x / y)
FTZ(FLOAT_1, sqrt, 0, __builtin_sqrtf(x))
FTZ(FLOAT_1, rcp, 0, 1.0f / x)
FTZ(FLOAT_1, sin, FORM_APPROX, sinf(x))
FTZ(FLOAT_1, cos, FORM_APPROX, cosf(x))
FTZ(FLOAT_1, ex2, FORM_APPROX, exp2f(x))
FTZ(FLOAT_1, lg2, FORM_APPROX, log2f(x))
FTZ(FLOAT_1, tanh, FORM_APPROX, tanhf(x))
FTZ(FLOAT_1, rsqrt, FORM_APPROX, inverse_root(x))

/* Sign changes are on the bits. */
SAME_1(abs, f32, 0, uint32_t, x & 0x7fffffffu)
SAME_1(neg, f32, 0, uint32_t, x ^ 0x80000000u)
FLOAT_1(abs, FORM_FTZ, flushed, fabsf(x))
FLOAT_1(neg, FORM_FTZ, flushed, -x)
SAME_2(copysign, f32, 0, uint32_t, (x & 0x80000000u) | (y & 0x7fffffffu))

#define EXTREMES_(op, extreme, form, load)                                                         \
    FLOAT_2(op, form, load, canonical(extreme(x, y)))                                              \
    FLOAT_2(op, form | FORM_NAN, load, with_nan(x, y, extreme(x, y)))                              \
    FLOAT_2(op, form | FORM_XORSIGN, load,                                                         \
            canonical(with_sign(x, y, extreme(fabsf(x), fabsf(y)))))                               \
    FLOAT_2(op, form | FORM_NAN | FORM_XORSIGN, load,                                              \
            with_nan(x, y, with_sign(x, y, extreme(fabsf(x), fabsf(y)))))
#define EXTREMES(op, extreme)                                                                      \
    EXTREMES_(op, extreme, 0, AS_IT_IS) EXTREMES_(op, extreme, FORM_FTZ, flushed)
EXTREMES(min, least)
EXTREMES(max, most)

/* ---- doubles -------------------------------------------------------------------------------- */

#define SIGN_BIT (UINT64_C(1) << 63)

static inline double least_double(double x, double y)
{
    double equal = double_of(double_bits(x) | double_bits(y)), other = x < y ? x : y;
    return y != y ? x : x == y ? equal : other;
}

static inline double most_double(double x, double y)
{
    double equal = double_of(double_bits(x) & double_bits(y)), other = x > y ? x : y;
    return y != y ? x : x == y ? equal : other;
}

/* rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 know 20 digits of the argument and of the result. */
static inline double upper_half(double value)
{
    double magnitude = fabs(value);
    if (magnitude < 0x1p-1022) value = copysign(0, value);
    return value == value ? double_of(double_bits(value) & 0xffffffff00000000u) : value;
}

SAME_2(add, f64, 0, double, x + y)
SAME_2(sub, f64, 0, double, x - y)
SAME_2(mul, f64, 0, double, x *y)
SAME_2(div, f64, 0, double, x / y)
SAME_3(fma, f64, 0, double, __builtin_fma(x, y, z))
SAME_3(mad, f64, 0, double, __builtin_fma(x, y, z))
SAME_1(sqrt, f64, 0, double, __builtin_sqrt(x))
SAME_1(rcp, f64, 0, double, 1.0 / x)
SAME_1(abs, f64, 0, uint64_t, x & ~SIGN_BIT)
SAME_1(neg, f64, 0, uint64_t, x ^ SIGN_BIT)
SAME_2(copysign, f64, 0, uint64_t, (x & SIGN_BIT) | (y & ~SIGN_BIT))
SAME_2(min, f64, 0, double, least_double(x, y))
SAME_2(max, f64, 0, double, most_double(x, y))
SAME_1(rsqrt, f64, FORM_APPROX, double, 1.0 / sqrt(x))
SAME_1(rsqrt, f64, FORM_APPROX | FORM_FTZ, double, upper_half(1.0 / sqrt(upper_half(x))))
SAME_1(rcp, f64, FORM_APPROX | FORM_FTZ, double, upper_half(1.0 / upper_half(x)))

/* ---- testp ---------------------------------------------------------------------------------- */

static bool is_of_class(int class, enum ptx_modifier test)
{
    switch (test) {
    case M_finite: return class != FP_INFINITE && class != FP_NAN;
    case M_infinite: return class == FP_INFINITE;
    case M_number: return class != FP_NAN;
    case M_notanumber: return class == FP_NAN;
    case M_normal: return class == FP_NORMAL || class == FP_ZERO;
    default: return class == FP_SUBNORMAL;
    }
}

static void testp(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    const struct ptx_operand *from = &i->operand[1];
    uint32_t bits = 0;
    EACH_LANE (l, mask) {
        int class = from->bytes == 8 ? fpclassify(OPERAND_OF(warp, from, const double)[l])
                                     : fpclassify(OPERAND_OF(warp, from, const float)[l]);
        if (is_of_class(class, i->modifiers[0])) bits |= 1u << l;
    }
    set_predicate(warp, &i->operand[0], bits, mask);
}

/* testp, other roundings, and the forms that are as exact as others: div.approx, div.full,
 * sqrt.approx and rcp.approx. */
ptx_execute *select_float(const struct ptx_function *function, struct ptx_instruction *i)
{
    static const uint8_t tests[] = {M_finite,     M_infinite, M_number,
                                    M_notanumber, M_normal,   M_subnormal};
    unsigned form;
    enum rounding rounding;
    (void)function;
    if (i->opcode == OP_testp) {
        bool valid = i->modifier_count == 1 && memchr(tests, i->modifiers[0], sizeof tests) != NULL;
        return valid && has_sizes(i, i->types[0] == TYPE_f64 ? "08" : "04") ? testp : NULL;
    }
    bool real = i->types[0] == TYPE_f32 || i->types[0] == TYPE_f64;
    if (!real || i->opcode == OP_cvt || !rule_form(i, &form, &rounding)) return NULL;
    if (i->types[0] == TYPE_f32) form &= ~(unsigned)(FORM_APPROX | FORM_FULL);
    return with_rounding(i, find_rule(i, form), rounding);
}
