/* texts.cu: what programs do to text: letters, words and blocks of bytes. */
#include "kernels.h"

/* ---- letters ---- */

__global__ void count_letters(const uchar4 *text, unsigned *total, int n)
{
    __shared__ unsigned count[26];
    if (threadIdx.x < 26) count[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        uchar4 c = text[i];
        if (c.x >= 'a' && c.x <= 'z') atomicAdd(&count[c.x - 'a'], 1);
        if (c.y >= 'a' && c.y <= 'z') atomicAdd(&count[c.y - 'a'], 1);
        if (c.z >= 'a' && c.z <= 'z') atomicAdd(&count[c.z - 'a'], 1);
        if (c.w >= 'a' && c.w <= 'z') atomicAdd(&count[c.w - 'a'], 1);
    }
    __syncthreads();
    if (threadIdx.x < 26) atomicAdd(&total[threadIdx.x], count[threadIdx.x]);
}

/* Not 0 when one of the four bytes of a word is 0 */
__device__ unsigned zero_bytes(unsigned word)
{
    return (word - 0x01010101u) & ~word & 0x80808080u;
}

/* The first place, in steps of 16 bytes, of a byte */
__global__ void find_byte(const uint4 *text, int n, unsigned byte, int *first)
{
    unsigned pattern = byte * 0x01010101u;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        uint4 w = text[i];
        if (zero_bytes(w.x ^ pattern) || zero_bytes(w.y ^ pattern) || zero_bytes(w.z ^ pattern) ||
            zero_bytes(w.w ^ pattern))
            atomicMin(first, i);
    }
}

__global__ void upper_case(const char *text, char *upper, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    char c = text[i];
    upper[i] = c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
}

/* Lists the places after the ends of lines, in a ring of n places, with an atomic per warp. */
__global__ void line_starts(const char *text, int n, int *start, unsigned *count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    bool starts = i < n && (i == 0 || text[i - 1] == '\n');
    unsigned those = __ballot_sync(0xffffffff, starts), at = 0;
    if (those == 0) return;
    if (lane == 0) at = atomicAdd(count, __popc(those));
    at = __shfl_sync(0xffffffff, at, 0) + __popc(those & ((1u << lane) - 1));
    if (starts) start[at % n] = i;
}

__constant__ char base64_digits[65] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

__global__ void base64(const unsigned char *bytes, char *text, int triples)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= triples) return;
    unsigned bits = bytes[3 * i] << 16 | bytes[3 * i + 1] << 8 | bytes[3 * i + 2];
    text[4 * i] = base64_digits[bits >> 18];
    text[4 * i + 1] = base64_digits[bits >> 12 & 63];
    text[4 * i + 2] = base64_digits[bits >> 6 & 63];
    text[4 * i + 3] = base64_digits[bits & 63];
}

/* Some letters are more frequent than others. */
static char letter(size_t i)
{
    const char *all = " etaoinshrdlu,cmwfgypbvk.\njxqz";
    float f = fraction(i);
    return all[(int)(f * f * 30)];
}

static void letters(void)
{
    {
        int n = 2 * M;
        const uchar4 *text = filled<uchar4>(n, [](size_t i) {
            return make_uchar4(letter(4 * i), letter(4 * i + 1), letter(4 * i + 2),
                               letter(4 * i + 3));
        });
        unsigned *total = array<unsigned>(26);
        measure("text", "letters counted", [&] { count_letters<<<264, 256>>>(text, total, n); });
    }
    {
        int n = 8 * M;
        const uint4 *text = filled<uint4>(n, [](size_t i) {
            unsigned rare = scatter(i) % 50000 == 0 ? 0x3f0a3f3fu : 0x3f3f3f3fu;
            return make_uint4(0x20202020u, 0x61626364u, rare, 0x7a7a7a7au);
        });
        int *first = array<int>(1);
        measure("text", "byte found", [&] { find_byte<<<132 * 4, 512>>>(text, n, '\n', first); });
    }
    {
        int n = 32 * M;
        const char *text = filled<char>(n, letter);
        char *upper = array<char>(n);
        measure("text", "upper case", [&] { upper_case<<<n / 1024, 1024>>>(text, upper, n); });
    }
    {
        int n = 4 * M;
        const char *text = filled<char>(n, letter);
        int *start = array<int>(n);
        unsigned *count = filled<unsigned>(1, [](size_t) { return 0; });
        measure("text", "line starts",
                [&] { line_starts<<<n / 256, 256>>>(text, n, start, count); });
    }
    {
        int triples = 4000000;
        const unsigned char *bytes =
            filled<unsigned char>(3 * triples, [](size_t i) { return (unsigned char)scatter(i); });
        char *text = array<char>(4 * triples);
        measure("text", "base64",
                [&] { base64<<<(triples + 127) / 128, 128>>>(bytes, text, triples); });
    }
}

