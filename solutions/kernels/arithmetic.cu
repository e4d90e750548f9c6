/* arithmetic.cu: kernels that compute: polynomials, special functions, integers. */
#include "kernels.h"

#include <math.h>

/* ---- polynomials and other chains of floats
 * -------------------------------------------------------- */

template <int DEGREE> __global__ void polynomial(const float *a, float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = a[i], y = 1;
    for (int k = 0; k < DEGREE; k++)
        y = y * x + 0.5f;
    b[i] = y;
}

/* Four results per thread, which do not depend on each other */
__global__ void four_polynomials(float *b, int degree)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i * 1e-7f, y[4] = {1, 2, 3, 4};
    for (int k = 0; k < degree; k++)
#pragma unroll
        for (int j = 0; j < 4; j++)
            y[j] = y[j] * x + 0.5f;
    b[i] = y[0] + y[1] + y[2] + y[3];
}

/* A multiplication and an addition that cannot be one instruction */
__global__ void additions(float *b, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i * 1e-7f, y = 0;
    for (int k = 0; k < steps; k++) {
        y += x;
        x = (x + y) * 0.5f;
    }
    b[i] = y;
}

__global__ void logistic_map(const float *a, float *b, int steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = a[i];
    for (int k = 0; k < steps; k++)
        x = 3.7f * x * (1 - x);
    b[i] = x;
}

__global__ void mandelbrot(int *out, int width, int height, int steps)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float cr = 3.0f * x / width - 2, ci = 2.0f * y / height - 1, r = 0, i = 0;
    int k = 0;
    while (k < steps && r * r + i * i < 4) {
        float next = r * r - i * i + cr;
        i = 2 * r * i + ci;
        r = next;
        k++;
    }
    out[y * width + x] = k;
}

__global__ void complex_powers(const float2 *a, float2 *b, int steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float2 x = a[i], y = x;
    for (int k = 0; k < steps; k++) {
        float real = y.x * x.x - y.y * x.y;
        y.y = y.x * x.y + y.y * x.x;
        y.x = real;
    }
    b[i] = y;
}

static void polynomials(void)
{
    {
        int n = 4 * M;
        const float *a = array<float>(n);
        float *b = array<float>(n);
        measure("polynomial", "degree 8", [&] { polynomial<8><<<n / 256, 256>>>(a, b, n); });
    }
    {
        int n = 4 * M;
        const float *a = array<float>(n);
        float *b = array<float>(n);
        measure("polynomial", "degree 32", [&] { polynomial<32><<<n / 256, 256>>>(a, b, n); });
    }
    {
        int n = 2 * M;
        const float *a = array<float>(n);
        float *b = array<float>(n);
        measure("polynomial", "degree 128", [&] { polynomial<128><<<n / 256, 256>>>(a, b, n); });
    }
    {
        int n = M / 2;
        const float *a = array<float>(n);
        float *b = array<float>(n);
        measure("polynomial", "degree 512, blocks of 128",
                [&] { polynomial<512><<<n / 128, 128>>>(a, b, n); });
    }
    {
        float *b = array<float>(M / 4);
        measure("polynomial", "four per thread", [&] { four_polynomials<<<K, 256>>>(b, 256); });
    }
    {
        float *b = array<float>(M / 2);
        measure("polynomial", "additions", [&] { additions<<<2 * K, 256>>>(b, 256); });
    }
    {
        int n = M;
        const float *a = array<float>(n);
        float *b = array<float>(n);
        measure("polynomial", "logistic map",
                [&] { logistic_map<<<n / 256, 256>>>(a, b, 200, n); });
    }
    {
        int *out = array<int>(M);
        measure("polynomial", "Mandelbrot set",
                [&] { mandelbrot<<<dim3(32, 128), dim3(32, 8)>>>(out, K, K, 256); });
    }
    {
        int n = M;
        const float2 *a = array<float2>(n);
        float2 *b = array<float2>(n);
        measure("polynomial", "complex powers",
                [&] { complex_powers<<<n / 256, 256>>>(a, b, 64, n); });
    }
}

/* ---- special functions
 * --------------------------------------------------------------------------- */

#define SPECIAL(NAME, EXPRESSION)                                                                  \
    __global__ void NAME(const float *a, float *b, int steps, int n)                               \
    {                                                                                              \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                             \
        if (i >= n) return;                                                                        \
        float x = a[i], sum = 0;                                                                   \
        for (int k = 0; k < steps; k++) {                                                          \
            sum += EXPRESSION;                                                                     \
            x += 0.01f;                                                                            \
        }                                                                                          \
        b[i] = sum;                                                                                \
    }

