/* uneven.cu: work that depends on data: sparse matrices, graphs, texts, chance, counters. */
#include "kernels.h"

/* ---- graphs and sparse matrices ---- */

__global__ void long_tail(const int *row, const int *column, const float *value, const float *x,
                          float *y, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    float sum = 0;
    for (int k = row[r]; k < row[r + 1]; k++)
        sum += value[k] * x[column[k]];
    y[r] = sum;
}

__global__ void jump(const int *next, int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = next[next[i]];
}

__global__ void tree_walks(const int2 *child, const float *limit, const float *key, int *leaf,
                           int nodes, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float k = key[i];
    int at = 0;
    while (at < nodes)
        at = k < limit[at] ? child[at].x : child[at].y;
    leaf[i] = at - nodes;
}

__global__ void degrees_by_edges(const int *from, const int *to, int *degree, int edges)
{
    for (int e = blockIdx.x * blockDim.x + threadIdx.x; e < edges; e += gridDim.x * blockDim.x) {
        atomicAdd(&degree[from[e]], 1);
        atomicAdd(&degree[to[e]], 1);
    }
}

__global__ void relax(const int *from, const int *to, const int *weight, int *distance, int edges)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= edges) return;
    int other = distance[from[e]] + weight[e];
    if (other < distance[to[e]]) atomicMin(&distance[to[e]], other);
}

static void sparse_things(void)
{
    const int rows = 64 * K;
    int *sums =
        sums_before(rows, [](int i) { return i % 61 == 0 ? 64 : (int)(scatter(i) >> 4) % 9; });
    int all = sums[rows];
    int *row = array<int>(rows + 1);
    check(cudaMemcpy(row, sums, (rows + 1) * 4, cudaMemcpyHostToDevice), "cudaMemcpy");
    free(sums);
    auto column = below(rows, all);
    auto value = fractions(all), x = fractions(rows), y = array<float>(rows);
    measure("sparse", "a few long rows",
            [&] { long_tail<<<256, 256>>>(row, column, value, x, y, rows); });
    auto next = below(512 * K, 512 * K), to = array<int>(512 * K);
    measure("sparse", "pointers jump", [&] { jump<<<2048, 256>>>(next, to, 512 * K); });
    const int nodes = 4095;
    auto child = filled<int2>(nodes, [](size_t i) { return make_int2(2 * i + 1, 2 * i + 2); });
    auto limit = fractions(nodes), key = fractions(256 * K);
    auto leaf = array<int>(256 * K);
    measure("sparse", "walks down a tree",
            [&] { tree_walks<<<1024, 256>>>(child, limit, key, leaf, nodes, 256 * K); });
    auto from = below(64 * K, 512 * K),
         end = filled<int>(512 * K, [](size_t i) { return (int)(scatter(i + 12345) % (64 * K)); }),
         degree = zeros<int>(64 * K);
    measure("sparse", "degrees by edges",
            [&] { degrees_by_edges<<<264, 256>>>(from, end, degree, 512 * K); });
    from = below(64 * K, 512 * K),
    end = filled<int>(512 * K, [](size_t i) { return (int)(scatter(i + 54321) % (64 * K)); });
    auto weight = below(100, 512 * K), distance = array<int>(64 * K), first = below(10000, 64 * K);
    measure("sparse", "edges relaxed", [&] {
        cudaMemcpyAsync(distance, first, 256 * K, cudaMemcpyDeviceToDevice);
        relax<<<2048, 256>>>(from, end, weight, distance, 512 * K);
    });
}

/* ---- texts and chance ---- */

__global__ void same_letters(const char *text, const char *word, int length, int *most, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + length > n) return;
    int same = 0;
    for (int k = 0; k < length; k++)
        same += text[i + k] == word[k];
    if (same > length / 2) atomicMax(most, same);
}

__global__ void knapsack_row(const int *before, int *after, int weight, int value, int capacity)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c > capacity) return;
    int v = before[c];
    if (c >= weight) v = max(v, before[c - weight] + value);
    after[c] = v;
}

__device__ static unsigned next_number(unsigned *state)
{
    *state = *state * 747796405u + 2891336453u;
    unsigned word = (*state >> ((*state >> 28) + 4) ^ *state) * 277803737u;
    return word >> 22 ^ word;
}

__global__ void option_paths(float *value, int steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned state = i * 9781u + 1;
    float price = 100;
    for (int s = 0; s < steps; s++) {
        float u = (next_number(&state) + 1.0f) / 4294967808.0f,
              v = next_number(&state) / 4294967808.0f;
        float normal = sqrtf(-2 * logf(u)) * cosf(6.2831853f * v);
        price *= expf(0.0001f + 0.01f * normal);
    }
    value[i] = fmaxf(price - 100, 0);
}

__global__ void julia(unsigned char *out, int width, float cx, float cy)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    float x = 3.0f * px / width - 1.5f, y = 3.0f * py / width - 1.5f;
    int k = 0;
    while (k < 255 && x * x + y * y < 4) {
        float t = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = t;
        k++;
    }
    out[py * width + px] = k;
}

__global__ void walkers(int *ended, int size, int steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned state = i + 17;
    int x = size / 2, y = size / 2, k = 0;
    for (; k < steps && x > 0 && x < size && y > 0 && y < size; k++)
        switch (next_number(&state) & 3) {
        case 0: x++; break;
        case 1: x--; break;
        case 2: y++; break;
        default: y--; break;
        }
    ended[i] = k;
}

