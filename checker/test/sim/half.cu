/*
 * half.cu: cuda_fp16.h, on the host and in kernels. What a number must be rounded to is looked up
 * in a list of all halves, made without a conversion. For CUDA 12.2 and newer: older ones have less
 * of it on the host.
 */
#include "expect.h"

#include <algorithm>
#include <cmath>
#include <cuda_fp16.h>
#include <vector>

enum { HALVES = 1 << 16, INFINITE = 0x7c00, PAIRS = 1 << 15 };

/* The tests that failed in kernels: a bit each. */
__device__ unsigned long long wrong;

#define TEST(number, condition)                                                                    \
    do {                                                                                           \
        if (!(condition)) atomicOr(&wrong, 1ull << (number));                                      \
    } while (0)

static void expect_none_wrong(int line)
{
    unsigned long long bits = ~0ull;
    EXPECT_OK(cudaMemcpyFromSymbol(&bits, wrong, sizeof bits));
    if (bits != 0) printf("the tests above line %d: %llx\n", line, bits);
    EXPECT(bits == 0);
}

/* ---- all halves, and the one nearest to a number -------------------------------------------- */

static __host__ __device__ __half half_of(int bits)
{
    return __ushort_as_half((unsigned short)bits);
}

static __host__ __device__ int bits_of(__half half)
{
    return __half_as_ushort(half);
}

/* The number that a half without its sign is */
static double size_of(int bits)
{
    int exponent = bits >> 10, fraction = bits & 1023;
    return exponent == 0 ? ldexp(fraction, -24) : ldexp(1024 + fraction, exponent - 25);
}

static std::vector<double>
    sizes; /* of the halves 0 to 0x7bff, and what an infinite one stands for */

static void list_sizes()
{
    for (int bits = 0; bits <= INFINITE; bits++)
        sizes.push_back(size_of(bits));
}

/* The bits of the half nearest to a number; of two, the even one */
static int nearest(double x)
{
    if (std::isnan(x)) return 0x7fff;
    int sign = std::signbit(x) ? 0x8000 : 0;
    double size = std::fabs(x);
    int above = (int)(std::lower_bound(sizes.begin(), sizes.end(), size) - sizes.begin());
    if (above > INFINITE) return sign | INFINITE;
    if (above == 0) return sign;
    double up = sizes[(size_t)above] - size, down = size - sizes[(size_t)above - 1];
    return sign | (up < down || (up == down && above % 2 == 0) ? above : above - 1);
}

static bool is_same(int bits, int expected)
{
    bool both_nan = (bits & 0x7fff) > INFINITE && (expected & 0x7fff) > INFINITE;
    return both_nan || bits == expected;
}

/* ---- conversions ---------------------------------------------------------------------------- */

static void all_halves_there_and_back()
{
    int there = 0, back = 0;
    for (int bits = 0; bits < HALVES; bits++) {
        float value = __half2float(half_of(bits));
        int size = bits & 0x7fff;
        double expected = size < INFINITE ? size_of(size) : size == INFINITE ? INFINITY : NAN;
        there += size > INFINITE ? !std::isnan(value) : std::fabs(value) != expected;
        there += size <= INFINITE && std::signbit(value) != (bits >= 0x8000);
        back += !is_same(bits_of(__float2half(value)), bits);
        back += !is_same(bits_of(__double2half(value)), bits);
    }
    EXPECT(there == 0);
    EXPECT(back == 0);
}

/* Between each half and the next: in the middle, and on either side of it */
static void all_ties()
{
    int failures = 0;
    for (int bits = 0; bits < INFINITE; bits++) {
        float middle = (float)((sizes[(size_t)bits] + sizes[(size_t)bits + 1]) / 2);
        float less = std::nextafterf(middle, 0), more = std::nextafterf(middle, INFINITY);
        failures += bits_of(__float2half(middle)) != bits + bits % 2;
        failures += bits_of(__float2half(-middle)) != (0x8000 | (bits + bits % 2));
        failures += bits_of(__float2half_rn(less)) != bits;
        failures += bits_of(__float2half_rn(more)) != bits + 1;
        failures += bits_of(__float2half_rz(more)) != bits;
        failures += bits_of(__float2half_rz(-more)) != (0x8000 | bits);
        failures += bits_of(__float2half_ru(less)) != bits + 1;
        failures += bits_of(__float2half_ru(-less)) != (0x8000 | bits);
        failures += bits_of(__float2half_rd(more)) != bits;
        failures += bits_of(__float2half_rd(-more)) != (0x8000 | (bits + 1));
    }
    EXPECT(failures == 0);
}

