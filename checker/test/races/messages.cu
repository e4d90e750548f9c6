/*
 * messages.cu: races and unwritten values, one mistake a kernel, for what their faults say; the
 * first argument chooses. Prints how the wait for it ended.
 */
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

__device__ volatile int flag;
__device__ int data, count;

__global__ void behind_a_flag(int *out)
{
    if (blockIdx.x == 0) {
        data = 5; // store-of-flag
        flag = 1;
    } else {
        while (flag == 0) {
        }
        out[0] = data; // behind-a-flag
    }
}

__global__ void behind_an_atomic(int *out)
{
    if (blockIdx.x == 0) {
        data = 5; // store-of-atomic
        atomicExch(&count, 1);
    } else {
        while (atomicAdd(&count, 0) == 0) {
        }
        out[0] = data; // behind-an-atomic
    }
}

__global__ void within_a_warp(int *out)
{
    __shared__ int s[32];
    s[threadIdx.x] = (int)threadIdx.x;
    out[threadIdx.x] = s[threadIdx.x ^ 1]; // within-a-warp
}

__global__ void scope_of_a_block(int *out)
{
    atomicAdd_block(&out[0], 1); // scope-of-a-block
}

__global__ void half_of_a_double(int *out)
{
    __shared__ double d[2];
    ((int *)d)[0] = 1;
    out[0] = d[0] == 2; // half-of-a-double
}

__global__ void part_of_a_vector(int *out)
{
    __shared__ float4 unused_w;
    unused_w.x = unused_w.y = unused_w.z = 1;
    float4 copy = unused_w;
    out[0] = copy.x == copy.y + copy.z;
}

int main(int, char *argv[])
{
    const char *which = argv[1];
    int *out;
    cudaMalloc(&out, 32 * sizeof(int));
    cudaMemset(out, 0, 32 * sizeof(int));
    if (!strcmp(which, "behind-a-flag")) behind_a_flag<<<2, 1>>>(out);
    if (!strcmp(which, "behind-an-atomic")) behind_an_atomic<<<2, 1>>>(out);
    if (!strcmp(which, "within-a-warp")) within_a_warp<<<1, 32>>>(out);
    if (!strcmp(which, "scope-of-a-block")) scope_of_a_block<<<2, 1>>>(out);
    if (!strcmp(which, "half-of-a-double")) half_of_a_double<<<1, 1>>>(out);
    if (!strcmp(which, "part-of-a-vector")) part_of_a_vector<<<1, 1>>>(out);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaFree(out);
    return 0;
}
