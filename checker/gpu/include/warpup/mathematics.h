/*
 * mathematics.h: the mathematical functions of kernels. Those that are one instruction or a few
 * become PTX; all others are calls of functions with the names of C's library, which the GPU's
 * process executes. This file comes before every header of the C++ library: a constexpr function
 * there must find the kernel's function already declared, or clang takes it for one of both sides.
 */
#ifndef WARPUP_MATHEMATICS_H
#define WARPUP_MATHEMATICS_H

#include "fast.h"

#if defined WARPUP_FAST_MATH || defined __CLANG_CUDA_APPROX_TRANSCENDENTALS__ ||                   \
    defined __CLANG_GPU_APPROX_TRANSCENDENTALS__
#    define WARPUP_FAST 1 /* nvcc's -use_fast_math */
#endif

/* ---- functions of the GPU's process --------------------------------------------------------- */

#define WARPUP_PURE __attribute__((const, nothrow))
#define WARPUP_CALL_1(name)                                                                        \
    extern "C" __device__ WARPUP_PURE double name(double);                                         \
    extern "C" __device__ WARPUP_PURE float name##f(float);
#define WARPUP_CALL_2(name)                                                                        \
    extern "C" __device__ WARPUP_PURE double name(double, double);                                 \
    extern "C" __device__ WARPUP_PURE float name##f(float, float);

/* Functions that C++ overloads for all types, and that C's library has for double and float */
#define WARPUP_ANGLES_1(X)     X(acos) X(acosh) X(asin) X(asinh) X(atan) X(atanh) X(cosh) X(sinh)
#define WARPUP_GROWING_1(X)    X(cbrt) X(erf) X(erfc) X(exp2) X(expm1) X(lgamma) X(log1p)
#define WARPUP_OVERLOADED_1(X) WARPUP_ANGLES_1(X) WARPUP_GROWING_1(X) X(logb) X(tgamma)
#define WARPUP_FAST_1(X)       X(cos) X(exp) X(log) X(log10) X(log2) X(sin) X(tan) X(tanh)
#define WARPUP_OVERLOADED_2(X) X(atan2) X(fdim) X(fmod) X(hypot) X(nextafter) X(remainder)
WARPUP_OVERLOADED_1(WARPUP_CALL_1)
WARPUP_OVERLOADED_2(WARPUP_CALL_2)
#ifdef WARPUP_FAST
#    define WARPUP_CALL_FAST(name)                                                                 \
        extern "C" __device__ WARPUP_PURE double name(double);                                     \
        WARPUP_DEVICE float name##f(float x) { return __##name##f(x); }
WARPUP_FAST_1(WARPUP_CALL_FAST)
extern "C" __device__ WARPUP_PURE double pow(double, double);
WARPUP_DEVICE float powf(float x, float y) { return __powf(x, y); }
#    undef WARPUP_CALL_FAST
#else
WARPUP_FAST_1(WARPUP_CALL_1)
WARPUP_CALL_2(pow)
#endif

/* CUDA's own */
#define WARPUP_OWN_1(X)                                                                            \
    X(cospi) X(erfcinv) X(erfcx) X(erfinv) X(exp10) X(normcdf) X(normcdfinv) X(rcbrt) X(sinpi)
WARPUP_OWN_1(WARPUP_CALL_1)
WARPUP_CALL_1(cyl_bessel_i0)
WARPUP_CALL_1(cyl_bessel_i1)
WARPUP_CALL_1(j0)
WARPUP_CALL_1(j1)
WARPUP_CALL_1(y0)
WARPUP_CALL_1(y1)
WARPUP_CALL_2(rhypot)
#define WARPUP_CALL_MORE(name)                                                                     \
    extern "C" __device__ WARPUP_PURE double name(WARPUP_TIMES(double));                           \
    extern "C" __device__ WARPUP_PURE float name##f(WARPUP_TIMES(float));
