/*
 * mathematics.c: the mathematical functions of floats and doubles that PTX calls, by CUDA's names.
 * They are the C library's, so at least as exact as a GPU's; floats go through doubles where the
 * library's own function is worse. A function gets its arguments from the bytes of the call, lane
 * by lane, and puts its result there. A call of a function that the program declared in another way
 * gets no result.
 */
#define _GNU_SOURCE /* M_PI, lgamma_r, j0 … */
#include "gpu/warp/compute.h"
#include "gpu/warp/natives.h"

/* ---- functions that the C library lacks ----------------------------------------------------- */

/* x, less a multiple of 2: in [-1, 1]. Exact. */
static double between_ones(double x)
{
    return remainder(x, 2);
}

static double sine_of_pi(double x)
{
    double part = between_ones(x), size = fabs(part);
    if (isinf(x)) return (double)NAN;
    if (part == 0 || size == 1) return copysign(0, x);
    double sine = size > 0.75   ? sin(M_PI * (1 - size))
                  : size > 0.25 ? cos(M_PI * (0.5 - size))
                                : sin(M_PI * size);
    return copysign(sine, part);
}

static double cosine_of_pi(double x)
{
    double size = fabs(between_ones(x));
    if (isinf(x)) return (double)NAN;
    if (size == 0.5) return 0;
    return size > 0.75   ? -cos(M_PI * (1 - size))
           : size > 0.25 ? sin(M_PI * (0.5 - size))
                         : cos(M_PI * size);
}

/* ---- the error function --------------------------------------------------------------------- */

/* exp(x x) erfc(x) */
static double scaled_erfc(double x)
{
    double square = x * x;
    if (x < 26) return exp(square) * (1 + fma(x, x, -square)) * erfc(x);
    double t = 1 / (2 * square), sum = 1 - 9 * t;
    for (int k = 7; k > 0; k -= 2)
        sum = 1 - k * t * sum;
    return sum / (x * sqrt(M_PI));
}

/* A first value for erf^-1: M. Giles, "Approximating the erfinv function", 2010, for single
 * precision. `w` is -log(1 - y^2). */
static double first_value(double y, double w)
{
    static const double middle[] = {2.81022636e-08,  3.43273939e-07, -3.5233877e-06,
                                    -4.39150654e-06, 0.00021858087,  -0.00125372503,
                                    -0.00417768164,  0.246640727,    1.50140941};
    static const double tail[] = {-0.000200214257, 0.000100950558, 0.00134934322,
                                  -0.00367342844,  0.00573950773,  -0.0076224613,
                                  0.00943887047,   1.00167406,     2.83297682};
    const double *factors = w < 5 ? middle : tail;
    double at = w < 5 ? w - 2.5 : sqrt(w) - 3, sum = factors[0];
    for (int k = 1; k < 9; k++)
        sum = sum * at + factors[k];
    return sum * y;
}

static double inverse_erfc(double y);

static double inverse_erf(double y)
{
    if (!(fabs(y) < 1)) return fabs(y) == 1 ? copysign((double)INFINITY, y) : (double)NAN;
    if (fabs(y) > 0.5) return copysign(inverse_erfc(1 - fabs(y)), y);
    double x = first_value(y, -log1p(-y * y));
    for (int k = 0; k < 3; k++) { /* Halley's method */
        double step = (erf(x) - y) / (M_2_SQRTPI * exp(-x * x));
        x -= step / (1 + x * step);
    }
    return x;
}

