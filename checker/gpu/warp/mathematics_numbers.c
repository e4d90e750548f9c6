/*
 * mathematics_numbers.c: the functions of clang's device library (__nv_…) that are about numbers
 * and bits: integers, conversions, arithmetic with a rounding, classes of numbers. nvcc and clang
 * make instructions of most of them.
 */
#include "gpu/warp/convert.h"
#include "gpu/warp/half.h"
#include "gpu/warp/mathematics.h"

#include <fenv.h>

/* ---- integers ------------------------------------------------------------------------------- */

static uint64_t reversed(uint64_t x)
{
    x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
    x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f0f0f0f0f) | (x & 0x0f0f0f0f0f0f0f0f) << 4;
    return __builtin_bswap64(x);
}

/* Four of the eight bytes of y and x. */
static uint32_t picked_bytes(uint32_t x, uint32_t y, uint32_t selectors)
{
    uint64_t both = (uint64_t)y << 32 | x;
    uint32_t result = 0;
    for (unsigned i = 0; i < 4; i++)
        result |= (uint32_t)(both >> 8 * (selectors >> 4 * i & 7) & 0xff) << 8 * i;
    return result;
}

#define SMALLER(x, y) ((y) < (x) ? (y) : (x))
#define LARGER(x, y)  ((x) < (y) ? (y) : (x))
#define APART(x, y)   ((x) < (y) ? (uint32_t)(y) - (uint32_t)(x) : (uint32_t)(x) - (uint32_t)(y))

#define LIST_1(F)                                                                                  \
    F(abs, uint32_t, int32_t, x < 0 ? 0u - (uint32_t)x : (uint32_t)x)                              \
    F(llabs, uint64_t, int64_t, x < 0 ? 0ull - (uint64_t)x : (uint64_t)x)                          \
    F(popc, int32_t, uint32_t, __builtin_popcount(x))                                              \
    F(popcll, int32_t, uint64_t, __builtin_popcountll(x))                                          \
    F(clz, int32_t, uint32_t, x == 0 ? 32 : __builtin_clz(x))                                      \
    F(clzll, int32_t, uint64_t, x == 0 ? 64 : __builtin_clzll(x))                                  \
    F(ffs, int32_t, int32_t, __builtin_ffs(x))                                                     \
    F(ffsll, int32_t, int64_t, __builtin_ffsll(x))                                                 \
    F(brev, uint32_t, uint32_t, reversed(x) >> 32)                                                 \
    F(brevll, uint64_t, uint64_t, reversed(x))                                                     \
    F(float_as_int, uint32_t, uint32_t, x)                                                         \
    F(float_as_uint, uint32_t, uint32_t, x)                                                        \
    F(int_as_float, uint32_t, uint32_t, x)                                                         \
    F(uint_as_float, uint32_t, uint32_t, x)                                                        \
    F(double_as_longlong, uint64_t, uint64_t, x)                                                   \
    F(longlong_as_double, uint64_t, uint64_t, x)                                                   \
    F(double2loint, uint32_t, uint64_t, x)                                                         \
    F(double2hiint, uint32_t, uint64_t, x >> 32)                                                   \
    F(half2float, float, uint16_t, short_value(FORMAT_F16, x))                                     \
    F(float2half_rn, uint16_t, float, short_bits(FORMAT_F16, (double)x, ROUND_NEAREST, false))     \
    F(saturatef, float, float, saturated(x))                                                       \
    F(isnanf, int32_t, float, x != x)                                                              \
    F(isnand, int32_t, double, x != x)                                                             \
    F(isinff, int32_t, float, fabsf(x) == INFINITY)                                                \
    F(isinfd, int32_t, double, fabs(x) == (double)INFINITY)                                        \
    F(finitef, int32_t, float, fabsf(x) < INFINITY)                                                \
    F(isfinited, int32_t, double, fabs(x) < (double)INFINITY)                                      \
    F(signbitf, int32_t, uint32_t, x >> 31)                                                        \
    F(signbitd, int32_t, uint64_t, x >> 63)

