/*
 * api_function.c: attributes of kernels, and occupancy. The registers that a kernel would need on a
 * GPU are not known here, so they limit nothing.
 */
#include "sim/api/api_function.h"

#include "sim/api/api_call.h"
#include "sim/engine/model.h"
#include "sim/gpu/profile.h"
#include "sim/image/program.h"
#include "sim/image/shared_variables.h"

enum { DEFAULT_SHARED = 48 << 10, BLOCK_THREADS = 1024 };

enum { FUNCTIONS_MAX = 256 };

/* Kernels for which cudaFuncSetAttribute has set a limit of dynamic shared memory. */
static struct {
    const void *kernel;
    size_t dynamic;
} opted[FUNCTIONS_MAX];
static int opted_count;

/* The index of the kernel in that list, or of the next free place. */
static int opted_index(const void *kernel)
{
    int i = 0;
    while (i < opted_count && opted[i].kernel != kernel)
        i++;
    return i;
}

size_t function_shared_limit(const void *kernel)
{
    int i = opted_index(kernel);
    if (i < opted_count) return opted[i].dynamic;
    size_t own = shared_variables_static_bytes(kernel);
    return own < DEFAULT_SHARED ? DEFAULT_SHARED - own : 0;
}

static size_t shared_at_most(void)
{
    return (size_t)(profile()->shared_kb_per_block * 1024);
}

static cudaError_t check_function(const void *function)
{
    return program_device_function(function) == NULL ? cudaErrorInvalidDeviceFunction : cudaSuccess;
}

static cudaError_t function_attributes(cudaFuncAttributes *attributes, const void *function)
{
    if (attributes == NULL) return cudaErrorInvalidValue;
    const void *kernel = program_device_function(function);
    *attributes =
        (cudaFuncAttributes){.maxThreadsPerBlock = BLOCK_THREADS,
                             .numRegs = 32,
                             .ptxVersion = (int)profile()->capability,
                             .binaryVersion = (int)profile()->capability,
                             .sharedSizeBytes = shared_variables_static_bytes(kernel),
                             .maxDynamicSharedSizeBytes = (int)function_shared_limit(kernel),
                             .preferredShmemCarveout = cudaSharedmemCarveoutDefault};
    return kernel == NULL ? cudaErrorInvalidDeviceFunction : cudaSuccess;
}

CALL(cudaFuncGetAttributes, (cudaFuncAttributes * attributes, const void *function),
     function_attributes(attributes, function));

static cudaError_t set_dynamic_shared(const void *kernel, int value)
{
    int i = opted_index(kernel);
    if (value < 0 || (size_t)value + shared_variables_static_bytes(kernel) > shared_at_most())
        return cudaErrorInvalidValue;
    if (i == FUNCTIONS_MAX) return cudaErrorMemoryAllocation;
    if (i == opted_count) opted[opted_count++].kernel = kernel;
    opted[i].dynamic = (size_t)value;
    return cudaSuccess;
}

static cudaError_t set_attribute(const void *function, cudaFuncAttribute attribute, int value)
{
    cudaError_t error = check_function(function);
    if (error != cudaSuccess) return error;
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout)
        return value < -1 || value > 100 ? cudaErrorInvalidValue : cudaSuccess;
    return attribute == cudaFuncAttributeMaxDynamicSharedMemorySize
               ? set_dynamic_shared(program_device_function(function), value)
               : cudaErrorInvalidValue;
}

CALL(cudaFuncSetAttribute, (const void *function, cudaFuncAttribute attribute, int value),
     set_attribute(function, attribute, value));
CALL(cudaFuncSetCacheConfig, (const void *function, cudaFuncCache config),
     (unsigned)config > cudaFuncCachePreferEqual ? cudaErrorInvalidValue
                                                 : check_function(function));
CALL(cudaFuncSetSharedMemConfig, (const void *function, cudaSharedMemConfig config),
     (unsigned)config > cudaSharedMemBankSizeEightByte ? cudaErrorInvalidValue
                                                       : check_function(function));

static cudaError_t active_blocks(int *blocks, const void *function, int threads, size_t shared)
{
    if (blocks == NULL || threads <= 0) return cudaErrorInvalidValue;
    cudaError_t error = check_function(function);
    shared += shared_variables_static_bytes(program_device_function(function));
    bool fits = threads <= BLOCK_THREADS && shared <= shared_at_most();
    *blocks = fits ? model_blocks_per_sm((uint64_t)threads, shared) : 0;
    return error;
}

CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor,
     (int *blocks, const void *function, int threads, size_t shared),
     active_blocks(blocks, function, threads, shared));
CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
     (int *blocks, const void *function, int threads, size_t shared, unsigned int flags),
     flags > 1 ? cudaErrorInvalidValue : active_blocks(blocks, function, threads, shared));

/* The largest block among those with the most threads on an SM, and the blocks that fill the GPU.
 */
static cudaError_t best_block(int *blocks, int *threads, const void *function, size_t shared,
                              int limit)
{
    if (blocks == NULL || threads == NULL || limit < 0) return cudaErrorInvalidValue;
    int resident = 0, most = 0;
    *blocks = *threads = 0;
    if (limit == 0 || limit > BLOCK_THREADS) limit = BLOCK_THREADS;
    for (int size = limit; size > 0; size = (size - 1) / 32 * 32) {
        cudaError_t error = active_blocks(&resident, function, size, shared);
        if (error != cudaSuccess) return error;
        if (resident * size <= most) continue;
        most = resident * size;
        *threads = size;
        *blocks = resident * (int)profile()->sms;
    }
    return cudaSuccess;
}

cudaError_t warpup_occupancy(int *blocks, int *threads, const void *function, size_t shared,
                             int limit)
{
    API_AS("cudaOccupancyMaxPotentialBlockSize",
           best_block(blocks, threads, function, shared, limit));
}