/* Near 0 the argument is the distance from 1, and only its logarithm is a number of usual size. */
static double inverse_erfc(double y)
{
    if (!(y > 0 && y < 2))
        return y == 0 ? (double)INFINITY : y == 2 ? -(double)INFINITY : (double)NAN;
    if (y > 1.5) return -inverse_erfc(2 - y);
    if (y > 0.5) return inverse_erf(1 - y);
    double w = -log(y * (2 - y)),
           x = w < 25 ? first_value(1 - y, w) : sqrt(w - 0.5 * log(M_PI * w));
    for (int k = 0; k < 6; k++) {
        double scaled = scaled_erfc(x), step;
        if (x < 26) { /* Halley's method */
            step = (y * exp(x * x) - scaled) / M_2_SQRTPI;
            step /= 1 + x * step;
        } else { /* exp(x x) is too large: Newton's, for the logarithms */
            step = (x * x + log(y) - log(scaled)) * scaled / M_2_SQRTPI;
        }
        x -= step;
    }
    return x;
}

/* ---- Bessel functions ----------------------------------------------------------------------- */

/* The power series: all of its terms are positive. */
static double bessel(double x, int order)
{
    double square = x * x / 4, term = order == 0 ? 1 : x / 2, sum = term;
    for (int k = 1; k < 2000 && fabs(term) > fabs(sum) * 1e-17; k++) {
        term *= square / (k * (double)(k + order));
        sum += term;
    }
    return sum;
}

static double bessel_i0(double x)
{
    return isinf(x) ? (double)INFINITY : bessel(x, 0);
}

static double bessel_i1(double x)
{
    return isinf(x) ? x : bessel(x, 1);
}

/* The exponent as CUDA defines it: the lowest integer for 0 and NaN, the largest for infinity. */
static int exponent_of(double x)
{
    if (x == 0 || x != x) return INT32_MIN;
    return isinf(x) ? INT32_MAX : ilogb(x);
}

/* ---- functions of numbers ------------------------------------------------------------------- */

/* Has the call these arguments and results, of these sizes? */
static bool is_call(const struct ptx_call *call, size_t result, unsigned count,
                    const size_t sizes[])
{
    if (result != 0 && (call->result_count != 1 || call->result_bytes[0] != result)) return false;
    for (unsigned k = 0; k < count; k++)
        if (k >= call->argument_count || call->argument_bytes[k] != sizes[k]) return false;
    return true;
}

#define ARGUMENT(k, type, x)                                                                       \
    type x;                                                                                        \
    memcpy(&x, native_argument(warp, i, l, k), sizeof x)

