/*
 * small_floats.h: the functions of cuda_fp16.h and of cuda_bf16.h, which include this file once
 * each. Before, they define: WARPUP_SMALL, the type; WARPUP_NAME, its part of CUDA's names (half,
 * bfloat16); WARPUP_PTX, the type in PTX; WARPUP_ONE, the bits of 1; WARPUP_CONVERTED(x), a
 * function that converts bits to a float or, rounded, from one; and WARPUP_HAS_…, which
 * instructions the GPU has for the type. In kernels arithmetic is PTX where the GPU has
 * instructions for the type; otherwise it is done in float, and on the host in double, and rounded
 * once. That gives the nearest number: both have twice as many digits and two more.
 */
#define WARPUP_JOINED(a, b, c) a##b##c
#define WARPUP_JOIN(a, b, c)   WARPUP_JOINED(a, b, c)
#define WARPUP_N(a, b)         WARPUP_JOIN(a, WARPUP_NAME, b)
#define WARPUP_PTX2            WARPUP_PTX "x2"
#define WARPUP_PAIR            WARPUP_JOIN(WARPUP_SMALL, , 2)

#include "small_types.h"

#define WARPUP_BITS(h)  __builtin_bit_cast(unsigned short, h)
#define WARPUP_VALUE(h) WARPUP_CONVERTED(to)(WARPUP_BITS(h))
#define WARPUP_OF_FLOAT(f, mode)                                                                   \
    __builtin_bit_cast(WARPUP_SMALL, WARPUP_CONVERTED(from) < ::warpup::mode_##mode > (f))

#define WARPUP_1(R, name, T, expression)                                                           \
    WARPUP_BOTH R name(const T a) { return expression; }
#define WARPUP_2(R, name, T, expression)                                                           \
    WARPUP_BOTH R name(const T a, const T b) { return expression; }

/* ---- bits and pairs ------------------------------------------------------------------------- */

WARPUP_1(unsigned short, WARPUP_N(__, _as_ushort), WARPUP_SMALL, WARPUP_BITS(a))
WARPUP_1(short, WARPUP_N(__, _as_short), WARPUP_SMALL, (short)WARPUP_BITS(a))
WARPUP_1(WARPUP_SMALL, WARPUP_N(__ushort_as_, ), unsigned short,
         __builtin_bit_cast(WARPUP_SMALL, a))
WARPUP_1(WARPUP_SMALL, WARPUP_N(__short_as_, ), short, __builtin_bit_cast(WARPUP_SMALL, a))

namespace warpup
{
WARPUP_1(unsigned int, pair_bits, WARPUP_PAIR, __builtin_bit_cast(unsigned int, a))
WARPUP_1(WARPUP_PAIR, WARPUP_N(pair_of_, ), unsigned int, __builtin_bit_cast(WARPUP_PAIR, a))
} // namespace warpup
#define WARPUP_AS_SMALL WARPUP_N(__ushort_as_, )
#define WARPUP_AS_PAIR  ::warpup::WARPUP_N(pair_of_, )
#define WARPUP_LOW      WARPUP_N(__low2, )
#define WARPUP_HIGH     WARPUP_N(__high2, )
#define WARPUP_JOIN_2   WARPUP_N(__halves2, 2)

WARPUP_1(WARPUP_SMALL, WARPUP_LOW, WARPUP_PAIR, a.x)
WARPUP_1(WARPUP_SMALL, WARPUP_HIGH, WARPUP_PAIR, a.y)
WARPUP_2(WARPUP_PAIR, WARPUP_JOIN_2, WARPUP_SMALL, WARPUP_PAIR(a, b))
WARPUP_2(WARPUP_PAIR, WARPUP_N(make_, 2), WARPUP_SMALL, WARPUP_PAIR(a, b))
WARPUP_1(WARPUP_PAIR, WARPUP_JOIN(WARPUP_N(__, 2), WARPUP_NAME, 2), WARPUP_SMALL, WARPUP_PAIR(a, a))
WARPUP_1(WARPUP_PAIR, WARPUP_N(__low2, 2), WARPUP_PAIR, WARPUP_PAIR(a.x, a.x))
WARPUP_1(WARPUP_PAIR, WARPUP_N(__high2, 2), WARPUP_PAIR, WARPUP_PAIR(a.y, a.y))
WARPUP_1(WARPUP_PAIR, __lowhigh2highlow, WARPUP_PAIR, WARPUP_PAIR(a.y, a.x))
WARPUP_2(WARPUP_PAIR, WARPUP_N(__lows2, 2), WARPUP_PAIR, WARPUP_PAIR(a.x, b.x))
WARPUP_2(WARPUP_PAIR, WARPUP_N(__highs2, 2), WARPUP_PAIR, WARPUP_PAIR(a.y, b.y))

/* ---- conversions ---------------------------------------------------------------------------- */

WARPUP_1(WARPUP_SMALL, WARPUP_N(__float2, ), float, WARPUP_OF_FLOAT(a, rn))
WARPUP_1(WARPUP_SMALL, WARPUP_N(__float2, _rn), float, WARPUP_OF_FLOAT(a, rn))
WARPUP_1(WARPUP_SMALL, WARPUP_N(__float2, _rz), float, WARPUP_OF_FLOAT(a, rz))
WARPUP_1(WARPUP_SMALL, WARPUP_N(__float2, _rd), float, WARPUP_OF_FLOAT(a, rm))
WARPUP_1(WARPUP_SMALL, WARPUP_N(__float2, _ru), float, WARPUP_OF_FLOAT(a, rp))
WARPUP_1(WARPUP_SMALL, WARPUP_N(__double2, ), double, WARPUP_OF_FLOAT(::warpup::odd(a), rn))
WARPUP_1(float, WARPUP_N(__, 2float), WARPUP_SMALL, WARPUP_VALUE(a))
WARPUP_1(float, __low2float, WARPUP_PAIR, WARPUP_VALUE(a.x))
WARPUP_1(float, __high2float, WARPUP_PAIR, WARPUP_VALUE(a.y))
WARPUP_1(float2, WARPUP_N(__, 22float2), WARPUP_PAIR,
         make_float2(WARPUP_VALUE(a.x), WARPUP_VALUE(a.y)))
WARPUP_BOTH WARPUP_PAIR WARPUP_N(__floats2, 2_rn)(float a, float b)
{
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 800
    unsigned int pair;
    asm("cvt.rn." WARPUP_PTX2 ".f32 %0, %1, %2;" : "=r"(pair) : "f"(b), "f"(a));
    return WARPUP_AS_PAIR(pair);
#else
    return WARPUP_PAIR(WARPUP_OF_FLOAT(a, rn), WARPUP_OF_FLOAT(b, rn));
#endif
}
WARPUP_BOTH WARPUP_PAIR WARPUP_N(__float2, 2_rn)(float a)
{
    WARPUP_SMALL one = WARPUP_OF_FLOAT(a, rn);
    return WARPUP_PAIR(one, one);
}
WARPUP_BOTH WARPUP_PAIR WARPUP_N(__float22, 2_rn)(float2 a)
{
    return WARPUP_N(__floats2, 2_rn)(a.x, a.y);
}

/* To and from integers, with one rounding. To an integer the host can only cut off. */
#define WARPUP_OF_INTEGER(I, name)                                                                 \
    WARPUP_1(WARPUP_SMALL, WARPUP_N(__##name##2, _rn), I, WARPUP_OF_FLOAT(::warpup::odd(a), rn))   \
    WARPUP_1(WARPUP_SMALL, WARPUP_N(__##name##2, _rz), I, WARPUP_OF_FLOAT(::warpup::odd(a), rz))   \
    WARPUP_1(WARPUP_SMALL, WARPUP_N(__##name##2, _rd), I, WARPUP_OF_FLOAT(::warpup::odd(a), rm))   \
    WARPUP_1(WARPUP_SMALL, WARPUP_N(__##name##2, _ru), I, WARPUP_OF_FLOAT(::warpup::odd(a), rp))
WARPUP_OF_INTEGER(short, short)
WARPUP_OF_INTEGER(unsigned short, ushort)
WARPUP_OF_INTEGER(int, int)
WARPUP_OF_INTEGER(unsigned int, uint)
WARPUP_OF_INTEGER(long long, ll)
WARPUP_OF_INTEGER(unsigned long long, ull)
#undef WARPUP_OF_INTEGER
#define WARPUP_TO_INTEGER(I, name)                                                                 \
    WARPUP_1(I, WARPUP_N(__, 2##name##_rz), WARPUP_SMALL,                                          \
             ::warpup::to_integer<I>(WARPUP_VALUE(a)))                                             \
    WARPUP_DEVICE I WARPUP_N(__, 2##name##_rn)(const WARPUP_SMALL a)                               \
    {                                                                                              \
        return ::warpup::to_integer<I>(__builtin_rintf(WARPUP_VALUE(a)));                          \
    }                                                                                              \
    WARPUP_DEVICE I WARPUP_N(__, 2##name##_rd)(const WARPUP_SMALL a)                               \
    {                                                                                              \
        return ::warpup::to_integer<I>(__builtin_floorf(WARPUP_VALUE(a)));                         \
    }                                                                                              \
    WARPUP_DEVICE I WARPUP_N(__, 2##name##_ru)(const WARPUP_SMALL a)                               \
    {                                                                                              \
        return ::warpup::to_integer<I>(__builtin_ceilf(WARPUP_VALUE(a)));                          \
    }
WARPUP_TO_INTEGER(short, short)
WARPUP_TO_INTEGER(unsigned short, ushort)
WARPUP_TO_INTEGER(int, int)
WARPUP_TO_INTEGER(unsigned int, uint)
WARPUP_TO_INTEGER(long long, ll)
WARPUP_TO_INTEGER(unsigned long long, ull)
#undef WARPUP_TO_INTEGER
WARPUP_1(signed char, WARPUP_N(__, 2char_rz), WARPUP_SMALL,
         ::warpup::to_integer<signed char>(WARPUP_VALUE(a)))
WARPUP_1(unsigned char, WARPUP_N(__, 2uchar_rz), WARPUP_SMALL,
         ::warpup::to_integer<unsigned char>(WARPUP_VALUE(a)))

/* ---- arithmetic ----------------------------------------------------------------------------- */

/* WARPUP_DONE_N(name, name2, expression of wide numbers x, y, z): one number, and both of a pair */
#ifdef __CUDA_ARCH__
#    define WARPUP_WIDE float
#else
#    define WARPUP_WIDE double
#endif
#define WARPUP_NEAREST(x) WARPUP_OF_FLOAT(::warpup::odd((WARPUP_WIDE)(x)), rn)
#define WARPUP_DONE_1(name, name2, expression)                                                     \
    WARPUP_BOTH WARPUP_SMALL name(const WARPUP_SMALL a)                                            \
    {                                                                                              \
        const WARPUP_WIDE x = WARPUP_VALUE(a);                                                     \
        return WARPUP_NEAREST(expression);                                                         \
    }                                                                                              \
    WARPUP_1(WARPUP_PAIR, name2, WARPUP_PAIR, WARPUP_PAIR(name(a.x), name(a.y)))
#define WARPUP_DONE_2(name, name2, expression)                                                     \
    WARPUP_BOTH WARPUP_SMALL name(const WARPUP_SMALL a, const WARPUP_SMALL b)                      \
    {                                                                                              \
        const WARPUP_WIDE x = WARPUP_VALUE(a), y = WARPUP_VALUE(b);                                \
        return WARPUP_NEAREST(expression);                                                         \
    }                                                                                              \
    WARPUP_2(WARPUP_PAIR, name2, WARPUP_PAIR, WARPUP_PAIR(name(a.x, b.x), name(a.y, b.y)))
#define WARPUP_DONE_3(name, name2, expression)                                                     \
    WARPUP_BOTH WARPUP_SMALL name(const WARPUP_SMALL a, const WARPUP_SMALL b,                      \
                                  const WARPUP_SMALL c)                                            \
    {                                                                                              \
        const WARPUP_WIDE x = WARPUP_VALUE(a), y = WARPUP_VALUE(b), z = WARPUP_VALUE(c);           \
        return WARPUP_NEAREST(expression);                                                         \
    }                                                                                              \
    WARPUP_BOTH WARPUP_PAIR name2(const WARPUP_PAIR a, const WARPUP_PAIR b, const WARPUP_PAIR c)   \
    {                                                                                              \
        return WARPUP_PAIR(name(a.x, b.x, c.x), name(a.y, b.y, c.y));                              \
    }

/* WARPUP_PTX_N(name, name2, the instruction before its type). WARPUP_ASM_N makes one of the two: H
 * is its type, W the type of its bits in a register of constraint c, `bits` and `of` convert. */
#ifdef __CUDA_ARCH__
#    define WARPUP_ASM_1(H, name, ptx, W, c, bits, of)                                             \
        WARPUP_BOTH H name(const H x)                                                              \
        {                                                                                          \
            W d;                                                                                   \
            asm(ptx " %0, %1;" : "=" c(d) : c(bits(x)));                                           \
            return of(d);                                                                          \
        }
#    define WARPUP_ASM_2(H, name, ptx, W, c, bits, of)                                             \
        WARPUP_BOTH H name(const H x, const H y)                                                   \
        {                                                                                          \
            W d;                                                                                   \
            asm(ptx " %0, %1, %2;" : "=" c(d) : c(bits(x)), c(bits(y)));                           \
            return of(d);                                                                          \
        }
#    define WARPUP_ASM_3(H, name, ptx, W, c, bits, of)                                             \
        WARPUP_BOTH H name(const H x, const H y, const H z)                                        \
        {                                                                                          \
            W d;                                                                                   \
            asm(ptx " %0, %1, %2, %3;" : "=" c(d) : c(bits(x)), c(bits(y)), c(bits(z)));           \
            return of(d);                                                                          \
        }
#    define WARPUP_ASMS(one, name, name2, before)                                                  \
        one(WARPUP_SMALL, name, before WARPUP_PTX, unsigned short, "h", WARPUP_BITS,               \
            WARPUP_AS_SMALL) one(WARPUP_PAIR, name2, before WARPUP_PTX2, unsigned int, "r",        \
                                 ::warpup::pair_bits, WARPUP_AS_PAIR)
#    define WARPUP_PTX_1(name, name2, before) WARPUP_ASMS(WARPUP_ASM_1, name, name2, before)
#    define WARPUP_PTX_2(name, name2, before) WARPUP_ASMS(WARPUP_ASM_2, name, name2, before)
#    define WARPUP_PTX_3(name, name2, before) WARPUP_ASMS(WARPUP_ASM_3, name, name2, before)
#endif

#if WARPUP_HAS_SUMS /* add, sub, mul */
WARPUP_PTX_2(__hadd, __hadd2, "add.")
WARPUP_PTX_2(__hsub, __hsub2, "sub.")
WARPUP_PTX_2(__hmul, __hmul2, "mul.")
WARPUP_PTX_2(__hadd_rn, __hadd2_rn, "add.rn.")
WARPUP_PTX_2(__hsub_rn, __hsub2_rn, "sub.rn.")
WARPUP_PTX_2(__hmul_rn, __hmul2_rn, "mul.rn.")
#else
WARPUP_DONE_2(__hadd, __hadd2, x + y)
WARPUP_DONE_2(__hsub, __hsub2, x - y)
WARPUP_DONE_2(__hmul, __hmul2, x *y)
WARPUP_DONE_2(__hadd_rn, __hadd2_rn, x + y)
WARPUP_DONE_2(__hsub_rn, __hsub2_rn, x - y)
WARPUP_DONE_2(__hmul_rn, __hmul2_rn, x *y)
#endif
#if WARPUP_HAS_SATURATION /* .sat */
WARPUP_PTX_2(__hadd_sat, __hadd2_sat, "add.sat.")
WARPUP_PTX_2(__hsub_sat, __hsub2_sat, "sub.sat.")
WARPUP_PTX_2(__hmul_sat, __hmul2_sat, "mul.sat.")
WARPUP_PTX_3(__hfma_sat, __hfma2_sat, "fma.rn.sat.")
#else
WARPUP_DONE_2(__hadd_sat, __hadd2_sat, ::warpup::saturated(x + y))
WARPUP_DONE_2(__hsub_sat, __hsub2_sat, ::warpup::saturated(x - y))
WARPUP_DONE_2(__hmul_sat, __hmul2_sat, ::warpup::saturated(x *y))
WARPUP_DONE_3(__hfma_sat, __hfma2_sat, ::warpup::saturated(x *y + z))
#endif
#if WARPUP_HAS_FMA
WARPUP_PTX_3(__hfma, __hfma2, "fma.rn.")
WARPUP_PTX_1(__hneg, __hneg2, "neg.")
WARPUP_PTX_1(__habs, __habs2, "abs.")
#else
WARPUP_DONE_3(__hfma, __hfma2, x *y + z)
WARPUP_1(WARPUP_SMALL, __hneg, WARPUP_SMALL, WARPUP_AS_SMALL(WARPUP_BITS(a) ^ 0x8000))
WARPUP_1(WARPUP_PAIR, __hneg2, WARPUP_PAIR, WARPUP_PAIR(__hneg(a.x), __hneg(a.y)))
WARPUP_1(WARPUP_SMALL, __habs, WARPUP_SMALL, WARPUP_AS_SMALL(WARPUP_BITS(a) & 0x7fff))
WARPUP_1(WARPUP_PAIR, __habs2, WARPUP_PAIR, WARPUP_PAIR(__habs(a.x), __habs(a.y)))
#endif
#if WARPUP_HAS_MINIMUM /* of compute capability 8.0 */
WARPUP_PTX_2(__hmax, __hmax2, "max.")
WARPUP_PTX_2(__hmin, __hmin2, "min.")
WARPUP_PTX_2(__hmax_nan, __hmax2_nan, "max.NaN.")
WARPUP_PTX_2(__hmin_nan, __hmin2_nan, "min.NaN.")
WARPUP_PTX_3(__hfma_relu, __hfma2_relu, "fma.rn.relu.")
#else
WARPUP_DONE_2(__hmax, __hmax2, ::warpup::larger(x, y))
WARPUP_DONE_2(__hmin, __hmin2, -::warpup::larger(-x, -y))
WARPUP_DONE_2(__hmax_nan, __hmax2_nan,
              x != x || y != y ? (WARPUP_WIDE)__builtin_nan("") : ::warpup::larger(x, y))
WARPUP_DONE_2(__hmin_nan, __hmin2_nan,
              x != x || y != y ? (WARPUP_WIDE)__builtin_nan("") : -::warpup::larger(-x, -y))
WARPUP_DONE_3(__hfma_relu, __hfma2_relu, ::warpup::positive(x *y + z))
#endif
#undef WARPUP_PTX_1
#undef WARPUP_PTX_3
#undef WARPUP_PTX_2
#undef WARPUP_ASMS
#undef WARPUP_ASM_1
#undef WARPUP_ASM_2
#undef WARPUP_ASM_3

/* Functions: in kernels by the fast ones of float, which are more exact than the type */
#ifdef __CUDA_ARCH__
#    define WARPUP_FLOAT_1(name, name2, in_kernels, on_host)                                       \
        WARPUP_BOTH WARPUP_SMALL name(const WARPUP_SMALL a)                                        \
        {                                                                                          \
            const float x = WARPUP_VALUE(a);                                                       \
            return WARPUP_OF_FLOAT(in_kernels, rn);                                                \
        }                                                                                          \
        WARPUP_1(WARPUP_PAIR, name2, WARPUP_PAIR, WARPUP_PAIR(name(a.x), name(a.y)))
#else
#    define WARPUP_FLOAT_1(name, name2, in_kernels, on_host) WARPUP_DONE_1(name, name2, on_host)
#endif
WARPUP_DONE_2(__hdiv, __h2div, x / y)
WARPUP_FLOAT_1(hsqrt, h2sqrt, __nvvm_sqrt_approx_ftz_f(x), __builtin_sqrt(x))
WARPUP_FLOAT_1(hrsqrt, h2rsqrt, __nvvm_rsqrt_approx_ftz_f(x), 1 / __builtin_sqrt(x))
WARPUP_FLOAT_1(hrcp, h2rcp, __nvvm_rcp_approx_ftz_f(x), 1 / x)
WARPUP_FLOAT_1(hexp, h2exp, __nvvm_ex2_approx_f(x * 1.4426950408889634f), __builtin_exp(x))
WARPUP_FLOAT_1(hexp2, h2exp2, __nvvm_ex2_approx_f(x), __builtin_exp2(x))
WARPUP_FLOAT_1(hexp10, h2exp10, __nvvm_ex2_approx_f(x * 3.3219280948873623f),
               __builtin_exp(x * 2.302585092994046))
WARPUP_FLOAT_1(hlog, h2log, __nvvm_lg2_approx_f(x) * 0.6931471805599453f, __builtin_log(x))
WARPUP_FLOAT_1(hlog2, h2log2, __nvvm_lg2_approx_f(x), __builtin_log2(x))
WARPUP_FLOAT_1(hlog10, h2log10, __nvvm_lg2_approx_f(x) * 0.3010299956639812f, __builtin_log10(x))
WARPUP_FLOAT_1(hsin, h2sin, sinf(x), __builtin_sin(x))
WARPUP_FLOAT_1(hcos, h2cos, cosf(x), __builtin_cos(x))
WARPUP_FLOAT_1(htanh, h2tanh, tanhf(x), __builtin_tanh(x))
WARPUP_FLOAT_1(htanh_approx, h2tanh_approx, __tanhf(x), __builtin_tanh(x))
WARPUP_FLOAT_1(hrint, h2rint, __builtin_rintf(x), __builtin_rint(x))
WARPUP_FLOAT_1(htrunc, h2trunc, __builtin_truncf(x), __builtin_trunc(x))
WARPUP_FLOAT_1(hfloor, h2floor, __builtin_floorf(x), __builtin_floor(x))
WARPUP_FLOAT_1(hceil, h2ceil, __builtin_ceilf(x), __builtin_ceil(x))
#undef WARPUP_FLOAT_1
#undef WARPUP_DONE_1
#undef WARPUP_DONE_2
#undef WARPUP_DONE_3

/* (a.x + i a.y) (b.x + i b.y) + c, in four steps, each rounded */
WARPUP_BOTH WARPUP_PAIR __hcmadd(const WARPUP_PAIR a, const WARPUP_PAIR b, const WARPUP_PAIR c)
{
    WARPUP_PAIR sum = __hfma2(WARPUP_PAIR(a.x, a.x), b, c);
    return __hfma2(WARPUP_PAIR(a.y, a.y), WARPUP_PAIR(__hneg(b.y), b.x), sum);
}

/* ---- comparisons ---------------------------------------------------------------------------- */

WARPUP_1(bool, __hisnan, WARPUP_SMALL, WARPUP_VALUE(a) != WARPUP_VALUE(a))
WARPUP_BOTH int __hisinf(const WARPUP_SMALL a)
{
    return WARPUP_VALUE(a) == __builtin_inff() ? 1 : WARPUP_VALUE(a) == -__builtin_inff() ? -1 : 0;
}
#define WARPUP_TRUTH(x) WARPUP_AS_SMALL((x) ? (unsigned short)WARPUP_ONE : (unsigned short)0)
WARPUP_1(WARPUP_PAIR, __hisnan2, WARPUP_PAIR,
         WARPUP_PAIR(WARPUP_TRUTH(__hisnan(a.x)), WARPUP_TRUTH(__hisnan(a.y))))

/* For NaNs the plain form is false and the u form true. Of pairs: 1 or 0 for each, all bits or none
 * for each, or whether both are so. */
#define WARPUP_COMPARISON(form, expression)                                                        \
    WARPUP_BOTH bool __h##form(const WARPUP_SMALL a, const WARPUP_SMALL b)                         \
    {                                                                                              \
        const float x = WARPUP_VALUE(a), y = WARPUP_VALUE(b);                                      \
        return expression;                                                                         \
    }                                                                                              \
    WARPUP_2(WARPUP_PAIR, __h##form##2, WARPUP_PAIR,                                               \
             WARPUP_PAIR(WARPUP_TRUTH(__h##form(a.x, b.x)), WARPUP_TRUTH(__h##form(a.y, b.y))))    \
    WARPUP_2(unsigned int, __h##form##2_mask, WARPUP_PAIR,                                         \
             (__h##form(a.x, b.x) ? 0xffffu : 0) | (__h##form(a.y, b.y) ? 0xffff0000u : 0))        \
    WARPUP_2(bool, __hb##form##2, WARPUP_PAIR, __h##form(a.x, b.x) && __h##form(a.y, b.y))
WARPUP_COMPARISON(eq, x == y)
WARPUP_COMPARISON(ne, x<y || x> y)
WARPUP_COMPARISON(lt, x < y)
WARPUP_COMPARISON(le, x <= y)
WARPUP_COMPARISON(gt, x > y)
WARPUP_COMPARISON(ge, x >= y)
WARPUP_COMPARISON(equ, !(x < y || x > y))
WARPUP_COMPARISON(neu, x != y)
WARPUP_COMPARISON(ltu, !(x >= y))
WARPUP_COMPARISON(leu, !(x > y))
WARPUP_COMPARISON(gtu, !(x <= y))
WARPUP_COMPARISON(geu, !(x < y))
#undef WARPUP_COMPARISON
#undef WARPUP_TRUTH

/* ---- operators ------------------------------------------------------------------------------ */

#define WARPUP_OPERATOR(H, operation, name)                                                        \
    WARPUP_BOTH H operator operation(const H &a, const H &b) { return name(a, b); }                \
    WARPUP_BOTH H &operator operation##=(H &a, const H &b) { return a = name(a, b); }
#define WARPUP_STEP(H, operation, name, one)                                                       \
    WARPUP_BOTH H &operator operation(H &a) { return a = name(a, one); }                           \
    WARPUP_BOTH H operator operation(H &a, int)                                                    \
    {                                                                                              \
        const H before = a;                                                                        \
        a = name(a, one);                                                                          \
        return before;                                                                             \
    }
#define WARPUP_SIGN(H, operation, result)                                                          \
    WARPUP_BOTH H operator operation(const H &a) { return result; }
#define WARPUP_COMPARED(H, operation, name)                                                        \
    WARPUP_BOTH bool operator operation(const H &a, const H &b) { return name(a, b); }
#define WARPUP_OPERATORS(H, add, sub, mul, div, neg, one)                                          \
    WARPUP_OPERATOR(H, +, add)                                                                     \
    WARPUP_OPERATOR(H, -, sub)                                                                     \
    WARPUP_OPERATOR(H, *, mul)                                                                     \
    WARPUP_OPERATOR(H, /, div)                                                                     \
    WARPUP_STEP(H, ++, add, one)                                                                   \
    WARPUP_STEP(H, --, sub, one)                                                                   \
    WARPUP_SIGN(H, +, a)                                                                           \
    WARPUP_SIGN(H, -, neg(a))
#define WARPUP_ONES WARPUP_PAIR(WARPUP_AS_SMALL(WARPUP_ONE), WARPUP_AS_SMALL(WARPUP_ONE))
WARPUP_OPERATORS(WARPUP_SMALL, __hadd, __hsub, __hmul, __hdiv, __hneg, WARPUP_AS_SMALL(WARPUP_ONE))
WARPUP_COMPARED(WARPUP_SMALL, ==, __heq)
WARPUP_COMPARED(WARPUP_SMALL, !=, __hneu)
WARPUP_COMPARED(WARPUP_SMALL, <, __hlt)
WARPUP_COMPARED(WARPUP_SMALL, <=, __hle)
WARPUP_COMPARED(WARPUP_SMALL, >, __hgt)
WARPUP_COMPARED(WARPUP_SMALL, >=, __hge)
WARPUP_OPERATORS(WARPUP_PAIR, __hadd2, __hsub2, __hmul2, __h2div, __hneg2, WARPUP_ONES)
WARPUP_COMPARED(WARPUP_PAIR, ==, __hbeq2)
WARPUP_COMPARED(WARPUP_PAIR, !=, __hbneu2)
WARPUP_COMPARED(WARPUP_PAIR, <, __hblt2)
WARPUP_COMPARED(WARPUP_PAIR, <=, __hble2)
WARPUP_COMPARED(WARPUP_PAIR, >, __hbgt2)
WARPUP_COMPARED(WARPUP_PAIR, >=, __hbge2)
#undef WARPUP_ONES
#undef WARPUP_OPERATORS
#undef WARPUP_COMPARED
#undef WARPUP_SIGN
#undef WARPUP_STEP
#undef WARPUP_OPERATOR

/* ---- with memory and with other lanes ------------------------------------------------------- */

WARPUP_DEVICE WARPUP_SMALL atomicAdd(WARPUP_SMALL *at, WARPUP_SMALL value)
{
    unsigned short old;
    asm volatile("atom.add.noftz." WARPUP_PTX " %0, [%1], %2;"
                 : "=h"(old)
                 : "l"(at), "h"(WARPUP_BITS(value))
                 : "memory");
    return WARPUP_AS_SMALL(old);
}
WARPUP_DEVICE WARPUP_PAIR atomicAdd(WARPUP_PAIR *at, WARPUP_PAIR value)
{
    unsigned int old;
    asm volatile("atom.add.noftz." WARPUP_PTX2 " %0, [%1], %2;"
                 : "=r"(old)
                 : "l"(at), "r"(::warpup::pair_bits(value))
                 : "memory");
    return WARPUP_AS_PAIR(old);
}

#define WARPUP_SHUFFLED(name, By)                                                                  \
    WARPUP_DEVICE WARPUP_SMALL name(unsigned int mask, WARPUP_SMALL value, By by, int width = 32)  \
    {                                                                                              \
        return WARPUP_AS_SMALL(                                                                    \
            (unsigned short)name(mask, (unsigned int)WARPUP_BITS(value), by, width));              \
    }                                                                                              \
    WARPUP_DEVICE WARPUP_PAIR name(unsigned int mask, WARPUP_PAIR value, By by, int width = 32)    \
    {                                                                                              \
        return WARPUP_AS_PAIR(name(mask, ::warpup::pair_bits(value), by, width));                  \
    }
WARPUP_SHUFFLED(__shfl_sync, int)
WARPUP_SHUFFLED(__shfl_up_sync, unsigned int)
WARPUP_SHUFFLED(__shfl_down_sync, unsigned int)
WARPUP_SHUFFLED(__shfl_xor_sync, int)
#undef WARPUP_SHUFFLED

#define WARPUP_LOADED(name)                                                                        \
    WARPUP_DEVICE WARPUP_SMALL name(const WARPUP_SMALL *at)                                        \
    {                                                                                              \
        return WARPUP_AS_SMALL(name((const unsigned short *)at));                                  \
    }                                                                                              \
    WARPUP_DEVICE WARPUP_PAIR name(const WARPUP_PAIR *at)                                          \
    {                                                                                              \
        return WARPUP_AS_PAIR(name((const unsigned int *)at));                                     \
    }
WARPUP_LOADED(__ldg)
WARPUP_LOADED(__ldca)
WARPUP_LOADED(__ldcg)
WARPUP_LOADED(__ldcs)
WARPUP_LOADED(__ldcv)
WARPUP_LOADED(__ldlu)
#undef WARPUP_LOADED
#define WARPUP_STORED(name)                                                                        \
    WARPUP_DEVICE void name(WARPUP_SMALL *at, const WARPUP_SMALL value)                            \
    {                                                                                              \
        name((unsigned short *)at, WARPUP_BITS(value));                                            \
    }                                                                                              \
    WARPUP_DEVICE void name(WARPUP_PAIR *at, const WARPUP_PAIR value)                              \
    {                                                                                              \
        name((unsigned int *)at, ::warpup::pair_bits(value));                                      \
    }
WARPUP_STORED(__stwb)
WARPUP_STORED(__stcg)
WARPUP_STORED(__stcs)
WARPUP_STORED(__stwt)
#undef WARPUP_STORED

#undef WARPUP_1
#undef WARPUP_2
#undef WARPUP_NEAREST
#undef WARPUP_WIDE
#undef WARPUP_AS_SMALL
#undef WARPUP_AS_PAIR
#undef WARPUP_LOW
#undef WARPUP_HIGH
#undef WARPUP_JOIN_2
#undef WARPUP_N
#undef WARPUP_PTX2
#undef WARPUP_SMALL
#undef WARPUP_PAIR
#undef WARPUP_NAME
#undef WARPUP_PTX
#undef WARPUP_ONE
#undef WARPUP_BITS
#undef WARPUP_VALUE
#undef WARPUP_OF_FLOAT
#undef WARPUP_CONVERTED
#undef WARPUP_HAS_SUMS
#undef WARPUP_HAS_SATURATION
#undef WARPUP_HAS_FMA
#undef WARPUP_HAS_MINIMUM
#undef WARPUP_JOIN
#undef WARPUP_JOINED
