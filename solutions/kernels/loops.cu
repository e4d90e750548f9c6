/*
 * loops.cu: kernels whose threads work on their own for a long time: loops that lanes leave at
 * different times, functions in loops, small arrays of a thread, marks with strides.
 */
#include "kernels.h"

enum { WIDTH = 1024, HEIGHT = 512, POINTS = 256 * K };

/* How many rounds of z = z^2 + c stay within the circle of radius 2 */
__device__ static int rounds_of(float x, float y, float cx, float cy, int most)
{
    int n = 0;
    while (n < most && x * x + y * y <= 4) {
        float next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
        n++;
    }
    return n;
}

__global__ static void mandelbrot(int *n, int most)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    n[row * WIDTH + column] =
        rounds_of(0, 0, -2.2f + 3.2f * column / WIDTH, -1.6f + 3.2f * row / HEIGHT, most);
}

__global__ static void burning_ship(unsigned char *n)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    float cx = -1.8f + 0.1f * column / WIDTH, cy = -0.08f + 0.1f * row / HEIGHT, x = 0, y = 0;
    int i;
    for (i = 0; i < 200; i++) {
        float next = x * x - y * y + cx;
        y = fabsf(2 * x * y) + cy;
        x = next;
        if (x * x + y * y > 16) break;
    }
    n[row * WIDTH + column] = (unsigned char)i;
}

/* Newton's method for x^3 = a, until it stands still */
__global__ static void cube_roots(const float *a, float *root, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = 1, step = 1;
    while (fabsf(step) > 1e-5f * fabsf(x)) {
        step = (x - a[i] / (x * x)) / 3;
        x -= step;
    }
    root[i] = x;
}

__global__ static void bisection(const float *a, float *root, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float low = 0, high = 8, target = a[i];
    while (high - low > 1e-4f) {
        float middle = 0.5f * (low + high);
        if (middle * middle * middle - middle > target)
            high = middle;
        else
            low = middle;
    }
    root[i] = low;
}

__global__ static void common_divisors(const unsigned *a, unsigned *divisor, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned x = a[i] | 1, y = a[n - 1 - i] | 1;
    while (y != 0) {
        unsigned rest = x % y;
        x = y;
        y = rest;
    }
    divisor[i] = x;
}

/* The greatest common divisors by shifts and differences alone */
__global__ static void binary_divisors(const unsigned *a, unsigned *divisor, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned x = a[i] | 1, y = a[n - 1 - i] | 1;
    while (x != y) {
        if (x > y) {
            x -= y;
            while ((x & 1) == 0)
                x >>= 1;
        } else {
            y -= x;
            while ((y & 1) == 0)
                y >>= 1;
        }
    }
    divisor[i] = x;
}

__global__ static void is_prime(unsigned char *prime, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int is = i > 1;
    for (int d = 2; d * d <= i && is; d++)
        is = i % d != 0;
    prime[i] = (unsigned char)is;
}

__global__ static void power_modulo(const unsigned *base, unsigned *result, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned long long b = base[i] % 65521, r = 1;
    for (unsigned e = base[n - 1 - i] & 0xffff; e != 0; e >>= 1) {
        if (e & 1) r = r * b % 65521;
        b = b * b % 65521;
    }
    result[i] = (unsigned)r;
}

