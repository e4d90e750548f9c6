/* numbers.cu: whole numbers, ciphers, large numbers and Fourier transforms. */
#include "kernels.h"

/* ---- ciphers and hashes ---- */

__device__ static unsigned turn(unsigned x, int by)
{
    return x << by | x >> (32 - by);
}

__constant__ unsigned cubes[64]; /* the words that SHA-256 adds in each round */

__global__ void sha256(const unsigned *message, unsigned *digest, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned w[16], s[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                            0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    for (int k = 0; k < 16; k++)
        w[k] = message[k * n + i];
#pragma unroll
    for (int k = 0; k < 64; k++) {
        unsigned x = w[k % 16];
        if (k >= 16) {
            unsigned a = w[(k + 1) % 16], b = w[(k + 14) % 16];
            x += (turn(a, 25) ^ turn(a, 14) ^ a >> 3) + w[(k + 9) % 16] +
                 (turn(b, 15) ^ turn(b, 13) ^ b >> 10);
            w[k % 16] = x;
        }
        unsigned t = s[7] + (turn(s[4], 26) ^ turn(s[4], 21) ^ turn(s[4], 7)) +
                     ((s[4] & s[5]) ^ (~s[4] & s[6])) + cubes[k] + x;
        unsigned u = (turn(s[0], 30) ^ turn(s[0], 19) ^ turn(s[0], 10)) +
                     ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        for (int j = 7; j > 0; j--)
            s[j] = s[j - 1];
        s[4] += t;
        s[0] = t + u;
    }
    for (int j = 0; j < 8; j++)
        digest[j * n + i] = s[j];
}

__global__ void chacha(const uint4 *text, uint4 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned x[16];
    for (int k = 0; k < 16; k++)
        x[k] = k == 12 ? i : 0x61707865u * (k + 1);
    auto quarter = [&](int a, int b, int c, int d) {
        x[a] += x[b], x[d] = turn(x[d] ^ x[a], 16);
        x[c] += x[d], x[b] = turn(x[b] ^ x[c], 12);
        x[a] += x[b], x[d] = turn(x[d] ^ x[a], 8);
        x[c] += x[d], x[b] = turn(x[b] ^ x[c], 7);
    };
    for (int round = 0; round < 10; round++) {
        for (int k = 0; k < 4; k++)
            quarter(k, 4 + k, 8 + k, 12 + k);
        for (int k = 0; k < 4; k++)
            quarter(k, 4 + (k + 1) % 4, 8 + (k + 2) % 4, 12 + (k + 3) % 4);
    }
    for (int k = 0; k < 4; k++) {
        uint4 t = text[4 * i + k];
        out[4 * i + k] =
            make_uint4(t.x ^ x[4 * k], t.y ^ x[4 * k + 1], t.z ^ x[4 * k + 2], t.w ^ x[4 * k + 3]);
    }
}

/* Rounds of a cipher by tables of 256 words in shared memory, four look-ups per word */
__global__ void table_cipher(const uint4 *text, const unsigned *table, uint4 *out, int rounds)
{
    __shared__ unsigned t[4][256];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        t[i / 256][i % 256] = table[i];
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint4 v = text[i];
    auto mix = [&](unsigned a, unsigned b, unsigned c, unsigned d) {
        return t[0][a >> 24] ^ t[1][b >> 16 & 255] ^ t[2][c >> 8 & 255] ^ t[3][d & 255];
    };
    for (int r = 0; r < rounds; r++)
        v = make_uint4(mix(v.x, v.y, v.z, v.w) ^ r, mix(v.y, v.z, v.w, v.x),
                       mix(v.z, v.w, v.x, v.y), mix(v.w, v.x, v.y, v.z));
    out[i] = v;
}

static void ciphers(void)
{
    unsigned words[64];
    for (int i = 0; i < 64; i++)
        words[i] = scatter(i);
    check(cudaMemcpyToSymbol(cubes, words, sizeof words), "cudaMemcpyToSymbol");
    for (int n : {8 * K, 128 * K}) {
        auto message = below<unsigned>(~0u, 16 * n), digest = array<unsigned>(8 * n);
        measure("cipher", n == 8 * K ? "SHA-256, 8 K" : "SHA-256, 128 K",
                [&] { sha256<<<n / 128, 128>>>(message, digest, n); });
    }
    {
        auto text = (uint4 *)below<unsigned>(~0u, 16 * 128 * K);
        auto out = array<uint4>(4 * 128 * K);
        measure("cipher", "ChaCha", [&] { chacha<<<512, 256>>>(text, out, 128 * K); });
    }
    {
        auto text = (uint4 *)below<unsigned>(~0u, 4 * 128 * K);
        auto table = below<unsigned>(~0u, 1024);
        auto out = array<uint4>(128 * K);
        measure("cipher", "tables", [&] { table_cipher<<<512, 256>>>(text, table, out, 10); });
    }
}

/* ---- arithmetic of whole numbers ---- */

typedef unsigned long long Word;

/* Products of numbers of 256 bits, four words each */
__global__ void wide_products(const Word *a, const Word *b, Word *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Word sum[8] = {};
    for (int j = 0; j < 4; j++) {
        Word carry = 0, x = a[j * n + i];
        for (int k = 0; k < 4; k++) {
            Word y = b[k * n + i], low = x * y, high = __umul64hi(x, y);
            low += carry;
            high += low < carry;
            sum[j + k] += low;
            carry = high + (sum[j + k] < low);
        }
        sum[j + 4] = carry;
    }
    for (int j = 0; j < 8; j++)
        out[j * n + i] = sum[j];
}

/* Powers modulo a 64-bit number, by Montgomery's reduction */
__global__ void montgomery_powers(Word *x, Word modulus, Word inverse, int squarings)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Word v = x[i];
    for (int k = 0; k < squarings; k++) {
        Word low = v * v, high = __umul64hi(v, v), q = low * inverse;
        Word reduced = high - __umul64hi(q, modulus);
        v = high < __umul64hi(q, modulus) ? reduced + modulus : reduced;
    }
    x[i] = v;
}

