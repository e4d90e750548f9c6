/*
 * ptx.cu: inline PTX of the usual kinds: arithmetic, bits, registers, memory, asynchronous copies,
 * the block and the warp, products of matrices. For compute capability 8.0 and later.
 */
#include "expect.h"

#include <cuda_fp16.h>
#include <stdint.h>
#include <string.h>

/* The tests that failed in kernels: a bit each. */
__device__ unsigned long long wrong;

#define TEST(number, condition)                                                                    \
    do {                                                                                           \
        if (!(condition)) atomicOr(&wrong, 1ull << (number));                                      \
    } while (0)

static void expect_none_wrong(int line)
{
    unsigned long long bits = ~0ull, none = 0;
    EXPECT_OK(cudaMemcpyFromSymbol(&bits, wrong, sizeof bits));
    if (bits != 0) printf("the tests above line %d: %llx\n", line, bits);
    EXPECT(bits == 0);
    EXPECT_OK(cudaMemcpyToSymbol(wrong, &none, sizeof none));
}

/* ---- numbers -------------------------------------------------------------------------------- */

template <class T> __device__ T fused(T a, T b, T c);
template <> __device__ float fused(float a, float b, float c)
{
    float d;
    asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(d) : "f"(a), "f"(b), "f"(c));
    return d;
}
template <> __device__ double fused(double a, double b, double c)
{
    double d;
    asm("fma.rn.f64 %0, %1, %2, %3;" : "=d"(d) : "d"(a), "d"(b), "d"(c));
    return d;
}

#define FLOATS(d, operation, a, b) asm(operation " %0, %1, %2;" : "=f"(d) : "f"(a), "f"(b))

__global__ void numbers(float a, float b, int i, unsigned u)
{
    float d;
    int s;
    unsigned w;
    unsigned long long l;
    TEST(0, fused(a, b, 1.0f) == fmaf(a, b, 1.0f) && fused(2.0, 3.0, 0.5) == 6.5);
    FLOATS(d, "add.f32", a, b);
    TEST(1, d == a + b);
    FLOATS(d, "mul.rn.f32", a, b);
    TEST(2, d == __fmul_rn(a, b));
    FLOATS(d, "max.f32", a, b);
    TEST(3, d == 3);
    FLOATS(d, "min.f32", a, b);
    TEST(4, d == -1.5f);
    asm("add.f32 %0, %0, %1;" : "+f"(d) : "f"(1.0f));
    TEST(5, d == -0.5f);
    asm("sqrt.approx.f32 %0, %1;" : "=f"(d) : "f"(16.0f));
    TEST(6, fabsf(d - 4) < 1e-5f);
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(d) : "f"(3.0f));
    TEST(7, fabsf(d - 8) < 1e-5f);
    asm("add.s32 %0, %1, %2;" : "=r"(s) : "r"(i), "n"(-7));
    TEST(8, s == i - 7);
    asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(s) : "r"(i), "r"(3), "r"(4));
    TEST(9, s == 3 * i + 4);
    asm("mul.wide.u32 %0, %1, %2;" : "=l"(l) : "r"(u), "r"(u));
    TEST(10, l == (unsigned long long)u * u);
    asm("mul.hi.u32 %0, %1, %2;" : "=r"(w) : "r"(u), "r"(u));
    TEST(11, w == __umulhi(u, u));
    asm("shr.s32 %0, %1, 2;" : "=r"(s) : "r"(-20));
    TEST(12, s == -5);
    asm("cvt.rni.s32.f32 %0, %1;" : "=r"(s) : "f"(2.5f));
    TEST(13, s == 2);
    asm("cvt.rn.f32.s32 %0, %1;" : "=f"(d) : "r"(-3));
    TEST(14, d == -3);
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(w) : "f"(1 + 0x1p-11f));
    TEST(15, w == 0x3f802000);
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(w) : "f"(1.0f), "f"(2.0f));
    TEST(16, w == 0x3c004000);
    asm("{ .reg .pred p; setp.gt.f32 p, %1, %2; selp.u32 %0, 5, 6, p; }"
        : "=r"(w)
        : "f"(a), "f"(b));
    TEST(17, w == (a > b ? 5 : 6));
    asm("{\n\t.reg .pred p;\n\tsetp.ne.b32 p, %1, 0;\n\t@p mov.u32 %0, 9;\n\t@!p mov.u32 %0, 8;\n}"
        : "=r"(w)
        : "r"(u));
    TEST(18, w == 9);
    asm("mov.f32 %0, 0f40490FDB;" : "=f"(d));
    TEST(19, fabsf(d - 3.14159274f) < 1e-6f);
    asm("fma.rn.f16x2 %0, %1, %1, %1;" : "=r"(w) : "r"(0x3c004000));
    TEST(20, w == 0x40004600); /* 1 * 1 + 1, 2 * 2 + 2 */
    asm("div.u32 %0, %1, 7;" : "=r"(w) : "r"(u));
    TEST(21, w == u / 7);
}

