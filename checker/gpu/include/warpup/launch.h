/*
 * launch.h: the host's calls as C++ has them: pointers of any type, variables and kernels by their
 * names. Each calls the function of C (cuda_runtime_api.h).
 */
#ifndef WARPUP_LAUNCH_H
#define WARPUP_LAUNCH_H

#include "../cuda_runtime_api.h"

#define WARPUP_CALL WARPUP_HOST cudaError_t

/* The call for pointers, variables or kernels of any type T. */
#define WARPUP_FOR_ANY(name, parameters, arguments)                                                \
    template <class T> WARPUP_CALL name parameters { return name arguments; }
#define WARPUP_OUT (void **)(void *)

/* ---- memory --------------------------------------------------------------------------------- */

WARPUP_FOR_ANY(cudaMalloc, (T * *pointer, size_t bytes), (WARPUP_OUT pointer, bytes))
WARPUP_FOR_ANY(cudaMallocPitch, (T * *pointer, size_t *pitch, size_t width, size_t height),
               (WARPUP_OUT pointer, pitch, width, height))
WARPUP_FOR_ANY(cudaMallocManaged, (T * *pointer, size_t bytes, unsigned int flags = 1),
               (WARPUP_OUT pointer, bytes, flags))
template <class T> WARPUP_CALL cudaMallocHost(T **pointer, size_t bytes, unsigned int flags = 0)
{
    return cudaHostAlloc(WARPUP_OUT pointer, bytes, flags);
}
WARPUP_FOR_ANY(cudaHostAlloc, (T * *pointer, size_t bytes, unsigned int flags),
               (WARPUP_OUT pointer, bytes, flags))
WARPUP_FOR_ANY(cudaMallocAsync, (T * *pointer, size_t bytes, cudaStream_t stream),
               (WARPUP_OUT pointer, bytes, stream))
WARPUP_FOR_ANY(cudaMallocFromPoolAsync,
               (T * *pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream),
               (WARPUP_OUT pointer, bytes, pool, stream))
template <class T>
WARPUP_CALL cudaMallocAsync(T **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream)
{
    return cudaMallocFromPoolAsync(WARPUP_OUT pointer, bytes, pool, stream);
}
WARPUP_FOR_ANY(cudaHostGetDevicePointer, (T * *device, void *host, unsigned int flags),
               (WARPUP_OUT device, host, flags))
WARPUP_CALL cudaMemPrefetchAsync(const void *pointer, size_t bytes, cudaMemLocation location,
                                 unsigned int flags, cudaStream_t stream = nullptr)
{
    return cudaMemPrefetchAsync_v2(pointer, bytes, location, flags, stream);
}
WARPUP_CALL cudaMemAdvise(const void *pointer, size_t bytes, cudaMemoryAdvise advice,
                          cudaMemLocation location)
{
    return cudaMemAdvise_v2(pointer, bytes, advice, location);
}

/* ---- variables ------------------------------------------------------------------------------ */

#define WARPUP_SYMBOL (const void *)&symbol
WARPUP_FOR_ANY(cudaGetSymbolAddress, (void **address, const T &symbol), (address, WARPUP_SYMBOL))
template <class P, class T> WARPUP_CALL cudaGetSymbolAddress(P **address, const T &symbol)
{
    return cudaGetSymbolAddress(WARPUP_OUT address, WARPUP_SYMBOL);
}
WARPUP_FOR_ANY(cudaGetSymbolSize, (size_t * bytes, const T &symbol), (bytes, WARPUP_SYMBOL))
WARPUP_FOR_ANY(cudaMemcpyToSymbol,
               (const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                cudaMemcpyKind kind = cudaMemcpyHostToDevice),
               (WARPUP_SYMBOL, from, bytes, offset, kind))
WARPUP_FOR_ANY(cudaMemcpyToSymbolAsync,
               (const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = nullptr),
               (WARPUP_SYMBOL, from, bytes, offset, kind, stream))
WARPUP_FOR_ANY(cudaMemcpyFromSymbol,
               (void *to, const T &symbol, size_t bytes, size_t offset = 0,
                cudaMemcpyKind kind = cudaMemcpyDeviceToHost),
               (to, WARPUP_SYMBOL, bytes, offset, kind))
WARPUP_FOR_ANY(cudaMemcpyFromSymbolAsync,
               (void *to, const T &symbol, size_t bytes, size_t offset = 0,
                cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = nullptr),
               (to, WARPUP_SYMBOL, bytes, offset, kind, stream))
#undef WARPUP_SYMBOL

/* ---- kernels -------------------------------------------------------------------------------- */

#define WARPUP_KERNEL (const void *)kernel
WARPUP_FOR_ANY(cudaLaunchKernel,
               (T * kernel, dim3 grid, dim3 block, void **arguments, size_t shared = 0,
                cudaStream_t stream = nullptr),
               (WARPUP_KERNEL, grid, block, arguments, shared, stream))
WARPUP_FOR_ANY(cudaLaunchCooperativeKernel,
               (T * kernel, dim3 grid, dim3 block, void **arguments, size_t shared = 0,
                cudaStream_t stream = nullptr),
               (WARPUP_KERNEL, grid, block, arguments, shared, stream))