/* Miller and Rabin's test to two bases, 32-bit numbers, by 64-bit remainders */
__global__ void probable_primes(unsigned char *prime, unsigned first, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned x = first + 2 * i, odd = x - 1, twos = __ffs(x - 1) - 1;
    odd >>= twos;
    bool passes = true;
    for (Word base = 2; passes && base < 4; base++) {
        Word power = 1, square = base;
        for (unsigned e = odd; e; e >>= 1) {
            if (e & 1) power = power * square % x;
            square = square * square % x;
        }
        passes = power == 1 || power == x - 1;
        for (unsigned k = 1; !passes && k < twos; k++) {
            power = power * power % x;
            passes = power == x - 1;
        }
    }
    prime[i] = passes;
}

__global__ void digit_sums(const unsigned *a, int *sum, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, digits = 0;
    if (i >= n) return;
    for (unsigned x = a[i]; x > 0; x /= 10)
        digits += x % 10;
    sum[i] = digits;
}

__global__ void long_divisions(const long long *a, const long long *b, longlong2 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = make_longlong2(a[i] / b[i], a[i] % b[i]);
}

__global__ void calendar(const int *day, int *date, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int z = day[i] + 719468, era = z / 146097, doe = z % 146097;
    int yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    int doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;
    int month = mp + (mp < 10 ? 3 : -9), d = doy - (153 * mp + 2) / 5 + 1;
    date[i] = ((yoe + era * 400 + (month <= 2)) * 100 + month) * 100 + d;
}

__global__ void square_roots(const unsigned *a, unsigned *root, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned x = a[i], r = 0;
    for (unsigned bit = 1u << 30; bit > 0; bit >>= 2) {
        if (x >= r + bit) {
            x -= r + bit;
            r = (r >> 1) + bit;
        } else
            r >>= 1;
    }
    root[i] = r;
}