/* ---- bits ----------------------------------------------------------------------------------- */

__global__ void bits(unsigned a, unsigned b)
{
    unsigned d;
    int s;
    uint64_t l;
    asm("bfe.u32 %0, %1, 4, 8;" : "=r"(d) : "r"(a));
    TEST(0, d == (a >> 4 & 255));
    asm("bfe.s32 %0, %1, 28, 4;" : "=r"(s) : "r"(a));
    TEST(1, s == (int)a >> 28);
    asm("bfi.b32 %0, %1, %2, 8, 4;" : "=r"(d) : "r"(5), "r"(a));
    TEST(2, d == ((a & ~0xf00u) | 0x500));
    asm("prmt.b32 %0, %1, %2, 0x5410;" : "=r"(d) : "r"(a), "r"(b));
    TEST(3, d == __byte_perm(a, b, 0x5410));
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(d) : "r"(a), "r"(b), "r"(99));
    TEST(4, d == (a ^ b ^ 99));
    asm("lop3.b32 %0, %1, %2, %3, 0xea;" : "=r"(d) : "r"(a), "r"(b), "r"(99));
    TEST(5, d == ((a & b) | 99));
    asm("shf.l.wrap.b32 %0, %1, %2, 8;" : "=r"(d) : "r"(a), "r"(b));
    TEST(6, d == __funnelshift_l(a, b, 8));
    asm("shf.r.clamp.b32 %0, %1, %2, 40;" : "=r"(d) : "r"(a), "r"(b));
    TEST(7, d == b);
    asm("popc.b32 %0, %1;" : "=r"(d) : "r"(a));
    TEST(8, d == (unsigned)__popc(a));
    asm("brev.b32 %0, %1;" : "=r"(d) : "r"(a));
    TEST(9, d == __brev(a));
    asm("clz.b32 %0, %1;" : "=r"(d) : "r"(1));
    TEST(10, d == 31);
    asm("mov.b64 %0, {%1, %2};" : "=l"(l) : "r"(a), "r"(b));
    TEST(11, l == ((uint64_t)b << 32 | a));
    asm("mov.b64 {%0, %1}, %2;" : "=r"(s), "=r"(d) : "l"(l));
    TEST(12, (unsigned)s == a && d == b);
    asm("and.b32 %0, %1, %2;\n\tor.b32 %0, %0, 1;" : "=&r"(d) : "r"(a), "r"(b));
    TEST(13, d == ((a & b) | 1));
}

/* ---- registers ------------------------------------------------------------------------------ */

__global__ void registers()
{
    unsigned lane, warp, thread, block, shape, sm, below, clock;
    long long ticks;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
    asm("mov.u32 %0, %%tid.x;" : "=r"(thread));
    asm("mov.u32 %0, %%ctaid.y;" : "=r"(block));
    asm("mov.u32 %0, %%ntid.x;" : "=r"(shape));
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
    asm volatile("mov.u32 %0, %%clock;" : "=r"(clock)::"memory");
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(ticks)::"memory");
    TEST(0, lane == threadIdx.x % 32 && below == (1u << lane) - 1);
    TEST(1, warp == threadIdx.x / 32);
    TEST(2, thread == threadIdx.x && block == blockIdx.y && shape == blockDim.x);
    TEST(3, sm < 1000 && ticks > 0);
}

/* ---- memory --------------------------------------------------------------------------------- */

#define LOAD_4(v, at)                                                                              \
    asm volatile("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];"                                     \
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)                                      \
                 : "l"(at))

__device__ __forceinline__ unsigned shared_address(const void *at)
{
    unsigned address;
    asm("{ .reg .u64 u64addr;\n"
        " cvta.to.shared.u64 u64addr, %1;\n"
        " cvt.u32.u64 %0, u64addr; }\n"
        : "=r"(address)
        : "l"(at));
    return address;
}

