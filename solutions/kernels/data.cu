/* data.cu: what programs do to data: filters, sorting, keys and groups, tables of numbers. */
#include "kernels.h"

#include <math.h>

/* ---- filters and sorting ---- */

/* Keeps what is above a limit, in a ring of n places, with an atomic per block of 512 threads. */
__global__ void filter(const float *a, float *kept, unsigned *count, int n, float limit)
{
    __shared__ unsigned before[17];
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float value = i < n ? a[i] : limit;
    unsigned those = __ballot_sync(0xffffffff, value > limit);
    if (lane == 0) before[warp] = __popc(those);
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned sum = 0;
        for (int w = 0; w < 16; w++) {
            unsigned mine = before[w];
            before[w] = sum;
            sum += mine;
        }
        before[16] = atomicAdd(count, sum);
    }
    __syncthreads();
    if (value > limit)
        kept[(before[16] + before[warp] + __popc(those & ((1u << lane) - 1))) % n] = value;
}

/* A step of a bitonic sort: a thread per pair */
__global__ void bitonic_step(int *a, int apart, int run)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int i = t / apart * 2 * apart + t % apart, j = i + apart;
    int low = min(a[i], a[j]), high = max(a[i], a[j]);
    bool up = (i & run) == 0;
    a[i] = up ? low : high;
    a[j] = up ? high : low;
}

/* 512 threads sort 1024 numbers. */
__global__ void bitonic_sort(const unsigned *a, unsigned *sorted)
{
    __shared__ unsigned part[1024];
    int from = blockIdx.x * 1024, t = threadIdx.x;
    part[t] = a[from + t];
    part[t + 512] = a[from + t + 512];
    for (int run = 2; run <= 1024; run *= 2)
        for (int apart = run / 2; apart > 0; apart /= 2) {
            __syncthreads();
            int i = 2 * t - (t & (apart - 1)), j = i + apart;
            unsigned x = part[i], y = part[j];
            if (x > y == ((i & run) == 0)) {
                part[i] = y;
                part[j] = x;
            }
        }
    __syncthreads();
    sorted[from + t] = part[t];
    sorted[from + t + 512] = part[t + 512];
}

/* Each thread has a pair of neighbours. */
__global__ void odd_even_sort(const short *a, short *sorted)
{
    extern __shared__ short row[];
    int count = 2 * blockDim.x, from = blockIdx.x * count, t = threadIdx.x;
    row[t] = a[from + t];
    row[t + blockDim.x] = a[from + t + blockDim.x];
    __syncthreads();
    for (int pass = 0; pass < count; pass++) {
        int i = 2 * t + pass % 2;
        if (i + 1 < count && row[i] > row[i + 1]) {
            short kept = row[i];
            row[i] = row[i + 1];
            row[i + 1] = kept;
        }
        __syncthreads();
    }
    sorted[from + t] = row[t];
    sorted[from + t + blockDim.x] = row[t + blockDim.x];
}

/* How often each block has each digit of eight bits */
__global__ void radix_counts(const unsigned *a, unsigned *counts, int each, int shift)
{
    __shared__ unsigned count[256];
    count[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < each; i += 256)
        atomicAdd(&count[a[blockIdx.x * each + i] >> shift & 255], 1);
    __syncthreads();
    counts[threadIdx.x * gridDim.x + blockIdx.x] = count[threadIdx.x];
}

/* Merges two sorted runs. Each thread finds where its part begins, and writes it. */
__global__ void merge_runs(const int *a, int a_count, const int *b, int b_count, int *merged,
                           int each)
{
    int from = (blockIdx.x * blockDim.x + threadIdx.x) * each, all = a_count + b_count;
    if (from >= all) return;
    int low = max(0, from - b_count), high = min(from, a_count);
    while (low < high) {
        int middle = (low + high) / 2;
        if (a[middle] <= b[from - 1 - middle])
            low = middle + 1;
        else
            high = middle;
    }
    int i = low, j = from - low;
    for (int k = from; k < min(from + each, all); k++) {
        if (j >= b_count || (i < a_count && a[i] <= b[j]))
            merged[k] = a[i++];
        else
            merged[k] = b[j++];
    }
}

static void sorts(void)
{
    {
        int n = 4 * M;
        const float *a = filled<float>(n, fraction);
        float *kept = array<float>(n);
        unsigned *count = filled<unsigned>(1, [](size_t) { return 0; });
        measure("data", "filter, an atomic per block",
                [&] { filter<<<n / 512, 512>>>(a, kept, count, n, 0.6f); });
    }
    {
        int n = 16 * M;
        int *a = filled<int>(n, [](size_t i) { return scatter(i) >> 1; });
        measure("data", "bitonic step, 1024 apart",
                [&] { bitonic_step<<<n / 2 / 256, 256>>>(a, 1024, 16 * K); });
    }
}

