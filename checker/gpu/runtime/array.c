/*
 * array.c: CUDA arrays: making and freeing them, copies to and from them.
 */
#include "gpu/runtime/array.h"

#include "gpu/runtime/allocation.h"
#include "gpu/runtime/copy.h"
#include "gpu/runtime/handle.h"
#include "gpu/textures/object.h"

#include <stdlib.h>
#include <string.h>

struct array *array_find(uint64_t handle)
{
    return handle_find(HANDLE_ARRAY, handle);
}

cudaError_t serve_cudaMallocArray(struct call *call, uint64_t *array,
                                  const cudaChannelFormatDesc *format, size_t width, size_t height,
                                  unsigned int flags)
{
    if (format == NULL || width == 0) return cudaErrorInvalidValue;
    size_t element = format_bytes(format);
    if (element == 0) return cudaErrorInvalidChannelDescriptor;
    if (flags & ~(unsigned)(cudaArraySurfaceLoadStore | cudaArrayTextureGather)) {
        call_unknown(call, "layered arrays and cube maps");
        return cudaErrorNotSupported;
    }
    if (width > SIZE_MAX / element) return cudaErrorMemoryAllocation;
    struct array *made = malloc(sizeof *made);
    uint64_t handle = made == NULL ? 0 : handle_make(HANDLE_ARRAY, made);
    if (handle == 0) {
        free(made);
        return cudaErrorMemoryAllocation;
    }
    *made = (struct array){.handle = handle,
                           .width = width,
                           .height = height == 0 ? 1 : height,
                           .element = element,
                           .format = *format};
    cudaError_t error =
        allocate_rows(call, &made->base, &made->pitch, width * element, made->height);
    if (error != cudaSuccess) {
        handle_drop(HANDLE_ARRAY, handle);
        free(made);
        return error;
    }
    *array = handle;
    return cudaSuccess;
}

cudaError_t serve_cudaFreeArray(struct call *call, uint64_t handle)
{
    struct array *array = array_find(handle);
    if (handle == 0) return cudaSuccess;
    if (array == NULL) return cudaErrorInvalidValue;
    handle_drop(HANDLE_ARRAY, handle);
    cudaError_t error = allocation_free(call, array->base);
    free(array);
    return error;
}

cudaError_t serve_cudaGetChannelDesc(struct call *call, cudaChannelFormatDesc *format,
                                     uint64_t handle)
{
    const struct array *array = array_find(handle);
    if (array == NULL) return cudaErrorInvalidValue;
    *format = array->format;
    return cudaSuccess;
}

/* ---- copies --------------------------------------------------------------------------------- */

/* Is a part of this size, from byte x of row y on, in the array? */
static bool is_inside(const struct array *array, size_t x, size_t y, const struct copy *copy)
{
    if (array == NULL) return false;
    size_t row = array->width * array->element;
    return x <= row && copy->width <= row - x && y <= array->height &&
           copy->height <= array->height - y;
}

/* Completes a copy to, or from, the part of the array that begins at byte x of row y. */
static cudaError_t copy_to(const struct call *call, uint64_t handle, size_t x, size_t y,
                           struct copy copy)
{
    const struct array *to = array_find(handle);
    if (!is_inside(to, x, y, &copy)) return cudaErrorInvalidValue;
    copy.to = to->base + y * to->pitch + x;
    copy.to_pitch = to->pitch;
    return copy_run(call, copy);
}

static cudaError_t copy_from(const struct call *call, uint64_t handle, size_t x, size_t y,
                             struct copy copy)
{
    const struct array *from = array_find(handle);
    if (!is_inside(from, x, y, &copy)) return cudaErrorInvalidValue;
    copy.from = from->base + y * from->pitch + x;
    copy.from_pitch = from->pitch;
    return copy_run(call, copy);
}

cudaError_t serve_cudaMemcpy2DToArray(struct call *call, uint64_t to, size_t x, size_t y,
                                      uint64_t from, size_t pitch, size_t width, size_t height,
                                      cudaMemcpyKind kind, uint64_t stream)
{
    return copy_to(call, to, x, y, copy_rows(call, 0, 0, from, pitch, width, height, kind, stream));
}

cudaError_t serve_cudaMemcpy2DFromArray(struct call *call, uint64_t to, size_t pitch, uint64_t from,
                                        size_t x, size_t y, size_t width, size_t height,
                                        cudaMemcpyKind kind, uint64_t stream)
{
    return copy_from(call, from, x, y,
                     copy_rows(call, to, pitch, 0, 0, width, height, kind, stream));
}

/* The old calls copy bytes row after row; known are whole rows, and parts of one. */
static size_t rows_of(const struct call *call, uint64_t handle, size_t x, size_t *bytes)
{
    const struct array *array = array_find(handle);
    size_t row = array != NULL ? array->width * array->element : 0;
    if (row == 0 || *bytes <= row - (x < row ? x : row)) return 1;
    if (x != 0 || *bytes % row != 0) {
        call_unknown(call, "a copy that begins or ends inside a row of an array");
        return SIZE_MAX;
    }
    size_t rows = *bytes / row;
    *bytes = row;
    return rows;
}

cudaError_t serve_cudaMemcpyToArray(struct call *call, uint64_t to, size_t x, size_t y,
                                    uint64_t from, size_t bytes, cudaMemcpyKind kind)
{
    size_t rows = rows_of(call, to, x, &bytes);
    return rows == SIZE_MAX
               ? cudaErrorNotSupported
               : serve_cudaMemcpy2DToArray(call, to, x, y, from, bytes, bytes, rows, kind, 0);
}

cudaError_t serve_cudaMemcpyFromArray(struct call *call, uint64_t to, uint64_t from, size_t x,
                                      size_t y, size_t bytes, cudaMemcpyKind kind)
{
    size_t rows = rows_of(call, from, x, &bytes);
    return rows == SIZE_MAX
               ? cudaErrorNotSupported
               : serve_cudaMemcpy2DFromArray(call, to, bytes, from, x, y, bytes, rows, kind, 0);
}
