// The host's calls as C++ has them, launch bounds, and what a launch becomes.
// O3: \.maxntid 256, 1, 1
// O3: \.minnctapersm 4
// host: U __cudaPushCallConfiguration
// host: U cudaLaunchKernel$
// host: U cudaLaunchKernelExC
// host: U cudaGetDeviceProperties_v2
// host: U cudaMemPrefetchAsync_v2
// host: U cudaLaunchCooperativeKernel
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda.h>
#include <cuda_profiler_api.h>
__constant__ float table[16];
__device__ int variable;
__global__ void __launch_bounds__(256) bounded(float *x)
{
    *x = table[threadIdx.x & 15] + variable;
}
__global__ __launch_bounds__(128, 4) void twice(float *x)
{
    *x = 2;
}
__global__ void __launch_bounds__(64, 2, 1) cluster(float *x)
{
    *x = 3;
}
template <int n> __global__ void __launch_bounds__(n) of_template(const float *__restrict__ x, float *y)
{
    extern __shared__ float dynamic[];
    dynamic[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[0] = dynamic[n - 1 - threadIdx.x];
}
int main()
{
    float *x, host[16] = {};
    int blocks, threads;
    cudaMalloc(&x, 64);
    cudaMallocManaged(&x, 64);
    cudaHostAlloc(&x, 64, cudaHostAllocDefault);
    cudaMemcpyToSymbol(table, host, sizeof host);
    cudaMemcpyFromSymbol(&threads, variable, sizeof threads);
    cudaGetSymbolAddress((void **)&x, table);
    bounded<<<1, 32>>>(x);
    of_template<32><<<dim3(1, 2), 32, 128, cudaStreamPerThread>>>(x, x);
    void *arguments[] = {&x};
    cudaLaunchKernel((void *)bounded, dim3(1), dim3(1), arguments, 0, 0);
    cudaLaunchKernel(bounded, 1, 1, arguments);
    cudaLaunchCooperativeKernel(bounded, 1, 1, arguments);
    cudaLaunchConfig_t configuration = {};
    cudaLaunchKernelEx(&configuration, bounded, nullptr);
    cudaFuncSetAttribute(bounded, cudaFuncAttributeMaxDynamicSharedMemorySize, 4);
    cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, bounded);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 32, 0);
    cudaMemPrefetchAsync(x, 64, cudaCpuDeviceId);
    cudaMemPrefetchAsync(x, 64, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0);
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, 0);
    return cudaGetLastError() == cudaSuccess ? 0 : properties.major;
}
