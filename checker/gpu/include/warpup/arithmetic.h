/*
 * arithmetic.h: CUDA's own mathematical functions and intrinsics, beside those of <math.h>. The
 * fast intrinsics give the exact functions' values; all that name a rounding round to nearest.
 */
#ifndef WARPUP_ARITHMETIC_H
#define WARPUP_ARITHMETIC_H

#include "device.h"

#include <math.h>

/* The smaller and the larger of two numbers, for the pairs of types that CUDA declares. */
#define WARPUP_MIN_MAX(A, B, T)                                                                    \
    WARPUP_INLINE T min(A a, B b)                                                                  \
    {                                                                                              \
        return (T)b < (T)a ? (T)b : (T)a;                                                          \
    }                                                                                              \
    WARPUP_INLINE T max(A a, B b)                                                                  \
    {                                                                                              \
        return (T)a < (T)b ? (T)b : (T)a;                                                          \
    }
#define WARPUP_MIN_MAX_OF(I)                                                                       \
    WARPUP_MIN_MAX(I, I, I)                                                                        \
    WARPUP_MIN_MAX(unsigned I, unsigned I, unsigned I)                                             \
    WARPUP_MIN_MAX(I, unsigned I, unsigned I)                                                      \
    WARPUP_MIN_MAX(unsigned I, I, unsigned I)
WARPUP_MIN_MAX_OF(int)
WARPUP_MIN_MAX_OF(long)
WARPUP_MIN_MAX_OF(long long)
#undef WARPUP_MIN_MAX_OF
#undef WARPUP_MIN_MAX

/* WARPUP_1(result, name, type, expression in x), then in x and y, in x, y and z */
#define WARPUP_1(R, name, T, expression)                                                           \
    WARPUP_INLINE R name(T x)                                                                      \
    {                                                                                              \
        return (R)(expression);                                                                    \
    }
#define WARPUP_2(R, name, T, expression)                                                           \
    WARPUP_INLINE R name(T x, T y)                                                                 \
    {                                                                                              \
        return (R)(expression);                                                                    \
    }
#define WARPUP_3(R, name, T, expression)                                                           \
    WARPUP_INLINE R name(T x, T y, T z)                                                            \
    {                                                                                              \
        return (R)(expression);                                                                    \
    }

/* Of floating-point numbers, the one that is not a NaN. */
WARPUP_2(float, min, float, fminf(x, y))
WARPUP_2(float, max, float, fmaxf(x, y))
WARPUP_2(double, min, double, fmin(x, y))
WARPUP_2(double, max, double, fmax(x, y))
WARPUP_INLINE double min(float x, double y)
{
    return fmin(x, y);
}
WARPUP_INLINE double min(double x, float y)
{
    return fmin(x, y);
}
WARPUP_INLINE double max(float x, double y)
{
    return fmax(x, y);
}
WARPUP_INLINE double max(double x, float y)
{
    return fmax(x, y);
}

