/*
 * half.h: short floating-point numbers: f16, bf16 and the two of 8 bits. A number is computed as a
 * float or a double. These are wide enough that one rounding at the end, which is done here, gives
 * the right result.
 */
#ifndef WARPUP_HALF_H
#define WARPUP_HALF_H

#include "gpu/warp/compute.h"

enum short_format { FORMAT_F16, FORMAT_BF16, FORMAT_E4M3, FORMAT_E5M2 };

double short_value(enum short_format format, uint32_t bits);

/* The bits of the nearest number in this rounding. `finite`: what is too large becomes the largest
 * number instead of infinity; e4m3 has no infinity, so it is always so. A NaN is the format's one
 * with all bits set but the sign. */
uint32_t short_bits(enum short_format format, double value, enum rounding rounding, bool finite);

/* Is it a type of f16 or bf16, alone or in pairs? */
bool short_type(enum ptx_type type, enum short_format *format, bool *pair);

/* `count` numbers of f16 or bf16, a multiple of 8: to floats, and back to the nearest short ones.
 * Infinities and subnormal numbers are kept, and a NaN is 0x7fff. */
void floats_of(enum short_format format, float *to, const uint16_t *from, unsigned count);
void shorts_of(enum short_format format, uint16_t *to, const float *from, unsigned count);

/* A warp's numbers, or the upper or lower ones of its pairs; .ftz: subnormal ones become zeros. */
void shorts_to_floats(enum short_format format, float *to, const void *from, bool pair, bool upper,
                      bool ftz);

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