/* A machine with a stack: programs of bytes, one per thread, or one for all */
__global__ void interpreter(const unsigned char *code, int *out, int length, int stride)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, stack[8] = {t, 1, 2, 3}, top = 3;
    for (int pc = 0; pc < length; pc++) {
        int &a = stack[top & 7], &b = stack[(top - 1) & 7];
        switch (code[t * stride + pc]) {
        case 0: stack[++top & 7] = pc; break;
        case 1: b += a, top--; break;
        case 2: b -= a, top--; break;
        case 3: b *= a, top--; break;
        case 4: a ^= a << 5; break;
        case 5: b = a & b, top--; break;
        case 6: stack[(top + 1) & 7] = a, top++; break;
        case 7: b = a > b ? a : b; break;
        case 8: a = -a; break;
        default: a = a / 3 + b; break;
        }
    }
    out[t] = stack[top & 7];
}

/* Queens on a board of 10 x 10: two of them are given, the rest by a stack of masks */
__global__ void queens(int *count, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, all = (1 << n) - 1, found = 0;
    if (t >= n * n * n) return;
    int columns = 0, left = 0, right = 0;
    for (int k = 0, rest = t; k < 3; k++, rest /= n) {
        int queen = 1 << rest % n;
        if ((columns | left | right) & queen) return;
        columns |= queen;
        left = (left | queen) << 1, right = (right | queen) >> 1;
    }
    int c[10], l[10], r[10], open[10], depth = 0;
    c[0] = columns, l[0] = left, r[0] = right, open[0] = all & ~(columns | left | right);
    while (depth >= 0) {
        if (open[depth] == 0) {
            depth--;
            continue;
        }
        int queen = open[depth] & -open[depth];
        open[depth] ^= queen;
        int nc = c[depth] | queen;
        if (nc == all) {
            found++;
            continue;
        }
        int nl = (l[depth] | queen) << 1, nr = (r[depth] | queen) >> 1;
        depth++;
        c[depth] = nc, l[depth] = nl, r[depth] = nr, open[depth] = all & ~(nc | nl | nr);
    }
    if (found) atomicAdd(count, found);
}

__global__ void morton_codes(const uint4 *cell, unsigned long long *code, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uint4 p = cell[i];
    auto spread = [](unsigned v) {
        unsigned long long x = v & 0x1fffff;
        x = (x | x << 32) & 0x1f00000000ffffull;
        x = (x | x << 16) & 0x1f0000ff0000ffull;
        x = (x | x << 8) & 0x100f00f00f00f00full;
        x = (x | x << 4) & 0x10c30c30c30c30c3ull;
        return (x | x << 2) & 0x1249249249249249ull;
    };
    code[i] = spread(p.x) | spread(p.y) << 1 | spread(p.z) << 2;
}

/* The place on Hilbert's curve, bit by bit */
__global__ void hilbert(const uint2 *point, unsigned *place, int order, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned x = point[i].x, y = point[i].y, d = 0;
    for (unsigned s = 1u << (order - 1); s > 0; s /= 2) {
        unsigned rx = (x & s) > 0, ry = (y & s) > 0;
        d += s * s * ((3 * rx) ^ ry);
        if (ry == 0) {
            if (rx == 1) x = s - 1 - (x & (s - 1)), y = s - 1 - (y & (s - 1));
            unsigned kept = x;
            x = y;
            y = kept;
        }
    }
    place[i] = d;
}

/* Hamming distances of codes of 128 bits, every one to 256 others */
__global__ void hamming(const uint4 *code, int *nearest)
{
    __shared__ uint4 others[256];
    int i = blockIdx.x * 256 + threadIdx.x, best = 1 << 30;
    others[threadIdx.x] = code[(i + 256 * 7) % (gridDim.x * 256)];
    uint4 a = code[i];
    __syncthreads();
    for (int j = 0; j < 256; j++) {
        uint4 b = others[j];
        int d = __popc(a.x ^ b.x) + __popc(a.y ^ b.y) + __popc(a.z ^ b.z) + __popc(a.w ^ b.w);
        best = min(best, d << 8 | j);
    }
    nearest[i] = best;
}

/* Sine and cosine by CORDIC, 16 bits of fraction */
__global__ void cordic(const int *angle, int2 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int x = 39797, y = 0, z = angle[i];
    for (int k = 0; k < 16; k++) {
        int dx = y >> k, dy = x >> k, dz = 51472 >> k, sign = z >> 31;
        x -= (dx ^ sign) - sign;
        y += (dy ^ sign) - sign;
        z -= (dz ^ sign) - sign;
    }
    out[i] = make_int2(x, y);
}

