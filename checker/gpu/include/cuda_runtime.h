/*
 * cuda_runtime.h: CUDA C++ for the simulated GPU. As with nvcc, every program gets this file first,
 * so a program need not include it.
 */
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

/* For programs that print the device of their figures. */
#define SIMULATED_GPU 1

#ifndef __CUDACC__
#    define __CUDACC__ 1
#endif
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 8
#define __NVCC__             1

/* An editor's clang, which knows CUDA, must not take any function from here on for one of the host
 * alone. Its own <new> cannot follow that. */
#ifdef __CUDA__
#    include <exception>
#    include <new>
#    define __CLANG_CUDA_WRAPPERS_NEW
#    pragma clang force_cuda_host_device begin
#endif

/* The special functions of C++17 would cost every compilation 70 ms; sim/compile includes them for
 * programs that name one. */
#include <bits/c++config.h>
#undef _GLIBCXX_USE_STD_SPEC_FUNCS

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <new>
#include <utility>

#include "cuda_runtime_api.h"
#include "vector_functions.h"

#include "warpup/arithmetic.h"
#include "warpup/atomic.h"
#include "warpup/device.h"
#include "warpup/launch.h"
#include "warpup/texture.h"
#include "warpup/warp.h"

/* The calls whose first argument may be a pointer to any pointer */
#define WARPUP_ANY static inline __attribute__((always_inline)) cudaError_t

template <class T> WARPUP_ANY cudaMalloc(T **pointer, size_t bytes)
{
    return cudaMalloc((void **)(void *)pointer, bytes);
}
template <class T>
WARPUP_ANY cudaMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height)
{
    return cudaMallocPitch((void **)(void *)pointer, pitch, width, height);
}
template <class T> WARPUP_ANY cudaMallocManaged(T **pointer, size_t bytes, unsigned int flags = 1)
{
    return cudaMallocManaged((void **)(void *)pointer, bytes, flags);
}
template <class T> WARPUP_ANY cudaMallocHost(T **pointer, size_t bytes, unsigned int = 0)
{
    return cudaMallocHost((void **)(void *)pointer, bytes);
}
template <class T> WARPUP_ANY cudaHostAlloc(T **pointer, size_t bytes, unsigned int flags)
{
    return cudaHostAlloc((void **)(void *)pointer, bytes, flags);
}
template <class T> WARPUP_ANY cudaMallocAsync(T **pointer, size_t bytes, cudaStream_t stream)
{
    return cudaMallocAsync((void **)(void *)pointer, bytes, stream);
}
template <class T> WARPUP_ANY cudaHostGetDevicePointer(T **device, void *host, unsigned int flags)
{
    return cudaHostGetDevicePointer((void **)(void *)device, host, flags);
}

/* Symbols are named by themselves; the runtime takes their addresses. */
template <class T> WARPUP_ANY cudaGetSymbolAddress(void **address, const T &symbol)
{
    return cudaGetSymbolAddress(address, (const void *)&symbol);
}
template <class P, class T> WARPUP_ANY cudaGetSymbolAddress(P **address, const T &symbol)
{
    return cudaGetSymbolAddress((void **)(void *)address, (const void *)&symbol);
}
template <class T> WARPUP_ANY cudaGetSymbolSize(size_t *bytes, const T &symbol)
{
    return cudaGetSymbolSize(bytes, (const void *)&symbol);
}
template <class T>
WARPUP_ANY cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                              cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return cudaMemcpyToSymbol((const void *)&symbol, from, bytes, offset, kind);
}
template <class T>
WARPUP_ANY cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes, size_t offset,
                                   cudaMemcpyKind kind, cudaStream_t stream = nullptr)
{
    return cudaMemcpyToSymbolAsync((const void *)&symbol, from, bytes, offset, kind, stream);
}
template <class T>
WARPUP_ANY cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return cudaMemcpyFromSymbol(to, (const void *)&symbol, bytes, offset, kind);
}
template <class T>
WARPUP_ANY cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset,
                                     cudaMemcpyKind kind, cudaStream_t stream = nullptr)
{
    return cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, bytes, offset, kind, stream);
}