static void measure_escapes(void)
{
    int *counts = array<int>(WIDTH * HEIGHT);
    measure("escape", "mandelbrot, 100 rounds",
            [=] { mandelbrot<<<dim3(WIDTH / 32, HEIGHT / 8), dim3(32, 8)>>>(counts, 100); });
    unsigned char *bytes = array<unsigned char>(WIDTH * HEIGHT);
    measure("escape", "burning ship",
            [=] { burning_ship<<<dim3(WIDTH / 256, HEIGHT), 256>>>(bytes); });
    counts = array<int>(WIDTH * HEIGHT);
    measure("escape", "mandelbrot, 1000 rounds",
            [=] { mandelbrot<<<dim3(WIDTH / 16, HEIGHT / 16), dim3(16, 16)>>>(counts, 1000); });
    float *a = filled<float>(POINTS, [](size_t i) { return 1 + 200 * fraction(i); });
    float *root = array<float>(POINTS);
    measure("escape", "cube roots", [=] { cube_roots<<<POINTS / 256, 256>>>(a, root, POINTS); });
    a = filled<float>(POINTS, [](size_t i) { return 200 * fraction(i); });
    root = array<float>(POINTS);
    measure("escape", "bisection", [=] { bisection<<<POINTS / 256, 256>>>(a, root, POINTS); });
    unsigned *u = filled<unsigned>(POINTS, [](size_t i) { return scatter(i); });
    unsigned *d = array<unsigned>(POINTS);
    measure("escape", "common divisors",
            [=] { common_divisors<<<POINTS / 128, 128>>>(u, d, POINTS); });
    u = filled<unsigned>(POINTS, [](size_t i) { return scatter(i) >> 12; });
    d = array<unsigned>(POINTS);
    measure("escape", "divisors by shifts",
            [=] { binary_divisors<<<POINTS / 128, 128>>>(u, d, POINTS); });
    bytes = array<unsigned char>(POINTS);
    measure("escape", "prime or not", [=] { is_prime<<<POINTS / 256, 256>>>(bytes, POINTS); });
    u = filled<unsigned>(POINTS, [](size_t i) { return scatter(i); });
    d = array<unsigned>(POINTS);
    measure("escape", "powers modulo", [=] { power_modulo<<<POINTS / 256, 256>>>(u, d, POINTS); });
}

/* A sum of waves at each place */
__global__ static void waves(const float *amplitude, float *sum, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    for (int k = 0; k < count; k++)
        s += amplitude[k] * sinf(0.01f * k * i);
    sum[i] = s;
}

__global__ static void phases(const float *x, float *real, float *imaginary, int n)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    float re = 0, im = 0;
    for (int j = 0; j < n; j++) {
        float angle = -6.2831853f * (float)(j * k % n) / n;
        re += x[j] * cosf(angle);
        im += x[j] * sinf(angle);
    }
    real[k] = re;
    imaginary[k] = im;
}

__global__ static void decays(const float *rate, float *out, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float r = rate[i], s = 0;
    for (int t = 0; t < steps; t++)
        s += expf(-r * t) + logf(1 + r + t);
    out[i] = s;
}

__global__ static void tangents(const float *x, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tanf(x[i]) + atanf(x[i]) + powf(fabsf(x[i]), 1.7f);
}

__global__ static void roots_of_sums(const float *x, float *out, int terms)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = x[i];
    for (int k = 1; k <= terms; k++)
        s = sqrtf(s + k) + 1 / s;
    out[i] = s;
}

/* The distance of two places on a sphere, for all pairs with a few cities */
__global__ static void great_circles(const float2 *place, const float2 *city, float *nearest, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float2 a = place[i];
    float best = 1e30f;
    for (int k = 0; k < n; k++) {
        float2 b = city[k];
        float u = sinf(0.5f * (a.x - b.x)), v = sinf(0.5f * (a.y - b.y));
        best = fminf(best, asinf(sqrtf(fminf(1, u * u + cosf(a.x) * cosf(b.x) * v * v))));
    }
    nearest[i] = best;
}

static void measure_functions(void)
{
    float *x = filled<float>(K, [](size_t i) { return fraction(i); });
    float *sum = array<float>(64 * K);
    measure("functions", "sums of waves", [=] { waves<<<64 * K / 256, 256>>>(x, sum, 64); });
    x = filled<float>(K, [](size_t i) { return fraction(i); });
    float *real = array<float>(K), *imaginary = array<float>(K);
    measure("functions", "phases of 1024",
            [=] { phases<<<K / 128, 128>>>(x, real, imaginary, K); });
    x = filled<float>(64 * K, [](size_t i) { return fraction(i); });
    sum = array<float>(64 * K);
    measure("functions", "decays", [=] { decays<<<64 * K / 256, 256>>>(x, sum, 32); });
    x = filled<float>(M, [](size_t i) { return 3 * fraction(i) - 1.5f; });
    sum = array<float>(M);
    measure("functions", "tangents and powers", [=] { tangents<<<M / 256, 256>>>(x, sum, M); });
    x = filled<float>(64 * K, [](size_t i) { return 1 + fraction(i); });
    sum = array<float>(64 * K);
    measure("functions", "roots of sums",
            [=] { roots_of_sums<<<64 * K / 256, 256>>>(x, sum, 40); });
    float2 *place =
        filled<float2>(64 * K, [](size_t i) { return make_float2(fraction(i), fraction(i + 7)); });
    float2 *city =
        filled<float2>(32, [](size_t i) { return make_float2(fraction(3 * i), fraction(5 * i)); });
    sum = array<float>(64 * K);
    measure("functions", "great circles",
            [=] { great_circles<<<64 * K / 128, 128>>>(place, city, sum, 32); });
}

