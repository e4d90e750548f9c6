/* exercises.cu: what students write of their own accord: numbers, games, simulations, codes. */
#include "kernels.h"

/* ---- numbers ---- */

__global__ void perfect_numbers(int *found, int from, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int x = from + i, sum = 1;
    for (int d = 2; d * d <= x; d++)
        if (x % d == 0) {
            sum += d;
            if (d * d != x) sum += x / d;
        }
    found[i] = sum == x;
}

__global__ void fibonacci(const unsigned *index, unsigned long long *value, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned long long a = 0, b = 1;
    for (int bit = 19; bit >= 0; bit--) {
        unsigned long long c = a * (2 * b - a), d = a * a + b * b;
        bool odd = index[i] >> bit & 1;
        a = odd ? d : c;
        b = odd ? c + d : d;
    }
    value[i] = a;
}

__global__ void palindromes(int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int reversed = 0;
    for (int rest = i; rest > 0; rest /= 10)
        reversed = reversed * 10 + rest % 10;
    if (reversed == i) atomicAdd(count, 1);
}

__global__ void narcissistic(int *is, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int digits = 0, sum = 0;
    for (int rest = i; rest > 0; rest /= 10)
        digits++;
    for (int rest = i; rest > 0; rest /= 10) {
        int power = 1;
        for (int k = 0; k < digits; k++)
            power *= rest % 10;
        sum += power;
    }
    is[i] = sum == i;
}

__global__ void e_by_series(double *e, int terms, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double sum = 1, term = 1, x = i / (double)n;
    for (int k = 1; k < terms; k++) {
        term *= x / k;
        sum += term;
    }
    e[i] = sum;
}

__global__ void square_roots(const float *x, float *root, int steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float r = x[i] + 1;
    for (int k = 0; k < steps; k++)
        r = 0.5f * (r + x[i] / r);
    root[i] = r;
}

__global__ void subsets(const int *weight, int goal, int *count, int bits)
{
    __shared__ int w[24];
    if (threadIdx.x < bits) w[threadIdx.x] = weight[threadIdx.x];
    __syncthreads();
    int set = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    for (int b = 0; b < bits; b++)
        if (set >> b & 1) sum += w[b];
    if (sum == goal) atomicAdd(count, 1);
}

__global__ void arc_lengths(float *length, float from, float to, int steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float h = (to - from) / steps, y0 = sinf(from) * i, sum = 0;
    for (int k = 1; k <= steps; k++) {
        float y1 = sinf(from + k * h) * i;
        sum += sqrtf(h * h + (y1 - y0) * (y1 - y0));
        y0 = y1;
    }
    length[i] = sum;
}

static void numbers(void)
{
    auto a = array<int>(64 * K);
    measure("number", "perfect numbers", [&] { perfect_numbers<<<256, 128>>>(a, 20000, 32 * K); });
    auto index = below<unsigned>(M, 128 * K);
    auto value = array<unsigned long long>(128 * K);
    measure("number", "Fibonacci", [&] { fibonacci<<<512, 256>>>(index, value, 128 * K); });
    a = zeros<int>(1);
    measure("number", "palindromes", [&] { palindromes<<<1024, 256>>>(a, M / 4); });
    a = array<int>(M / 8);
    measure("number", "narcissistic", [&] { narcissistic<<<512, 256>>>(a, M / 8); });
    auto e = array<double>(64 * K);
    measure("number", "e by its series", [&] { e_by_series<<<256, 256>>>(e, 20, 64 * K); });
    auto x = fractions(256 * K), y = array<float>(256 * K);
    measure("number", "square roots by Heron",
            [&] { square_roots<<<1024, 256>>>(x, y, 12, 256 * K); });
    auto weight = below(1000, 24);
    a = zeros<int>(1);
    measure("number", "sums of subsets", [&] { subsets<<<2048, 256>>>(weight, 5000, a, 19); });
    y = array<float>(16 * K);
    measure("number", "lengths of arcs", [&] { arc_lengths<<<64, 256>>>(y, 0, 3, 64, 16 * K); });
}

/* ---- games and chance ---- */