static void sorts_of_blocks(void)
{
    {
        int blocks = 300;
        const unsigned *a = filled<unsigned>(blocks * 1024, scatter);
        unsigned *sorted = array<unsigned>(blocks * 1024);
        measure("data", "bitonic sort of 1024", [&] { bitonic_sort<<<blocks, 512>>>(a, sorted); });
    }
    {
        int blocks = 200, count = 256;
        const short *a = filled<short>(blocks * count, [](size_t i) { return (short)scatter(i); });
        short *sorted = array<short>(blocks * count);
        measure("data", "odd-even sort of 256",
                [&] { odd_even_sort<<<blocks, count / 2, count * sizeof *a>>>(a, sorted); });
    }
    {
        int blocks = 256, each = 16 * K;
        const unsigned *a = filled<unsigned>(blocks * each, scatter);
        unsigned *counts = array<unsigned>(blocks * 256);
        measure("data", "radix counts", [&] { radix_counts<<<blocks, 256>>>(a, counts, each, 8); });
    }
    {
        int n = M, each = 8;
        const int *a = filled<int>(n, [](size_t i) { return 3 * i + scatter(i) % 3; });
        const int *b = filled<int>(n, [](size_t i) { return 3 * i + scatter(i + M) % 3; });
        int *merged = array<int>(2 * n);
        measure("data", "merge of two runs",
                [&] { merge_runs<<<2 * n / each / 256, 256>>>(a, n, b, n, merged, each); });
    }
}

/* ---- keys and groups ---- */

/* The first place in a sorted table that is not below each key */
__global__ void search_keys(const long long *table, int count, const long long *key, int *place,
                            int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (table[middle] < key[i])
            low = middle + 1;
        else
            high = middle;
    }
    place[i] = low;
}

enum { SLOT_BITS = 20, SLOTS = 1 << SLOT_BITS };
const unsigned EMPTY = 0xffffffffu;

__host__ __device__ unsigned slot_of(unsigned key)
{
    return key * 0x9e3779b9u >> (32 - SLOT_BITS);
}

/* In x the keys, in y the values; after a slot that is taken comes the next one. */
__global__ void probe(const uint2 *slots, const unsigned *key, unsigned *value, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned wanted_key = key[i], slot = slot_of(wanted_key);
        uint2 pair = slots[slot];
        while (pair.x != wanted_key && pair.x != EMPTY) {
            slot = (slot + 1) % SLOTS;
            pair = slots[slot];
        }
        value[i] = pair.x == EMPTY ? 0 : pair.y;
    }
}

__global__ void group_sums(const unsigned char *group, const float *value, float *sum, int n)
{
    __shared__ float part[64];
    if (threadIdx.x < 64) part[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&part[group[i]], value[i]);
    __syncthreads();
    if (threadIdx.x < 64) atomicAdd(&sum[threadIdx.x], part[threadIdx.x]);
}

/* The k-th value of group g is at k * groups + g. */
__global__ void top_four(const float *value, float4 *top, int groups, int each)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    if (g >= groups) return;
    float4 t = make_float4(-1, -1, -1, -1);
    for (int k = 0; k < each; k++) {
        float v = value[k * groups + g];
        if (v <= t.w) continue;
        if (v > t.x)
            t = make_float4(v, t.x, t.y, t.z);
        else if (v > t.y)
            t = make_float4(t.x, v, t.y, t.z);
        else if (v > t.z)
            t = make_float4(t.x, t.y, v, t.z);
        else
            t.w = v;
    }
    top[g] = t;
}

/* Points of eight numbers, and up to 64 centres */
__global__ void nearest_centres(const float4 *point, const float4 *centres, int count,
                                unsigned char *nearest, int n)
{
    __shared__ float4 centre[128];
    for (int k = threadIdx.x; k < 2 * count; k += blockDim.x)
        centre[k] = centres[k];
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x, best = 0;
    if (i >= n) return;
    float4 p = point[2 * i], q = point[2 * i + 1];
    float least = 1e30f;
    for (int k = 0; k < count; k++) {
        float4 c = centre[2 * k], d = centre[2 * k + 1];
        c = make_float4(c.x - p.x, c.y - p.y, c.z - p.z, c.w - p.w);
        d = make_float4(d.x - q.x, d.y - q.y, d.z - q.z, d.w - q.w);
        float apart = c.x * c.x + c.y * c.y + c.z * c.z + c.w * c.w + d.x * d.x + d.y * d.y +
                      d.z * d.z + d.w * d.w;
        if (apart < least) {
            least = apart;
            best = k;
        }
    }
    nearest[i] = best;
}

