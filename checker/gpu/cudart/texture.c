/* texture.c: arrays, textures and surfaces. */
#include "gpu/cudart/client.h"

#include <string.h>

cudaError_t cudaMallocArray(cudaArray_t *array, const cudaChannelFormatDesc *format, size_t width,
                            size_t height, unsigned flags)
{
    struct remote remote = {.request.argument = {OUT(array), OUT(format), width, height, flags}};
    if (format != NULL) remote.payload[0] = (struct span){format, sizeof *format};
    cudaError_t error = client_call(&remote, WIRE_cudaMallocArray, RETURN_PC);
    if (error == cudaSuccess) *array = (cudaArray_t)remote.result[0];
    return error;
}

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind kind)
{
    return (struct cudaChannelFormatDesc){x, y, z, w, kind};
}

PLAIN(cudaFreeArray, (cudaArray_t array), AT(array))

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *format, cudaArray_const_t array)
{
    cudaChannelFormatDesc found;
    struct remote remote = {
        .request.argument = {OUT(format), AT(array)}, .answer = &found, .room = sizeof found};
    cudaError_t error = client_call(&remote, WIRE_cudaGetChannelDesc, RETURN_PC);
    if (error == cudaSuccess) *format = found;
    return error;
}

PLAIN(cudaMemcpy2DToArray,
      (cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
       size_t height, cudaMemcpyKind kind),
      AT(to), x, AT(from), pitch, width, height, (uint32_t)kind, 0, y)
PLAIN(cudaMemcpy2DToArrayAsync,
      (cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
       size_t height, cudaMemcpyKind kind, cudaStream_t stream),
      AT(to), x, AT(from), pitch, width, height, (uint32_t)kind, AT(stream), y)
PLAIN(cudaMemcpy2DFromArray,
      (void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
       size_t height, cudaMemcpyKind kind),
      AT(to), pitch, AT(from), x, width, height, (uint32_t)kind, 0, y)
PLAIN(cudaMemcpy2DFromArrayAsync,
      (void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
       size_t height, cudaMemcpyKind kind, cudaStream_t stream),
      AT(to), pitch, AT(from), x, width, height, (uint32_t)kind, AT(stream), y)
PLAIN(cudaMemcpyToArray,
      (cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes, cudaMemcpyKind kind),
      AT(to), x, AT(from), 0, bytes, 1, (uint32_t)kind, 0, y)
PLAIN(cudaMemcpyFromArray,
      (void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes, cudaMemcpyKind kind),
      AT(to), 0, AT(from), x, bytes, 1, (uint32_t)kind, 0, y)

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object, const cudaResourceDesc *resource,
                                    const cudaTextureDesc *texture,
                                    const struct cudaResourceViewDesc *view)
{
    static const cudaResourceDesc no_resource;
    static const cudaTextureDesc no_texture;
    struct remote remote = {
        .request.argument = {OUT(object), OUT(resource), OUT(texture), OUT(view)},
        .payload = {{resource == NULL ? &no_resource : resource, sizeof *resource},
                    {texture == NULL ? &no_texture : texture, sizeof *texture}}};
    cudaError_t error = client_call(&remote, WIRE_cudaCreateTextureObject, RETURN_PC);
    if (error == cudaSuccess) *object = remote.result[0];
    return error;
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object, const cudaResourceDesc *resource)
{
    struct remote remote = {.request.argument = {OUT(object), OUT(resource)}};
    if (resource != NULL) remote.payload[0] = (struct span){resource, sizeof *resource};
    cudaError_t error = client_call(&remote, WIRE_cudaCreateSurfaceObject, RETURN_PC);
    if (error == cudaSuccess) *object = remote.result[0];
    return error;
}

PLAIN(cudaDestroyTextureObject, (cudaTextureObject_t object), object)
PLAIN(cudaDestroySurfaceObject, (cudaSurfaceObject_t object), object)
