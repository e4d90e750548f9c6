/* shared.cu: what threads do together: barriers, shared memory, atomic operations, locks. */
#include "kernels.h"

/* ---- barriers and reductions ---- */

__global__ void variance(const float *a, float2 *out, int n)
{
    __shared__ float s[256], q[256];
    int t = threadIdx.x;
    float sum = 0, squares = 0;
    for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) {
        sum += a[i];
        squares += a[i] * a[i];
    }
    s[t] = sum;
    q[t] = squares;
    for (int d = 128; d > 0; d /= 2) {
        __syncthreads();
        if (t < d) {
            s[t] += s[t + d];
            q[t] += q[t + d];
        }
    }
    if (t == 0) out[blockIdx.x] = make_float2(s[0], q[0]);
}

/* Each step of the power method in one block: a product and a norm. */
__global__ void power_method(const float *a, float *x, int n, int steps)
{
    __shared__ float v[256], s[256];
    int t = threadIdx.x;
    v[t] = x[t];
    for (int k = 0; k < steps; k++) {
        __syncthreads();
        float y = 0;
        for (int j = 0; j < n; j++)
            y += a[j * n + t] * v[j];
        s[t] = y * y;
        for (int d = 128; d > 0; d /= 2) {
            __syncthreads();
            if (t < d) s[t] += s[t + d];
        }
        __syncthreads();
        v[t] = y * rsqrtf(s[0]);
    }
    x[t] = v[t];
}

/* Rows normalised by the largest: two reductions per row, a block per row */
__global__ void normalise_rows(const float *a, float *b, int columns)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    const float *row = a + (size_t)blockIdx.x * columns;
    float most = 0;
    for (int j = t; j < columns; j += 128)
        most = fmaxf(most, fabsf(row[j]));
    s[t] = most;
    __syncthreads();
    for (int d = 64; d > 0; d /= 2) {
        if (t < d) s[t] = fmaxf(s[t], s[t + d]);
        __syncthreads();
    }
    float scale = 1 / (s[0] + 1e-6f);
    for (int j = t; j < columns; j += 128)
        b[(size_t)blockIdx.x * columns + j] = row[j] * scale;
}

/* Iterations of Jacobi on a line, all in one block */
__global__ void jacobi_in_block(float *x, int rounds)
{
    __shared__ float v[2][1026];
    int t = threadIdx.x;
    v[0][t + 1] = x[blockIdx.x * 1024 + t];
    if (t < 2) v[0][t * 1025] = v[1][t * 1025] = 0;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        v[(r + 1) & 1][t + 1] = 0.5f * (v[r & 1][t] + v[r & 1][t + 2]);
        __syncthreads();
    }
    x[blockIdx.x * 1024 + t] = v[rounds & 1][t + 1];
}

__global__ void blelloch(const int *a, int *b, int *sums)
{
    __shared__ int s[512];
    int t = threadIdx.x, base = blockIdx.x * 512, offset = 1;
    s[2 * t] = a[base + 2 * t];
    s[2 * t + 1] = a[base + 2 * t + 1];
    for (int d = 256; d > 0; d /= 2, offset *= 2) {
        __syncthreads();
        if (t < d) s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
    }
    if (t == 0) {
        sums[blockIdx.x] = s[511];
        s[511] = 0;
    }
    for (int d = 1; d < 512; d *= 2) {
        offset /= 2;
        __syncthreads();
        if (t < d) {
            int x = s[offset * (2 * t + 1) - 1];
            s[offset * (2 * t + 1) - 1] = s[offset * (2 * t + 2) - 1];
            s[offset * (2 * t + 2) - 1] += x;
        }
    }
    __syncthreads();
    b[base + 2 * t] = s[2 * t];
    b[base + 2 * t + 1] = s[2 * t + 1];
}

__global__ void bitonic_in_block(int *a)
{
    __shared__ int s[1024];
    int t = threadIdx.x, base = blockIdx.x * 1024;
    s[t] = a[base + t];
    s[t + 512] = a[base + t + 512];
    for (int size = 2; size <= 1024; size *= 2)
        for (int stride = size / 2; stride > 0; stride /= 2) {
            __syncthreads();
            int at = 2 * t - (t & (stride - 1));
            bool up = (at & size) == 0;
            int x = s[at], y = s[at + stride];
            if ((x > y) == up) {
                s[at] = y;
                s[at + stride] = x;
            }
        }
    __syncthreads();
    a[base + t] = s[t];
    a[base + t + 512] = s[t + 512];
}

