/*
 * cuda_bf16.h: numbers of 16 bits with the exponent of a float. Arithmetic is done in float and
 * rounded once, to the nearest even number.
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

#endif
