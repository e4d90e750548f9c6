/*
 * texture.c: texture and surface objects, and what kernels read and write through them. The rules
 * of coordinates and filters are those of the CUDA programming guide, "Texture Fetching". An
 * element that is read is one access to it.
 */
#include "sim/api/api_call.h"
#include "sim/engine/access.h"
#include "sim/engine/running.h"
#include "sim/gpu/memory.h"
#include "sim/requests/fault.h"
#include "sim/requests/lane.h"
#include "sim/textures/arrays.h"
#include "warpup/runtime.h"

#include <math.h>
#include <string.h>

#define CALLER ((uintptr_t)__builtin_return_address(0))

enum { OBJECTS = 4096, WEIGHTS = 256 /* steps of a linear filter's weights */, PARTS = 4 };

/* What an object stands for. */
static struct object {
    bool live, surface, linear;
    char *base;
    size_t width, height, pitch, element;
    cudaChannelFormatDesc format;
    cudaTextureDesc texture;
} objects[OBJECTS];

void warpup_texture_element(cudaTextureObject_t object, int index, uint32_t words[4]);
void warpup_texture_sample(cudaTextureObject_t object, int dimensions, float x, float y,
                           uint32_t words[4]);
void warpup_surface_load(cudaSurfaceObject_t object, void *to, unsigned int bytes, int x, int y,
                         int boundary);
void warpup_surface_store(cudaSurfaceObject_t object, const void *from, unsigned int bytes, int x,
                          int y, int boundary);

/* ---- objects -------------------------------------------------------------------------------- */

static cudaError_t describe(const struct call *call, const cudaResourceDesc *resource,
                            struct object *object)
{
    switch (resource->resType) {
    case cudaResourceTypeArray: {
        cudaArray_const_t array = resource->res.array.array;
        if (!array_is_live(array)) return cudaErrorInvalidResourceHandle;
        *object = (struct object){.base = array->base,
                                  .width = array->width,
                                  .height = array->height,
                                  .pitch = array->pitch,
                                  .format = array->format};
        break;
    }
    case cudaResourceTypeLinear:
        *object = (struct object){.base = resource->res.linear.devPtr,
                                  .linear = true,
                                  .height = 1,
                                  .format = resource->res.linear.desc};
        break;
    case cudaResourceTypePitch2D:
        *object = (struct object){.base = resource->res.pitch2D.devPtr,
                                  .width = resource->res.pitch2D.width,
                                  .height = resource->res.pitch2D.height,
                                  .pitch = resource->res.pitch2D.pitchInBytes,
                                  .format = resource->res.pitch2D.desc};
        break;
    default:
        api_unknown("textures with several levels of detail", call->pc);
        return cudaErrorNotSupported;
    }
    object->element = format_bytes(&object->format);
    if (object->element == 0) return cudaErrorInvalidChannelDescriptor;
    if (object->linear) object->width = resource->res.linear.sizeInBytes / object->element;
    return memory_owns(object->base) ? cudaSuccess : cudaErrorInvalidValue;
}

/* Objects are numbered from 1; each number is used again after the object was destroyed. */
static cudaError_t add(const struct object *object, unsigned long long *number)
{
    for (size_t i = 0; i < OBJECTS; i++) {
        if (objects[i].live) continue;
        objects[i] = *object;
        objects[i].live = true;
        *number = i + 1;
        return cudaSuccess;
    }
    return cudaErrorMemoryAllocation;
}

static cudaError_t make_texture(const struct call *call, cudaTextureObject_t *number,
                                const cudaResourceDesc *resource, const cudaTextureDesc *texture,
                                const void *view)
{
    struct object object;
    if (number == NULL || resource == NULL || texture == NULL) return cudaErrorInvalidValue;
    cudaError_t error = describe(call, resource, &object);
    if (error != cudaSuccess) return error;
    if (view != NULL || texture->sRGB || texture->maxAnisotropy > 1) {
        api_unknown("views, sRGB and anisotropy of textures", call->pc);
        return cudaErrorNotSupported;
    }
    bool floats = object.format.f == cudaChannelFormatKindFloat;
    bool whole = !floats && texture->readMode == cudaReadModeElementType;
    if (texture->filterMode == cudaFilterModeLinear && whole) return cudaErrorInvalidFilterSetting;
    if (texture->readMode == cudaReadModeNormalizedFloat && !floats && object.format.x == 32)
        return cudaErrorInvalidNormSetting;
    object.texture = *texture;
    return add(&object, number);
}

