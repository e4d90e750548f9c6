/* kernels.cu: what a kernel may call. */
#include "expect.h"

#include <algorithm>
#include <cmath>

/* The tests that failed: a bit each. */
__device__ unsigned long long wrong;

#define TEST(number, condition)                                                                    \
    do {                                                                                           \
        if (!(condition)) atomicOr(&wrong, 1ull << (number));                                      \
    } while (0)

__device__ bool near(double a, double b)
{
    return fabs(a - b) <= 1e-5 * fabs(b);
}

__global__ void mathematics(float x, double y)
{
    TEST(0, near(rsqrtf(x), 0.5f) && near(rsqrt(y), 1 / sqrt(3.0)));
    TEST(1, near(__expf(x), expf(4)) && near(__logf(x), logf(4)) && near(__powf(x, 2), 16));
    TEST(2, __fdividef(x, 2) == 2 && __fadd_rn(x, 1) == 5 && __fmaf_rn(x, 2, 1) == 9);
    TEST(3, fmaf(x, x, 1) == 17 && fma(y, y, 1.0) == 10 && __dmul_rn(y, 2) == 6);
    TEST(4, __float2int_rn(2.5f) == 2 && __float2int_ru(2.1f) == 3 && __double2int_rz(-2.9) == -2);
    TEST(5, __int2float_rn(7) == 7.0f && __float_as_int(1.0f) == 0x3f800000);
    TEST(6, __int_as_float(0x40000000) == 2.0f && __saturatef(x) == 1.0f);
    TEST(7, __popc(0xff) == 8 && __clz(1) == 31 && __ffs(8) == 4 && __brev(1) == 0x80000000u);
    TEST(8, __mul24(-3, 5) == -15 && __umulhi(1u << 31, 4) == 2 && __popcll(~0ull) == 64);
    TEST(9, min(3, 5) == 3 && max(3u, 5u) == 5 && min(2.0f, x) == 2.0f && max(y, 1.0) == 3.0);
    TEST(10, min(-1, 5) == -1 && max(7ll, 3ll) == 7 && max(x, 5.0f) == 5.0f);
    float s, c;
    sincosf(x, &s, &c);
    TEST(11, near(s * s + c * c, 1) && near(sinpif(0.5f), 1) && near(cospi(1.0), -1));
    TEST(12, near(cbrtf(8), 2) && near(hypot(3.0, 4.0), 5) && near(exp10f(2), 100));
    TEST(13, std::sqrt(x) == 2 && abs(-3) == 3 && fabsf(-x) == 4 && isnan(x - x) == 0);
    TEST(14, near(norm3df(2, 3, 6), 7) && near(erff(0), 0) && near(tgammaf(5), 24));
    TEST(15, __byte_perm(0x33221100, 0x77665544, 0x7421) == 0x77442211 && __urhadd(2, 3) == 3);
    TEST(16, __hiloint2double(0x3ff80000, 0) == 1.5 && umin(1u, ~0u) == 1 && llmax(-1, 2) == 2);
    TEST(17, __funnelshift_lc(1, 2, 40) == 1 && __funnelshift_rc(1, umax(1, 2), 1) == 0);
    float two[2] = {3, 4};
    TEST(18, near(normf(2, two), 5) && near(rnorm4d(1, 1, 1, 1), 0.5));
    __builtin_assume(x > 0);
}

__global__ void atomics(int *i, unsigned *u, unsigned long long *l, float *f, double *d)
{
    atomicAdd(&i[0], 2);
    atomicSub(&i[1], 1);
    atomicMin(&i[2], -(int)threadIdx.x);
    atomicMax(&i[3], (int)threadIdx.x);
    atomicAdd(&u[0], 1u);
    atomicInc(&u[1], 9u);
    atomicDec(&u[2], 9u);
    atomicAnd(&u[3], ~(1u << (threadIdx.x % 32)));
    atomicXor(&u[4], 1u);
    atomicAdd(&l[0], 1ull << 32);
    atomicMax(&l[1], (unsigned long long)threadIdx.x << 40);
    atomicAdd(f, 0.5f);
    atomicAdd(d, 0.25);
    for (unsigned old = u[5], seen; (seen = atomicCAS(&u[5], old, old + 3)) != old;)
        old = seen;
    if (threadIdx.x == 0) atomicExch(&i[4], 77);
}

