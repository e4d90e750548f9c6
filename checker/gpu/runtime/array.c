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

cudaError_t serve_cudaMallocArray(struct call *call)
{
    cudaChannelFormatDesc format;
    uint64_t width = argument(call, 2), height = argument(call, 3);
    if (!argument(call, 0) || !argument(call, 1) || width == 0) return cudaErrorInvalidValue;
    if (call->request->payload < sizeof format) return cudaErrorInvalidValue;
    memcpy(&format, call->payload, sizeof format);
    size_t element = format_bytes(&format);
    if (element == 0) return cudaErrorInvalidChannelDescriptor;
    if (argument(call, 4) & ~(uint64_t)(cudaArraySurfaceLoadStore | cudaArrayTextureGather)) {
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
                           .format = format};
    cudaError_t error =
        allocate_rows(call, &made->base, &made->pitch, width * element, made->height);
    if (error != cudaSuccess) {
        handle_drop(HANDLE_ARRAY, handle);
        free(made);
        return error;
    }
    call->reply->result[0] = handle;
    return cudaSuccess;
}

cudaError_t serve_cudaFreeArray(struct call *call)
{
    struct array *array = array_find(argument(call, 0));
    if (argument(call, 0) == 0) return cudaSuccess;
    if (array == NULL) return cudaErrorInvalidValue;
    handle_drop(HANDLE_ARRAY, array->handle);
    cudaError_t error = allocation_free(call, array->base);
    free(array);
    return error;
}

cudaError_t serve_cudaGetChannelDesc(struct call *call)
{
    const struct array *array = array_find(argument(call, 1));
    if (!argument(call, 0) || array == NULL) return cudaErrorInvalidValue;
    call_answer(&array->format, sizeof array->format);
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

/* The copy, whose array's part is still to be set */
static cudaError_t copy_to(const struct call *call, size_t x, size_t y, struct copy copy)
{
    const struct array *to = array_find(argument(call, 0));
    if (!is_inside(to, x, y, &copy)) return cudaErrorInvalidValue;
    copy.to = to->base + y * to->pitch + x;
    copy.to_pitch = to->pitch;
    return copy_run(call, copy);
}

static cudaError_t copy_from(const struct call *call, size_t x, size_t y, struct copy copy)
{
    const struct array *from = array_find(argument(call, 2));
    if (!is_inside(from, x, y, &copy)) return cudaErrorInvalidValue;
    copy.from = from->base + y * from->pitch + x;
    copy.from_pitch = from->pitch;
    return copy_run(call, copy);
}

static cudaError_t rows_to(const struct call *call, bool async)
{
    return copy_to(call, argument(call, 1), argument(call, 8),
                   (struct copy){.from = argument(call, 2),
                                 .from_pitch = argument(call, 3),
                                 .width = argument(call, 4),
                                 .height = argument(call, 5),
                                 .kind = (cudaMemcpyKind)argument_unsigned(call, 6),
                                 .stream = stream_find(call, argument(call, 7)),
                                 .async = async});
}

static cudaError_t rows_from(const struct call *call, bool async)
{
    return copy_from(call, argument(call, 3), argument(call, 8),
                     (struct copy){.to = argument(call, 0),
                                   .to_pitch = argument(call, 1),
                                   .width = argument(call, 4),
                                   .height = argument(call, 5),
                                   .kind = (cudaMemcpyKind)argument_unsigned(call, 6),
                                   .stream = stream_find(call, argument(call, 7)),
                                   .async = async});
}

cudaError_t serve_cudaMemcpy2DToArray(struct call *call)
{
    return rows_to(call, false);
}

cudaError_t serve_cudaMemcpy2DToArrayAsync(struct call *call)
{
    return rows_to(call, true);
}

cudaError_t serve_cudaMemcpy2DFromArray(struct call *call)
{
    return rows_from(call, false);
}

cudaError_t serve_cudaMemcpy2DFromArrayAsync(struct call *call)
{
    return rows_from(call, true);
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

cudaError_t serve_cudaMemcpyToArray(struct call *call)
{
    size_t x = argument(call, 1), bytes = argument(call, 4),
           rows = rows_of(call, argument(call, 0), x, &bytes);
    if (rows == SIZE_MAX) return cudaErrorNotSupported;
    return copy_to(call, x, argument(call, 8),
                   (struct copy){.from = argument(call, 2),
                                 .from_pitch = bytes,
                                 .width = bytes,
                                 .height = rows,
                                 .kind = (cudaMemcpyKind)argument_unsigned(call, 6),
                                 .stream = stream_default()});
}

cudaError_t serve_cudaMemcpyFromArray(struct call *call)
{
    size_t x = argument(call, 3), bytes = argument(call, 4),
           rows = rows_of(call, argument(call, 2), x, &bytes);
    if (rows == SIZE_MAX) return cudaErrorNotSupported;
    return copy_from(call, x, argument(call, 8),
                     (struct copy){.to = argument(call, 0),
                                   .to_pitch = bytes,
                                   .width = bytes,
                                   .height = rows,
                                   .kind = (cudaMemcpyKind)argument_unsigned(call, 6),
                                   .stream = stream_default()});
}
