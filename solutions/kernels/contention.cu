/* contention.cu: kernels whose threads want the same words or banks: histograms, atomics, banks,
 * votes. */
#include "kernels.h"

/* ---- histograms --------------------------------------------------------------------------------
 */

__global__ void histogram_shared(const int *value, int *count, int bins, int n)
{
    extern __shared__ int mine[];
    for (int i = threadIdx.x; i < bins; i += blockDim.x)
        mine[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&mine[value[i] % bins], 1);
    __syncthreads();
    for (int i = threadIdx.x; i < bins; i += blockDim.x)
        atomicAdd(&count[i], mine[i]);
}

__global__ void histogram_per_warp(const int *value, int *count, int n)
{
    __shared__ int mine[8][256];
    for (int i = threadIdx.x; i < 8 * 256; i += blockDim.x)
        mine[i / 256][i % 256] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&mine[threadIdx.x / 32][value[i] & 255], 1);
    __syncthreads();
    int sum = 0;
    for (int w = 0; w < 8; w++)
        sum += mine[w][threadIdx.x];
    atomicAdd(&count[threadIdx.x], sum);
}

__global__ void histogram_global(const int *value, int *count, int mask, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&count[value[i] & mask], 1);
}

__global__ void weights_shared(const int *value, const float *weight, float *sum, int n)
{
    __shared__ float mine[256];
    mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
        atomicAdd(&mine[value[i] & 255], weight[i]);
    __syncthreads();
    atomicAdd(&sum[threadIdx.x], mine[threadIdx.x]);
}

static int *values(size_t n)
{
    return filled<int>(n, [](size_t i) { return (int)(scatter(i) >> 1); });
}

static void histograms(void)
{
    static const int bins[] = {1, 2, 16, 256, 4096};
    char name[40];
    int n = 2 * M;
    for (int count : bins) {
        const int *value = values(n);
        int *sum = array<int>(count);
        snprintf(name, sizeof name, "shared, %d bins", count);
        measure("histogram", name,
                [&] { histogram_shared<<<528, 256, count * sizeof(int)>>>(value, sum, count, n); });
    }
    {
        const int *value = values(n);
        int *sum = array<int>(256);
        measure("histogram", "shared, 256 bins per warp",
                [&] { histogram_per_warp<<<528, 256>>>(value, sum, n); });
    }
    {
        const int *value = values(n);
        const float *weight = array<float>(n);
        float *sum = array<float>(256);
        measure("histogram", "shared floats, 256 bins",
                [&] { weights_shared<<<528, 256>>>(value, weight, sum, n); });
    }
    static const int masks[] = {0, 15, 255, 64 * K - 1, 4 * M - 1};
    for (int mask : masks) {
        const int *value = values(n);
        int *sum = array<int>(mask + 1);
        snprintf(name, sizeof name, "global, %d bins", mask + 1);
        measure("histogram", name,
                [&] { histogram_global<<<n / 256, 256>>>(value, sum, mask, n); });
    }
}

/* ---- atomics -----------------------------------------------------------------------------------
 */

__global__ void add_by_threads(const float *a, float *sum, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sum, a[i]);
}

__global__ void add_by_warps(const float *a, float *sum, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float total = warp_sum(i < n ? a[i] : 0);
    if (threadIdx.x % 32 == 0) atomicAdd(sum, total);
}

__global__ void add_in_shared(const float *a, float *sum, int n)
{
    __shared__ float total;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    if (i < n) atomicAdd(&total, a[i]);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(sum, total);
}

__global__ void add_to_neighbours(const float *a, float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&b[i], a[i]);
}

/* Each takes a place in a list: the value that comes back is used. */
__global__ void append_positive(const float *a, float *list, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && a[i] > 0.5f) list[atomicAdd(count, 1)] = a[i];
}

__global__ void append_by_blocks(const float *a, float *list, int *count, int n)
{
    __shared__ int mine, first;
    int i = blockIdx.x * blockDim.x + threadIdx.x, at = -1;
    if (threadIdx.x == 0) mine = 0;
    __syncthreads();
    if (i < n && a[i] > 0.5f) at = atomicAdd(&mine, 1);
    __syncthreads();
    if (threadIdx.x == 0) first = atomicAdd(count, mine);
    __syncthreads();
    if (at >= 0) list[first + at] = a[i];
}

__global__ void largest_by_atomics(const int *a, int *most, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicMax(&most[threadIdx.x % 32], a[i]);
}

