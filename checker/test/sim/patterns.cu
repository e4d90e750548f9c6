/* patterns.cu: one access pattern a kernel; its sectors and wavefronts are worked out in
 * sim_engine.bats. */
#include <cstdio>
#include <cuda_runtime.h>

__global__ void stride(const float *x, float *y, int step)
{
    y[threadIdx.x] = x[threadIdx.x * step];
}

__global__ void shifted(const float *x, float *y)
{
    y[threadIdx.x] = x[threadIdx.x + 1];
}

__global__ void backwards(const float *x, float *y)
{
    y[threadIdx.x] = x[31 - threadIdx.x];
}

__global__ void vectors(const float4 *x, float4 *y)
{
    y[threadIdx.x] = x[threadIdx.x];
}

__global__ void bytes(const char *x, char *y)
{
    y[threadIdx.x] = x[threadIdx.x];
}

__global__ void banks(float *y, int step)
{
    __shared__ float s[32 * 33];
    for (int i = threadIdx.x; i < 32 * 33; i += 32)
        s[i] = (float)i;
    __syncthreads();
    y[threadIdx.x] = s[threadIdx.x * step];
}

__device__ int variable;
__constant__ int constant;

__global__ void symbols(int *y)
{
    y[threadIdx.x] = variable + constant;
}

__global__ void counter(int *y)
{
    atomicAdd(y, 1);
}

__global__ void by_place(const float *x, float *y, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = x[i];
}

__device__ int next_piece;

__global__ void by_counter(const float *x, float *y, int n)
{
    for (int i; (i = atomicAdd(&next_piece, 1)) < n;)
        y[i] = x[i];
}

int main()
{
    float *x, *y;
    cudaMalloc(&x, 4096 * sizeof(float));
    cudaMalloc(&y, 4096 * sizeof(float));
    cudaMemset(x, 0, 4096 * sizeof(float));
    cudaMemset(y, 0, 4096 * sizeof(float));
    stride<<<1, 32>>>(x, y, 1);
    stride<<<1, 32>>>(x, y, 2);
    stride<<<1, 32>>>(x, y, 8);
    stride<<<1, 32>>>(x, y, 32);
    shifted<<<1, 32>>>(x, y);
    backwards<<<1, 32>>>(x, y);
    vectors<<<1, 32>>>((float4 *)x, (float4 *)y);
    bytes<<<1, 32>>>((char *)x, (char *)y);
    banks<<<1, 32>>>(y, 1);
    banks<<<1, 32>>>(y, 2);
    banks<<<1, 32>>>(y, 32);
    banks<<<1, 32>>>(y, 33);
    banks<<<1, 32>>>(y, 0);
    symbols<<<1, 32>>>((int *)y);
    counter<<<2, 32>>>((int *)y);
    int count = 0;
    cudaMemcpy(&count, y, sizeof count, cudaMemcpyDeviceToHost);
    printf("%s %d\n", cudaGetErrorName(cudaDeviceSynchronize()), count);
    by_place<<<8, 64>>>(x, y, 4096);
    by_counter<<<8, 64>>>(x, y, 4096);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(y);
    return 0;
}