static void barriers(void)
{
    auto a = fractions(4 * M);
    auto pairs = array<float2>(264);
    measure("barriers", "variance", [&] { variance<<<264, 256>>>(a, pairs, 4 * M); });
    a = fractions(64 * K);
    auto x = fractions(256);
    measure("barriers", "power method", [&] { power_method<<<1, 256>>>(a, x, 256, 10); });
    a = fractions(2 * M);
    auto b = array<float>(2 * M);
    measure("barriers", "rows by their largest",
            [&] { normalise_rows<<<2048, 128>>>(a, b, 1024); });
    x = fractions(264 * K);
    measure("barriers", "Jacobi in a block", [&] { jacobi_in_block<<<264, 1024>>>(x, 50); });
    auto n = below(100, M), sums = array<int>(2048), to = array<int>(M);
    measure("barriers", "Blelloch's scan", [&] { blelloch<<<2048, 256>>>(n, to, sums); });
    n = below(1000000, M);
    measure("barriers", "bitonic in a block", [&] { bitonic_in_block<<<512, 512>>>(n); });
}

/* ---- atomic operations ---- */

__global__ void letters(const unsigned char *text, unsigned *count, int n)
{
    __shared__ unsigned s[26];
    if (threadIdx.x < 26) s[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int c = text[i] - 'a';
        if (c >= 0 && c < 26) atomicAdd(&s[c], 1);
    }
    __syncthreads();
    if (threadIdx.x < 26) atomicAdd(&count[threadIdx.x], s[threadIdx.x]);
}

__global__ void shared_counters(const int *a, int *out, int counters, int n)
{
    extern __shared__ int s[];
    for (int i = threadIdx.x; i < counters; i += blockDim.x)
        s[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&s[a[i] % counters], a[i]);
    __syncthreads();
    for (int i = threadIdx.x; i < counters; i += blockDim.x)
        out[blockIdx.x * counters + i] = s[i];
}

__global__ void positives_by_counter(const int *a, int *out, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && a[i] > 700) out[atomicAdd(count, 1)] = a[i];
}

__global__ void global_histogram(const unsigned char *a, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[a[i]], 1);
}

__device__ static double add_double(double *to, double value)
{
    unsigned long long *word = (unsigned long long *)to, old = *word, seen;
    do {
        seen = old;
        old = atomicCAS(word, seen, __double_as_longlong(value + __longlong_as_double(seen)));
    } while (old != seen);
    return __longlong_as_double(old);
}

__global__ void sums_by_cas(const double *a, double *sums, int places, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) add_double(&sums[(i * 7) % places], a[i]);
}

__device__ static float largest_float(float *to, float value)
{
    int *word = (int *)to, old = *word;
    while (value > __int_as_float(old)) {
        int seen = old;
        old = atomicCAS(word, seen, __float_as_int(value));
        if (old == seen) break;
    }
    return __int_as_float(old);
}

__global__ void largest_of_columns(const float *a, float *most, int columns, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) largest_float(&most[i % columns], a[i]);
}

__global__ void locked_sums(const float *a, float *sum, int *lock, int per_block)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = 0;
    for (int i = t; i < per_block; i += 256)
        s[t] += a[blockIdx.x * per_block + i];
    for (int d = 128; d > 0; d /= 2) {
        __syncthreads();
        if (t < d) s[t] += s[t + d];
    }
    if (t == 0) {
        while (atomicCAS(lock, 0, 1) != 0)
            ;
        __threadfence();
        *sum += s[0];
        __threadfence();
        atomicExch(lock, 0);
    }
}

__global__ void smallest_by_place(const int *key, const int *value, int *smallest, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicMin(&smallest[key[i]], value[i]);
}

__global__ void floats_by_key(const int *key, const float *value, float *sum, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&sum[key[i]], value[i]);
}