/* in: 4 floats per thread; out: the same, turned around within the block */
__global__ void memory(const float *in, float *out)
{
    __shared__ float4 tile[64];
    float4 v;
    float first;
    int last = blockDim.x - 1 - threadIdx.x;
    LOAD_4(v, in + 4 * threadIdx.x);
    asm volatile("ld.global.cg.f32 %0, [%1+12];" : "=f"(first) : "l"(in + 4 * threadIdx.x));
    TEST(0, first == v.w);
    unsigned at = (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x]);
    TEST(1, at == shared_address(&tile[threadIdx.x]));
    asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(at), "f"(v.w), "f"(v.z), "f"(v.y),
                 "f"(v.x)
                 : "memory");
    asm volatile("bar.sync 0;" ::: "memory");
    at = shared_address(&tile[last]);
    asm volatile("ld.shared.v2.f32 {%0, %1}, [%4];\n\tld.shared.v2.f32 {%2, %3}, [%4 + 8];"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                 : "r"(at));
    asm volatile("st.global.cs.v2.f32 [%0], {%1, %2};" ::"l"(out + 4 * threadIdx.x), "f"(v.x),
                 "f"(v.y));
    asm volatile(
        "st.global.f32 [%0+8], %1; st.global.f32 [%0+12], %2;" ::"l"(out + 4 * threadIdx.x),
        "f"(v.z), "f"(v.w));
    asm volatile("membar.gl;" ::: "memory");
}

#define COPY_ASYNC(to, from, bytes)                                                                \
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], %2;\n" ::"r"(to), "l"(from),      \
                 "n"(bytes))

/* Two batches: the first has arrived when one may still be in flight; the last 8 bytes are zeros.
 */
__global__ void copies(const int4 *in, int *out)
{
    __shared__ int4 first[32], second[32];
    COPY_ASYNC((unsigned)__cvta_generic_to_shared(&first[threadIdx.x]), &in[threadIdx.x], 16);
    asm volatile("cp.async.commit_group;\n" ::);
    asm volatile(
        "cp.async.ca.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(&second[threadIdx.x])),
        "l"(&in[32 + threadIdx.x]), "r"(8));
    asm volatile("cp.async.commit_group;");
    asm volatile("cp.async.wait_group %0;" ::"n"(1));
    __syncthreads();
    int4 other = first[31 - threadIdx.x];
    out[threadIdx.x] = other.x + other.w;
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    other = second[31 - threadIdx.x];
    out[32 + threadIdx.x] = other.y + other.w;
}

/* ---- the warp ------------------------------------------------------------------------------- */

__global__ void warp()
{
    unsigned lane = threadIdx.x, other, votes;
    asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, 0xffffffff;" : "=r"(other) : "r"(lane));
    TEST(0, other == (lane ^ 1));
    asm volatile("shfl.sync.down.b32 %0, %1, %2, %3, 0xffffffff;"
                 : "=r"(other)
                 : "r"(lane), "r"(8), "r"(0x1f));
    TEST(1, other == (lane < 24 ? lane + 8 : lane));
    asm volatile("shfl.sync.idx.b32 %0, %1, 3, 0x181f, 0xffffffff;" : "=r"(other) : "r"(lane));
    TEST(2, other == (lane & 24) + 3);
    asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 5; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
                 : "=r"(votes)
                 : "r"(lane));
    TEST(3, votes == 31);
    asm volatile("bar.warp.sync 0xffffffff;");
}

/* ---- matrices ------------------------------------------------------------------------------- */

/* Row r, column c of the product that ldmatrix and mma are asked for, with small numbers */
__device__ float number_a(int r, int k)
{
    return (r * 3 + k) % 5;
}
__device__ float number_b(int k, int c)
{
    return (k + c * 2) % 7;
}

/* Sums of a thread: rows lane / 4 and 8 below, columns 2 (lane % 4) and the next one */
__device__ void check_sums(const float d[4], int depth, int test)
{
    for (int i = 0; i < 4; i++) {
        int row = threadIdx.x / 4 + 8 * (i / 2), column = threadIdx.x % 4 * 2 + i % 2;
        float sum = 1;
        for (int k = 0; k < depth; k++)
            sum += number_a(row, k) * number_b(k, column);
        TEST(test, d[i] == sum);
    }
}

