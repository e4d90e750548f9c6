// The functions of kernels return these values. Run by itself, this program says "as expected".
// O0: \bvprintf\b
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
namespace cg = cooperative_groups;
__device__ int wrong;
template <class A, class B> __device__ void check(A is, B should, int line)
{
    if (is == (A)should) return;
    printf("line %d: %g, not %g\n", line, (double)is, (double)should);
    atomicAdd(&wrong, 1);
}
#define CHECK(is, should) check(is, should, __LINE__)

/* Numbers that the compiler does not know */
struct inputs {
    unsigned int x, y;
    int i;
    float f;
    double d;
    long long l;
};

__global__ void bits(inputs in)
{
    CHECK(__vadd4(in.x, in.y), 0x81818181u + 0x00800000u - 0x00800000u);
    CHECK(__vadd2(0xffff0001u, in.x - in.x + 0x00010001u), 0x00000002u);
    CHECK(__vaddss2(0x7fff8000u, in.x - in.x + 0x0001ffffu), 0x7fff8000u);
    CHECK(__vcmpgts2(0x0001ffffu, in.x - in.x), 0xffff0000u);
    CHECK(__vsetgeu4(0x01020304u, in.x - in.x + 0x02020202u), 0x00010101u);
    CHECK(__vsadu4(0x01020304u, in.x - in.x), 10u);
    CHECK(__vabsdiffu4(0x01ff0304u, in.x - in.x + 0x02000304u), 0x01ff0000u);
    CHECK(__vavgu4(0x01030507u, in.x - in.x + 0x02030405u), 0x02030506u);
    CHECK(__vnegss2(0x80000001u + in.x - in.x), 0x7fffffffu);
    CHECK(__dp4a(0x01020304, in.i - in.i + 0x01010101, 5), 15);
    CHECK(__byte_perm(0x33221100u, in.x - in.x + 0x77665544u, 0x7410), 0x77441100u);
    CHECK(__funnelshift_l(0x80000000u, in.x - in.x + 1, 1), 3u);
    CHECK(__funnelshift_rc(0x80000000u, in.x - in.x + 1, 40), 1u);
    CHECK(__brev(in.x - in.x + 1), 0x80000000u);
    CHECK(__popcll(in.l - in.l + 0xff00ff00ll), 16);
    CHECK(__clz(in.i - in.i), 32);
    CHECK(__ffsll(in.l - in.l + 0x100000000ll), 33);
    CHECK(__mulhi(in.i - in.i + 0x40000000, 8), 2);
    CHECK(__umul64hi(1ull << 63, in.l - in.l + 6), 3ull);
    CHECK(__hadd(in.i - in.i + 0x7fffffff, 0x7fffffff), 0x7fffffff);
    CHECK(__sad(in.i - in.i - 3, 4, 1u), 8u);
    CHECK(__viaddmax_s32(in.i - in.i + 3, 4, 9), 9);
    CHECK(__vimin3_s32(in.i - in.i + 3, -4, 9), -4);
    CHECK(__fns(0xf0u, in.x - in.x, 2), 5u);
}