/* ---- words and blocks of bytes ---- */

__global__ void compare_words(const char *a, const char *b, int *order, int n, int length)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const char *p = a + i * length, *q = b + i * length;
    int k = 0;
    while (k < length && p[k] == q[k])
        k++;
    order[i] = k == length ? 0 : p[k] < q[k] ? -1 : 1;
}

__global__ void hash_words(const unsigned char *text, unsigned *bucket, int n, int length,
                           unsigned buckets)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned hash = 2166136261u;
    for (int k = 0; k < length; k++)
        hash = (hash ^ text[i * length + k]) * 16777619u;
    bucket[i] = hash % buckets;
}

/* The edit distance of two strings of 16 letters per thread */
__global__ void edit_distance(const char *a, const char *b, unsigned char *distance, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, row[17];
    if (i >= n) return;
    char q[16];
#pragma unroll
    for (int k = 0; k < 16; k++)
        q[k] = b[i * 16 + k];
#pragma unroll
    for (int k = 0; k <= 16; k++)
        row[k] = k;
    for (int j = 0; j < 16; j++) {
        char c = a[i * 16 + j];
        int corner = row[0];
        row[0] = j + 1;
#pragma unroll
        for (int k = 1; k <= 16; k++) {
            int swapped = corner + (c != q[k - 1]);
            corner = row[k];
            row[k] = min(swapped, min(row[k], row[k - 1]) + 1);
        }
    }
    distance[i] = row[16];
}

/* The CRC of a block of some words per thread */
__global__ void crc(const unsigned *data, const unsigned *table, unsigned *sum, int n, int words)
{
    __shared__ unsigned step[256];
    for (int k = threadIdx.x; k < 256; k += blockDim.x)
        step[k] = table[k];
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned state = ~0u;
    for (int k = 0; k < words; k++) {
        unsigned word = data[i * words + k];
        for (int byte = 0; byte < 4; byte++) {
            state = step[(state ^ word) & 255] ^ state >> 8;
            word >>= 8;
        }
    }
    sum[i] = ~state;
}

/* Fields of ten characters: blanks, perhaps a sign, digits */
__global__ void parse_numbers(const char *text, int *number, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const char *field = text + 10 * i;
    int k = 0, value = 0;
    while (k < 10 && field[k] == ' ')
        k++;
    bool negative = k < 10 && field[k] == '-';
    if (negative) k++;
    for (; k < 10; k++)
        value = 10 * value + (field[k] - '0');
    number[i] = negative ? -value : value;
}

static char digit_of_field(size_t i)
{
    int field = i / 10, place = i % 10, blanks = 2 + scatter(field) % 6;
    if (place < blanks) return ' ';
    if (place == blanks && field % 3 == 0) return '-';
    return '0' + scatter(i) % 10;
}

static unsigned crc_of_byte(size_t i)
{
    unsigned state = i;
    for (int bit = 0; bit < 8; bit++)
        state = state & 1 ? state >> 1 ^ 0xedb88320u : state >> 1;
    return state;
}

static void words(void)
{
    {
        int n = 512 * K, length = 16;
        const char *a = filled<char>(n * length, letter);
        const char *b = filled<char>(
            n * length, [](size_t i) { return scatter(i / 16) % 24 == i % 16 ? '#' : letter(i); });
        int *order = array<int>(n);
        measure("text", "words compared",
                [&] { compare_words<<<n / 256, 256>>>(a, b, order, n, length); });
    }
    {
        int n = 500000, length = 20;
        const unsigned char *text = filled<unsigned char>(n * length, letter);
        unsigned *bucket = array<unsigned>(n);
        measure("text", "hashes of words",
                [&] { hash_words<<<(n + 127) / 128, 128>>>(text, bucket, n, length, 99991); });
    }
    {
        int n = 128 * K;
        const char *a = filled<char>(n * 16, letter);
        const char *b = filled<char>(n * 16, [](size_t i) { return letter(i + scatter(i) % 2); });
        unsigned char *distance = array<unsigned char>(n);
        measure("text", "edit distances",
                [&] { edit_distance<<<n / 64, 64>>>(a, b, distance, n); });
    }
    {
        int n = 16 * K, words = 64;
        const unsigned *data = filled<unsigned>(n * words, scatter);
        const unsigned *table = filled<unsigned>(256, crc_of_byte);
        unsigned *sum = array<unsigned>(n);
        measure("text", "CRC of blocks of 256 bytes",
                [&] { crc<<<n / 128, 128>>>(data, table, sum, n, words); });
    }
    {
        int n = 1000000;
        const char *text = filled<char>(10 * n, digit_of_field);
        int *number = array<int>(n);
        measure("text", "numbers parsed",
                [&] { parse_numbers<<<(n + 511) / 512, 512>>>(text, number, n); });
    }
}

static void measure_all(void)
{
    letters();
    words();
}