static cudaError_t make_surface(const struct call *call, cudaSurfaceObject_t *number,
                                const cudaResourceDesc *resource)
{
    struct object object;
    if (number == NULL || resource == NULL || resource->resType != cudaResourceTypeArray)
        return cudaErrorInvalidValue;
    cudaError_t error = describe(call, resource, &object);
    if (error != cudaSuccess) return error;
    object.surface = true;
    return add(&object, number);
}

static cudaError_t destroy(unsigned long long number, bool surface)
{
    if (number == 0) return cudaSuccess;
    if (number > OBJECTS || !objects[number - 1].live || objects[number - 1].surface != surface)
        return cudaErrorInvalidValue;
    objects[number - 1].live = false;
    return cudaSuccess;
}

CALL(cudaCreateTextureObject,
     (cudaTextureObject_t * object, const cudaResourceDesc *resource,
      const cudaTextureDesc *texture, const struct cudaResourceViewDesc *view),
     make_texture(&call, object, resource, texture, view));
CALL(cudaDestroyTextureObject, (cudaTextureObject_t object), destroy(object, false));
CALL(cudaCreateSurfaceObject, (cudaSurfaceObject_t * object, const cudaResourceDesc *resource),
     make_surface(&call, object, resource));
CALL(cudaDestroySurfaceObject, (cudaSurfaceObject_t object), destroy(object, true));

/* The object that a kernel names; one that is not there ends the kernel. */
static const struct object *find(unsigned long long number, bool surface, uintptr_t pc)
{
    bool there = number > 0 && number <= OBJECTS && objects[number - 1].live &&
                 objects[number - 1].surface == surface;
    if (there) return &objects[number - 1];
    fault_here("use-after-free", pc, NULL, 0, "load",
               surface ? "there is no such surface object" : "there is no such texture object");
    running_abort(cudaErrorIllegalAddress);
}

/* ---- elements ------------------------------------------------------------------------------- */

/* One part of an element, as a number; the integer itself in `word`. */
static double part_value(const struct object *object, const char *from, uint32_t *word)
{
    int bits = object->format.x;
    uint32_t raw = 0;
    float number;
    memcpy(&raw, from, (size_t)bits / 8);
    *word = raw;
    if (object->format.f == cudaChannelFormatKindFloat) {
        memcpy(&number, &raw, sizeof number);
        return bits == 16 ? warpup_half_value((uint16_t)raw) : number;
    }
    bool is_signed = object->format.f == cudaChannelFormatKindSigned;
    if (is_signed && bits < 32) *word = (uint32_t)((int32_t)(raw << (32 - bits)) >> (32 - bits));
    if (!is_signed) return raw / (ldexp(1, bits) - 1);
    return fmax((int32_t)*word / (ldexp(1, bits - 1) - 1), -1);
}

/* Reads the element in this column and row: its parts as numbers and as integers. */
static void read_element(const struct object *object, int64_t column, int64_t row,
                         double numbers[PARTS], uint32_t words[PARTS], uintptr_t pc)
{
    const char *at = object->base + (size_t)row * object->pitch + (size_t)column * object->element;
    size_t part = (size_t)object->format.x / 8;
    access_announce(at, object->element, ACCESS_LOAD, pc);
    for (size_t i = 0; i * part < object->element; i++)
        numbers[i] = part_value(object, at + i * part, &words[i]);
}

/* The column or row that a coordinate means; -1 outside of a texture with a border. Only normalised
 * coordinates wrap around. */
static int64_t address(const struct object *object, int axis, int64_t index, int64_t size)
{
    cudaTextureAddressMode mode = object->texture.addressMode[axis];
    bool repeats = mode == cudaAddressModeWrap || mode == cudaAddressModeMirror;
    if (index >= 0 && index < size) return index;
    if (mode == cudaAddressModeBorder) return -1;
    if (!repeats || !object->texture.normalizedCoords) return index < 0 ? 0 : size - 1;
    int64_t turn = index >= 0 ? index / size : -((size - 1 - index) / size);
    int64_t inside = index - turn * size;
    return mode == cudaAddressModeMirror && turn % 2 != 0 ? size - 1 - inside : inside;
}

/* Adds an element with a weight. */
static void add_element(const struct object *object, int64_t column, int64_t row, double weight,
                        double sum[PARTS], uint32_t words[PARTS], uintptr_t pc)
{
    double numbers[PARTS] = {0};
    column = address(object, 0, column, (int64_t)object->width);
    row = address(object, 1, row, (int64_t)object->height);
    if (column < 0 || row < 0)
        for (int i = 0; i < PARTS; i++)
            numbers[i] = object->texture.borderColor[i];
    else
        read_element(object, column, row, numbers, words, pc);
    for (int i = 0; i < PARTS; i++)
        sum[i] += weight * numbers[i];
}