#define LIST_2(F)                                                                                  \
    F(min, int32_t, int32_t, SMALLER(x, y))                                                        \
    F(max, int32_t, int32_t, LARGER(x, y))                                                         \
    F(umin, uint32_t, uint32_t, SMALLER(x, y))                                                     \
    F(umax, uint32_t, uint32_t, LARGER(x, y))                                                      \
    F(llmin, int64_t, int64_t, SMALLER(x, y))                                                      \
    F(llmax, int64_t, int64_t, LARGER(x, y))                                                       \
    F(ullmin, uint64_t, uint64_t, SMALLER(x, y))                                                   \
    F(ullmax, uint64_t, uint64_t, LARGER(x, y))                                                    \
    F(mulhi, int32_t, int32_t, (int64_t)x *y >> 32)                                                \
    F(umulhi, uint32_t, uint32_t, (uint64_t)x *y >> 32)                                            \
    F(mul64hi, int64_t, int64_t, (__int128)x *y >> 64)                                             \
    F(umul64hi, uint64_t, uint64_t, (unsigned __int128)x *y >> 64)                                 \
    F(mul24, int32_t, uint32_t,                                                                    \
      (uint32_t)((int64_t)((int32_t)(x << 8) >> 8) * ((int32_t)(y << 8) >> 8)))                    \
    F(umul24, uint32_t, uint32_t, (x & 0xffffff) * (y & 0xffffff))                                 \
    F(hadd, int32_t, int32_t, ((int64_t)x + y) >> 1)                                               \
    F(rhadd, int32_t, int32_t, ((int64_t)x + y + 1) >> 1)                                          \
    F(uhadd, uint32_t, uint32_t, ((uint64_t)x + y) >> 1)                                           \
    F(urhadd, uint32_t, uint32_t, ((uint64_t)x + y + 1) >> 1)                                      \
    F(hiloint2double, uint64_t, uint32_t, (uint64_t)x << 32 | y)

#define F(name, R, A, expression) NATIVE_1(name, R, A, expression)
LIST_1(F)
#undef F
#define F(name, R, A, expression) NATIVE_2(name, R, A, A, expression)
LIST_2(F)
#undef F
NATIVE_3(sad, uint32_t, int32_t, int32_t, uint32_t, z + APART(x, y))
NATIVE_3(usad, uint32_t, uint32_t, uint32_t, uint32_t, z + APART(x, y))
NATIVE_3(byte_perm, uint32_t, uint32_t, uint32_t, uint32_t, picked_bytes(x, y, z))

/* ---- arithmetic with a rounding ------------------------------------------------------------- */

#define ROUNDED(name, R, fits, arguments, mode, expression)                                        \
    NATIVE(name, R, (fits), arguments, fesetround(mode), fesetround(FE_TONEAREST), expression)
#define TAKE_1(T) ARGUMENT(0, T, x)
#define TAKE_2(T)                                                                                  \
    ARGUMENT(0, T, x);                                                                             \
    ARGUMENT(1, T, y)
#define TAKE_3(T)                                                                                  \
    ARGUMENT(0, T, x);                                                                             \
    ARGUMENT(1, T, y);                                                                             \
    ARGUMENT(2, T, z)