__global__ void halves()
{
    __shared__ __align__(16) half a[16][16], b[16][8];
    unsigned fa[4], fb[2], pair[2];
    float d[4] = {1, 1, 1, 1};
    for (int i = threadIdx.x; i < 256; i += 32)
        a[i / 16][i % 16] = __float2half(number_a(i / 16, i % 16));
    for (int i = threadIdx.x; i < 128; i += 32)
        b[i / 8][i % 8] = __float2half(number_b(i / 8, i % 8));
    __syncwarp();
    unsigned at = shared_address(&a[threadIdx.x % 16][threadIdx.x / 16 * 8]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3])
                 : "r"(at));
    asm volatile("ldmatrix.sync.aligned.x2.trans.m8n8.shared.b16 {%0, %1}, [%2];"
                 : "=r"(fb[0]), "=r"(fb[1])
                 : "r"(shared_address(b[threadIdx.x % 16])));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
    check_sums(d, 16, 0);
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 "
                 "{%0, %1}, {%2, %3}, {%4}, {%5, %5};"
                 : "=r"(pair[0]), "=r"(pair[1])
                 : "r"(fa[0]), "r"(fa[1]), "r"(fb[0]), "r"(0x3c003c00));
    for (int i = 0; i < 2; i++) {
        half2 two;
        memcpy(&two, &pair[i], sizeof two);
        d[2 * i] = __low2float(two);
        d[2 * i + 1] = __high2float(two);
    }
    check_sums(d, 8, 1);
}

__global__ void others()
{
    int lane = threadIdx.x, row = lane / 4, word = lane % 4;
    float fa[4], fb[2], d[4];
    unsigned pairs_a[4], pairs_b[2];
    for (int i = 0; i < 4; i++)
        fa[i] = number_a(row + 8 * (i % 2), word + 4 * (i / 2));
    for (int i = 0; i < 2; i++)
        fb[i] = number_b(word + 4 * i, row);
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %10, %10, %10};"
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
                 : "r"(__float_as_uint(fa[0])), "r"(__float_as_uint(fa[1])),
                   "r"(__float_as_uint(fa[2])), "r"(__float_as_uint(fa[3])),
                   "r"(__float_as_uint(fb[0])), "r"(__float_as_uint(fb[1])), "f"(1.0f));
    check_sums(d, 8, 0);
    for (int i = 0; i < 4; i++) {
        int r = row + 8 * (i % 2), k = 2 * word + 8 * (i / 2);
        asm("cvt.rn.bf16x2.f32 %0, %1, %2;"
            : "=r"(pairs_a[i])
            : "f"(number_a(r, k + 1)), "f"(number_a(r, k)));
    }
    for (int i = 0; i < 2; i++)
        asm("cvt.rn.bf16x2.f32 %0, %1, %2;"
            : "=r"(pairs_b[i])
            : "f"(number_b(2 * word + 8 * i + 1, row)), "f"(number_b(2 * word + 8 * i, row)));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %10, %10, %10};"
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
                 : "r"(pairs_a[0]), "r"(pairs_a[1]), "r"(pairs_a[2]), "r"(pairs_a[3]),
                   "r"(pairs_b[0]), "r"(pairs_b[1]), "f"(1.0f));
    check_sums(d, 16, 1);
}

/* ---- the host ------------------------------------------------------------------------------- */

static void check_memory()
{
    float list[256], got[256], *in, *out;
    for (int i = 0; i < 256; i++)
        list[i] = i;
    EXPECT_OK(cudaMalloc(&in, sizeof list));
    EXPECT_OK(cudaMalloc(&out, sizeof list));
    EXPECT_OK(cudaMemcpy(in, list, sizeof list, cudaMemcpyHostToDevice));
    memory<<<1, 64>>>(in, out);
    EXPECT_OK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    int turned = 0;
    for (int i = 0; i < 256; i++)
        turned += got[i] == 255 - i;
    EXPECT(turned == 256);
    expect_none_wrong(__LINE__);

    int whole[256], sums[64];
    for (int i = 0; i < 256; i++)
        whole[i] = i;
    EXPECT_OK(cudaMemcpy(in, whole, sizeof whole, cudaMemcpyHostToDevice));
    copies<<<1, 32>>>((int4 *)in, (int *)out);
    EXPECT_OK(cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++) {
        EXPECT(sums[i] == 2 * 4 * (31 - i) + 3);
        EXPECT(sums[32 + i] == 128 + 4 * (31 - i) + 1);
    }
    cudaFree(in);
    cudaFree(out);
}

int main()
{
    numbers<<<1, 1>>>(3, -1.5f, 11, 4000000007u);
    expect_none_wrong(__LINE__);
    bits<<<1, 1>>>(0xc0decafe, 0x12345678);
    expect_none_wrong(__LINE__);
    registers<<<dim3(1, 3), 96>>>();
    expect_none_wrong(__LINE__);
    check_memory();
    warp<<<1, 32>>>();
    expect_none_wrong(__LINE__);
    halves<<<1, 32>>>();
    expect_none_wrong(__LINE__);
    others<<<1, 32>>>();
    expect_none_wrong(__LINE__);
    return expect_result();
}
