/*
 * half.c: short floating-point numbers (half.h): their bits, their values, and arithmetic of f16
 * and bf16, alone and in pairs. All numbers of a warp become floats, which hold sums, differences
 * and products well enough that the second rounding changes nothing.
 */
#include "gpu/warp/half.h"

#ifdef __F16C__
#    include <immintrin.h>
#endif

/* ---- one number ----------------------------------------------------------------------------- */

enum { DOUBLE_FRACTION = 52, DOUBLE_BIAS = 1023 };

static const struct layout {
    int fraction, exponent; /* bits */
    uint32_t largest;       /* of finite numbers */
    uint32_t no_number;
} layouts[] = {
    [FORMAT_F16] = {10, 5, 0x7bff, 0x7fff},
    [FORMAT_BF16] = {7, 8, 0x7f7f, 0x7fff},
    [FORMAT_E4M3] = {3, 4, 0x7e, 0x7f},
    [FORMAT_E5M2] = {2, 5, 0x7b, 0x7f},
};

static int bias_of(const struct layout *layout)
{
    return (1 << (layout->exponent - 1)) - 1;
}

double short_value(enum short_format format, uint32_t bits)
{
    const struct layout *layout = &layouts[format];
    uint32_t sign = bits >> (layout->fraction + layout->exponent) & 1;
    uint32_t magnitude = bits & ((UINT32_C(1) << (layout->fraction + layout->exponent)) - 1);
    int exponent = (int)(magnitude >> layout->fraction);
    uint32_t fraction = magnitude & ((UINT32_C(1) << layout->fraction) - 1);
    double value;
    if (magnitude > layout->largest)
        value = format == FORMAT_E4M3 || fraction != 0 ? (double)NAN : (double)INFINITY;
    else if (exponent == 0)
        value = ldexp(fraction, 1 - bias_of(layout) - layout->fraction);
    else
        value = ldexp(fraction + (UINT32_C(1) << layout->fraction),
                      exponent - bias_of(layout) - layout->fraction);
    return sign ? -value : value;
}

/* Is a number rounded to the one of larger magnitude? `rest` is its distance from the smaller one,
 * `apart` the distance between the two. */
static bool goes_up(bool negative, bool odd, uint64_t rest, uint64_t apart, enum rounding rounding)
{
    switch (rounding) {
    case ROUND_ZERO: return false;
    case ROUND_DOWN: return negative && rest > 0;
    case ROUND_UP: return !negative && rest > 0;
    default: return rest > apart / 2 || (rest == apart / 2 && odd);
    }
}

/* The magnitude's bits; more than those of the largest number if it is too large. The leading digit
 * adds 1 to the exponent; so does a fraction that is rounded up to 1. */
static uint64_t rounded(const struct layout *layout, uint64_t bits, bool negative,
                        enum rounding rounding)
{
    int exponent = (int)(bits >> DOUBLE_FRACTION & 0x7ff) - DOUBLE_BIAS,
        steps = exponent - (1 - bias_of(layout));
    uint64_t one = UINT64_C(1) << DOUBLE_FRACTION, digits = (bits & (one - 1)) | one;
    int lost = DOUBLE_FRACTION - layout->fraction;
    if (steps < 0) lost = lost - steps < 63 ? lost - steps : 63;
    uint64_t apart = UINT64_C(1) << lost, below = digits >> lost;
    if (steps > 0) below += (uint64_t)steps << layout->fraction;
    return below + goes_up(negative, below & 1, digits & (apart - 1), apart, rounding);
}

uint32_t short_bits(enum short_format format, double value, enum rounding rounding, bool finite)
{
    const struct layout *layout = &layouts[format];
    uint64_t bits = double_bits(value);
    bool negative = bits >> 63;
    uint32_t sign = negative ? UINT32_C(1) << (layout->fraction + layout->exponent) : 0;
    bool to_largest = finite || format == FORMAT_E4M3;
    if (value != value) return layout->no_number;
    if (value == 0) return sign;
    if (isinf(value)) return sign | (to_largest ? layout->largest : layout->largest + 1);
    uint64_t magnitude = rounded(layout, bits, negative, rounding);
    if (magnitude <= layout->largest) return sign | (uint32_t)magnitude;
    bool stays = to_largest || rounding == ROUND_ZERO || (rounding == ROUND_DOWN && !negative) ||
                 (rounding == ROUND_UP && negative);
    return sign | (stays ? layout->largest : layout->largest + 1);
}

