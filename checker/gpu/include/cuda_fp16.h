/*
 * cuda_fp16.h: numbers of 16 bits, one at a time and in pairs. Arithmetic is done in double and
 * rounded once (half.c). That gives the half nearest to the exact result: a double has more than
 * twice a half's digits and two more. a * b + c is inexact in double only if one of the two terms
 * is far too small to change the half of the other. Nothing here reads or writes memory, except the
 * atomics. Pairs are split and joined in registers.
 */
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__

#include "warpup/half.h"

/* ---- bits and pairs ------------------------------------------------------------------------- */

#define WARPUP_1(R, name, T, expression)                                                           \
    WARPUP_INLINE R name(const T &a)                                                               \
    {                                                                                              \
        return expression;                                                                         \
    }
#define WARPUP_2(R, name, T, expression)                                                           \
    WARPUP_INLINE R name(const T &a, const T &b)                                                   \
    {                                                                                              \
        return expression;                                                                         \
    }

WARPUP_1(unsigned short, __half_as_ushort, __half, __half_raw(a).x)
WARPUP_1(short, __half_as_short, __half, (short)__half_raw(a).x)
WARPUP_1(__half, __ushort_as_half, unsigned short, __half(__half_raw{a}))
WARPUP_1(__half, __short_as_half, short, __half(__half_raw{(unsigned short)a}))

namespace warpup
{
WARPUP_1(unsigned int, bits, __half2, __builtin_bit_cast(unsigned int, a))
WARPUP_1(__half2, pair, unsigned int, __builtin_bit_cast(__half2, a))
WARPUP_1(double, value, __half, warpup_half_value(__half_as_ushort(a)))
WARPUP_1(__half, nearest, double, __ushort_as_half(warpup_half(a, WARPUP_NEAREST)))
} // namespace warpup

WARPUP_1(__half, __low2half, __half2, __ushort_as_half((unsigned short)warpup::bits(a)))
WARPUP_1(__half, __high2half, __half2, __ushort_as_half((unsigned short)(warpup::bits(a) >> 16)))
WARPUP_2(__half2, __halves2half2, __half,
         warpup::pair(__half_as_ushort(a) | (unsigned int)__half_as_ushort(b) << 16))
WARPUP_2(__half2, make_half2, __half, __halves2half2(a, b))
WARPUP_1(__half2, __half2half2, __half, __halves2half2(a, a))
WARPUP_1(__half2, __low2half2, __half2, __half2half2(__low2half(a)))
WARPUP_1(__half2, __high2half2, __half2, __half2half2(__high2half(a)))
WARPUP_1(__half2, __lowhigh2highlow, __half2, __halves2half2(__high2half(a), __low2half(a)))
WARPUP_2(__half2, __lows2half2, __half2, __halves2half2(__low2half(a), __low2half(b)))
WARPUP_2(__half2, __highs2half2, __half2, __halves2half2(__high2half(a), __high2half(b)))

/* ---- conversions ---------------------------------------------------------------------------- */

WARPUP_1(__half, __float2half, float, warpup::nearest(a))
WARPUP_1(__half, __double2half, double, warpup::nearest(a))
WARPUP_1(float, __half2float, __half, (float)warpup::value(a))
WARPUP_1(float, __low2float, __half2, __half2float(__low2half(a)))
WARPUP_1(float, __high2float, __half2, __half2float(__high2half(a)))
WARPUP_1(float2, __half22float2, __half2, make_float2(__low2float(a), __high2float(a)))
WARPUP_1(__half2, __float2half2_rn, float, __half2half2(__float2half(a)))
WARPUP_2(__half2, __floats2half2_rn, float, __halves2half2(__float2half(a), __float2half(b)))
WARPUP_1(__half2, __float22half2_rn, float2, __floats2half2_rn(a.x, a.y))

/* To and from an integer type, with one rounding. Integers that double does not hold exactly are
 * larger than any half. To an integer NVIDIA lets the host cut off only. */
