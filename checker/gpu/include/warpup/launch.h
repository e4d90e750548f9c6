/*
 * launch.h: the host's calls as C++ has them: pointers of any type, variables and kernels by their
 * names. Each calls the function of C (cuda_runtime_api.h).
 */
#ifndef WARPUP_LAUNCH_H
#define WARPUP_LAUNCH_H

#pragma GCC system_header

#include "../cuda_runtime_api.h"

#define WARPUP_CALL WARPUP_HOST cudaError_t

/* ---- memory --------------------------------------------------------------------------------- */

template <class T> WARPUP_CALL cudaMalloc(T **pointer, size_t bytes)
{
    return cudaMalloc((void **)(void *)pointer, bytes);
}
template <class T>
WARPUP_CALL cudaMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height)
{
    return cudaMallocPitch((void **)(void *)pointer, pitch, width, height);
}
template <class T> WARPUP_CALL cudaMallocManaged(T **pointer, size_t bytes, unsigned int flags = 1)
{
    return cudaMallocManaged((void **)(void *)pointer, bytes, flags);
}
template <class T> WARPUP_CALL cudaMallocHost(T **pointer, size_t bytes, unsigned int flags = 0)
{
    return cudaHostAlloc((void **)(void *)pointer, bytes, flags);
}
template <class T> WARPUP_CALL cudaHostAlloc(T **pointer, size_t bytes, unsigned int flags)
{
    return cudaHostAlloc((void **)(void *)pointer, bytes, flags);
}
template <class T> WARPUP_CALL cudaMallocAsync(T **pointer, size_t bytes, cudaStream_t stream)
{
    return cudaMallocAsync((void **)(void *)pointer, bytes, stream);
}
template <class T> WARPUP_CALL cudaHostGetDevicePointer(T **device, void *host, unsigned int flags)
{
    return cudaHostGetDevicePointer((void **)(void *)device, host, flags);
}
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

template <class T> WARPUP_CALL cudaGetSymbolAddress(void **address, const T &symbol)
{
    return cudaGetSymbolAddress(address, (const void *)&symbol);
}
template <class P, class T> WARPUP_CALL cudaGetSymbolAddress(P **address, const T &symbol)
{
    return cudaGetSymbolAddress((void **)(void *)address, (const void *)&symbol);
}
template <class T> WARPUP_CALL cudaGetSymbolSize(size_t *bytes, const T &symbol)
{
    return cudaGetSymbolSize(bytes, (const void *)&symbol);
}
template <class T>
WARPUP_CALL cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return cudaMemcpyToSymbol((const void *)&symbol, from, bytes, offset, kind);
}
template <class T>
WARPUP_CALL cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes,
                                    size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                    cudaStream_t stream = nullptr)
{
    return cudaMemcpyToSymbolAsync((const void *)&symbol, from, bytes, offset, kind, stream);
}
template <class T>
WARPUP_CALL cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return cudaMemcpyFromSymbol(to, (const void *)&symbol, bytes, offset, kind);
}
template <class T>
WARPUP_CALL cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                      cudaStream_t stream = nullptr)
{
    return cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, bytes, offset, kind, stream);
}

/* ---- kernels -------------------------------------------------------------------------------- */

template <class T>
WARPUP_CALL cudaLaunchKernel(T *kernel, dim3 grid, dim3 block, void **arguments, size_t shared = 0,
                             cudaStream_t stream = nullptr)
{
    return cudaLaunchKernel((const void *)kernel, grid, block, arguments, shared, stream);
}
template <class T>
WARPUP_CALL cudaLaunchCooperativeKernel(T *kernel, dim3 grid, dim3 block, void **arguments,
                                        size_t shared = 0, cudaStream_t stream = nullptr)
{
    return cudaLaunchCooperativeKernel((const void *)kernel, grid, block, arguments, shared,
                                       stream);
}
namespace warpup
{
/* Arguments that have been converted to what the kernel takes */
template <class... P>
WARPUP_CALL launch_converted(const cudaLaunchConfig_t *config, const void *kernel, P... arguments)
{
    void *places[] = {(void *)&arguments..., nullptr};
    return cudaLaunchKernelExC(config, kernel, places);
}
} // namespace warpup
template <class... P, class... T>
WARPUP_CALL cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(P...),
                               T &&...arguments)
{
    return warpup::launch_converted<P...>(config, (const void *)kernel,
                                          static_cast<T &&>(arguments)...);
}
template <class T> WARPUP_CALL cudaFuncGetAttributes(cudaFuncAttributes *attributes, T *kernel)
{
    return cudaFuncGetAttributes(attributes, (const void *)kernel);
}
template <class T>
WARPUP_CALL cudaFuncSetAttribute(T *kernel, cudaFuncAttribute attribute, int value)
{
    return cudaFuncSetAttribute((const void *)kernel, attribute, value);
}
template <class T> WARPUP_CALL cudaFuncSetCacheConfig(T *kernel, cudaFuncCache config)
{
    return cudaFuncSetCacheConfig((const void *)kernel, config);
}
template <class T> WARPUP_CALL cudaFuncSetSharedMemConfig(T *kernel, cudaSharedMemConfig config)
{
    return cudaFuncSetSharedMemConfig((const void *)kernel, config);
}
template <class T>
WARPUP_CALL cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T kernel, int threads,
                                                          size_t shared)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel, threads,
                                                         shared);
}
template <class T>
WARPUP_CALL cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, T kernel,
                                                                   int threads, size_t shared,
                                                                   unsigned int flags)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void *)kernel,
                                                                  threads, shared, flags);
}

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
WARPUP_HOST cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
    return {x, y, z};
}
WARPUP_HOST cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth)
{
    return {width, height, depth};
}

#undef WARPUP_CALL

#endif
