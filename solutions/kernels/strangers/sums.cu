/* sums.cu: reductions and scans, as libraries and courses write them. */
#include "kernels.h"

#include <cooperative_groups.h>
#include <cuda_fp16.h>

namespace cg = cooperative_groups;

/* ---- one number from many ---- */

__global__ void sum_doubles(const float *a, double *sum, int n)
{
    double mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        mine += a[i];
    for (int apart = 16; apart > 0; apart /= 2)
        mine += __shfl_xor_sync(0xffffffff, mine, apart);
    if (threadIdx.x % 32 == 0) atomicAdd(sum, mine);
}

__global__ void smallest_and_largest(const float4 *a, float2 *out, int n)
{
    __shared__ float low[256], high[256];
    float least = 1e30f, most = -1e30f;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
        float4 v = a[i];
        least = fminf(least, fminf(fminf(v.x, v.y), fminf(v.z, v.w)));
        most = fmaxf(most, fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)));
    }
    low[threadIdx.x] = least;
    high[threadIdx.x] = most;
    for (int half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) {
            low[threadIdx.x] = fminf(low[threadIdx.x], low[threadIdx.x + half]);
            high[threadIdx.x] = fmaxf(high[threadIdx.x], high[threadIdx.x + half]);
        }
    }
    if (threadIdx.x == 0) out[blockIdx.x] = make_float2(low[0], high[0]);
}

/* The place of the largest value: value and index in one 64-bit number */
__global__ void place_of_largest(const float *a, unsigned long long *best, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long mine =
        i < n ? (unsigned long long)__float_as_uint(a[i]) << 32 | (unsigned)i : 0;
    for (int apart = 16; apart > 0; apart /= 2) {
        unsigned long long other = __shfl_down_sync(0xffffffff, mine, apart);
        if (other > mine) mine = other;
    }
    if (threadIdx.x % 32 == 0) atomicMax(best, mine);
}

/* Kahan's sum keeps what rounding loses. */
__global__ void compensated_sums(const float *a, float *out, int per_thread, int threads)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0, lost = 0;
    for (int i = 0; i < per_thread; i++) {
        float y = __fsub_rn(a[(size_t)i * threads + t], lost), next = __fadd_rn(sum, y);
        lost = __fsub_rn(__fsub_rn(next, sum), y);
        sum = next;
    }
    out[t] = sum;
}

/* Welford's mean and variance of each row of 1024, partial results merged by shuffles */
__global__ void mean_and_variance(const float *a, float2 *out, int rows)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    float count = 0, mean = 0, m2 = 0;
    for (int i = lane; i < 1024; i += 32) {
        float x = a[row * 1024 + i], d = x - mean;
        count += 1;
        mean += d / count;
        m2 += d * (x - mean);
    }
    for (int apart = 16; apart > 0; apart /= 2) {
        float c = __shfl_xor_sync(~0u, count, apart), m = __shfl_xor_sync(~0u, mean, apart);
        float s = __shfl_xor_sync(~0u, m2, apart), d = m - mean, total = count + c;
        mean += d * c / total;
        m2 += s + d * d * count * c / total;
        count = total;
    }
    if (lane == 0) out[row] = make_float2(mean, m2 / count);
}

/* The block that ends last adds what all blocks have left. */
__global__ void sum_by_last_block(const float *a, float *part, unsigned *ticket, float *sum, int n)
{
    __shared__ float partial[8];
    __shared__ bool last;
    float mine = 0;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
        mine += a[i];
    for (int round = 0; round < 2; round++) {
        mine = warp_sum(mine);
        if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = mine;
        __syncthreads();
        if (threadIdx.x == 0) {
            for (int w = 1; w < 8; w++)
                mine += partial[w];
            if (round == 1) *sum = mine;
            if (round == 0) {
                part[blockIdx.x] = mine;
                __threadfence();
                last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
            }
        }
        __syncthreads();
        if (round == 1 || !last) return;
        __threadfence();
        mine = threadIdx.x < gridDim.x ? ((volatile float *)part)[threadIdx.x] : 0;
    }
}

__global__ void reduce_instructions(const int *a, int4 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = i < n ? a[i] : 0;
    int sum = __reduce_add_sync(~0u, x), most = __reduce_max_sync(~0u, x);
    unsigned both = __reduce_and_sync(~0u, x), odd = __reduce_xor_sync(~0u, x);
    if (threadIdx.x % 32 == 0) out[i / 32] = make_int4(sum, most, both, odd);
}

/* Each block halves an interval until half of its values lie below: a median. */
__global__ void medians_by_counting(const float *a, float *out)
{
    float x = a[blockIdx.x * blockDim.x + threadIdx.x], low = 0, high = 1;
    for (int round = 0; round < 20; round++) {
        float middle = (low + high) / 2;
        if (__syncthreads_count(x < middle) * 2 < blockDim.x)
            low = middle;
        else
            high = middle;
    }
    if (threadIdx.x == 0) out[blockIdx.x] = low;
}