__global__ void numbers(inputs in)
{
    CHECK(__float2int_rz(in.f), -2);
    CHECK(__float2int_rd(in.f), -3);
    CHECK(__float2int_rn(in.f), -2);
    CHECK(__float2uint_rn(in.f), 0u);
    CHECK(__double2int_ru(in.d), 4);
    CHECK(__double2hiint(in.d), 0x400a0000);
    CHECK(__fadd_ru(1.0f, in.f * 0 + 1e-10f), 1.00000012f);
    CHECK(__fadd_rd(1.0f, in.f * 0 + 1e-10f), 1.0f);
    CHECK(__ll2float_rz((1ll << 40) + 1 + in.l - in.l), 1099511627776.0f);
    CHECK(max(in.f, 1.0f), 1.0f);
    CHECK(fmaxf(in.f, nanf("")), -2.5f);
    CHECK(abs(in.i), 7);
    CHECK(fabsf(in.f), 2.5f);
    CHECK(round(in.d), 3.0);
    CHECK(roundf(in.f), -3.0f);
    CHECK(rintf(in.f), -2.0f);
    CHECK(lround(in.d), 3l);
    CHECK(std::pow(2.0f, in.i + 10), 8.0);
    CHECK(sqrt(in.d * 0 + 9), 3.0);
    CHECK(rsqrtf(in.f * 0 + 4), 0.5f);
    CHECK(std::fmin(in.d, 1.0), 1.0);
    CHECK(isnan(in.f * 0 / 0), true);
    CHECK(isinf(1 / (in.f * 0)), true);
    CHECK(signbit(in.f), true);
    CHECK(copysignf(3.0f, in.f), -3.0f);
    CHECK(ldexp(in.d, 2), 13.0);
    CHECK(ilogb(in.d), 1);
    int exponent;
    CHECK(frexp(in.d, &exponent), 0.8125);
    CHECK(exponent, 2);
    float whole;
    CHECK(modff(in.f, &whole), -0.5f);
    CHECK(whole, -2.0f);
    CHECK(norm3df(in.f * 0 + 1, 2, 2), 3.0f);
    CHECK(exp2f(in.f * 0 + 3), 8.0f);
    CHECK(hypotf(in.f * 0 + 3, 4), 5.0f);
    CHECK(__saturatef(in.f), 0.0f);
}

__global__ void halves(inputs in)
{
    half h = __float2half(in.f), one = __float2half(1.0f);
    CHECK((float)(h + one), -1.5f);
    CHECK((float)__hfma(h, h, one), 7.25f);
    CHECK((float)(h / h), 1.0f);
    CHECK((int)h, -2);
    CHECK(__half2int_rd(h), -3);
    CHECK((float)__double2half(65519.0 + in.d * 0), 65504.0f);
    CHECK((float)__ll2half_rn(65519 + in.l - in.l), 65504.0f);
    CHECK((float)__float2half_rz(2049.0f + in.f * 0), 2048.0f);
    CHECK((float)__float2half_ru(2049.0f + in.f * 0), 2050.0f);
    CHECK(h < one, true);
    CHECK(__hmax(h, one) == one, true);
    half2 pair = __floats2half2_rn(in.f, 2.0f);
    CHECK(__low2float(pair * pair), 6.25f);
    CHECK(__high2float(__hadd2(pair, pair)), 4.0f);
    CHECK(__heq2_mask(pair, pair), 0xffffffffu);
    CHECK((float)hsqrt(__float2half(in.f * 0 + 9)), 3.0f);
    __nv_bfloat16 b = __float2bfloat16(in.f), c = __float2bfloat16(257.0f + in.f * 0);
    CHECK((float)c, 256.0f);
    CHECK((float)(b * b), 6.25f);
    CHECK((float)__hneg(b), 2.5f);
    CHECK(__low2float(__floats2bfloat162_rn(in.f, 1.0f)), -2.5f);
    CHECK((float)__int2bfloat16_rz(511 + in.i - in.i), 510.0f);
}

