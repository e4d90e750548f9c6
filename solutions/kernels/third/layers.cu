/* layers.cu: kernels of networks and of parallel algorithms, as libraries contain them. */
#include "kernels.h"

/* ---- networks ---- */

__global__ void adam(float *w, const float *g, float *m, float *v, float rate, float c1, float c2,
                     int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float gi = g[i], mi = 0.9f * m[i] + 0.1f * gi, vi = 0.999f * v[i] + 0.001f * gi * gi;
        m[i] = mi;
        v[i] = vi;
        w[i] -= rate * (mi * c1) / (sqrtf(vi * c2) + 1e-8f);
    }
}

__global__ void dropped(const float4 *x, float4 *y, unsigned seed, float keep, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 v = x[i];
    float *f = &v.x;
    unsigned s = seed ^ (i * 2654435761u);
    for (int k = 0; k < 4; k++) {
        s ^= s << 13;
        s ^= s >> 17;
        s ^= s << 5;
        f[k] = (s >> 8) * (1.0f / (1 << 24)) < keep ? f[k] / keep : 0;
    }
    y[i] = v;
}

__global__ void looked_up(const int *token, const float4 *table, const float4 *place, float4 *out)
{
    int row = blockIdx.x;
    float4 a = table[(size_t)token[row] * blockDim.x + threadIdx.x];
    float4 b = place[row % 512 * blockDim.x + threadIdx.x];
    out[row * blockDim.x + threadIdx.x] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

__global__ void bias_and_swish(const float *x, const float *bias, float *y, int columns, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i] + bias[i % columns];
    y[i] = v / (1 + expf(-v));
}

__global__ void depthwise(const float *x, const float *filter, float *y, int channels, int side)
{
    int c = blockIdx.z % channels, at = blockIdx.z * side * side;
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= side || j >= side) return;
    float sum = 0;
#pragma unroll
    for (int dj = -1; dj <= 1; dj++)
#pragma unroll
        for (int di = -1; di <= 1; di++) {
            int u = i + di, v = j + dj;
            if (u >= 0 && v >= 0 && u < side && v < side)
                sum += x[at + v * side + u] * filter[c * 9 + (dj + 1) * 3 + di + 1];
        }
    y[at + j * side + i] = sum;
}

/* Losses and gradients of rows of logits, a warp for each row. */
__global__ void cross_entropy(const float *logit, const int *label, float *loss, float *gradient,
                              int rows, int classes)
{
    int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    const float *x = logit + row * classes;
    float most = -1e30f, sum = 0;
    for (int c = lane; c < classes; c += 32)
        most = fmaxf(most, x[c]);
    for (int apart = 16; apart > 0; apart /= 2)
        most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, apart));
    for (int c = lane; c < classes; c += 32)
        sum += __expf(x[c] - most);
    for (int apart = 16; apart > 0; apart /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, apart);
    for (int c = lane; c < classes; c += 32)
        gradient[row * classes + c] = __expf(x[c] - most) / sum - (c == label[row]);
    if (lane == 0) loss[row] = logf(sum) + most - x[label[row]];
}

/* One query against all keys: a block for each head; the softmax is kept in shared memory. */
__global__ void attention(const float *q, const float *k, const float *v, float *out, int length)
{
    enum { WIDTH = 64 };
    extern __shared__ float weight[];
    __shared__ float part[4][WIDTH], total[4];
    int head = blockIdx.x, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const float *mine = q + head * WIDTH;
    float sum = 0;
    for (int j = warp; j < length; j += 4) {
        const float *key = k + ((size_t)head * length + j) * WIDTH;
        float dot = warp_sum(mine[lane] * key[lane] + mine[lane + 32] * key[lane + 32]);
        float e = __expf(__shfl_sync(0xffffffff, dot, 0) * 0.125f);
        if (lane == 0) weight[j] = e;
        sum += e;
    }
    if (lane == 0) total[warp] = sum;
    __syncthreads();
    int column = threadIdx.x % WIDTH, half = threadIdx.x / WIDTH;
    float o = 0;
    for (int j = half; j < length; j += 2)
        o += weight[j] * v[((size_t)head * length + j) * WIDTH + column];
    part[half][column] = o;
    __syncthreads();
    if (threadIdx.x < WIDTH)
        out[head * WIDTH + column] =
            (part[0][column] + part[1][column]) / (total[0] + total[1] + total[2] + total[3]);
}

