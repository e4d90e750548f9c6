/*
 * both.h: functions that CUDA has on both sides: min, max, and those of CUDA's own mathematics on
 * the host. It comes after the C++ library's <cmath>.
 */
#ifndef WARPUP_BOTH_H
#define WARPUP_BOTH_H

#include "mathematics.h"

#include <math.h>

/* The smaller and the larger of two numbers, for the pairs of types that CUDA declares */
#define WARPUP_MIN_MAX(A, B, T)                                                                    \
    WARPUP_BOTH T min(A a, B b) { return __builtin_elementwise_min((T)a, (T)b); }                  \
    WARPUP_BOTH T max(A a, B b) { return __builtin_elementwise_max((T)a, (T)b); }
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

/* The smaller and the larger of two floating-point numbers; if one of them is a NaN, the other */
#define WARPUP_MIN_MAX(A, B, T, f)                                                                 \
    WARPUP_BOTH T min(A a, B b) { return __builtin_fmin##f(a, b); }                                \
    WARPUP_BOTH T max(A a, B b) { return __builtin_fmax##f(a, b); }
WARPUP_MIN_MAX(float, float, float, f)
WARPUP_MIN_MAX(double, double, double, )
WARPUP_MIN_MAX(float, double, double, )
WARPUP_MIN_MAX(double, float, double, )
#undef WARPUP_MIN_MAX

/* ---- the host's part of CUDA's own mathematics. C libraries since 2.41 have some of it. ----- */

#define WARPUP_OF_HOST(T, name, expression)                                                        \
    WARPUP_HOST T name(T x) { return (T)(expression); }
#define WARPUP_OF_HOSTS(name, expression)                                                          \
    WARPUP_OF_HOST(float, name##f, expression)                                                     \
    WARPUP_OF_HOST(double, name, expression)
#if !__GLIBC_PREREQ(2, 41)
WARPUP_OF_HOSTS(sinpi, __builtin_sin(M_PI *(double)x))
WARPUP_OF_HOSTS(cospi, __builtin_cos(M_PI *(double)x))
#endif
#if !__GLIBC_PREREQ(2, 42)
WARPUP_OF_HOSTS(rsqrt, 1 / __builtin_sqrt((double)x))
#endif
WARPUP_OF_HOST(float, rsqrt, 1 / __builtin_sqrtf(x))
WARPUP_OF_HOSTS(rcbrt, 1 / __builtin_cbrt((double)x))
WARPUP_OF_HOSTS(normcdf, 0.5 * __builtin_erfc(-M_SQRT1_2 * (double)x))
WARPUP_OF_HOSTS(erfcx, __builtin_exp((double)x *(double)x) * __builtin_erfc((double)x))
#undef WARPUP_OF_HOSTS
#undef WARPUP_OF_HOST
WARPUP_HOST float fdividef(float x, float y) { return x / y; }
#define WARPUP_NORM(T, f)                                                                          \
    WARPUP_HOST T norm3d##f(T x, T y, T z) { return __builtin_sqrt##f(x * x + y * y + z * z); }    \
    WARPUP_HOST T norm4d##f(T x, T y, T z, T w)                                                    \
    {                                                                                              \
        return __builtin_sqrt##f(x * x + y * y + z * z + w * w);                                   \
    }                                                                                              \
    WARPUP_HOST T rnorm3d##f(T x, T y, T z) { return 1 / norm3d##f(x, y, z); }                     \
    WARPUP_HOST T rnorm4d##f(T x, T y, T z, T w) { return 1 / norm4d##f(x, y, z, w); }             \
    WARPUP_HOST T rhypot##f(T x, T y) { return 1 / __builtin_hypot##f(x, y); }                     \
    WARPUP_HOST void sincospi##f(T x, T *sine, T *cosine)                                          \
    {                                                                                              \
        *sine = sinpi##f(x);                                                                       \
        *cosine = cospi##f(x);                                                                     \
    }
WARPUP_NORM(float, f)
WARPUP_NORM(double, )
#undef WARPUP_NORM

#endif