__device__ unsigned next(unsigned &state)
{
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

__global__ void dice(int *count, int throws, unsigned seed)
{
    __shared__ int mine[13];
    if (threadIdx.x < 13) mine[threadIdx.x] = 0;
    __syncthreads();
    unsigned state = seed + 7919 * (blockIdx.x * blockDim.x + threadIdx.x);
    for (int i = 0; i < throws; i++)
        atomicAdd(&mine[next(state) % 6 + next(state) % 6 + 2], 1);
    __syncthreads();
    if (threadIdx.x < 13) atomicAdd(&count[threadIdx.x], mine[threadIdx.x]);
}

__global__ void needles(unsigned *hits, int throws, unsigned seed)
{
    unsigned state = seed + 104729 * (blockIdx.x * blockDim.x + threadIdx.x), mine = 0;
    for (int i = 0; i < throws; i++) {
        float x = next(state) * (1.0f / (1 << 24)), angle = next(state) * (3.14159265f / (1 << 24));
        if (x < sinf(angle)) mine++;
    }
    for (int apart = 16; apart > 0; apart /= 2)
        mine += __shfl_down_sync(0xffffffff, mine, apart);
    if (threadIdx.x % 32 == 0) atomicAdd(hits, mine);
}

__global__ void birthdays(int *shared_days, int people, unsigned seed)
{
    unsigned state = seed + 31 * (blockIdx.x * blockDim.x + threadIdx.x), seen[12] = {};
    bool same = false;
    for (int p = 0; p < people; p++) {
        unsigned day = next(state) % 365;
        same |= seen[day / 32] >> (day % 32) & 1;
        seen[day / 32] |= 1u << (day % 32);
    }
    if (same) atomicAdd(shared_days, 1);
}

__global__ void valid_boards(const unsigned char *board, int *valid, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const unsigned char *mine = board + i * 81;
    unsigned row[9] = {}, column[9] = {}, box[9] = {};
    for (int r = 0; r < 9; r++)
        for (int c = 0; c < 9; c++) {
            unsigned bit = 1u << mine[r * 9 + c];
            row[r] |= bit;
            column[c] |= bit;
            box[r / 3 * 3 + c / 3] |= bit;
        }
    int full = 0;
    for (int k = 0; k < 9; k++)
        full += (row[k] == 0x1ff) + (column[k] == 0x1ff) + (box[k] == 0x1ff);
    valid[i] = full;
}

__global__ void rule_110(const unsigned char *first, unsigned char *last, int steps)
{
    __shared__ unsigned char cell[2][512];
    int t = threadIdx.x;
    cell[0][t] = first[blockIdx.x * 512 + t] & 1;
    for (int s = 0; s < steps; s++) {
        __syncthreads();
        unsigned char *from = cell[s % 2], *to = cell[(s + 1) % 2];
        int pattern = from[(t + 511) % 512] << 2 | from[t] << 1 | from[(t + 1) % 512];
        to[t] = 110 >> pattern & 1;
    }
    last[blockIdx.x * 512 + t] = cell[steps % 2][t];
}

__global__ void crossings(const float2 *corner, int corners, const float2 *point, int *inside,
                          int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float2 p = point[i];
    bool in = false;
    for (int k = 0, l = corners - 1; k < corners; l = k++)
        if ((corner[k].y > p.y) != (corner[l].y > p.y) &&
            p.x < (corner[l].x - corner[k].x) * (p.y - corner[k].y) / (corner[l].y - corner[k].y) +
                      corner[k].x)
            in = !in;
    inside[i] = in;
}

__global__ void nearest_five(const float *x, const float *y, int *near, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float best[5];
    int who[5];
    for (int k = 0; k < 5; k++) {
        best[k] = 1e30f;
        who[k] = -1;
    }
    for (int j = 0; j < n; j++) {
        float dx = x[j] - x[i], dy = y[j] - y[i], d = dx * dx + dy * dy;
        if (j == i || d >= best[4]) continue;
        int k = 4;
        while (k > 0 && best[k - 1] > d) {
            best[k] = best[k - 1];
            who[k] = who[k - 1];
            k--;
        }
        best[k] = d;
        who[k] = j;
    }
    for (int k = 0; k < 5; k++)
        near[i * 5 + k] = who[k];
}

static void games(void)
{
    auto a = zeros<int>(13);
    measure("game", "dice", [&] { dice<<<264, 128>>>(a, 32, 1); });
    auto hits = zeros<unsigned>(1);
    measure("game", "needles", [&] { needles<<<264, 128>>>(hits, 32, 1); });
    a = zeros<int>(1);
    measure("game", "birthdays", [&] { birthdays<<<528, 128>>>(a, 23, 1); });
    auto board = below<unsigned char>(9, 81 * 16 * K);
    a = array<int>(16 * K);
    measure("game", "boards checked", [&] { valid_boards<<<128, 128>>>(board, a, 16 * K); });
    auto cell = below<unsigned char>(2, 512 * 264), last = array<unsigned char>(512 * 264);
    measure("game", "rule 110", [&] { rule_110<<<264, 512>>>(cell, last, 50); });
    auto corner = filled<float2>(
        64, [](size_t i) { return make_float2(fraction(2 * i), fraction(2 * i + 1)); });
    auto point = filled<float2>(
        64 * K, [](size_t i) { return make_float2(fraction(2 * i + 5), fraction(2 * i + 6)); });
    a = array<int>(64 * K);
    measure("game", "points in a polygon",
            [&] { crossings<<<256, 256>>>(corner, 64, point, a, 64 * K); });
    auto x = fractions(4 * K), y = fractions(4 * K);
    a = array<int>(5 * 4 * K);
    measure("game", "nearest five", [&] { nearest_five<<<64, 64>>>(x, y, a, 4 * K); });
}

/* ---- codes and hashes ---- */

__constant__ unsigned sha_constant[64];

__device__ unsigned turned(unsigned x, int by)
{
    return x >> by | x << (32 - by);
}

__global__ void sha_256(const unsigned *message, unsigned *digest, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned w[64], h[8];
    for (int k = 0; k < 16; k++)
        w[k] = message[k * n + i];
    for (int k = 16; k < 64; k++) {
        unsigned a = w[k - 15], b = w[k - 2];
        w[k] = w[k - 16] + (turned(a, 7) ^ turned(a, 18) ^ a >> 3) + w[k - 7] +
               (turned(b, 17) ^ turned(b, 19) ^ b >> 10);
    }
    for (int k = 0; k < 8; k++)
        h[k] = 0x6a09e667u + k * 0x01234567u;
    for (int k = 0; k < 64; k++) {
        unsigned s1 = turned(h[4], 6) ^ turned(h[4], 11) ^ turned(h[4], 25);
        unsigned t1 = h[7] + s1 + ((h[4] & h[5]) ^ (~h[4] & h[6])) + sha_constant[k] + w[k];
        unsigned s0 = turned(h[0], 2) ^ turned(h[0], 13) ^ turned(h[0], 22);
        unsigned t2 = s0 + ((h[0] & h[1]) ^ (h[0] & h[2]) ^ (h[1] & h[2]));
        for (int j = 7; j > 0; j--)
            h[j] = h[j - 1];
        h[4] += t1;
        h[0] = t1 + t2;
    }
    for (int k = 0; k < 8; k++)
        digest[k * n + i] = h[k];
}

__global__ void murmur(const unsigned *key, unsigned *hash, int words, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned h = 42;
    for (int k = 0; k < words; k++) {
        unsigned x = key[i * words + k] * 0xcc9e2d51u;
        x = (x << 15 | x >> 17) * 0x1b873593u;
        h ^= x;
        h = (h << 13 | h >> 19) * 5 + 0xe6546b64u;
    }
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    hash[i] = h ^ h >> 16;
}

/* A key stream of 64 bytes: the state is an array of 256 bytes of each thread. */
__global__ void rc4(const unsigned char *key, unsigned char *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned char s[256];
    for (int k = 0; k < 256; k++)
        s[k] = k;
    for (int k = 0, j = 0; k < 256; k++) {
        j = (j + s[k] + key[i * 16 + k % 16]) & 255;
        unsigned char t = s[k];
        s[k] = s[j];
        s[j] = t;
    }
    for (int k = 1, j = 0; k <= 64; k++) {
        j = (j + s[k]) & 255;
        unsigned char t = s[k];
        s[k] = s[j];
        s[j] = t;
        out[(k - 1) * n + i] = s[(s[k] + s[j]) & 255];
    }
}

__global__ void shifted_letters(const char *from, char *to, int by, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    char c = from[i];
    if (c >= 'a' && c <= 'z')
        c = 'a' + (c - 'a' + by) % 26;
    else if (c >= 'A' && c <= 'Z')
        c = 'A' + (c - 'A' + by) % 26;
    to[i] = c;
}

__global__ void gray_codes(const unsigned *gray, unsigned *binary, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned x = gray[i];
    for (unsigned mask = x >> 1; mask != 0; mask >>= 1)
        x ^= mask;
    binary[i] = x;
}

__global__ void goertzel(const float *x, float *power, int length, int tones)
{
    int tone = threadIdx.x;
    const float *mine = x + blockIdx.x * length;
    float c = 2 * cosf(6.2831853f * tone / tones), s1 = 0, s2 = 0;
    for (int i = 0; i < length; i++) {
        float s = mine[i] + c * s1 - s2;
        s2 = s1;
        s1 = s;
    }
    power[blockIdx.x * tones + tone] = s1 * s1 + s2 * s2 - c * s1 * s2;
}

__global__ void haar(float *x)
{
    __shared__ float s[2][512];
    float *mine = x + blockIdx.x * 512;
    int t = threadIdx.x;
    s[0][t] = mine[t];
    s[0][t + 256] = mine[t + 256];
    int from = 0;
    for (int half = 256; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) {
            float a = s[from][2 * t], b = s[from][2 * t + 1];
            s[1 - from][t] = (a + b) * 0.70710678f;
            mine[half + t] = (a - b) * 0.70710678f;
        }
        from = 1 - from;
    }
    __syncthreads();
    if (t == 0) mine[0] = s[from][0];
}