static void wholes(void)
{
    {
        int n = 256 * K;
        auto a = below<Word>(~0u, 4 * n), b = below<Word>(~0u, 4 * n), out = array<Word>(8 * n);
        measure("whole", "256-bit products",
                [&] { wide_products<<<n / 128, 128>>>(a, b, out, n); });
    }
    {
        auto x = below<Word>(~0u, 64 * K);
        measure("whole", "Montgomery powers", [&] {
            montgomery_powers<<<256, 256>>>(x, 0xffffffffffffffc5ull, 0xcbeea4e1a08ad8f3ull, 64);
        });
    }
    {
        auto prime = array<unsigned char>(64 * K);
        measure("whole", "probable primes",
                [&] { probable_primes<<<512, 128>>>(prime, 4000000001u, 64 * K); });
    }
    {
        auto a = below<unsigned>(~0u, M);
        auto sum = array<int>(M);
        measure("whole", "sums of digits", [&] { digit_sums<<<4096, 256>>>(a, sum, M); });
    }
    {
        auto a = filled<long long>(
            512 * K, [](size_t i) { return (long long)scatter(i) << 20 | scatter(i + 1); });
        auto b = filled<long long>(512 * K, [](size_t i) { return 1 + (long long)scatter(i) * 5; });
        auto out = array<longlong2>(512 * K);
        measure("whole", "64-bit divisions",
                [&] { long_divisions<<<2048, 256>>>(a, b, out, 512 * K); });
    }
    {
        auto day = below(40000, M), date = array<int>(M);
        measure("whole", "calendar", [&] { calendar<<<4096, 256>>>(day, date, M); });
    }
    {
        auto a = below<unsigned>(~0u, M), root = array<unsigned>(M);
        measure("whole", "square roots by bits", [&] { square_roots<<<8192, 128>>>(a, root, M); });
    }
    for (int stride : {0, 40}) {
        auto code = below<unsigned char>(10, 40 + 32 * K * stride);
        auto out = array<int>(32 * K);
        measure("whole", stride ? "interpreter, a program each" : "interpreter, one program",
                [&] { interpreter<<<256, 128>>>(code, out, 40, stride); });
    }
    {
        auto count = zeros<int>(1);
        measure("whole", "queens", [&] { queens<<<32, 32>>>(count, 10); });
    }
    {
        auto cell = (uint4 *)below<unsigned>(1u << 20, 4 * M);
        auto code = array<unsigned long long>(M);
        measure("whole", "Morton codes", [&] { morton_codes<<<2048, 512>>>(cell, code, M); });
    }
    {
        auto point = (uint2 *)below<unsigned>(1u << 16, 512 * K);
        auto place = array<unsigned>(256 * K);
        measure("whole", "Hilbert curve",
                [&] { hilbert<<<1024, 256>>>(point, place, 16, 256 * K); });
    }
    {
        auto code = (uint4 *)below<unsigned>(~0u, 4 * 64 * K);
        auto nearest = array<int>(64 * K);
        measure("whole", "Hamming distances", [&] { hamming<<<256, 256>>>(code, nearest); });
    }
    {
        auto angle = below(100000, M);
        auto out = array<int2>(M);
        measure("whole", "CORDIC", [&] { cordic<<<4096, 256>>>(angle, out, M); });
    }
}

/* ---- transforms ---- */

/* Stockham's radix 2, 1024 points in shared memory, half as many threads */
__global__ void fft_shared(const float2 *a, float2 *b)
{
    __shared__ float2 part[2][1024];
    int t = threadIdx.x;
    part[0][t] = a[blockIdx.x * 1024 + t];
    part[0][t + 512] = a[blockIdx.x * 1024 + t + 512];
    for (int s = 1, from = 0; s < 1024; s *= 2, from ^= 1) {
        __syncthreads();
        float2 p = part[from][t], q = part[from][t + 512], w;
        int k = t & (s - 1);
        sincospif(-(float)k / s, &w.y, &w.x);
        float2 r = make_float2(q.x * w.x - q.y * w.y, q.x * w.y + q.y * w.x);
        int at = ((t - k) << 1) + k;
        part[from ^ 1][at] = make_float2(p.x + r.x, p.y + r.y);
        part[from ^ 1][at + s] = make_float2(p.x - r.x, p.y - r.y);
    }
    __syncthreads();
    b[blockIdx.x * 1024 + t] = part[0][t];
    b[blockIdx.x * 1024 + t + 512] = part[0][t + 512];
}

