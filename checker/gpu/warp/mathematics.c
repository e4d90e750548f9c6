/*
 * mathematics.c: the mathematical functions of floats and doubles that PTX calls: CUDA's names, and
 * those of clang's device library (__nv_expf, __nv_fast_expf …). They are the C library's, so at
 * least as exact as a GPU's; floats go through doubles where the library's own function is worse.
 */
#define _GNU_SOURCE /* lgamma_r, j0 … */
#include "gpu/warp/mathematics.h"

/* Name, the float's expression, the double's. */
#define OF_X(F)                                                                                    \
    F(exp, expf(x), exp(x))                                                                        \
    F(exp2, exp2f(x), exp2(x))                                                                     \
    F(exp10, pow(10, (double)x), pow(10, x))                                                       \
    F(expm1, expm1f(x), expm1(x))                                                                  \
    F(log, logf(x), log(x))                                                                        \
    F(log2, log2f(x), log2(x))                                                                     \
    F(log10, log10f(x), log10(x))                                                                  \
    F(log1p, log1pf(x), log1p(x))                                                                  \
    F(logb, logbf(x), logb(x))                                                                     \
    F(sin, sinf(x), sin(x))                                                                        \
    F(cos, cosf(x), cos(x))                                                                        \
    F(tan, tanf(x), tan(x))                                                                        \
    F(sinpi, sine_of_pi(x), sine_of_pi(x))                                                         \
    F(cospi, cosine_of_pi(x), cosine_of_pi(x))                                                     \
    F(asin, asinf(x), asin(x))                                                                     \
    F(acos, acosf(x), acos(x))                                                                     \
    F(atan, atanf(x), atan(x))                                                                     \
    F(sinh, sinhf(x), sinh(x))                                                                     \
    F(cosh, coshf(x), cosh(x))                                                                     \
    F(tanh, tanhf(x), tanh(x))                                                                     \
    F(asinh, asinhf(x), asinh(x))                                                                  \
    F(acosh, acoshf(x), acosh(x))                                                                  \
    F(atanh, atanhf(x), atanh(x))                                                                  \
    F(cbrt, cbrtf(x), cbrt(x))                                                                     \
    F(rcbrt, 1 / cbrt((double)x), 1 / cbrt(x))                                                     \
    F(sqrt, sqrtf(x), sqrt(x))                                                                     \
    F(rsqrt, 1 / sqrt((double)x), 1 / sqrt(x))                                                     \
    F(erf, erff(x), erf(x))                                                                        \
    F(erfc, erfcf(x), erfc(x))                                                                     \
    F(erfinv, inverse_erf(x), inverse_erf(x))                                                      \
    F(erfcinv, inverse_erfc(x), inverse_erfc(x))                                                   \
    F(erfcx, scaled_erfc(x), scaled_erfc(x))                                                       \
    F(normcdf, 0.5 * erfc(-M_SQRT1_2 * (double)x), 0.5 * erfc(-M_SQRT1_2 * x))                     \
    F(normcdfinv, -M_SQRT2 *inverse_erfc(2 * (double)x), -M_SQRT2 *inverse_erfc(2 * x))            \
    F(lgamma, lgammaf_r(x, &(int){0}), lgamma_r(x, &(int){0}))                                     \
    F(tgamma, tgammaf(x), tgamma(x))                                                               \
    F(j0, j0((double)x), j0(x))                                                                    \
    F(j1, j1((double)x), j1(x))                                                                    \
    F(y0, y0((double)x), y0(x))                                                                    \
    F(y1, y1((double)x), y1(x))                                                                    \
    F(cyl_bessel_i0, bessel_i0(x), bessel_i0(x))                                                   \
    F(cyl_bessel_i1, bessel_i1(x), bessel_i1(x))                                                   \
    F(round, roundf(x), round(x))                                                                  \
    F(rint, rintf(x), rint(x))                                                                     \
    F(nearbyint, rintf(x), rint(x))                                                                \
    F(roundeven, rintf(x), rint(x))                                                                \
    F(trunc, truncf(x), trunc(x))                                                                  \
    F(ceil, ceilf(x), ceil(x))                                                                     \
    F(floor, floorf(x), floor(x))                                                                  \
    F(fabs, fabsf(x), fabs(x))

