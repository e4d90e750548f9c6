/*
 * arrays.c: CUDA arrays: making and freeing them, copies to and from them.
 */
#include "sim/textures/arrays.h"

#include "sim/api/api_copy.h"
#include "sim/api/api_memory.h"

#include <stdlib.h>

static struct cudaArray *arrays;

bool array_is_live(cudaArray_const_t array)
{
    const struct cudaArray *one = arrays;
    while (one != NULL && one != array)
        one = one->next;
    return one != NULL;
}

/* Parts of 8, 16 or 32 bits: one, two or four of the same size */
size_t format_bytes(const cudaChannelFormatDesc *format)
{
    int bits = format->x, count = 1 + (format->y != 0) + (format->z != 0) + (format->w != 0);
    bool same = (format->y == 0 || format->y == bits) && (format->z == 0 || format->z == bits) &&
                (format->w == 0 || format->w == bits);
    bool in_order = (format->y != 0 || format->z == 0) && (format->z != 0) == (format->w != 0);
    bool known = (bits == 8 && format->f != cudaChannelFormatKindFloat) || bits == 16 || bits == 32;
    if (!known || !same || !in_order || format->f == cudaChannelFormatKindNone) return 0;
    return (size_t)(count * bits / 8);
}

static cudaError_t make(const struct call *call, cudaArray_t *array,
                        const cudaChannelFormatDesc *format, size_t width, size_t height,
                        unsigned int flags)
{
    if (array == NULL || format == NULL || width == 0) return cudaErrorInvalidValue;
    size_t bytes = format_bytes(format);
    if (bytes == 0) return cudaErrorInvalidChannelDescriptor;
    if (flags & ~(unsigned int)(cudaArraySurfaceLoadStore | cudaArrayTextureGather)) {
        api_unknown("layered arrays and cube maps", call->pc);
        return cudaErrorNotSupported;
    }
    struct cudaArray *made = malloc(sizeof *made);
    if (made == NULL) return cudaErrorMemoryAllocation;
    *made = (struct cudaArray){NULL, width, height == 0 ? 1 : height, 0, *format, flags, arrays};
    cudaError_t error =
        allocate_rows(call, (void **)&made->base, &made->pitch, width * bytes, made->height);
    if (error != cudaSuccess) {
        free(made);
        return error;
    }
    *array = arrays = made;
    return cudaSuccess;
}

static cudaError_t drop(const struct call *call, cudaArray_t array)
{
    if (array == NULL) return cudaSuccess;
    if (!array_is_live(array)) return cudaErrorInvalidValue;
    struct cudaArray **at = &arrays;
    while (*at != array)
        at = &(*at)->next;
    *at = array->next;
    cudaError_t error = allocation_free(call, array->base);
    free(array);
    return error;
}

static cudaError_t tell_format(cudaChannelFormatDesc *format, cudaArray_const_t array)
{
    if (format == NULL || !array_is_live(array)) return cudaErrorInvalidValue;
    *format = array->format;
    return cudaSuccess;
}

CALL(cudaMallocArray,
     (cudaArray_t * array, const cudaChannelFormatDesc *format, size_t width, size_t height,
      unsigned int flags),
     make(&call, array, format, width, height, flags));
CALL(cudaFreeArray, (cudaArray_t array), drop(&call, array));
CALL(cudaGetChannelDesc, (cudaChannelFormatDesc * format, cudaArray_const_t array),
     tell_format(format, array));

/* ---- copies --------------------------------------------------------------------------------- */

/* Is a part of this size, from byte x of row y on, in the array? */
static bool is_inside(cudaArray_const_t array, size_t x, size_t y, size_t width, size_t height)
{
    if (!array_is_live(array)) return false;
    size_t row = array->width * format_bytes(&array->format);
    return x <= row && width <= row - x && y <= array->height && height <= array->height - y;
}

/* The copy, whose array's part is still to be set */
static cudaError_t copy_to(const struct call *call, cudaArray_t to, size_t x, size_t y,
                           struct copy copy)
{
    if (!is_inside(to, x, y, copy.width, copy.height)) return cudaErrorInvalidValue;
    copy.to = to->base + y * to->pitch + x;
    copy.to_pitch = to->pitch;
    return copy_run(call, copy);
}

static cudaError_t copy_from(const struct call *call, cudaArray_const_t from, size_t x, size_t y,
                             struct copy copy)
{
    if (!is_inside(from, x, y, copy.width, copy.height)) return cudaErrorInvalidValue;
    copy.from = from->base + y * from->pitch + x;
    copy.from_pitch = from->pitch;
    return copy_run(call, copy);
}

CALL(cudaMemcpy2DToArray,
     (cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
      size_t height, cudaMemcpyKind kind),
     copy_to(&call, to, x, y,
             (struct copy){NULL, from, width, height, 0, pitch, kind, NULL, false}));
CALL(cudaMemcpy2DToArrayAsync,
     (cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
      size_t height, cudaMemcpyKind kind, cudaStream_t stream),
     copy_to(&call, to, x, y,
             (struct copy){NULL, from, width, height, 0, pitch, kind, stream, true}));
CALL(cudaMemcpy2DFromArray,
     (void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
      size_t height, cudaMemcpyKind kind),
     copy_from(&call, from, x, y,
               (struct copy){to, NULL, width, height, pitch, 0, kind, NULL, false}));
CALL(cudaMemcpy2DFromArrayAsync,
     (void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
      size_t height, cudaMemcpyKind kind, cudaStream_t stream),
     copy_from(&call, from, x, y,
               (struct copy){to, NULL, width, height, pitch, 0, kind, stream, true}));

/* The old calls copy bytes row after row; known are whole rows, and parts of one. */
static size_t rows_of(const struct call *call, cudaArray_const_t array, size_t x, size_t *bytes)
{
    size_t row = array_is_live(array) ? array->width * format_bytes(&array->format) : 0;
    if (row == 0 || *bytes <= row - (x < row ? x : row)) return 1;
    if (x != 0 || *bytes % row != 0) {
        api_unknown("a copy that begins or ends inside a row of an array", call->pc);
        return SIZE_MAX;
    }
    size_t rows = *bytes / row;
    *bytes = row;
    return rows;
}

static cudaError_t copy_bytes_to(const struct call *call, cudaArray_t to, size_t x, size_t y,
                                 const void *from, size_t bytes, cudaMemcpyKind kind)
{
    size_t rows = rows_of(call, to, x, &bytes);
    if (rows == SIZE_MAX) return cudaErrorNotSupported;
    return copy_to(call, to, x, y,
                   (struct copy){NULL, from, bytes, rows, 0, bytes, kind, NULL, false});
}

static cudaError_t copy_bytes_from(const struct call *call, cudaArray_const_t from, size_t x,
                                   size_t y, void *to, size_t bytes, cudaMemcpyKind kind)
{
    size_t rows = rows_of(call, from, x, &bytes);
    if (rows == SIZE_MAX) return cudaErrorNotSupported;
    return copy_from(call, from, x, y,
                     (struct copy){to, NULL, bytes, rows, bytes, 0, kind, NULL, false});
}

CALL(cudaMemcpyToArray,
     (cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes, cudaMemcpyKind kind),
     copy_bytes_to(&call, to, x, y, from, bytes, kind));
CALL(cudaMemcpyFromArray,
     (void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes, cudaMemcpyKind kind),
     copy_bytes_from(&call, from, x, y, to, bytes, kind));
