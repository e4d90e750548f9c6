/*
 * cublas.c: the program's side of cuBLAS. Its calls pass their arguments on as they are; blas/ does
 * what they ask for. Copies are those of the runtime.
 */
#include "gpu/cudart/client.h"
#include "gpu/wire/texts.h"

/* Sends a call whose arguments are numbers or pointers, 8 bytes each; its second result goes to
 * *second. */
static cublasStatus_t send(enum wire_call call, const uint64_t *arguments, size_t bytes,
                           uint64_t *second, const void *pc)
{
    struct remote remote = {.payload = {{arguments, bytes}}};
    client_call(&remote, call, pc);
    if (second != NULL) *second = remote.result[1];
    return (cublasStatus_t)remote.result[0];
}

#define W(argument) ((uint64_t)(uintptr_t)(argument))
#define SEND(name, second, ...)                                                                    \
    send(WIRE_##name, (const uint64_t[]){__VA_ARGS__}, sizeof(const uint64_t[]){__VA_ARGS__},      \
         second, RETURN_PC)

/* ---- handles -------------------------------------------------------------------------------- */

/* Sends a call, and stores its second result if it succeeds. */
#define SEND_FOR(type, target, name, ...)                                                          \
    do {                                                                                           \
        uint64_t second;                                                                           \
        const uint64_t arguments[] = {__VA_ARGS__};                                                \
        cublasStatus_t status =                                                                    \
            send(WIRE_##name, arguments, sizeof arguments, &second, RETURN_PC);                    \
        if (status == CUBLAS_STATUS_SUCCESS) *(target) = (type)second;                             \
        return status;                                                                             \
    } while (0)

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle)
{
    SEND_FOR(cublasHandle_t, handle, cublasCreate, handle != NULL);
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t handle)
{
    return SEND(cublasDestroy, NULL, W(handle));
}

cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version)
{
    SEND_FOR(int, version, cublasGetVersion, W(handle), version != NULL);
}

cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream)
{
    return SEND(cublasSetStream, NULL, W(handle), W(stream));
}

cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t *stream)
{
    SEND_FOR(cudaStream_t, stream, cublasGetStream, W(handle), stream != NULL);
}

cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode)
{
    return SEND(cublasSetPointerMode, NULL, W(handle), (uint32_t)mode);
}

cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t *mode)
{
    SEND_FOR(cublasPointerMode_t, mode, cublasGetPointerMode, W(handle), mode != NULL);
}

cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode)
{
    return SEND(cublasSetMathMode, NULL, W(handle), (uint32_t)mode);
}

cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode)
{
    SEND_FOR(cublasMath_t, mode, cublasGetMathMode, W(handle), mode != NULL);
}

/* ---- statuses ------------------------------------------------------------------------------- */

const char *cublasGetStatusName(cublasStatus_t status)
{
    return text_of_code(status_texts, status)->name;
}

const char *cublasGetStatusString(cublasStatus_t status)
{
    return text_of_code(status_texts, status)->text;
}

/* ---- routines that pass their arguments on -------------------------------------------------- */

/* WORDS(a, b, …) is W(a), W(b), … for up to 27 arguments: each pass of the preprocessor takes one.
 */
#define WORDS(...)   PASSES(WORD(__VA_ARGS__))
#define WORD(a, ...) W(a) __VA_OPT__(, NEXT NONE(__VA_ARGS__))
#define NEXT()       WORD
#define NONE         ()
#define PASSES(...)  PASS(PASS(PASS(__VA_ARGS__)))
#define PASS(...)    PASS_(PASS_(PASS_(__VA_ARGS__)))
#define PASS_(...)   SAME(SAME(SAME(__VA_ARGS__)))
#define SAME(...)    __VA_ARGS__

#define ROUTINE(name, symbol, parameters, ...)                                                     \
    cublasStatus_t cublas##symbol parameters                                                       \
    {                                                                                              \
        return SEND(cublas##name, NULL, WORDS(__VA_ARGS__));                                       \
    }
WARPUP_BLAS_ROUTINES(ROUTINE, S, float)
WARPUP_BLAS_ROUTINES(ROUTINE, D, double)
WARPUP_BLAS_PRODUCTS(ROUTINE)

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
