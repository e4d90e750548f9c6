/* pairs.cu: bodies and other pairs, matrices times vectors, constants, chases. */
#include "kernels.h"

#include <math.h>

/* ---- bodies and other pairs
 * ------------------------------------------------------------------------- */

__device__ float3 pull(float3 sum, float4 here, float4 there)
{
    float dx = there.x - here.x, dy = there.y - here.y, dz = there.z - here.z;
    float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-6f),
          s = there.w * inverse * inverse * inverse;
    sum.x += dx * s;
    sum.y += dy * s;
    sum.z += dz * s;
    return sum;
}

__global__ void bodies(const float4 *body, float3 *force, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 here = body[i];
    float3 sum = {0, 0, 0};
    for (int j = 0; j < n; j++)
        sum = pull(sum, here, body[j]);
    force[i] = sum;
}

template <int THREADS> __global__ void bodies_in_tiles(const float4 *body, float3 *force, int n)
{
    __shared__ float4 tile[THREADS];
    int i = blockIdx.x * THREADS + threadIdx.x;
    float4 here = body[i];
    float3 sum = {0, 0, 0};
    for (int first = 0; first < n; first += THREADS) {
        tile[threadIdx.x] = body[first + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < THREADS; j++)
            sum = pull(sum, here, tile[j]);
        __syncthreads();
    }
    force[i] = sum;
}

/* The nearest of some points, by the squares of the distances */
__global__ void nearest(const float *x, const float *y, const float *cx, const float *cy,
                        int *which, int n, int centres)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, best = 0;
    if (i >= n) return;
    float least = 1e30f;
    for (int j = 0; j < centres; j++) {
        float dx = x[i] - cx[j], dy = y[i] - cy[j], distance = dx * dx + dy * dy;
        if (distance < least) {
            least = distance;
            best = j;
        }
    }
    which[i] = best;
}

__global__ void spheres(const float4 *sphere, int count, float *depth, int width)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float best = 1e30f, px = x * 2.0f / width - 1, py = y * 2.0f / width - 1;
    for (int j = 0; j < count; j++) {
        float4 s = sphere[j];
        float dx = px - s.x, dy = py - s.y, inside = s.w * s.w - dx * dx - dy * dy;
        if (inside > 0) best = fminf(best, s.z - sqrtf(inside));
    }
    depth[y * width + x] = best;
}

static float4 random_body(size_t i)
{
    return make_float4(2 * fraction(4 * i) - 1, 2 * fraction(4 * i + 1) - 1, fraction(4 * i + 2),
                       0.1f * fraction(4 * i + 3));
}

static void pairs(void)
{
    {
        const float4 *body = filled<float4>(4 * K, random_body);
        float3 *force = array<float3>(4 * K);
        measure("bodies", "from global memory", [&] { bodies<<<32, 128>>>(body, force, 4 * K); });
    }
    {
        const float4 *body = filled<float4>(4 * K, random_body);
        float3 *force = array<float3>(4 * K);
        measure("bodies", "tiles of 256",
                [&] { bodies_in_tiles<256><<<16, 256>>>(body, force, 4 * K); });
    }
    {
        const float4 *body = filled<float4>(4 * K, random_body);
        float3 *force = array<float3>(4 * K);
        measure("bodies", "tiles of 64",
                [&] { bodies_in_tiles<64><<<64, 64>>>(body, force, 4 * K); });
    }
    {
        int n = 256 * K, centres = 32;
        const float *x = filled<float>(n, fraction), *y = filled<float>(n, fraction);
        const float *cx = filled<float>(centres, fraction), *cy = filled<float>(centres, fraction);
        int *which = array<int>(n);
        measure("bodies", "nearest of 32 points",
                [&] { nearest<<<n / 256, 256>>>(x, y, cx, cy, which, n, centres); });
    }
    {
        const float4 *sphere = filled<float4>(64, random_body);
        float *depth = array<float>(512 * 512);
        measure("bodies", "64 spheres",
                [&] { spheres<<<dim3(16, 64), dim3(32, 8)>>>(sphere, 64, depth, 512); });
    }
}

/* ---- matrices times vectors, dense and sparse
 * ------------------------------------------------------ */

__global__ void vector_by_threads(const float *a, const float *x, float *y, int rows, int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (int j = 0; j < columns; j++)
        sum += a[(size_t)row * columns + j] * x[j];
    y[row] = sum;
}

__global__ void vector_by_warps(const float4 *a, const float4 *x, float *y, int columns)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    float sum = 0;
    for (int j = lane; j < columns / 4; j += 32) {
        float4 p = a[(size_t)row * (columns / 4) + j], q = x[j];
        sum += p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
    }
    for (int apart = 16; apart > 0; apart /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, apart);
    if (lane == 0) y[row] = sum;
}

__global__ void sparse_by_threads(const int *first, const int *column, const float *value,
                                  const float *x, float *y, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (int j = first[row]; j < first[row + 1]; j++)
        sum += value[j] * x[column[j]];
    y[row] = sum;
}

__global__ void sparse_by_warps(const int *first, const int *column, const float *value,
                                const float *x, float *y)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    float sum = 0;
    for (int j = first[row] + lane; j < first[row + 1]; j += 32)
        sum += value[j] * x[column[j]];
    for (int apart = 16; apart > 0; apart /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, apart);
    if (lane == 0) y[row] = sum;
}

