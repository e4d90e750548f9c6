/* errors.cu: which call gives which error, and how long an error stays. */
#include "expect.h"

/* CUDA 13 has taken away the distinction that CUDA 12 and the simulated GPU make. */
#if CUDART_VERSION >= 13000
#    define REFUSED_SHAPE cudaErrorInvalidValue
#    define REFUSED_PITCH cudaErrorInvalidValue
#else
#    define REFUSED_SHAPE cudaErrorInvalidConfiguration
#    define REFUSED_PITCH cudaErrorInvalidPitchValue
#endif

__global__ void nothing()
{
}

__global__ void touch(int *at)
{
    *at = 1;
}

static void launch(dim3 grid, dim3 block, size_t shared = 0)
{
    nothing<<<grid, block, shared>>>();
}

/* A launch's error is there at once and goes when it was read. */
static void refused_launches()
{
    launch(1, 1025);
    EXPECT(cudaPeekAtLastError() == REFUSED_SHAPE);
    EXPECT(cudaGetLastError() == REFUSED_SHAPE);
    EXPECT(cudaGetLastError() == cudaSuccess);
    const dim3 refused[][2] = {{0, 1},
                               {1, 0},
                               {1, dim3(1, 1, 65)},
                               {1, dim3(32, 33)},
                               {dim3(1, 65536), 1},
                               {dim3(1, 1, 65536), 1},
                               {1, dim3(1, 1025)},
                               {dim3(2147483648u), 1}};
    for (auto &one : refused) {
        launch(one[0], one[1]);
        EXPECT(cudaGetLastError() == REFUSED_SHAPE);
    }
    launch(1, 1, 48 << 10);
    EXPECT(cudaGetLastError() == cudaSuccess);
    launch(1, 1, (48 << 10) + 1);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    EXPECT_OK(cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 90000));
    launch(1, 1, 90000);
    EXPECT(cudaGetLastError() == cudaSuccess);
    EXPECT_ERROR(
        cudaErrorInvalidValue,
        cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 300 << 10));
    EXPECT_OK(cudaDeviceSynchronize());
}

static void memory_errors(int *device)
{
    int host[4] = {0};
    void *pointer = host;
    EXPECT_ERROR(cudaErrorMemoryAllocation, cudaMalloc(&pointer, (size_t)1 << 50));
    EXPECT_OK(cudaMalloc(&pointer, 0));
    EXPECT(pointer == nullptr);
    EXPECT_ERROR(cudaErrorInvalidValue, cudaMalloc((void **)nullptr, 4));
    EXPECT_OK(cudaFree(nullptr));
    EXPECT_OK(cudaMemcpy(device, host, 0, cudaMemcpyHostToDevice));
    EXPECT_ERROR(cudaErrorInvalidValue, cudaFree(host));
    EXPECT_ERROR(cudaErrorInvalidValue, cudaFree(device + 1));
    EXPECT_ERROR(cudaErrorInvalidValue, cudaMemcpy(host, device, 16, cudaMemcpyHostToDevice));
    EXPECT_ERROR(cudaErrorInvalidValue, cudaMemcpy(device, host, 16, cudaMemcpyDeviceToHost));
    EXPECT_ERROR(cudaErrorInvalidMemcpyDirection, cudaMemcpy(device, host, 16, (cudaMemcpyKind)77));
    EXPECT_ERROR(cudaErrorInvalidValue, cudaMemcpy(device, nullptr, 16, cudaMemcpyHostToDevice));
    EXPECT_ERROR(cudaErrorInvalidValue, cudaMemset(host, 0, 16));
    EXPECT_ERROR(REFUSED_PITCH, cudaMemcpy2D(device, 4, host, 8, 8, 1, cudaMemcpyHostToDevice));
    EXPECT_ERROR(cudaErrorInvalidValue, cudaMallocManaged(&pointer, 4, 9));
    EXPECT_ERROR(cudaErrorInvalidValue, cudaFreeHost(device));
    EXPECT_ERROR(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(host));
    EXPECT_OK(cudaMemcpy(device, host, 16, cudaMemcpyHostToHost)); /* the addresses decide */
    void *twice;
    EXPECT_OK(cudaMalloc(&twice, 4));
    EXPECT_OK(cudaFree(twice));
    EXPECT_ERROR(cudaErrorInvalidValue, cudaFree(twice));
}

static void other_errors()
{
    int value;
    cudaDeviceProp properties;
    EXPECT_ERROR(cudaErrorInvalidDevice, cudaSetDevice(99));
    EXPECT_ERROR(cudaErrorInvalidDevice, cudaGetDeviceProperties(&properties, 99));
    EXPECT_ERROR(cudaErrorInvalidDevice, cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 99));
    EXPECT_ERROR(cudaErrorInvalidValue, cudaGetDeviceCount(nullptr));
    cudaEvent_t early, late;
    float ms;
    EXPECT_OK(cudaEventCreate(&early));
    EXPECT_OK(cudaEventCreateWithFlags(&late, cudaEventDisableTiming));
    EXPECT_ERROR(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, early, early));
    EXPECT_OK(cudaEventRecord(early));
    EXPECT_OK(cudaEventRecord(late));
    EXPECT_OK(cudaDeviceSynchronize());
    EXPECT_ERROR(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, early, late));
    EXPECT_OK(cudaEventDestroy(early));
    EXPECT_OK(cudaEventDestroy(late));
}

/* An error of a call stays, whatever succeeds after it, until it is read. */
static void staying()
{
    EXPECT(cudaSetDevice(99) == cudaErrorInvalidDevice);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    EXPECT(cudaPeekAtLastError() == cudaErrorInvalidDevice);
    EXPECT(cudaGetLastError() == cudaErrorInvalidDevice);
    EXPECT(cudaPeekAtLastError() == cudaSuccess);
    EXPECT(strcmp(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress") == 0);
    EXPECT(strcmp(cudaGetErrorString(cudaErrorIllegalAddress),
                  "an illegal memory access was encountered") == 0);
    EXPECT(strcmp(cudaGetErrorString((cudaError_t)12345), "unrecognized error code") == 0);
}

/* A kernel's illegal address is known when the program waits for it, and never goes away. */
static void illegal_address()
{
    int *more;
    touch<<<1, 1>>>((int *)16);
    EXPECT(cudaGetLastError() == cudaSuccess);
    EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    EXPECT(cudaGetLastError() == cudaErrorIllegalAddress);
    EXPECT(cudaGetLastError() == cudaSuccess);
    EXPECT(cudaMalloc(&more, 4) == cudaErrorIllegalAddress);
    EXPECT(cudaGetLastError() == cudaErrorIllegalAddress);
    launch(1, 1);
    EXPECT(cudaPeekAtLastError() == cudaErrorIllegalAddress);
    EXPECT(cudaGetLastError() == cudaErrorIllegalAddress);
    EXPECT(cudaGetLastError() == cudaSuccess);
    EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
}

int main()
{
    int *device;
    EXPECT_OK(cudaMalloc(&device, 16));
    refused_launches();
    memory_errors(device);
    other_errors();
    staying();
    EXPECT_OK(cudaFree(device));
    illegal_address();
    return expect_result();
}