static void atomics(void)
{
    auto text = filled<unsigned char>(4 * M, [](size_t i) { return 'a' + scatter(i) % 40; });
    auto count = zeros<unsigned>(26);
    measure("atomics", "letters", [&] { letters<<<264, 256>>>(text, count, 2 * M); });
    for (int counters : {1, 8, 512}) {
        auto a = below(10000, M), out = array<int>(264 * 512);
        char name[40];
        snprintf(name, sizeof name, "%d counters in shared memory", counters);
        measure("atomics", name,
                [&] { shared_counters<<<264, 256, counters * 4>>>(a, out, counters, M); });
    }
    auto a = below(1000, M), out = array<int>(M), one = zeros<int>(1);
    measure("atomics", "selected by one counter", [&] {
        cudaMemsetAsync(one, 0, 4);
        positives_by_counter<<<2048, 256>>>(a, out, one, 512 * K);
    });
    text = below<unsigned char>(256, M);
    auto bins = zeros<int>(256);
    measure("atomics", "histogram, global",
            [&] { global_histogram<<<2048, 256>>>(text, bins, 512 * K); });
    auto doubles = fractions<double>(M), sums = zeros<double>(4096);
    measure("atomics", "doubles by compare and swap, 4096 places",
            [&] { sums_by_cas<<<256, 256>>>(doubles, sums, 4096, 64 * K); });
    doubles = fractions<double>(M), sums = zeros<double>(4);
    measure("atomics", "doubles by compare and swap, 4 places",
            [&] { sums_by_cas<<<16, 256>>>(doubles, sums, 4, 4 * K); });
    auto floats = fractions(M), most = zeros<float>(1024);
    measure("atomics", "largest of columns", [&] {
        cudaMemsetAsync(most, 0, 4096);
        largest_of_columns<<<1024, 256>>>(floats, most, 1024, 256 * K);
    });
    floats = fractions(M);
    auto sum = zeros<float>(1);
    auto lock = zeros<int>(1);
    measure("atomics", "a lock per block",
            [&] { locked_sums<<<132, 256>>>(floats, sum, lock, 4096); });
    auto key = below(10000, M), value = below(1000, M), least = below(1000, 10000);
    measure("atomics", "smallest by place",
            [&] { smallest_by_place<<<2048, 256>>>(key, value, least, 512 * K); });
    key = below(100, M), floats = fractions(M);
    auto by_key = zeros<float>(100);
    measure("atomics", "floats by key, 100 keys",
            [&] { floats_by_key<<<1024, 256>>>(key, floats, by_key, 256 * K); });
    key = below(100000, M), floats = fractions(M), by_key = zeros<float>(100000);
    measure("atomics", "floats by key, 100000 keys",
            [&] { floats_by_key<<<2048, 256>>>(key, floats, by_key, 512 * K); });
}

/* ---- warps ---- */

__global__ void warp_per_row(const float *a, const float *x, float *y, int rows, int columns)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    float sum = 0;
    for (int j = lane; j < columns; j += 32)
        sum += a[(size_t)row * columns + j] * x[j];
    sum = warp_sum(sum);
    if (lane == 0) y[row] = sum;
}

__global__ void ballot_compaction(const int *a, int *out, int *counts, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    bool keep = i < n && a[i] % 3 == 0;
    unsigned votes = __ballot_sync(0xffffffff, keep);
    int before = __popc(votes & ((1u << lane) - 1)), base = 0;
    if (lane == 0) base = atomicAdd(counts, __popc(votes));
    base = __shfl_sync(0xffffffff, base, 0);
    if (keep) out[base + before] = a[i];
}

__global__ void scan_by_shuffles(const int *a, int *b, int n)
{
    __shared__ int sums[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int x = i < n ? a[i] : 0;
    for (int d = 1; d < 32; d *= 2) {
        int y = __shfl_up_sync(0xffffffff, x, d);
        if (lane >= d) x += y;
    }
    if (lane == 31) sums[warp] = x;
    __syncthreads();
    if (warp == 0) {
        int s = lane < blockDim.x / 32 ? sums[lane] : 0;
        for (int d = 1; d < 32; d *= 2) {
            int y = __shfl_up_sync(0xffffffff, s, d);
            if (lane >= d) s += y;
        }
        sums[lane] = s;
    }
    __syncthreads();
    if (warp > 0) x += sums[warp - 1];
    if (i < n) b[i] = x;
}

__global__ void butterflies(float *a, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = a[i];
    for (int r = 0; r < rounds; r++)
        for (int mask = 1; mask < 32; mask *= 2)
            x = 0.5f * (x + __shfl_xor_sync(0xffffffff, x, mask));
    a[i] = x;
}

static void warps(void)
{
    auto a = fractions(4 * M), x = fractions(2048), y = array<float>(2048);
    measure("warps", "a warp per row", [&] { warp_per_row<<<256, 256>>>(a, x, y, 2048, 2048); });
    auto n = below(1000, M), out = array<int>(M), count = zeros<int>(1);
    measure("warps", "compaction by votes", [&] {
        cudaMemsetAsync(count, 0, 4);
        ballot_compaction<<<2048, 256>>>(n, out, count, 512 * K);
    });
    n = below(1000, M), out = array<int>(M);
    measure("warps", "scan by shuffles", [&] { scan_by_shuffles<<<1024, 1024>>>(n, out, M); });
    a = fractions(512 * K);
    measure("warps", "butterflies", [&] { butterflies<<<2048, 256>>>(a, 10); });
}

static void measure_all(void)
{
    barriers();
    atomics();
    warps();
}
