/*
 * cuda_fp16.h: numbers of 16 bits, of which 11 are significant, one at a time and in pairs. As in
 * NVIDIA's header, every number converts to a half implicitly, and back. So an expression that is
 * ambiguous for nvcc is ambiguous here. warpup/small_floats.h has the types and their functions.
 */
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__

#include "warpup/rounding.h"

#define __CUDA_FP16_TYPES_EXIST__

namespace warpup
{
template <rounding_mode mode> WARPUP_BOTH unsigned short half_from(float x)
{
#ifdef __CUDA_ARCH__
    unsigned short bits;
    if constexpr (mode == mode_rn)
        asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
    else if constexpr (mode == mode_rz)
        asm("cvt.rz.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
    else if constexpr (mode == mode_rm)
        asm("cvt.rm.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
    else
        asm("cvt.rp.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
    return bits;
#else
    return half_bits(x, mode);
#endif
}
WARPUP_BOTH float half_to(unsigned short bits)
{
#ifdef __CUDA_ARCH__
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
    return x;
#else
    return half_value(bits);
#endif
}
} // namespace warpup

#define WARPUP_SMALL           __half
#define WARPUP_NAME            half
#define WARPUP_PTX             "f16"
#define WARPUP_ONE             0x3c00
#define WARPUP_CONVERTED(from) ::warpup::half_##from
#ifdef __CUDA_ARCH__
#    define WARPUP_HAS_SUMS       1
#    define WARPUP_HAS_SATURATION 1
#    define WARPUP_HAS_FMA        1
#    define WARPUP_HAS_MINIMUM    (__CUDA_ARCH__ >= 800)
#endif
#include "warpup/small_floats.h"

typedef __half half, nv_half, __nv_half;
typedef __half2 half2, nv_half2, __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;

#define CUDART_INF_FP16        __ushort_as_half(0x7c00)
#define CUDART_NAN_FP16        __ushort_as_half(0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bff)
#define CUDART_NEG_ZERO_FP16   __ushort_as_half(0x8000)
#define CUDART_ZERO_FP16       __ushort_as_half(0x0000)
#define CUDART_ONE_FP16        __ushort_as_half(0x3c00)

#endif
