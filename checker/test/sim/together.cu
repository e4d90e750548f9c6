/*
 * together.cu: mistakes that only threads of one block can make together, one a kernel, and what is
 * close to a mistake but none. The first argument chooses; prints how the wait for it ended.
 */
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

__global__ void two_places(float *x)
{
    __shared__ float s[64];
    s[threadIdx.x] = 1;
    if (threadIdx.x < 40) {
        __syncthreads(); // two-places
        x[threadIdx.x] = s[threadIdx.x];
    } else {
        __syncthreads();
    }
}

__global__ void in_a_loop(float *x)
{
    __shared__ float s[64];
    s[threadIdx.x] = (float)threadIdx.x;
    __syncthreads();
    for (int stride = 32; stride > 0; stride /= 2)
        if ((int)threadIdx.x < stride) {
            s[threadIdx.x] += s[threadIdx.x + stride];
            __syncthreads(); // in-a-loop
        }
    __syncthreads();
    x[threadIdx.x] = s[0];
}

__device__ void wait_for_all()
{
    __syncthreads();
}

/* One barrier in the source, whatever the way to it. */
__global__ void one_place(float *x)
{
    if (threadIdx.x % 2 == 0)
        x[threadIdx.x] = 1;
    else
        x[threadIdx.x] = 2;
    wait_for_all();
    for (unsigned int i = 0; i < 3; i++)
        __syncthreads();
    if (threadIdx.x > 40) return;
    __syncthreads(); /* those that have ended are not waited for */
}

__global__ void partial_mask(float *x)
{
    float sum = 1;
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0x0000ffff, sum, distance); // partial-mask
    x[threadIdx.x] = sum;
}

__global__ void missing_lanes(float *x)
{
    float sum = 1;
    if (threadIdx.x < 16) sum = __shfl_xor_sync(0xffffffff, sum, 1); // missing-lanes
    __syncthreads();
    x[threadIdx.x] = sum;
}

__global__ void half_warp(float *x)
{
    float sum = 1;
    if (threadIdx.x < 16) sum += __shfl_xor_sync(0x0000ffff, sum, 1);
    x[threadIdx.x] = sum;
}

int main(int, char *argv[])
{
    const char *which = argv[1];
    float *x;
    cudaMalloc(&x, 64 * sizeof(float));
    if (!strcmp(which, "two-places")) two_places<<<1, 64>>>(x);
    if (!strcmp(which, "in-a-loop")) in_a_loop<<<1, 64>>>(x);
    if (!strcmp(which, "one-place")) one_place<<<1, 64>>>(x);
    if (!strcmp(which, "partial-mask")) partial_mask<<<1, 64>>>(x);
    if (!strcmp(which, "missing-lanes")) missing_lanes<<<1, 64>>>(x);
    if (!strcmp(which, "half-warp")) half_warp<<<1, 64>>>(x);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaFree(x);
    return 0;
}
