/* features.cu: kernels that show one feature of a GPU each, as lessons and small benchmarks do. */
#include "kernels.h"

#include <cooperative_groups.h>
#include <cuda_fp16.h>

namespace cg = cooperative_groups;

/* ---- atomics ---- */

/* Every thread adds to one counter, or the threads of a warp to different ones. */
__global__ void counted_even(const int *from, int *count, int counters, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && from[i] % 2 == 0) atomicAdd(&count[i % counters], 1);
}

/* One addition per block of what its threads have summed by shuffles */
__global__ void summed(const float *from, float *sum, int n)
{
    __shared__ float part[32];
    float own = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        own += from[i];
    own = warp_sum(own);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = own;
    __syncthreads();
    if (threadIdx.x < 32) {
        own = warp_sum(threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0);
        if (threadIdx.x == 0) atomicAdd(sum, own);
    }
}

/* The largest float by comparing and swapping */
__device__ void raise(float *to, float value)
{
    int *place = (int *)to, old = *place;
    while (value > __int_as_float(old)) {
        int seen = atomicCAS(place, old, __float_as_int(value));
        if (seen == old) break;
        old = seen;
    }
}

__global__ void largest_of_keys(const int *key, const float *value, float *most, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) raise(&most[key[i]], value[i]);
}

/* Brightness of bytes in bins of shared memory: a set of bins per warp */
__global__ void bins_per_warp(const uchar4 *pixel, unsigned *bins, int n)
{
    __shared__ unsigned own[8][256];
    for (int i = threadIdx.x; i < 8 * 256; i += blockDim.x)
        own[i / 256][i % 256] = 0;
    __syncthreads();
    unsigned *mine = own[threadIdx.x / 32];
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        uchar4 p = pixel[i];
        atomicAdd(&mine[p.x], 1);
        atomicAdd(&mine[p.y], 1);
        atomicAdd(&mine[p.z], 1);
        atomicAdd(&mine[p.w], 1);
    }
    __syncthreads();
    unsigned sum = 0;
    for (int w = 0; w < 8; w++)
        sum += own[w][threadIdx.x];
    atomicAdd(&bins[threadIdx.x], sum);
}

static void atomics(void)
{
    for (int counters : {1, 1024}) {
        auto from = below(1000, M), count = zeros<int>(counters);
        measure("adds", counters == 1 ? "even numbers, one counter" : "even numbers, 1024 counters",
                [&] { counted_even<<<4 * K, 256>>>(from, count, counters, M); });
    }
    auto x = fractions(8 * M), sum = zeros<float>(1);
    measure("adds", "sum of blocks", [&] { summed<<<1056, 256>>>(x, sum, 8 * M); });
    for (unsigned keys : {16u, 64u * K}) {
        auto key = below(keys, 512 * K);
        auto value = fractions(512 * K), most = array<float>(keys);
        measure("adds", keys == 16 ? "largest of 16 keys" : "largest of 64 K keys", [&] {
            check(cudaMemset(most, 0, keys * sizeof *most), "cudaMemset");
            largest_of_keys<<<2 * K, 256>>>(key, value, most, 512 * K);
        });
    }
    for (bool dark : {false, true}) {
        auto pixel = filled<unsigned char>(4 * M, [=](size_t i) {
            return (unsigned char)(dark ? scatter(i) % 4 : scatter(i) % 256);
        });
        auto bins = zeros<unsigned>(256);
        measure("adds", dark ? "bins per warp, dark" : "bins per warp",
                [&] { bins_per_warp<<<264, 256>>>((uchar4 *)pixel, bins, M); });
    }
}

/* ---- shared memory and arrays of a thread ---- */

