/*
 * shared.cu: static and dynamic shared memory that is used as it should be. Prints nothing else
 * than that all was as expected; its sizes are seen in the trace.
 */
#include "expect.h"

__device__ unsigned long long wrong;

#define TEST(number, condition)                                                                    \
    do {                                                                                           \
        if (!(condition)) atomicOr(&wrong, 1ull << (number));                                      \
    } while (0)

__global__ void one_size() // 1: 256 + 3 bytes
{
    __shared__ float numbers[64];
    __shared__ char bytes[3];
    numbers[threadIdx.x] = (float)threadIdx.x;
    if (threadIdx.x < 3) bytes[threadIdx.x] = (char)threadIdx.x;
    __syncthreads();
    TEST(0, numbers[63 - threadIdx.x] == 63 - (int)threadIdx.x && bytes[2] == 2);
}

__global__ void launch_size(int n) // 2: dynamic
{
    extern __shared__ float buffer[];
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        buffer[i] = (float)i;
    __syncthreads();
    TEST(1, buffer[n - 1] == (float)(n - 1));
}

template <class T> __global__ void of_type(int n) // 3, 4: one array in two types
{
    extern __shared__ __align__(16) unsigned char memory[];
    T *all = reinterpret_cast<T *>(memory);
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        all[i] = (T)i;
    __syncthreads();
    TEST(2, all[n - 1] == (T)(n - 1));
}

template <int width> __global__ void of_width() // 5, 6: 4 width² bytes
{
    __shared__ float tile[width][width];
    tile[threadIdx.y][threadIdx.x] = (float)threadIdx.x;
    __syncthreads();
    TEST(3, tile[threadIdx.x][threadIdx.y] == (float)threadIdx.y);
}

__device__ float block_sum(float value)
{
    __shared__ float sums[64];
    sums[threadIdx.x] = value;
    for (int stride = 32; stride > 0; stride /= 2) {
        __syncthreads();
        if ((int)threadIdx.x < stride) sums[threadIdx.x] += sums[threadIdx.x + stride];
    }
    __syncthreads();
    return sums[0];
}

__global__ void through_function() // 7: 256 bytes of the function's, 8 of its own
{
    __shared__ double total;
    float sum = block_sum(1);
    if (threadIdx.x == 0) total = sum;
    __syncthreads();
    TEST(4, total == 64);
}

__global__ void two_arrays(int n) // 8: one array for two purposes
{
    extern __shared__ float4 vectors[];
    float *numbers = (float *)(vectors + n);
    vectors[threadIdx.x] = make_float4(1, 2, 3, 4);
    numbers[threadIdx.x] = 5;
    __syncthreads();
    TEST(5, vectors[n - 1].w == 4 && numbers[n - 1] == 5);
}

__global__ void small_first() // 9: what nvcc makes of it has 388 bytes
{
    __shared__ float factor, values[96];
    if (threadIdx.x == 0) factor = 2;
    values[threadIdx.x] = 3;
    __syncthreads();
    TEST(9, factor * values[95 - threadIdx.x] == 6);
}

static size_t static_bytes(const void *kernel)
{
    cudaFuncAttributes attributes = {};
    EXPECT_OK(cudaFuncGetAttributes(&attributes, kernel));
    return attributes.sharedSizeBytes;
}

int main()
{
    unsigned long long result = ~0ull;
    one_size<<<3, 64>>>();
    launch_size<<<3, 64, 1000 * sizeof(float)>>>(1000);
    of_type<int><<<1, 64, 100 * sizeof(int)>>>(100);
    of_type<double><<<1, 64, 100 * sizeof(double)>>>(100);
    of_width<8><<<1, dim3(8, 8)>>>();
    of_width<32><<<1, dim3(32, 32)>>>();
    through_function<<<2, 64>>>();
    two_arrays<<<1, 64, 64 * (sizeof(float4) + sizeof(float))>>>(64);
    small_first<<<1, 96>>>();
    EXPECT_OK(cudaMemcpyFromSymbol(&result, wrong, sizeof result));
    if (result != 0) printf("wrong: %016llx\n", result);
    EXPECT(result == 0);
    EXPECT(static_bytes((const void *)of_width<32>) == 4096);
    EXPECT(static_bytes((const void *)launch_size) == 0);
    EXPECT(static_bytes((const void *)small_first) == 388);

    /* 48 KB at most, static and dynamic together, unless more is asked for */
    const int most = 48 << 10;
    launch_size<<<1, 64, most>>>(most / 4);
    EXPECT_OK(cudaGetLastError());
    launch_size<<<1, 64, most + 4>>>(1);
    EXPECT_ERROR(cudaErrorInvalidValue, cudaGetLastError());
    EXPECT_OK(
        cudaFuncSetAttribute(launch_size, cudaFuncAttributeMaxDynamicSharedMemorySize, 2 * most));
    launch_size<<<1, 64, 2 * most>>>(2 * most / 4);
    EXPECT_OK(cudaGetLastError());
    launch_size<<<1, 64, 2 * most + 4>>>(1);
    EXPECT_ERROR(cudaErrorInvalidValue, cudaGetLastError());
    of_type<int><<<1, 64, most + 4>>>(1); /* it was asked for another kernel */
    EXPECT_ERROR(cudaErrorInvalidValue, cudaGetLastError());
    of_width<32><<<1, dim3(32, 32), most - 4096>>>();
    EXPECT_OK(cudaGetLastError());
    of_width<32><<<1, dim3(32, 32), most - 4096 + 4>>>();
    EXPECT_ERROR(cudaErrorInvalidValue, cudaGetLastError());

    cudaDeviceProp gpu;
    EXPECT_OK(cudaGetDeviceProperties(&gpu, 0));
    const int limit = (int)gpu.sharedMemPerBlockOptin;
    const cudaFuncAttribute size = cudaFuncAttributeMaxDynamicSharedMemorySize;
    EXPECT_OK(cudaFuncSetAttribute(launch_size, size, limit));
    EXPECT_ERROR(cudaErrorInvalidValue, cudaFuncSetAttribute(launch_size, size, limit + 1));
    EXPECT_OK(cudaFuncSetAttribute(of_width<32>, size, limit - 4096));
    EXPECT_ERROR(cudaErrorInvalidValue, cudaFuncSetAttribute(of_width<32>, size, limit - 4095));
    cudaFuncAttributes attributes;
    EXPECT_OK(cudaFuncGetAttributes(&attributes, of_width<8>));
    EXPECT(attributes.maxDynamicSharedSizeBytes == most - 256);
    EXPECT_OK(cudaFuncGetAttributes(&attributes, launch_size));
    EXPECT(attributes.maxDynamicSharedSizeBytes == limit);
    EXPECT_OK(cudaDeviceSynchronize());
    return expect_result();
}
