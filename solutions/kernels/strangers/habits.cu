/* habits.cu: shapes of launches, and the parts of the language that cost something. */
#include "kernels.h"

#include <cooperative_groups.h>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;

/* ---- registers, local arrays, calls ---- */

/* 48 sums at once want more registers than eight blocks of 256 threads leave. */
template <int COUNT> __device__ static float many_sums(const float *a, int n, int at, int stride)
{
    float sum[COUNT], all = 0;
    for (int k = 0; k < COUNT; k++)
        sum[k] = k;
    for (int i = at; i < n; i += stride) {
        float x = a[i];
#pragma unroll
        for (int k = 0; k < COUNT; k++)
            sum[k] = fmaf(sum[k], x, sum[(k + 1) % COUNT]);
    }
#pragma unroll
    for (int k = 0; k < COUNT; k++)
        all += sum[k] * (k + 1);
    return all;
}

__global__ void __launch_bounds__(256, 8) registers_capped(const float *a, float *b, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    b[t] = many_sums<48>(a, n, t, gridDim.x * blockDim.x);
}

__global__ void __launch_bounds__(256) registers_free(const float *a, float *b, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    b[t] = many_sums<48>(a, n, t, gridDim.x * blockDim.x);
}

__global__ void __launch_bounds__(128, 2) registers_many(const float *a, float *b, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    b[t] = many_sums<120>(a, n, t, gridDim.x * blockDim.x);
}

/* A ring of the last values in an array of the thread's own; the index is not known beforehand. */
__global__ void ring_of_values(const float *a, float *b, const int *lag, int per_thread,
                               int threads)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, back = lag[t % 32];
    float ring[32] = {}, sum = 0;
    for (int i = 0; i < per_thread; i++) {
        float x = a[i * threads + t];
        sum += x * ring[(i - back) & 31];
        ring[i & 31] = x;
    }
    b[t] = sum;
}

__device__ static int hanoi(int n, int from, int to)
{
    if (n == 0) return 0;
    int via = 3 - from - to;
    return hanoi(n - 1, from, via) + n * (to + 1) + hanoi(n - 1, via, to);
}

__global__ void recursion(int *out, int depth)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = hanoi(depth + (t & 1), 0, 1 + t % 2);
}

__device__ static float integrand(float x)
{
    return __sinf(10 * x) / (x + 0.1f);
}

/* Simpson's rule, halved where it is not yet good enough */
__device__ static float adaptive(float from, float to, float rough, int depth)
{
    float middle = (from + to) / 2, h = (to - from) / 12;
    float left = h * (integrand(from) + 4 * integrand((from + middle) / 2) + integrand(middle));
    float right = h * (integrand(middle) + 4 * integrand((middle + to) / 2) + integrand(to));
    if (depth == 0 || fabsf(left + right - rough) < 1e-5f) return left + right;
    return adaptive(from, middle, left, depth - 1) + adaptive(middle, to, right, depth - 1);
}

__global__ void quadrature(float *out, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float from = (float)t / n, to = from + 1;
    out[t] = adaptive(from, to, 0, 6);
}

typedef float (*Function)(float);
__device__ static float half_of(float x)
{
    return x * 0.5f;
}
__device__ static float square_of(float x)
{
    return x * x + 0.25f;
}
__device__ static float root_of(float x)
{
    return sqrtf(x + 1);
}
__device__ static float turn_of(float x)
{
    return 1 / (x + 2);
}
__device__ Function functions[4] = {half_of, square_of, root_of, turn_of};

__global__ void function_pointers(const unsigned char *which, float *out, int steps, int per_warp)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float x = t * 1e-5f;
    for (int i = 0; i < steps; i++)
        x = functions[which[(per_warp ? t / 32 : t) + i]](x);
    out[t] = x;
}