/* Words of shared memory, some words apart, again and again */
__global__ void apart_in_shared(int *to, int stride, int times)
{
    __shared__ int data[4096];
    for (int i = threadIdx.x; i < 4096; i += blockDim.x)
        data[i] = i;
    __syncthreads();
    int at = threadIdx.x * stride % 4096, sum = 0;
    for (int k = 0; k < times; k++) {
        sum += data[at];
        at = (at + 32 * stride) % 4096;
    }
    to[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/* A matrix of 64 x 64 per block is squared in shared memory, read by rows and by columns. */
__global__ void squared(const float *from, float *to)
{
    __shared__ float a[64][64];
    for (int i = threadIdx.x; i < 4096; i += blockDim.x)
        a[i / 64][i % 64] = from[blockIdx.x * 4096 + i];
    __syncthreads();
    for (int i = threadIdx.x; i < 4096; i += blockDim.x) {
        float sum = 0;
        for (int k = 0; k < 64; k++)
            sum += a[k][i / 64] * a[i % 64][k];
        to[blockIdx.x * 4096 + i] = sum;
    }
}

/* Many barriers: each thread's number moves through the block. */
__global__ void passed_on(float *data, int times)
{
    extern __shared__ float row[];
    int t = threadIdx.x;
    float own = data[blockIdx.x * blockDim.x + t];
    for (int k = 0; k < times; k++) {
        row[t] = own;
        __syncthreads();
        own = 0.5f * (row[(t + 1) % blockDim.x] + row[t]);
        __syncthreads();
    }
    data[blockIdx.x * blockDim.x + t] = own;
}

/* The next permutation of ten digits, many times */
__global__ void permutations(int *to, int times)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned char digit[10];
    for (int k = 0; k < 10; k++)
        digit[k] = (unsigned char)((k + i) % 10);
    for (int t = 0; t < times; t++) {
        int left = 8, right = 9;
        while (left >= 0 && digit[left] >= digit[left + 1])
            left--;
        if (left < 0) break;
        while (digit[right] <= digit[left])
            right--;
        unsigned char old = digit[left];
        digit[left] = digit[right];
        digit[right] = old;
        for (int a = left + 1, b = 9; a < b; a++, b--) {
            old = digit[a];
            digit[a] = digit[b];
            digit[b] = old;
        }
    }
    int number = 0;
    for (int k = 0; k < 10; k++)
        number = number * 7 + digit[k];
    to[i] = number;
}

/* Sums of 64 columns per thread: registers hold them. */
__global__ void __launch_bounds__(128) many_sums(const float *from, float *to, int rows)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    float sum[64];
#pragma unroll
    for (int k = 0; k < 64; k++)
        sum[k] = 0;
    for (int r = 0; r < rows; r++) {
        float x = from[r * gridDim.x * 128 + i];
#pragma unroll
        for (int k = 0; k < 64; k++)
            sum[k] = sum[k] * x + (float)k;
    }
    float all = 0;
#pragma unroll
    for (int k = 0; k < 64; k++)
        all += sum[k];
    to[i] = all;
}

static void memories(void)
{
    for (int stride : {1, 4, 32}) {
        auto to = array<int>(264 * 256);
        const char *name = stride == 1   ? "words side by side"
                           : stride == 4 ? "words 4 apart"
                                         : "words 32 apart";
        measure("shared", name, [&] { apart_in_shared<<<264, 256>>>(to, stride, 512); });
    }
    auto from = fractions(256 * 4096), to = array<float>(256 * 4096);
    measure("shared", "squares of 64 x 64", [&] { squared<<<256, 256>>>(from, to); });
    to = fractions(512 * 256);
    measure("shared", "passed on in a block",
            [&] { passed_on<<<512, 256, 256 * sizeof(float)>>>(to, 64); });
    to = fractions(66 * 256);
    measure("shared", "passed on, 64 KB per block", [&] {
        check(cudaFuncSetAttribute(passed_on, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * K),
              "cudaFuncSetAttribute");
        passed_on<<<66, 256, 64 * K>>>(to, 128);
    });
    auto number = array<int>(32 * K);
    measure("shared", "permutations", [&] { permutations<<<256, 128>>>(number, 50); });
    from = fractions(64 * 16 * K), to = array<float>(16 * K);
    measure("shared", "64 sums per thread", [&] { many_sums<<<128, 128>>>(from, to, 64); });
}

/* ---- ways through a kernel, and shapes of grids ---- */

/* Operations on numbers, chosen by a code for each: alike in a warp, or not */
__global__ void calculated(const int *code, const float *a, const float *b, float *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = a[i], y = b[i], z;
    switch (code[i]) {
    case 0: z = x + y; break;
    case 1: z = x / (y + 1); break;
    case 2: z = powf(x, y); break;
    case 3: z = sinf(x) * cosf(y); break;
    case 4: z = sqrtf(x * x + y * y); break;
    case 5: z = logf(x + 1) - expf(y); break;
    default: z = fmodf(x, y + 0.1f);
    }
    to[i] = z;
}

