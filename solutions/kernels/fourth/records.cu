/* records.cu: kernels that handle records: sorting, joins, groups, selection, texts, codes. */
#include "kernels.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

/* ---- sorting ---- */

/* Pairs in shared memory: 1024 of them per block of 512 */
__global__ void bitonic_pairs(unsigned *keys, unsigned *values)
{
    __shared__ unsigned key[1024], value[1024];
    unsigned base = blockIdx.x * 1024, t = threadIdx.x;
    for (unsigned i = t; i < 1024; i += 512) {
        key[i] = keys[base + i];
        value[i] = values[base + i];
    }
    for (unsigned size = 2; size <= 1024; size *= 2) {
        bool down = (t & (size / 2)) != 0;
        for (unsigned stride = size / 2; stride > 0; stride /= 2) {
            __syncthreads();
            unsigned at = 2 * t - (t & (stride - 1)), other = at + stride;
            if (key[at] > key[other] != down) {
                unsigned k = key[at], v = value[at];
                key[at] = key[other], value[at] = value[other];
                key[other] = k, value[other] = v;
            }
        }
    }
    __syncthreads();
    for (unsigned i = t; i < 1024; i += 512) {
        keys[base + i] = key[i];
        values[base + i] = value[i];
    }
}

/* One pass of a radix sort: how many keys of a block have each digit of four bits */
__global__ void digit_counts(const unsigned *key, unsigned *count, int shift, int n)
{
    __shared__ unsigned counter[16];
    if (threadIdx.x < 16) counter[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&counter[key[i] >> shift & 15], 1);
    __syncthreads();
    if (threadIdx.x < 16) count[threadIdx.x * gridDim.x + blockIdx.x] = counter[threadIdx.x];
}

/* Each key goes to its digit's part of the output, in its order within the block. */
__global__ void digit_moves(const unsigned *key, const unsigned *start, unsigned *sorted, int shift,
                            int n)
{
    __shared__ unsigned flags[16][8];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned k = i < n ? key[i] : 0xffffffff, digit = k >> shift & 15, before = 0;
    for (unsigned d = 0; d < 16; d++) {
        unsigned same = __ballot_sync(0xffffffff, digit == d);
        if (lane == 0) flags[d][warp] = __popc(same);
        if (digit == d) before = __popc(same & ((1u << lane) - 1));
    }
    __syncthreads();
    for (unsigned w = 0; w < warp; w++)
        before += flags[digit][w];
    if (i < n) sorted[start[digit * gridDim.x + blockIdx.x] + before] = k;
}

/* A thread sorts a row of its own. */
__global__ void shell_rows(const float *from, float *to, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float x[24];
    for (int i = 0; i < 24; i++)
        x[i] = from[row * 24 + i];
    for (int gap = 13; gap > 0; gap /= 3)
        for (int i = gap; i < 24; i++) {
            float value = x[i];
            int j = i;
            for (; j >= gap && x[j - gap] > value; j -= gap)
                x[j] = x[j - gap];
            x[j] = value;
        }
    for (int i = 0; i < 24; i++)
        to[row * 24 + i] = x[i];
}

static void sorting(void)
{
    for (int blocks : {32, 256}) {
        auto key = below<unsigned>(1u << 28, blocks * K), value = array<unsigned>(blocks * K);
        auto fresh = below<unsigned>(1u << 28, blocks * K);
        measure(
            "sort", blocks == 32 ? "bitonic pairs, 32 blocks" : "bitonic pairs, 256 blocks", [&] {
                check(cudaMemcpy(key, fresh, blocks * K * sizeof *key, cudaMemcpyDeviceToDevice),
                      "cudaMemcpy");
                bitonic_pairs<<<blocks, 512>>>(key, value);
            });
    }
    auto key = below<unsigned>(1u << 28, 4 * M), count = array<unsigned>(16 * 16 * K);
    measure("sort", "digits counted", [&] { digit_counts<<<16 * K, 256>>>(key, count, 8, 4 * M); });
    enum { N = 512 * K, BLOCKS = N / 256 };
    key = below<unsigned>(1u << 28, N);
    static int in_block[16 * BLOCKS];
    memset(in_block, 0, sizeof in_block);
    for (int i = 0; i < N; i++)
        in_block[(scatter(i) >> 4) % (1u << 28) % 16 * BLOCKS + i / 256]++;
    int *sums = sums_before(16 * BLOCKS, [](int i) { return in_block[i]; });
    auto start = filled<unsigned>(16 * BLOCKS, [=](size_t i) { return (unsigned)sums[i]; });
    free(sums);
    auto sorted = array<unsigned>(N);
    measure("sort", "digits moved",
            [&] { digit_moves<<<BLOCKS, 256>>>(key, start, sorted, 0, N); });
    auto from = fractions(24 * 64 * K), to = array<float>(24 * 64 * K);
    measure("sort", "shell sort of 24", [&] { shell_rows<<<512, 128>>>(from, to, 64 * K); });
}