#define ARITHMETIC(way, mode)                                                                      \
    ROUNDED(fadd_##way, float, FITS_2(float, float), TAKE_2(float), mode, x + y)                   \
    ROUNDED(fsub_##way, float, FITS_2(float, float), TAKE_2(float), mode, x - y)                   \
    ROUNDED(fmul_##way, float, FITS_2(float, float), TAKE_2(float), mode, x *y)                    \
    ROUNDED(fdiv_##way, float, FITS_2(float, float), TAKE_2(float), mode, x / y)                   \
    ROUNDED(frcp_##way, float, FITS_1(float), TAKE_1(float), mode, 1.0f / x)                       \
    ROUNDED(fsqrt_##way, float, FITS_1(float), TAKE_1(float), mode, __builtin_sqrtf(x))            \
    ROUNDED(fmaf_##way, float, FITS_3(float, float, float), TAKE_3(float), mode,                   \
            __builtin_fmaf(x, y, z))                                                               \
    ROUNDED(dadd_##way, double, FITS_2(double, double), TAKE_2(double), mode, x + y)               \
    ROUNDED(dsub_##way, double, FITS_2(double, double), TAKE_2(double), mode, x - y)               \
    ROUNDED(dmul_##way, double, FITS_2(double, double), TAKE_2(double), mode, x *y)                \
    ROUNDED(ddiv_##way, double, FITS_2(double, double), TAKE_2(double), mode, x / y)               \
    ROUNDED(drcp_##way, double, FITS_1(double), TAKE_1(double), mode, 1.0 / x)                     \
    ROUNDED(dsqrt_##way, double, FITS_1(double), TAKE_1(double), mode, __builtin_sqrt(x))          \
    ROUNDED(fma_##way, double, FITS_3(double, double, double), TAKE_3(double), mode,               \
            __builtin_fma(x, y, z))                                                                \
    ROUNDED(double2float_##way, float, FITS_1(double), TAKE_1(double), mode, x)                    \
    ROUNDED(int2float_##way, float, FITS_1(int32_t), TAKE_1(int32_t), mode, x)                     \
    ROUNDED(uint2float_##way, float, FITS_1(uint32_t), TAKE_1(uint32_t), mode, x)                  \
    ROUNDED(ll2float_##way, float, FITS_1(int64_t), TAKE_1(int64_t), mode, x)                      \
    ROUNDED(ull2float_##way, float, FITS_1(uint64_t), TAKE_1(uint64_t), mode, x)                   \
    ROUNDED(int2double_##way, double, FITS_1(int32_t), TAKE_1(int32_t), mode, x)                   \
    ROUNDED(uint2double_##way, double, FITS_1(uint32_t), TAKE_1(uint32_t), mode, x)                \
    ROUNDED(ll2double_##way, double, FITS_1(int64_t), TAKE_1(int64_t), mode, x)                    \
    ROUNDED(ull2double_##way, double, FITS_1(uint64_t), TAKE_1(uint64_t), mode, x)
ARITHMETIC(rn, FE_TONEAREST)
ARITHMETIC(rz, FE_TOWARDZERO)
ARITHMETIC(rd, FE_DOWNWARD)
ARITHMETIC(ru, FE_UPWARD)

/* ---- to whole numbers ----------------------------------------------------------------------- */

static uint64_t to_whole(enum ptx_type to, enum ptx_type from, enum whole_rounding rounding,
                         uint64_t bits)
{
    struct conversion how = {.to = to, .from = from, .whole = rounding};
    return converted(&how, bits);
}

#define WHOLES(way, rounding)                                                                      \
    NATIVE_1(float2int_##way, uint32_t, uint32_t, to_whole(TYPE_s32, TYPE_f32, rounding, x))       \
    NATIVE_1(float2uint_##way, uint32_t, uint32_t, to_whole(TYPE_u32, TYPE_f32, rounding, x))      \
    NATIVE_1(float2ll_##way, uint64_t, uint32_t, to_whole(TYPE_s64, TYPE_f32, rounding, x))        \
    NATIVE_1(float2ull_##way, uint64_t, uint32_t, to_whole(TYPE_u64, TYPE_f32, rounding, x))       \
    NATIVE_1(double2int_##way, uint32_t, uint64_t, to_whole(TYPE_s32, TYPE_f64, rounding, x))      \
    NATIVE_1(double2uint_##way, uint32_t, uint64_t, to_whole(TYPE_u32, TYPE_f64, rounding, x))     \
    NATIVE_1(double2ll_##way, uint64_t, uint64_t, to_whole(TYPE_s64, TYPE_f64, rounding, x))       \
    NATIVE_1(double2ull_##way, uint64_t, uint64_t, to_whole(TYPE_u64, TYPE_f64, rounding, x))
WHOLES(rn, WHOLE_NEAREST)
WHOLES(rz, WHOLE_ZERO)
WHOLES(rd, WHOLE_DOWN)
WHOLES(ru, WHOLE_UP)

/* ---- finding -------------------------------------------------------------------------------- */

#define ROW(name)                                                                                  \
    {                                                                                              \
#        name, native_##name                                                                       \
    }
#define ROWS(way)                                                                                  \
    ROW(fadd_##way), ROW(fsub_##way), ROW(fmul_##way), ROW(fdiv_##way), ROW(frcp_##way),           \
        ROW(fsqrt_##way), ROW(fmaf_##way), ROW(dadd_##way), ROW(dsub_##way), ROW(dmul_##way),      \
        ROW(ddiv_##way), ROW(drcp_##way), ROW(dsqrt_##way), ROW(fma_##way),                        \
        ROW(double2float_##way), ROW(int2float_##way), ROW(uint2float_##way), ROW(ll2float_##way), \
        ROW(ull2float_##way), ROW(int2double_##way), ROW(uint2double_##way), ROW(ll2double_##way), \
        ROW(ull2double_##way), ROW(float2int_##way), ROW(float2uint_##way), ROW(float2ll_##way),   \
        ROW(float2ull_##way), ROW(double2int_##way), ROW(double2uint_##way), ROW(double2ll_##way), \
        ROW(double2ull_##way)

static const struct native_row rows[] = {
#define F(name, R, A, expression) ROW(name),
    LIST_1(F) LIST_2(F)
#undef F
        ROW(sad),
    ROW(usad),
    ROW(byte_perm),
    ROWS(rn),
    ROWS(rz),
    ROWS(rd),
    ROWS(ru),
};

native_function *native_number(const char *name)
{
    return find_native(rows, sizeof rows / sizeof rows[0], name);
}
