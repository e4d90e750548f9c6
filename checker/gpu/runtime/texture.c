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

static cudaError_t give(uint64_t *number, const struct texture_object *object)
{
    *number = texture_add(object);
    return *number == 0 ? cudaErrorMemoryAllocation : cudaSuccess;
}

cudaError_t serve_cudaCreateTextureObject(struct call *call, uint64_t *number,
                                          const cudaResourceDesc *resource,
                                          const cudaTextureDesc *texture, uint64_t view)
{
    struct texture_object object;
    if (resource == NULL || texture == NULL) return cudaErrorInvalidValue;
    cudaError_t error = describe(call, resource, &object);
    if (error != cudaSuccess) return error;
    if (view != 0 || texture->sRGB || texture->maxAnisotropy > 1) {
        call_unknown(call, "views, sRGB and anisotropy of textures");
        return cudaErrorNotSupported;
    }
    bool floats = object.format.f == cudaChannelFormatKindFloat;
    bool whole = !floats && texture->readMode == cudaReadModeElementType;
    if (texture->filterMode == cudaFilterModeLinear && whole) return cudaErrorInvalidFilterSetting;
    if (texture->readMode == cudaReadModeNormalizedFloat && !floats && object.format.x == 32)
        return cudaErrorInvalidNormSetting;
    object.texture = *texture;
    return give(number, &object);
}

cudaError_t serve_cudaCreateSurfaceObject(struct call *call, uint64_t *number,
                                          const cudaResourceDesc *resource)
{
    struct texture_object object;
    if (resource == NULL || resource->resType != cudaResourceTypeArray)
        return cudaErrorInvalidValue;
    cudaError_t error = describe(call, resource, &object);
    if (error != cudaSuccess) return error;
    object.surface = true;
    return give(number, &object);
}

static cudaError_t drop(uint64_t number, bool surface)
{
    return number == 0 || texture_drop(number, surface) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t serve_cudaDestroyTextureObject(struct call *call, uint64_t number)
{
    return drop(number, false);
}

cudaError_t serve_cudaDestroySurfaceObject(struct call *call, uint64_t number)
{
    return drop(number, true);
}