static void ends_of_the_range()
{
    EXPECT(bits_of(__float2half(65519.996f)) == 0x7bff && bits_of(__float2half(65520)) == INFINITE);
    EXPECT(bits_of(__float2half_rz(1e30f)) == 0x7bff && bits_of(__float2half_rd(1e30f)) == 0x7bff);
    EXPECT(bits_of(__float2half_ru(65505)) == INFINITE &&
           bits_of(__float2half_ru(-1e30f)) == 0xfbff);
    EXPECT(bits_of(__float2half_rd(-65505)) == 0xfc00 && bits_of(__float2half_ru(1e-40f)) == 1);
    EXPECT(bits_of(__float2half(0x1p-25f)) == 0 && bits_of(__float2half(-0x1p-25f)) == 0x8000);
    EXPECT(bits_of(__float2half_rz(INFINITY)) == INFINITE && __hisnan(__float2half(NAN)));
    /* rounded to a float first, this would be a tie */
    EXPECT(bits_of(__double2half(1 + 0x1p-11 + 0x1p-40)) == 0x3c01);
}

static __host__ __device__ bool integers_convert()
{
    __half x = __float2half(-2.5f), most = half_of(INFINITE), none = half_of(0x7fff);
    bool to = __half2int_rz(x) == -2 && __half2short_rz(x) == -2 && __half2ll_rz(x) == -2 &&
              __half2uint_rz(x) == 0 && __half2ushort_rz(__float2half(3.5f)) == 3;
    bool ends = __half2int_rz(most) == 2147483647 && __half2short_rz(most) == 32767 &&
                __half2uint_rz(most) == 4294967295u && __half2int_rz(none) == 0 &&
                __half2short_rz(__float2half(-60000)) == -32768;
    bool from =
        bits_of(__int2half_rn(2049)) == 0x6800 && bits_of(__int2half_ru(2049)) == 0x6801 &&
        bits_of(__int2half_rz(-2051)) == 0xe801 && bits_of(__int2half_rd(-2049)) == 0xe801 &&
        bits_of(__uint2half_rn(4000000000u)) == INFINITE &&
        bits_of(__ushort2half_rn(65535)) == INFINITE && bits_of(__short2half_rn(-3)) == 0xc200 &&
        bits_of(__ll2half_rz(1ll << 60)) == 0x7bff && bits_of(__ull2half_rn(1)) == 0x3c00;
    return to && ends && from;
}

/* Roundings to an integer that the host does not have. */
static __device__ bool integers_round()
{
    __half x = __float2half(-2.5f);
    return __half2int_rn(x) == -2 && __half2int_rd(x) == -3 && __half2int_ru(x) == -2 &&
           __half2short_rd(x) == -3 && __half2ll_rd(x) == -3 &&
           __half2ushort_rn(__float2half(3.5f)) == 4 && __half2ull_ru(__float2half(0.25f)) == 1;
}

static __host__ __device__ bool types_convert()
{
    __half a = 1.5f, b = 3, c = -2.75, d = 7u, e = 1ll << 10;
    float f = c;
    double g = a;
    int h = c;
    unsigned char i = (unsigned char)__half(300.0f);
    bool j = __half(0.0f), k = a;
    a = 2;
    return (float)a == 2 && (float)b == 3 && f == -2.75f && g == 1.5 && h == -2 && (float)d == 7 &&
           (float)e == 1024 && i == 255 && !j && k && sizeof a == 2 && alignof(__half) == 2 &&
           sizeof(__half2) == 4 && alignof(__half2) == 4 && (short)c == -2 && (long long)d == 7 &&
           bits_of(__half(__half_raw{0x3c00})) == 0x3c00 && ((__half_raw)b).x == 0x4200 &&
           __half_as_short(c) == (short)0xc180 && bits_of(__short_as_half(0x4200)) == 0x4200;
}

/* ---- arithmetic ----------------------------------------------------------------------------- */

/* For three halves: the sum, the difference, the product, the quotient, the product and a sum, the
 * root. */
enum { RESULTS = 6 };

static __device__ void calculate(__half a, __half b, __half c, __half *results)
{
    results[0] = __hadd(a, b);
    results[1] = __hsub(a, b);
    results[2] = __hmul(a, b);
    results[3] = __hdiv(a, b);
    results[4] = __hfma(a, b, c);
    results[5] = hsqrt(__habs(a));
}