/* A place between two elements: the first one, and the weight of the second, rounded as by a GPU */
static double split(double place, int64_t *first)
{
    double start = floor(place - 0.5);
    *first = (int64_t)start;
    return rint((place - 0.5 - start) * WEIGHTS) / WEIGHTS;
}

static void finish(const struct object *object, const double sum[PARTS], uint32_t words[PARTS])
{
    bool whole = object->format.f != cudaChannelFormatKindFloat &&
                 object->texture.readMode == cudaReadModeElementType;
    for (int i = 0; i < PARTS && !whole; i++) {
        float number = (float)sum[i];
        memcpy(&words[i], &number, sizeof number);
    }
}

void warpup_texture_element(cudaTextureObject_t number, int index, uint32_t words[4])
{
    double sum[PARTS] = {0};
    memset(words, 0, PARTS * sizeof *words);
    if (!lane_runs) return;
    const struct object *object = find(number, false, CALLER);
    if (index >= 0 && (size_t)index < object->width)
        read_element(object, index, 0, sum, words, CALLER);
    finish(object, sum, words);
}

void warpup_texture_sample(cudaTextureObject_t number, int dimensions, float x, float y,
                           uint32_t words[4])
{
    double sum[PARTS] = {0};
    int64_t column, row = 0;
    memset(words, 0, PARTS * sizeof *words);
    if (!lane_runs) return;
    const struct object *object = find(number, false, CALLER);
    bool normalised = object->texture.normalizedCoords;
    double across = normalised ? (double)x * (double)object->width : x;
    double down = normalised ? (double)y * (double)object->height : y;
    if (object->texture.filterMode == cudaFilterModePoint) {
        row = dimensions == 1 ? 0 : (int64_t)floor(down);
        add_element(object, (int64_t)floor(across), row, 1, sum, words, CALLER);
    } else {
        double right = split(across, &column), below = dimensions == 1 ? 0 : split(down, &row);
        for (int i = 0; i < 2 * dimensions; i++) {
            double weight = (i % 2 ? right : 1 - right) * (i / 2 ? below : 1 - below);
            add_element(object, column + i % 2, row + i / 2, weight, sum, words, CALLER);
        }
    }
    finish(object, sum, words);
}

/* ---- surfaces ------------------------------------------------------------------------------- */

/* Where an access goes; NULL if it is outside, and nothing happens. */
static char *surface_place(const struct object *object, unsigned int bytes, int x, int y,
                           int boundary, bool store, uintptr_t pc)
{
    int64_t last = (int64_t)(object->width * object->element) - (int64_t)bytes;
    int64_t rows = (int64_t)object->height;
    bool inside = x >= 0 && x <= last && y >= 0 && y < rows;
    if (!inside && boundary == cudaBoundaryModeZero) return NULL;
    if (!inside && boundary == cudaBoundaryModeTrap) {
        fault_here("out-of-bounds", pc, NULL, bytes, store ? "store" : "load",
                   "the place is outside of the surface; x counts bytes");
        running_abort(cudaErrorIllegalAddress);
    }
    int64_t column = x < 0 ? 0 : x > last ? last : x, row = y < 0 ? 0 : y >= rows ? rows - 1 : y;
    if (column % bytes != 0) {
        fault_here("misaligned-access", pc, NULL, bytes, store ? "store" : "load",
                   "x counts bytes, and has to be a multiple of the element's size");
        running_abort(cudaErrorMisalignedAddress);
    }
    return object->base + (size_t)row * object->pitch + column;
}

void warpup_surface_load(cudaSurfaceObject_t number, void *to, unsigned int bytes, int x, int y,
                         int boundary)
{
    memset(to, 0, bytes);
    if (!lane_runs) return;
    const struct object *object = find(number, true, CALLER);
    const char *from = surface_place(object, bytes, x, y, boundary, false, CALLER);
    if (from == NULL) return;
    access_announce(from, bytes, ACCESS_LOAD, CALLER);
    memcpy(to, from, bytes);
}

void warpup_surface_store(cudaSurfaceObject_t number, const void *from, unsigned int bytes, int x,
                          int y, int boundary)
{
    if (!lane_runs) return;
    const struct object *object = find(number, true, CALLER);
    char *to = surface_place(object, bytes, x, y, boundary, true, CALLER);
    if (to == NULL) return;
    access_announce(to, bytes, ACCESS_STORE, CALLER);
    memcpy(to, from, bytes);
}