SPECIAL(exponentials, expf(x))
SPECIAL(fast_exponentials, __expf(x))
SPECIAL(sines, sinf(x))
SPECIAL(fast_sines, __sinf(x))
SPECIAL(roots, sqrtf(x))
SPECIAL(inverse_roots, rsqrtf(x))
SPECIAL(logarithms, logf(x))
SPECIAL(powers, powf(x, 1.7f))
SPECIAL(tangents, tanhf(x))
SPECIAL(quotients, 1.5f / x)
SPECIAL(fast_quotients, __fdividef(1.5f, x))
SPECIAL(sines_and_cosines, sinf(x) * cosf(x))
SPECIAL(error_functions, erff(x))

/* The price of options */
__global__ void black_scholes(const float *price, const float *strike, const float *years,
                              float *call, float *put, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = price[i], x = strike[i], t = years[i], rate = 0.02f, volatility = 0.3f;
    float root = sqrtf(t),
          d1 = (logf(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
    float d2 = d1 - volatility * root, n1 = 0.5f * erfcf(-d1 * 0.70710678f),
          n2 = 0.5f * erfcf(-d2 * 0.70710678f);
    float discounted = x * expf(-rate * t);
    call[i] = s * n1 - discounted * n2;
    put[i] = discounted * (1 - n2) - s * (1 - n1);
}

__global__ void sigmoid(const float *a, float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = 1 / (1 + expf(-a[i]));
}

__global__ void polar(const float *x, const float *y, float *radius, float *angle, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    radius[i] = sqrtf(x[i] * x[i] + y[i] * y[i]);
    angle[i] = atan2f(y[i], x[i]);
}

static void special(const char *name, void (*kernel)(const float *, float *, int, int), int steps)
{
    int n = M / 2;
    const float *a = array<float>(n);
    float *b = array<float>(n);
    measure("special", name, [&] { kernel<<<n / 256, 256>>>(a, b, steps, n); });
}

static void special_functions(void)
{
    special("expf", exponentials, 64);
    special("__expf", fast_exponentials, 64);
    special("sinf", sines, 48);
    special("__sinf", fast_sines, 64);
    special("sqrtf", roots, 64);
    special("rsqrtf", inverse_roots, 64);
    special("logf", logarithms, 48);
    special("powf", powers, 24);
    special("tanhf", tangents, 48);
    special("division", quotients, 64);
    special("__fdividef", fast_quotients, 64);
    special("sinf and cosf", sines_and_cosines, 24);
    special("erff", error_functions, 48);
    {
        int n = 2 * M;
        const float *price = array<float>(n), *strike = array<float>(n), *years = array<float>(n);
        float *call = array<float>(n), *put = array<float>(n);
        measure("special", "prices of options",
                [&] { black_scholes<<<n / 256, 256>>>(price, strike, years, call, put, n); });
    }
    {
        int n = 4 * M;
        const float *a = array<float>(n);
        float *b = array<float>(n);
        measure("special", "sigmoid", [&] { sigmoid<<<n / 256, 256>>>(a, b, n); });
    }
    {
        int n = 2 * M;
        const float *x = array<float>(n), *y = array<float>(n);
        float *radius = array<float>(n), *angle = array<float>(n);
        measure("special", "polar coordinates",
                [&] { polar<<<n / 256, 256>>>(x, y, radius, angle, n); });
    }
}

/* ---- integers
 * -------------------------------------------------------------------------------------- */

__global__ void random_steps(unsigned *out, int steps)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = i;
    for (int k = 0; k < steps; k++)
        x = x * 1664525u + 1013904223u;
    out[i] = x;
}

__global__ void shift_steps(unsigned *out, int steps)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = i + 1;
    for (int k = 0; k < steps; k++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    out[i] = x;
}

__global__ void wide_steps(unsigned long long *out, int steps)
{
    unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x, x = i;
    for (int k = 0; k < steps; k++)
        x = x * 6364136223846793005ull + 1442695040888963407ull;
    out[i] = x;
}

__global__ void divisions(const int *a, int *b, int divisor, int steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int x = a[i], sum = 0;
    for (int k = 0; k < steps; k++) {
        sum += x / (divisor + k);
        x += 12345;
    }
    b[i] = sum;
}

__global__ void constant_divisions(const int *a, int *b, int steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int x = a[i], sum = 0;
    for (int k = 0; k < steps; k++) {
        sum += x / 10 + x % 7;
        x += 12345;
    }
    b[i] = sum;
}

__global__ void divisors(const unsigned *a, unsigned *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned x = a[i] | 1, y = 720720;
    while (y != 0) {
        unsigned rest = x % y;
        x = y;
        y = rest;
    }
    b[i] = x;
}

__global__ void collatz(int *steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, count = 0;
    if (i >= n) return;
    for (unsigned long long x = i + 1; x != 1; count++)
        x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    steps[i] = count;
}

__global__ void bits(const unsigned *a, int *b, int steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    if (i >= n) return;
    unsigned x = a[i];
    for (int k = 0; k < steps; k++) {
        sum += __popc(x) + __clz(x) + (__brev(x) & 15);
        x = x * 5 + 1;
    }
    b[i] = sum;
}

/* Finds each value's place in a sorted table. */
__global__ void binary_search(const int *table, int size, const int *value, int *place, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int low = 0, high = size;
    while (low < high) {
        int middle = (low + high) / 2;
        if (table[middle] < value[i])
            low = middle + 1;
        else
            high = middle;
    }
    place[i] = low;
}

/* Three indices from one, and back in another order */
__global__ void reorder(const float *a, float *b, int nx, int ny, int nz)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= nx * ny * nz) return;
    int x = i % nx, y = i / nx % ny, z = i / (nx * ny);
    b[(y * nz + z) * nx + x] = a[i];
}