#define WARPUP_TIMES(T) T, T, T
WARPUP_CALL_MORE(norm3d)
WARPUP_CALL_MORE(rnorm3d)
#undef WARPUP_TIMES
#define WARPUP_TIMES(T) T, T, T, T
WARPUP_CALL_MORE(norm4d)
WARPUP_CALL_MORE(rnorm4d)
#undef WARPUP_TIMES
#undef WARPUP_CALL_MORE
extern "C" __device__ WARPUP_PURE double rsqrt(double);
extern "C" __device__ WARPUP_PURE double jn(int, double);
extern "C" __device__ WARPUP_PURE float jnf(int, float);
extern "C" __device__ WARPUP_PURE double yn(int, double);
extern "C" __device__ WARPUP_PURE float ynf(int, float);
extern "C" __device__ WARPUP_PURE double ldexp(double, int);
extern "C" __device__ WARPUP_PURE float ldexpf(float, int);
extern "C" __device__ WARPUP_PURE int ilogb(double);
extern "C" __device__ WARPUP_PURE int ilogbf(float);
extern "C" __device__ WARPUP_PURE long lround(double);
extern "C" __device__ WARPUP_PURE long lroundf(float);
extern "C" __device__ double frexp(double, int *);
extern "C" __device__ float frexpf(float, int *);
extern "C" __device__ double modf(double, double *);
extern "C" __device__ float modff(float, float *);
extern "C" __device__ double remquo(double, double, int *);
extern "C" __device__ float remquof(float, float, int *);
#undef WARPUP_CALL_1
#undef WARPUP_CALL_2

/* ---- functions that are PTX ----------------------------------------------------------------- */

#define WARPUP_MADE_1(name, builtin)                                                               \
    WARPUP_DEVICE double name(double x) { return builtin(x); }                                     \
    WARPUP_DEVICE float name##f(float x) { return builtin##f(x); }
#define WARPUP_MADE_2(name, builtin)                                                               \
    WARPUP_DEVICE double name(double x, double y) { return builtin(x, y); }                        \
    WARPUP_DEVICE float name##f(float x, float y) { return builtin##f(x, y); }
WARPUP_MADE_1(ceil, __builtin_ceil)
WARPUP_MADE_1(fabs, __builtin_fabs)
WARPUP_MADE_1(floor, __builtin_floor)
WARPUP_MADE_1(nearbyint, __builtin_nearbyint)
WARPUP_MADE_1(rint, __builtin_rint)
WARPUP_MADE_1(round, __builtin_round)
WARPUP_MADE_1(trunc, __builtin_trunc)
WARPUP_MADE_2(copysign, __builtin_copysign)
WARPUP_MADE_2(fmax, __builtin_fmax)
WARPUP_MADE_2(fmin, __builtin_fmin)
#undef WARPUP_MADE_1
#undef WARPUP_MADE_2