/* Groups of 32 numbers become bytes with a common scale. */
__global__ void grouped_bytes(const float *x, signed char *q, float *scale, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i] - 0.5f, most = fabsf(v);
    for (int apart = 16; apart > 0; apart /= 2)
        most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, apart));
    float s = most / 127;
    q[i] = (signed char)(s > 0 ? rintf(v / s) : 0);
    if (i % 32 == 0) scale[i / 32] = s;
}

__global__ void pooled_back(const float *gradient, const int *place, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&out[place[i]], gradient[i]);
}

/* The mean and the variance of rows of 768 in one pass, a block for each. */
__global__ void normalised(const float *x, float *y, int n)
{
    __shared__ float sums[8], squares[8];
    const float *row = x + blockIdx.x * n;
    float s = 0, q = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        s += row[i];
        q += row[i] * row[i];
    }
    s = warp_sum(s);
    q = warp_sum(q);
    if (threadIdx.x % 32 == 0) {
        sums[threadIdx.x / 32] = s;
        squares[threadIdx.x / 32] = q;
    }
    __syncthreads();
    s = q = 0;
    for (int w = 0; w < 8; w++) {
        s += sums[w];
        q += squares[w];
    }
    float mean = s / n, scale = rsqrtf(q / n - mean * mean + 1e-5f);
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        y[blockIdx.x * n + i] = (row[i] - mean) * scale;
}

static void networks(void)
{
    auto w = fractions(M), g = fractions(M), m = fractions(M), v = fractions(M);
    measure("network", "Adam", [&] { adam<<<1024, 256>>>(w, g, m, v, 1e-3f, 1.1f, 1.2f, M); });
    auto x = fractions(2 * M), y = array<float>(2 * M);
    measure("network", "dropout",
            [&] { dropped<<<1024, 512>>>((float4 *)x, (float4 *)y, 42, 0.9f, M / 2); });
    auto token = below(8 * K, 4 * K);
    auto table = fractions(8 * K * 256), place = fractions(512 * 256);
    y = array<float>(4 * K * 256);
    measure("network", "words looked up", [&] {
        looked_up<<<4 * K, 64>>>(token, (float4 *)table, (float4 *)place, (float4 *)y);
    });
    x = fractions(M), g = fractions(768), y = array<float>(M);
    measure("network", "bias and swish", [&] { bias_and_swish<<<4096, 256>>>(x, g, y, 768, M); });
    x = fractions(64 * 56 * 56), w = fractions(64 * 9), y = array<float>(64 * 56 * 56);
    measure("network", "depthwise 3 x 3",
            [&] { depthwise<<<dim3(2, 7, 64), dim3(32, 8)>>>(x, w, y, 32, 56); });
    x = fractions(512 * 1000), g = array<float>(512 * 1000), y = array<float>(512);
    auto label = below(1000, 512);
    measure("network", "cross entropy",
            [&] { cross_entropy<<<128, 128>>>(x, label, y, g, 512, 1000); });
    auto q = fractions(48 * 64), k = fractions(48 * 512 * 64);
    v = fractions(48 * 512 * 64), y = array<float>(48 * 64);
    measure("network", "attention of one word",
            [&] { attention<<<48, 128, 512 * sizeof(float)>>>(q, k, v, y, 512); });
    x = fractions(M), y = array<float>(M / 32);
    auto bytes = array<signed char>(M);
    measure("network", "bytes in groups", [&] { grouped_bytes<<<4096, 256>>>(x, bytes, y, M); });
    g = fractions(M / 2), y = zeros<float>(M);
    auto places = below(M, M / 2);
    measure("network", "pooling, backwards",
            [&] { pooled_back<<<2048, 256>>>(g, places, y, M / 2); });
    x = fractions(1024 * 768), y = array<float>(1024 * 768);
    measure("network", "rows of 768 normalised", [&] { normalised<<<1024, 256>>>(x, y, 768); });
}