/* calculate() in double: exact, or so near to it that the nearest half is the same */
static void calculate_exactly(double a, double b, double c, double *results)
{
    results[0] = a + b;
    results[1] = a - b;
    results[2] = a * b;
    results[3] = a / b;
    results[4] = std::fma(a, b, c);
    results[5] = std::sqrt(std::fabs(a));
}

/* Halves of all kinds, in no order; and products that are a tie but for the third number */
static __host__ __device__ void choose(int i, __half *a, __half *b, __half *c)
{
    unsigned int hash = (unsigned int)i * 2654435761u;
    *a = half_of((int)(hash >> 16));
    hash = (hash ^ hash >> 15) * 2246822519u;
    *b = half_of((int)(hash >> 16));
    hash = (hash ^ hash >> 13) * 3266489917u;
    *c = half_of((int)(hash >> 16));
    if (i % 8 != 0) return;
    *a = half_of(0x3c01 + i / 8 % 1024); /* 1 + k / 1024, and 1 + 1 / 2: a tie where k is odd */
    *b = half_of(0x3e00);
    *c = half_of(i % 16 == 0 ? 0x0001 : 0x8001);
}

__global__ void calculate_all(__half *results)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    __half a, b, c;
    choose(i, &a, &b, &c);
    calculate(a, b, c, &results[RESULTS * i]);
}

static void all_arithmetic()
{
    __half *results;
    std::vector<__half> got(RESULTS * PAIRS);
    EXPECT_OK(cudaMalloc(&results, got.size() * sizeof(__half)));
    calculate_all<<<PAIRS / 256, 256>>>(results);
    EXPECT_OK(cudaMemcpy(got.data(), results, got.size() * sizeof(__half), cudaMemcpyDefault));
    EXPECT_OK(cudaFree(results));
    int failures[RESULTS] = {0};
    for (int i = 0; i < PAIRS; i++) {
        __half a, b, c;
        double exact[RESULTS];
        choose(i, &a, &b, &c);
        calculate_exactly(__half2float(a), __half2float(b), __half2float(c), exact);
        for (int k = 0; k < RESULTS; k++)
            failures[k] += !is_same(bits_of(got[(size_t)(RESULTS * i + k)]), nearest(exact[k]));
    }
    for (int k = 0; k < RESULTS; k++) {
        if (failures[k] > 0) printf("result %d: %d are wrong\n", k, failures[k]);
        EXPECT(failures[k] == 0);
    }
}

static __host__ __device__ bool operators_work()
{
    __half a = 5, b = 2, c = a++, d = --b, none = half_of(0x7fff), minus = half_of(0x8000);
    __half sum = a + b, difference = a - b, product = a * b, quotient = b / a;
    c += a;
    c *= b;
    c -= __half(1.0f);
    c /= __half(2.0f);
    return (float)sum == 7 && (float)difference == 5 && (float)product == 6 && (float)d == 1 &&
           bits_of(quotient) == 0x3155 && (float)c == 5 && (float)-c == -5 && a > b && b <= a &&
           a != b && !(a == b) && a >= b && !(a < b) && none != none && !(none == none) &&
           !(none < a) && minus == half_of(0);
}

__device__ bool near(__half half, double value)
{
    return fabs((double)__half2float(half) - value) <= 0.002 * fabs(value);
}

