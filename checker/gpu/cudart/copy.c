/* copy.c: copies and fills. The GPU's process reads and writes the program's memory while the call
 * waits. */
#include "gpu/cudart/client.h"
#include "gpu/cudart/register.h"

enum { BYTES = 1 /* per element of a fill */ };

PLAIN(cudaMemcpy, (void *to, const void *from, size_t bytes, cudaMemcpyKind kind), AT(to), bytes,
      AT(from), bytes, bytes, 1, (uint32_t)kind)
PLAIN(cudaMemcpyAsync,
      (void *to, const void *from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream), AT(to),
      bytes, AT(from), bytes, bytes, 1, (uint32_t)kind, AT(stream))
PLAIN(cudaMemcpy2D,
      (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
       cudaMemcpyKind kind),
      AT(to), to_pitch, AT(from), from_pitch, width, height, (uint32_t)kind)
PLAIN(cudaMemcpy2DAsync,
      (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
       cudaMemcpyKind kind, cudaStream_t stream),
      AT(to), to_pitch, AT(from), from_pitch, width, height, (uint32_t)kind, AT(stream))
PLAIN(cudaMemcpyPeer, (void *to, int to_device, const void *from, int from_device, size_t bytes),
      AT(to), (uint64_t)to_device, AT(from), (uint64_t)from_device, bytes)
PLAIN(cudaMemcpyPeerAsync,
      (void *to, int to_device, const void *from, int from_device, size_t bytes,
       cudaStream_t stream),
      AT(to), (uint64_t)to_device, AT(from), (uint64_t)from_device, bytes, 0, 0, AT(stream))

PLAIN(cudaMemset, (void *to, int value, size_t bytes), AT(to), bytes, (uint32_t)value, BYTES, bytes,
      1)
PLAIN(cudaMemsetAsync, (void *to, int value, size_t bytes, cudaStream_t stream), AT(to), bytes,
      (uint32_t)value, BYTES, bytes, 1, 0, AT(stream))
PLAIN(cudaMemset2D, (void *to, size_t pitch, int value, size_t width, size_t height), AT(to), pitch,
      (uint32_t)value, BYTES, width, height)
PLAIN(cudaMemset2DAsync,
      (void *to, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream), AT(to),
      pitch, (uint32_t)value, BYTES, width, height, 0, AT(stream))

/* A call that names a device variable: its module has to be known to the GPU. */
#define SYMBOL(name, parameters, ...)                                                              \
    cudaError_t name parameters                                                                    \
    {                                                                                              \
        struct remote remote;                                                                      \
        register_load();                                                                           \
        return REMOTE(&remote, name, __VA_ARGS__);                                                 \
    }

SYMBOL(cudaMemcpyToSymbol,
       (const void *symbol, const void *from, size_t bytes, size_t offset, cudaMemcpyKind kind),
       AT(symbol), 0, AT(from), 0, bytes, 1, (uint32_t)kind, 0, offset)
SYMBOL(cudaMemcpyToSymbolAsync,
       (const void *symbol, const void *from, size_t bytes, size_t offset, cudaMemcpyKind kind,
        cudaStream_t stream),
       AT(symbol), 0, AT(from), 0, bytes, 1, (uint32_t)kind, AT(stream), offset)
SYMBOL(cudaMemcpyFromSymbol,
       (void *to, const void *symbol, size_t bytes, size_t offset, cudaMemcpyKind kind), AT(to), 0,
       AT(symbol), 0, bytes, 1, (uint32_t)kind, 0, offset)
SYMBOL(cudaMemcpyFromSymbolAsync,
       (void *to, const void *symbol, size_t bytes, size_t offset, cudaMemcpyKind kind,
        cudaStream_t stream),
       AT(to), 0, AT(symbol), 0, bytes, 1, (uint32_t)kind, AT(stream), offset)

cudaError_t cudaGetSymbolAddress(void **address, const void *symbol)
{
    struct remote remote;
    register_load();
    cudaError_t error = REMOTE(&remote, cudaGetSymbolAddress, OUT(address), AT(symbol));
    if (error == cudaSuccess) *address = (void *)remote.result[0];
    return error;
}

cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol)
{
    struct remote remote;
    register_load();
    cudaError_t error = REMOTE(&remote, cudaGetSymbolSize, OUT(bytes), AT(symbol));
    if (error == cudaSuccess) *bytes = remote.result[0];
    return error;
}

/* ---- three dimensions ----------------------------------------------------------------------- */

static cudaError_t copy_3d(enum wire_call call, const cudaMemcpy3DParms *params,
                           cudaStream_t stream, const void *pc)
{
    struct remote remote = {.request.argument = {[0] = OUT(params), [7] = AT(stream)}};
    if (params != NULL) remote.payload[0] = (struct span){params, sizeof *params};
    return client_call(&remote, call, pc);
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *params)
{
    return copy_3d(WIRE_cudaMemcpy3D, params, NULL, RETURN_PC);
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *params, cudaStream_t stream)
{
    return copy_3d(WIRE_cudaMemcpy3DAsync, params, stream, RETURN_PC);
}