static void vectors(void)
{
    {
        const float *a = array<float>(4 * M), *x = array<float>(K);
        float *y = array<float>(4 * K);
        measure("vector", "a thread per row",
                [&] { vector_by_threads<<<64, 64>>>(a, x, y, 4 * K, K); });
    }
    {
        const float4 *a = array<float4>(4 * M), *x = array<float4>(K);
        float *y = array<float>(4 * K);
        measure("vector", "a warp per row", [&] { vector_by_warps<<<512, 256>>>(a, x, y, 4 * K); });
    }
    {
        int rows = 128 * K, each = 16;
        const int *first = filled<int>(rows + 1, [=](size_t i) { return (int)i * each; });
        const int *column =
            filled<int>(rows * each, [=](size_t i) { return (int)(scatter(i) & (rows - 1)); });
        const float *value = array<float>(rows * each), *x = array<float>(rows);
        float *y = array<float>(rows);
        measure("vector", "sparse, a thread per row",
                [&] { sparse_by_threads<<<rows / 256, 256>>>(first, column, value, x, y, rows); });
    }
    {
        int rows = 32 * K, each = 64;
        const int *first = filled<int>(rows + 1, [=](size_t i) { return (int)i * each; });
        const int *column =
            filled<int>(rows * each, [=](size_t i) { return (int)(scatter(i) & (rows - 1)); });
        const float *value = array<float>(rows * each), *x = array<float>(rows);
        float *y = array<float>(rows);
        measure("vector", "sparse, a warp per row",
                [&] { sparse_by_warps<<<rows / 8, 256>>>(first, column, value, x, y); });
    }
}

/* ---- constants
 * --------------------------------------------------------------------------------------- */

__constant__ float table[256];

__global__ void constant_polynomial(const float *a, float *b, int degree, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = a[i], y = 0;
    for (int k = 0; k < degree; k++)
        y = y * x + table[k];
    b[i] = y;
}

__global__ void global_polynomial(const float *a, const float *coefficient, float *b, int degree,
                                  int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = a[i], y = 0;
    for (int k = 0; k < degree; k++)
        y = y * x + coefficient[k];
    b[i] = y;
}

static void constants(void)
{
    int n = M;
    {
        const float *a = array<float>(n);
        float *b = array<float>(n);
        measure("constant", "coefficients in constant memory",
                [&] { constant_polynomial<<<n / 256, 256>>>(a, b, 64, n); });
    }
    {
        const float *a = array<float>(n), *coefficient = array<float>(64);
        float *b = array<float>(n);
        measure("constant", "coefficients in global memory",
                [&] { global_polynomial<<<n / 256, 256>>>(a, coefficient, b, 64, n); });
    }
}

/* ---- chases: each step needs the one before
 * ---------------------------------------------------------- */

__global__ void chase(const int *next, int *out, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, at = i;
    for (int k = 0; k < steps; k++)
        at = next[at];
    out[i] = at;
}

__global__ void chase_shared(int *out, int steps)
{
    __shared__ int next[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        next[i] = (i * 5 + 3) & 1023;
    __syncthreads();
    int at = threadIdx.x;
    for (int k = 0; k < steps; k++)
        at = next[at];
    out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}

/* Sorts eight numbers of each thread. */
__global__ void sort_eight(const float *a, float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x[8];
#pragma unroll
    for (int k = 0; k < 8; k++)
        x[k] = a[k * n + i];
#pragma unroll
    for (int round = 0; round < 8; round++)
#pragma unroll
        for (int k = round % 2; k < 7; k += 2) {
            float low = fminf(x[k], x[k + 1]);
            x[k + 1] = fmaxf(x[k], x[k + 1]);
            x[k] = low;
        }
#pragma unroll
    for (int k = 0; k < 8; k++)
        b[k * n + i] = x[k];
}

/* Points inside a circle, by random numbers */
__global__ void circle(int *inside, int steps)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, state = i * 747796405u + 1;
    int count = 0;
    for (int k = 0; k < steps; k++) {
        state = state * 1664525u + 1013904223u;
        float x = (state >> 8) * (1.0f / (1 << 24));
        state = state * 1664525u + 1013904223u;
        float y = (state >> 8) * (1.0f / (1 << 24));
        if (x * x + y * y < 1) count++;
    }
    inside[i] = count;
}

static void chases(void)
{
    auto far = [](size_t i) { return (int)((i * 40503 + 12289) & (4 * M - 1)); };
    auto near = [](size_t i) { return (int)((i * 5 + 3) & (4 * K - 1)); };
    {
        const int *next = filled<int>(4 * M, far);
        int *out = array<int>(32);
        measure("chase", "one thread, 16 MB", [&] { chase<<<1, 1>>>(next, out, 500); });
    }
    {
        const int *next = filled<int>(4 * M, far);
        int *out = array<int>(64 * K);
        measure("chase", "64 K threads, 16 MB", [&] { chase<<<256, 256>>>(next, out, 32); });
    }
    {
        const int *next = filled<int>(4 * K, near);
        int *out = array<int>(32);
        measure("chase", "one warp, 16 KB", [&] { chase<<<1, 32>>>(next, out, 1000); });
    }
    {
        int *out = array<int>(32);
        measure("chase", "one warp, shared", [&] { chase_shared<<<1, 32>>>(out, 4000); });
    }
    {
        int *out = array<int>(256 * K);
        measure("chase", "many warps, shared", [&] { chase_shared<<<K, 256>>>(out, 128); });
    }
    {
        const float *a = filled<float>(4 * M, fraction);
        float *b = array<float>(4 * M);
        measure("chase", "sorts eight numbers",
                [&] { sort_eight<<<M / 2 / 128, 128>>>(a, b, M / 2); });
    }
    {
        int *inside = array<int>(M / 2);
        measure("chase", "points in a circle", [&] { circle<<<2 * K, 256>>>(inside, 64); });
    }
}

static void measure_all(void)
{
    pairs();
    vectors();
    constants();
    chases();
}