namespace warpup
{
/* Arguments that have been converted to what the kernel takes */
template <class... P>
WARPUP_CALL launch_converted(const cudaLaunchConfig_t *config, const void *kernel, P... arguments)
{
    void *addresses[] = {(void *)&arguments..., nullptr};
    return cudaLaunchKernelExC(config, kernel, addresses);
}
} // namespace warpup
template <class... P, class... T>
WARPUP_CALL cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(P...),
                               T &&...arguments)
{
    return warpup::launch_converted<P...>(config, (const void *)kernel,
                                          static_cast<T &&>(arguments)...);
}
WARPUP_FOR_ANY(cudaFuncGetAttributes, (cudaFuncAttributes * attributes, T *kernel),
               (attributes, WARPUP_KERNEL))
WARPUP_FOR_ANY(cudaFuncSetAttribute, (T * kernel, cudaFuncAttribute attribute, int value),
               (WARPUP_KERNEL, attribute, value))
WARPUP_FOR_ANY(cudaFuncSetCacheConfig, (T * kernel, cudaFuncCache config), (WARPUP_KERNEL, config))
WARPUP_FOR_ANY(cudaFuncSetSharedMemConfig, (T * kernel, cudaSharedMemConfig config),
               (WARPUP_KERNEL, config))
WARPUP_FOR_ANY(cudaFuncGetName, (const char **name, T *kernel), (name, WARPUP_KERNEL))
WARPUP_FOR_ANY(cudaOccupancyMaxActiveBlocksPerMultiprocessor,
               (int *blocks, T kernel, int threads, size_t shared),
               (blocks, WARPUP_KERNEL, threads, shared))
WARPUP_FOR_ANY(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
               (int *blocks, T kernel, int threads, size_t shared, unsigned int flags),
               (blocks, WARPUP_KERNEL, threads, shared, flags))
WARPUP_FOR_ANY(cudaOccupancyAvailableDynamicSMemPerBlock,
               (size_t * bytes, T *kernel, int blocks, int threads),
               (bytes, WARPUP_KERNEL, blocks, threads))
WARPUP_FOR_ANY(cudaOccupancyMaxActiveClusters,
               (int *clusters, T *kernel, const cudaLaunchConfig_t *config),
               (clusters, WARPUP_KERNEL, config))
#undef WARPUP_KERNEL

/* The block with most threads per SM: multiples of a warp, the largest first. `shared_of(threads)`
 * is the dynamic shared memory that a block of that size needs. */
template <class T, class F>
static __host__ inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int *blocks, int *threads, T kernel, F shared_of, int limit = 0, unsigned int flags = 0)
{
    int device, sms, best = 0;
    cudaFuncAttributes attributes;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess) error = cudaFuncGetAttributes(&attributes, (const void *)kernel);
    if (error != cudaSuccess) return error;
    int largest = attributes.maxThreadsPerBlock;
    if (limit > 0 && limit < largest) largest = limit;
    *blocks = 0, *threads = 0;
    for (int size = (largest + 31) / 32 * 32; size > 0; size -= 32) {
        int try_size = size < largest ? size : largest, count = 0;
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
            &count, (const void *)kernel, try_size, shared_of(try_size), flags);
        if (error != cudaSuccess) return error;
        if (try_size * count > best)
            best = try_size * count, *threads = try_size, *blocks = count * sms;
    }
    return cudaSuccess;
}
template <class T, class F>
static __host__ inline cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *blocks, int *threads, T kernel, F shared_of,
                                               int limit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(blocks, threads, kernel,
                                                                   shared_of, limit);
}
template <class T>
static __host__ inline cudaError_t
cudaOccupancyMaxPotentialBlockSizeWithFlags(int *blocks, int *threads, T kernel, size_t shared = 0,
                                            int limit = 0, unsigned int flags = 0)
{
    if (flags > 1) return cudaErrorInvalidValue;
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
        blocks, threads, kernel, [=](int) { return shared; }, limit, flags);
}
template <class T>
static __host__ inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *blocks, int *threads,
                                                                      T kernel, size_t shared = 0,
                                                                      int limit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeWithFlags(blocks, threads, kernel, shared, limit);
}

/* ---- others --------------------------------------------------------------------------------- */

WARPUP_CALL cudaEventCreate(cudaEvent_t *event, unsigned int flags)
{
    return cudaEventCreateWithFlags(event, flags);
}
/* The form of CUDA 11 */
WARPUP_CALL cudaGraphInstantiate(cudaGraphExec_t *whole, cudaGraph_t graph, cudaGraphNode_t *,
                                 char *, size_t)
{
    return cudaGraphInstantiate(whole, graph, 0);
}
WARPUP_HOST cudaPitchedPtr make_cudaPitchedPtr(void *at, size_t pitch, size_t width, size_t height)
{
    return {at, pitch, width, height};
}
WARPUP_HOST cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return {x, y, z}; }
WARPUP_HOST cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth)
{
    return {width, height, depth};
}

#undef WARPUP_OUT
#undef WARPUP_FOR_ANY
#undef WARPUP_CALL

#endif