__global__ void functions()
{
    const __half x = 2.0f, none = half_of(0x7fff), minus = half_of(0x8000),
                 most = half_of(INFINITE);
    TEST(0, near(hexp(x), 7.389056) && near(hexp2(x), 4) && near(hexp10(x), 100));
    TEST(1, near(hlog(x), 0.6931472) && near(hlog2(x), 1) && near(hlog10(x), 0.30103));
    TEST(2, near(hsin(x), 0.9092974) && near(hcos(x), -0.4161468) && near(hrcp(x), 0.5));
    TEST(3, near(hrsqrt(x), 0.7071068) && near(hsqrt(x), 1.4142136));
    TEST(4, (float)hrint(__half(2.5f)) == 2 && (float)htrunc(__half(-2.5f)) == -2);
    TEST(5, (float)hfloor(__half(-2.5f)) == -3 && (float)hceil(__half(2.25f)) == 3);
    TEST(6, bits_of(__hneg(x)) == 0xc000 && bits_of(__habs(__hneg(x))) == 0x4000);
    TEST(7, __heq(x, x) && !__hne(x, x) && __hle(x, x) && __hge(x, x) && !__hlt(x, x));
    TEST(8, !__heq(none, x) && !__hne(none, x) && !__hgt(none, x) && __heq(minus, half_of(0)));
    TEST(9, __hequ(none, x) && __hneu(none, x) && __hltu(none, x) && __hgeu(none, none));
    TEST(10, __hisnan(none) && !__hisnan(most) && __hisinf(__hneg(most)) == -1 && !__hisinf(none));
    TEST(11, bits_of(__hmax(x, none)) == 0x4000 && bits_of(__hmin(none, x)) == 0x4000);
    TEST(12, __hisnan(__hmax_nan(x, none)) && bits_of(__hmin_nan(x, minus)) == 0x8000);
    TEST(13,
         bits_of(__hmax(minus, half_of(0))) == 0 && bits_of(__hmin(half_of(0), minus)) == 0x8000);
    TEST(14, (float)__hadd_sat(x, x) == 1 && (float)__hsub_sat(minus, x) == 0);
    TEST(15, (float)__hmul_sat(x, none) == 0 && (float)__hfma_sat(x, __half(0.25f), minus) == 0.5f);
    TEST(16, (float)__hfma_relu(x, x, __half(-5.0f)) == 0 && (float)__hadd_rn(x, x) == 4);
    TEST(17, integers_convert() && integers_round() && types_convert() && operators_work());
}

/* ---- pairs ---------------------------------------------------------------------------------- */

static __host__ __device__ bool is_pair(__half2 pair, float low, float high)
{
    return (float)pair.x == low && (float)pair.y == high;
}

static __host__ __device__ bool pairs_work()
{
    __half2 a = __floats2half2_rn(1, 2), b(__half(3.0f), __half(4.0f)), c = {5.0f, 6.0f};
    float2 floats = __half22float2(b);
    bool made = floats.x == 3 && floats.y == 4 && is_pair(__float22half2_rn(floats), 3, 4) &&
                is_pair(c, 5, 6) && is_pair(__float2half2_rn(7), 7, 7) &&
                is_pair(__half2half2(b.y), 4, 4) && is_pair(make_half2(b.x, a.x), 3, 1) &&
                __low2float(a) == 1 && __high2float(a) == 2 && (float)__low2half(b) == 3 &&
                (float)__high2half(b) == 4;
    bool moved = is_pair(__low2half2(a), 1, 1) && is_pair(__high2half2(a), 2, 2) &&
                 is_pair(__lowhigh2highlow(a), 2, 1) && is_pair(__lows2half2(a, b), 1, 3) &&
                 is_pair(__highs2half2(a, b), 2, 4) && is_pair(__halves2half2(a.y, b.x), 2, 3);
    c += a;
    bool operators = is_pair(a + b, 4, 6) && is_pair(b - a, 2, 2) && is_pair(a * b, 3, 8) &&
                     is_pair(b / a, 3, 2) && is_pair(-a, -1, -2) && is_pair(c, 6, 8) &&
                     is_pair(++c, 7, 9) && a < b && b >= a && a == a && a != b;
    return made && moved && operators;
}

__global__ void pairs()
{
    const __half none = half_of(0x7fff);
    __half2 a = __floats2half2_rn(1, 4), b = __floats2half2_rn(2, 4), c(none, a.x);
    TEST(20, pairs_work());
    TEST(21, is_pair(__hfma2(a, b, b), 4, 20) && is_pair(__hadd2(a, b), 3, 8));
    TEST(22, is_pair(__hsub2(a, b), -1, 0) && is_pair(__hmul2(a, b), 2, 16));
    TEST(23, is_pair(__h2div(a, b), 0.5f, 1) && is_pair(__hneg2(a), -1, -4));
    TEST(24, is_pair(__habs2(__hneg2(a)), 1, 4) && is_pair(h2sqrt(a), 1, 2));
    TEST(25, is_pair(__hmax2(a, b), 2, 4) && is_pair(__hmin2(a, c), 1, 1));
    TEST(26, is_pair(__heq2(a, b), 0, 1) && is_pair(__hlt2(a, b), 1, 0) && __hble2(a, b));
    TEST(27, !__hbeq2(a, b) && !__hblt2(a, b) && !__hbne2(a, b) && __hbequ2(c, c) == 1);
    TEST(28, __heq2_mask(a, b) == 0xffff0000 && __hltu2_mask(c, a) == 0xffffffff);
    TEST(29,
         is_pair(__hisnan2(c), 1, 0) && is_pair(h2trunc(__floats2half2_rn(1.5f, -1.5f)), 1, -1));
    TEST(30, is_pair(__hcmadd(a, b, a), 2 - 16 + 1, 4 + 8 + 4));
    TEST(31, near(h2exp2(b).x, 4) && near(h2rcp(b).y, 0.25));
    TEST(32, is_pair(__hadd2_sat(a, b), 1, 1) && is_pair(__hfma2_sat(a, __hneg2(b), a), 0, 0));
}

