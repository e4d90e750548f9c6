/* words.cu: dynamic programming, texts, codes and compression. */
#include "kernels.h"

/* ---- tables of subproblems ---- */

/* Longest common subsequence of two texts of 512 letters, diagonal after diagonal, one pair per
 * block */
__global__ void common_subsequence(const char *a, const char *b, int *length)
{
    __shared__ int last[3][513];
    int t = threadIdx.x;
    const char *p = a + blockIdx.x * 512, *q = b + blockIdx.x * 512;
    char mine = p[t];
    for (int k = 0; k < 3; k++)
        last[k][t] = last[k][512] = 0;
    __syncthreads();
    for (int d = 0; d < 1023; d++) {
        int j = d - t;
        if (j >= 0 && j < 512) {
            const int *one = last[(d + 2) % 3], *two = last[(d + 1) % 3];
            int v = q[j] == mine ? two[t] + 1 : max(one[t], one[t + 1]);
            last[d % 3][t + 1] = v;
        }
        __syncthreads();
    }
    if (t == 511) length[blockIdx.x] = last[1022 % 3][512];
}

/* Smith and Waterman, a pair of short reads per thread, a row in the thread's own array */
__global__ void local_alignment(const char *a, const char *b, int *score, int pairs)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, best = 0;
    if (i >= pairs) return;
    short row[33] = {};
    for (int y = 0; y < 32; y++) {
        int corner = 0, left = 0;
        char letter = a[y * pairs + i];
        for (int x = 0; x < 32; x++) {
            int v = max(0, corner + (b[x * pairs + i] == letter ? 3 : -2));
            v = max(v, max(left, (int)row[x + 1]) - 1);
            corner = row[x + 1];
            row[x + 1] = (short)v;
            left = v;
            best = max(best, v);
        }
    }
    score[i] = best;
}

/* Dynamic time warping by a warp: lane k holds column k, values go right by shuffles. */
__global__ void time_warping(const float *a, const float *b, float *cost, int rows)
{
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    float mine = b[warp * 32 + lane], above = 1e30f, corner = lane == 0 ? 0 : 1e30f;
    for (int d = 0; d < rows + 31; d++) {
        int y = d - lane;
        float left = __shfl_up_sync(~0u, above, 1);
        if (lane == 0) left = 1e30f;
        if (y >= 0 && y < rows) {
            float gap = a[warp * rows + y] - mine;
            above = gap * gap + fminf(above, fminf(left, corner));
        }
        corner = left;
    }
    if (lane == 31) cost[warp] = above;
}

__global__ void shortest_paths(float *d, int n, int k)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
    if (i == k || j == k || j >= n) return;
    d[i * n + j] = fminf(d[i * n + j], d[i * n + k] + d[k * n + j]);
}

/* A whole tile of 32 x 32 paths through a tile of 32 corners */
__global__ void shortest_paths_by_tiles(const float *d, float *out, int n, int corner)
{
    __shared__ float left[32][33], top[32][33];
    int x = threadIdx.x, y = threadIdx.y, i = blockIdx.y * 32 + y, j = blockIdx.x * 32 + x;
    left[y][x] = d[i * n + corner + x];
    top[y][x] = d[(corner + y) * n + j];
    float best = d[i * n + j];
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < 32; k++)
        best = fminf(best, left[y][k] + top[k][x]);
    out[i * n + j] = best;
}

/* The likeliest states of a hidden Markov model: 64 states, a sequence per block */
__global__ void viterbi(const float *step, const unsigned char *seen, const float *shows,
                        unsigned char *from, int length)
{
    __shared__ float score[2][64];
    int s = threadIdx.x;
    score[0][s] = 0;
    __syncthreads();
    for (int t = 0; t < length; t++) {
        float best = -1e30f;
        int which = 0;
        for (int p = 0; p < 64; p++) {
            float v = score[t % 2][p] + step[p * 64 + s];
            if (v > best) best = v, which = p;
        }
        score[(t + 1) % 2][s] = best + shows[seen[blockIdx.x * length + t] * 64 + s];
        from[(blockIdx.x * length + t) * 64 + s] = (unsigned char)which;
        __syncthreads();
    }
}

/* The cheapest order of a chain of 64 matrices, one chain per block */
__global__ void matrix_chains(const int *size, int *cheapest)
{
    __shared__ int cost[64][65], dimension[65];
    int t = threadIdx.x;
    dimension[t] = size[blockIdx.x * 65 + t];
    if (t == 0) dimension[64] = size[blockIdx.x * 65 + 64];
    cost[t][t] = 0;
    for (int length = 1; length < 64; length++) {
        __syncthreads();
        if (t + length >= 64) continue;
        int best = 1 << 30, outer = dimension[t] * dimension[t + length + 1];
        for (int k = t; k < t + length; k++)
            best = min(best, cost[t][k] + cost[k + 1][t + length] + outer * dimension[k + 1]);
        cost[t][t + length] = best;
    }
    if (t == 0) cheapest[blockIdx.x] = cost[0][63];
}