WARPUP_DEVICE double sqrt(double x) { return __nvvm_sqrt_rn_d(x); }
WARPUP_DEVICE double fma(double x, double y, double z) { return __nvvm_fma_rn_d(x, y, z); }
WARPUP_DEVICE float fmaf(float x, float y, float z) { return __nvvm_fma_rn_f(x, y, z); }
WARPUP_DEVICE float rsqrtf(float x) { return __nvvm_rsqrt_approx_f(x); }
#ifdef WARPUP_FAST
WARPUP_DEVICE float sqrtf(float x) { return __nvvm_sqrt_approx_ftz_f(x); }
WARPUP_DEVICE float fdividef(float x, float y) { return __nvvm_div_approx_ftz_f(x, y); }
#else
WARPUP_DEVICE float sqrtf(float x) { return __nvvm_sqrt_rn_f(x); }
WARPUP_DEVICE float fdividef(float x, float y) { return x / y; }
#endif
WARPUP_DEVICE long long llrint(double x) { return __nvvm_d2ll_rn(x); }
WARPUP_DEVICE long long llrintf(float x) { return __nvvm_f2ll_rn(x); }
WARPUP_DEVICE long lrint(double x) { return __nvvm_d2ll_rn(x); }
WARPUP_DEVICE long lrintf(float x) { return __nvvm_f2ll_rn(x); }
WARPUP_DEVICE long long llround(double x) { return lround(x); }
WARPUP_DEVICE long long llroundf(float x) { return lroundf(x); }
WARPUP_DEVICE double scalbn(double x, int n) { return ldexp(x, n); }
WARPUP_DEVICE float scalbnf(float x, int n) { return ldexpf(x, n); }
WARPUP_DEVICE double scalbln(double x, long n)
{
    return ldexp(x, n > 5000 ? 5000 : n < -5000 ? -5000 : (int)n);
}
WARPUP_DEVICE float scalblnf(float x, long n)
{
    return ldexpf(x, n > 5000 ? 5000 : n < -5000 ? -5000 : (int)n);
}
WARPUP_DEVICE double nan(const char *) { return __builtin_nan(""); }
WARPUP_DEVICE float nanf(const char *) { return __builtin_nanf(""); }
WARPUP_DEVICE int abs(int x) { return x < 0 ? -x : x; }
WARPUP_DEVICE long abs(long x) { return x < 0 ? -x : x; }
WARPUP_DEVICE long long abs(long long x) { return x < 0 ? -x : x; }
WARPUP_DEVICE long labs(long x) { return x < 0 ? -x : x; }
WARPUP_DEVICE long long llabs(long long x) { return x < 0 ? -x : x; }
WARPUP_DEVICE double abs(double x) { return __builtin_fabs(x); }
WARPUP_DEVICE float abs(float x) { return __builtin_fabsf(x); }