/* ---- memory and lanes ----------------------------------------------------------------------- */

struct polynomial {
    __half a, b;
    __half2 c;
};
__constant__ __half ten;
__device__ __half variable[4];

__global__ void together(const __half *__restrict__ x, const __half2 *__restrict__ pairs,
                         polynomial p, __half *sums, __half2 *pair_sums)
{
    extern __shared__ __half dynamic[];
    __shared__ __half tile[4][33];
    const unsigned int all = 0xffffffff;
    int i = (int)threadIdx.x, lane = i % 32;
    tile[i / 32][lane] = x[i];
    dynamic[i] = __ldg(&x[i]);
    __syncthreads();
    TEST(40, __heq(tile[3 - i / 32][31 - lane], x[127 - i]) && __heq(dynamic[i], x[i]));
    TEST(41, (float)p.a == 1 && (float)p.b == 2 && is_pair(p.c, 3, 4) && (float)ten == 10);
    TEST(42, __heq(__shfl_sync(all, x[i], 3), x[i - lane + 3]));
    TEST(43, __heq(__shfl_up_sync(all, x[i], 1), x[lane > 0 ? i - 1 : i]));
    TEST(44, __hbeq2(__shfl_down_sync(all, pairs[i], 16), pairs[lane < 16 ? i + 16 : i]));
    TEST(45, __hbeq2(__shfl_xor_sync(all, pairs[i], 1), pairs[i ^ 1]));
    TEST(46, __hbeq2(__ldg(pairs + i), pairs[i]));
    atomicAdd(&sums[0], p.a);
    TEST(47, (float)atomicAdd(&sums[1], x[1]) >= 0);
    for (int k = 0; k < 20; k++)
        atomicAdd(&sums[2], p.a); /* 2560 times: beyond 2048 a half cannot count on */
    atomicAdd(pair_sums, p.c);
    if (i == 0) variable[2] = x[2];
}

static void memory_and_lanes()
{
    enum { THREADS = 128 };
    __half host[THREADS], sums[4] = {}, h_ten = 10.0f, read;
    for (int i = 0; i < THREADS; i++)
        host[i] = (float)i / 4;
    __half *x;
    EXPECT_OK(cudaMalloc(&x, sizeof host + 2 * sizeof host + 4 * sizeof(__half) + sizeof(__half2)));
    __half2 *pairs = (__half2 *)(x + THREADS);
    __half *s = x + 3 * THREADS;
    for (int k = 0; k < 3; k++)
        EXPECT_OK(cudaMemcpy(x + k * THREADS, host, sizeof host, cudaMemcpyHostToDevice));
    EXPECT_OK(cudaMemset(s, 0, 4 * sizeof(__half) + sizeof(__half2)));
    EXPECT_OK(cudaMemcpyToSymbol(ten, &h_ten, sizeof ten));
    polynomial p = {1.0f, 2.0f, {3.0f, 4.0f}};
    together<<<1, THREADS, sizeof host>>>(x, pairs, p, s, (__half2 *)(s + 4));
    EXPECT_OK(cudaMemcpy(sums, s, sizeof sums, cudaMemcpyDeviceToHost));
    EXPECT((float)sums[0] == 128 && (float)sums[1] == 32 && (float)sums[2] == 2048);
    __half2 pair;
    EXPECT_OK(cudaMemcpy(&pair, s + 4, sizeof pair, cudaMemcpyDeviceToHost));
    EXPECT(is_pair(pair, 384, 512));
    EXPECT_OK(cudaMemcpyFromSymbol(&read, variable, sizeof read, 2 * sizeof read));
    EXPECT((float)read == 0.5f);
    EXPECT_OK(cudaFree(x));
}

int main()
{
    list_sizes();
    all_halves_there_and_back();
    all_ties();
    ends_of_the_range();
    EXPECT(integers_convert());
    EXPECT(types_convert());
    EXPECT(operators_work());
    EXPECT(pairs_work());
    all_arithmetic();
    functions<<<1, 1>>>();
    pairs<<<1, 1>>>();
    memory_and_lanes();
    expect_none_wrong(__LINE__);
    return expect_result();
}