/* One step of radix 4 in global memory */
__global__ void fft_step(const float2 *a, float2 *b, int s, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, k = t & (s - 1);
    float2 x[4];
    for (int j = 0; j < 4; j++) {
        float2 v = a[t + j * (n / 4)], w;
        __sincosf(-1.5707963f * j * k / s, &w.y, &w.x);
        x[j] = make_float2(v.x * w.x - v.y * w.y, v.x * w.y + v.y * w.x);
    }
    float2 e = make_float2(x[0].x + x[2].x, x[0].y + x[2].y);
    float2 f = make_float2(x[0].x - x[2].x, x[0].y - x[2].y);
    float2 g = make_float2(x[1].x + x[3].x, x[1].y + x[3].y);
    float2 h = make_float2(x[1].y - x[3].y, x[3].x - x[1].x);
    float2 *out = b + ((t - k) << 2) + k;
    out[0] = make_float2(e.x + g.x, e.y + g.y);
    out[s] = make_float2(f.x + h.x, f.y + h.y);
    out[2 * s] = make_float2(e.x - g.x, e.y - g.y);
    out[3 * s] = make_float2(f.x - h.x, f.y - h.y);
}

/* A number-theoretic transform's step, modulo 998244353 */
__global__ void ntt_step(unsigned *a, const unsigned *root, int half)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, k = t % half, i = 2 * (t - k) + k;
    const unsigned p = 998244353;
    unsigned u = a[i], v = (unsigned)((Word)a[i + half] * root[k] % p);
    a[i] = u + v >= p ? u + v - p : u + v;
    a[i + half] = u >= v ? u - v : u + p - v;
}

/* Walsh and Hadamard: 1024 numbers per warp in registers, then by shuffles */
__global__ void walsh(const float *a, float *b)
{
    int lane = threadIdx.x % 32, first = (blockIdx.x * blockDim.x + threadIdx.x) / 32 * 1024;
    float v[32];
    for (int k = 0; k < 32; k++)
        v[k] = a[first + k * 32 + lane];
#pragma unroll
    for (int apart = 1; apart < 32; apart *= 2)
#pragma unroll
        for (int k = 0; k < 32; k++)
            if ((k & apart) == 0) {
                float p = v[k], q = v[k + apart];
                v[k] = p + q, v[k + apart] = p - q;
            }
#pragma unroll
    for (int apart = 1; apart < 32; apart *= 2)
#pragma unroll
        for (int k = 0; k < 32; k++) {
            float other = __shfl_xor_sync(~0u, v[k], apart);
            v[k] = lane & apart ? other - v[k] : v[k] + other;
        }
    for (int k = 0; k < 32; k++)
        b[first + k * 32 + lane] = v[k];
}

static void transforms(void)
{
    for (int count : {32, 512}) {
        auto a = (float2 *)fractions(2 * 1024 * count);
        auto b = array<float2>(1024 * count);
        measure("wave", count == 32 ? "FFT of 1024, 32 times" : "FFT of 1024, 512 times",
                [&] { fft_shared<<<count, 512>>>(a, b); });
    }
    for (int s : {1, 4096}) {
        auto a = (float2 *)fractions(2 * M);
        auto b = array<float2>(M);
        measure("wave", s == 1 ? "first step of radix 4" : "late step of radix 4",
                [&] { fft_step<<<1024, 256>>>(a, b, s, M); });
    }
    {
        auto a = below<unsigned>(998244353, 2 * M), root = below<unsigned>(998244353, 512);
        measure("wave", "step modulo a prime", [&] { ntt_step<<<4096, 256>>>(a, root, 512); });
    }
    {
        auto a = fractions(M), b = array<float>(M);
        measure("wave", "Walsh and Hadamard", [&] { walsh<<<256, 128>>>(a, b); });
    }
}

static void measure_all(void)
{
    ciphers();
    wholes();
    transforms();
}
