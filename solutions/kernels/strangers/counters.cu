/* counters.cu: histograms, hash tables, queues and locks: many threads that want the same words. */
#include "kernels.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

/* ---- histograms ---- */

__global__ void histogram_of_pixels(const uchar4 *image, unsigned *count, int n)
{
    __shared__ unsigned mine[3 * 256];
    for (int i = threadIdx.x; i < 3 * 256; i += blockDim.x)
        mine[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        uchar4 p = image[i];
        atomicAdd(&mine[p.x], 1u);
        atomicAdd(&mine[256 + p.y], 1u);
        atomicAdd(&mine[512 + p.z], 1u);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 3 * 256; i += blockDim.x)
        atomicAdd(&count[i], mine[i]);
}

/* Lanes with the same bin elect one of them, which adds for all. */
__global__ void histogram_by_match(const int *bin, unsigned *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    if (i >= n) return;
    unsigned same = __match_any_sync(__activemask(), bin[i]);
    if (lane == __ffs(same) - 1) atomicAdd(&count[bin[i]], (unsigned)__popc(same));
}

/* Eight counters of eight bits in a register, added to shared memory now and then */
__global__ void histogram_in_registers(const unsigned char *bin, unsigned *count, int per_thread)
{
    __shared__ unsigned sum[8];
    if (threadIdx.x < 8) sum[threadIdx.x] = 0;
    __syncthreads();
    const unsigned char *mine = bin + (size_t)blockIdx.x * blockDim.x * per_thread + threadIdx.x;
    unsigned long long packed = 0;
    for (int i = 0; i < per_thread; i++)
        packed += 1ull << 8 * mine[i * blockDim.x];
    for (int k = 0; k < 8; k++)
        atomicAdd(&sum[k], (unsigned)(packed >> 8 * k & 255));
    __syncthreads();
    if (threadIdx.x < 8) atomicAdd(&count[threadIdx.x], sum[threadIdx.x]);
}

__global__ void weighted_doubles(const int *bin, const double *weight, double *sum, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&sum[bin[i]], weight[i]);
}

/* Distances between all pairs of points: shared counters of 64 bins */
__global__ void distance_histogram(const float2 *p, unsigned *count, int n)
{
    __shared__ unsigned mine[64];
    if (threadIdx.x < 64) mine[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float2 a = p[i];
    for (int j = blockIdx.y * 128; j < blockIdx.y * 128 + 128; j++) {
        float dx = a.x - p[j].x, dy = a.y - p[j].y;
        atomicAdd(&mine[(int)(sqrtf(dx * dx + dy * dy) * 45)], 1u);
    }
    __syncthreads();
    if (threadIdx.x < 64) atomicAdd(&count[threadIdx.x], mine[threadIdx.x]);
}

static void histograms(void)
{
    {
        int n = 2 * M;
        auto image = (uchar4 *)below<unsigned>(~0u, n);
        auto count = zeros<unsigned>(768);
        measure("bins", "pixels", [&] { histogram_of_pixels<<<264, 256>>>(image, count, n); });
    }
    for (unsigned bins : {4u, 1000u}) {
        auto bin = below(bins, M);
        auto count = zeros<unsigned>(bins);
        measure("bins", bins == 4 ? "match, 4 bins" : "match, 1000 bins",
                [&] { histogram_by_match<<<4096, 256>>>(bin, count, M); });
    }
    {
        auto bin = below<unsigned char>(8, 4 * M);
        auto count = zeros<unsigned>(8);
        measure("bins", "in registers",
                [&] { histogram_in_registers<<<256, 256>>>(bin, count, 64); });
    }
    {
        auto image = (uchar4 *)filled<unsigned>(
            M, [](size_t i) { return scatter(i) % 10 ? 0x101010u : scatter(i); });
        auto count = zeros<unsigned>(768);
        measure("bins", "pixels, nine of ten the same",
                [&] { histogram_of_pixels<<<132, 512>>>(image, count, M); });
    }
    {
        auto bin = below(5000, M);
        auto weight = fractions<double>(M);
        auto sum = zeros<double>(5000);
        measure("bins", "weights in double",
                [&] { weighted_doubles<<<4096, 256>>>(bin, weight, sum, M); });
    }
    {
        auto p = (float2 *)fractions(2 * 4096);
        auto count = zeros<unsigned>(64);
        measure("bins", "distances",
                [&] { distance_histogram<<<dim3(16, 32), 256>>>(p, count, 4096); });
    }
}

/* ---- hash tables ---- */

__device__ static unsigned hash(unsigned x)
{
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return x ^ x >> 16;
}

__global__ void insert(const unsigned *key, unsigned *table, unsigned mask, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (unsigned k = key[i], at = hash(k) & mask;; at = (at + 1) & mask) {
        unsigned old = atomicCAS(&table[at], 0u, k);
        if (old == 0 || old == k) return;
    }
}

__global__ void insert_pairs(const unsigned *key, unsigned long long *table, unsigned mask, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned long long pair = (unsigned long long)key[i] << 32 | (unsigned)i;
    for (unsigned at = hash(key[i]) & mask, step = 1;; at = (at + step++) & mask)
        if (atomicCAS(&table[at], 0ull, pair) == 0) return;
}

/* Buckets of 8 keys, one 32-byte sector each, looked through by 8 lanes together */
__global__ void look_up_buckets(const unsigned *key, const unsigned *bucket, int *found,
                                unsigned buckets, int n)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) / 8, lane = threadIdx.x % 8;
    if (i >= n) return;
    unsigned k = key[i], b = hash(k) % buckets;
    unsigned hits = __ballot_sync(~0u, bucket[b * 8 + lane] == k) >> (threadIdx.x & 24) & 255;
    if (lane == 0) found[i] = hits ? (int)(b * 8) + __ffs(hits) - 1 : -1;
}

