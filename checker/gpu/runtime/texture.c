/*
 * texture.c: the calls that make and destroy texture and surface objects. What they stand for is
 * checked here, so that kernels need not.
 */
#include "gpu/memory/memory.h"
#include "gpu/runtime/array.h"
#include "gpu/runtime/runtime.h"
#include "gpu/textures/object.h"

#include <string.h>

static cudaError_t describe(const struct call *call, const cudaResourceDesc *resource,
                            struct texture_object *object)
{
    const struct array *array;
    switch (resource->resType) {
    case cudaResourceTypeArray:
        array = array_find((uintptr_t)resource->res.array.array);
        if (array == NULL) return cudaErrorInvalidResourceHandle;
        *object = (struct texture_object){.base = here(array->base),
                                          .width = array->width,
                                          .height = array->height,
                                          .pitch = array->pitch,
                                          .format = array->format};
        break;
    case cudaResourceTypeLinear:
        *object = (struct texture_object){.base = resource->res.linear.devPtr,
                                          .linear = true,
                                          .height = 1,
                                          .format = resource->res.linear.desc};
        break;
    case cudaResourceTypePitch2D:
        *object = (struct texture_object){.base = resource->res.pitch2D.devPtr,
                                          .width = resource->res.pitch2D.width,
                                          .height = resource->res.pitch2D.height,
                                          .pitch = resource->res.pitch2D.pitchInBytes,
                                          .format = resource->res.pitch2D.desc};
        break;
    default:
        call_unknown(call, "textures with several levels of detail");
        return cudaErrorNotSupported;
    }
    object->element = format_bytes(&object->format);
    if (object->element == 0) return cudaErrorInvalidChannelDescriptor;
    if (object->linear) object->width = resource->res.linear.sizeInBytes / object->element;
    return memory_owns(object->base) ? cudaSuccess : cudaErrorInvalidValue;
}

static cudaError_t give(struct call *call, const struct texture_object *object)
{
    call->reply->result[0] = texture_add(object);
    return call->reply->result[0] == 0 ? cudaErrorMemoryAllocation : cudaSuccess;
}

cudaError_t serve_cudaCreateTextureObject(struct call *call)
{
    cudaResourceDesc resource;
    cudaTextureDesc texture;
    struct texture_object object;
    if (!argument(call, 0) || !argument(call, 1) || !argument(call, 2))
        return cudaErrorInvalidValue;
    if (call->request->payload < sizeof resource + sizeof texture) return cudaErrorInvalidValue;
    memcpy(&resource, call->payload, sizeof resource);
    memcpy(&texture, call->payload + sizeof resource, sizeof texture);
    cudaError_t error = describe(call, &resource, &object);
    if (error != cudaSuccess) return error;
    if (argument(call, 3) || texture.sRGB || texture.maxAnisotropy > 1) {
        call_unknown(call, "views, sRGB and anisotropy of textures");
        return cudaErrorNotSupported;
    }
    bool floats = object.format.f == cudaChannelFormatKindFloat;
    bool whole = !floats && texture.readMode == cudaReadModeElementType;
    if (texture.filterMode == cudaFilterModeLinear && whole) return cudaErrorInvalidFilterSetting;
    if (texture.readMode == cudaReadModeNormalizedFloat && !floats && object.format.x == 32)
        return cudaErrorInvalidNormSetting;
    object.texture = texture;
    return give(call, &object);
}

cudaError_t serve_cudaCreateSurfaceObject(struct call *call)
{
    cudaResourceDesc resource;
    struct texture_object object;
    if (!argument(call, 0) || !argument(call, 1) || call->request->payload < sizeof resource)
        return cudaErrorInvalidValue;
    memcpy(&resource, call->payload, sizeof resource);
    if (resource.resType != cudaResourceTypeArray) return cudaErrorInvalidValue;
    cudaError_t error = describe(call, &resource, &object);
    if (error != cudaSuccess) return error;
    object.surface = true;
    return give(call, &object);
}

static cudaError_t drop(uint64_t number, bool surface)
{
    return number == 0 || texture_drop(number, surface) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t serve_cudaDestroyTextureObject(struct call *call)
{
    return drop(argument(call, 0), false);
}

cudaError_t serve_cudaDestroySurfaceObject(struct call *call)
{
    return drop(argument(call, 0), true);
}
