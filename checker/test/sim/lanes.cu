/* lanes.cu: what the lanes of a warp do together, and the barriers that count. */
#include "expect.h"

/* The tests that failed: a bit each. */
__device__ unsigned long long wrong;

#define TEST(number, condition)                                                                    \
    do {                                                                                           \
        if (!(condition)) atomicOr(&wrong, 1ull << (number));                                      \
    } while (0)

const unsigned int ALL = 0xffffffff;

__global__ void shuffles()
{
    const int lane = threadIdx.x % 32;
    TEST(0, __shfl_sync(ALL, lane * 10, 5) == 50);
    TEST(1, __shfl_sync(ALL, lane, lane + 1) == (lane + 1) % 32);
    TEST(2, __shfl_sync(ALL, lane, 35, 8) == lane / 8 * 8 + 3);
    TEST(3, __shfl_up_sync(ALL, lane, 3) == (lane < 3 ? lane : lane - 3));
    TEST(4, __shfl_up_sync(ALL, lane, 2, 16) == (lane % 16 < 2 ? lane : lane - 2));
    TEST(5, __shfl_down_sync(ALL, lane, 16) == (lane < 16 ? lane + 16 : lane));
    TEST(6, __shfl_down_sync(ALL, lane, 1, 4) == (lane % 4 == 3 ? lane : lane + 1));
    TEST(7, __shfl_xor_sync(ALL, lane, 7) == (lane ^ 7));
    /* of a section that comes later there is nothing to be had, of an earlier one there is */
    TEST(8, __shfl_xor_sync(ALL, lane, 8, 8) == (lane & 8 ? lane - 8 : lane));
    TEST(9, __shfl_sync(ALL, 0.5f * lane, 3) == 1.5f);
    TEST(10, __shfl_xor_sync(ALL, 0.1 * lane, 1) == 0.1 * (lane ^ 1));
    TEST(11, __shfl_down_sync(ALL, (long long)lane << 40, 1, 2) == (long long)(lane | 1) << 40);
    TEST(12, __shfl_sync(ALL, ~0ull - lane, 31) == ~0ull - 31);
    TEST(13, __shfl_sync(ALL, 3000000000u + lane, 1) == 3000000001u);

    float sum = (float)lane;
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(ALL, sum, distance);
    if (lane == 0) TEST(14, sum == 496.0f);
    if (lane % 2 == 0) TEST(15, __shfl_sync(0x55555555, lane, 4) == 4);
    if (lane < 16)
        TEST(16, __shfl_xor_sync(0x0000ffff, lane, 15) == 15 - lane);
    else
        TEST(17, __shfl_xor_sync(0xffff0000, lane, 1) == (lane ^ 1));
}

__global__ void votes()
{
    const int lane = threadIdx.x % 32;
    int all;
    TEST(20, __ballot_sync(ALL, lane % 4 == 1) == 0x22222222);
    TEST(21, __any_sync(ALL, lane == 31) && !__any_sync(ALL, lane == 32));
    TEST(22, __all_sync(ALL, lane < 32) && !__all_sync(ALL, lane != 7));
    TEST(23, __match_any_sync(ALL, lane / 8) == 0xffu << lane / 8 * 8);
    TEST(24, __match_any_sync(ALL, 1.0 / (lane / 16 + 1)) == 0xffffu << lane / 16 * 16);
    TEST(25, __match_all_sync(ALL, 7, &all) == ALL && all == 1);
    TEST(26, __match_all_sync(ALL, lane / 31, &all) == 0 && all == 0);
    TEST(27, __activemask() == ALL);
    if (lane >= 24)
        TEST(28, __activemask() == 0xff000000 && __ballot_sync(0xff000000, 1) == 0xff000000);
    __syncwarp();
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 800
    TEST(29, __reduce_add_sync(ALL, lane - 16) == -16 && __reduce_add_sync(ALL, 1u) == 32);
    TEST(30, __reduce_min_sync(ALL, 5 - lane) == -26 && __reduce_min_sync(ALL, 5u + lane) == 5);
    TEST(31, __reduce_max_sync(ALL, lane - 40) == -9 && __reduce_max_sync(ALL, lane + ~40u) == ~9u);
    TEST(32,
         __reduce_and_sync(ALL, ~(1u << lane)) == 0 && __reduce_or_sync(ALL, 1u << lane) == ALL);
    TEST(33, __reduce_xor_sync(ALL, 1u << lane / 2) == 0);
#endif
}

/* Lanes that have ended are waited for no more. */
__global__ void ended()
{
    if (threadIdx.x >= 20) return;
    TEST(40, (__ballot_sync(ALL, 1) & 0xfffff) == 0xfffff);
    TEST(41, __shfl_sync(ALL, (int)threadIdx.x, 19) == 19);
    TEST(42, __any_sync(ALL, threadIdx.x == 19));
    __syncthreads();
    TEST(43, __syncthreads_count(1) == 20);
}

__global__ void barriers()
{
    __shared__ int shared[96];
    TEST(44, __syncthreads_count(threadIdx.x % 3 == 0) == 32);
    TEST(45, __syncthreads_and(threadIdx.x < 96) && !__syncthreads_and(threadIdx.x != 40));
    TEST(46, __syncthreads_or(threadIdx.x == 95) && !__syncthreads_or(threadIdx.x == 96));
    shared[threadIdx.x] = (int)threadIdx.x;
    if (__syncthreads_or(0)) return;
    TEST(47, shared[95 - threadIdx.x] == 95 - (int)threadIdx.x);
}

/* __syncwarp orders shared memory within the warp. */
__global__ void through_warp()
{
    __shared__ int shared[64];
    int lane = threadIdx.x % 32, first = threadIdx.x - lane;
    shared[threadIdx.x] = lane;
    __syncwarp();
    int other = shared[first + (lane ^ 1)];
    __syncwarp();
    shared[threadIdx.x] = other;
    __syncwarp();
    TEST(48, shared[first + 31 - lane] == ((31 - lane) ^ 1));
}

int main()
{
    unsigned long long result = ~0ull;
    shuffles<<<2, 64>>>();
    votes<<<1, 64>>>();
    ended<<<1, 32>>>();
    barriers<<<2, 96>>>();
    through_warp<<<1, 64>>>();
    EXPECT_OK(cudaMemcpyFromSymbol(&result, wrong, sizeof result));
    if (result != 0) printf("wrong: %016llx\n", result);
    EXPECT(result == 0);
    return expect_result();
}