/* Prefetch and advice, in the forms of CUDA 12 and of CUDA 13 */
WARPUP_ANY cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device,
                                cudaStream_t stream = nullptr)
{
    return warpup_prefetch(pointer, bytes, device, stream);
}
WARPUP_ANY cudaMemPrefetchAsync(const void *pointer, size_t bytes, cudaMemLocation location,
                                unsigned int, cudaStream_t stream = nullptr)
{
    int device = location.type == cudaMemLocationTypeHost ? cudaCpuDeviceId : location.id;
    return warpup_prefetch(pointer, bytes, device, stream);
}
WARPUP_ANY cudaMemAdvise(const void *pointer, size_t bytes, cudaMemoryAdvise advice, int device)
{
    return warpup_advise(pointer, bytes, advice, device);
}
WARPUP_ANY cudaMemAdvise(const void *pointer, size_t bytes, cudaMemoryAdvise advice,
                         cudaMemLocation location)
{
    int device = location.type == cudaMemLocationTypeHost ? cudaCpuDeviceId : location.id;
    return warpup_advise(pointer, bytes, advice, device);
}

WARPUP_ANY cudaEventCreate(cudaEvent_t *event, unsigned int flags)
{
    return cudaEventCreateWithFlags(event, flags);
}

/* The form of CUDA 11 */
WARPUP_ANY cudaGraphInstantiate(cudaGraphExec_t *whole, cudaGraph_t graph, cudaGraphNode_t *,
                                char *, size_t)
{
    return cudaGraphInstantiateWithFlags(whole, graph, 0);
}

static inline cudaPitchedPtr make_cudaPitchedPtr(void *at, size_t pitch, size_t width,
                                                 size_t height)
{
    return {at, pitch, width, height};
}
static inline cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
    return {x, y, z};
}
static inline cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth)
{
    return {width, height, depth};
}

/* Calls that take a kernel by its name */
template <class... P>
WARPUP_ANY cudaFuncGetAttributes(cudaFuncAttributes *attributes, void (*function)(P...))
{
    return cudaFuncGetAttributes(attributes, (const void *)function);
}
template <class... P>
WARPUP_ANY cudaFuncSetAttribute(void (*function)(P...), cudaFuncAttribute attribute, int value)
{
    return cudaFuncSetAttribute((const void *)function, attribute, value);
}
template <class... P>
WARPUP_ANY cudaFuncSetCacheConfig(void (*function)(P...), cudaFuncCache config)
{
    return cudaFuncSetCacheConfig((const void *)function, config);
}
template <class... P>
WARPUP_ANY cudaFuncSetSharedMemConfig(void (*function)(P...), cudaSharedMemConfig config)
{
    return cudaFuncSetSharedMemConfig((const void *)function, config);
}
template <class... P>
WARPUP_ANY cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void (*function)(P...),
                                                         int threads, size_t shared)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)function, threads,
                                                         shared);
}
template <class... P>
WARPUP_ANY cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks,
                                                                  void (*function)(P...),
                                                                  int threads, size_t shared,
                                                                  unsigned int flags)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void *)function,
                                                                  threads, shared, flags);
}
template <class T>
WARPUP_ANY cudaOccupancyMaxPotentialBlockSize(int *blocks, int *threads, T function,
                                              size_t shared = 0, int limit = 0)
{
    return warpup_occupancy(blocks, threads, (const void *)function, shared, limit);
}
template <class T>
WARPUP_ANY cudaOccupancyMaxPotentialBlockSizeWithFlags(int *blocks, int *threads, T function,
                                                       size_t shared = 0, int limit = 0,
                                                       unsigned int flags = 0)
{
    return flags > 1 ? cudaErrorInvalidValue
                     : warpup_occupancy(blocks, threads, (const void *)function, shared, limit);
}

#undef WARPUP_ANY

/* What clang turns a launch into, by the version of CUDA that it assumes */
#ifdef __CUDA__
extern "C" unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0,
                                                    void *stream = nullptr);
cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0);
#endif

#endif
