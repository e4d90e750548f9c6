/* course.cu: what exercises of courses contain: arithmetic of each thread by itself. */
#include "kernels.h"

/* ---- integers in loops ---- */

__global__ void collatz(int *steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned x = i + 1;
    int count = 0;
    while (x != 1) {
        x = x % 2 == 0 ? x / 2 : 3 * x + 1;
        count++;
    }
    steps[i] = count;
}

__device__ static unsigned gcd(unsigned a, unsigned b)
{
    while (b != 0) {
        unsigned rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

__global__ void gcds(const int *a, const int *b, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = gcd(a[i] + 1, b[i] + 1);
}

__global__ void trial_division(int *is_prime, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int candidate = 2 * i + 3, prime = 1;
    for (int d = 3; d * d <= candidate; d += 2)
        if (candidate % d == 0) {
            prime = 0;
            break;
        }
    is_prime[i] = prime;
}

__global__ void powers_modulo(const int *base, unsigned long long *out, int exponent, int modulus,
                              int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned long long result = 1, square = base[i];
    for (int e = exponent; e > 0; e >>= 1) {
        if (e & 1) result = result * square % modulus;
        square = square * square % modulus;
    }
    out[i] = result;
}

__global__ void xorshift(unsigned *state, int rounds, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned x = state[i] | 1, sum = 0;
    for (int r = 0; r < rounds; r++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        sum += x & 0xff;
    }
    state[i] = sum;
}

__global__ void crc_of_words(const unsigned *a, unsigned *out, int per_thread, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned crc = 0xffffffff;
    for (int k = 0; k < per_thread; k++) {
        crc ^= a[k * n + i];
        for (int bit = 0; bit < 32; bit++)
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    }
    out[i] = ~crc;
}

__global__ void linear_congruence(unsigned *out, int rounds)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = i;
    for (int r = 0; r < rounds; r++)
        x = x * 1664525u + 1013904223u;
    out[i] = x;
}

__global__ void digits_reversed(const int *a, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int left = a[i], reversed = 0;
    while (left > 0) {
        reversed = reversed * 10 + left % 10;
        left /= 10;
    }
    out[i] = reversed;
}

static void integers(void)
{
    auto out = array<int>(M);
    measure("integers", "Collatz", [&] { collatz<<<1024, 256>>>(out, 256 * K); });
    auto a = below(1000000, M), b = below(1000000, M);
    out = array<int>(M);
    measure("integers", "greatest common divisors",
            [&] { gcds<<<1024, 256>>>(a, b, out, 256 * K); });
    out = array<int>(M);
    measure("integers", "trial division", [&] { trial_division<<<512, 256>>>(out, 128 * K); });
    a = below(1000003, M);
    auto wide = array<unsigned long long>(M);
    measure("integers", "powers modulo",
            [&] { powers_modulo<<<512, 256>>>(a, wide, 1000001, 1000003, 128 * K); });
    auto state = below<unsigned>(1u << 31, M);
    measure("integers", "xorshift", [&] { xorshift<<<1024, 256>>>(state, 200, 256 * K); });
    auto words = below<unsigned>(1u << 31, 4 * M);
    auto crc = array<unsigned>(M);
    measure("integers", "CRC by bits", [&] { crc_of_words<<<512, 256>>>(words, crc, 8, 128 * K); });
    crc = array<unsigned>(M);
    measure("integers", "linear congruence", [&] { linear_congruence<<<1024, 256>>>(crc, 1000); });
    a = below(1u << 27, M);
    out = array<int>(M);
    measure("integers", "digits reversed",
            [&] { digits_reversed<<<2048, 256>>>(a, out, 512 * K); });
}

/* ---- floats in loops ---- */

__global__ void mandelbrot(int *out, int width, int height, int most)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float cx = -2.0f + 3.0f * x / width, cy = -1.5f + 3.0f * y / height, zx = 0, zy = 0;
    int k = 0;
    for (; k < most && zx * zx + zy * zy < 4; k++) {
        float next = zx * zx - zy * zy + cx;
        zy = 2 * zx * zy + cy;
        zx = next;
    }
    out[y * width + x] = k;
}

__global__ void newton(const float *a, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = a[i] + 1, target = x;
    for (int k = 0; k < 20; k++)
        x = 0.5f * (x + target / x);
    out[i] = x;
}

__global__ void sine_series(const float *a, float *out, int terms, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = a[i], term = x, sum = x;
    for (int k = 1; k < terms; k++) {
        term = -term * x * x / ((2 * k) * (2 * k + 1));
        sum += term;
    }
    out[i] = sum;
}

