/*
 * half.h: short floating-point numbers: f16, bf16 and the two of 8 bits. A number is computed as a
 * float or a double. These are wide enough that one rounding at the end, which is done here, gives
 * the right result.
 */
#ifndef WARPUP_HALF_H
#define WARPUP_HALF_H

#include "gpu/warp/arithmetic.h"

enum short_format { FORMAT_F16, FORMAT_BF16, FORMAT_E4M3, FORMAT_E5M2 };

double short_value(enum short_format format, uint32_t bits);

/* The bits of the nearest number in this rounding. `finite`: what is too large becomes the largest
 * number instead of infinity; e4m3 has no infinity, so it is always so. A NaN is the format's one
 * with all bits set but the sign. */
uint32_t short_bits(enum short_format format, double value, enum rounding rounding, bool finite);

/* `count` numbers, a multiple of 8: to floats, and back to the nearest short ones. Infinities and
 * subnormal numbers are kept, and a NaN is 0x7fff. */
void halves_to_floats(float *to, const uint16_t *from, unsigned count);
void floats_to_halves(uint16_t *to, const float *from, unsigned count);
void bfloats_to_floats(float *to, const uint16_t *from, unsigned count);
void floats_to_bfloats(uint16_t *to, const float *from, unsigned count);

/* .ftz of a format: subnormal numbers become zeros. */
void flush_shorts(enum short_format format, float *values, unsigned count);

/* setp and set of short numbers (half_compare.c), and what they need of arithmetic_compare.c: the
 * comparison of 32 floats, NULL if there is none of this name; the second part of a condition. */
ptx_execute *select_half_compare(const struct ptx_instruction *instruction);
typedef uint32_t compare_lanes(const void *a, const void *b);
compare_lanes *float_comparison(enum ptx_modifier modifier);
uint32_t joined_condition(const struct warp *warp, const struct ptx_instruction *instruction,
                          uint32_t bits);

/* A double as a float that rounds to the same short number as the double itself: its last digit is
 * odd if it is not exact. */
static inline float odd_float(double value)
{
    float near = (float)value;
    double rest = value - (double)near;
    uint32_t bits = float_bits(near);
    bool away = (double_bits(rest) ^ double_bits(value)) >> 63 == 0;
    float odd = float_of(bits & 1 ? bits : away ? bits + 1 : bits - 1);
    return fabs(rest) > 0 && fabsf(near) <= 0x1.fffffep127f ? odd : near;
}

#endif
