/*
 * arithmetic_float.c: sums, products, quotients, roots, minima of floats and doubles. Each
 * operation is one of the processor's, so it is rounded as PTX says; other roundings than the
 * nearest run the same functions with the processor's rounding changed. The result of floats that
 * is not a number is a GPU's NaN.
 */
#include "gpu/warp/arithmetic.h"

/* ---- floats --------------------------------------------------------------------------------- */

/* Each operation in four forms. */
#define LOAD_1     const float x = a[l]
#define LOAD_FTZ_1 const float x = flushed(a[l])
#define LOAD_2     const float x = a[l], y = b[l]
#define LOAD_FTZ_2 const float x = flushed(a[l]), y = flushed(b[l])
#define LOAD_3     const float x = a[l], y = b[l], z = c[l]
#define LOAD_FTZ_3 const float x = flushed(a[l]), y = flushed(b[l]), z = flushed(c[l])
#define FLOATS_1   const float *a = A_OF(warp, i, float)
#define FLOATS_2   const float *a = A_OF(warp, i, float), *b = B_OF(warp, i, float)
#define FLOATS_3                                                                                   \
    const float *a = A_OF(warp, i, float), *b = B_OF(warp, i, float), *c = C_OF(warp, i, float)
#define FLOAT_1(name, expression)                                                                  \
    EXECUTES(name##_f32, float, FLOATS_1, LOAD_1, canonical(expression))                           \
    EXECUTES(name##_ftz_f32, float, FLOATS_1, LOAD_FTZ_1, flushed(canonical(expression)))
#define QUOTIENT(name, expression)                                                                 \
    EXECUTES(name##_f32, float, FLOATS_2, LOAD_2, canonical(expression))                           \
    EXECUTES(name##_ftz_f32, float, FLOATS_2, LOAD_FTZ_2, flushed(canonical(expression)))
#define FLOAT_2(name, expression)                                                                  \
    QUOTIENT(name, expression)                                                                     \
    EXECUTES(name##_sat_f32, float, FLOATS_2, LOAD_2, saturated(expression))                       \
    EXECUTES(name##_ftz_sat_f32, float, FLOATS_2, LOAD_FTZ_2, flushed(saturated(expression)))

#define FLOAT_3(name, expression)                                                                  \
    EXECUTES(name##_f32, float, FLOATS_3, LOAD_3, canonical(expression))                           \
    EXECUTES(name##_ftz_f32, float, FLOATS_3, LOAD_FTZ_3, flushed(canonical(expression)))          \
    EXECUTES(name##_sat_f32, float, FLOATS_3, LOAD_3, saturated(expression))                       \
    EXECUTES(name##_ftz_sat_f32, float, FLOATS_3, LOAD_FTZ_3, flushed(saturated(expression)))

FLOAT_2(add, x + y)
FLOAT_2(sub, x - y)
FLOAT_2(mul, x *y)
QUOTIENT(div, x / y)
FLOAT_3(fma, __builtin_fmaf(x, y, z))
FLOAT_1(sqrt, __builtin_sqrtf(x))
FLOAT_1(rcp, 1.0f / x)

/* Sign changes are on the bits. */
UNARY(abs_f32, uint32_t, uint32_t, x & 0x7fffffffu)
UNARY(neg_f32, uint32_t, uint32_t, x ^ 0x80000000u)
EXECUTES(abs_ftz_f32, float, FLOATS_1, LOAD_FTZ_1, fabsf(x))
EXECUTES(neg_ftz_f32, float, FLOATS_1, LOAD_FTZ_1, -x)

/* The number, if one of the two is none; +0 is more than -0. */
static inline float least(float x, float y)
{
    float equal = float_of(float_bits(x) | float_bits(y)), other = x < y ? x : y;
    return y != y ? x : x == y ? equal : other;
}

static inline float most(float x, float y)
{
    float equal = float_of(float_bits(x) & float_bits(y)), other = x > y ? x : y;
    return y != y ? x : x == y ? equal : other;
}

/* .NaN: no number, if one of the two is none. */
static inline float with_nan(float x, float y, float value)
{
    return x != x || y != y ? float_of(0x7fffffff) : value;
}

/* .xorsign.abs: of the magnitudes, with the product of the signs. */
static inline float with_sign(float x, float y, float value)
{
    return float_of((float_bits(value) & 0x7fffffffu) |
                    ((float_bits(x) ^ float_bits(y)) & 0x80000000u));
}

#define EXTREMES(name)                                                                             \
    EXECUTES(name##_f32, float, FLOATS_2, LOAD_2, canonical(name(x, y)))                           \
    EXECUTES(name##_ftz_f32, float, FLOATS_2, LOAD_FTZ_2, canonical(name(x, y)))                   \
    EXECUTES(name##_nan_f32, float, FLOATS_2, LOAD_2, with_nan(x, y, name(x, y)))                  \
    EXECUTES(name##_ftz_nan_f32, float, FLOATS_2, LOAD_FTZ_2, with_nan(x, y, name(x, y)))          \
    EXECUTES(name##_sign_f32, float, FLOATS_2, LOAD_2,                                             \
             canonical(with_sign(x, y, name(fabsf(x), fabsf(y)))))                                 \
    EXECUTES(name##_ftz_sign_f32, float, FLOATS_2, LOAD_FTZ_2,                                     \
             canonical(with_sign(x, y, name(fabsf(x), fabsf(y)))))                                 \
    EXECUTES(name##_nan_sign_f32, float, FLOATS_2, LOAD_2,                                         \
             with_nan(x, y, with_sign(x, y, name(fabsf(x), fabsf(y)))))                            \
    EXECUTES(name##_ftz_nan_sign_f32, float, FLOATS_2, LOAD_FTZ_2,                                 \
             with_nan(x, y, with_sign(x, y, name(fabsf(x), fabsf(y)))))
EXTREMES(least)
EXTREMES(most)

/* ---- doubles -------------------------------------------------------------------------------- */

BINARY(add_f64, double, double, double, x + y)
BINARY(sub_f64, double, double, double, x - y)
BINARY(mul_f64, double, double, double, x *y)
BINARY(div_f64, double, double, double, x / y)
TERNARY(fma_f64, double, double, double, double, __builtin_fma(x, y, z))
UNARY(sqrt_f64, double, double, __builtin_sqrt(x))
UNARY(rcp_f64, double, double, 1.0 / x)
UNARY(abs_f64, uint64_t, uint64_t, x & ~(UINT64_C(1) << 63))
UNARY(neg_f64, uint64_t, uint64_t, x ^ (UINT64_C(1) << 63))

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
BINARY(min_f64, double, double, double, least_double(x, y))
BINARY(max_f64, double, double, double, most_double(x, y))

/* ---- choosing ------------------------------------------------------------------------------- */

#define FTZ_SAT(op, function, w)                                                                   \
    CHOICE(op, f32, 0, w, function##_f32), CHOICE(op, f32, FORM_FTZ, w, function##_ftz_f32),       \
        CHOICE(op, f32, FORM_SAT, w, function##_sat_f32),                                          \
        CHOICE(op, f32, FORM_FTZ | FORM_SAT, w, function##_ftz_sat_f32)
#define FTZ_ONLY(op, function)                                                                     \
    CHOICE(op, f32, 0, "44", function##_f32), CHOICE(op, f32, FORM_FTZ, "44", function##_ftz_f32)
#define EXTREME_ROWS(op, function)                                                                 \
    CHOICE(op, f32, 0, "444", function##_f32),                                                     \
        CHOICE(op, f32, FORM_FTZ, "444", function##_ftz_f32),                                      \
        CHOICE(op, f32, FORM_NAN, "444", function##_nan_f32),                                      \
        CHOICE(op, f32, FORM_FTZ | FORM_NAN, "444", function##_ftz_nan_f32),                       \
        CHOICE(op, f32, FORM_XORSIGN, "444", function##_sign_f32),                                 \
        CHOICE(op, f32, FORM_FTZ | FORM_XORSIGN, "444", function##_ftz_sign_f32),                  \
        CHOICE(op, f32, FORM_NAN | FORM_XORSIGN, "444", function##_nan_sign_f32),                  \
        CHOICE(op, f32, FORM_FTZ | FORM_NAN | FORM_XORSIGN, "444", function##_ftz_nan_sign_f32)

static const struct choice choices[] = {
    FTZ_SAT(add, add, "444"),
    FTZ_SAT(sub, sub, "444"),
    FTZ_SAT(mul, mul, "444"),
    FTZ_SAT(fma, fma, "4444"),
    FTZ_SAT(mad, fma, "4444"),
    CHOICE(div, f32, 0, "444", div_f32),
    CHOICE(div, f32, FORM_FTZ, "444", div_ftz_f32),
    FTZ_ONLY(sqrt, sqrt),
    FTZ_ONLY(rcp, rcp),
    FTZ_ONLY(abs, abs),
    FTZ_ONLY(neg, neg),
    EXTREME_ROWS(min, least),
    EXTREME_ROWS(max, most),
    CHOICE(add, f64, 0, "888", add_f64),
    CHOICE(sub, f64, 0, "888", sub_f64),
    CHOICE(mul, f64, 0, "888", mul_f64),
    CHOICE(div, f64, 0, "888", div_f64),
    CHOICE(fma, f64, 0, "8888", fma_f64),
    CHOICE(mad, f64, 0, "8888", fma_f64),
    CHOICE(sqrt, f64, 0, "88", sqrt_f64),
    CHOICE(rcp, f64, 0, "88", rcp_f64),
    CHOICE(abs, f64, 0, "88", abs_f64),
    CHOICE(neg, f64, 0, "88", neg_f64),
    CHOICE(min, f64, 0, "888", min_f64),
    CHOICE(max, f64, 0, "888", max_f64),
};

/* div.approx and div.full are as exact as div.rn; so are sqrt.approx and rcp.approx. */
ptx_execute *select_float(const struct ptx_function *function, struct ptx_instruction *instruction)
{
    unsigned form;
    enum rounding rounding;
    (void)function;
    if (!arithmetic_form(instruction, &form, &rounding)) return NULL;
    /* rcp.approx.ftz.f64 is one of arithmetic_special.c. */
    if (instruction->types[0] == TYPE_f32) form &= ~(unsigned)(FORM_APPROX | FORM_FULL);
    return with_rounding(instruction, choose(CHOICES(choices), instruction, form), rounding);
}