/* Functions that <math.h> lacks, or has only in newer C libraries */
#define rsqrtf warpup_rsqrtf
#define rsqrt  warpup_rsqrt
#define sinpif warpup_sinpif
#define sinpi  warpup_sinpi
#define cospif warpup_cospif
#define cospi  warpup_cospi
WARPUP_1(float, rsqrtf, float, 1.0f / sqrtf(x))
WARPUP_1(float, rsqrt, float, 1.0f / sqrtf(x))
WARPUP_1(double, rsqrt, double, 1.0 / sqrt(x))
WARPUP_1(float, rcbrtf, float, 1.0f / cbrtf(x))
WARPUP_1(double, rcbrt, double, 1.0 / cbrt(x))
WARPUP_1(float, sinpif, float, sin(M_PI *(double)x))
WARPUP_1(double, sinpi, double, sin(M_PI *x))
WARPUP_1(float, cospif, float, cos(M_PI *(double)x))
WARPUP_1(double, cospi, double, cos(M_PI *x))
WARPUP_1(float, normcdff, float, 0.5 * erfc(-M_SQRT1_2 * (double)x))
WARPUP_1(double, normcdf, double, 0.5 * erfc(-M_SQRT1_2 * x))
WARPUP_1(float, erfcxf, float, exp((double)x *(double)x) * erfc((double)x))
WARPUP_1(double, erfcx, double, exp(x *x) * erfc(x))
WARPUP_2(float, fdividef, float, x / y)
WARPUP_2(float, rhypotf, float, 1.0f / hypotf(x, y))
WARPUP_2(double, rhypot, double, 1.0 / hypot(x, y))
WARPUP_3(float, norm3df, float, sqrtf(x *x + y * y + z * z))
WARPUP_3(double, norm3d, double, sqrt(x *x + y * y + z * z))
WARPUP_3(float, rnorm3df, float, 1.0f / sqrtf(x * x + y * y + z * z))
WARPUP_3(double, rnorm3d, double, 1.0 / sqrt(x * x + y * y + z * z))
#define WARPUP_NORM(T, f)                                                                          \
    WARPUP_INLINE T norm4d##f(T x, T y, T z, T w)                                                  \
    {                                                                                              \
        return sqrt##f(x * x + y * y + z * z + w * w);                                             \
    }                                                                                              \
    WARPUP_INLINE T rnorm4d##f(T x, T y, T z, T w)                                                 \
    {                                                                                              \
        return 1 / norm4d##f(x, y, z, w);                                                          \
    }                                                                                              \
    WARPUP_INLINE T norm##f(int n, const T *x)                                                     \
    {                                                                                              \
        T sum = 0;                                                                                 \
        for (int i = 0; i < n; i++)                                                                \
            sum += x[i] * x[i];                                                                    \
        return sqrt##f(sum);                                                                       \
    }                                                                                              \
    WARPUP_INLINE T rnorm##f(int n, const T *x)                                                    \
    {                                                                                              \
        return 1 / norm##f(n, x);                                                                  \
    }
WARPUP_NORM(float, f)
WARPUP_NORM(double, )
#undef WARPUP_NORM
WARPUP_INLINE void sincospif(float x, float *sine, float *cosine)
{
    *sine = sinpif(x);
    *cosine = cospif(x);
}
WARPUP_INLINE void sincospi(double x, double *sine, double *cosine)
{
    *sine = sinpi(x);
    *cosine = cospi(x);
}

/* Fast intrinsics. The C library has functions of its own by some of these names. */
#define __expf     warpup_expf
#define __exp10f   warpup_exp10f
#define __logf     warpup_logf
#define __log2f    warpup_log2f
#define __log10f   warpup_log10f
#define __sinf     warpup_sinf
#define __cosf     warpup_cosf
#define __tanf     warpup_tanf
#define __tanhf    warpup_tanhf
#define __powf     warpup_powf
#define __sincosf  warpup_sincosf
#define __fdividef fdividef
WARPUP_1(float, __expf, float, expf(x))
WARPUP_1(float, __exp10f, float, exp10f(x))
WARPUP_1(float, __logf, float, logf(x))
WARPUP_1(float, __log2f, float, log2f(x))
WARPUP_1(float, __log10f, float, log10f(x))
/* g++ does not know these names, so it does not join the two into a slow sincosf(). */
extern "C" float warpup_sine(float x) noexcept __asm__("sinf") __attribute__((const));
extern "C" float warpup_cosine(float x) noexcept __asm__("cosf") __attribute__((const));
WARPUP_1(float, __sinf, float, warpup_sine(x))
WARPUP_1(float, __cosf, float, warpup_cosine(x))
WARPUP_INLINE void __sincosf(float x, float *sine, float *cosine)
{
    *sine = __sinf(x);
    *cosine = __cosf(x);
}
WARPUP_1(float, __tanf, float, tanf(x))
WARPUP_1(float, __tanhf, float, tanhf(x))
WARPUP_2(float, __powf, float, powf(x, y))
WARPUP_1(float, __saturatef, float, fminf(fmaxf(x, 0.0f), 1.0f))
WARPUP_1(float, __frsqrt_rn, float, 1.0f / sqrtf(x))

