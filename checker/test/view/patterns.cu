/*
 * patterns.cu: eleven kernels, each with one known way to access memory: what make view draws of
 * them must be what the simulated GPU counted. Every thread runs the marked line four times.
 */
#include <cstdio>
#include <cuda_runtime.h>

enum { THREADS = 64, BLOCKS = 4, STEPS = 4, FLOATS = 1 << 16 };

__global__ void coalesced(const float *in, float *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < STEPS; i++)
        out[t + i * 256] = in[t + i * 256]; // coalesced
}

template <int stride> __device__ void strided(const float *in, float *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int i = 0; i < STEPS; i++)
        sum += in[(t + i * 256) * stride]; // strided
    out[t] = sum;
}

__global__ void stride_2(const float *in, float *out)
{
    strided<2>(in, out);
}

__global__ void stride_8(const float *in, float *out)
{
    strided<8>(in, out);
}

__global__ void stride_32(const float *in, float *out)
{
    strided<32>(in, out);
}

__global__ void offset_by_one(const float *in, float *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int i = 0; i < STEPS; i++)
        sum += in[t + i * 256 + 1]; // offset_by_one
    out[t] = sum;
}

__global__ void column_walk(const float *in, float *out)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int column = 0; column < STEPS; column++)
        sum += in[row * 256 + column]; // column_walk
    out[row] = sum;
}

__global__ void broadcast(const float *in, float *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int i = 0; i < STEPS; i++)
        sum += in[i]; // broadcast
    out[t] = sum;
}

template <int ways> __device__ void conflict(float *out)
{
    __shared__ float words[1024 + 32];
    int t = threadIdx.x;
    for (int i = t; i < 1024 + 32; i += THREADS)
        words[i] = i;
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < STEPS; i++)
        sum += words[t % 32 * ways + i]; // conflict
    out[blockIdx.x * blockDim.x + t] = sum;
}

__global__ void ways_2(float *out)
{
    conflict<2>(out);
}

__global__ void ways_8(float *out)
{
    conflict<8>(out);
}

__global__ void ways_32(float *out)
{
    conflict<32>(out);
}

__global__ void padded(float *out)
{
    __shared__ float tile[32][33];
    int t = threadIdx.x;
    for (int i = t; i < 32 * 33; i += THREADS)
        tile[i / 33][i % 33] = i;
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < STEPS; i++)
        sum += tile[t % 32][i]; // padded
    out[blockIdx.x * blockDim.x + t] = sum;
}

int main()
{
    float *in, *out;
    if (cudaMalloc(&in, FLOATS * sizeof(float)) != cudaSuccess) return 1;
    if (cudaMalloc(&out, FLOATS * sizeof(float)) != cudaSuccess) return 1;
    cudaMemset(in, 0, FLOATS * sizeof(float));
    coalesced<<<BLOCKS, THREADS>>>(in, out);
    stride_2<<<BLOCKS, THREADS>>>(in, out);
    stride_8<<<BLOCKS, THREADS>>>(in, out);
    stride_32<<<BLOCKS, THREADS>>>(in, out);
    offset_by_one<<<BLOCKS, THREADS>>>(in, out);
    column_walk<<<BLOCKS, THREADS>>>(in, out);
    broadcast<<<BLOCKS, THREADS>>>(in, out);
    ways_2<<<BLOCKS, THREADS>>>(out);
    ways_8<<<BLOCKS, THREADS>>>(out);
    ways_32<<<BLOCKS, THREADS>>>(out);
    padded<<<BLOCKS, THREADS>>>(out);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(in);
    cudaFree(out);
    return 0;
}
