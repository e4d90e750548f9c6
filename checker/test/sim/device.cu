/* device.cu: what is told of the device. */
#include "expect.h"

__global__ void kernel(float *at)
{
    at[threadIdx.x] = 1;
}

static int attribute(cudaDeviceAttr which)
{
    int value = -1;
    EXPECT_OK(cudaDeviceGetAttribute(&value, which, 0));
    return value;
}

int main()
{
    int count = 0, device = -1, version = 0, blocks = 0, threads = 0;
    cudaDeviceProp properties;
    EXPECT_OK(cudaGetDeviceCount(&count));
    EXPECT(count >= 1);
    EXPECT_OK(cudaSetDevice(0));
    EXPECT_OK(cudaGetDevice(&device));
    EXPECT(device == 0);
    EXPECT_OK(cudaRuntimeGetVersion(&version));
    EXPECT(version >= 11000);
    EXPECT_OK(cudaGetDeviceProperties(&properties, 0));
    EXPECT(properties.warpSize == 32 && properties.maxThreadsPerBlock == 1024);
    EXPECT(properties.maxThreadsDim[2] == 64 && properties.maxGridSize[0] == 2147483647);
    EXPECT(properties.sharedMemPerBlock == 48 << 10 && properties.regsPerBlock == 65536);
    EXPECT(properties.totalConstMem == 65536 && properties.unifiedAddressing);
    EXPECT(attribute(cudaDevAttrMultiProcessorCount) == properties.multiProcessorCount);
    EXPECT(attribute(cudaDevAttrComputeCapabilityMajor) == properties.major);
    EXPECT(attribute(cudaDevAttrL2CacheSize) == properties.l2CacheSize);
    EXPECT(attribute(cudaDevAttrMaxThreadsPerMultiProcessor) ==
           properties.maxThreadsPerMultiProcessor);
    EXPECT(attribute(cudaDevAttrGlobalMemoryBusWidth) == properties.memoryBusWidth);

    cudaFuncAttributes attributes;
    EXPECT_OK(cudaFuncGetAttributes(&attributes, kernel));
    EXPECT(attributes.maxThreadsPerBlock == 1024 && attributes.numRegs > 0);
    EXPECT_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 256, 0));
    EXPECT(blocks == properties.maxThreadsPerMultiProcessor / 256);
    /* With the reserved 1 KB, rounded up to 128 bytes, this is 23424 bytes of 233472. */
    EXPECT_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 128, 22320));
    EXPECT(properties.major != 9 || blocks == 9);
    EXPECT_OK(cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, kernel, 0, 0));
    EXPECT(threads == (properties.maxThreadsPerMultiProcessor == 1536 ? 768 : 1024));
    EXPECT(blocks ==
           properties.multiProcessorCount * properties.maxThreadsPerMultiProcessor / threads);
    printf("%s %d.%d, %d SMs\n", properties.name, properties.major, properties.minor,
           properties.multiProcessorCount);
    EXPECT_OK(cudaDeviceReset());
    return expect_result();
}
