/* memory.c: allocations. */
#include "gpu/cudart/client.h"

RESULT(cudaMalloc, (void **pointer, size_t bytes), void *, pointer, OUT(pointer), bytes)
RESULT(cudaMallocManaged, (void **pointer, size_t bytes, unsigned flags), void *, pointer,
       OUT(pointer), bytes, flags)
RESULT(cudaMallocHost, (void **pointer, size_t bytes), void *, pointer, OUT(pointer), bytes)
RESULT(cudaHostAlloc, (void **pointer, size_t bytes, unsigned flags), void *, pointer, OUT(pointer),
       bytes, flags)
RESULT(cudaMallocAsync, (void **pointer, size_t bytes, cudaStream_t stream), void *, pointer,
       OUT(pointer), bytes, AT(stream))
PLAIN(cudaFree, (void *pointer), AT(pointer))
PLAIN(cudaFreeHost, (void *pointer), AT(pointer))
PLAIN(cudaFreeAsync, (void *pointer, cudaStream_t stream), AT(pointer), AT(stream))
PLAIN(cudaStreamAttachMemAsync, (cudaStream_t stream, void *pointer, size_t bytes, unsigned flags),
      AT(pointer), bytes, flags, AT(stream))
PLAIN(cudaHostRegister, (void *pointer, size_t bytes, unsigned flags), AT(pointer), bytes, flags)
PLAIN(cudaHostUnregister, (void *pointer), AT(pointer))
RESULT(cudaHostGetDevicePointer, (void **device, void *host, unsigned flags), void *, device,
       OUT(device), AT(host), flags)
RESULT(cudaHostGetFlags, (unsigned *flags, void *host), unsigned, flags, OUT(flags), AT(host))

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height)
{
    struct remote remote;
    cudaError_t error = REMOTE(&remote, cudaMallocPitch, OUT(pointer), OUT(pitch), width, height);
    if (error != cudaSuccess) return error;
    *pointer = (void *)remote.result[0];
    *pitch = remote.result[1];
    return cudaSuccess;
}

cudaError_t cudaMalloc3D(cudaPitchedPtr *pointer, cudaExtent extent)
{
    struct remote remote;
    cudaError_t error =
        REMOTE(&remote, cudaMalloc3D, OUT(pointer), extent.width, extent.height, extent.depth);
    if (error == cudaSuccess)
        *pointer = (cudaPitchedPtr){(void *)remote.result[0], remote.result[1], extent.width,
                                    extent.height};
    return error;
}

cudaError_t cudaMemGetInfo(size_t *left, size_t *total)
{
    struct remote remote;
    cudaError_t error = REMOTE(&remote, cudaMemGetInfo, OUT(left), OUT(total));
    if (error != cudaSuccess) return error;
    *left = remote.result[0];
    *total = remote.result[1];
    return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *pointer)
{
    struct remote remote;
    cudaError_t error = REMOTE(&remote, cudaPointerGetAttributes, OUT(attributes), AT(pointer));
    if (error != cudaSuccess) return error;
    attributes->type = (enum cudaMemoryType)remote.result[0];
    attributes->device = (int)remote.result[1];
    attributes->devicePointer = (void *)remote.result[2];
    attributes->hostPointer = (void *)remote.result[3];
    return cudaSuccess;
}
