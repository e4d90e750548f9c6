/*
 * half.c: short floating-point numbers (half.h): their bits and their values. Where the processor
 * has instructions for halves, they convert eight numbers at a time.
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

void halves_to_floats(float *to, const uint16_t *from, unsigned count)
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

void floats_to_halves(uint16_t *to, const float *from, unsigned count)
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

void bfloats_to_floats(float *to, const uint16_t *from, unsigned count)
{
    bits_32 *bits = (bits_32 *)to;
    for (unsigned i = 0; i < count; i++)
        bits[i] = (uint32_t)from[i] << 16;
}

void floats_to_bfloats(uint16_t *to, const float *from, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        uint32_t bits = float_bits(from[i]);
        uint32_t nearest = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
        to[i] = (uint16_t)((bits & 0x7fffffff) > 0x7f800000 ? 0x7fff : nearest);
    }
}
