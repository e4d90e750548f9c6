/*
 * function.c: attributes of kernels, and occupancy. The registers of a kernel are an estimate, and
 * are known of a build that is optimised: one that is made near the source would need many more
 * than the student's own.
 */
#include "gpu/runtime/function.h"

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

/* The kernel that an argument names; the error if it is NULL. */
static const struct ptx_function *kernel_of(const struct call *call, int index, cudaError_t *error)
{
    *error = cudaErrorInvalidDeviceFunction;
    return module_kernel(argument(call, index), error);
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

cudaError_t serve_cudaFuncGetAttributes(struct call *call)
{
    cudaError_t error;
    const struct ptx_function *kernel = kernel_of(call, 1, &error);
    if (!argument(call, 0)) return cudaErrorInvalidValue;
    if (kernel == NULL) return error;
    bool known = !kernel->module->source_build && kernel->registers > 0;
    cudaFuncAttributes attributes = {
        .maxThreadsPerBlock = largest_block(kernel),
        .numRegs = known ? (int)kernel->registers : USUAL_REGISTERS,
        .ptxVersion = kernel->module->target,
        .binaryVersion = (int)profile()->capability,
        .sharedSizeBytes = kernel->static_shared,
        .localSizeBytes = kernel->module->source_build ? 0 : kernel->local_bytes,
        .maxDynamicSharedSizeBytes = (int)function_shared_limit(kernel),
        .preferredShmemCarveout = cudaSharedmemCarveoutDefault};
    call_answer(&attributes, sizeof attributes);
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

cudaError_t serve_cudaFuncSetAttribute(struct call *call)
{
    cudaError_t error;
    const struct ptx_function *kernel = kernel_of(call, 0, &error);
    int attribute = argument_int(call, 1), value = argument_int(call, 2);
    if (kernel == NULL) return error;
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout)
        return value < -1 || value > 100 ? cudaErrorInvalidValue : cudaSuccess;
    return attribute == cudaFuncAttributeMaxDynamicSharedMemorySize
               ? set_dynamic_shared(kernel, value)
               : cudaErrorInvalidValue;
}

/* A wish about the kernel that changes nothing here. */
static cudaError_t take_wish(struct call *call, unsigned largest)
{
    cudaError_t error;
    if (argument_unsigned(call, 1) > largest) return cudaErrorInvalidValue;
    return kernel_of(call, 0, &error) != NULL ? cudaSuccess : error;
}

cudaError_t serve_cudaFuncSetCacheConfig(struct call *call)
{
    return take_wish(call, cudaFuncCachePreferEqual);
}

cudaError_t serve_cudaFuncSetSharedMemConfig(struct call *call)
{
    return take_wish(call, cudaSharedMemBankSizeEightByte);
}

cudaError_t serve_cudaFuncGetName(struct call *call)
{
    cudaError_t error;
    const struct ptx_function *kernel = kernel_of(call, 1, &error);
    if (!argument(call, 0)) return cudaErrorInvalidValue;
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

static cudaError_t give_active_blocks(struct call *call)
{
    cudaError_t error;
    const struct ptx_function *kernel = kernel_of(call, 1, &error);
    int threads = argument_int(call, 2);
    if (!argument(call, 0) || threads <= 0) return cudaErrorInvalidValue;
    if (kernel == NULL) return error;
    call->reply->result[0] = (uint64_t)active_blocks(kernel, threads, argument(call, 3));
    return cudaSuccess;
}

cudaError_t serve_cudaOccupancyMaxActiveBlocksPerMultiprocessor(struct call *call)
{
    return give_active_blocks(call);
}

cudaError_t serve_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(struct call *call)
{
    return argument_unsigned(call, 4) > 1 ? cudaErrorInvalidValue : give_active_blocks(call);
}

/* The largest block among those with the most threads on an SM, and the blocks that fill the GPU.
 */
cudaError_t serve_cudaOccupancyMaxPotentialBlockSize(struct call *call)
{
    cudaError_t error;
    const struct ptx_function *kernel = kernel_of(call, 2, &error);
    int limit = argument_int(call, 4), most = 0;
    if (!argument(call, 0) || !argument(call, 1) || limit < 0) return cudaErrorInvalidValue;
    if (kernel == NULL) return error;
    int largest = largest_block(kernel);
    if (limit == 0 || limit > largest) limit = largest;
    for (int size = limit; size > 0; size = (size - 1) / WARP * WARP) {
        int resident = active_blocks(kernel, size, argument(call, 3));
        if (resident * size <= most) continue;
        most = resident * size;
        call->reply->result[0] = (uint64_t)(resident * (int)profile()->sms);
        call->reply->result[1] = (uint64_t)size;
    }
    return cudaSuccess;
}

/* How much dynamic shared memory each block can have, if this number of blocks is on one SM. */
cudaError_t serve_cudaOccupancyAvailableDynamicSMemPerBlock(struct call *call)
{
    enum { UNIT = 128 };
    cudaError_t error;
    const struct ptx_function *kernel = kernel_of(call, 1, &error);
    int blocks = argument_int(call, 2), threads = argument_int(call, 3);
    if (!argument(call, 0) || blocks <= 0 || threads <= 0) return cudaErrorInvalidValue;
    if (kernel == NULL) return error;
    if (active_blocks(kernel, threads, 0) < blocks) return cudaErrorInvalidValue;
    size_t each = (size_t)(profile()->shared_kb_per_sm * 1024) / (size_t)blocks / UNIT * UNIT;
    size_t used = kernel->static_shared + (size_t)(profile()->shared_kb_reserved * 1024);
    size_t left = each > used ? each - used : 0, most = shared_at_most() - kernel->static_shared;
    call->reply->result[0] = left < most ? left : most;
    return cudaSuccess;
}

/* Clusters that the GPU holds at a time; arguments are those of a launch, one place further. */
cudaError_t serve_cudaOccupancyMaxActiveClusters(struct call *call)
{
    cudaError_t error;
    const struct ptx_function *kernel = kernel_of(call, 1, &error);
    uint64_t second = argument(call, 3), third = argument(call, 4), cluster = argument(call, 8);
    uint64_t threads = (second >> 32) * (uint32_t)third * (third >> 32);
    uint64_t size =
        (uint64_t)(uint32_t)cluster * (uint32_t)(cluster >> 32) * (uint32_t)argument(call, 9);
    if (!argument(call, 0)) return cudaErrorInvalidValue;
    if (kernel == NULL) return error;
    if (threads == 0 || threads > BLOCK_THREADS) return cudaErrorInvalidValue;
    uint64_t blocks =
        (uint64_t)active_blocks(kernel, (int)threads, argument(call, 5)) * (uint64_t)profile()->sms;
    call->reply->result[0] = blocks / (size == 0 ? 1 : size);
    return cudaSuccess;
}
