/*
 * rounding.h: how numbers become those of 16 bits, and back: for cuda_fp16.h and cuda_bf16.h. In
 * kernels the GPU converts; the code for the host works on bits.
 */
#ifndef WARPUP_ROUNDING_H
#define WARPUP_ROUNDING_H

#include "../cuda_runtime.h"

namespace warpup
{

/* PTX's names of the modes: nearest, to zero, down (minus), up (plus) */
enum rounding_mode { mode_rn, mode_rz, mode_rm, mode_rp };

/* A float from which every rounding to fewer bits gives what the number itself would: cut off, and
 * the last bit says that something was. */
WARPUP_BOTH float odd(float x) { return x; }
WARPUP_BOTH float odd(double x)
{
    float cut = (float)x;
    if (x != x || (double)cut == x) return cut;
    unsigned int bits = __builtin_bit_cast(unsigned int, cut);
    if (__builtin_fabs((double)cut) > __builtin_fabs(x)) bits--;
    return __builtin_bit_cast(float, bits | 1);
}
#define WARPUP_ODD(I)                                                                              \
    WARPUP_BOTH float odd(I x)                                                                     \
    {                                                                                              \
        const double whole = (double)x;                                                            \
        if (sizeof(I) < 8 || (whole < 0x1p53 && whole > -0x1p53)) return odd(whole);               \
        I part = x / 2048;                                                                         \
        if (x % 2048 != 0 && part % 2 == 0) part = x < 0 ? part - 1 : part + 1;                    \
        return odd((double)part * 2048);                                                           \
    }
WARPUP_ODD(short)
WARPUP_ODD(unsigned short)
WARPUP_ODD(int)
WARPUP_ODD(unsigned int)
WARPUP_ODD(long)
WARPUP_ODD(unsigned long)
WARPUP_ODD(long long)
WARPUP_ODD(unsigned long long)
#undef WARPUP_ODD

/* A number as an integer, cut off: the nearest one that the type has; a NaN is 0, or the lowest of
 * 64 bits. */
template <class I> WARPUP_BOTH I to_integer(float x)
{
    const bool is_signed = (I)-1 < (I)0;
    const I top = (I)(1ull << (8 * sizeof(I) - 1)), least = is_signed ? top : 0, most = (I)~least;
    if (x != x) return sizeof(I) == 8 ? (I)(1ull << 63) : 0;
    return x <= (float)least ? least : x >= (float)most ? most : (I)x;
}

template <class T> WARPUP_BOTH T saturated(T x)
{
    return x > 0 ? x < 1 ? x : (T)1 : (T)0; /* 0 for a NaN */
}
template <class T> WARPUP_BOTH T positive(T x) { return x < 0 ? (T)0 : x; }
/* The number of two that are not both; +0 is larger than -0. */
template <class T> WARPUP_BOTH T larger(T x, T y)
{
    return x > y || y != y || (x == y && __builtin_signbit(y)) ? x : y;
}

/* The bits that `shift` cuts off decide whether the rest becomes one more. */
WARPUP_HOST unsigned int rounded(unsigned int bits, int shift, bool negative, rounding_mode mode)
{
    unsigned int kept = shift > 31 ? 0 : bits >> shift, half = shift > 31 ? ~0u : 1u << (shift - 1);
    unsigned int rest = shift > 31 ? bits : bits & (2 * half - 1);
    bool up = mode == mode_rn   ? rest > half || (rest == half && (kept & 1))
              : mode == mode_rz ? false
                                : rest != 0 && negative == (mode == mode_rm);
    return kept + up;
}
WARPUP_HOST unsigned short half_bits(float x, rounding_mode mode)
{
    unsigned int all = __builtin_bit_cast(unsigned int, x), bits = all & 0x7fffffff,
                 sign = all >> 16 & 0x8000;
    if (bits > 0x7f800000) return 0x7fff;
    if (bits == 0x7f800000) return (unsigned short)(sign | 0x7c00);
    if (bits >= 0x47800000) /* 65536 */
        return (unsigned short)(sign | (mode == mode_rn || (mode != mode_rz &&
                                                            (sign != 0) == (mode == mode_rm))
                                            ? 0x7c00
                                            : 0x7bff));
    if (bits >= 0x38800000) /* 2 to the -14: normal numbers */
        return (unsigned short)(sign | rounded(bits - (112u << 23), 13, sign != 0, mode));
    int shift = 126 - (int)(bits >> 23);
    unsigned int digits = bits < 0x00800000 ? bits : (bits & 0x7fffff) | 0x800000;
    return (unsigned short)(sign | rounded(digits, shift > 32 ? 32 : shift, sign != 0, mode));
}
WARPUP_HOST float half_value(unsigned short bits)
{
    unsigned int sign = (bits & 0x8000u) << 16, exponent = bits >> 10 & 31, digits = bits & 0x3ff;
    if (exponent == 0) {
        float x = (float)digits * 0x1p-24f;
        return sign ? -x : x;
    }
    return __builtin_bit_cast(float, sign | (exponent == 31 ? 0xffu : exponent + 112) << 23 |
                                         digits << 13);
}
WARPUP_BOTH unsigned short bfloat16_bits(float x, rounding_mode mode)
{
    unsigned int bits = __builtin_bit_cast(unsigned int, x), kept = bits >> 16,
                 rest = bits & 0xffff;
    if (x != x) return 0x7fff;
    if ((bits & 0x7fffffff) == 0x7f800000) return (unsigned short)kept;
    bool up = mode == mode_rn   ? rest > 0x8000 || (rest == 0x8000 && (kept & 1))
              : mode == mode_rz ? false
                                : rest != 0 && ((bits >> 31) != 0) == (mode == mode_rm);
    return (unsigned short)(kept + up);
}

} // namespace warpup

#endif