__global__ void sum_of_halves(const half2 *a, float *out, int n)
{
    half2 sum = __float2half2_rn(0);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum = __hfma2(a[i], __float2half2_rn(0.001f), sum);
    float mine = warp_sum(__low2float(sum) + __high2float(sum));
    if (threadIdx.x % 32 == 0) out[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = mine;
}

/* Sums of runs of equal keys within a warp; only the first lane of a run adds to its key's sum. */
__global__ void sums_by_key(const int *key, const float *value, float *sum, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    int k = i < n ? key[i] : -1;
    float v = i < n ? value[i] : 0;
    for (int apart = 1; apart < 32; apart *= 2) {
        float other = __shfl_down_sync(~0u, v, apart);
        int its = __shfl_down_sync(~0u, k, apart);
        if (lane + apart < 32 && its == k) v += other;
    }
    int before = __shfl_up_sync(~0u, k, 1);
    if (k >= 0 && (lane == 0 || before != k)) atomicAdd(&sum[k], v);
}

static void sums(void)
{
    {
        int n = 16 * M;
        auto a = fractions(n);
        auto sum = zeros<double>(1);
        measure("one", "doubles", [&] { sum_doubles<<<264, 512>>>(a, sum, n); });
    }
    {
        auto a = (float4 *)fractions(8 * M);
        auto out = array<float2>(528);
        measure("one", "smallest and largest",
                [&] { smallest_and_largest<<<528, 256>>>(a, out, 2 * M); });
    }
    {
        auto a = fractions(2 * M);
        auto best = zeros<unsigned long long>(1);
        measure("one", "place of the largest",
                [&] { place_of_largest<<<8192, 256>>>(a, best, 2 * M); });
    }
    {
        auto a = fractions(4 * M);
        auto out = array<float>(64 * K);
        measure("one", "compensated", [&] { compensated_sums<<<512, 128>>>(a, out, 64, 64 * K); });
    }
    {
        auto a = fractions(4 * M);
        auto out = array<float2>(4096);
        measure("one", "mean and variance",
                [&] { mean_and_variance<<<1024, 128>>>(a, out, 4096); });
    }
    {
        auto a = fractions(4 * M);
        auto part = array<float>(256), sum = zeros<float>(1);
        auto ticket = zeros<unsigned>(1);
        measure("one", "last block",
                [&] { sum_by_last_block<<<256, 256>>>(a, part, ticket, sum, 4 * M); });
    }
    {
        auto a = below(1000, 4 * M);
        auto out = array<int4>(128 * K);
        measure("one", "reduce instructions",
                [&] { reduce_instructions<<<16 * K, 256>>>(a, out, 4 * M); });
    }
    {
        int block = 1024;
        auto a = fractions(2 * M);
        auto out = array<float>(2 * M / block);
        measure("one", "medians by counting",
                [&] { medians_by_counting<<<2 * M / block, block>>>(a, out); });
    }
    {
        auto a = array<half2>(4 * M);
        auto out = array<float>(528 * 8);
        measure("one", "halves", [&] { sum_of_halves<<<528, 256>>>(a, out, 4 * M); });
    }
    {
        auto key = filled<int>(2 * M, [](size_t i) { return (int)(i / 11); });
        auto value = fractions(2 * M);
        auto sum = zeros<float>(2 * M / 11 + 1);
        measure("one", "by key", [&] { sums_by_key<<<8192, 256>>>(key, value, sum, 2 * M); });
    }
}

/* ---- scans ---- */

/* In one pass: each block waits for what the blocks before it add up to. */
__global__ void look_back(const int *a, int *out, unsigned *turn, volatile int *state, int n)
{
    __shared__ int sums[8], before;
    __shared__ unsigned block;
    if (threadIdx.x == 0) block = atomicAdd(turn, 1);
    __syncthreads();
    int i = (block * 256 + threadIdx.x) * 4, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int4 v = i < n ? *(const int4 *)(a + i) : make_int4(0, 0, 0, 0);
    v.y += v.x, v.z += v.y, v.w += v.z;
    int sum = v.w;
    for (int apart = 1; apart < 32; apart *= 2) {
        int other = __shfl_up_sync(~0u, sum, apart);
        if (lane >= apart) sum += other;
    }
    if (lane == 31) sums[warp] = sum;
    __syncthreads();
    int offset = sum - v.w;
    for (int w = 0; w < warp; w++)
        offset += sums[w];
    if (threadIdx.x == 255) {
        int known = 0;
        if (block > 0)
            while ((known = atomicAdd((int *)&state[block - 1], 0)) == 0)
                ;
        before = known > 0 ? known - 1 : 0;
        atomicExch((int *)&state[block], before + offset + v.w + 1);
    }
    __syncthreads();
    offset += before;
    if (i < n)
        *(int4 *)(out + i) = make_int4(v.x + offset, v.y + offset, v.z + offset, v.w + offset);
}

/* Up and down a tree in shared memory, with a word of padding after each 32 */
__global__ void scan_padded_tree(const float *a, float *out)
{
    __shared__ float tree[2048 + 64];
    auto at = [](int i) { return i + i / 32; };
    int t = threadIdx.x, first = blockIdx.x * 2048;
    tree[at(t)] = a[first + t];
    tree[at(t + 1024)] = a[first + t + 1024];
    for (int apart = 1; apart < 2048; apart *= 2) {
        __syncthreads();
        int i = (t + 1) * 2 * apart - 1;
        if (i < 2048) tree[at(i)] += tree[at(i - apart)];
    }
    for (int apart = 512; apart > 0; apart /= 2) {
        __syncthreads();
        int i = (t + 1) * 2 * apart - 1;
        if (i + apart < 2048) tree[at(i + apart)] += tree[at(i)];
    }
    __syncthreads();
    out[first + t] = tree[at(t)];
    out[first + t + 1024] = tree[at(t + 1024)];
}

/* y = a y + b along each row: steps composed by shuffles, a warp per row */
__global__ void recurrences(const float *a, const float *b, float *y, int rows)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    float carry = 0;
    for (int i = row * 512 + lane; i < (row + 1) * 512; i += 32) {
        float factor = a[i], sum = b[i];
        for (int apart = 1; apart < 32; apart *= 2) {
            float f = __shfl_up_sync(~0u, factor, apart), s = __shfl_up_sync(~0u, sum, apart);
            if (lane >= apart) {
                sum += factor * s;
                factor *= f;
            }
        }
        y[i] = factor * carry + sum;
        carry = __shfl_sync(~0u, y[i], 31);
    }
}

