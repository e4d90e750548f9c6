/*
 * per_thread.c: what programs call that nvcc compiles with --default-stream per-thread. Without a
 * stream they mean that of the calling thread. Plain copies and fills wait for it.
 */
#include "gpu/cudart/client.h"

static cudaStream_t own(cudaStream_t stream)
{
    return stream == NULL ? cudaStreamPerThread : stream;
}

/* Calls whose last parameter is the stream. */
#define LAST(name, parameters, ...)                                                                \
    cudaError_t name##_ptsz parameters;                                                            \
    cudaError_t name##_ptsz parameters                                                             \
    {                                                                                              \
        return name(__VA_ARGS__, own(stream));                                                     \
    }
/* Calls whose first or only parameter is the stream. */
#define FIRST(name, parameters, ...)                                                               \
    cudaError_t name##_ptsz parameters;                                                            \
    cudaError_t name##_ptsz parameters                                                             \
    {                                                                                              \
        return name(own(stream), __VA_ARGS__);                                                     \
    }
#define ONLY(name)                                                                                 \
    cudaError_t name##_ptsz(cudaStream_t stream);                                                  \
    cudaError_t name##_ptsz(cudaStream_t stream)                                                   \
    {                                                                                              \
        return name(own(stream));                                                                  \
    }
/* Calls that wait. */
#define WAITS(name, parameters, ...)                                                               \
    cudaError_t name##_ptds parameters;                                                            \
    cudaError_t name##_ptds parameters                                                             \
    {                                                                                              \
        cudaError_t error = name##Async(__VA_ARGS__, cudaStreamPerThread);                         \
        return error != cudaSuccess ? error : cudaStreamSynchronize(cudaStreamPerThread);          \
    }

LAST(cudaMemcpyAsync,
     (void *to, const void *from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream), to, from,
     bytes, kind)
LAST(cudaMemcpy2DAsync,
     (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
      cudaMemcpyKind kind, cudaStream_t stream),
     to, to_pitch, from, from_pitch, width, height, kind)
LAST(cudaMemcpyToSymbolAsync,
     (const void *symbol, const void *from, size_t bytes, size_t offset, cudaMemcpyKind kind,
      cudaStream_t stream),
     symbol, from, bytes, offset, kind)
LAST(cudaMemcpyFromSymbolAsync,
     (void *to, const void *symbol, size_t bytes, size_t offset, cudaMemcpyKind kind,
      cudaStream_t stream),
     to, symbol, bytes, offset, kind)
LAST(cudaMemcpy3DAsync, (const cudaMemcpy3DParms *params, cudaStream_t stream), params)
LAST(cudaMemsetAsync, (void *to, int value, size_t bytes, cudaStream_t stream), to, value, bytes)
LAST(cudaMemset2DAsync,
     (void *to, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream), to,
     pitch, value, width, height)
LAST(cudaMallocAsync, (void **pointer, size_t bytes, cudaStream_t stream), pointer, bytes)
LAST(cudaFreeAsync, (void *pointer, cudaStream_t stream), pointer)
LAST(cudaEventRecord, (cudaEvent_t event, cudaStream_t stream), event)
LAST(cudaGraphLaunch, (cudaGraphExec_t whole, cudaStream_t stream), whole)
LAST(cudaLaunchKernel,
     (const void *function, dim3 grid, dim3 block, void **arguments, size_t shared,
      cudaStream_t stream),
     function, grid, block, arguments, shared)
LAST(cudaLaunchCooperativeKernel,
     (const void *function, dim3 grid, dim3 block, void **arguments, size_t shared,
      cudaStream_t stream),
     function, grid, block, arguments, shared)
FIRST(cudaStreamWaitEvent, (cudaStream_t stream, cudaEvent_t event, unsigned flags), event, flags)
FIRST(cudaLaunchHostFunc, (cudaStream_t stream, cudaHostFn_t function, void *data), function, data)
FIRST(cudaStreamAddCallback,
      (cudaStream_t stream, cudaStreamCallback_t function, void *data, unsigned flags), function,
      data, flags)
FIRST(cudaStreamBeginCapture, (cudaStream_t stream, cudaStreamCaptureMode mode), mode)
FIRST(cudaStreamEndCapture, (cudaStream_t stream, cudaGraph_t *graph), graph)
FIRST(cudaStreamIsCapturing, (cudaStream_t stream, cudaStreamCaptureStatus *status), status)
FIRST(cudaStreamGetFlags, (cudaStream_t stream, unsigned *flags), flags)
FIRST(cudaStreamGetPriority, (cudaStream_t stream, int *priority), priority)
ONLY(cudaStreamSynchronize)
ONLY(cudaStreamQuery)

WAITS(cudaMemcpy, (void *to, const void *from, size_t bytes, cudaMemcpyKind kind), to, from, bytes,
      kind)
WAITS(cudaMemcpy2D,
      (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
       cudaMemcpyKind kind),
      to, to_pitch, from, from_pitch, width, height, kind)
WAITS(cudaMemcpyToSymbol,
      (const void *symbol, const void *from, size_t bytes, size_t offset, cudaMemcpyKind kind),
      symbol, from, bytes, offset, kind)
WAITS(cudaMemcpyFromSymbol,
      (void *to, const void *symbol, size_t bytes, size_t offset, cudaMemcpyKind kind), to, symbol,
      bytes, offset, kind)
WAITS(cudaMemcpy3D, (const cudaMemcpy3DParms *params), params)
WAITS(cudaMemset, (void *to, int value, size_t bytes), to, value, bytes)
WAITS(cudaMemset2D, (void *to, size_t pitch, int value, size_t width, size_t height), to, pitch,
      value, width, height)