#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 900
__global__ void vectors(float4 *v, unsigned short *s)
{
    float4 old = atomicAdd(v, make_float4(1, 2, 3, 4));
    if (old.y == 2 * 63) atomicAdd((float2 *)v, make_float2(-100, 1));
    for (unsigned short before = *s, seen; (seen = atomicCAS(s, before, before + 2)) != before;)
        before = seen;
}
#endif

__global__ void loads(const float *__restrict__ from, float *to, long long *cycles)
{
    int i = threadIdx.x;
    long long start = clock64();
    to[i] = __ldg(&from[i]) + __ldg(from + i);
    float four[4];
    memcpy(four, from, sizeof four);
    __threadfence();
    if (i == 0) to[0] = four[3];
    if (i == 0) *cycles = clock64() - start + (clock() != 0);
}

__global__ void speak()
{
    printf("thread %d of %d says %.1f %s\n", threadIdx.x, blockDim.x, 1.5, "hello");
}

template <class T> static void expect_values(const T *device, std::initializer_list<T> wanted)
{
    T host[16];
    EXPECT_OK(cudaMemcpy(host, device, wanted.size() * sizeof(T), cudaMemcpyDeviceToHost));
    EXPECT(std::equal(wanted.begin(), wanted.end(), host));
}

int main()
{
    mathematics<<<1, 1>>>(4.0f, 3.0);
    unsigned long long bits = 1;
    EXPECT_OK(cudaMemcpyFromSymbol(&bits, wrong, sizeof bits));
    if (bits != 0) printf("wrong: %llx\n", bits);
    EXPECT(bits == 0);

    char *all;
    EXPECT_OK(cudaMalloc(&all, 4096));
    EXPECT_OK(cudaMemset(all, 0, 4096));
    int *i = (int *)all;
    unsigned *u = (unsigned *)(all + 256);
    unsigned long long *l = (unsigned long long *)(all + 512);
    float *f = (float *)(all + 768), *v = (float *)(all + 1024);
    double *d = (double *)(all + 896);
    EXPECT_OK(cudaMemset(&u[3], 255, 4));
    atomics<<<4, 64>>>(i, u, l, f, d);
    expect_values(i, {512, -256, -63, 63, 77});
    expect_values(u, {256u, 6u, 4u, 0u, 0u, 768u});
    expect_values(l, {256ull << 32, 63ull << 40});
    expect_values(f, {128.0f});
    expect_values(d, {64.0});

    vectors<<<2, 32>>>((float4 *)f, (unsigned short *)u);
    expect_values(f, {92.0f, 129.0f, 192.0f, 256.0f});
    expect_values(u, {384u});

    float host[64];
    for (int k = 0; k < 64; k++)
        host[k] = (float)k;
    EXPECT_OK(cudaMemcpy(v, host, sizeof host, cudaMemcpyHostToDevice));
    loads<<<1, 64>>>(v, v + 64, (long long *)l);
    EXPECT_OK(cudaMemcpy(host, v + 64, sizeof host, cudaMemcpyDeviceToHost));
    EXPECT(host[0] == 3 && host[63] == 126);
    long long cycles;
    EXPECT_OK(cudaMemcpy(&cycles, l, sizeof cycles, cudaMemcpyDeviceToHost));
    EXPECT(cycles > 0);
    speak<<<1, 2>>>();
    EXPECT_OK(cudaDeviceSynchronize());
    EXPECT_OK(cudaFree(all));
    return expect_result();
}