/* The largest few of a thread's part of an array, in order */
template <int KEPT> __global__ static void largest(const float *x, float *out, int each)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    float kept[KEPT];
    for (int k = 0; k < KEPT; k++)
        kept[k] = -1;
    for (int j = 0; j < each; j++) {
        float value = x[j * all + i];
        if (value <= kept[KEPT - 1]) continue;
        int k = KEPT - 1;
        while (k > 0 && kept[k - 1] < value) {
            kept[k] = kept[k - 1];
            k--;
        }
        kept[k] = value;
    }
    for (int k = 0; k < KEPT; k++)
        out[k * all + i] = kept[k];
}

/* The largest numbers by exchanges whose places are constants */
template <int KEPT> __global__ static void largest_by_exchange(const float *x, float *out, int each)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    float kept[KEPT];
    for (int k = 0; k < KEPT; k++)
        kept[k] = -1;
    for (int j = 0; j < each; j++) {
        float value = x[j * all + i];
        for (int k = 0; k < KEPT; k++) {
            float larger = fmaxf(kept[k], value);
            value = fminf(kept[k], value);
            kept[k] = larger;
        }
    }
    for (int k = 0; k < KEPT; k++)
        out[k * all + i] = kept[k];
}

/* Each thread sorts its own row by insertion. */
template <int LENGTH> __global__ static void sort_rows(const int *x, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    int row[LENGTH];
    for (int j = 0; j < LENGTH; j++) {
        int value = x[j * all + i], k = j;
        for (; k > 0 && row[k - 1] > value; k--)
            row[k] = row[k - 1];
        row[k] = value;
    }
    for (int j = 0; j < LENGTH; j++)
        out[j * all + i] = row[j];
}

__global__ static void private_histogram(const unsigned char *x, int *out, int each)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    int bins[16];
    for (int b = 0; b < 16; b++)
        bins[b] = 0;
    for (int j = 0; j < each; j++)
        bins[x[j * all + i] & 15]++;
    for (int b = 0; b < 16; b++)
        out[b * all + i] = bins[b];
}

/* A stack machine: each thread pushes and pops by its data. */
__global__ static void stacks(const unsigned char *code, int *out, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    int stack[32], top = 0;
    stack[0] = i;
    for (int s = 0; s < steps; s++) {
        int c = code[s * all + i];
        if ((c & 1) && top < 31)
            stack[++top] = c;
        else if (top > 0) {
            int value = stack[top--];
            stack[top] += value;
        }
    }
    out[i] = stack[top];
}