/* ---- tables ---- */

enum { EMPTY = 0x3f3f3f3f };

__host__ __device__ unsigned slot_of(unsigned key, unsigned mask)
{
    key ^= key >> 16;
    key *= 0x7feb352d;
    key ^= key >> 15;
    return key & mask;
}

__global__ void join_build(const unsigned *key, unsigned *table, unsigned *row, unsigned mask,
                           int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned k = key[i], at = slot_of(k, mask);
    for (;;) {
        unsigned before = atomicCAS(&table[at], EMPTY, k);
        if (before == EMPTY || before == k) break;
        at = (at + 1) & mask;
    }
    row[at] = i;
}

__global__ void join_probe(const unsigned *key, const float *price, const unsigned *table,
                           const unsigned *row, const float *rate, float *out, unsigned mask, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned k = key[i], at = slot_of(k, mask);
        float result = 0;
        while (table[at] != EMPTY) {
            if (table[at] == k) {
                result = price[i] * rate[row[at]];
                break;
            }
            at = (at + 1) & mask;
        }
        out[i] = result;
    }
}

/* Sum, count and maximum by a column of few values, as a query groups rows */
__global__ void grouped(const int *group, const int *amount, int *sum, int *count, int *most, int n)
{
    __shared__ int s[128], c[128], m[128];
    for (int i = threadIdx.x; i < 128; i += blockDim.x)
        s[i] = c[i] = m[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int g = group[i], a = amount[i];
        atomicAdd(&s[g], a);
        atomicAdd(&c[g], 1);
        atomicMax(&m[g], a);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 128; i += blockDim.x) {
        if (c[i] == 0) continue;
        atomicAdd(&sum[i], s[i]);
        atomicAdd(&count[i], c[i]);
        atomicMax(&most[i], m[i]);
    }
}

/* Two rows of sorted numbers: how many are in both */
__global__ void intersections(const int *a, const int *b, int *common, int length, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    const int *x = a + row * length, *y = b + row * length;
    int i = 0, j = 0, found = 0;
    while (i < length && j < length) {
        if (x[i] == y[j])
            found++, i++, j++;
        else if (x[i] < y[j])
            i++;
        else
            j++;
    }
    common[row] = found;
}

static void tables(void)
{
    enum { SLOTS = M, ROWS = 400 * 1000, PROBES = M };
    auto key = filled<unsigned>(ROWS, [](size_t i) { return (unsigned)(7 * i + 1); });
    auto table = array<unsigned>(SLOTS);
    auto row = zeros<unsigned>(SLOTS);
    measure("table", "join, build", [&] {
        check(cudaMemset(table, 0x3f, SLOTS * sizeof *table), "cudaMemset");
        join_build<<<(ROWS + 255) / 256, 256>>>(key, table, row, SLOTS - 1, ROWS);
    });
    for (unsigned keys : {400u * 1000, 4000u * 1000}) {
        static unsigned key_at[SLOTS], row_at[SLOTS];
        memset(key_at, 0x3f, sizeof key_at);
        for (unsigned k = 0; k < ROWS; k++) {
            unsigned at = slot_of(k, SLOTS - 1);
            while (key_at[at] != EMPTY)
                at = (at + 1) % SLOTS;
            key_at[at] = k, row_at[at] = k;
        }
        table = filled<unsigned>(SLOTS, [](size_t i) { return key_at[i]; });
        row = filled<unsigned>(SLOTS, [](size_t i) { return row_at[i]; });
        auto probe = below<unsigned>(keys, PROBES);
        auto price = fractions(PROBES), rate = fractions(ROWS), out = array<float>(PROBES);
        measure("table", keys == ROWS ? "join, all found" : "join, a tenth found", [&] {
            join_probe<<<528, 256>>>(probe, price, table, row, rate, out, SLOTS - 1, PROBES);
        });
    }
    for (unsigned groups : {4u, 100u}) {
        auto group = below(groups, 2 * M), amount = below(1000, 2 * M), sum = zeros<int>(128);
        auto count = zeros<int>(128), most = zeros<int>(128);
        measure("table", groups == 4 ? "group by 4 values" : "group by 100 values",
                [&] { grouped<<<264, 256>>>(group, amount, sum, count, most, 2 * M); });
    }
    auto a = filled<int>(M, [](size_t i) { return (int)(i % 64 * 5 + scatter(i) % 5); });
    auto b = filled<int>(M, [](size_t i) { return (int)(i % 64 * 5 + scatter(i + M) % 5); });
    auto common = array<int>(16 * K);
    measure("table", "sorted lists intersected",
            [&] { intersections<<<128, 128>>>(a, b, common, 64, 16 * K); });
}

