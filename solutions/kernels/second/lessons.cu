/* lessons.cu: what the lessons of a course let students write: first kernels, reductions, tiles. */
#include "kernels.h"

/* ---- first kernels ---- */

__global__ void clamped(const int *a, int *b, int low, int high, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = a[i] < low ? low : a[i] > high ? high : a[i];
}

__global__ void complex_products(const float2 *a, const float2 *b, float2 *c, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        c[i] = make_float2(a[i].x * b[i].x - a[i].y * b[i].y, a[i].x * b[i].y + a[i].y * b[i].x);
}

__constant__ float coefficient[9];

__global__ void horner(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = coefficient[8];
    for (int k = 7; k >= 0; k--)
        v = v * x[i] + coefficient[k];
    y[i] = v;
}

__global__ void distances(const float *x, const float *y, const float *z, float *d, float px,
                          float py, float pz, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float dx = x[i] - px, dy = y[i] - py, dz = z[i] - pz;
    d[i] = sqrtf(dx * dx + dy * dy + dz * dz);
}

__global__ void reversed_in_block(const int *a, int *b)
{
    __shared__ int s[256];
    int t = threadIdx.x, from = blockIdx.x * 256;
    s[t] = a[from + t];
    __syncthreads();
    b[from + t] = s[255 - t];
}

__global__ void running_mean(const float *a, float *b, int width, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    int count = 0;
    for (int j = i - width; j <= i + width; j++)
        if (j >= 0 && j < n) {
            sum += a[j];
            count++;
        }
    b[i] = sum / count;
}

__global__ void rotated_by(const float *a, float *b, int shift, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[(i + shift) % n] = a[i];
}

__global__ void hues(const uchar4 *pixel, float *hue, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uchar4 p = pixel[i];
    int most = max(p.x, max(p.y, p.z)), least = min(p.x, min(p.y, p.z)), range = most - least;
    float h = 0;
    if (range > 0) {
        if (most == p.x)
            h = (p.y - p.z) / (float)range;
        else if (most == p.y)
            h = 2 + (p.z - p.x) / (float)range;
        else
            h = 4 + (p.x - p.y) / (float)range;
    }
    hue[i] = 60 * h;
}

static void first_kernels(void)
{
    auto a = below(1000, 2 * M), b = array<int>(2 * M);
    measure("first", "clamped", [&] { clamped<<<8192, 256>>>(a, b, 100, 900, 2 * M); });
    auto p = fractions<float>(2 * M), q = fractions<float>(2 * M), r = array<float>(2 * M);
    measure("first", "complex products",
            [&] { complex_products<<<264, 256>>>((float2 *)p, (float2 *)q, (float2 *)r, M); });
    p = fractions(M), q = array<float>(M);
    float host[9] = {1, .5f, .25f, .125f, .1f, .05f, .02f, .01f, .005f};
    check(cudaMemcpyToSymbol(coefficient, host, sizeof host), "cudaMemcpyToSymbol");
    measure("first", "horner, constant memory", [&] { horner<<<4096, 256>>>(p, q, M); });
    p = fractions(M), q = fractions(M), r = fractions(M);
    auto d = array<float>(M);
    measure("first", "distances to a point",
            [&] { distances<<<2048, 512>>>(p, q, r, d, .5f, .4f, .3f, M); });
    a = below(1000, M), b = array<int>(M);
    measure("first", "reversed in blocks", [&] { reversed_in_block<<<4096, 256>>>(a, b); });
    p = fractions(M), q = array<float>(M);
    measure("first", "running mean of 21", [&] { running_mean<<<4096, 256>>>(p, q, 10, M); });
    p = fractions(M), q = array<float>(M);
    measure("first", "rotated by a third", [&] { rotated_by<<<4096, 256>>>(p, q, M / 3, M); });
    auto pixel = filled<uchar4>(M, [](size_t i) {
        unsigned v = scatter(i);
        return make_uchar4(v, v >> 8, v >> 16, v >> 24);
    });
    p = array<float>(M);
    measure("first", "hues", [&] { hues<<<4096, 256>>>(pixel, p, M); });
}

/* ---- reductions ---- */

__global__ void even_numbers(const int *a, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int in_block = __syncthreads_count(i < n && a[i] % 2 == 0);
    if (threadIdx.x == 0) atomicAdd(count, in_block);
}

__global__ void sum_of_four(const float4 *a, float *sum, int n)
{
    __shared__ float part[8];
    float v = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        v += a[i].x + a[i].y + a[i].z + a[i].w;
    v = warp_sum(v);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x < 32) {
        v = warp_sum(threadIdx.x < 8 ? part[threadIdx.x] : 0);
        if (threadIdx.x == 0) atomicAdd(sum, v);
    }
}

__global__ void first_smallest(const float *a, unsigned long long *least, int n)
{
    unsigned long long mine = ~0ull;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned long long one = (unsigned long long)__float_as_uint(a[i]) << 32 | (unsigned)i;
        if (one < mine) mine = one;
    }
    atomicMin(least, mine);
}

__global__ void rows_of_300(const float *a, float *sum)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    float v = 0;
    for (int j = t; j < 300; j += 128)
        v += a[blockIdx.x * 300 + j];
    s[t] = v;
    for (int half = 64; half > 0; half >>= 1) {
        __syncthreads();
        if (t < half) s[t] += s[t + half];
    }
    if (t == 0) sum[blockIdx.x] = s[0];
}

__global__ void shares_of_64(const unsigned char *a, unsigned *bins, int n)
{
    __shared__ unsigned s[64];
    if (threadIdx.x < 64) s[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&s[a[i] / 4], 1u);
    __syncthreads();
    if (threadIdx.x < 64) atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
}

__global__ void norms_of_doubles(const double *a, double *norm, int columns)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    double sum = 0;
    for (int j = lane; j < columns; j += 32)
        sum += a[row * columns + j] * a[row * columns + j];
    for (int apart = 16; apart > 0; apart /= 2)
        sum += __shfl_xor_sync(~0u, sum, apart);
    if (lane == 0) norm[row] = sqrt(sum);
}

static void reductions(void)
{
    auto a = below(1000, 2 * M), count = zeros<int>(1);
    measure("reductions", "even numbers", [&] { even_numbers<<<8192, 256>>>(a, count, 2 * M); });
    auto f = fractions(4 * M), sum = zeros<float>(1);
    measure("reductions", "float4, two steps",
            [&] { sum_of_four<<<396, 256>>>((float4 *)f, sum, M); });
    f = fractions(2 * M);
    auto least = array<unsigned long long>(1);
    measure("reductions", "first of the smallest",
            [&] { first_smallest<<<132, 256>>>(f, least, 2 * M); });
    f = fractions(300 * 4096), sum = array<float>(4096);
    measure("reductions", "rows of 300", [&] { rows_of_300<<<4096, 128>>>(f, sum); });
    auto bytes = below<unsigned char>(256, 4 * M);
    auto bins = zeros<unsigned>(64);
    measure("reductions", "64 shares of bytes",
            [&] { shares_of_64<<<264, 512>>>(bytes, bins, 4 * M); });
    auto d = fractions<double>(M), norm = array<double>(4096);
    measure("reductions", "norms of doubles",
            [&] { norms_of_doubles<<<1024, 128>>>(d, norm, 256); });
}

static void measure_all(void)
{
    first_kernels();
    reductions();
}
