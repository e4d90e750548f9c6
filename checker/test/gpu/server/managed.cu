// managed.cu: what only nvcc compiles: managed variables, properties of its own CUDA, and cuBLAS; prints "as expected".
#include <chrono>
#include <cstdio>
#include <cublas_v2.h>

__managed__ int counter = 5;
__device__ int numbers[3] = {1, 2, 3};
__constant__ float factors[2] = {1.5f, 2.5f};

__global__ void add(float *sum)
{
    atomicAdd(&counter, numbers[1]);
    *sum = factors[0] + factors[1];
}

#define EXPECT(condition)                                                                          \
    if (!(condition)) return printf("line %d: not %s\n", __LINE__, #condition), 1

int main()
{
    float *sum, host;
    cudaDeviceProp properties;
    cublasHandle_t handle;
    auto begin = std::chrono::steady_clock::now();
    EXPECT(cudaMalloc(&sum, sizeof *sum) == cudaSuccess);
    counter = 7;
    add<<<1, 4>>>(sum);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    EXPECT(counter == 15);
    EXPECT(cudaMemcpy(&host, sum, sizeof host, cudaMemcpyDeviceToHost) == cudaSuccess);
    EXPECT(host == 4);
    EXPECT(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
    EXPECT(properties.major == 9 && properties.multiProcessorCount == 132);
    EXPECT(properties.sharedMemPerBlockOptin == 227 * 1024 && properties.warpSize == 32);
    EXPECT(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS);
    EXPECT(cublasDestroy(handle) == CUBLAS_STATUS_SUCCESS);
    EXPECT(cudaFree(sum) == cudaSuccess);
    EXPECT(std::chrono::steady_clock::now() - begin < std::chrono::seconds(10));
    printf("as expected\n");
    return 0;
}