/* ---- parallel algorithms ---- */

template <int ITEMS> __global__ void block_sums(const int *x, int *sums)
{
    __shared__ int part[8];
    int from = (blockIdx.x * blockDim.x + threadIdx.x) * ITEMS, sum = 0;
#pragma unroll
    for (int i = 0; i < ITEMS; i += 4) {
        int4 v = *(const int4 *)(x + from + i);
        sum += v.x + v.y + v.z + v.w;
    }
    for (int apart = 16; apart > 0; apart /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, apart);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < 8; w++)
            sum += part[w];
        sums[blockIdx.x] = sum;
    }
}

/* Exclusive sums of 1024 numbers per block, four each. */
__global__ void scanned_by_four(const int4 *x, int4 *y, int *total)
{
    __shared__ int part[8];
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    int4 v = x[i];
    int mine = v.x + v.y + v.z + v.w, sum = mine;
    for (int apart = 1; apart < 32; apart *= 2) {
        int other = __shfl_up_sync(0xffffffff, sum, apart);
        if (lane >= apart) sum += other;
    }
    if (lane == 31) part[threadIdx.x / 32] = sum;
    __syncthreads();
    int before = sum - mine;
    for (int w = 0; w < (int)threadIdx.x / 32; w++)
        before += part[w];
    y[i] = make_int4(before, before + v.x, before + v.x + v.y, before + v.x + v.y + v.z);
    if (threadIdx.x == 255) total[blockIdx.x] = before + mine;
}

/* The number of keys of each of 16 digits, four counters in each word of a thread. */
__global__ void digits_ranked(const unsigned *key, unsigned *rank, int shift)
{
    __shared__ unsigned counts[16][128];
    int t = threadIdx.x;
    for (int d = 0; d < 16; d++)
        counts[d][t] = 0;
    unsigned mine[4], places[4];
    for (int k = 0; k < 4; k++) {
        mine[k] = key[(blockIdx.x * 4 + k) * 128 + t] >> shift & 15;
        places[k] = counts[mine[k]][t]++;
    }
    __syncthreads();
    if (t < 16) {
        unsigned sum = 0;
        for (int i = 0; i < 128; i++) {
            unsigned count = counts[t][i];
            counts[t][i] = sum;
            sum += count;
        }
    }
    __syncthreads();
    for (int k = 0; k < 4; k++)
        rank[(blockIdx.x * 4 + k) * 128 + t] = counts[mine[k]][t] + places[k];
}

__global__ void unique_marked(const int *key, int *first, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool is_first = i < n && (i == 0 || key[i] != key[i - 1]);
    unsigned all = __ballot_sync(0xffffffff, is_first);
    int at = 0;
    if (threadIdx.x % 32 == 0) at = atomicAdd(count, __popc(all));
    at = __shfl_sync(0xffffffff, at, 0) + __popc(all & ((1u << threadIdx.x % 32) - 1));
    if (is_first) first[at] = i;
}

/* Where each value belongs in a sorted table that fits into shared memory. */
__global__ void bounds_found(const float *x, const float *limit, int *place, int n)
{
    __shared__ float s[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        s[i] = limit[i];
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int low = 0, count = 1024;
        while (count > 0) {
            int half = count / 2;
            if (s[low + half] < x[i]) {
                low += half + 1;
                count -= half + 1;
            } else
                count = half;
        }
        place[i] = low;
    }
}

__global__ void segments_summed(const int *start, const float *x, float *sum, int segments)
{
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= segments) return;
    float total = 0;
    for (int i = start[s]; i < start[s + 1]; i++)
        total += x[i];
    sum[s] = total;
}

