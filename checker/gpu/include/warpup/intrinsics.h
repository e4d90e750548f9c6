/*
 * intrinsics.h: arithmetic with a rounding in its name, conversions, bits and integers.
 */
#ifndef WARPUP_INTRINSICS_H
#define WARPUP_INTRINSICS_H

#include "mathematics.h"

/* WARPUP_1(result, name, type, expression in x), then in x and y, in x, y and z */
#define WARPUP_1(R, name, T, expression)                                                           \
    WARPUP_DEVICE R name(T x) { return (R)(expression); }
#define WARPUP_2(R, name, T, expression)                                                           \
    WARPUP_DEVICE R name(T x, T y) { return (R)(expression); }
#define WARPUP_3(R, name, T, expression)                                                           \
    WARPUP_DEVICE R name(T x, T y, T z) { return (R)(expression); }

/* ---- rounding: rn, rz, ru, rd; p and m are the compiler's names for up and down ------------- */

#define WARPUP_ROUNDED(mode, m)                                                                    \
    WARPUP_2(float, __fadd_##mode, float, __nvvm_add_##m##_f(x, y))                                \
    WARPUP_2(float, __fsub_##mode, float, __nvvm_add_##m##_f(x, -y))                               \
    WARPUP_2(float, __fmul_##mode, float, __nvvm_mul_##m##_f(x, y))                                \
    WARPUP_2(float, __fdiv_##mode, float, __nvvm_div_##m##_f(x, y))                                \
    WARPUP_1(float, __frcp_##mode, float, __nvvm_rcp_##m##_f(x))                                   \
    WARPUP_1(float, __fsqrt_##mode, float, __nvvm_sqrt_##m##_f(x))                                 \
    WARPUP_3(float, __fmaf_##mode, float, __nvvm_fma_##m##_f(x, y, z))                             \
    WARPUP_2(double, __dadd_##mode, double, __nvvm_add_##m##_d(x, y))                              \
    WARPUP_2(double, __dsub_##mode, double, __nvvm_add_##m##_d(x, -y))                             \
    WARPUP_2(double, __dmul_##mode, double, __nvvm_mul_##m##_d(x, y))                              \
    WARPUP_2(double, __ddiv_##mode, double, __nvvm_div_##m##_d(x, y))                              \
    WARPUP_1(double, __drcp_##mode, double, __nvvm_rcp_##m##_d(x))                                 \
    WARPUP_1(double, __dsqrt_##mode, double, __nvvm_sqrt_##m##_d(x))                               \
    WARPUP_3(double, __fma_##mode, double, __nvvm_fma_##m##_d(x, y, z))                            \
    WARPUP_1(float, __double2float_##mode, double, __nvvm_d2f_##m(x))                              \
    WARPUP_1(int, __float2int_##mode, float, __nvvm_f2i_##m(x))                                    \
    WARPUP_1(unsigned int, __float2uint_##mode, float, __nvvm_f2ui_##m(x))                         \
    WARPUP_1(long long, __float2ll_##mode, float, __nvvm_f2ll_##m(x))                              \
    WARPUP_1(unsigned long long, __float2ull_##mode, float, __nvvm_f2ull_##m(x))                   \
    WARPUP_1(int, __double2int_##mode, double, __nvvm_d2i_##m(x))                                  \
    WARPUP_1(unsigned int, __double2uint_##mode, double, __nvvm_d2ui_##m(x))                       \
    WARPUP_1(long long, __double2ll_##mode, double, __nvvm_d2ll_##m(x))                            \
    WARPUP_1(unsigned long long, __double2ull_##mode, double, __nvvm_d2ull_##m(x))                 \
    WARPUP_1(float, __int2float_##mode, int, __nvvm_i2f_##m(x))                                    \
    WARPUP_1(float, __uint2float_##mode, unsigned int, __nvvm_ui2f_##m(x))                         \
    WARPUP_1(float, __ll2float_##mode, long long, __nvvm_ll2f_##m(x))                              \
    WARPUP_1(float, __ull2float_##mode, unsigned long long, __nvvm_ull2f_##m(x))                   \
    WARPUP_1(double, __ll2double_##mode, long long, __nvvm_ll2d_##m(x))                            \
    WARPUP_1(double, __ull2double_##mode, unsigned long long, __nvvm_ull2d_##m(x))
WARPUP_ROUNDED(rn, rn)
WARPUP_ROUNDED(rz, rz)
WARPUP_ROUNDED(ru, rp)
WARPUP_ROUNDED(rd, rm)
#undef WARPUP_ROUNDED
WARPUP_1(double, __int2double_rn, int, x)
WARPUP_1(double, __uint2double_rn, unsigned int, x)
WARPUP_1(float, __frsqrt_rn, float, __nvvm_rcp_rn_f(__nvvm_sqrt_rn_f(x)))
WARPUP_1(float, __saturatef, float, __nvvm_saturate_f(x))

/* ---- bits ----------------------------------------------------------------------------------- */

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
WARPUP_1(unsigned int, __brev, unsigned int, __builtin_bitreverse32(x))
WARPUP_1(unsigned long long, __brevll, unsigned long long, __builtin_bitreverse64(x))
WARPUP_1(unsigned short, __nv_bswap16, unsigned short, __builtin_bswap16(x))
WARPUP_1(unsigned int, __nv_bswap32, unsigned int, __builtin_bswap32(x))
WARPUP_1(unsigned long long, __nv_bswap64, unsigned long long, __builtin_bswap64(x))
#define WARPUP_SHIFT(name, ptx)                                                                    \
    WARPUP_DEVICE unsigned int __funnelshift_##name(unsigned int low, unsigned int high,           \
                                                    unsigned int shift)                            \
    {                                                                                              \
        unsigned int result;                                                                       \
        asm("shf." ptx ".b32 %0, %1, %2, %3;" : "=r"(result) : "r"(low), "r"(high), "r"(shift));   \
        return result;                                                                             \
    }
WARPUP_SHIFT(l, "l.wrap")
WARPUP_SHIFT(lc, "l.clamp")
WARPUP_SHIFT(r, "r.wrap")
WARPUP_SHIFT(rc, "r.clamp")
#undef WARPUP_SHIFT
WARPUP_DEVICE unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selectors)
{
    return __nvvm_prmt(x, y, selectors & 0x7777);
}
WARPUP_DEVICE unsigned int __fns(unsigned int mask, unsigned int base, int offset)
{
    unsigned int result;
    asm("fns.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(mask), "r"(base), "r"(offset));
    return result;
}

/* ---- integers ------------------------------------------------------------------------------- */

WARPUP_2(int, mulhi, int, __nvvm_mulhi_i(x, y))
WARPUP_2(int, __mulhi, int, __nvvm_mulhi_i(x, y))
WARPUP_2(unsigned int, umulhi, unsigned int, __nvvm_mulhi_ui(x, y))
WARPUP_2(unsigned int, __umulhi, unsigned int, __nvvm_mulhi_ui(x, y))
WARPUP_2(long long, __mul64hi, long long, __nvvm_mulhi_ll(x, y))
WARPUP_2(unsigned long long, __umul64hi, unsigned long long, __nvvm_mulhi_ull(x, y))
WARPUP_2(long long, mul64hi, long long, __nvvm_mulhi_ll(x, y))
WARPUP_2(unsigned long long, umul64hi, unsigned long long, __nvvm_mulhi_ull(x, y))
WARPUP_2(int, __mul24, int, __nvvm_mul24_i(x, y))
WARPUP_2(unsigned int, __umul24, unsigned int, __nvvm_mul24_ui(x, y))
WARPUP_2(int, mul24, int, __nvvm_mul24_i(x, y))
WARPUP_2(unsigned int, umul24, unsigned int, __nvvm_mul24_ui(x, y))
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
WARPUP_DEVICE unsigned int __sad(int x, int y, unsigned int z)
{
    return z + (x < y ? (unsigned int)y - (unsigned int)x : (unsigned int)x - (unsigned int)y);
}
WARPUP_DEVICE unsigned int __usad(unsigned int x, unsigned int y, unsigned int z)
{
    return z + (x < y ? y - x : x - y);
}
#undef WARPUP_1
#undef WARPUP_2
#undef WARPUP_3

/* Products of four bytes, or of two halves of a word with two bytes, added up */
#define WARPUP_DOT(name, ptx, A, B, T)                                                             \
    WARPUP_DEVICE T name(A a, B b, T c)                                                            \
    {                                                                                              \
        T result;                                                                                  \
        asm(ptx " %0, %1, %2, %3;"                                                                 \
            : "=r"(result)                                                                         \
            : "r"(__builtin_bit_cast(unsigned int, a)), "r"(__builtin_bit_cast(unsigned int, b)),  \
              "r"(c));                                                                             \
        return result;                                                                             \
    }
WARPUP_DOT(__dp4a, "dp4a.s32.s32", int, int, int)
WARPUP_DOT(__dp4a, "dp4a.u32.u32", unsigned int, unsigned int, unsigned int)
WARPUP_DOT(__dp4a, "dp4a.s32.s32", char4, char4, int)
WARPUP_DOT(__dp4a, "dp4a.u32.u32", uchar4, uchar4, unsigned int)
WARPUP_DOT(__dp2a_lo, "dp2a.lo.s32.s32", int, int, int)
WARPUP_DOT(__dp2a_lo, "dp2a.lo.u32.u32", unsigned int, unsigned int, unsigned int)
WARPUP_DOT(__dp2a_lo, "dp2a.lo.s32.s32", short2, char4, int)
WARPUP_DOT(__dp2a_lo, "dp2a.lo.u32.u32", ushort2, uchar4, unsigned int)
WARPUP_DOT(__dp2a_hi, "dp2a.hi.s32.s32", int, int, int)
WARPUP_DOT(__dp2a_hi, "dp2a.hi.u32.u32", unsigned int, unsigned int, unsigned int)
WARPUP_DOT(__dp2a_hi, "dp2a.hi.s32.s32", short2, char4, int)
WARPUP_DOT(__dp2a_hi, "dp2a.hi.u32.u32", ushort2, uchar4, unsigned int)
#undef WARPUP_DOT

#endif