/* ---- selection and scans ---- */

/* The lanes that keep their number share one addition. */
__global__ void kept(const int *from, int *to, int *count, int limit, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int value = from[i];
    if (value < limit) {
        cg::coalesced_group active = cg::coalesced_threads();
        int place = 0;
        if (active.thread_rank() == 0) place = atomicAdd(count, (int)active.size());
        to[active.shfl(place, 0) + active.thread_rank()] = value;
    }
}

/* Sums before each number of a block of 1024: four per thread, warps by shuffles */
__global__ void sums_before_each(const int4 *from, int4 *to, int *total)
{
    __shared__ int of_warp[8];
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int4 v = from[i];
    int sum = v.x + v.y + v.z + v.w, own = sum;
    for (int apart = 1; apart < 32; apart *= 2) {
        int other = __shfl_up_sync(0xffffffff, sum, apart);
        if (lane >= apart) sum += other;
    }
    if (lane == 31) of_warp[warp] = sum;
    __syncthreads();
    int before = sum - own;
    for (int w = 0; w < warp; w++)
        before += of_warp[w];
    to[i] = make_int4(before, before + v.x, before + v.x + v.y, before + v.x + v.y + v.z);
    if (threadIdx.x == blockDim.x - 1) total[blockIdx.x] = before + own;
}

__global__ void block_sums_added(int4 *data, const int *before)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, add = before[blockIdx.x];
    int4 v = data[i];
    data[i] = make_int4(v.x + add, v.y + add, v.z + add, v.w + add);
}

/* The index of the k-th set bit of a bitmap, with the counts before each of its blocks of 512 */
__global__ void selected_bits(const unsigned *word, const int *before, const int *wanted_bit,
                              int *place, int blocks, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int k = wanted_bit[i], low = 0, high = blocks;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (before[middle] <= k)
            low = middle;
        else
            high = middle;
    }
    int left = k - before[low], w = low * 16;
    while (left >= __popc(word[w]))
        left -= __popc(word[w++]);
    unsigned bits = word[w];
    for (; left > 0; left--)
        bits &= bits - 1;
    place[i] = w * 32 + __ffs(bits) - 1;
}

static void selection(void)
{
    for (int limit : {100, 900}) {
        auto from = below(1000, 4 * M), to = array<int>(4 * M), count = zeros<int>(1);
        measure("pick", limit == 100 ? "a tenth kept" : "nine tenths kept", [&] {
            check(cudaMemset(count, 0, sizeof *count), "cudaMemset");
            kept<<<16 * K, 256>>>(from, to, count, limit, 4 * M);
        });
    }
    for (int blocks : {1024, 8192}) {
        auto from = below<int>(100, blocks * K), to = array<int>(blocks * K);
        auto total = array<int>(blocks);
        measure("pick", blocks == 1024 ? "sums before, 4 MB" : "sums before, 32 MB",
                [&] { sums_before_each<<<blocks, 256>>>((int4 *)from, (int4 *)to, total); });
    }
    auto data = below(100, 8 * M), before = below(1000, 8 * K);
    measure("pick", "block sums added",
            [&] { block_sums_added<<<8 * K, 256>>>((int4 *)data, before); });
    enum { WORDS = 256 * K, BLOCKS = WORDS / 16, ASKED = 512 * K };
    auto pattern = [](size_t i) { return scatter(i) & scatter(i + 7 * M) | 1; };
    auto word = filled<unsigned>(WORDS, pattern);
    int *sums = sums_before(BLOCKS, [=](int b) {
        int bits = 0;
        for (int w = 16 * b; w < 16 * b + 16; w++)
            bits += __builtin_popcount(pattern(w));
        return bits;
    });
    unsigned bits = sums[BLOCKS];
    before = filled<int>(BLOCKS, [=](size_t i) { return sums[i]; });
    free(sums);
    auto asked = below(bits, ASKED), place = array<int>(ASKED);
    measure("pick", "bits selected", [&] {
        selected_bits<<<ASKED / 256, 256>>>(word, before, asked, place, BLOCKS, ASKED);
    });
}

/* ---- texts and codes ---- */

__constant__ char pattern_text[16];
__constant__ int pattern_back[16];

/* Knuth, Morris and Pratt: each thread searches a piece of 256 bytes. */
__global__ void pattern_found(const char *text, int *found, int length, int n)
{
    int begin = (blockIdx.x * blockDim.x + threadIdx.x) * 256, matched = 0, count = 0;
    int end = min(begin + 256 + length - 1, n);
    for (int i = begin; i < end; i++) {
        while (matched > 0 && text[i] != pattern_text[matched])
            matched = pattern_back[matched - 1];
        if (text[i] == pattern_text[matched]) matched++;
        if (matched == length) {
            count++;
            matched = pattern_back[matched - 1];
        }
    }
    if (count > 0) atomicAdd(found, count);
}