#define WARPUP_TO_HALF(name, I, mode, rounding)                                                    \
    WARPUP_1(__half, __##name##2half_##mode, I, __ushort_as_half(warpup_half((double)a, rounding)))
#define WARPUP_FROM_HALF(side, name, I, mode, rounded)                                             \
    side WARPUP_1(I, __half2##name##_##mode, __half,                                               \
                  warpup::whole(rounded(warpup::value(a)), warpup::no_number<I>()))
#define WARPUP_CONVERSIONS(name, I)                                                                \
    WARPUP_TO_HALF(name, I, rn, WARPUP_NEAREST)                                                    \
    WARPUP_TO_HALF(name, I, rz, WARPUP_TO_ZERO)                                                    \
    WARPUP_TO_HALF(name, I, rd, WARPUP_DOWN_ONLY)                                                  \
    WARPUP_TO_HALF(name, I, ru, WARPUP_UP_ONLY)                                                    \
    WARPUP_FROM_HALF(__device__, name, I, rn, rint)                                                \
    WARPUP_FROM_HALF(, name, I, rz, trunc)                                                         \
    WARPUP_FROM_HALF(__device__, name, I, rd, floor)                                               \
    WARPUP_FROM_HALF(__device__, name, I, ru, ceil)
WARPUP_CONVERSIONS(short, short)
WARPUP_CONVERSIONS(ushort, unsigned short)
WARPUP_CONVERSIONS(int, int)
WARPUP_CONVERSIONS(uint, unsigned int)
WARPUP_CONVERSIONS(ll, long long)
WARPUP_CONVERSIONS(ull, unsigned long long)
#undef WARPUP_CONVERSIONS
#undef WARPUP_FROM_HALF
#undef WARPUP_TO_HALF
WARPUP_1(signed char, __half2char_rz, __half, (signed char)a)
WARPUP_1(unsigned char, __half2uchar_rz, __half, (unsigned char)a)
WARPUP_1(__half, __float2half_rn, float, __float2half(a))
WARPUP_1(__half, __float2half_rz, float, __ushort_as_half(warpup_half(a, WARPUP_TO_ZERO)))
WARPUP_1(__half, __float2half_rd, float, __ushort_as_half(warpup_half(a, WARPUP_DOWN_ONLY)))
WARPUP_1(__half, __float2half_ru, float, __ushort_as_half(warpup_half(a, WARPUP_UP_ONLY)))

/* ---- arithmetic and functions --------------------------------------------------------------- */

namespace warpup
{
WARPUP_1(double, saturated, double, fmin(fmax(a, 0.0), 1.0)) /* 0 for a NaN */
WARPUP_1(double, positive, double, a < 0 ? 0.0 : a)
/* The number of two that are not both; +0 is larger than -0. */
WARPUP_2(double, larger, double, a > b || b != b || (a == b && signbit(b)) ? a : b)
WARPUP_2(double, smaller, double, -larger(-a, -b))
WARPUP_2(double, larger_or_nan, double, isunordered(a, b) ? NAN : larger(a, b))
WARPUP_2(double, smaller_or_nan, double, isunordered(a, b) ? NAN : smaller(a, b))
} // namespace warpup

/* WARPUP_HALVES_1(name, name2, expression in x): for a half, and for both halves of a pair; then in
 * x and y, in x, y and z. All are numbers in double. */
#define WARPUP_HALVES_1(name, name2, expression)                                                   \
    WARPUP_INLINE __half name(const __half &a)                                                     \
    {                                                                                              \
        const double x = warpup::value(a);                                                         \
        return warpup::nearest(expression);                                                        \
    }                                                                                              \
    WARPUP_INLINE __half2 name2(const __half2 &a)                                                  \
    {                                                                                              \
        return __halves2half2(name(__low2half(a)), name(__high2half(a)));                          \
    }
#define WARPUP_HALVES_2(name, name2, expression)                                                   \
    WARPUP_INLINE __half name(const __half &a, const __half &b)                                    \
    {                                                                                              \
        const double x = warpup::value(a), y = warpup::value(b);                                   \
        return warpup::nearest(expression);                                                        \
    }                                                                                              \
    WARPUP_INLINE __half2 name2(const __half2 &a, const __half2 &b)                                \
    {                                                                                              \
        return __halves2half2(name(__low2half(a), __low2half(b)),                                  \
                              name(__high2half(a), __high2half(b)));                               \
    }
#define WARPUP_HALVES_3(name, name2, expression)                                                   \
    WARPUP_INLINE __half name(const __half &a, const __half &b, const __half &c)                   \
    {                                                                                              \
        const double x = warpup::value(a), y = warpup::value(b), z = warpup::value(c);             \
        return warpup::nearest(expression);                                                        \
    }                                                                                              \
    WARPUP_INLINE __half2 name2(const __half2 &a, const __half2 &b, const __half2 &c)              \
    {                                                                                              \
        return __halves2half2(name(__low2half(a), __low2half(b), __low2half(c)),                   \
                              name(__high2half(a), __high2half(b), __high2half(c)));               \
    }

WARPUP_HALVES_2(__hadd, __hadd2, x + y)
WARPUP_HALVES_2(__hsub, __hsub2, x - y)
WARPUP_HALVES_2(__hmul, __hmul2, x *y)
WARPUP_HALVES_2(__hdiv, __h2div, x / y)
WARPUP_HALVES_2(__hadd_rn, __hadd2_rn, x + y)
WARPUP_HALVES_2(__hsub_rn, __hsub2_rn, x - y)
WARPUP_HALVES_2(__hmul_rn, __hmul2_rn, x *y)
WARPUP_HALVES_2(__hadd_sat, __hadd2_sat, warpup::saturated(x + y))
WARPUP_HALVES_2(__hsub_sat, __hsub2_sat, warpup::saturated(x - y))
WARPUP_HALVES_2(__hmul_sat, __hmul2_sat, warpup::saturated(x *y))
WARPUP_HALVES_3(__hfma, __hfma2, x *y + z)
WARPUP_HALVES_3(__hfma_sat, __hfma2_sat, warpup::saturated(x *y + z))
WARPUP_HALVES_3(__hfma_relu, __hfma2_relu, warpup::positive(x *y + z))
WARPUP_HALVES_1(__hneg, __hneg2, -x)
WARPUP_HALVES_1(__habs, __habs2, fabs(x))
WARPUP_HALVES_2(__hmax, __hmax2, warpup::larger(x, y))
WARPUP_HALVES_2(__hmin, __hmin2, warpup::smaller(x, y))
WARPUP_HALVES_2(__hmax_nan, __hmax2_nan, warpup::larger_or_nan(x, y))
WARPUP_HALVES_2(__hmin_nan, __hmin2_nan, warpup::smaller_or_nan(x, y))

WARPUP_HALVES_1(hsqrt, h2sqrt, sqrt(x))
WARPUP_HALVES_1(hrsqrt, h2rsqrt, 1 / sqrt(x))
WARPUP_HALVES_1(hrcp, h2rcp, 1 / x)
WARPUP_HALVES_1(hexp, h2exp, exp(x))
WARPUP_HALVES_1(hexp2, h2exp2, exp2(x))
WARPUP_HALVES_1(hexp10, h2exp10, exp10(x))
WARPUP_HALVES_1(hlog, h2log, log(x))
WARPUP_HALVES_1(hlog2, h2log2, log2(x))
WARPUP_HALVES_1(hlog10, h2log10, log10(x))
WARPUP_HALVES_1(hsin, h2sin, sin(x))
WARPUP_HALVES_1(hcos, h2cos, cos(x))
WARPUP_HALVES_1(htanh, h2tanh, tanh(x))
WARPUP_HALVES_1(htanh_approx, h2tanh_approx, tanh(x))
WARPUP_HALVES_1(hrint, h2rint, rint(x))
WARPUP_HALVES_1(htrunc, h2trunc, trunc(x))
WARPUP_HALVES_1(hfloor, h2floor, floor(x))
WARPUP_HALVES_1(hceil, h2ceil, ceil(x))
#undef WARPUP_HALVES_1
#undef WARPUP_HALVES_2
#undef WARPUP_HALVES_3

/* (a.x + i a.y) (b.x + i b.y) + c, in four steps, each rounded */
WARPUP_INLINE __half2 __hcmadd(const __half2 &a, const __half2 &b, const __half2 &c)
{
    __half2 sum = __hfma2(__low2half2(a), b, c);
    __half2 turned = __halves2half2(__hneg(__high2half(b)), __low2half(b));
    return __hfma2(__high2half2(a), turned, sum);
}

/* ---- comparisons ---------------------------------------------------------------------------- */

WARPUP_1(bool, __hisnan, __half, isnan(warpup::value(a)))
WARPUP_1(int, __hisinf, __half, isinf(warpup::value(a)) ? (warpup::value(a) < 0 ? -1 : 1) : 0)
WARPUP_1(__half2, __hisnan2, __half2,
         __halves2half2((int)__hisnan(__low2half(a)), (int)__hisnan(__high2half(a))))

/* For NaNs the plain form is false and the u form true. Of pairs: 1 or 0 for each, all bits or none
 * for each, or whether both are so. */
#define WARPUP_COMPARISON(form, holds)                                                             \
    WARPUP_2(bool, __h##form, __half, holds(warpup::value(a), warpup::value(b)))                   \
    WARPUP_2(__half2, __h##form##2, __half2,                                                       \
             __halves2half2((int)__h##form(__low2half(a), __low2half(b)),                          \
                            (int)__h##form(__high2half(a), __high2half(b))))                       \
    WARPUP_2(unsigned int, __h##form##2_mask, __half2,                                             \
             (__h##form(__low2half(a), __low2half(b)) ? 0xffffu : 0) |                             \
                 (__h##form(__high2half(a), __high2half(b)) ? 0xffff0000u : 0))                    \
    WARPUP_2(bool, __hb##form##2, __half2, __h##form##2_mask(a, b) == 0xffffffff)
#define WARPUP_COMPARISONS(name, operation)                                                        \
    namespace warpup                                                                               \
    {                                                                                              \
    WARPUP_2(bool, name, double, !isunordered(a, b) && a operation b)                              \
    WARPUP_2(bool, name##u, double, isunordered(a, b) || a operation b)                            \
    }                                                                                              \
    WARPUP_COMPARISON(name, warpup::name)                                                          \
    WARPUP_COMPARISON(name##u, warpup::name##u)
WARPUP_COMPARISONS(eq, ==)
WARPUP_COMPARISONS(ne, !=)
WARPUP_COMPARISONS(lt, <)
WARPUP_COMPARISONS(le, <=)
WARPUP_COMPARISONS(gt, >)
WARPUP_COMPARISONS(ge, >=)
#undef WARPUP_COMPARISONS
#undef WARPUP_COMPARISON
#undef WARPUP_1
#undef WARPUP_2

/* ---- operators ------------------------------------------------------------------------------ */

#define WARPUP_OPERATOR(H, operation, name)                                                        \
    WARPUP_INLINE H operator operation(const H &a, const H &b)                                     \
    {                                                                                              \
        return name(a, b);                                                                         \
    }                                                                                              \
    WARPUP_INLINE H &operator operation##=(H &a, const H &b)                                       \
    {                                                                                              \
        return a = name(a, b);                                                                     \
    }
#define WARPUP_STEP(H, operation, name, one)                                                       \
    WARPUP_INLINE H &operator operation(H &a)                                                      \
    {                                                                                              \
        return a = name(a, one);                                                                   \
    }                                                                                              \
    WARPUP_INLINE H operator operation(H &a, int)                                                  \
    {                                                                                              \
        const H before = a;                                                                        \
        a = name(a, one);                                                                          \
        return before;                                                                             \
    }
#define WARPUP_SIGN(H, operation, result)                                                          \
    WARPUP_INLINE H operator operation(const H &a)                                                 \
    {                                                                                              \
        return result;                                                                             \
    }
#define WARPUP_COMPARED(H, operation, name)                                                        \
    WARPUP_INLINE bool operator operation(const H &a, const H &b)                                  \
    {                                                                                              \
        return name(a, b);                                                                         \
    }
#define WARPUP_OPERATORS(H, add, sub, mul, div, neg, one)                                          \
    WARPUP_OPERATOR(H, +, add)                                                                     \
    WARPUP_OPERATOR(H, -, sub)                                                                     \
    WARPUP_OPERATOR(H, *, mul)                                                                     \
    WARPUP_OPERATOR(H, /, div)                                                                     \
    WARPUP_STEP(H, ++, add, one)                                                                   \
    WARPUP_STEP(H, --, sub, one)                                                                   \
    WARPUP_SIGN(H, +, a)                                                                           \
    WARPUP_SIGN(H, -, neg(a))
WARPUP_OPERATORS(__half, __hadd, __hsub, __hmul, __hdiv, __hneg, __float2half(1))
WARPUP_COMPARED(__half, ==, __heq)
WARPUP_COMPARED(__half, !=, __hneu)
WARPUP_COMPARED(__half, <, __hlt)
WARPUP_COMPARED(__half, <=, __hle)
WARPUP_COMPARED(__half, >, __hgt)
WARPUP_COMPARED(__half, >=, __hge)
WARPUP_OPERATORS(__half2, __hadd2, __hsub2, __hmul2, __h2div, __hneg2, __float2half2_rn(1))
WARPUP_COMPARED(__half2, ==, __hbeq2)
WARPUP_COMPARED(__half2, !=, __hbneu2)
WARPUP_COMPARED(__half2, <, __hblt2)
WARPUP_COMPARED(__half2, <=, __hble2)
WARPUP_COMPARED(__half2, >, __hbgt2)
WARPUP_COMPARED(__half2, >=, __hbge2)
#undef WARPUP_OPERATORS
#undef WARPUP_COMPARED
#undef WARPUP_SIGN
#undef WARPUP_STEP
#undef WARPUP_OPERATOR

/* ---- with memory and with other lanes ------------------------------------------------------- */

WARPUP_INLINE __half atomicAdd(__half *at, __half value)
{
    return __ushort_as_half(warpup_atomic_half(at, __half_as_ushort(value)));
}
WARPUP_INLINE __half2 atomicAdd(__half2 *at, __half2 value)
{
    return warpup::pair(warpup_atomic_half2(at, warpup::bits(value)));
}

WARPUP_SHUFFLE(__half, uint16_t)
WARPUP_SHUFFLE(__half2, uint32_t)

/* ---- constants ------------------------------------------------------------------------------ */

#define CUDART_INF_FP16        __ushort_as_half(0x7c00)
#define CUDART_NAN_FP16        __ushort_as_half(0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bff)
#define CUDART_NEG_ZERO_FP16   __ushort_as_half(0x8000)
#define CUDART_ZERO_FP16       __ushort_as_half(0x0000)
#define CUDART_ONE_FP16        __ushort_as_half(0x3c00)

#endif