/* ---- many numbers --------------------------------------------------------------------------- */

static void halves_to_floats(float *to, const uint16_t *from, unsigned count)
{
#ifdef __F16C__
    for (unsigned i = 0; i < count; i += 8)
        _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(from + i))));
    for (unsigned i = 0; i < count; i++)
        to[i] = canonical(to[i]);
#else
    /* Exponent and fraction go to where a float has them; the factor is the distance of the
     * exponents. */
    for (unsigned i = 0; i < count; i++) {
        uint32_t bits = (uint32_t)(from[i] & 0x7fff) << 13, sign = (uint32_t)(from[i] & 0x8000)
                                                                   << 16;
        bool is_finite = (from[i] & 0x7c00) != 0x7c00;
        uint32_t size = is_finite ? float_bits(float_of(bits) * 0x1p112f) : bits | 0x7f800000;
        to[i] = canonical(float_of(size | sign));
    }
#endif
}

static void floats_to_halves(uint16_t *to, const float *from, unsigned count)
{
#ifdef __F16C__
    for (unsigned i = 0; i < count; i += 8) {
        __m256 value = _mm256_loadu_ps(from + i);
        __m128i bits = _mm256_cvtps_ph(value, _MM_FROUND_TO_NEAREST_INT);
        _mm_storeu_si128((__m128i *)(to + i), bits);
    }
    for (unsigned i = 0; i < count; i++)
        to[i] = (to[i] & 0x7fff) > 0x7c00 ? 0x7fff : to[i];
#else
    /* Below 2^-14 halves are 2^-24 apart: so are floats between 0.5 and 1, where the sum is rounded
     * to them. */
    for (unsigned i = 0; i < count; i++) {
        uint32_t bits = float_bits(from[i]), size = bits & 0x7fffffff, sign = bits >> 16 & 0x8000;
        uint32_t normal = (size - (112u << 23) + 0xfff + (size >> 13 & 1)) >> 13;
        uint32_t small = float_bits(float_of(size) + 0.5f) - float_bits(0.5f);
        uint32_t half = size < 0x38800000 ? small : size < 0x477ff000 ? normal : 0x7c00;
        to[i] = (uint16_t)(size > 0x7f800000 ? 0x7fff : half | sign);
    }
#endif
}

static void bfloats_to_floats(float *to, const uint16_t *from, unsigned count)
{
    bits_32 *bits = (bits_32 *)to;
    for (unsigned i = 0; i < count; i++)
        bits[i] = (uint32_t)from[i] << 16;
}

static void floats_to_bfloats(uint16_t *to, const float *from, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        uint32_t bits = float_bits(from[i]);
        uint32_t nearest = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
        to[i] = (uint16_t)((bits & 0x7fffffff) > 0x7f800000 ? 0x7fff : nearest);
    }
}

void floats_of(enum short_format format, float *to, const uint16_t *from, unsigned count)
{
    (format == FORMAT_F16 ? halves_to_floats : bfloats_to_floats)(to, from, count);
}

void shorts_of(enum short_format format, uint16_t *to, const float *from, unsigned count)
{
    (format == FORMAT_F16 ? floats_to_halves : floats_to_bfloats)(to, from, count);
}

bool short_type(enum ptx_type type, enum short_format *format, bool *pair)
{
    *pair = type == TYPE_f16x2 || type == TYPE_bf16x2;
    *format = type == TYPE_f16 || type == TYPE_f16x2 ? FORMAT_F16 : FORMAT_BF16;
    return *pair || type == TYPE_f16 || type == TYPE_bf16;
}

