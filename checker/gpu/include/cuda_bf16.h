/*
 * cuda_bf16.h: numbers of 16 bits with the exponent of a float, one at a time and in pairs.
 * Arithmetic is done in float and rounded to the nearest even number.
 */
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__

#include "cuda_runtime.h"

struct __align__(2) __nv_bfloat16
{
    unsigned short bits;

    __nv_bfloat16() = default;
    inline __attribute__((always_inline)) __nv_bfloat16(float value)
    {
        unsigned int word = __builtin_bit_cast(unsigned int, value);
        if ((word & 0x7fffffff) > 0x7f800000)
            bits = 0x7fff;
        else
            bits = (unsigned short)((word + 0x7fff + (word >> 16 & 1)) >> 16);
    }
    inline __attribute__((always_inline)) __nv_bfloat16(double value) : __nv_bfloat16((float)value)
    {
    }
    inline __attribute__((always_inline)) __nv_bfloat16(int value) : __nv_bfloat16((float)value)
    {
    }
    inline __attribute__((always_inline)) operator float() const
    {
        return __builtin_bit_cast(float, (unsigned int)bits << 16);
    }
#define WARPUP_CHANGE(op)                                                                          \
    inline __attribute__((always_inline)) __nv_bfloat16 &operator op##=(__nv_bfloat16 other)       \
    {                                                                                              \
        return *this = __nv_bfloat16((float)*this op(float) other);                                \
    }
    WARPUP_CHANGE(+)
    WARPUP_CHANGE(-)
    WARPUP_CHANGE(*)
    WARPUP_CHANGE(/)
#undef WARPUP_CHANGE
};
typedef __nv_bfloat16 nv_bfloat16;

#define WARPUP_ARITHMETIC(op)                                                                      \
    WARPUP_INLINE __nv_bfloat16 operator op(__nv_bfloat16 a, __nv_bfloat16 b)                      \
    {                                                                                              \
        return __nv_bfloat16((float)a op(float) b);                                                \
    }
WARPUP_ARITHMETIC(+)
WARPUP_ARITHMETIC(-)
WARPUP_ARITHMETIC(*)
WARPUP_ARITHMETIC(/)
#undef WARPUP_ARITHMETIC

WARPUP_INLINE __nv_bfloat16 __float2bfloat16(float value)
{
    return __nv_bfloat16(value);
}
WARPUP_INLINE __nv_bfloat16 __float2bfloat16_rn(float value)
{
    return __nv_bfloat16(value);
}
WARPUP_INLINE __nv_bfloat16 __double2bfloat16(double value)
{
    return __nv_bfloat16(value);
}
WARPUP_INLINE float __bfloat162float(__nv_bfloat16 value)
{
    return (float)value;
}

/* ---- pairs ---------------------------------------------------------------------------------- */

struct __align__(4) __nv_bfloat162
{
    __nv_bfloat16 x, y;

    __nv_bfloat162() = default;
    inline __attribute__((always_inline))
    __nv_bfloat162(const __nv_bfloat16 &low, const __nv_bfloat16 &high)
        : x(low), y(high)
    {
    }
};
typedef __nv_bfloat162 nv_bfloat162;

#define WARPUP_1(R, name, T, expression)                                                           \
    WARPUP_INLINE R name(T a)                                                                      \
    {                                                                                              \
        return expression;                                                                         \
    }
#define WARPUP_2(R, name, T, expression)                                                           \
    WARPUP_INLINE R name(T a, T b)                                                                 \
    {                                                                                              \
        return expression;                                                                         \
    }

WARPUP_1(unsigned short, __bfloat16_as_ushort, __nv_bfloat16, a.bits)
WARPUP_1(short, __bfloat16_as_short, __nv_bfloat16, (short)a.bits)
WARPUP_1(__nv_bfloat16, __ushort_as_bfloat16, unsigned short, __builtin_bit_cast(__nv_bfloat16, a))
WARPUP_1(__nv_bfloat16, __short_as_bfloat16, short, __builtin_bit_cast(__nv_bfloat16, a))
WARPUP_1(__nv_bfloat16, __int2bfloat16_rn, int, __nv_bfloat16(a))
WARPUP_1(__nv_bfloat16, __low2bfloat16, __nv_bfloat162, a.x)
WARPUP_1(__nv_bfloat16, __high2bfloat16, __nv_bfloat162, a.y)
WARPUP_1(float, __low2float, __nv_bfloat162, (float)a.x)
WARPUP_1(float, __high2float, __nv_bfloat162, (float)a.y)
WARPUP_1(float2, __bfloat1622float2, __nv_bfloat162, make_float2((float)a.x, (float)a.y))
WARPUP_1(__nv_bfloat162, __bfloat162bfloat162, __nv_bfloat16, __nv_bfloat162(a, a))
WARPUP_2(__nv_bfloat162, __halves2bfloat162, __nv_bfloat16, __nv_bfloat162(a, b))
WARPUP_2(__nv_bfloat162, make_bfloat162, __nv_bfloat16, __nv_bfloat162(a, b))
WARPUP_1(__nv_bfloat162, __float2bfloat162_rn, float, __nv_bfloat162(a, a))
WARPUP_2(__nv_bfloat162, __floats2bfloat162_rn, float, __nv_bfloat162(a, b))
WARPUP_1(__nv_bfloat162, __float22bfloat162_rn, float2, __nv_bfloat162(a.x, a.y))