static void measure_selections(void)
{
    enum { THREADS = 64 * K, EACH = 64 };
    float *x = filled<float>(THREADS * EACH, [](size_t i) { return fraction(i); });
    float *out = array<float>(THREADS * 8);
    measure("private", "largest four", [=] { largest<4><<<THREADS / 256, 256>>>(x, out, EACH); });
    x = filled<float>(THREADS * EACH, [](size_t i) { return fraction(i); });
    out = array<float>(THREADS * 8);
    measure("private", "largest eight by exchange",
            [=] { largest_by_exchange<8><<<THREADS / 256, 256>>>(x, out, EACH); });
    x = filled<float>(THREADS * EACH, [](size_t i) { return fraction(i); });
    out = array<float>(THREADS * 8);
    measure("private", "largest four by exchange",
            [=] { largest_by_exchange<4><<<THREADS / 256, 256>>>(x, out, EACH); });
    x = filled<float>(THREADS * EACH, [](size_t i) { return fraction(i); });
    out = array<float>(THREADS * 8);
    measure("private", "largest eight", [=] { largest<8><<<THREADS / 256, 256>>>(x, out, EACH); });
    int *row = filled<int>(THREADS * 16, [](size_t i) { return (int)(scatter(i) >> 1); });
    int *sorted = array<int>(THREADS * 16);
    measure("private", "rows of 16 sorted",
            [=] { sort_rows<16><<<THREADS / 128, 128>>>(row, sorted); });
    row = filled<int>(THREADS * 48, [](size_t i) { return (int)(scatter(i) >> 1); });
    sorted = array<int>(THREADS * 48);
    measure("private", "rows of 48 sorted",
            [=] { sort_rows<48><<<THREADS / 128, 128>>>(row, sorted); });
    unsigned char *bytes =
        filled<unsigned char>(THREADS * EACH, [](size_t i) { return (unsigned char)scatter(i); });
    int *bins = array<int>(THREADS * 16);
    measure("private", "16 bins",
            [=] { private_histogram<<<THREADS / 256, 256>>>(bytes, bins, EACH); });
    bytes = filled<unsigned char>(THREADS * EACH,
                                  [](size_t i) { return (unsigned char)(scatter(i) >> 3); });
    int *top = array<int>(THREADS);
    measure("private", "stacks", [=] { stacks<<<THREADS / 256, 256>>>(bytes, top, EACH); });
}

/* Each thread marks the multiples of its number. */
__global__ static void mark_multiples(unsigned char *marked, int n)
{
    int d = blockIdx.x * blockDim.x + threadIdx.x + 2;
    for (int m = 2 * d; m < n; m += d)
        marked[m] = 1;
}

/* A block marks the multiples of its number together. */
__global__ static void mark_together(unsigned char *marked, int n)
{
    int d = blockIdx.x + 2;
    for (int m = (2 + threadIdx.x) * d; m < n; m += (int)blockDim.x * d)
        marked[m] = 1;
}

__global__ static void mark_allowed(const int *allowed, int *marked, int n)
{
    int d = blockIdx.x + 2;
    for (int m = (2 + threadIdx.x) * d; m < n; m += (int)blockDim.x * d)
        if (allowed[m] & 1) marked[m] = 1;
}

/* Bits of a block's part of the numbers in shared memory */
__global__ static void mark_part(unsigned *primes, int part)
{
    extern __shared__ unsigned char is_marked[];
    int first = blockIdx.x * part;
    for (int i = threadIdx.x; i < part; i += blockDim.x)
        is_marked[i] = 0;
    __syncthreads();
    for (int d = 2 + threadIdx.x; d * d < first + part; d += blockDim.x)
        for (int m = (first + d - 1) / d * d; m < first + part; m += d)
            if (m > d) is_marked[m - first] = 1;
    __syncthreads();
    int count = 0;
    for (int i = threadIdx.x; i < part; i += blockDim.x)
        count += !is_marked[i];
    atomicAdd(primes, (unsigned)count);
}

static void measure_marks(void)
{
    unsigned char *marked = array<unsigned char>(M);
    measure("marks", "a thread per number", [=] { mark_multiples<<<K / 64, 64>>>(marked, M); });
    marked = array<unsigned char>(M);
    measure("marks", "a block per number", [=] { mark_together<<<K, 256>>>(marked, M); });
    int *words = array<int>(M);
    int *allowed = filled<int>(M, [](size_t i) { return (int)(scatter(i) >> 1); });
    measure("marks", "words, where allowed", [=] { mark_allowed<<<K, 128>>>(allowed, words, M); });
    unsigned *primes = array<unsigned>(1);
    measure("marks", "parts in shared memory",
            [=] { mark_part<<<256, 256, 16 * K>>>(primes, 16 * K); });
}

static void measure_all(void)
{
    measure_escapes();
    measure_functions();
    measure_selections();
    measure_marks();
}
