/* cub.cu: sums and scans of cub in a block, a warp and device memory, and the random numbers of curand. */
#include "expect.h"

#include <cub/cub.cuh>
#include <curand.h>
#include <curand_kernel.h>
#include <vector>

enum { N = 10000, THREADS = 192 };

/* CUDA 13 has no cub::Max any more. */
struct larger {
    __device__ int operator()(int a, int b) const
    {
        return a < b ? b : a;
    }
};

__global__ void block_sums(const int *x, int n, int *sums, int *scans, int *warps)
{
    typedef cub::BlockReduce<int, THREADS> Reduce;
    typedef cub::BlockScan<int, THREADS> Scan;
    typedef cub::WarpReduce<int> Warp;
    __shared__ typename Reduce::TempStorage of_reduce;
    __shared__ typename Scan::TempStorage of_scan;
    __shared__ typename Warp::TempStorage of_warp[THREADS / 32];
    int i = blockIdx.x * THREADS + threadIdx.x, value = i < n ? x[i] : 0, result;
    int sum = Reduce(of_reduce).Sum(value);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
    Scan(of_scan).InclusiveSum(value, result);
    if (i < n) scans[i] = result;
    int warp = Warp(of_warp[threadIdx.x / 32]).Reduce(value, larger());
    if (threadIdx.x % 32 == 0) warps[i / 32] = warp;
}

__global__ void draw(float *u, float *g)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    curandState state;
    curand_init(1234, i, 0, &state);
    u[i] = curand_uniform(&state);
    g[i] = curand_normal(&state);
}

/* Mean and variance of N numbers on the device are about right. */
static void about(const float *d, double mean, double variance)
{
    std::vector<float> h(N);
    EXPECT_OK(cudaMemcpy(h.data(), d, N * sizeof(float), cudaMemcpyDeviceToHost));
    double sum = 0, squares = 0;
    for (float one : h) sum += one;
    for (float one : h) squares += (one - sum / N) * (one - sum / N);
    EXPECT(fabs(sum / N - mean) < 0.05);
    EXPECT(fabs(squares / N - variance) < 0.1);
}

int main()
{
    enum { BLOCKS = (N + THREADS - 1) / THREADS };
    std::vector<int> h(N), sums(BLOCKS), scans(N), warps(BLOCKS * THREADS / 32);
    int *x, *d_sums, *d_scans, *d_warps, *total, all;
    for (int i = 0; i < N; i++) h[i] = i * 7 % 101 - 50;
    EXPECT_OK(cudaMalloc(&x, N * sizeof(int)));
    EXPECT_OK(cudaMalloc(&d_sums, BLOCKS * sizeof(int)));
    EXPECT_OK(cudaMalloc(&d_scans, N * sizeof(int)));
    EXPECT_OK(cudaMalloc(&d_warps, warps.size() * sizeof(int)));
    EXPECT_OK(cudaMalloc(&total, sizeof(int)));
    EXPECT_OK(cudaMemcpy(x, h.data(), N * sizeof(int), cudaMemcpyHostToDevice));
    block_sums<<<BLOCKS, THREADS>>>(x, N, d_sums, d_scans, d_warps);
    EXPECT_OK(cudaMemcpy(sums.data(), d_sums, BLOCKS * sizeof(int), cudaMemcpyDeviceToHost));
    EXPECT_OK(cudaMemcpy(scans.data(), d_scans, N * sizeof(int), cudaMemcpyDeviceToHost));
    EXPECT_OK(cudaMemcpy(warps.data(), d_warps, warps.size() * sizeof(int), cudaMemcpyDeviceToHost));
    int wrong = 0, sum = 0;
    for (int i = 0; i < N; i++) {
        sum = i % THREADS == 0 ? h[i] : sum + h[i];
        wrong += scans[i] != sum;
        if (i % THREADS == THREADS - 1 || i == N - 1) wrong += sums[i / THREADS] != sum;
    }
    for (int i = 0; i + 32 <= N; i += 32) {
        int most = h[i];
        for (int j = i; j < i + 32; j++) most = h[j] > most ? h[j] : most;
        wrong += warps[i / 32] != most;
    }
    EXPECT(wrong == 0);

    size_t bytes = 0;
    void *storage = nullptr;
    EXPECT_OK(cub::DeviceReduce::Sum(storage, bytes, x, total, (int)N));
    EXPECT(bytes > 0);
    EXPECT_OK(cudaMalloc(&storage, bytes));
    EXPECT_OK(cub::DeviceReduce::Sum(storage, bytes, x, total, (int)N));
    EXPECT_OK(cudaMemcpy(&all, total, sizeof all, cudaMemcpyDeviceToHost));
    sum = 0;
    for (int one : h) sum += one;
    EXPECT(all == sum);

    float *u, *g;
    curandGenerator_t generator;
    EXPECT_OK(cudaMalloc(&u, N * sizeof(float)));
    EXPECT_OK(cudaMalloc(&g, N * sizeof(float)));
    EXPECT(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT) == CURAND_STATUS_SUCCESS);
    EXPECT(curandSetPseudoRandomGeneratorSeed(generator, 1234) == CURAND_STATUS_SUCCESS);
    EXPECT(curandGenerateUniform(generator, u, N) == CURAND_STATUS_SUCCESS);
    EXPECT(curandGenerateNormal(generator, g, N, 3, 1) == CURAND_STATUS_SUCCESS);
    about(u, 0.5, 1 / 12.0);
    about(g, 3, 1);
    draw<<<N / 100, 100>>>(u, g);
    about(u, 0.5, 1 / 12.0);
    about(g, 0, 1);
    EXPECT(curandDestroyGenerator(generator) == CURAND_STATUS_SUCCESS);
    for (void *one : {(void *)x, (void *)d_sums, (void *)d_scans, (void *)d_warps, (void *)total, storage,
                      (void *)u, (void *)g})
        EXPECT_OK(cudaFree(one));
    return expect_result();
}
