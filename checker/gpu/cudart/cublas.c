/*
 * cublas.c: calls of cuBLAS that do more in the program than to send their arguments;
 * wire/sides.awk writes all others. Copies are those of the runtime.
 */
#include "gpu/cudart/client.h"
#include "gpu/wire/texts.h"

/* ---- statuses ------------------------------------------------------------------------------- */

const char *cublasGetStatusName(cublasStatus_t status)
{
    return text_of_code(status_texts, status)->name;
}

const char *cublasGetStatusString(cublasStatus_t status)
{
    return text_of_code(status_texts, status)->text;
}

/* ---- copies --------------------------------------------------------------------------------- */

static cublasStatus_t copied(cudaError_t error)
{
    return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

/* A copy of rows, by the runtime: `async` of them in a stream. One row needs no pitch. */
static cublasStatus_t copy(const void *from, size_t from_pitch, void *to, size_t to_pitch,
                           size_t width, size_t rows, cudaMemcpyKind kind, bool async,
                           cudaStream_t stream, const void *pc)
{
    struct remote row = {.request.argument = {AT(to), AT(from), width, kind, AT(stream)}};
    struct remote several = {.request.argument = {AT(to), to_pitch, AT(from), from_pitch, width,
                                                  rows, kind, AT(stream)}};
    if (width == 0 || rows == 0) return CUBLAS_STATUS_SUCCESS;
    if (rows == 1)
        return copied(client_call(&row, async ? WIRE_cudaMemcpyAsync : WIRE_cudaMemcpy, pc));
    return copied(client_call(&several, async ? WIRE_cudaMemcpy2DAsync : WIRE_cudaMemcpy2D, pc));
}

static cublasStatus_t copy_matrix(int rows, int columns, int element, const void *from, int ld_from,
                                  void *to, int ld_to, cudaMemcpyKind kind, bool async,
                                  cudaStream_t stream, const void *pc)
{
    if (rows < 0 || columns < 0 || element <= 0 || ld_from < rows || ld_to < rows)
        return CUBLAS_STATUS_INVALID_VALUE;
    size_t bytes = (size_t)element;
    return copy(from, (size_t)ld_from * bytes, to, (size_t)ld_to * bytes, (size_t)rows * bytes,
                (size_t)columns, kind, async, stream, pc);
}

/* A vector whose elements are apart is a row of a matrix. */
static cublasStatus_t copy_vector(int n, int element, const void *from, int inc_from, void *to,
                                  int inc_to, cudaMemcpyKind kind, bool async, cudaStream_t stream,
                                  const void *pc)
{
    if (n < 0 || element <= 0 || inc_from <= 0 || inc_to <= 0) return CUBLAS_STATUS_INVALID_VALUE;
    size_t bytes = (size_t)n * (size_t)element;
    if (inc_from == 1 && inc_to == 1)
        return copy(from, bytes, to, bytes, bytes, 1, kind, async, stream, pc);
    return copy_matrix(1, n, element, from, inc_from, to, inc_to, kind, async, stream, pc);
}

/* A copy that waits, and one in a stream */
#define SAME(...) __VA_ARGS__
#define COPY(name, kind, function, parameters, ...)                                                \
    cublasStatus_t cublas##name(SAME parameters)                                                   \
    {                                                                                              \
        return function(__VA_ARGS__, kind, false, NULL, RETURN_PC);                                \
    }                                                                                              \
    cublasStatus_t cublas##name##Async(SAME parameters, cudaStream_t stream)                       \
    {                                                                                              \
        return function(__VA_ARGS__, kind, true, stream, RETURN_PC);                               \
    }
#define COPY_MATRIX(name, kind)                                                                    \
    COPY(name, kind, copy_matrix,                                                                  \
         (int rows, int columns, int element, const void *A, int lda, void *B, int ldb), rows,     \
         columns, element, A, lda, B, ldb)
#define COPY_VECTOR(name, kind)                                                                    \
    COPY(name, kind, copy_vector,                                                                  \
         (int n, int element, const void *x, int incx, void *y, int incy), n, element, x, incx, y, \
         incy)
COPY_MATRIX(SetMatrix, cudaMemcpyHostToDevice)
COPY_MATRIX(GetMatrix, cudaMemcpyDeviceToHost)
COPY_VECTOR(SetVector, cudaMemcpyHostToDevice)
COPY_VECTOR(GetVector, cudaMemcpyDeviceToHost)