static void language(void)
{
    {
        auto a = fractions(2 * M), b = array<float>(1056 * 256);
        measure("habit", "registers capped", [&] { registers_capped<<<1056, 256>>>(a, b, 2 * M); });
        a = fractions(2 * M), b = array<float>(1056 * 256);
        measure("habit", "registers free", [&] { registers_free<<<1056, 256>>>(a, b, 2 * M); });
        a = fractions(M), b = array<float>(264 * 128);
        measure("habit", "120 sums each", [&] { registers_many<<<264, 128>>>(a, b, M); });
    }
    {
        auto a = fractions(64 * 64 * K), b = array<float>(64 * K);
        auto lag = below(32, 32);
        measure("habit", "ring of values",
                [&] { ring_of_values<<<256, 256>>>(a, b, lag, 64, 64 * K); });
    }
    {
        auto out = array<int>(8 * K);
        measure("habit", "recursion", [&] { recursion<<<64, 128>>>(out, 8); });
    }
    {
        auto out = array<float>(32 * K);
        measure("habit", "adaptive quadrature", [&] { quadrature<<<256, 128>>>(out, 32 * K); });
    }
    for (int per_warp : {1, 0}) {
        auto which = below<unsigned char>(4, 65 * K);
        auto out = array<float>(64 * K);
        measure("habit",
                per_warp ? "function pointers, a warp's" : "function pointers, each its own",
                [&] { function_pointers<<<256, 256>>>(which, out, 32, per_warp); });
    }
}

/* ---- shapes of launches ---- */

__global__ void rounds_of_sine(float *x, int rounds)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float v = x[t];
    for (int i = 0; i < rounds; i++)
        v = __sinf(v) + 0.1f;
    x[t] = v;
}

/* A block that holds much shared memory: few of them fit. */
__global__ void much_shared_memory(const float *a, float *b, int words, int rounds)
{
    extern __shared__ float held[];
    for (int i = threadIdx.x; i < words; i += blockDim.x)
        held[i] = a[blockIdx.x * words + i];
    __syncthreads();
    int at = threadIdx.x * 7 % words;
    float sum = 0;
    for (int i = 0; i < rounds; i++) {
        sum += held[at];
        at = (at + 97 + (int)sum % 2) % words;
    }
    b[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/* Persistent blocks go through tiles, the next one copied asynchronously meanwhile. */
__global__ void persistent_blocks(const float4 *a, float4 *b, int tiles)
{
    __shared__ float4 part[2][256];
    int which = 0;
    if (blockIdx.x < tiles)
        __pipeline_memcpy_async(&part[0][threadIdx.x], &a[blockIdx.x * 256 + threadIdx.x], 16);
    __pipeline_commit();
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x, which ^= 1) {
        int next = tile + gridDim.x;
        if (next < tiles)
            __pipeline_memcpy_async(&part[which ^ 1][threadIdx.x], &a[next * 256 + threadIdx.x],
                                    16);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        float4 v = part[which][255 - threadIdx.x];
        b[tile * 256 + threadIdx.x] = make_float4(v.w + 1, v.z + 1, v.y + 1, v.x + 1);
        __syncthreads();
    }
}

/* The whole grid waits between steps. */
__global__ void steps_of_the_grid(float *a, float *b, int n, int steps)
{
    auto grid = cg::this_grid();
    for (int s = 0; s < steps; s++) {
        const float *from = s % 2 ? b : a;
        float *to = s % 2 ? a : b;
        for (int i = grid.thread_rank() + 1; i < n - 1; i += grid.size())
            to[i] = 0.5f * from[i] + 0.25f * (from[i - 1] + from[i + 1]);
        grid.sync();
    }
}

/* Lanes of a warp do 1, 2, 4 … rounds. */
__global__ void uneven_lanes(float *x)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float v = x[t];
    for (int i = 1 << t % 10; i > 0; i--)
        v = fmaf(v, v, -0.4f);
    x[t] = v;
}

__global__ void nested_branches(const unsigned *a, float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned k = a[i];
    float x = k * 1e-9f;
    for (int d = 0; d < 6; d++) {
        if (k & 1) {
            if (k & 2)
                x = x * 0.7f + 0.1f;
            else if (k & 4)
                x = sqrtf(fabsf(x) + 1);
            else
                x = -x;
        } else if (k & 8) {
            x = __expf(-x * x);
        } else {
            x += d;
        }
        k >>= 3;
    }
    b[i] = x;
}

