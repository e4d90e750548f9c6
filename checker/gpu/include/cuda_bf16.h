/*
 * cuda_bf16.h: numbers of 16 bits, of which 8 are significant: the upper half of a float. One at a
 * time and in pairs. warpup/small_floats.h has the types and their functions.
 */
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__

#include "warpup/rounding.h"

#define __CUDA_BF16_TYPES_EXIST__

namespace warpup
{
template <rounding_mode mode> WARPUP_BOTH unsigned short bfloat16_from(float x)
{
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 800
    unsigned short bits;
    if constexpr (mode == mode_rn)
        asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(x));
    else if constexpr (mode == mode_rz)
        asm("cvt.rz.bf16.f32 %0, %1;" : "=h"(bits) : "f"(x));
    else
        bits = bfloat16_bits(x, mode);
    return bits;
#else
    return bfloat16_bits(x, mode);
#endif
}
WARPUP_BOTH float bfloat16_to(unsigned short bits)
{
    return __builtin_bit_cast(float, (unsigned int)bits << 16);
}
} // namespace warpup

#define WARPUP_SMALL           __nv_bfloat16
#define WARPUP_NAME            bfloat16
#define WARPUP_PTX             "bf16"
#define WARPUP_ONE             0x3f80
#define WARPUP_CONVERTED(from) ::warpup::bfloat16_##from
#ifdef __CUDA_ARCH__
#    define WARPUP_HAS_SUMS    (__CUDA_ARCH__ >= 900)
#    define WARPUP_HAS_FMA     (__CUDA_ARCH__ >= 800)
#    define WARPUP_HAS_MINIMUM (__CUDA_ARCH__ >= 800)
#endif
#include "warpup/small_floats.h"

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define CUDART_INF_BF16        __ushort_as_bfloat16(0x7f80)
#define CUDART_NAN_BF16        __ushort_as_bfloat16(0x7fff)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(0x0001)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7f7f)
#define CUDART_NEG_ZERO_BF16   __ushort_as_bfloat16(0x8000)
#define CUDART_ZERO_BF16       __ushort_as_bfloat16(0x0000)
#define CUDART_ONE_BF16        __ushort_as_bfloat16(0x3f80)

#endif