/* A sum of a series: a loop that is left as it is, or eight terms at a time */
__global__ void series(float *to, int terms)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
#pragma unroll 1
    for (int k = 1; k <= terms; k++)
        sum += 1.0f / (k * k + i);
    to[i] = sum;
}

__global__ void series_by_eight(float *to, int terms)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
#pragma unroll 8
    for (int k = 1; k <= terms; k++)
        sum += 1.0f / (k * k + i);
    to[i] = sum;
}

/* A point of a map that returns often: the same work in every block */
__global__ void mapped(float *to, int times)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = 0.1f + i * 1e-6f, y = 0;
    for (int k = 0; k < times; k++) {
        float next = 1 - 1.4f * x * x + y;
        y = 0.3f * x;
        x = next;
    }
    to[i] = x;
}

/* y += a x by a grid that is as large as the GPU, or larger */
__global__ void scaled_sum(double a, const double *x, double *y, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = a * x[i] + y[i];
}

/* Steps that all blocks take together */
__global__ void diffused(float *a, float *b, int n, int steps)
{
    cg::grid_group grid = cg::this_grid();
    for (int s = 0; s < steps; s++) {
        for (int i = grid.thread_rank() + 1; i < n - 1; i += grid.size())
            b[i] = a[i] + 0.25f * (a[i - 1] - 2 * a[i] + a[i + 1]);
        grid.sync();
        float *old = a;
        a = b;
        b = old;
    }
}

/* In how many of the bases up to 16 the sum of a number's digits divides it */
__global__ void harshad(const unsigned *number, int *found, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int count = 0;
    unsigned x = number[i];
    for (unsigned base = 2; base <= 16; base++) {
        unsigned sum = 0;
        for (unsigned y = x; y > 0; y /= base)
            sum += y % base;
        count += x % sum == 0;
    }
    found[i] = count;
}

static void shapes(void)
{
    for (bool alike : {true, false}) {
        auto code =
            filled<int>(512 * K, [=](size_t i) { return (int)(scatter(alike ? i / 32 : i) % 7); });
        auto a = fractions(512 * K), b = fractions(512 * K), to = array<float>(512 * K);
        measure("way", alike ? "operations alike in a warp" : "operations of all kinds",
                [&] { calculated<<<2 * K, 256>>>(code, a, b, to, 512 * K); });
    }
    auto to = array<float>(64 * K);
    measure("way", "series", [&] { series<<<256, 256>>>(to, 100); });
    to = array<float>(64 * K);
    measure("way", "series by eight", [&] { series_by_eight<<<256, 256>>>(to, 100); });
    for (int blocks : {1, 132, 264, 1100}) {
        to = array<float>(blocks * 1024);
        const char *name = blocks == 1     ? "map, 1 block"
                           : blocks == 132 ? "map, 132 blocks"
                           : blocks == 264 ? "map, 264 blocks"
                                           : "map, 1100 blocks";
        measure("way", name, [&] { mapped<<<blocks, 1024>>>(to, 400); });
    }
    for (int blocks : {132, 8 * K}) {
        auto x = fractions<double>(2 * M), y = fractions<double>(2 * M);
        measure("way", blocks == 132 ? "doubles by 132 blocks" : "doubles by 8192 blocks",
                [&] { scaled_sum<<<blocks, 256>>>(1e-3, x, y, 2 * M); });
    }
    auto a = fractions(256 * K), b = fractions(256 * K);
    int n = 256 * K, steps = 6;
    measure("way", "diffusion by one grid", [&] {
        void *arguments[] = {&a, &b, &n, &steps};
        check(cudaLaunchCooperativeKernel(diffused, dim3(132), dim3(256), arguments, 0, 0),
              "cudaLaunchCooperativeKernel");
    });
    auto number = filled<unsigned>(128 * K, [](size_t i) { return 1 + scatter(i) % 100000; });
    auto found = array<int>(128 * K);
    measure("way", "digits that divide", [&] { harshad<<<512, 256>>>(number, found, 128 * K); });
}

/* ---- loads, halves, warps ---- */

struct Particle {
    float x, y, z, mass, u, v, w;
    int cell;
};

/* Structs of 32 bytes, of which half is used */
__global__ void moved(Particle *p, int n, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    p[i].x += dt * p[i].u;
    p[i].y += dt * p[i].v;
}

__global__ void moved_by_four(float4 *p, int n, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 place = p[2 * i], speed = p[2 * i + 1];
    place.x += dt * speed.x, place.y += dt * speed.y, place.z += dt * speed.z;
    p[2 * i] = place;
}