/* Functions of one and of two numbers, and of both parts of pairs */
#define WARPUP_PAIRS_1(name, name2, expression)                                                    \
    WARPUP_INLINE __nv_bfloat16 name(__nv_bfloat16 a)                                              \
    {                                                                                              \
        const float x = (float)a;                                                                  \
        return __nv_bfloat16((float)(expression));                                                 \
    }                                                                                              \
    WARPUP_INLINE __nv_bfloat162 name2(__nv_bfloat162 a)                                           \
    {                                                                                              \
        return __nv_bfloat162(name(a.x), name(a.y));                                               \
    }
#define WARPUP_PAIRS_2(name, name2, expression)                                                    \
    WARPUP_INLINE __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b)                             \
    {                                                                                              \
        const float x = (float)a, y = (float)b;                                                    \
        return __nv_bfloat16((float)(expression));                                                 \
    }                                                                                              \
    WARPUP_INLINE __nv_bfloat162 name2(__nv_bfloat162 a, __nv_bfloat162 b)                         \
    {                                                                                              \
        return __nv_bfloat162(name(a.x, b.x), name(a.y, b.y));                                     \
    }
WARPUP_PAIRS_2(__hadd, __hadd2, x + y)
WARPUP_PAIRS_2(__hsub, __hsub2, x - y)
WARPUP_PAIRS_2(__hmul, __hmul2, x *y)
WARPUP_PAIRS_2(__hdiv, __h2div, x / y)
WARPUP_PAIRS_2(__hmax, __hmax2, fmaxf(x, y))
WARPUP_PAIRS_2(__hmin, __hmin2, fminf(x, y))
WARPUP_PAIRS_1(__hneg, __hneg2, -x)
WARPUP_PAIRS_1(__habs, __habs2, fabsf(x))
WARPUP_PAIRS_1(hsqrt, h2sqrt, sqrtf(x))
WARPUP_PAIRS_1(hrsqrt, h2rsqrt, 1 / sqrtf(x))
WARPUP_PAIRS_1(hexp, h2exp, expf(x))
WARPUP_PAIRS_1(hlog, h2log, logf(x))
WARPUP_PAIRS_1(htanh, h2tanh, tanhf(x))
#undef WARPUP_PAIRS_1
#undef WARPUP_PAIRS_2

WARPUP_INLINE __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c)
{
    return __nv_bfloat16(fmaf((float)a, (float)b, (float)c));
}
WARPUP_INLINE __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c)
{
    return __nv_bfloat162(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}

#define WARPUP_COMPARED(name, operation)                                                           \
    WARPUP_2(bool, name, __nv_bfloat16, (float)a operation(float) b)
WARPUP_COMPARED(__heq, ==)
WARPUP_COMPARED(__hlt, <)
WARPUP_COMPARED(__hle, <=)
WARPUP_COMPARED(__hgt, >)
WARPUP_COMPARED(__hge, >=)
#undef WARPUP_COMPARED
WARPUP_1(bool, __hisnan, __nv_bfloat16, isnan((float)a))

WARPUP_2(__nv_bfloat162, operator+, __nv_bfloat162, __hadd2(a, b))
WARPUP_2(__nv_bfloat162, operator-, __nv_bfloat162, __hsub2(a, b))
WARPUP_2(__nv_bfloat162, operator*, __nv_bfloat162, __hmul2(a, b))
WARPUP_2(__nv_bfloat162, operator/, __nv_bfloat162, __h2div(a, b))
#undef WARPUP_1
#undef WARPUP_2

WARPUP_SHUFFLE(__nv_bfloat16, uint16_t)
WARPUP_SHUFFLE(__nv_bfloat162, uint32_t)

#endif