static void tables(void)
{
    {
        int pairs = 132;
        auto a = below<char>(4, 512 * pairs), b = below<char>(5, 512 * pairs);
        auto length = array<int>(pairs);
        measure("table", "common subsequences",
                [&] { common_subsequence<<<pairs, 512>>>(a, b, length); });
    }
    {
        auto a = below<char>(4, 32 * 16 * K), b = below<char>(5, 32 * 16 * K);
        auto score = array<int>(16 * K);
        measure("table", "local alignments",
                [&] { local_alignment<<<128, 128>>>(a, b, score, 16 * K); });
    }
    {
        auto a = fractions(2048 * 200), b = fractions(2048 * 32), cost = array<float>(2048);
        measure("table", "time warping", [&] { time_warping<<<512, 128>>>(a, b, cost, 200); });
    }
    {
        auto d = fractions(1024 * 1024), out = array<float>(1024 * 1024);
        measure("table", "shortest paths",
                [&] { shortest_paths<<<dim3(4, 1024), 256>>>(d, 1024, 99); });
        d = fractions(1024 * 1024), out = array<float>(1024 * 1024);
        measure("table", "shortest paths by tiles",
                [&] { shortest_paths_by_tiles<<<dim3(32, 32), dim3(32, 32)>>>(d, out, 1024, 64); });
    }
    {
        auto step = fractions(64 * 64), shows = fractions(64 * 20);
        auto seen = below<unsigned char>(20, 256 * 40), from = array<unsigned char>(64 * 256 * 40);
        measure("table", "Viterbi", [&] { viterbi<<<256, 64>>>(step, seen, shows, from, 40); });
    }
    {
        auto size = filled<int>(65 * 264, [](size_t i) { return 5 + (int)(scatter(i) % 30); });
        auto cheapest = array<int>(264);
        measure("table", "matrix chains", [&] { matrix_chains<<<264, 64>>>(size, cheapest); });
    }
}

/* ---- texts and codes ---- */

/* A state machine reads each line: table[state][letter], the table in shared memory */
__global__ void state_machine(const unsigned char *text, const unsigned char *table, int *hits,
                              int length)
{
    __shared__ unsigned char next[32 * 64];
    for (int i = threadIdx.x; i < 32 * 64; i += blockDim.x)
        next[i] = table[i];
    __syncthreads();
    const unsigned char *line = text + (blockIdx.x * blockDim.x + threadIdx.x) * length;
    int state = 0, count = 0;
    for (int i = 0; i < length; i++) {
        state = next[state * 64 + (line[i] & 63)];
        count += state == 31;
    }
    hits[blockIdx.x * blockDim.x + threadIdx.x] = count;
}

/* Code points in UTF-8, four bytes per thread */
__global__ void code_points(const uchar4 *text, unsigned *counts, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, ones = 0, wrong = 0;
    if (i < n) {
        uchar4 v = text[i];
        for (unsigned char c : {v.x, v.y, v.z, v.w}) {
            if (c < 0x80 || c >= 0xc2) ones++;
            switch (c >> 4) {
            case 12: wrong += c < 0xc2; break;
            case 15: wrong += c > 0xf4; break;
            default: break;
            }
        }
    }
    ones = __reduce_add_sync(~0u, ones);
    wrong = __reduce_add_sync(~0u, wrong);
    if (threadIdx.x % 32 == 0) atomicAdd(&counts[0], ones), atomicAdd(&counts[1], wrong);
}

/* A hash that rolls over windows of 16 bytes, modulo a prime, in 64 bits */
__global__ void rolling_hash(const unsigned char *text, unsigned *marks, int per_thread, int n)
{
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * per_thread;
    if (first + per_thread + 16 > n) return;
    const unsigned long long prime = 1000000007, base = 263;
    unsigned long long hash = 0, power = 1;
    for (int i = 0; i < 16; i++) {
        hash = (hash * base + text[first + i]) % prime;
        power = power * base % prime;
    }
    unsigned found = 0;
    for (int i = 0; i < per_thread; i++) {
        found += (hash & 1023) == 77;
        hash = (hash * base + text[first + i + 16] + (prime - text[first + i]) * power) % prime;
    }
    marks[first / per_thread] = found;
}

/* Edit distance of 64 letters at once: Myers's bits */
__global__ void edit_bits(const unsigned long long *pattern, const unsigned char *text, int *best,
                          int length)
{
    __shared__ unsigned long long match[256];
    match[threadIdx.x] = pattern[threadIdx.x];
    __syncthreads();
    const unsigned char *mine = text + (blockIdx.x * 256 + threadIdx.x) * length;
    unsigned long long up = ~0ull, down = 0;
    int score = 64, least = 64;
    for (int i = 0; i < length; i++) {
        unsigned long long eq = match[mine[i]], xv = eq | down;
        unsigned long long xh = (((eq & up) + up) ^ up) | eq, ph = down | ~(xh | up), mh = up & xh;
        score += (int)(ph >> 63) - (int)(mh >> 63);
        least = min(least, score);
        ph = ph << 1 | 1;
        up = mh << 1 | ~(xv | ph);
        down = ph & xv;
    }
    best[blockIdx.x * 256 + threadIdx.x] = least;
}