#define OF_X_Y(F)                                                                                  \
    F(pow, powf(x, y), pow(x, y))                                                                  \
    F(atan2, atan2f(x, y), atan2(x, y))                                                            \
    F(hypot, hypotf(x, y), hypot(x, y))                                                            \
    F(rhypot, 1 / hypot((double)x, (double)y), 1 / hypot(x, y))                                    \
    F(fmod, fmodf(x, y), fmod(x, y))                                                               \
    F(remainder, remainderf(x, y), remainder(x, y))                                                \
    F(nextafter, nextafterf(x, y), nextafter(x, y))                                                \
    F(fdim, fdimf(x, y), fdim(x, y))                                                               \
    F(fmin, fminf(x, y), fmin(x, y))                                                               \
    F(fmax, fmaxf(x, y), fmax(x, y))                                                               \
    F(copysign, copysignf(x, y), copysign(x, y))                                                   \
    F(fdivide, x / y, x / y)

#define OF_X_Y_Z(F)                                                                                \
    F(fma, __builtin_fmaf(x, y, z), __builtin_fma(x, y, z))                                        \
    F(norm3d, hypot(hypot((double)x, (double)y), (double)z), hypot(hypot(x, y), z))                \
    F(rnorm3d, 1 / hypot(hypot((double)x, (double)y), (double)z), 1 / hypot(hypot(x, y), z))

/* Functions of a number and an integer. */
#define OF_X_N(F)                                                                                  \
    F(ldexp, ldexpf(x, y), ldexp(x, y))                                                            \
    F(scalbn, ldexpf(x, y), ldexp(x, y))                                                           \
    F(powi, pow((double)x, y), pow(x, y))

/* Functions of an integer and a number. */
#define OF_N_X(F)                                                                                  \
    F(jn, jn(x, (double)y), jn(x, y))                                                              \
    F(yn, yn(x, (double)y), yn(x, y))

/* To a whole number of 64 bits. */
#define TO_LONG(F)                                                                                 \
    F(lrint, llrintf(x), llrint(x))                                                                \
    F(llrint, llrintf(x), llrint(x))                                                               \
    F(lround, llroundf(x), llround(x))                                                             \
    F(llround, llroundf(x), llround(x))

/* The exponent as CUDA defines it: the lowest integer for 0 and NaN, the largest for infinity. */
static int exponent_of(double x)
{
    if (x == 0 || x != x) return INT32_MIN;
    return isinf(x) ? INT32_MAX : ilogb(x);
}

/* ldexp by an exponent of 64 bits. */
static int short_exponent(int64_t exponent)
{
    return exponent > 100000 ? 100000 : exponent < -100000 ? -100000 : (int)exponent;
}