/* `sizes`: of the arguments; `again`: what is done after all lanes. */
#define NATIVE(name, R, sizes, before, arguments, result, after)                                   \
    static void native_##name(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)   \
    {                                                                                              \
        const size_t bytes[] = sizes;                                                              \
        if (!is_call(i->call, sizeof(R), sizeof bytes / sizeof bytes[0], bytes)) return;           \
        before;                                                                                    \
        EACH_LANE (l, mask) {                                                                      \
            arguments;                                                                             \
            R value = (R)(result);                                                                 \
            memcpy(native_result(warp, i, l), &value, sizeof value);                               \
        }                                                                                          \
        after;                                                                                     \
    }                                                                                              \
    NATIVE_ROW(name, native_##name)
#define SIZES(...)                                                                                 \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

#define NATIVE_1(name, R, A, ...)                                                                  \
    NATIVE(name, R, SIZES(sizeof(A)), (void)0, ARGUMENT(0, A, x), __VA_ARGS__, (void)0)
#define NATIVE_2(name, R, A, B, ...)                                                               \
    NATIVE(name, R, SIZES(sizeof(A), sizeof(B)), (void)0, ARGUMENT(0, A, x);                       \
           ARGUMENT(1, B, y), __VA_ARGS__, (void)0)
#define NATIVE_3(name, R, A, B, C, ...)                                                            \
    NATIVE(name, R, SIZES(sizeof(A), sizeof(B), sizeof(C)), (void)0, ARGUMENT(0, A, x);            \
           ARGUMENT(1, B, y); ARGUMENT(2, C, z), __VA_ARGS__, (void)0)
#define NATIVE_4(name, T, ...)                                                                     \
    NATIVE(name, T, SIZES(sizeof(T), sizeof(T), sizeof(T), sizeof(T)), (void)0, ARGUMENT(0, T, x); \
           ARGUMENT(1, T, y); ARGUMENT(2, T, z); ARGUMENT(3, T, w), __VA_ARGS__, (void)0)

/* Name, the float's expression, the double's: of x; of x and y; of x, y and z. */
#define OF_X(name, of_float, of_double)                                                            \
    NATIVE_1(name##f, float, float, of_float)                                                      \
    NATIVE_1(name, double, double, of_double)
#define OF_X_Y(name, of_float, of_double)                                                          \
    NATIVE_2(name##f, float, float, float, of_float)                                               \
    NATIVE_2(name, double, double, double, of_double)
#define OF_X_Y_Z(name, of_float, of_double)                                                        \
    NATIVE_3(name##f, float, float, float, float, of_float)                                        \
    NATIVE_3(name, double, double, double, double, of_double)
/* Functions of a number and an integer; of an integer and a number; to a whole number of 64 bits.
 */
#define OF_X_N(name, of_float, of_double)                                                          \
    NATIVE_2(name##f, float, float, int32_t, of_float)                                             \
    NATIVE_2(name, double, double, int32_t, of_double)
#define OF_N_X(name, of_float, of_double)                                                          \
    NATIVE_2(name##f, float, int32_t, float, of_float)                                             \
    NATIVE_2(name, double, int32_t, double, of_double)
#define TO_LONG(name, of_float, of_double)                                                         \
    NATIVE_1(name##f, int64_t, float, of_float)                                                    \
    NATIVE_1(name, int64_t, double, of_double)

OF_X(exp, expf(x), exp(x))
OF_X(exp2, exp2f(x), exp2(x))
OF_X(exp10, pow(10, (double)x), pow(10, x))
OF_X(expm1, expm1f(x), expm1(x))
OF_X(log, logf(x), log(x))
OF_X(log2, log2f(x), log2(x))
OF_X(log10, log10f(x), log10(x))
OF_X(log1p, log1pf(x), log1p(x))
OF_X(logb, logbf(x), logb(x))
OF_X(sin, sinf(x), sin(x))
OF_X(cos, cosf(x), cos(x))
OF_X(tan, tanf(x), tan(x))
OF_X(sinpi, sine_of_pi(x), sine_of_pi(x))
OF_X(cospi, cosine_of_pi(x), cosine_of_pi(x))
OF_X(asin, asinf(x), asin(x))
OF_X(acos, acosf(x), acos(x))
OF_X(atan, atanf(x), atan(x))
OF_X(sinh, sinhf(x), sinh(x))
OF_X(cosh, coshf(x), cosh(x))
OF_X(tanh, tanhf(x), tanh(x))
OF_X(asinh, asinhf(x), asinh(x))
OF_X(acosh, acoshf(x), acosh(x))
OF_X(atanh, atanhf(x), atanh(x))
OF_X(cbrt, cbrtf(x), cbrt(x))
OF_X(rcbrt, 1 / cbrt((double)x), 1 / cbrt(x))
OF_X(rsqrt, 1 / sqrt((double)x), 1 / sqrt(x))
OF_X(erf, erff(x), erf(x))
OF_X(erfc, erfcf(x), erfc(x))
OF_X(erfinv, inverse_erf(x), inverse_erf(x))
OF_X(erfcinv, inverse_erfc(x), inverse_erfc(x))
OF_X(erfcx, scaled_erfc(x), scaled_erfc(x))
OF_X(normcdf, 0.5 * erfc(-M_SQRT1_2 * (double)x), 0.5 * erfc(-M_SQRT1_2 * x))
OF_X(normcdfinv, -M_SQRT2 *inverse_erfc(2 * (double)x), -M_SQRT2 *inverse_erfc(2 * x))
OF_X(lgamma, lgammaf_r(x, &(int){0}), lgamma_r(x, &(int){0}))
OF_X(tgamma, tgammaf(x), tgamma(x))
OF_X(j0, j0((double)x), j0(x))
OF_X(j1, j1((double)x), j1(x))
OF_X(y0, y0((double)x), y0(x))
OF_X(y1, y1((double)x), y1(x))
OF_X(cyl_bessel_i0, bessel_i0(x), bessel_i0(x))
OF_X(cyl_bessel_i1, bessel_i1(x), bessel_i1(x))
OF_X_Y(pow, powf(x, y), pow(x, y))
OF_X_Y(atan2, atan2f(x, y), atan2(x, y))
OF_X_Y(hypot, hypotf(x, y), hypot(x, y))
OF_X_Y(rhypot, 1 / hypot((double)x, (double)y), 1 / hypot(x, y))
OF_X_Y(fmod, fmodf(x, y), fmod(x, y))
OF_X_Y(remainder, remainderf(x, y), remainder(x, y))
OF_X_Y(nextafter, nextafterf(x, y), nextafter(x, y))
OF_X_Y(fdim, fdimf(x, y), fdim(x, y))
OF_X_Y_Z(norm3d, hypot(hypot((double)x, (double)y), (double)z), hypot(hypot(x, y), z))
OF_X_Y_Z(rnorm3d, 1 / hypot(hypot((double)x, (double)y), (double)z), 1 / hypot(hypot(x, y), z))
OF_X_N(ldexp, ldexpf(x, y), ldexp(x, y))
OF_N_X(jn, jn(x, (double)y), jn(x, y))
OF_N_X(yn, yn(x, (double)y), yn(x, y))
TO_LONG(lround, llroundf(x), llround(x))
NATIVE_1(ilogbf, int32_t, float, exponent_of((double)x))
NATIVE_1(ilogb, int32_t, double, exponent_of(x))
#define OF_FOUR hypot(hypot((double)x, (double)y), hypot((double)z, (double)w))
NATIVE_4(norm4df, float, OF_FOUR)
NATIVE_4(norm4d, double, OF_FOUR)
NATIVE_4(rnorm4df, float, 1 / OF_FOUR)
NATIVE_4(rnorm4d, double, 1 / OF_FOUR)

/* ---- functions with pointers ---------------------------------------------------------------- */

/* Their accesses to memory are those of the calling thread, one request for all lanes. */
static void take_pointers(uint64_t address[LANES], const struct warp *warp,
                          const struct ptx_instruction *i, unsigned k, uint32_t mask)
{
    EACH_LANE (l, mask)
        memcpy(&address[l], native_argument(warp, i, l, k), sizeof address[l]);
}

static void store(struct warp *warp, const struct ptx_instruction *i, unsigned k, uint32_t mask,
                  uint32_t bytes, void *values)
{
    uint64_t address[LANES] = {0};
    take_pointers(address, warp, i, k, mask);
    access_values(warp, i, true, SPACE_GENERIC, mask, address, bytes, values);
}

/* R f(R, second result *) */
#define SPLIT(name, R, S)                                                                          \
    NATIVE(name, R, SIZES(sizeof(R), 8), S second[LANES] = {0}, ARGUMENT(0, R, x),                 \
           name(x, &second[l]), store(warp, i, 1, mask, sizeof(S), second))
SPLIT(frexpf, float, int)
SPLIT(frexp, double, int)
SPLIT(modff, float, float)
SPLIT(modf, double, double)

/* R f(R, R, int *) */
#define QUOTIENT(name, R)                                                                          \
    NATIVE(name, R, SIZES(sizeof(R), sizeof(R), 8), int second[LANES] = {0}, ARGUMENT(0, R, x);    \
           ARGUMENT(1, R, y), name(x, y, &second[l]),                                              \
           store(warp, i, 2, mask, sizeof(int), second))
QUOTIENT(remquof, float)
QUOTIENT(remquo, double)
