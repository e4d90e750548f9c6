/*
 * async.cu: cuda::barrier, cuda::pipeline and cooperative_groups::memcpy_async. With an argument it makes one
 * mistake instead; its line bears a mark.
 */
#include "expect.h"

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <string.h>

namespace cg = cooperative_groups;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

enum { N = 1 << 12, THREADS = 128 };

/* Each thread arrives, does something else, and then reads what its neighbour has written. */
__global__ void split(const float *x, float *y)
{
    __shared__ block_barrier barrier;
    __shared__ float s[2][THREADS];
    if (threadIdx.x == 0) init(&barrier, blockDim.x);
    __syncthreads();
    for (int i = threadIdx.x, turn = 0; i < N; i += THREADS, turn ^= 1) {
        s[turn][threadIdx.x] = x[i];
        block_barrier::arrival_token token = barrier.arrive();
        float own = 2 * x[i];
        barrier.wait(std::move(token));
        y[i] = own + s[turn][(threadIdx.x + 1) % THREADS];
    }
}

/* Half of the block fetches, the other half computes; each half waits for the other. */
__global__ void halves(const float *x, float *y)
{
    __shared__ block_barrier full, empty;
    __shared__ float s[THREADS / 2];
    auto block = cg::this_thread_block();
    bool fetches = threadIdx.x < THREADS / 2;
    int lane = threadIdx.x % (THREADS / 2);
    if (block.thread_rank() == 0) {
        init(&full, blockDim.x);
        init(&empty, blockDim.x);
    }
    block.sync();
    for (int i = lane; i < N; i += THREADS / 2) {
        if (fetches) {
            empty.arrive_and_wait();
            cuda::memcpy_async(&s[lane], &x[i], sizeof(float), full);
            (void)full.arrive();
        } else {
            (void)empty.arrive();
            full.arrive_and_wait();
            y[i] = 3 * s[THREADS / 2 - 1 - lane];
        }
    }
}