__global__ void bloom_filter(const unsigned *key, const unsigned *bits, unsigned char *maybe, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned h1 = hash(key[i]), h2 = hash(h1) | 1;
    bool there = true;
    for (int k = 0; there && k < 6; k++) {
        unsigned h = (h1 + k * h2) & (16 * M - 1);
        there = bits[h / 32] >> h % 32 & 1;
    }
    maybe[i] = there;
}

static void tables(void)
{
    for (int load : {2, 8}) { /* eighths of the table that are full in the end */
        int slots = M, n = slots / 8 * load;
        auto key = filled<unsigned>(n, [](size_t i) { return scatter(i) | 1; });
        auto table = zeros<unsigned>(slots);
        n = n * 7 / 8;
        measure("hash", load == 2 ? "insertion, quarter full" : "insertion, nearly full", [&] {
            cudaMemset(table, 0, slots * sizeof *table);
            insert<<<(n + 255) / 256, 256>>>(key, table, slots - 1, n);
        });
    }
    {
        auto key = filled<unsigned>(256 * K, [](size_t i) { return scatter(i) | 1; });
        auto table = zeros<unsigned long long>(512 * K);
        measure("hash", "insertion of pairs", [&] {
            cudaMemset(table, 0, 512 * K * sizeof *table);
            insert_pairs<<<2048, 128>>>(key, table, 512 * K - 1, 256 * K);
        });
    }
    {
        auto key = below<unsigned>(M, 512 * K), bucket = below<unsigned>(M, 4000000);
        auto found = array<int>(512 * K);
        measure("hash", "buckets of eight",
                [&] { look_up_buckets<<<16 * K, 256>>>(key, bucket, found, 500000, 512 * K); });
    }
    {
        auto key = below<unsigned>(~0u, M),
             bits =
                 filled<unsigned>(512 * K, [](size_t i) { return scatter(i) | scatter(i + 99); });
        auto maybe = array<unsigned char>(M);
        measure("hash", "Bloom filter", [&] { bloom_filter<<<4096, 256>>>(key, bits, maybe, M); });
    }
}

/* ---- queues, lists and locks ---- */

__global__ void largest_by_exchange(const float *a, float *most, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int *word = (int *)&most[i % 512], seen = *(volatile int *)word;
    while (__int_as_float(seen) < a[i]) {
        int old = atomicCAS(word, seen, __float_as_int(a[i]));
        if (old == seen) break;
        seen = old;
    }
}

__global__ void push_coalesced(const int *a, int *queue, int *tail, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || a[i] % 3 != 0) return;
    auto active = cg::coalesced_threads();
    int first = 0;
    if (active.thread_rank() == 0) first = atomicAdd(tail, (int)active.size());
    queue[active.shfl(first, 0) + active.thread_rank()] = i;
}