__global__ void lanes(inputs in)
{
    int lane = threadIdx.x;
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto tile = cg::tiled_partition<8>(warp);
    CHECK(__shfl_down_sync(0xffffffff, lane, 4), lane + 4 < 32 ? lane + 4 : lane);
    CHECK(__shfl_xor_sync(0xffffffff, 1.5 * lane, 1), 1.5 * (lane ^ 1));
    CHECK(__shfl_up_sync(0xffffffff, (long long)lane, 1u, 8), lane % 8 == 0 ? lane : lane - 1);
    CHECK(cg::reduce(warp, lane, cg::plus<int>()), 496);
    CHECK(cg::reduce(tile, (float)lane, cg::greater<float>()), lane / 8 * 8 + 7);
    CHECK(cg::inclusive_scan(tile, 1), lane % 8 + 1);
    CHECK(cg::exclusive_scan(warp, lane), lane * (lane - 1) / 2);
    CHECK(tile.ballot(lane % 2), 0xaau);
    CHECK(tile.meta_group_rank(), (unsigned int)lane / 8);
    CHECK(warp.shfl(make_float4(lane, 0, 0, 2.0f * lane), 5).w, 10.0f);
    CHECK(warp.shfl((short)lane, 7), 7);
    CHECK(__match_any_sync(0xffffffff, lane / 16), lane < 16 ? 0xffffu : 0xffff0000u);
    CHECK(__reduce_max_sync(0xffffffff, lane), 31);
    CHECK(__syncthreads_count(lane < 5), 5);
    CHECK(__syncthreads_and(lane < 5), 0);
    auto same = cg::labeled_partition(warp, lane % 3);
    CHECK(same.size(), lane % 3 < 2 ? 11u : 10u);
    CHECK(same.shfl(lane, 0), lane % 3);
    CHECK(same.meta_group_size(), 3u);
    auto side = cg::binary_partition(warp, lane < 20);
    CHECK(side.thread_rank(), (unsigned int)(lane < 20 ? lane : lane - 20));
    if (lane < 3) CHECK(cg::coalesced_threads().size(), 3u);
}

struct __align__(16) wide { unsigned long long a, b; };
__device__ wide words;
__device__ float4 sums;
__device__ cuda::atomic<int, cuda::thread_scope_device> count;
__global__ void atomics(unsigned short *s, half *h, int *i, unsigned long long *l, float *f, wide *w)
{
    int lane = threadIdx.x;
    atomicAdd(i, 1);
    atomicSub(i + 1, 2);
    atomicMax(i + 2, lane);
    atomicInc((unsigned int *)i + 3, 4);
    atomicAdd(h, __float2half(0.5f));
    atomicAdd(f, 0.25f);
    atomicAdd(&sums, make_float4(1, 2, 3, 4));
    count.fetch_add(2, cuda::memory_order_relaxed);
    cuda::atomic_ref<float, cuda::thread_scope_device>(f[1]).fetch_max((float)lane);
    cuda::atomic_ref<unsigned long long>(l[0]).fetch_add(lane);
    __syncthreads();
    if (lane != 0) return;
    CHECK(i[0], 32);
    CHECK(i[1], -64);
    CHECK(i[2], 31);
    CHECK(i[3], 2);
    CHECK((float)h[0], 16.0f);
    CHECK(f[0], 8.0f);
    CHECK(f[1], 31.0f);
    CHECK(l[0], 496ull);
    CHECK(sums.w, 128.0f);
    CHECK(count.load(), 64);
    CHECK(atomicCAS(s, (unsigned short)0, (unsigned short)7), (unsigned short)0);
    CHECK(s[0], (unsigned short)7);
    CHECK(atomicExch(w, wide{3, 4}).b, 0ull);
    CHECK(atomicCAS(w, wide{3, 4}, wide{5, 6}).a, 3ull);
    CHECK(w->b, 6ull);
}

int main()
{
    inputs in = {0x80808080u, 0x01010101u, -7, -2.5f, 3.25, 11};
    char *room;
    int result = 1;
    cudaMalloc(&room, 4096);
    cudaMemset(room, 0, 4096);
    bits<<<1, 1>>>(in);
    numbers<<<1, 1>>>(in);
    halves<<<1, 1>>>(in);
    lanes<<<1, 32>>>(in);
    atomics<<<1, 32>>>((unsigned short *)room, (half *)(room + 256), (int *)(room + 512),
                       (unsigned long long *)(room + 1024), (float *)(room + 2048), (wide *)(room + 3072));
    cudaMemcpyFromSymbol(&result, wrong, sizeof result);
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) printf("%s\n", cudaGetErrorString(error));
    if (error == cudaSuccess && result == 0) printf("as expected\n");
    cudaFree(room);
    return result != 0;
}