static void flush(enum short_format format, float *values, unsigned count)
{
    const float least_normal = format == FORMAT_F16 ? 0x1p-14f : 0x1p-126f;
    for (unsigned l = 0; l < count; l++)
        values[l] = fabsf(values[l]) < least_normal ? float_of(float_bits(values[l]) & 0x80000000u)
                                                    : values[l];
}

void shorts_to_floats(enum short_format format, float *to, const void *from, bool pair, bool upper,
                      bool ftz)
{
    uint16_t shorts[LANES];
    const bits_16 *numbers = from;
    for (unsigned l = 0; l < LANES; l++)
        shorts[l] = pair ? numbers[2 * l + upper] : numbers[l];
    floats_of(format, to, shorts, LANES);
    if (ftz) flush(format, to, LANES);
}

/* ---- arithmetic ----------------------------------------------------------------------------- */

enum { NUMBERS_MAX = 2 * LANES };

/* A sum whose last digit is odd if it is not exact, so that it rounds to the right short number. */
#define ODD_SUM(name, T, U, S, as_bits, of_bits, magnitude)                                        \
    static inline T name(T x, T y)                                                                 \
    {                                                                                              \
        T sum = x + y, back = sum - x, rest = (x - (sum - back)) + (y - back);                     \
        U bits = as_bits(sum), differ = as_bits(rest) ^ bits;                                      \
        U moved = (S)differ < 0 ? bits - 1 : bits + 1;                                             \
        T odd = of_bits(bits & 1 ? bits : moved);                                                  \
        return magnitude(rest) > 0 ? odd : sum;                                                    \
    }
ODD_SUM(odd_sum, double, uint64_t, int64_t, double_bits, double_of, fabs)
ODD_SUM(odd_sum_of_floats, float, uint32_t, int32_t, float_bits, float_of, fabsf)

/* Opcode, form without .ftz, .sat and .relu, which are for all, operands, expression. A float holds
 * a product of halves, so their fma goes by floats; that of bf16 goes by doubles. */
#define OPERATIONS(X)                                                                              \
    X(add, 0, 2, x + y)                                                                            \
    X(sub, 0, 2, x - y)                                                                            \
    X(mul, 0, 2, x *y)                                                                             \
    X(fma, 0, 3, odd_sum_of_floats(x *y, z))                                                       \
    X(neg, 0, 1, -x)                                                                               \
    X(abs, 0, 1, fabsf(x))                                                                         \
    X(ex2, FORM_APPROX, 1, exp2f(x))                                                               \
    X(tanh, FORM_APPROX, 1, tanhf(x))                                                              \
    EXTREMES(X, min, least)                                                                        \
    EXTREMES(X, max, most)
#define EXTREMES(X, op, extreme)                                                                   \
    X(op, 0, 2, extreme(x, y))                                                                     \
    X(op, FORM_NAN, 2, with_nan(x, y, extreme(x, y)))                                              \
    X(op, FORM_XORSIGN, 2, with_sign(x, y, extreme(fabsf(x), fabsf(y))))                           \
    X(op, FORM_NAN_XORSIGN, 2, with_nan(x, y, with_sign(x, y, extreme(fabsf(x), fabsf(y)))))
enum { FORM_NAN_XORSIGN = FORM_NAN | FORM_XORSIGN };

#define OPERATE(name, ...)                                                                         \
    static void name(float *d, const float *a, const float *b, const float *c, unsigned count)     \
    {                                                                                              \
        _Pragma("GCC ivdep") for (unsigned l = 0; l < count; l++)                                  \
        {                                                                                          \
            const float x = a[l], y = b[l], z = c[l];                                              \
            (void)y, (void)z;                                                                      \
            d[l] = __VA_ARGS__;                                                                    \
        }                                                                                          \
    }
#define X(op, form, operands, ...) OPERATE(op##_##form, __VA_ARGS__)
OPERATIONS(X)
#undef X
OPERATE(fma_bfloat, odd_float(odd_sum((double)x *(double)y, (double)z)))

static const struct operation {
    uint8_t opcode, operands;
    uint32_t form;
    void (*operate)(float *d, const float *a, const float *b, const float *c, unsigned count);
} operations[] = {
#define X(op, form, operands, ...) {OP_##op, operands, form, op##_##form},
    OPERATIONS(X)
#undef X
};
static const struct operation bfloat_fma = {OP_fma, 3, 0, fma_bfloat};