/* Two stages of one thread's pipeline */
__global__ void ahead(const float *x, float *y)
{
    __shared__ float s[2][THREADS];
    auto pipe = cuda::make_pipeline();
    int rounds = N / THREADS, me = threadIdx.x;
    pipe.producer_acquire();
    cuda::memcpy_async(&s[0][me], &x[me], sizeof(float), pipe);
    pipe.producer_commit();
    for (int i = 0; i < rounds; i++) {
        if (i + 1 < rounds) {
            pipe.producer_acquire();
            cuda::memcpy_async(&s[(i + 1) % 2][me], &x[(i + 1) * THREADS + me],
                               cuda::aligned_size_t<4>(sizeof(float)), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        y[i * THREADS + me] = s[i % 2][me] + 1;
        pipe.consumer_release();
    }
}

/* A block's pipeline of three stages */
template <int stages> __global__ void together(const float *x, float *y)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    __shared__ __align__(16) float s[stages][THREADS];
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int rounds = N / THREADS, fetched = 0;
    for (int i = 0; i < rounds; i++) {
        for (; fetched < rounds && fetched < i + stages; fetched++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, s[fetched % stages], x + fetched * THREADS,
                               sizeof(float) * THREADS, pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        y[i * THREADS + threadIdx.x] = s[i % stages][THREADS - 1 - threadIdx.x];
        pipe.consumer_release();
    }
}

__global__ void of_a_group(const float *x, float *y)
{
    __shared__ __align__(16) float s[THREADS];
    auto block = cg::this_thread_block();
    for (int i = 0; i < N; i += THREADS) {
        cg::memcpy_async(block, s, x + i, sizeof s);
        cg::wait(block);
        y[i + threadIdx.x] = 5 * s[THREADS - 1 - threadIdx.x];
        block.sync();
    }
}

__global__ void not_waited_for(const float *x, float *y)
{
    __shared__ float s[THREADS];
    auto pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(&s[threadIdx.x], &x[threadIdx.x], sizeof(float), pipe);
    pipe.producer_commit();
    y[threadIdx.x] = s[threadIdx.x]; // not-waited-for
    pipe.consumer_wait();
}

__global__ void only_arrived(const float *x, float *y)
{
    __shared__ block_barrier barrier;
    __shared__ float s[THREADS];
    if (threadIdx.x == 0) init(&barrier, blockDim.x);
    __syncthreads();
    s[threadIdx.x] = x[threadIdx.x];
    (void)barrier.arrive();
    y[threadIdx.x] = s[(threadIdx.x + 32) % THREADS]; // only-arrived
}

/* One thread of each warp waits for the other warps, while the rest of its warp waits for it. */
__global__ void one_of_a_warp(const float *x, float *y)
{
    __shared__ block_barrier barrier;
    __shared__ float s[2][THREADS];
    if (threadIdx.x == 0) init(&barrier, blockDim.x / 32);
    __syncthreads();
    for (int i = threadIdx.x, turn = 0; i < N; i += THREADS, turn ^= 1) {
        s[turn][threadIdx.x] = x[i];
        __syncwarp();
        if (threadIdx.x % 32 == 0) barrier.arrive_and_wait();
        __syncwarp();
        y[i] = 7 * s[turn][THREADS - 1 - threadIdx.x];
    }
}

__global__ void some_never_come(float *y)
{
    __shared__ block_barrier barrier;
    if (threadIdx.x == 0) init(&barrier, blockDim.x);
    __syncthreads();
    if (threadIdx.x == 5) return;
    barrier.arrive_and_wait(); // some-never-come
    y[threadIdx.x] = 1;
}

static float *x, *y, h[N], g[N];

static void compare(float (*right)(int), int line)
{
    int wrong = 0;
    EXPECT_OK(cudaMemcpy(g, y, sizeof g, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) wrong += g[i] != right(i);
    if (wrong > 0) printf("the kernel before line %d: %d numbers are wrong\n", line, wrong);
    EXPECT(wrong == 0);
    EXPECT_OK(cudaMemset(y, 0, sizeof g));
}

int main(int count, char **words)
{
    const char *mistake = count > 1 ? words[1] : "";
    for (int i = 0; i < N; i++) h[i] = i % 1000;
    EXPECT_OK(cudaMalloc(&x, sizeof h));
    EXPECT_OK(cudaMalloc(&y, sizeof h));
    EXPECT_OK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
    if (strcmp(mistake, "not-waited-for") == 0)
        not_waited_for<<<1, THREADS>>>(x, y);
    else if (strcmp(mistake, "only-arrived") == 0)
        only_arrived<<<1, THREADS>>>(x, y);
    else if (strcmp(mistake, "some-never-come") == 0)
        some_never_come<<<1, THREADS>>>(y);
    else {
        split<<<1, THREADS>>>(x, y);
        compare([](int i) { return 2 * h[i] + h[i / THREADS * THREADS + (i + 1) % THREADS]; },
                __LINE__);
        halves<<<1, THREADS>>>(x, y);
        compare([](int i) { return 3 * h[i / 64 * 64 + 63 - i % 64]; }, __LINE__);
        ahead<<<1, THREADS>>>(x, y);
        compare([](int i) { return h[i] + 1; }, __LINE__);
        together<3><<<1, THREADS>>>(x, y);
        compare([](int i) { return h[i / THREADS * THREADS + THREADS - 1 - i % THREADS]; },
                __LINE__);
        of_a_group<<<1, THREADS>>>(x, y);
        compare([](int i) { return 5 * h[i / THREADS * THREADS + THREADS - 1 - i % THREADS]; },
                __LINE__);
        one_of_a_warp<<<1, THREADS>>>(x, y);
        compare([](int i) { return 7 * h[i / THREADS * THREADS + THREADS - 1 - i % THREADS]; },
                __LINE__);
    }
    EXPECT_OK(cudaDeviceSynchronize());
    cudaFree(x);
    cudaFree(y);
    return expect_result();
}
