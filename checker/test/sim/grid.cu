/*
 * grid.cu: cooperative launches, in which a grid waits for itself. With an argument it makes one
 * mistake instead; its line bears a mark.
 */
#include "expect.h"

#include <cooperative_groups.h>
#include <string.h>

namespace cg = cooperative_groups;

/* y <- x backwards, x <- y backwards and a number that each block has kept in shared memory */
__global__ void there_and_back(float *x, float *y, int n)
{
    extern __shared__ float dynamic[];
    __shared__ float kept[64];
    cg::grid_group grid = cg::this_grid();
    int i = (int)grid.thread_rank();
    kept[threadIdx.x] = threadIdx.x + blockIdx.x;
    dynamic[threadIdx.x] = blockIdx.x;
    if (i < n) x[i] = i;
    grid.sync();
    if (i < n) y[i] = x[n - 1 - i];
    cg::sync(grid);
    if (i < n) x[i] = y[n - 1 - i] + kept[(threadIdx.x + 1) % 64] - dynamic[63 - threadIdx.x];
}

/* The sum of all numbers, in one kernel without atomics */
template <class T> __global__ void sum(const T *x, T *parts, T *result, int n)
{
    cg::grid_group grid = cg::this_grid();
    T mine = 0;
    for (int i = (int)grid.thread_rank(); i < n; i += (int)grid.size())
        mine += x[i];
    parts[grid.thread_rank()] = mine;
    for (unsigned long long half = grid.size() / 2; half > 0; half /= 2) {
        grid.sync();
        if (grid.thread_rank() < half)
            parts[grid.thread_rank()] += parts[grid.thread_rank() + half];
    }
    if (grid.thread_rank() == 0) *result = parts[0];
}

__global__ void says_whether_it_may(int *may)
{
    if (cg::this_grid().thread_rank() == 0) *may = cg::this_grid().is_valid();
}

__global__ void too_early(float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i];
    __syncthreads();
    x[i] = y[n - 1 - i]; // too-early
}

__global__ void past_the_end(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = i;
    cg::this_grid().sync();
    x[n - i] = 0; // past-the-end
}

__global__ void some_end(float *x)
{
    if (blockIdx.x == 0) return;
    x[blockIdx.x * blockDim.x + threadIdx.x] = 0;
    cg::this_grid().sync(); // some-end
}

static void right(float *x, float *y, int n)
{
    static float h[6400];
    void *arguments[] = {&x, &y, &n};
    EXPECT_OK(cudaLaunchCooperativeKernel((void *)there_and_back, dim3(100), dim3(64), arguments,
                                          64 * sizeof(float), 0));
    EXPECT_OK(cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += h[i] != i + (i % 64 + 1) % 64;
    EXPECT(wrong == 0);

    float *result = y + 4096, got;
    EXPECT_OK(cudaMemset(x, 0, n * sizeof *x));
    for (int i = 0; i < n; i++)
        h[i] = i % 7;
    EXPECT_OK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
    void *others[] = {&x, &y, &result, &n};
    EXPECT_OK(cudaLaunchCooperativeKernel(sum<float>, 32, 128, others));
    EXPECT_OK(cudaMemcpy(&got, result, sizeof got, cudaMemcpyDeviceToHost));
    EXPECT(got == 19195);

    int *may = (int *)x, answer;
    void *one[] = {&may};
    EXPECT_OK(cudaLaunchCooperativeKernel((const void *)&says_whether_it_may, 1, 1, one));
    EXPECT_OK(cudaMemcpy(&answer, may, sizeof answer, cudaMemcpyDeviceToHost));
    EXPECT(answer == 1);
    says_whether_it_may<<<1, 1>>>(may);
    EXPECT_OK(cudaMemcpy(&answer, may, sizeof answer, cudaMemcpyDeviceToHost));
    EXPECT(answer == 0);

    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    config.gridDim = config.blockDim = 1;
    config.attrs = &attribute;
    config.numAttrs = 1;
    EXPECT_OK(cudaLaunchKernelEx(&config, says_whether_it_may, may));
    EXPECT_OK(cudaMemcpy(&answer, may, sizeof answer, cudaMemcpyDeviceToHost));
    EXPECT(answer == 1);

    int sms = 0, blocks = 0, can = 0;
    EXPECT_OK(cudaDeviceGetAttribute(&can, cudaDevAttrCooperativeLaunch, 0));
    EXPECT(can == 1);
    EXPECT_OK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    EXPECT_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, says_whether_it_may, 1024, 0));
    EXPECT_OK(cudaLaunchCooperativeKernel(says_whether_it_may, blocks * sms, 1024, one));
    EXPECT_ERROR(cudaErrorCooperativeLaunchTooLarge,
                 cudaLaunchCooperativeKernel(says_whether_it_may, blocks * sms + 1, 1024, one));
}

int main(int count, char **words)
{
    const char *mistake = count > 1 ? words[1] : "";
    int n = 6400;
    float *x, *y;
    void *arguments[] = {&x, &y, &n}, *without_y[] = {&x, &n};
    EXPECT_OK(cudaMalloc(&x, n * sizeof *x));
    EXPECT_OK(cudaMalloc(&y, n * sizeof *y));
    EXPECT_OK(cudaMemset(x, 0, n * sizeof *x));
    EXPECT_OK(cudaMemset(y, 0, n * sizeof *y));
    if (strcmp(mistake, "too-early") == 0)
        cudaLaunchCooperativeKernel(too_early, 100, 64, arguments);
    else if (strcmp(mistake, "past-the-end") == 0)
        cudaLaunchCooperativeKernel(past_the_end, 100, 64, without_y);
    else if (strcmp(mistake, "some-end") == 0)
        cudaLaunchCooperativeKernel(some_end, 100, 64, arguments);
    else if (strcmp(mistake, "not-cooperative") == 0)
        there_and_back<<<100, 64, 64 * sizeof(float)>>>(x, y, n);
    else
        right(x, y, n);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(y);
    return expect_result();
}