/* .sat and .relu: a NaN becomes 0 with .sat, and stays one with .relu. */
static void modify(enum short_format format, float *values, unsigned form, unsigned count)
{
    if (form & FORM_SAT)
        for (unsigned l = 0; l < count; l++)
            values[l] = saturated(values[l]);
    if (form & FORM_RELU)
        for (unsigned l = 0; l < count; l++)
            values[l] = values[l] <= 0 ? 0 : values[l];
    if (form & FORM_FTZ) flush(format, values, count);
}

static inline __attribute__((always_inline)) void run(struct warp *warp,
                                                      const struct ptx_instruction *i,
                                                      uint32_t mask, enum short_format format,
                                                      unsigned count)
{
    const struct operation *operation = i->detail;
    float values[3][NUMBERS_MAX], result[NUMBERS_MAX];
    _Alignas(8) uint16_t shorts[NUMBERS_MAX];
    unsigned form = 0;
    enum rounding rounding;
    if (i->modifier_count != 0) rule_form(i, &form, &rounding);
    for (unsigned k = 0; k < operation->operands; k++) {
        floats_of(format, values[k], OPERAND_OF(warp, &i->operand[k + 1], const uint16_t), count);
        if (form & FORM_FTZ) flush(format, values[k], count);
    }
    operation->operate(result, values[0], values[operation->operands > 1],
                       values[operation->operands > 2 ? 2 : 0], count);
    if (form != 0) modify(format, result, form, count);
    shorts_of(format, shorts, result, count);
    blend(D_OF(warp, i, char), shorts, count / LANES * 2, mask);
}

#define RUN(name, format, count)                                                                   \
    static void name(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)            \
    {                                                                                              \
        run(warp, i, mask, format, count);                                                         \
    }
RUN(run_f16, FORMAT_F16, LANES)
RUN(run_f16x2, FORMAT_F16, 2 * LANES)
RUN(run_bf16, FORMAT_BF16, LANES)
RUN(run_bf16x2, FORMAT_BF16, 2 * LANES)

/* Without .ftz, signs change on the bits. */
SAME_1(neg, f16, 0, uint16_t, x ^ 0x8000u)
SAME_1(abs, f16, 0, uint16_t, x & 0x7fffu)
SAME_1(neg, bf16, 0, uint16_t, x ^ 0x8000u)
SAME_1(abs, bf16, 0, uint16_t, x & 0x7fffu)
SAME_1(neg, f16x2, 0, uint32_t, x ^ 0x80008000u)
SAME_1(abs, f16x2, 0, uint32_t, x & 0x7fff7fffu)
SAME_1(neg, bf16x2, 0, uint32_t, x ^ 0x80008000u)
SAME_1(abs, bf16x2, 0, uint32_t, x & 0x7fff7fffu)

ptx_execute *select_half(const struct ptx_function *function, struct ptx_instruction *i)
{
    static ptx_execute *const all[2][2] = {{run_f16, run_f16x2}, {run_bf16, run_bf16x2}};
    static const char *const sizes[2][3] = {{"22", "222", "2222"}, {"44", "444", "4444"}};
    enum short_format format;
    enum rounding rounding;
    unsigned form;
    bool pair;
    (void)function;
    if (!short_type(i->types[0], &format, &pair) || !rule_form(i, &form, &rounding) ||
        rounding != ROUND_NEAREST)
        return NULL;
    for (size_t k = 0; k < sizeof operations / sizeof operations[0]; k++) {
        const struct operation *one = &operations[k];
        if (one->opcode != i->opcode ||
            one->form != (form & ~(unsigned)(FORM_FTZ | FORM_SAT | FORM_RELU)) ||
            !has_sizes(i, sizes[pair][one->operands - 1]))
            continue;
        i->detail = format == FORMAT_BF16 && i->opcode == OP_fma ? &bfloat_fma : one;
        return all[format == FORMAT_BF16][pair];
    }
    return NULL;
}