#define F(name, of_float, of_double)                                                               \
    NATIVE_1(name##f, float, float, of_float)                                                      \
    NATIVE_1(name, double, double, of_double)
OF_X(F)
#undef F
#define F(name, of_float, of_double)                                                               \
    NATIVE_2(name##f, float, float, float, of_float)                                               \
    NATIVE_2(name, double, double, double, of_double)
OF_X_Y(F)
#undef F
#define F(name, of_float, of_double)                                                               \
    NATIVE_3(name##f, float, float, float, float, of_float)                                        \
    NATIVE_3(name, double, double, double, double, of_double)
OF_X_Y_Z(F)
#undef F
#define F(name, of_float, of_double)                                                               \
    NATIVE_2(name##f, float, float, int32_t, of_float)                                             \
    NATIVE_2(name, double, double, int32_t, of_double)
OF_X_N(F)
#undef F
#define F(name, of_float, of_double)                                                               \
    NATIVE_2(name##f, float, int32_t, float, of_float)                                             \
    NATIVE_2(name, double, int32_t, double, of_double)
OF_N_X(F)
#undef F
#define F(name, of_float, of_double)                                                               \
    NATIVE_1(name##f, int64_t, float, of_float)                                                    \
    NATIVE_1(name, int64_t, double, of_double)
TO_LONG(F)
#undef F
NATIVE_1(ilogbf, int32_t, float, exponent_of((double)x))
NATIVE_1(ilogb, int32_t, double, exponent_of(x))
NATIVE_2(scalblnf, float, float, int64_t, ldexpf(x, short_exponent(y)))
NATIVE_2(scalbln, double, double, int64_t, ldexp(x, short_exponent(y)))
NATIVE_1(nanf, float, uint64_t, ((void)x, float_of(0x7fffffff)))
NATIVE_1(nan, double, uint64_t, ((void)x, (double)NAN))
NATIVE(norm4df, float, (FITS_3(float, float, float) && has_argument(call, 3, sizeof(float))),
       ARGUMENT(0, float, x);
       ARGUMENT(1, float, y); ARGUMENT(2, float, z);
       ARGUMENT(3, float, w), (void)0, (void)0,
       hypot(hypot((double)x, (double)y), hypot((double)z, (double)w)))
NATIVE(norm4d, double, (FITS_3(double, double, double) && has_argument(call, 3, sizeof(double))),
       ARGUMENT(0, double, x);
       ARGUMENT(1, double, y); ARGUMENT(2, double, z);
       ARGUMENT(3, double, w), (void)0, (void)0, hypot(hypot(x, y), hypot(z, w)))
NATIVE(rnorm4df, float, (FITS_3(float, float, float) && has_argument(call, 3, sizeof(float))),
       ARGUMENT(0, float, x);
       ARGUMENT(1, float, y); ARGUMENT(2, float, z);
       ARGUMENT(3, float, w), (void)0, (void)0,
       1 / hypot(hypot((double)x, (double)y), hypot((double)z, (double)w)))
NATIVE(rnorm4d, double, (FITS_3(double, double, double) && has_argument(call, 3, sizeof(double))),
       ARGUMENT(0, double, x);
       ARGUMENT(1, double, y); ARGUMENT(2, double, z);
       ARGUMENT(3, double, w), (void)0, (void)0, 1 / hypot(hypot(x, y), hypot(z, w)))

static const struct native_row rows[] = {
#define F(name, of_float, of_double) {#name "f", native_##name##f}, {#name, native_##name},
    OF_X(F) OF_X_Y(F) OF_X_Y_Z(F) OF_X_N(F) OF_N_X(F) TO_LONG(F)
#undef F
#define ROW(name)                                                                                  \
    {                                                                                              \
#        name, native_##name                                                                       \
    }
        ROW(ilogbf),
    ROW(ilogb),
    ROW(scalblnf),
    ROW(scalbln),
    ROW(nanf),
    ROW(nan),
    ROW(norm4df),
    ROW(norm4d),
    ROW(rnorm4df),
    ROW(rnorm4d),
};

/* ---- finding a function --------------------------------------------------------------------- */

native_function *find_native(const struct native_row *table, size_t count, const char *name)
{
    for (size_t k = 0; k < count; k++)
        if (strcmp(table[k].name, name) == 0) return table[k].run;
    return NULL;
}

/* __nv_expf and __nv_fast_expf are expf here. */
static const char *plain(const char *name)
{
    if (strncmp(name, "__nv_", 5) == 0) name += 5;
    return strncmp(name, "fast_", 5) == 0 ? name + 5 : name;
}

native_function *native_mathematics(const char *name)
{
    native_function *found = find_native(rows, sizeof rows / sizeof rows[0], plain(name));
    if (found == NULL) found = native_pointer(plain(name));
    return found != NULL || plain(name) == name ? found : native_number(plain(name));
}