/* Threads ask until nobody was faster. */
__global__ void largest_by_exchange(const float *a, int *most, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int *at = &most[i % 4096], seen = 0;
    while (__int_as_float(seen) < a[i]) {
        int before = atomicCAS(at, seen, __float_as_int(a[i]));
        if (before == seen) break;
        seen = before;
    }
}

static void atomics(void)
{
    int n = M;
    {
        const float *a = array<float>(n);
        float *sum = array<float>(1);
        measure("atomic", "a float, by all threads",
                [&] { add_by_threads<<<n / 256, 256>>>(a, sum, n); });
    }
    {
        const float *a = array<float>(4 * n);
        float *sum = array<float>(1);
        measure("atomic", "a float, by all warps",
                [&] { add_by_warps<<<4 * n / 256, 256>>>(a, sum, 4 * n); });
    }
    {
        const float *a = array<float>(n);
        float *sum = array<float>(1);
        measure("atomic", "a float in shared memory",
                [&] { add_in_shared<<<n / 256, 256>>>(a, sum, n); });
    }
    {
        const float *a = array<float>(4 * n);
        float *b = array<float>(4 * n);
        measure("atomic", "floats side by side",
                [&] { add_to_neighbours<<<4 * n / 256, 256>>>(a, b, 4 * n); });
    }
    {
        const float *a = filled<float>(n, fraction);
        float *list = array<float>(8 * n);
        int *count = filled<int>(1, [](size_t) { return 0; });
        measure("atomic", "places in a list",
                [&] { append_positive<<<n / 256, 256>>>(a, list, count, n); });
    }
    {
        const float *a = filled<float>(n, fraction);
        float *list = array<float>(8 * n);
        int *count = filled<int>(1, [](size_t) { return 0; });
        measure("atomic", "places in a list, by blocks",
                [&] { append_by_blocks<<<n / 256, 256>>>(a, list, count, n); });
    }
    {
        const int *a = values(n);
        int *most = array<int>(32);
        measure("atomic", "the largest, 32 places",
                [&] { largest_by_atomics<<<n / 256, 256>>>(a, most, n); });
    }
    {
        const float *a = filled<float>(n, fraction);
        const int places = 4096;
        int *most = array<int>(places);
        measure("atomic", "the largest, by exchange", [&] {
            check(cudaMemset(most, 0, places * sizeof *most), "cudaMemset");
            largest_by_exchange<<<n / 256, 256>>>(a, most, n);
        });
    }
}

/* ---- banks -------------------------------------------------------------------------------------
 */

enum { TIMES = 64 };