__global__ void black_scholes(const float *price, const float *strike, const float *years,
                              float *call, float *put, float rate, float volatility, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = price[i] + 1, x = strike[i] + 1, t = years[i] + 0.1f, root = sqrtf(t);
    float d1 = (logf(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
    float d2 = d1 - volatility * root;
    float n1 = 0.5f * erfcf(-d1 * 0.70710678f), n2 = 0.5f * erfcf(-d2 * 0.70710678f);
    float discount = expf(-rate * t);
    call[i] = s * n1 - x * discount * n2;
    put[i] = x * discount * (1 - n2) - s * (1 - n1);
}

__global__ void pi_by_darts(unsigned *hits, int rounds)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, state = i * 747796405u + 2891336453u;
    unsigned count = 0;
    for (int r = 0; r < rounds; r++) {
        state = state * 1664525u + 1013904223u;
        float x = (state >> 8) * (1.0f / (1 << 24));
        state = state * 1664525u + 1013904223u;
        float y = (state >> 8) * (1.0f / (1 << 24));
        if (x * x + y * y <= 1) count++;
    }
    atomicAdd(hits, count);
}

template <typename T> __global__ void integral(T *out, T from, T to, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    T h = (to - from) / steps, sum = 0;
    for (int k = i; k < steps; k += all) {
        T x = from + (k + (T)0.5) * h;
        sum += 4 / (1 + x * x);
    }
    out[i] = sum * h;
}

__global__ void logistic_map(double *x, int rounds, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double v = x[i];
    for (int r = 0; r < rounds; r++)
        v = 3.7 * v * (1 - v);
    x[i] = v;
}

__global__ void quaternions(const float4 *a, const float4 *b, float4 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 p = a[i], q = b[i];
    float4 r = make_float4(p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
                           p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
                           p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w,
                           p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z);
    float length = rsqrtf(r.x * r.x + r.y * r.y + r.z * r.z + r.w * r.w);
    out[i] = make_float4(r.x * length, r.y * length, r.z * length, r.w * length);
}

static void floats(void)
{
    auto image = array<int>(M);
    measure("floats", "Mandelbrot",
            [&] { mandelbrot<<<dim3(32, 32), dim3(16, 16)>>>(image, 512, 512, 200); });
    auto a = fractions(M), out = array<float>(M);
    measure("floats", "Newton's roots", [&] { newton<<<1024, 256>>>(a, out, 256 * K); });
    a = fractions(M), out = array<float>(M);
    measure("floats", "series of the sine",
            [&] { sine_series<<<1024, 256>>>(a, out, 12, 256 * K); });
    auto s = fractions(M), x = fractions(M), t = fractions(M), call = array<float>(M),
         put = array<float>(M);
    measure("floats", "Black and Scholes",
            [&] { black_scholes<<<2048, 256>>>(s, x, t, call, put, 0.02f, 0.3f, 512 * K); });
    auto hits = zeros<unsigned>(1);
    measure("floats", "pi by darts", [&] { pi_by_darts<<<264, 256>>>(hits, 200); });
    out = array<float>(264 * 256);
    measure("floats", "integral", [&] { integral<float><<<264, 256>>>(out, 0, 1, 4 * M); });
    auto doubles = array<double>(264 * 256);
    measure("floats", "integral in double",
            [&] { integral<double><<<264, 256>>>(doubles, 0, 1, M); });
    doubles = array<double>(256 * K);
    measure("floats", "logistic map", [&] { logistic_map<<<1024, 256>>>(doubles, 200, 256 * K); });
    auto p = filled<float4>(M, random_float4), q = filled<float4>(M, random_float4),
         r = array<float4>(M);
    measure("floats", "quaternions", [&] { quaternions<<<2048, 256>>>(p, q, r, 512 * K); });
}

/* ---- local arrays, switches, registers ---- */

__global__ void small_histogram(const unsigned char *a, int *out, int per_thread, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, count[16] = {0};
    if (i >= n) return;
    for (int k = 0; k < per_thread; k++)
        count[a[k * n + i] & 15]++;
    int best = 0;
    for (int k = 1; k < 16; k++)
        if (count[k] > count[best]) best = k;
    out[i] = best;
}

__global__ void medians_of_nine(const float *a, float *b, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
    float v[9];
    int n = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            v[n++] = a[(y + dy) * width + x + dx];
    for (int i = 0; i < 5; i++)
        for (int j = i + 1; j < 9; j++)
            if (v[j] < v[i]) {
                float t = v[i];
                v[i] = v[j];
                v[j] = t;
            }
    b[y * width + x] = v[4];
}

__global__ void bubble_sort(int *a, int n)
{
    enum { EACH = 12 };
    int i = blockIdx.x * blockDim.x + threadIdx.x, v[EACH];
    if (i >= n) return;
    for (int k = 0; k < EACH; k++)
        v[k] = a[k * n + i];
    for (int p = 0; p < EACH; p++)
        for (int k = 0; k < EACH - 1 - p; k++)
            if (v[k] > v[k + 1]) {
                int t = v[k];
                v[k] = v[k + 1];
                v[k + 1] = t;
            }
    for (int k = 0; k < EACH; k++)
        a[k * n + i] = v[k];
}

__global__ void own_stack(const int *children, int *out, int nodes, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, stack[32], top = 0, visited = 0;
    if (i >= n) return;
    stack[top++] = i % 7;
    while (top > 0 && visited < 40) {
        int node = stack[--top];
        visited++;
        if (2 * node + 2 < nodes && top < 30) {
            stack[top++] = children[2 * node];
            stack[top++] = children[2 * node + 1];
        }
    }
    out[i] = visited + top;
}

__global__ void four_by_four(const float *a, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float m[4][4];
    for (int r = 0; r < 4; r++)
        for (int c = 0; c < 4; c++)
            m[r][c] = a[(r * 4 + c) * n + i] + (r == c ? 4.0f : 0.0f);
    float determinant = 1;
    for (int p = 0; p < 4; p++) {
        determinant *= m[p][p];
        for (int r = p + 1; r < 4; r++) {
            float f = m[r][p] / m[p][p];
            for (int c = p; c < 4; c++)
                m[r][c] -= f * m[p][c];
        }
    }
    out[i] = determinant;
}

__global__ void operations(const unsigned char *op, const float *a, float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = a[i];
    switch (op[i] % 8) {
    case 0: x = x + 1; break;
    case 1: x = sqrtf(x); break;
    case 2: x = sinf(x); break;
    case 3: x = expf(-x); break;
    case 4: x = x * x - 2; break;
    case 5: x = 1 / (x + 1); break;
    case 6: x = logf(x + 2); break;
    default: x = -x; break;
    }
    b[i] = x;
}

__global__ void robots(const unsigned char *program, int2 *out, int steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = 0, y = 0, facing = 0;
    if (i >= n) return;
    for (int s = 0; s < steps; s++) {
        switch (program[(i + s * 37) % 4096] % 6) {
        case 0: facing = (facing + 1) % 4; break;
        case 1: facing = (facing + 3) % 4; break;
        case 2: x += facing == 0; break;
        case 3: y += facing == 1; break;
        case 4: x -= facing == 2; break;
        default: y -= facing == 3; break;
        }
    }
    out[i] = make_int2(x, y);
}

template <int WIDTH> __device__ static float polynomials(const float *a, int i, int n, int terms)
{
    float x[WIDTH], sum = 0;
#pragma unroll
    for (int k = 0; k < WIDTH; k++)
        x[k] = a[(i + k * 64) % n];
    for (int t = 0; t < terms; t++)
#pragma unroll
        for (int k = 0; k < WIDTH; k++)
            x[k] = x[k] * x[(k + 7) % WIDTH] + 0.25f;
#pragma unroll
    for (int k = 0; k < WIDTH; k++)
        sum += x[k];
    return sum;
}

__global__ void __launch_bounds__(256, 8) capped_at_32(const float *a, float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = polynomials<40>(a, i, n, 30);
}

__global__ void __launch_bounds__(1024, 1) capped_at_64(const float *a, float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = polynomials<72>(a, i, n, 20);
}

__global__ void not_capped(const float *a, float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = polynomials<40>(a, i, n, 30);
}

static void locals(void)
{
    auto bytes = below<unsigned char>(256, 8 * M);
    auto out = array<int>(M);
    measure("locals", "small histogram",
            [&] { small_histogram<<<512, 256>>>(bytes, out, 32, 128 * K); });
    auto a = fractions(M), b = array<float>(M);
    measure("locals", "medians of nine",
            [&] { medians_of_nine<<<dim3(64, 64), dim3(16, 16)>>>(a, b, 1024, 1024); });
    auto v = below(1000, 3 * M);
    measure("locals", "bubble sort of 12", [&] { bubble_sort<<<512, 256>>>(v, 128 * K); });
    auto children = below(4096, 8192);
    out = array<int>(M);
    measure("locals", "a stack of its own",
            [&] { own_stack<<<256, 128>>>(children, out, 4096, 32 * K); });
    a = fractions(2 * M), b = array<float>(M);
    measure("locals", "determinants 4 x 4", [&] { four_by_four<<<512, 256>>>(a, b, 128 * K); });
    bytes = below<unsigned char>(256, M), a = fractions(M), b = array<float>(M);
    measure("locals", "switch of functions",
            [&] { operations<<<2048, 256>>>(bytes, a, b, 512 * K); });
    bytes = below<unsigned char>(256, 4096);
    auto places = array<int2>(M);
    measure("locals", "robots", [&] { robots<<<256, 256>>>(bytes, places, 64, 64 * K); });
    a = fractions(M), b = array<float>(M);
    measure("locals", "40 values, 32 registers",
            [&] { capped_at_32<<<512, 256>>>(a, b, 128 * K); });
    a = fractions(M), b = array<float>(M);
    measure("locals", "72 values, 64 registers",
            [&] { capped_at_64<<<128, 1024>>>(a, b, 128 * K); });
    a = fractions(M), b = array<float>(M);
    measure("locals", "40 values, free", [&] { not_capped<<<512, 256>>>(a, b, 128 * K); });
}

static void measure_all(void)
{
    integers();
    floats();
    locals();
}
