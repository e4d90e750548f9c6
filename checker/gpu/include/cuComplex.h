/*
 * cuComplex.h: complex numbers as CUDA has them: a float2 or a double2, and functions.
 */
#ifndef CU_COMPLEX_H_
#define CU_COMPLEX_H_

#include <math.h>

#include "vector_types.h"

#ifdef __cplusplus
#    define WARPUP_COMPLEX __host__ __device__ static inline
#else
#    define WARPUP_COMPLEX static inline
#endif

typedef float2 cuFloatComplex;
WARPUP_COMPLEX cuFloatComplex make_cuFloatComplex(float re, float im)
{
    cuFloatComplex z = {re, im};
    return z;
}
WARPUP_COMPLEX float cuCrealf(cuFloatComplex z) { return z.x; }
WARPUP_COMPLEX float cuCimagf(cuFloatComplex z) { return z.y; }
WARPUP_COMPLEX cuFloatComplex cuConjf(cuFloatComplex z) { return make_cuFloatComplex(z.x, -z.y); }
WARPUP_COMPLEX cuFloatComplex cuCaddf(cuFloatComplex a, cuFloatComplex b)
{
    return make_cuFloatComplex(a.x + b.x, a.y + b.y);
}
WARPUP_COMPLEX cuFloatComplex cuCsubf(cuFloatComplex a, cuFloatComplex b)
{
    return make_cuFloatComplex(a.x - b.x, a.y - b.y);
}
WARPUP_COMPLEX cuFloatComplex cuCmulf(cuFloatComplex a, cuFloatComplex b)
{
    return make_cuFloatComplex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
/* Scaled, so that squares do not overflow */
WARPUP_COMPLEX cuFloatComplex cuCdivf(cuFloatComplex a, cuFloatComplex b)
{
    float scale = 1 / (fabsf(b.x) + fabsf(b.y));
    float x = b.x * scale, y = b.y * scale, square = 1 / (x * x + y * y);
    float ax = a.x * scale, ay = a.y * scale;
    return make_cuFloatComplex((ax * x + ay * y) * square, (ay * x - ax * y) * square);
}
WARPUP_COMPLEX float cuCabsf(cuFloatComplex z) { return hypotf(z.x, z.y); }
WARPUP_COMPLEX cuFloatComplex cuCfmaf(cuFloatComplex a, cuFloatComplex b, cuFloatComplex c)
{
    return cuCaddf(cuCmulf(a, b), c);
}

typedef double2 cuDoubleComplex;
WARPUP_COMPLEX cuDoubleComplex make_cuDoubleComplex(double re, double im)
{
    cuDoubleComplex z = {re, im};
    return z;
}
WARPUP_COMPLEX double cuCreal(cuDoubleComplex z) { return z.x; }
WARPUP_COMPLEX double cuCimag(cuDoubleComplex z) { return z.y; }
WARPUP_COMPLEX cuDoubleComplex cuConj(cuDoubleComplex z) { return make_cuDoubleComplex(z.x, -z.y); }
WARPUP_COMPLEX cuDoubleComplex cuCadd(cuDoubleComplex a, cuDoubleComplex b)
{
    return make_cuDoubleComplex(a.x + b.x, a.y + b.y);
}
WARPUP_COMPLEX cuDoubleComplex cuCsub(cuDoubleComplex a, cuDoubleComplex b)
{
    return make_cuDoubleComplex(a.x - b.x, a.y - b.y);
}
WARPUP_COMPLEX cuDoubleComplex cuCmul(cuDoubleComplex a, cuDoubleComplex b)
{
    return make_cuDoubleComplex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
/* Scaled, so that squares do not overflow */
WARPUP_COMPLEX cuDoubleComplex cuCdiv(cuDoubleComplex a, cuDoubleComplex b)
{
    double scale = 1 / (fabs(b.x) + fabs(b.y));
    double x = b.x * scale, y = b.y * scale, square = 1 / (x * x + y * y);
    double ax = a.x * scale, ay = a.y * scale;
    return make_cuDoubleComplex((ax * x + ay * y) * square, (ay * x - ax * y) * square);
}
WARPUP_COMPLEX double cuCabs(cuDoubleComplex z) { return hypot(z.x, z.y); }
WARPUP_COMPLEX cuDoubleComplex cuCfma(cuDoubleComplex a, cuDoubleComplex b, cuDoubleComplex c)
{
    return cuCadd(cuCmul(a, b), c);
}

typedef cuFloatComplex cuComplex;
#define make_cuComplex make_cuFloatComplex
WARPUP_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z)
{
    return make_cuDoubleComplex(z.x, z.y);
}
WARPUP_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z)
{
    return make_cuFloatComplex((float)z.x, (float)z.y);
}

#undef WARPUP_COMPLEX

#endif