/* Arithmetic with a rounding in its name: __fadd_rn, __dmul_rz … */
#define WARPUP_ROUNDED(mode)                                                                       \
    WARPUP_2(float, __fadd_##mode, float, x + y)                                                   \
    WARPUP_2(float, __fsub_##mode, float, x - y)                                                   \
    WARPUP_2(float, __fmul_##mode, float, x *y)                                                    \
    WARPUP_2(float, __fdiv_##mode, float, x / y)                                                   \
    WARPUP_1(float, __frcp_##mode, float, 1.0f / x)                                                \
    WARPUP_1(float, __fsqrt_##mode, float, sqrtf(x))                                               \
    WARPUP_3(float, __fmaf_##mode, float, fmaf(x, y, z))                                           \
    WARPUP_2(double, __dadd_##mode, double, x + y)                                                 \
    WARPUP_2(double, __dsub_##mode, double, x - y)                                                 \
    WARPUP_2(double, __dmul_##mode, double, x *y)                                                  \
    WARPUP_2(double, __ddiv_##mode, double, x / y)                                                 \
    WARPUP_1(double, __drcp_##mode, double, 1.0 / x)                                               \
    WARPUP_1(double, __dsqrt_##mode, double, sqrt(x))                                              \
    WARPUP_3(double, __fma_##mode, double, fma(x, y, z))                                           \
    WARPUP_1(float, __double2float_##mode, double, x)
WARPUP_ROUNDED(rn)
WARPUP_ROUNDED(rz)
WARPUP_ROUNDED(ru)
WARPUP_ROUNDED(rd)
#undef WARPUP_ROUNDED

/* Conversions: __float2int_rd, __ull2double_rn … */
#define WARPUP_CONVERTED(name, I, mode, rounded)                                                   \
    WARPUP_1(I, __float2##name##_##mode, float, rounded##f(x))                                     \
    WARPUP_1(I, __double2##name##_##mode, double, rounded(x))                                      \
    WARPUP_1(float, __##name##2float_##mode, I, x)                                                 \
    WARPUP_1(double, __##name##2double_##mode, I, x)
#define WARPUP_CONVERSIONS(name, I)                                                                \
    WARPUP_CONVERTED(name, I, rn, rint)                                                            \
    WARPUP_CONVERTED(name, I, rz, trunc)                                                           \
    WARPUP_CONVERTED(name, I, ru, ceil)                                                            \
    WARPUP_CONVERTED(name, I, rd, floor)
WARPUP_CONVERSIONS(int, int)
WARPUP_CONVERSIONS(uint, unsigned int)
WARPUP_CONVERSIONS(ll, long long)
WARPUP_CONVERSIONS(ull, unsigned long long)
#undef WARPUP_CONVERSIONS
#undef WARPUP_CONVERTED

/* Bits */
WARPUP_1(int, __float_as_int, float, __builtin_bit_cast(int, x))
WARPUP_1(unsigned int, __float_as_uint, float, __builtin_bit_cast(unsigned int, x))
WARPUP_1(float, __int_as_float, int, __builtin_bit_cast(float, x))
WARPUP_1(float, __uint_as_float, unsigned int, __builtin_bit_cast(float, x))
WARPUP_1(long long, __double_as_longlong, double, __builtin_bit_cast(long long, x))
WARPUP_1(double, __longlong_as_double, long long, __builtin_bit_cast(double, x))
WARPUP_1(int, __double2loint, double, __builtin_bit_cast(unsigned long long, x) & 0xffffffff)
WARPUP_1(int, __double2hiint, double, __builtin_bit_cast(unsigned long long, x) >> 32)
WARPUP_2(double, __hiloint2double, int,
         __builtin_bit_cast(double, (unsigned long long)(unsigned int)x << 32 | (unsigned int)y))
WARPUP_1(int, __popc, unsigned int, __builtin_popcount(x))
WARPUP_1(int, __popcll, unsigned long long, __builtin_popcountll(x))
WARPUP_1(int, __clz, int, x == 0 ? 32 : __builtin_clz((unsigned int)x))
WARPUP_1(int, __clzll, long long, x == 0 ? 64 : __builtin_clzll((unsigned long long)x))
WARPUP_1(int, __ffs, int, __builtin_ffs(x))
WARPUP_1(int, __ffsll, long long, __builtin_ffsll(x))
WARPUP_INLINE unsigned long long __brevll(unsigned long long x)
{
    x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
    x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f0f0f0f0f) | (x & 0x0f0f0f0f0f0f0f0f) << 4;
    return __builtin_bswap64(x);
}
WARPUP_1(unsigned int, __brev, unsigned int, __brevll(x) >> 32)
WARPUP_INLINE unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift)
{
    return (unsigned int)(((unsigned long long)high << 32 | low) << (shift & 31) >> 32);
}
WARPUP_INLINE unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift)
{
    return (unsigned int)(((unsigned long long)high << 32 | low) >> (shift & 31));
}
WARPUP_INLINE unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift)
{
    return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
WARPUP_INLINE unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift)
{
    return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}
/* Four of the eight bytes of y and x; the selectors' fourth bits are not looked at. */
WARPUP_INLINE unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selectors)
{
    unsigned long long both = (unsigned long long)y << 32 | x;
    unsigned int result = 0;
    for (unsigned int i = 0; i < 4; i++)
        result |= (unsigned int)(both >> 8 * (selectors >> 4 * i & 7) & 0xff) << 8 * i;
    return result;
}

/* Integers */
WARPUP_2(int, mulhi, int, (long long)x *y >> 32)
WARPUP_2(int, __mulhi, int, (long long)x *y >> 32)
WARPUP_2(unsigned int, __umulhi, unsigned int, (unsigned long long)x *y >> 32)
WARPUP_2(long long, __mul64hi, long long, (__int128)x *y >> 64)
WARPUP_2(unsigned long long, __umul64hi, unsigned long long, (unsigned __int128)x *y >> 64)
WARPUP_2(int, __mul24, int, (int)((unsigned)x << 8) / 256 * ((int)((unsigned)y << 8) / 256))
WARPUP_2(unsigned int, __umul24, unsigned int, (x & 0xffffff) * (y & 0xffffff))
WARPUP_2(int, __hadd, int, ((long long)x + y) >> 1)
WARPUP_2(int, __rhadd, int, ((long long)x + y + 1) >> 1)
WARPUP_2(unsigned int, __uhadd, unsigned int, ((unsigned long long)x + y) >> 1)
WARPUP_2(unsigned int, __urhadd, unsigned int, ((unsigned long long)x + y + 1) >> 1)
WARPUP_2(unsigned int, umin, unsigned int, y < x ? y : x)
WARPUP_2(unsigned int, umax, unsigned int, x < y ? y : x)
WARPUP_2(long long, llmin, long long, y < x ? y : x)
WARPUP_2(long long, llmax, long long, x < y ? y : x)
WARPUP_2(unsigned long long, ullmin, unsigned long long, y < x ? y : x)
WARPUP_2(unsigned long long, ullmax, unsigned long long, x < y ? y : x)
WARPUP_INLINE unsigned int __sad(int x, int y, unsigned int z)
{
    return z + (x < y ? (unsigned int)y - (unsigned int)x : (unsigned int)x - (unsigned int)y);
}
WARPUP_INLINE unsigned int __usad(unsigned int x, unsigned int y, unsigned int z)
{
    return z + (x < y ? y - x : x - y);
}

#undef WARPUP_1
#undef WARPUP_2
#undef WARPUP_3

#endif