static void look_up_keys(void)
{
    int keys = 600000, n = 600000;
    uint2 *host = (uint2 *)malloc(SLOTS * sizeof *host);
    if (host == NULL) exit(EXIT_FAILURE);
    for (int s = 0; s < SLOTS; s++)
        host[s] = make_uint2(EMPTY, 0);
    for (int i = 0; i < keys; i++) {
        unsigned slot = slot_of(scatter(i));
        while (host[slot].x != EMPTY)
            slot = (slot + 1) % SLOTS;
        host[slot] = make_uint2(scatter(i), i);
    }
    const uint2 *slots = filled<uint2>(SLOTS, [&](size_t i) { return host[i]; });
    const unsigned *key =
        filled<unsigned>(n, [=](size_t i) { return scatter(scatter(i) % (2 * keys)); });
    unsigned *value = array<unsigned>(n);
    free(host);
    measure("data", "hash table", [&] { probe<<<264, 256>>>(slots, key, value, n); });
}

static void keys(void)
{
    {
        int count = 512 * K, n = 512 * K;
        const long long *table = filled<long long>(count, [](size_t i) { return 1000LL * i; });
        const long long *key =
            filled<long long>(n, [=](size_t i) { return scatter(i) % (1000LL * count); });
        int *place = array<int>(n);
        measure("data", "keys in a sorted table",
                [&] { search_keys<<<n / 128, 128>>>(table, count, key, place, n); });
    }
    look_up_keys();
    {
        int n = 4 * M;
        const unsigned char *group = filled<unsigned char>(
            n, [](size_t i) { return (unsigned char)(64 * fraction(i) * fraction(i + M)); });
        const float *value = filled<float>(n, fraction);
        float *sum = array<float>(64);
        measure("data", "sums of 64 groups",
                [&] { group_sums<<<132 * 2, 512>>>(group, value, sum, n); });
    }
    {
        int groups = 48 * K, each = 64;
        const float *value = filled<float>(groups * each, fraction);
        float4 *top = array<float4>(groups);
        measure("data", "top four of each group",
                [&] { top_four<<<groups / 96, 96>>>(value, top, groups, each); });
    }
    {
        int n = 300000, count = 40;
        const float4 *point = filled<float4>(2 * n, random_float4);
        const float4 *centres =
            filled<float4>(2 * count, [](size_t i) { return random_float4(i + M); });
        unsigned char *nearest = array<unsigned char>(n);
        measure("data", "nearest of 40 centres", [&] {
            nearest_centres<<<(n + 255) / 256, 256>>>(point, centres, count, nearest, n);
        });
    }
}

/* ---- tables of numbers ---- */

/* The probability of a value below x of the normal distribution */
__device__ float normal_below(float x)
{
    float k = 1 / (1 + 0.2316419f * fabsf(x));
    float tail = 0.39894228f * expf(-0.5f * x * x) * k *
                 (0.31938153f + k * (-0.356563782f +
                                     k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    return x > 0 ? 1 - tail : tail;
}

__global__ void calls_and_puts(const float *price, const float *strike, const float *years,
                               float *call, float *put, int n, float rate, float volatility)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = price[i], k = strike[i], t = years[i], root = sqrtf(t);
    float d1 = (logf(s / k) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
    float d2 = d1 - volatility * root, later = k * expf(-rate * t);
    float below1 = normal_below(d1), below2 = normal_below(d2);
    call[i] = s * below1 - later * below2;
    put[i] = later * (1 - below2) - s * (1 - below1);
}

/* Savings whose rate wanders from month to month */
__global__ void interest(const double *from, double *to, int n, int months)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned long long state = i + 1;
    double rate = 0.03, money = from[i];
    for (int month = 0; month < months; month++) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        double shock = (double)(state >> 11) / 9007199254740992.0 - 0.5;
        rate += 0.2 * (0.03 - rate) / 12 + 0.004 * shock;
        money += money * rate / 12 + 10;
    }
    to[i] = money;
}

/* From [image][channel][row][column] to [row][column][channel][image] */
__global__ void permute(const short *a, short *b, int images, int channels, int rows, int columns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= images * channels * rows * columns) return;
    int column = i % columns, row = i / columns % rows, channel = i / (columns * rows) % channels,
        image = i / (columns * rows * channels);
    b[((row * columns + column) * channels + channel) * images + image] = a[i];
}

