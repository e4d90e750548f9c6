/*
 * function.c: attributes of kernels, and occupancy. The registers of a kernel are an estimate, and
 * are known of a build that is optimised: one that is made near the source would need many more
 * than the student's own.
 */
#include "gpu/runtime/request.h"

#include "gpu/runtime/runtime.h"
#include "gpu/server/modules.h"
#include "gpu/time/model.h"
#include "gpu/time/profile.h"

#include <string.h>

enum {
    DEFAULT_SHARED = 48 << 10,
    BLOCK_THREADS = 1024,
    WARP = 32,
    FUNCTIONS_MAX = 256,
    USUAL_REGISTERS = 32
};

/* Kernels for which cudaFuncSetAttribute has set a limit of dynamic shared memory. */
static struct {
    const struct ptx_function *kernel;
    size_t dynamic;
} opted[FUNCTIONS_MAX];
static int opted_count;

/* The index of the kernel in that list, or of the next free place. */
static int opted_index(const struct ptx_function *kernel)
{
    int i = 0;
    while (i < opted_count && opted[i].kernel != kernel)
        i++;
    return i;
}

size_t function_shared_limit(const struct ptx_function *kernel)
{
    int i = opted_index(kernel);
    if (i < opted_count) return opted[i].dynamic;
    return kernel->static_shared < DEFAULT_SHARED ? DEFAULT_SHARED - kernel->static_shared : 0;
}

static size_t shared_at_most(void)
{
    return (size_t)(profile()->shared_kb_per_block * 1024);
}

/* The kernel with this stub; the error if it is NULL. */
static const struct ptx_function *kernel_of(uint64_t stub, cudaError_t *error)
{
    *error = cudaErrorInvalidDeviceFunction;
    return module_kernel(stub, error);
}

/* The largest block that __launch_bounds__ and the registers allow. */
static int largest_block(const struct ptx_function *kernel)
{
    uint64_t most = BLOCK_THREADS;
    if (kernel->max_threads_said)
        most = (uint64_t)kernel->max_threads[0] * kernel->max_threads[1] * kernel->max_threads[2];
    if (most > BLOCK_THREADS) most = BLOCK_THREADS;
    while (most > WARP && time_blocks_of(kernel, most, 0) == 0)
        most -= WARP;
    return (int)most;
}

cudaError_t serve_cudaFuncGetAttributes(struct call *call, cudaFuncAttributes *attributes,
                                        uint64_t function)
{
    cudaError_t error;
    const struct ptx_function *kernel = kernel_of(function, &error);
    if (kernel == NULL) return error;
    bool valid = !kernel->module->source_build && kernel->registers > 0;
    *attributes = (cudaFuncAttributes){
        .maxThreadsPerBlock = largest_block(kernel),
        .numRegs = valid ? (int)kernel->registers : USUAL_REGISTERS,
        .ptxVersion = kernel->module->target,
        .binaryVersion = (int)profile()->capability,
        .sharedSizeBytes = kernel->static_shared,
        .localSizeBytes = kernel->module->source_build ? 0 : kernel->local_bytes,
        .maxDynamicSharedSizeBytes = (int)function_shared_limit(kernel),
        .preferredShmemCarveout = cudaSharedmemCarveoutDefault};
    return cudaSuccess;
}

static cudaError_t set_dynamic_shared(const struct ptx_function *kernel, int value)
{
    int i = opted_index(kernel);
    if (value < 0 || (size_t)value + kernel->static_shared > shared_at_most())
        return cudaErrorInvalidValue;
    if (i == FUNCTIONS_MAX) return cudaErrorMemoryAllocation;
    if (i == opted_count) opted[opted_count++].kernel = kernel;
    opted[i].dynamic = (size_t)value;
    return cudaSuccess;
}

cudaError_t serve_cudaFuncSetAttribute(struct call *call, uint64_t function,
                                       cudaFuncAttribute attribute, int value)
{
    cudaError_t error;
    const struct ptx_function *kernel = kernel_of(function, &error);
    if (kernel == NULL) return error;
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout)
        return value < -1 || value > 100 ? cudaErrorInvalidValue : cudaSuccess;
    return attribute == cudaFuncAttributeMaxDynamicSharedMemorySize
               ? set_dynamic_shared(kernel, value)
               : cudaErrorInvalidValue;
}

