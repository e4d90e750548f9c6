/* properties.h: what the driver knows of the GPU, and what is the same for all GPUs of one compute
 * capability. */
#ifndef PROPERTIES_H
#define PROPERTIES_H

#include "common.h"

static const char DRIVER[] = "device properties";

static double attribute(cudaDeviceAttr name)
{
    int value = 0;
    check(cudaDeviceGetAttribute(&value, name, 0), "reading the device properties");
    return value;
}

/* The L1 and the shared memory of one SM together, which no property tells: the tuning guides of
 * the architectures (docs.nvidia.com/cuda) do. */
static double l1_kb(double capability)
{
    if (capability == 75) return 96;
    if (capability == 80 || capability == 87) return 192;
    if (capability == 90 || (capability >= 100 && capability < 120)) return 256;
    return 128;
}

static void measure_properties(struct gpu *gpu)
{
    const cudaDeviceProp *gpu_is = &gpu->properties;
    check(cudaGetDeviceProperties(&gpu->properties, 0), "no usable GPU");
    gpu->capability = 10 * gpu_is->major + gpu_is->minor;
    gpu->sms = gpu_is->multiProcessorCount;
    gpu->l2_bytes = gpu_is->l2CacheSize;

    double memory_ghz = attribute(cudaDevAttrMemoryClockRate) * 1e-6;
    double bus_bits = attribute(cudaDevAttrGlobalMemoryBusWidth);
    printf("name\t%s\t%s\t0\n", gpu_is->name, DRIVER);
    figure("capability", gpu->capability, DRIVER);
    figure("sms", gpu->sms, DRIVER);
    figure("memory_gb", (double)gpu_is->totalGlobalMem * 1e-9, DRIVER);
    figure("l2_mb", gpu->l2_bytes / M, DRIVER);
    figure("l1_kb", l1_kb(gpu->capability), "tuning guide of the compute capability");
    figure("threads_per_sm", gpu_is->maxThreadsPerMultiProcessor, DRIVER);
    figure("blocks_per_sm", attribute(cudaDevAttrMaxBlocksPerMultiprocessor), DRIVER);
    figure("registers_per_sm", gpu_is->regsPerMultiprocessor, DRIVER);
    figure("shared_kb_per_sm", (double)gpu_is->sharedMemPerMultiprocessor / K, DRIVER);
    figure("shared_kb_per_block", attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) / K, DRIVER);
    figure("memory_bus_bits", bus_bits, DRIVER);
    figure("peak_gbs", 2 * memory_ghz * bus_bits / 8,
           "device properties: two transfers per clock of the memory bus");
}

#endif