__global__ void chances_by_lock(const float *x, float *sum, int *lock, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ float part[128];
    part[threadIdx.x] = i < n ? x[i] * x[i] : 0;
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if ((int)threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        __threadfence();
        *(volatile float *)sum += part[0];
        __threadfence();
        atomicExch(lock, 0);
    }
}

static void codes(void)
{
    unsigned constants[64];
    for (int k = 0; k < 64; k++)
        constants[k] = scatter(k);
    check(cudaMemcpyToSymbol(sha_constant, constants, sizeof constants), "cudaMemcpyToSymbol");
    auto message = below<unsigned>(1u << 28, 16 * 16 * K), digest = array<unsigned>(8 * 16 * K);
    measure("code", "SHA-256", [&] { sha_256<<<128, 128>>>(message, digest, 16 * K); });
    auto key = below<unsigned>(1u << 28, M), hash = array<unsigned>(128 * K);
    measure("code", "Murmur", [&] { murmur<<<512, 256>>>(key, hash, 8, 128 * K); });
    auto secret = below<unsigned char>(256, 16 * 4 * K), out = array<unsigned char>(64 * 4 * K);
    measure("code", "RC4", [&] { rc4<<<64, 64>>>(secret, out, 4 * K); });
    auto from = filled<char>(M, [](size_t i) { return (char)(32 + scatter(i) % 95); });
    auto to = array<char>(M);
    measure("code", "Caesar", [&] { shifted_letters<<<4096, 256>>>(from, to, 3, M); });
    auto gray = below<unsigned>(1u << 28, 256 * K), binary = array<unsigned>(256 * K);
    measure("code", "Gray", [&] { gray_codes<<<1024, 256>>>(gray, binary, 256 * K); });
    auto x = fractions(256 * K), y = array<float>(512 * 64);
    measure("code", "tones by Goertzel", [&] { goertzel<<<512, 64>>>(x, y, 256, 64); });
    x = fractions(512 * K);
    measure("code", "wavelets by Haar", [&] { haar<<<1024, 256>>>(x); });
    x = fractions(64 * K), y = zeros<float>(1);
    auto lock = zeros<int>(1);
    measure("code", "sum by a lock", [&] { chances_by_lock<<<512, 128>>>(x, y, lock, 64 * K); });
}

static void measure_all(void)
{
    numbers();
    games();
    codes();
}