__global__ void primes(int *is_prime, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int prime = i > 1;
    for (int d = 2; d * d <= i && prime; d++)
        prime = i % d != 0;
    is_prime[i] = prime;
}

static void integers(void)
{
    {
        unsigned *out = array<unsigned>(M);
        measure("integer", "random numbers", [&] { random_steps<<<4 * K, 256>>>(out, 200); });
    }
    {
        unsigned *out = array<unsigned>(M / 2);
        measure("integer", "shifts", [&] { shift_steps<<<2 * K, 256>>>(out, 128); });
    }
    {
        unsigned long long *out = array<unsigned long long>(M / 2);
        measure("integer", "64 bits", [&] { wide_steps<<<2 * K, 256>>>(out, 128); });
    }
    {
        int n = M / 2;
        const int *a = array<int>(n);
        int *b = array<int>(n);
        measure("integer", "divisions", [&] { divisions<<<n / 256, 256>>>(a, b, 17, 32, n); });
    }
    {
        int n = M / 2;
        const int *a = array<int>(n);
        int *b = array<int>(n);
        measure("integer", "divisions by constants",
                [&] { constant_divisions<<<n / 256, 256>>>(a, b, 64, n); });
    }
    {
        int n = M / 2;
        const unsigned *a = filled<unsigned>(n, scatter);
        unsigned *b = array<unsigned>(n);
        measure("integer", "common divisors", [&] { divisors<<<n / 256, 256>>>(a, b, n); });
    }
    {
        int n = M / 4;
        int *steps = array<int>(n);
        measure("integer", "Collatz", [&] { collatz<<<n / 128, 128>>>(steps, n); });
    }
    {
        int n = M / 2;
        const unsigned *a = filled<unsigned>(n, scatter);
        int *b = array<int>(n);
        measure("integer", "bits", [&] { bits<<<n / 256, 256>>>(a, b, 64, n); });
    }
    {
        int n = M / 2, size = M;
        const int *table = filled<int>(size, [](size_t i) { return (int)(i * 16); });
        const int *value =
            filled<int>(n, [](size_t i) { return (int)(scatter(i) & (16 * M - 1)); });
        int *place = array<int>(n);
        measure("integer", "binary search",
                [&] { binary_search<<<n / 256, 256>>>(table, size, value, place, n); });
    }
    {
        int nx = 128, ny = 128, nz = 256;
        const float *a = array<float>(nx * ny * nz);
        float *b = array<float>(nx * ny * nz);
        measure("integer", "three indices",
                [&] { reorder<<<nx * ny * nz / 256, 256>>>(a, b, nx, ny, nz); });
    }
    {
        int n = M / 4;
        int *is_prime = array<int>(n);
        measure("integer", "primes", [&] { primes<<<n / 256, 256>>>(is_prime, n); });
    }
}

static void measure_all(void)
{
    polynomials();
    special_functions();
    integers();
}
