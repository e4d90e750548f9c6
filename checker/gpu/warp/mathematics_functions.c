/*
 * mathematics_functions.c: functions that CUDA has and the C library lacks, in double precision.
 */
#define _GNU_SOURCE /* M_PI */
#include "gpu/warp/mathematics.h"

/* x, less a multiple of 2: in [-1, 1]. Exact. */
static double turn(double x)
{
    return remainder(x, 2);
}

double sine_of_pi(double x)
{
    double part = turn(x), size = fabs(part);
    if (isinf(x)) return (double)NAN;
    if (part == 0 || size == 1) return copysign(0, x);
    double sine = size > 0.75   ? sin(M_PI * (1 - size))
                  : size > 0.25 ? cos(M_PI * (0.5 - size))
                                : sin(M_PI * size);
    return copysign(sine, part);
}

double cosine_of_pi(double x)
{
    double size = fabs(turn(x));
    if (isinf(x)) return (double)NAN;
    if (size == 0.5) return 0;
    return size > 0.75   ? -cos(M_PI * (1 - size))
           : size > 0.25 ? sin(M_PI * (0.5 - size))
                         : cos(M_PI * size);
}

/* ---- the error function --------------------------------------------------------------------- */

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

double inverse_erf(double y)
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
double inverse_erfc(double y)
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

double scaled_erfc(double x)
{
    double square = x * x;
    if (x < 26) return exp(square) * (1 + fma(x, x, -square)) * erfc(x);
    double t = 1 / (2 * square), sum = 1 - 9 * t;
    for (int k = 7; k > 0; k -= 2)
        sum = 1 - k * t * sum;
    return sum / (x * sqrt(M_PI));
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

double bessel_i0(double x)
{
    return isinf(x) ? (double)INFINITY : bessel(x, 0);
}

double bessel_i1(double x)
{
    return isinf(x) ? x : bessel(x, 1);
}
