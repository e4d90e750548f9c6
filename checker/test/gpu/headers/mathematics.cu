// Functions of one instruction are PTX; others are calls with the names of C's library.
// both: \.extern \.func  ?\(\.param \.b32 func_retval0\) sinf
// both: \.extern \.func  ?\(\.param \.b64 func_retval0\) pow$
// both: \bexpf\b
// both: \bfmodf\b
// O3: sqrt\.rn\.f32
// O3: rsqrt\.approx\.f32
// O3: ex2\.approx\.ftz\.f32
// O3: lg2\.approx\.ftz\.f32
// O3: sin\.approx\.ftz\.f32
// O3: div\.approx\.ftz\.f32
// O3: fma\.rn\.f32
// O3: add\.rz\.f32
// O3: cvt\.rzi\.s32\.f32
// O3: max\.f32
// O3: max\.s32
// O3: abs\.f64
// O3: tanh\.approx\.f32
// never: powi
#include <cmath>
__global__ void floats(float *x, int n)
{
    x[0] = sinf(x[1]) + std::exp(x[2]) + sqrtf(x[3]) + rsqrtf(x[4]) + fmodf(x[5], x[6]) + powf(x[7], x[8]);
    x[1] = __expf(x[1]) + __logf(x[2]) + __sinf(x[3]) + __fdividef(x[4], x[5]) + __powf(x[6], x[7]) + __tanhf(x[8]);
    x[2] = fmaf(x[1], x[2], x[3]) + __fadd_rz(x[4], x[5]) + fmaxf(x[6], x[7]) + max(x[8], x[9]) + min(n, 3);
    x[3] = __float2int_rz(x[4]) + max(n, 7) + abs(n) + abs(x[5]) + std::abs(x[6]) + lroundf(x[7]) + floorf(x[8]);
    x[4] = std::sqrt((float)n) + pow(x[5], 2) + sqrt(x[6]) + isnan(x[7]) + isinf(x[8]) + signbit(x[9]) + std::isfinite(x[1]);
    sincosf(x[5], &x[6], &x[7]);
    x[8] = norm3df(x[1], x[2], x[3]) + erff(x[4]) + cbrtf(x[5]) + hypotf(x[6], x[7]) + atan2f(x[8], x[9]);
}
__global__ void doubles(double *x)
{
    x[0] = sin(x[1]) + exp(x[2]) + sqrt(x[3]) + rsqrt(x[4]) + pow(x[5], x[6]) + fabs(x[7]) + floor(x[8]) + round(x[9]);
    int e;
    x[1] = frexp(x[2], &e) + ldexp(x[3], e) + fma(x[4], x[5], x[6]) + __dadd_rn(x[7], x[8]) + ilogb(x[9]);
    x[2] = std::pow(x[3], 2) + fmax(x[4], 3.0) + atan2(x[5], 1.0) + std::fmin(x[6], x[7]) + tgamma(x[8]);
}
int main()
{
    float x = std::sqrt(2.0f) + sinf(1) + rsqrtf(4) + max(1, 2) + min(2.0f, 1.0f) + normcdff(0) + sinpif(0.5f);
    double y = std::exp(1.0) + pow(2, 3) + std::pow(2.0f, 2) + rsqrt(4.0) + norm3d(1, 2, 2) + abs(-3) + std::abs(-3.0);
    return (int)(x + y);
}
