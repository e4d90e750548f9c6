/*
 * beyond.cu: arrays in shared and local memory that are too small, one mistake a kernel; the first
 * argument chooses.
 * Prints how the wait for it ended.
 */
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

__global__ void one_past(float *x)
{
    __shared__ float left[64];
    __shared__ float right[64];
    left[threadIdx.x] = right[threadIdx.x] = 1;
    __syncthreads();
    x[threadIdx.x] = right[threadIdx.x];
    x[threadIdx.x] += left[threadIdx.x + 1]; // one-past
}

__global__ void one_before(float *x)
{
    __shared__ float s[64];
    s[(int)threadIdx.x - 1] = 1; // one-before
    __syncthreads();
    if (threadIdx.x < 63) x[threadIdx.x] = s[0];
}

__global__ void small_tile(float *x)
{
    __shared__ float tile[4][8];
    tile[threadIdx.y][threadIdx.x] = 1; // small-tile
    __syncthreads();
    if (threadIdx.y == 0) x[threadIdx.x] = tile[0][threadIdx.x];
}

__global__ void too_few_bytes(float *x)
{
    extern __shared__ float s[];
    s[threadIdx.x] = 1; // too-few-bytes
    x[threadIdx.x] = 1;
}

__global__ void local_array(float *x, int last)
{
    float first[8], second[8];
    for (int i = 0; i < 8; i++)
        second[i] = first[i] = (float)i;
    x[threadIdx.x] = first[last] + second[threadIdx.x % 8]; // local-array
}

int main(int, char *argv[])
{
    const char *which = argv[1];
    float *x;
    cudaMalloc(&x, 64 * sizeof(float));
    if (!strcmp(which, "one-past")) one_past<<<1, 64>>>(x);
    if (!strcmp(which, "one-before")) one_before<<<1, 64>>>(x);
    if (!strcmp(which, "small-tile")) small_tile<<<1, dim3(8, 8)>>>(x);
    if (!strcmp(which, "too-few-bytes")) too_few_bytes<<<1, 64, 63 * sizeof(float)>>>(x);
    if (!strcmp(which, "forgotten-bytes")) too_few_bytes<<<1, 64>>>(x);
    if (!strcmp(which, "local-array")) local_array<<<1, 64>>>(x, 10);
    if (!strcmp(which, "whole-local-array")) local_array<<<1, 64>>>(x, 7);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaFree(x);
    return 0;
}