/* An automaton of 32 states in shared memory reads lines of 128 bytes. */
__global__ void automaton(const uchar4 *text, const unsigned char *step, unsigned char *accepted)
{
    __shared__ unsigned char next[32 * 128];
    for (int i = threadIdx.x; i < 32 * 128; i += blockDim.x)
        next[i] = step[i];
    __syncthreads();
    int line = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned char state = 0;
    for (int i = 0; i < 32; i++) {
        uchar4 four = text[line * 32 + i];
        state = next[state * 128 + four.x % 128];
        state = next[state * 128 + four.y % 128];
        state = next[state * 128 + four.z % 128];
        state = next[state * 128 + four.w % 128];
    }
    accepted[line] = state > 15;
}

__device__ unsigned turned(unsigned x, int by)
{
    return x << by | x >> (32 - by);
}

/* The digest of a message of 32 bytes, as MD5 mixes it */
__global__ void mixed_messages(const uint4 *message, uint4 *digest, const unsigned *sine, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uint4 p = message[2 * i], q = message[2 * i + 1];
    unsigned w[16] = {p.x, p.y, p.z, p.w, q.x, q.y, q.z, q.w, 0x80, 0, 0, 0, 0, 0, 256, 0};
    unsigned a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
#pragma unroll
    for (int k = 0; k < 64; k++) {
        unsigned f, g;
        if (k < 16)
            f = (b & c) | (~b & d), g = k;
        else if (k < 32)
            f = (d & b) | (~d & c), g = (5 * k + 1) % 16;
        else if (k < 48)
            f = b ^ c ^ d, g = (3 * k + 5) % 16;
        else
            f = c ^ (b | ~d), g = 7 * k % 16;
        unsigned old = d;
        d = c, c = b;
        b += turned(a + f + sine[k] + w[g], 7 + k % 4 * 5);
        a = old;
    }
    digest[i] = make_uint4(a + 0x67452301, b + 0xefcdab89, c + 0x98badcfe, d + 0x10325476);
}

__global__ void adler(const unsigned char *data, unsigned *sum, int length, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned a = 1, b = 0;
    for (int k = 0; k < length; k++) {
        a = (a + data[i * length + k]) % 65521;
        b = (b + a) % 65521;
    }
    sum[i] = b << 16 | a;
}

/* A number to decimal digits, and a length of 10 at most */
__global__ void decimal(const unsigned *number, char *text, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    char digit[10];
    unsigned x = number[i];
    int count = 0;
    do {
        digit[count++] = '0' + x % 10;
        x /= 10;
    } while (x > 0);
    for (int k = 0; k < 10; k++)
        text[i * 10 + k] = k < count ? digit[count - 1 - k] : ' ';
}

static void texts(void)
{
    const char wanted_text[16] = "abaabab";
    const int back[16] = {0, 0, 1, 1, 2, 3, 2};
    check(cudaMemcpyToSymbol(pattern_text, wanted_text, sizeof wanted_text), "cudaMemcpyToSymbol");
    check(cudaMemcpyToSymbol(pattern_back, back, sizeof back), "cudaMemcpyToSymbol");
    auto text = filled<char>(4 * M, [](size_t i) { return (char)('a' + scatter(i) % 2); });
    auto found = zeros<int>(1);
    measure("string", "pattern by its borders",
            [&] { pattern_found<<<128, 128>>>(text, found, 7, 4 * M); });
    auto line = below<unsigned char>(128, 4 * M), step = below<unsigned char>(32, 32 * 128);
    auto accepted = array<unsigned char>(32 * K);
    measure("string", "automaton",
            [&] { automaton<<<128, 256>>>((uchar4 *)line, step, accepted); });
    for (int n : {8 * K, 256 * K}) {
        auto sine = filled<unsigned>(64, scatter), message = below<unsigned>(1u << 28, 8 * n);
        auto digest = array<unsigned>(4 * n);
        measure(
            "string", n == 8 * K ? "digests of 8 K messages" : "digests of 256 K messages",
            [&] { mixed_messages<<<n / 256, 256>>>((uint4 *)message, (uint4 *)digest, sine, n); });
    }
    auto data = below<unsigned char>(256, 2 * M);
    auto sum = array<unsigned>(16 * K);
    measure("string", "check sums", [&] { adler<<<64, 256>>>(data, sum, 128, 16 * K); });
    auto number = filled<unsigned>(512 * K, [](size_t i) { return scatter(i) >> i % 24; });
    auto digits = array<char>(10 * 512 * K);
    measure("string", "decimal digits", [&] { decimal<<<2048, 256>>>(number, digits, 512 * K); });
}

static void measure_all(void)
{
    sorting();
    tables();
    selection();
    texts();
}