static void launches_of_all_kinds(void)
{
    for (int blocks : {2, 40, 530}) {
        auto x = fractions(blocks * 1024);
        measure("launch",
                blocks == 2    ? "2 blocks, long"
                : blocks == 40 ? "40 blocks of 1024"
                               : "530 blocks of 1024: a tail of 2",
                [&] { rounds_of_sine<<<blocks, 1024>>>(x, blocks == 2 ? 1000 : 100); });
    }
    {
        auto x = fractions(64 * K * 32);
        measure("launch", "65536 blocks of 32", [&] { rounds_of_sine<<<64 * K, 32>>>(x, 4); });
    }
    for (int kilobytes : {24, 160}) {
        int words = kilobytes * 256;
        auto a = fractions(264 * words), b = array<float>(264 * 128);
        check(cudaFuncSetAttribute(much_shared_memory, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   kilobytes * 1024),
              "cudaFuncSetAttribute");
        measure("launch", kilobytes == 24 ? "24 KB per block" : "160 KB per block",
                [&] { much_shared_memory<<<264, 128, kilobytes * 1024>>>(a, b, words, 200); });
    }
    {
        auto a = (float4 *)fractions(8 * M);
        auto b = array<float4>(2 * M);
        measure("launch", "persistent blocks",
                [&] { persistent_blocks<<<264, 256>>>(a, b, 8192); });
    }
    {
        float *a = fractions(M), *b = fractions(M);
        int n = M, steps = 10;
        void *arguments[] = {&a, &b, &n, &steps};
        measure("launch", "steps of the whole grid", [&] {
            check(cudaLaunchCooperativeKernel(steps_of_the_grid, dim3(132), dim3(512), arguments),
                  "cudaLaunchCooperativeKernel");
        });
    }
    {
        auto x = fractions(256 * K);
        measure("launch", "uneven lanes", [&] { uneven_lanes<<<1024, 256>>>(x); });
    }
    {
        auto a = below<unsigned>(~0u, M);
        auto b = array<float>(M);
        measure("launch", "nested branches", [&] { nested_branches<<<4096, 256>>>(a, b, M); });
    }
}

/* ---- accesses ---- */

__global__ void strided_float4(const float4 *a, float4 *b, int stride, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = (size_t)i * stride % n;
    float4 v = a[at];
    b[at] = make_float4(v.y, v.z, v.w, v.x);
}

__global__ void strided_float2(const float2 *a, float2 *b, int stride, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = (size_t)i * stride % n;
    b[i] = make_float2(a[at].y, a[at].x);
}

__constant__ float spread_out[4096];

__global__ void constants_by_lane(float *out, int rounds)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, at = t * 5 & 4095;
    float sum = 0;
    for (int i = 0; i < rounds; i++, at = (at + 129) & 4095)
        sum += spread_out[at];
    out[t] = sum;
}

/* Eight loads before the first is used, and a gather through what they contain */
__global__ void gathers_in_flight(const int *index, const float *a, float *b, int threads)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, at[8];
    for (int k = 0; k < 8; k++)
        at[k] = index[k * threads + t];
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 8; k++)
        sum += a[at[k]];
    b[t] = sum;
}

__global__ void functions_of_doubles(const double *a, double *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = sin(a[i]) * pow(a[i] + 1, 0.3) + log1p(a[i]) / sqrt(a[i] + 2);
}

static void accesses(void)
{
    for (int stride : {3, 17, 64}) {
        int n = M - (stride == 64);
        auto a = (float4 *)fractions(4 * M), b = array<float4>(M);
        measure("access",
                stride == 3    ? "float4, 3 apart"
                : stride == 17 ? "float4, 17 apart"
                               : "float4, 64 apart",
                [&] { strided_float4<<<1024, 256>>>(a, b, stride, n); });
    }
    {
        auto a = (float2 *)fractions(2 * M);
        auto b = array<float2>(M);
        measure("access", "float2, 9 apart",
                [&] { strided_float2<<<4096, 256>>>(a, b, 9, M - 1); });
    }
    {
        auto out = array<float>(64 * K);
        measure("access", "constants by lane", [&] { constants_by_lane<<<256, 256>>>(out, 32); });
    }
    for (unsigned range : {64u * K, 8192u * K}) {
        auto index = below(range, M);
        auto a = fractions(range), b = array<float>(128 * K);
        measure("access",
                range == 64 * K ? "gathers in flight, 256 KB" : "gathers in flight, 32 MB",
                [&] { gathers_in_flight<<<512, 256>>>(index, a, b, 128 * K); });
    }
    {
        auto a = fractions<double>(128 * K), b = array<double>(128 * K);
        measure("access", "functions of doubles",
                [&] { functions_of_doubles<<<1024, 128>>>(a, b, 128 * K); });
    }
}

static void measure_all(void)
{
    language();
    launches_of_all_kinds();
    accesses();
}