/* Each lane's word is `stride` words after its neighbour's. */
__global__ void load_banks(float *out, int stride)
{
    __shared__ float word[2048];
    for (int i = threadIdx.x; i < 2048; i += blockDim.x)
        word[i] = i;
    __syncthreads();
    float sum = 0;
    int at = threadIdx.x * stride;
    for (int i = 0; i < TIMES; i++)
        sum += word[(at + i) & 2047];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void store_banks(float *out, int stride)
{
    __shared__ float word[4096];
    int at = (threadIdx.x % 32) * stride + threadIdx.x / 32;
    for (int i = threadIdx.x; i < 4096; i += blockDim.x)
        word[i] = 0;
    for (int i = 0; i < TIMES; i++) {
        __syncthreads();
        word[(at + 32 * i) & 4095] = i;
    }
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = word[threadIdx.x];
}

template <typename T> __device__ float total(T v);
template <> __device__ float total(float v)
{
    return v;
}
template <> __device__ float total(float2 v)
{
    return v.x + v.y;
}
template <> __device__ float total(float4 v)
{
    return v.x + v.y + v.z + v.w;
}

template <typename T> __global__ void load_wide(float *out)
{
    __shared__ T word[512];
    for (int i = threadIdx.x; i < 512; i += blockDim.x)
        word[i] = {};
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < TIMES; i++)
        sum += total(word[(threadIdx.x + 3 * i) & 511]);
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/* A table that all threads read in the same order */
__global__ void load_same(float *out, int n)
{
    __shared__ float word[256];
    word[threadIdx.x] = threadIdx.x;
    __syncthreads();
    float x = threadIdx.x, sum = 0;
    for (int i = 0; i < n; i++)
        sum += word[i] * x;
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

static void banks(void)
{
    static const int loads[] = {1, 2, 4, 8, 16, 32}, stores[] = {1, 4, 8, 32};
    char name[40];
    int blocks = 528;
    for (int stride : loads) {
        float *out = array<float>(blocks * 256);
        snprintf(name, sizeof name, "loads, %d ways", stride);
        measure("banks", name, [&] { load_banks<<<blocks, 256>>>(out, stride); });
    }
    for (int stride : stores) {
        float *out = array<float>(blocks * 256);
        snprintf(name, sizeof name, "stores, %d ways", stride);
        measure("banks", name, [&] { store_banks<<<blocks, 256>>>(out, stride); });
    }
    {
        float *out = array<float>(2 * blocks * 256);
        measure("banks", "loads of 4 bytes", [&] { load_wide<float><<<2 * blocks, 256>>>(out); });
    }
    {
        float *out = array<float>(2 * blocks * 256);
        measure("banks", "loads of 8 bytes", [&] { load_wide<float2><<<2 * blocks, 256>>>(out); });
    }
    {
        float *out = array<float>(2 * blocks * 256);
        measure("banks", "loads of 16 bytes", [&] { load_wide<float4><<<2 * blocks, 256>>>(out); });
    }
    {
        float *out = array<float>(2 * blocks * 256);
        measure("banks", "loads of the same word",
                [&] { load_same<<<2 * blocks, 256>>>(out, 256); });
    }
}

/* ---- votes and shuffles -------------------------------------------------------------------------
 */

__global__ void pack_by_ballot(const float *a, float *list, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, first = 0;
    bool wanted = i < n && a[i] > 0.5f;
    unsigned all = __ballot_sync(0xffffffff, wanted);
    if (lane == 0 && all != 0) first = atomicAdd(count, __popc(all));
    first = __shfl_sync(0xffffffff, first, 0);
    if (wanted) list[first + __popc(all & ((1u << lane) - 1))] = a[i];
}

__global__ void votes(const float *a, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, count = 0;
    float x = i < n ? a[i] : 0;
    for (int k = 0; k < 32; k++) {
        count += __any_sync(0xffffffff, x > 0.01f * k);
        count += __popc(__ballot_sync(0xffffffff, x * k > 1));
    }
    if (i < n) out[i] = count;
}

__global__ void shuffles(const float *a, float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i < n ? a[i] : 0, sum = 0;
    for (int k = 0; k < 32; k++)
        sum += __shfl_sync(0xffffffff, x, k) * k;
    if (i < n) b[i] = sum;
}

__global__ void sort_warp(const float *a, float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    float x = i < n ? a[i] : 0;
    for (int size = 2; size <= 32; size *= 2)
        for (int apart = size / 2; apart > 0; apart /= 2) {
            float other = __shfl_xor_sync(0xffffffff, x, apart);
            bool up = (lane & size) == 0, low = (lane & apart) == 0;
            x = up == low ? fminf(x, other) : fmaxf(x, other);
        }
    if (i < n) b[i] = x;
}

__global__ void sort_block(const float *a, float *b)
{
    __shared__ float part[512];
    int t = threadIdx.x, i = blockIdx.x * 512 + t;
    part[t] = a[i];
    for (int size = 2; size <= 512; size *= 2)
        for (int apart = size / 2; apart > 0; apart /= 2) {
            __syncthreads();
            int other = t ^ apart;
            if (other > t && (part[t] > part[other]) == ((t & size) == 0)) {
                float kept = part[t];
                part[t] = part[other];
                part[other] = kept;
            }
        }
    __syncthreads();
    b[i] = part[t];
}

static void votes_and_shuffles(void)
{
    int n = M;
    {
        const float *a = filled<float>(n, fraction);
        float *list = array<float>(8 * n);
        int *count = filled<int>(1, [](size_t) { return 0; });
        measure("vote", "packs by ballot",
                [&] { pack_by_ballot<<<n / 256, 256>>>(a, list, count, n); });
    }
    {
        const float *a = filled<float>(n / 4, fraction);
        int *out = array<int>(n / 4);
        measure("vote", "many votes", [&] { votes<<<n / 1024, 256>>>(a, out, n / 4); });
    }
    {
        const float *a = array<float>(n / 2);
        float *b = array<float>(n / 2);
        measure("vote", "many shuffles", [&] { shuffles<<<n / 512, 256>>>(a, b, n / 2); });
    }
    {
        const float *a = filled<float>(n / 2, fraction);
        float *b = array<float>(n / 2);
        measure("vote", "sorts a warp", [&] { sort_warp<<<n / 512, 256>>>(a, b, n / 2); });
    }
    {
        const float *a = filled<float>(n / 4, fraction);
        float *b = array<float>(n / 4);
        measure("vote", "sorts a block", [&] { sort_block<<<n / 2048, 512>>>(a, b); });
    }
}

static void measure_all(void)
{
    histograms();
    atomics();
    banks();
    votes_and_shuffles();
}