__constant__ float curve[1024];

/* A table in constant memory: each lane its own place, or all the same */
__global__ void looked_up(const int *place, float *to, int apart, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (int k = 0; k < 16; k++)
        sum += curve[(place[i / apart] + 37 * k) % 1024];
    to[i] = sum;
}

/* A list of lists: places are read, then the numbers there, from memory of some size */
__global__ void collected(const int *__restrict__ place, const float *__restrict__ from, float *to,
                          int each, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (int k = 0; k < each; k++)
        sum += from[place[k * n + i]];
    to[i] = sum;
}

/* A polynomial of pairs of halves */
__global__ void half_polynomial(const __half2 *from, __half2 *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    __half2 x = from[i], sum = __float2half2_rn(0.01f);
    for (int k = 0; k < 32; k++)
        sum = __hfma2(sum, x, __float2half2_rn(0.1f));
    to[i] = sum;
}

/* 32 x 32 tiles turned through shuffles: a warp each */
__global__ void turned_by_shuffles(const unsigned *from, unsigned *to, int tiles)
{
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (warp >= tiles) return;
    unsigned row[32];
#pragma unroll
    for (int k = 0; k < 32; k++)
        row[k] = from[warp * 1024 + k * 32 + lane];
#pragma unroll
    for (int apart = 16; apart > 0; apart /= 2) {
#pragma unroll
        for (int k = 0; k < 32; k++) {
            if (k & apart) continue;
            bool high = lane & apart;
            unsigned send = high ? row[k] : row[k + apart];
            unsigned come = __shfl_xor_sync(0xffffffff, send, apart);
            if (high)
                row[k] = come;
            else
                row[k + apart] = come;
        }
    }
#pragma unroll
    for (int k = 0; k < 32; k++)
        to[warp * 1024 + k * 32 + lane] = row[k];
}

/* Equal keys in a warp find each other; the first of them adds for all. */
__global__ void matched(const int *key, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned alike = __match_any_sync(__activemask(), key[i]);
    if (__ffs(alike) - 1 == threadIdx.x % 32) atomicAdd(&count[key[i]], __popc(alike));
}

static void loads(void)
{
    auto p = filled<Particle>(512 * K, [](size_t i) {
        return Particle{fraction(i), fraction(i + 1), fraction(i + 2), 1, 0.1f, 0.2f, 0.3f, (int)i};
    });
    measure("load", "structs moved", [&] { moved<<<2 * K, 256>>>(p, 512 * K, 1e-3f); });
    auto four = filled<float4>(M, random_float4);
    measure("load", "structs moved by float4",
            [&] { moved_by_four<<<2 * K, 256>>>(four, 512 * K, 1e-3f); });
    float values[1024];
    for (int i = 0; i < 1024; i++)
        values[i] = fraction(i);
    check(cudaMemcpyToSymbol(curve, values, sizeof values), "cudaMemcpyToSymbol");
    for (int apart : {1, 32}) {
        auto place = below(1024, 256 * K);
        auto to = array<float>(256 * K);
        measure("load", apart == 1 ? "constants at 32 places" : "constants at one place",
                [&] { looked_up<<<K, 256>>>(place, to, apart, 256 * K); });
    }
    for (unsigned size : {256u * K, 64u * M}) {
        auto place = below(size, 8 * 128 * K);
        auto from = array<float>(size), to = array<float>(128 * K);
        measure("load", size == 64u * M ? "collected from 256 MB" : "collected from 1 MB",
                [&] { collected<<<512, 256>>>(place, from, to, 8, 128 * K); });
    }
    auto half = [](size_t i) { return __float2half(fraction(i)); };
    auto x = filled<__half>(4 * M, half), y = array<__half>(4 * M);
    measure("load", "polynomial of halves",
            [&] { half_polynomial<<<8 * K, 256>>>((__half2 *)x, (__half2 *)y, 2 * M); });
    auto tile = below<unsigned>(1u << 28, M), turned_tile = array<unsigned>(M);
    measure("load", "tiles turned by shuffles",
            [&] { turned_by_shuffles<<<128, 256>>>(tile, turned_tile, K); });
    auto key = below(20, M), count = zeros<int>(20);
    measure("load", "equal keys matched", [&] { matched<<<4 * K, 256>>>(key, count, M); });
}

static void measure_all(void)
{
    atomics();
    memories();
    shapes();
    loads();
}