/* Huffman codes: each thread walks the tree bit by bit through its own words. */
__global__ void huffman(const unsigned *bits, const short2 *tree, unsigned char *out, int words,
                        int threads)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, node = 0, count = 0;
    for (int w = 0; w < words; w++) {
        unsigned word = bits[w * threads + t];
        for (int b = 0; b < 32; b++) {
            node = word >> b & 1 ? tree[node].y : tree[node].x;
            if (node < 0) {
                out[count++ * threads + t] = (unsigned char)-node;
                node = 0;
            }
        }
    }
}

/* Numbers of 11 bits, packed without gaps */
__global__ void unpack_eleven(const unsigned *packed, unsigned short *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int bit = i * 11, word = bit / 32, at = bit % 32;
    out[i] = (unsigned short)(__funnelshift_r(packed[word], packed[word + 1], at) & 2047);
}

/* Differences within each frame of 128 numbers, and the bits that the largest needs */
__global__ void frames_of_differences(const int *a, int *out, unsigned char *bits)
{
    __shared__ int widest;
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    if (t == 0) widest = 0;
    __syncthreads();
    int d = a[i] - (t ? a[i - 1] : 0), folded = (d << 1) ^ (d >> 31);
    atomicMax(&widest, 32 - __clz(folded));
    out[i] = folded;
    __syncthreads();
    if (t == 0) bits[blockIdx.x] = (unsigned char)widest;
}

/* How far does a match go? Candidates come from a table of places, as in LZ77. */
__global__ void matches(const unsigned char *text, const int *candidate, unsigned char *length,
                        int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int c = candidate[i] % (i + 1), k = 0;
    while (k < 64 && i + k < n && text[c + k] == text[i + k])
        k++;
    length[i] = (unsigned char)k;
}

static void texts(void)
{
    for (int length : {32, 256}) {
        int lines = 2 * M / length;
        auto text = below<unsigned char>(64, 2 * M), table = below<unsigned char>(32, 32 * 64);
        auto hits = array<int>(lines);
        measure("code", length == 32 ? "state machine, lines of 32" : "state machine, lines of 256",
                [&] { state_machine<<<lines / 128, 128>>>(text, table, hits, length); });
    }
    {
        auto text = (uchar4 *)below<unsigned>(~0u, M);
        auto counts = zeros<unsigned>(2);
        measure("code", "code points", [&] { code_points<<<4096, 256>>>(text, counts, M); });
    }
    {
        auto text = below<unsigned char>(100, M);
        auto marks = array<unsigned>(32 * K);
        measure("code", "rolling hashes", [&] { rolling_hash<<<256, 128>>>(text, marks, 32, M); });
    }
    {
        auto pattern = filled<unsigned long long>(
            256, [](size_t i) { return 0x100000001ull * scatter(i) & 0x1111111111111111ull; });
        auto text = below<unsigned char>(256, 2 * M);
        auto best = array<int>(32 * K);
        measure("code", "edit distance in bits",
                [&] { edit_bits<<<128, 256>>>(pattern, text, best, 64); });
    }
    {
        auto bits = below<unsigned>(~0u, 256 * K);
        auto tree = filled<short2>(15, [](size_t i) {
            auto child = [](size_t c) { return (short)(c < 15 && c % 5 != 4 ? c : -(short)c); };
            return make_short2(child(2 * i + 1), child(2 * i + 2));
        });
        auto out = array<unsigned char>(32 * 8 * 32 * K);
        measure("code", "Huffman", [&] { huffman<<<256, 128>>>(bits, tree, out, 8, 32 * K); });
    }
    {
        auto packed = below<unsigned>(~0u, 4 * M / 32 * 11 + 1);
        auto out = array<unsigned short>(4 * M);
        measure("code", "11 bits unpacked",
                [&] { unpack_eleven<<<8192, 512>>>(packed, out, 4 * M); });
    }
    {
        auto a = below(5000, M), out = array<int>(M);
        auto bits = array<unsigned char>(8192);
        measure("code", "frames of differences",
                [&] { frames_of_differences<<<8192, 128>>>(a, out, bits); });
    }
    {
        auto text = below<unsigned char>(2, 512 * K), length = array<unsigned char>(512 * K);
        auto candidate = below(512 * K, 512 * K);
        measure("code", "matches",
                [&] { matches<<<2048, 256>>>(text, candidate, length, 512 * K); });
    }
}

static void measure_all(void)
{
    tables();
    texts();
}