__global__ void count_bits(const ulonglong2 *a, unsigned long long *total, int n)
{
    unsigned count = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        ulonglong2 words = a[i];
        count += __popcll(words.x) + __popcll(words.y);
    }
    count = __reduce_add_sync(0xffffffff, count);
    if (threadIdx.x % 32 == 0) atomicAdd(total, (unsigned long long)count);
}

/* Each block strikes out multiples among 65536 numbers, a bit each. */
__global__ void sieve(const int *primes, int count, unsigned *composite)
{
    __shared__ unsigned bits[2048];
    int first = blockIdx.x * 65536;
    for (int w = threadIdx.x; w < 2048; w += blockDim.x)
        bits[w] = 0;
    __syncthreads();
    for (int k = 0; k < count; k++) {
        int p = primes[k], from = max(p * p, (first + p - 1) / p * p) - first;
        for (int m = from + threadIdx.x * p; m < 65536; m += blockDim.x * p)
            atomicOr(&bits[m / 32], 1u << m % 32);
    }
    __syncthreads();
    for (int w = threadIdx.x; w < 2048; w += blockDim.x)
        composite[blockIdx.x * 2048 + w] = bits[w];
}

struct Ball {
    float x, y, z, vx, vy, vz, mass, charge;
};

__global__ void move_structs(Ball *ball, int n, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    ball[i].vy -= 0.1f * dt * ball[i].mass;
    ball[i].x += dt * ball[i].vx;
    ball[i].y += dt * ball[i].vy;
    ball[i].z += dt * ball[i].vz;
}

__global__ void move_arrays(float *x, float *y, float *z, const float *vx, float *vy,
                            const float *vz, const float *mass, int n, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    vy[i] -= 0.1f * dt * mass[i];
    x[i] += dt * vx[i];
    y[i] += dt * vy[i];
    z[i] += dt * vz[i];
}

static bool is_prime(int p)
{
    for (int d = 2; d * d <= p; d++)
        if (p % d == 0) return false;
    return true;
}

static void strike_out(void)
{
    int count = 309, p = 1; /* the primes below 2048 */
    const int *primes = filled<int>(count, [&](size_t) {
        do
            p++;
        while (!is_prime(p));
        return p;
    });
    unsigned *composite = array<unsigned>(64 * 2048);
    measure("data", "sieve of primes", [&] { sieve<<<64, 256>>>(primes, count, composite); });
}

static void tables(void)
{
    {
        int n = 2 * M;
        const float *price = filled<float>(n, [](size_t i) { return 10 + 90 * fraction(i); }),
                    *strike = filled<float>(n, [](size_t i) { return 10 + 90 * fraction(i + 7); }),
                    *years = filled<float>(n, [](size_t i) { return 0.2f + fraction(i + 9); });
        float *call = array<float>(n), *put = array<float>(n);
        measure("data", "calls and puts", [&] {
            calls_and_puts<<<n / 128, 128>>>(price, strike, years, call, put, n, 0.02f, 0.3f);
        });
    }
    {
        int n = 32 * K;
        const double *from = filled<double>(n, [](size_t i) { return 1000.0 * fraction(i); });
        double *to = array<double>(n);
        measure("data", "interest, double", [&] { interest<<<n / 256, 256>>>(from, to, n, 240); });
    }
    {
        int images = 6, channels = 10, rows = 300, columns = 400, n = 6 * 10 * 300 * 400;
        const short *a = filled<short>(n, [](size_t i) { return (short)i; });
        short *b = array<short>(n);
        measure("data", "axes permuted",
                [&] { permute<<<(n + 255) / 256, 256>>>(a, b, images, channels, rows, columns); });
    }
    {
        int n = 4 * M;
        const ulonglong2 *a = filled<ulonglong2>(
            n, [](size_t i) { return make_ulonglong2(i * 0x9e3779b97f4a7c15ULL, ~i); });
        unsigned long long *total = array<unsigned long long>(1);
        measure("data", "bits counted", [&] { count_bits<<<528, 512>>>(a, total, n); });
    }
    strike_out();
    {
        Ball *ball = array<Ball>(M);
        measure("data", "structs moved", [&] { move_structs<<<M / 256, 256>>>(ball, M, 0.01f); });
    }
    {
        int n = M;
        float *x = array<float>(n), *y = array<float>(n), *z = array<float>(n),
              *vy = array<float>(n);
        const float *vx = array<float>(n), *vz = array<float>(n), *mass = array<float>(n);
        measure("data", "arrays moved",
                [&] { move_arrays<<<n / 256, 256>>>(x, y, z, vx, vy, vz, mass, n, 0.01f); });
    }
}

static void measure_all(void)
{
    sorts();
    sorts_of_blocks();
    keys();
    tables();
}