__global__ void push_each(const int *a, int *queue, int *tail, int n)
{
    __shared__ int count, base;
    int i = blockIdx.x * blockDim.x + threadIdx.x, at = -1;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    if (i < n && a[i] % 3 == 0) at = atomicAdd(&count, 1);
    __syncthreads();
    if (threadIdx.x == 0) base = atomicAdd(tail, count);
    __syncthreads();
    if (at >= 0) queue[base + at] = i;
}

__global__ void linked_cells(const int *cell, int *head, int *next, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) next[i] = atomicExch(&head[cell[i]], i);
}

/* A lock per account; one lane of each warp moves money. */
__global__ void accounts(const int *number, int *lock, int *balance, int n)
{
    int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (threadIdx.x % 32 != 0 || w >= n) return;
    int a = number[w];
    while (atomicCAS(&lock[a], 0, 1) != 0)
        ;
    __threadfence();
    volatile int *b = balance;
    b[a] = b[a] + 1;
    __threadfence();
    atomicExch(&lock[a], 0);
}

/* Blocks take work from a counter; the pieces differ in length. */
__global__ void work_queue(const int *length, float *out, int *next, int pieces)
{
    __shared__ int piece;
    for (;;) {
        if (threadIdx.x == 0) piece = atomicAdd(next, 1);
        __syncthreads();
        int p = piece;
        __syncthreads();
        if (p >= pieces) return;
        float x = threadIdx.x;
        for (int i = 0; i < length[p]; i++)
            x = fmaf(x, 0.999f, 0.5f);
        out[p * blockDim.x + threadIdx.x] = x;
    }
}

/* Each edge links the sets of its ends: smaller roots win. */
__global__ void unite(const int2 *edge, int *parent, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int u = edge[i].x, v = edge[i].y;
    while (u != v) {
        if (u < v) {
            int swapped = u;
            u = v;
            v = swapped;
        }
        int old = atomicMin(&parent[u], v);
        if (old == u || old == v) return;
        u = old;
    }
}

static void queues(void)
{
    {
        auto a = fractions(M), most = zeros<float>(512);
        measure("queue", "largest by compare and swap", [&] {
            cudaMemset(most, 0, 512 * sizeof *most);
            largest_by_exchange<<<4096, 256>>>(a, most, M);
        });
    }
    for (bool coalesced : {true, false}) {
        auto a = below(900, 2 * M), queue = array<int>(2 * M), tail = zeros<int>(1);
        measure("queue", coalesced ? "pushed by warps" : "pushed by blocks", [&] {
            cudaMemset(tail, 0, sizeof *tail);
            if (coalesced)
                push_coalesced<<<8192, 256>>>(a, queue, tail, 2 * M);
            else
                push_each<<<8192, 256>>>(a, queue, tail, 2 * M);
        });
    }
    {
        auto cell = below(32 * K, M), head = zeros<int>(32 * K), next = array<int>(M);
        measure("queue", "linked cells", [&] { linked_cells<<<4096, 256>>>(cell, head, next, M); });
    }
    {
        auto number = below(256, 16 * K), lock = zeros<int>(256), balance = zeros<int>(256);
        measure("queue", "locks", [&] { accounts<<<2048, 256>>>(number, lock, balance, 16 * K); });
    }
    {
        auto length = filled<int>(4096, [](size_t i) { return 20 << scatter(i) % 6; });
        auto out = array<float>(4096 * 128);
        auto next = zeros<int>(1);
        measure("queue", "pieces of work", [&] {
            cudaMemset(next, 0, sizeof *next);
            work_queue<<<528, 128>>>(length, out, next, 4096);
        });
    }
    {
        auto edge = (int2 *)below(256 * K, 512 * K);
        auto parent = array<int>(256 * K),
             fresh = filled<int>(256 * K, [](size_t i) { return (int)i; });
        measure("queue", "sets united", [&] {
            cudaMemcpy(parent, fresh, 256 * K * sizeof *fresh, cudaMemcpyDeviceToDevice);
            unite<<<1024, 256>>>(edge, parent, 256 * K);
        });
    }
}

static void measure_all(void)
{
    histograms();
    tables();
    queues();
}
