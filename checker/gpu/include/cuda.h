/*
 * cuda.h: the part of the driver's interface that programs use before the runtime's: the devices,
 * their names and attributes, the version. Enumerators have the numbers that the CUDA documentation
 * gives.
 */
#ifndef __cuda_cuda_h__
#define __cuda_cuda_h__

#include "cuda_runtime.h"

#define CUDA_VERSION CUDART_VERSION
#define CUDAAPI
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;

typedef enum cudaError_enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_NOT_INITIALIZED = 3,
    CUDA_ERROR_DEINITIALIZED = 4,
    CUDA_ERROR_NO_DEVICE = 100,
    CUDA_ERROR_INVALID_DEVICE = 101,
    CUDA_ERROR_INVALID_CONTEXT = 201,
    CUDA_ERROR_INVALID_HANDLE = 400,
    CUDA_ERROR_NOT_FOUND = 500,
    CUDA_ERROR_NOT_SUPPORTED = 801,
    CUDA_ERROR_UNKNOWN = 999
} CUresult;

/* The driver's attributes have the runtime's numbers. */
typedef enum CUdevice_attribute_enum {
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X = 2,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y = 3,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z = 4,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = 5,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y = 6,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z = 7,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
    CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY = 9,
    CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,
    CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK = 12,
    CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13,
    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
    CU_DEVICE_ATTRIBUTE_COMPUTE_MODE = 20,
    CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36,
    CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37,
    CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38,
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39,
    CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING = 41,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76
} CUdevice_attribute;

/* A runtime's error, as the driver would give it */
static inline CUresult warpup_driver_error(cudaError_t error)
{
    return error == cudaErrorInvalidDevice ? CUDA_ERROR_INVALID_DEVICE : (CUresult)error;
}
static inline CUresult cuInit(unsigned int flags)
{
    return flags == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
static inline CUresult cuDriverGetVersion(int *version)
{
    return warpup_driver_error(cudaDriverGetVersion(version));
}
static inline CUresult cuDeviceGetCount(int *count)
{
    return warpup_driver_error(cudaGetDeviceCount(count));
}
static inline CUresult cuDeviceGet(CUdevice *device, int number)
{
    int count = 0;
    CUresult result = cuDeviceGetCount(&count);
    if (result != CUDA_SUCCESS) return result;
    if (number < 0 || number >= count) return CUDA_ERROR_INVALID_DEVICE;
    *device = number;
    return CUDA_SUCCESS;
}
static inline CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute,
                                            CUdevice device)
{
    return warpup_driver_error(cudaDeviceGetAttribute(value, (cudaDeviceAttr)attribute, device));
}
static inline CUresult cuDeviceGetName(char *name, int length, CUdevice device)
{
    cudaDeviceProp properties;
    CUresult result = warpup_driver_error(cudaGetDeviceProperties(&properties, device));
    if (result != CUDA_SUCCESS || length <= 0) return result;
    strncpy(name, properties.name, (size_t)length - 1);
    name[length - 1] = '\0';
    return CUDA_SUCCESS;
}
static inline CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
    cudaDeviceProp properties;
    CUresult result = warpup_driver_error(cudaGetDeviceProperties(&properties, device));
    if (result == CUDA_SUCCESS) *bytes = properties.totalGlobalMem;
    return result;
}
static inline CUresult cuMemGetInfo(size_t *left, size_t *total)
{
    return warpup_driver_error(cudaMemGetInfo(left, total));
}
static inline CUresult cuGetErrorName(CUresult error, const char **name)
{
    *name = error == CUDA_SUCCESS ? "CUDA_SUCCESS" : "CUDA_ERROR";
    return CUDA_SUCCESS;
}
static inline CUresult cuGetErrorString(CUresult error, const char **text)
{
    *text = cudaGetErrorString((cudaError_t)error);
    return CUDA_SUCCESS;
}

#endif