/* A wish about the kernel that changes nothing here. */
static cudaError_t take_wish(uint64_t function, bool valid)
{
    cudaError_t error;
    if (!valid) return cudaErrorInvalidValue;
    return kernel_of(function, &error) != NULL ? cudaSuccess : error;
}

cudaError_t serve_cudaFuncSetCacheConfig(struct call *call, uint64_t function, cudaFuncCache config)
{
    return take_wish(function, config <= cudaFuncCachePreferEqual);
}

cudaError_t serve_cudaFuncSetSharedMemConfig(struct call *call, uint64_t function,
                                             cudaSharedMemConfig config)
{
    return take_wish(function, config <= cudaSharedMemBankSizeEightByte);
}

cudaError_t serve_cudaFuncGetName(struct call *call)
{
    cudaError_t error;
    const struct ptx_function *kernel = kernel_of(call->argument[1], &error);
    if (call->argument[0] == 0) return cudaErrorInvalidValue;
    if (kernel == NULL) return error;
    call_answer(kernel->name, strlen(kernel->name) + 1);
    return cudaSuccess;
}

/* ---- occupancy ------------------------------------------------------------------------------ */

static int active_blocks(const struct ptx_function *kernel, int threads, size_t shared)
{
    if (threads > largest_block(kernel) || shared + kernel->static_shared > shared_at_most())
        return 0;
    return (int)time_blocks_of(kernel, (uint64_t)threads, shared);
}

cudaError_t serve_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(struct call *call,
                                                                         int *blocks,
                                                                         uint64_t function,
                                                                         int threads, size_t shared,
                                                                         unsigned int flags)
{
    cudaError_t error;
    const struct ptx_function *kernel = kernel_of(function, &error);
    if (threads <= 0 || flags > 1) return cudaErrorInvalidValue;
    if (kernel == NULL) return error;
    *blocks = active_blocks(kernel, threads, shared);
    return cudaSuccess;
}

cudaError_t serve_cudaOccupancyMaxActiveBlocksPerMultiprocessor(struct call *call, int *blocks,
                                                                uint64_t function, int threads,
                                                                size_t shared)
{
    return serve_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(call, blocks, function,
                                                                        threads, shared, 0);
}

/* How much dynamic shared memory each block can have, if this number of blocks is on one SM. */
cudaError_t serve_cudaOccupancyAvailableDynamicSMemPerBlock(struct call *call, size_t *bytes,
                                                            uint64_t function, int blocks,
                                                            int threads)
{
    enum { UNIT = 128 };
    cudaError_t error;
    const struct ptx_function *kernel = kernel_of(function, &error);
    if (blocks <= 0 || threads <= 0) return cudaErrorInvalidValue;
    if (kernel == NULL) return error;
    if (active_blocks(kernel, threads, 0) < blocks) return cudaErrorInvalidValue;
    size_t each = (size_t)(profile()->shared_kb_per_sm * 1024) / (size_t)blocks / UNIT * UNIT;
    size_t used = kernel->static_shared + (size_t)(profile_shared_kb_reserved() * 1024);
    size_t left = each > used ? each - used : 0, most = shared_at_most() - kernel->static_shared;
    *bytes = left < most ? left : most;
    return cudaSuccess;
}

/* Clusters that the GPU holds at a time */
cudaError_t serve_cudaOccupancyMaxActiveClusters(struct call *call)
{
    cudaError_t error;
    struct wire_launch launch;
    size_t at = 0;
    if (call->argument[0] == 0 || !call_copy(call, true, &at, &launch, sizeof launch))
        return cudaErrorInvalidValue;
    const struct ptx_function *kernel = kernel_of(launch.function, &error);
    const uint32_t *block = launch.block, *cluster = launch.cluster;
    uint64_t threads = (uint64_t)block[0] * block[1] * block[2],
             size = (uint64_t)cluster[0] * cluster[1] * cluster[2];
    if (kernel == NULL) return error;
    if (threads == 0 || threads > BLOCK_THREADS) return cudaErrorInvalidValue;
    uint64_t blocks =
        (uint64_t)active_blocks(kernel, (int)threads, launch.shared) * (uint64_t)profile()->sms;
    int clusters = (int)(blocks / (size == 0 ? 1 : size));
    call_answer(&clusters, sizeof clusters);
    return cudaSuccess;
}