/* Running maxima of 64-bit numbers by a block, which carries on from part to part */
__global__ void running_maxima(const long long *a, long long *out, int n)
{
    __shared__ long long part[512];
    long long carry = -1;
    for (int first = blockIdx.x * n; first < (blockIdx.x + 1) * n; first += 512) {
        long long mine = a[first + threadIdx.x];
        part[threadIdx.x] = mine;
        __syncthreads();
        for (int apart = 1; apart < 512; apart *= 2) {
            long long other = threadIdx.x >= apart ? part[threadIdx.x - apart] : carry;
            __syncthreads();
            part[threadIdx.x] = mine = max(mine, other);
            __syncthreads();
        }
        out[first + threadIdx.x] = max(mine, carry);
        carry = max(carry, part[511]);
        __syncthreads();
    }
}

/* Where each set flag goes: ballots, counts of bits and a scan over the warps */
__global__ void places_of_flags(const unsigned char *flag, int *place, int n)
{
    __shared__ int counts[32];
    int i = blockIdx.x * 1024 + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned set = __ballot_sync(~0u, i < n && flag[i]);
    if (lane == 0) counts[warp] = __popc(set);
    __syncthreads();
    if (warp == 0) {
        int count = counts[lane], sum = count;
        for (int apart = 1; apart < 32; apart *= 2) {
            int other = __shfl_up_sync(~0u, sum, apart);
            if (lane >= apart) sum += other;
        }
        counts[lane] = sum - count;
    }
    __syncthreads();
    if (i < n) place[i] = counts[warp] + __popc(set & ((1u << lane) - 1));
}

static void scans(void)
{
    {
        int n = 8 * M;
        auto a = below(2, n), out = array<int>(n), state = zeros<int>(n / 1024);
        auto turn = zeros<unsigned>(1);
        measure("prefix", "look back", [&] {
            cudaMemset(turn, 0, sizeof *turn);
            cudaMemset(state, 0, n / 1024 * sizeof *state);
            look_back<<<n / 1024, 256>>>(a, out, turn, state, n);
        });
    }
    {
        auto a = fractions(2 * M), out = array<float>(2 * M);
        measure("prefix", "padded tree", [&] { scan_padded_tree<<<1024, 1024>>>(a, out); });
    }
    {
        auto a = fractions(2 * M), b = fractions(2 * M), y = array<float>(2 * M);
        measure("prefix", "recurrences", [&] { recurrences<<<512, 256>>>(a, b, y, 4096); });
    }
    {
        auto a = below<long long>(1u << 20, 512 * K), out = array<long long>(512 * K);
        measure("prefix", "running maxima", [&] { running_maxima<<<128, 512>>>(a, out, 4096); });
    }
    {
        auto flag = below<unsigned char>(2, 8 * M);
        auto place = array<int>(8 * M);
        measure("prefix", "places of flags",
                [&] { places_of_flags<<<8192, 1024>>>(flag, place, 8 * M); });
    }
}

static void measure_all(void)
{
    sums();
    scans();
}