__global__ void shared_bins(const unsigned char *x, int *bins, int n)
{
    __shared__ int mine[256];
    mine[threadIdx.x] = 0;
    __syncthreads();
    const uchar4 *four = (const uchar4 *)x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += gridDim.x * blockDim.x) {
        uchar4 v = four[i];
        atomicAdd(&mine[v.x], 1);
        atomicAdd(&mine[v.y], 1);
        atomicAdd(&mine[v.z], 1);
        atomicAdd(&mine[v.w], 1);
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

__global__ void largest_float(const float *x, int *most, int n)
{
    float mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        mine = fmaxf(mine, x[i]);
    for (int apart = 16; apart > 0; apart /= 2)
        mine = fmaxf(mine, __shfl_xor_sync(0xffffffff, mine, apart));
    if (threadIdx.x % 32 == 0) atomicMax(most, __float_as_int(mine));
}

/* A table of key and count; a key's place is found by probing, and counted there. */
__global__ void words_counted(const int *key, int *table, int *count, int mask, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int k = key[i] + 1;
    unsigned at = k * 0x9e3779b1u >> 12 & mask;
    for (;;) {
        int old = table[at];
        if (old == 0) old = atomicCAS(&table[at], 0, k);
        if (old == 0 || old == k) break;
        at = (at + 1) & mask;
    }
    atomicAdd(&count[at], 1);
}

static void algorithms(void)
{
    auto x = below(1000, 2 * M), y = array<int>(2 * M), z = array<int>(M);
    measure("library", "sums of blocks, 16 each", [&] { block_sums<16><<<512, 256>>>(x, y); });
    x = below(1000, M), y = array<int>(M), z = array<int>(K);
    measure("library", "scan by four",
            [&] { scanned_by_four<<<1024, 256>>>((int4 *)x, (int4 *)y, z); });
    auto key = below<unsigned>(1u << 28, M / 2), rank = array<unsigned>(M / 2);
    measure("library", "digits ranked", [&] { digits_ranked<<<1024, 128>>>(key, rank, 8); });
    x = filled<int>(M, [](size_t i) { return (int)(i / 7); });
    y = array<int>(M), z = zeros<int>(1);
    measure("library", "unique", [&] {
        check(cudaMemset(z, 0, sizeof *z), "cudaMemset");
        unique_marked<<<4096, 256>>>(x, y, z, M);
    });
    auto f = fractions(M / 2), limit = filled<float>(K, [](size_t i) { return i / 1024.0f; });
    z = array<int>(M / 2);
    measure("library", "lower bounds", [&] { bounds_found<<<264, 256>>>(f, limit, z, M / 2); });
    int *sums = sums_before(32 * K, [](size_t i) { return (int)(scatter(i) % 33); });
    auto start = filled<int>(32 * K + 1, [=](size_t i) { return sums[i]; });
    f = fractions(sums[32 * K]);
    free(sums);
    auto total = array<float>(32 * K);
    measure("library", "sums of segments",
            [&] { segments_summed<<<128, 256>>>(start, f, total, 32 * K); });
    auto bytes = below<unsigned char>(256, 2 * M);
    z = zeros<int>(256);
    measure("library", "bins of bytes", [&] { shared_bins<<<132, 256>>>(bytes, z, 2 * M); });
    f = fractions(2 * M), z = zeros<int>(1);
    measure("library", "largest float", [&] { largest_float<<<528, 256>>>(f, z, 2 * M); });
    x = below(20000, M / 4), y = zeros<int>(64 * K), z = zeros<int>(64 * K);
    measure("library", "words counted", [&] {
        check(cudaMemset(y, 0, 64 * K * sizeof *y), "cudaMemset");
        words_counted<<<1024, 256>>>(x, y, z, 64 * K - 1, M / 4);
    });
}

static void measure_all(void)
{
    networks();
    algorithms();
}