/* Is a number finite, infinite, or a NaN? */
#define WARPUP_CLASS(name, T)                                                                      \
    WARPUP_DEVICE bool name(T x) { return __builtin_##name(x); }
#define WARPUP_CLASSES(T)                                                                          \
    WARPUP_CLASS(isfinite, T)                                                                      \
    WARPUP_CLASS(isinf, T)                                                                         \
    WARPUP_CLASS(isnan, T)
WARPUP_CLASSES(double)
WARPUP_CLASSES(float)
#undef WARPUP_CLASSES
#undef WARPUP_CLASS
WARPUP_DEVICE bool signbit(double x) { return __builtin_signbit(x); }
WARPUP_DEVICE bool signbit(float x) { return __builtin_signbitf(x); }

/* Norms, and sines and cosines together */
#define WARPUP_NORM(T, f)                                                                          \
    WARPUP_DEVICE T norm##f(int n, const T *x)                                                     \
    {                                                                                              \
        T sum = 0;                                                                                 \
        for (int i = 0; i < n; i++)                                                                \
            sum += x[i] * x[i];                                                                    \
        return sqrt##f(sum);                                                                       \
    }                                                                                              \
    WARPUP_DEVICE T rnorm##f(int n, const T *x) { return 1 / norm##f(n, x); }                      \
    WARPUP_DEVICE void sincospi##f(T x, T *sine, T *cosine)                                        \
    {                                                                                              \
        *sine = sinpi##f(x);                                                                       \
        *cosine = cospi##f(x);                                                                     \
    }                                                                                              \
    WARPUP_DEVICE void sincos##f(T x, T *sine, T *cosine)                                          \
    {                                                                                              \
        *sine = sin##f(x);                                                                         \
        *cosine = cos##f(x);                                                                       \
    }
WARPUP_NORM(float, f)
WARPUP_NORM(double, )
#undef WARPUP_NORM

/* ---- C++'s overloads ------------------------------------------------------------------------ */

namespace warpup
{
template <bool condition, class T> struct only_if {
};
template <class T> struct only_if<true, T> {
    typedef T type;
};
template <class T> struct kind {
    static constexpr bool integer = __is_integral(T), number = __is_arithmetic(T);
};
template <class T, class R> using if_integer = typename only_if<kind<T>::integer, R>::type;
template <class A, class B, class R>
using if_numbers = typename only_if<kind<A>::number && kind<B>::number, R>::type;
template <class A, class B, class C, class R>
using if_three = typename only_if<kind<A>::number && kind<B>::number && kind<C>::number, R>::type;
} // namespace warpup

#define WARPUP_ALSO_NUMBERS(R, name)                                                               \
    template <class A, class B> WARPUP_DEVICE warpup::if_numbers<A, B, R> name(A x, B y)           \
    {                                                                                              \
        return ::name((double)x, (double)y);                                                       \
    }
#ifdef WARPUP_RELAXED_CONSTEXPR /* nvcc's --expt-relaxed-constexpr */
#    define WARPUP_OF_INTEGERS(R, name)                                                            \
        template <class T> WARPUP_DEVICE warpup::if_integer<T, R> name(T x)                        \
        {                                                                                          \
            return ::name((double)x);                                                              \
        }
#    define WARPUP_OF_NUMBERS(R, name) WARPUP_ALSO_NUMBERS(R, name)
#else /* For nvcc these are constexpr functions of the C++ library, which kernels cannot call. */
#    define WARPUP_REFUSED(name, what, fix)                                                        \
        __device__ __attribute__((error("kernels cannot call " #name "() of " what                 \
                                        ": nvcc knows it as a constexpr "                          \
                                        "__host__ function; write " #name "(" fix)))
#    define WARPUP_OF_INTEGERS(R, name)                                                            \
        template <class T>                                                                         \
        WARPUP_REFUSED(name, "an integer", "(double)x)")                                           \
        warpup::if_integer<T, R> name(T x);
#    define WARPUP_OF_NUMBERS(R, name)                                                             \
        template <class A, class B>                                                                \
        WARPUP_REFUSED(name, "two types", "(double)x, (double)y)")                                 \
        warpup::if_numbers<A, B, R> name(A x, B y);
#endif
#define WARPUP_OF_FLOATS_1(name)                                                                   \
    WARPUP_DEVICE float name(float x) { return name##f(x); }                                       \
    WARPUP_OF_INTEGERS(double, name)
#define WARPUP_OF_FLOATS_2(name)                                                                   \
    WARPUP_DEVICE float name(float x, float y) { return name##f(x, y); }                           \
    WARPUP_OF_NUMBERS(double, name)
WARPUP_OVERLOADED_1(WARPUP_OF_FLOATS_1)
WARPUP_OF_FLOATS_1(ceil)
WARPUP_OF_FLOATS_1(fabs)
WARPUP_OF_FLOATS_1(floor)
WARPUP_OF_FLOATS_1(nearbyint)
WARPUP_OF_FLOATS_1(rint)
WARPUP_OF_FLOATS_1(round)
WARPUP_OF_FLOATS_1(sqrt)
WARPUP_OF_FLOATS_1(trunc)
WARPUP_OVERLOADED_2(WARPUP_OF_FLOATS_2)
WARPUP_OF_FLOATS_2(copysign)
WARPUP_OF_FLOATS_2(fmax)
WARPUP_OF_FLOATS_2(fmin)
WARPUP_FAST_1(WARPUP_OF_FLOATS_1)
WARPUP_DEVICE float pow(float x, float y) { return powf(x, y); }
WARPUP_ALSO_NUMBERS(double, pow)
WARPUP_OF_INTEGERS(bool, isfinite)
WARPUP_OF_INTEGERS(bool, isinf)
WARPUP_OF_INTEGERS(bool, isnan)
WARPUP_OF_INTEGERS(bool, signbit)
WARPUP_OF_INTEGERS(int, ilogb)
WARPUP_OF_INTEGERS(long, lrint)
WARPUP_OF_INTEGERS(long, lround)
WARPUP_OF_INTEGERS(long long, llrint)
WARPUP_OF_INTEGERS(long long, llround)
#undef WARPUP_OF_FLOATS_2
#undef WARPUP_OF_FLOATS_1
#undef WARPUP_OF_NUMBERS
#undef WARPUP_OF_INTEGERS
#undef WARPUP_ALSO_NUMBERS

WARPUP_DEVICE float fma(float x, float y, float z) { return __nvvm_fma_rn_f(x, y, z); }
#ifdef WARPUP_RELAXED_CONSTEXPR
template <class A, class B, class C>
WARPUP_DEVICE warpup::if_three<A, B, C, double> fma(A x, B y, C z)
{
    return __nvvm_fma_rn_d((double)x, (double)y, (double)z);
}
template <class T> WARPUP_DEVICE warpup::if_integer<T, double> ldexp(T x, int n)
{
    return ldexp((double)x, n);
}
template <class T> WARPUP_DEVICE warpup::if_integer<T, double> scalbn(T x, int n)
{
    return ldexp((double)x, n);
}
#else
template <class A, class B, class C>
WARPUP_REFUSED(fma, "several types", "(double)x, (double)y, (double)z)")
warpup::if_three<A, B, C, double> fma(A x, B y, C z);
#endif
WARPUP_DEVICE int ilogb(float x) { return ilogbf(x); }
WARPUP_DEVICE long lrint(float x) { return lrintf(x); }
WARPUP_DEVICE long lround(float x) { return lroundf(x); }
WARPUP_DEVICE long long llrint(float x) { return llrintf(x); }
WARPUP_DEVICE long long llround(float x) { return lroundf(x); }
WARPUP_DEVICE float ldexp(float x, int n) { return ldexpf(x, n); }
WARPUP_DEVICE float scalbn(float x, int n) { return ldexpf(x, n); }
WARPUP_DEVICE float scalbln(float x, long n) { return scalblnf(x, n); }
WARPUP_DEVICE float frexp(float x, int *exponent) { return frexpf(x, exponent); }
WARPUP_DEVICE float modf(float x, float *whole) { return modff(x, whole); }
WARPUP_DEVICE float remquo(float x, float y, int *quotient) { return remquof(x, y, quotient); }
/* CUDA's own */
#define WARPUP_ALSO_FLOAT(name)                                                                    \
    WARPUP_DEVICE float name(float x) { return name##f(x); }
WARPUP_OWN_1(WARPUP_ALSO_FLOAT)
WARPUP_ALSO_FLOAT(rsqrt)
#undef WARPUP_ALSO_FLOAT
WARPUP_DEVICE void sincos(float x, float *sine, float *cosine) { sincosf(x, sine, cosine); }
WARPUP_DEVICE void sincospi(float x, float *sine, float *cosine) { sincospif(x, sine, cosine); }
#undef WARPUP_REFUSED

namespace std
{
#define WARPUP_USING(name) using ::name;
WARPUP_OVERLOADED_1(WARPUP_USING)
WARPUP_FAST_1(WARPUP_USING)
WARPUP_OVERLOADED_2(WARPUP_USING)
#undef WARPUP_USING
using ::abs, ::ceil, ::copysign, ::fabs, ::floor, ::fma, ::fmax, ::fmin, ::frexp, ::ilogb,
    ::isfinite, ::isinf, ::isnan, ::labs, ::ldexp, ::llabs, ::llrint, ::llround, ::lrint, ::lround,
    ::modf, ::nan, ::nearbyint, ::pow, ::remquo, ::rint, ::round, ::scalbln, ::scalbn, ::signbit,
    ::sqrt, ::trunc;
} // namespace std

#undef WARPUP_OVERLOADED_2
#undef WARPUP_OVERLOADED_1
#undef WARPUP_GROWING_1
#undef WARPUP_ANGLES_1
#undef WARPUP_FAST_1
#undef WARPUP_OWN_1

#endif