static void texts_and_chance(void)
{
    auto text = filled<char>(512 * K, [](size_t i) { return 'a' + scatter(i) % 4; });
    auto word = filled<char>(16, [](size_t i) { return 'a' + scatter(i + 3) % 4; });
    auto most = zeros<int>(1);
    measure("chance", "letters in place",
            [&] { same_letters<<<2048, 256>>>(text, word, 16, most, 512 * K); });
    auto before = below(1000, M), after = array<int>(M);
    measure("chance", "row of a knapsack",
            [&] { knapsack_row<<<4096, 256>>>(before, after, 333, 50, M - 1); });
    auto value = array<float>(64 * K);
    measure("chance", "paths of an option", [&] { option_paths<<<256, 256>>>(value, 20, 64 * K); });
    auto bytes = array<unsigned char>(M);
    measure("chance", "Julia",
            [&] { julia<<<dim3(64, 64), dim3(16, 16)>>>(bytes, 1024, -.8f, .156f); });
    auto ended = array<int>(64 * K);
    measure("chance", "walkers until the edge",
            [&] { walkers<<<512, 128>>>(ended, 16, 200, 64 * K); });
}

/* ---- counters ---- */

__global__ void clusters(const float2 *point, const float2 *centre, float *sums, int k, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float2 p = point[i];
    float least = 1e30f;
    int nearest = 0;
    for (int c = 0; c < k; c++) {
        float dx = p.x - centre[c].x, dy = p.y - centre[c].y, d = dx * dx + dy * dy;
        if (d < least) least = d, nearest = c;
    }
    atomicAdd(&sums[3 * nearest], p.x);
    atomicAdd(&sums[3 * nearest + 1], p.y);
    atomicAdd(&sums[3 * nearest + 2], 1.0f);
}

__global__ void doubles_in_bins(const double *a, const int *bin, double *sum, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&sum[bin[i]], a[i]);
}

__global__ void multiplied(const float *a, float *product, int places, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int *word = (int *)&product[i % places], seen = *word, old;
    do {
        old = seen;
        seen = atomicCAS(word, old, __float_as_int(__int_as_float(old) * (1 + a[i] / 1000)));
    } while (seen != old);
}

__global__ void places_in_order(const int *a, int *out, int *count, int limit, int n)
{
    __shared__ int mine, first;
    if (threadIdx.x == 0) mine = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x, at = -1;
    if (i < n && a[i] < limit) at = atomicAdd(&mine, 1);
    __syncthreads();
    if (threadIdx.x == 0) first = atomicAdd(count, mine);
    __syncthreads();
    if (at >= 0) out[first + at] = i;
}

__global__ void shared_float_bins(const float *a, const unsigned char *bin, float *sum, int n)
{
    __shared__ float s[256];
    s[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&s[bin[i]], a[i]);
    __syncthreads();
    atomicAdd(&sum[threadIdx.x], s[threadIdx.x]);
}

__global__ void sieve_segments(unsigned char *composite, const int *prime, int primes, int n)
{
    __shared__ unsigned char s[8192];
    int first = blockIdx.x * 8192;
    for (int i = threadIdx.x; i < 8192; i += blockDim.x)
        s[i] = 0;
    __syncthreads();
    for (int k = threadIdx.x; k < primes; k += blockDim.x) {
        int p = prime[k], from = (first + p - 1) / p * p;
        if (from < p * p) from = p * p;
        for (int m = from; m < first + 8192; m += p)
            s[m - first] = 1;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 8192 && first + i < n; i += blockDim.x)
        composite[first + i] = s[i];
}

static void counters(void)
{
    auto point = filled<float2>(
        256 * K, [](size_t i) { return make_float2(fraction(i), fraction(i + 99)); });
    auto centre =
        filled<float2>(16, [](size_t i) { return make_float2(fraction(i + 5), fraction(i + 50)); });
    auto sums = zeros<float>(48);
    measure("counters", "clusters, atomics",
            [&] { clusters<<<1024, 256>>>(point, centre, sums, 16, 256 * K); });
    auto d = fractions<double>(512 * K), total = zeros<double>(1000);
    auto bin = below(1000, 512 * K);
    measure("counters", "doubles in 1000 bins",
            [&] { doubles_in_bins<<<2048, 256>>>(d, bin, total, 512 * K); });
    auto a = fractions(64 * K), product = filled<float>(512, [](size_t) { return 1.0f; });
    measure("counters", "products by compare and swap",
            [&] { multiplied<<<256, 256>>>(a, product, 512, 64 * K); });
    auto keys = below(1000, M), out = array<int>(M), count = zeros<int>(1);
    measure("counters", "places of small numbers", [&] {
        cudaMemsetAsync(count, 0, 4);
        places_in_order<<<4096, 256>>>(keys, out, count, 300, M);
    });
    a = fractions(M);
    auto byte = below<unsigned char>(256, M);
    auto sum = zeros<float>(256);
    measure("counters", "floats in shared bins",
            [&] { shared_float_bins<<<264, 256>>>(a, byte, sum, M); });
    auto composite = array<unsigned char>(M);
    auto prime = filled<int>(168, [](size_t i) {
        int found = 0, p = 1;
        while (found <= (int)i) {
            p++;
            bool ok = true;
            for (int q = 2; q * q <= p; q++)
                ok = ok && p % q != 0;
            found += ok;
        }
        return p;
    });
    measure("counters", "segments of a sieve",
            [&] { sieve_segments<<<128, 128>>>(composite, prime, 168, M); });
}

static void measure_all(void)
{
    sparse_things();
    texts_and_chance();
    counters();
}
