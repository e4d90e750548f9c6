/*
 * cublas.c: the program's side of cuBLAS. Its calls pass their arguments on as they are; blas/ does
 * what they ask for. Copies are those of the runtime.
 */
#include "gpu/blas/status_text.h"
#include "gpu/cudart/client.h"
#include "gpu/include/cublas_v2.h"

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
#define SEND_FOR(type, place, name, ...)                                                           \
    do {                                                                                           \
        uint64_t second;                                                                           \
        const uint64_t arguments[] = {__VA_ARGS__};                                                \
        cublasStatus_t status =                                                                    \
            send(WIRE_##name, arguments, sizeof arguments, &second, RETURN_PC);                    \
        if (status == CUBLAS_STATUS_SUCCESS) *(place) = (type)second;                              \
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
    return find_text(status)->name;
}

const char *cublasGetStatusString(cublasStatus_t status)
{
    return find_text(status)->text;
}

/* ---- routines of one precision: P is S or D, T float or double ------------------------------ */

#define ROUTINE_AXPY(P, T)                                                                         \
    cublasStatus_t cublas##P##axpy_v2(cublasHandle_t handle, int n, const T *alpha, const T *x,    \
                                      int incx, T *y, int incy)                                    \
    {                                                                                              \
        return SEND(cublas##P##axpy, NULL, W(handle), W(n), W(alpha), W(x), W(incx), W(y),         \
                    W(incy));                                                                      \
    }
#define ROUTINE_DOT(P, T)                                                                          \
    cublasStatus_t cublas##P##dot_v2(cublasHandle_t handle, int n, const T *x, int incx,           \
                                     const T *y, int incy, T *result)                              \
    {                                                                                              \
        return SEND(cublas##P##dot, NULL, W(handle), W(n), W(x), W(incx), W(y), W(incy),           \
                    W(result));                                                                    \
    }
#define ROUTINE_NRM2(P, T)                                                                         \
    cublasStatus_t cublas##P##nrm2_v2(cublasHandle_t handle, int n, const T *x, int incx,          \
                                      T *result)                                                   \
    {                                                                                              \
        return SEND(cublas##P##nrm2, NULL, W(handle), W(n), W(x), W(incx), W(result));             \
    }
#define ROUTINE_SCAL(P, T)                                                                         \
    cublasStatus_t cublas##P##scal_v2(cublasHandle_t handle, int n, const T *alpha, T *x,          \
                                      int incx)                                                    \
    {                                                                                              \
        return SEND(cublas##P##scal, NULL, W(handle), W(n), W(alpha), W(x), W(incx));              \
    }
#define ROUTINE_GEMV(P, T)                                                                         \
    cublasStatus_t cublas##P##gemv_v2(cublasHandle_t handle, cublasOperation_t trans, int m,       \
                                      int n, const T *alpha, const T *A, int lda, const T *x,      \
                                      int incx, const T *beta, T *y, int incy)                     \
    {                                                                                              \
        return SEND(cublas##P##gemv, NULL, W(handle), W(trans), W(m), W(n), W(alpha), W(A),        \
                    W(lda), W(x), W(incx), W(beta), W(y), W(incy));                                \
    }
#define ROUTINE_GER(P, T)                                                                          \
    cublasStatus_t cublas##P##ger_v2(cublasHandle_t handle, int m, int n, const T *alpha,          \
                                     const T *x, int incx, const T *y, int incy, T *A, int lda)    \
    {                                                                                              \
        return SEND(cublas##P##ger, NULL, W(handle), W(m), W(n), W(alpha), W(x), W(incx), W(y),    \
                    W(incy), W(A), W(lda));                                                        \
    }
#define ROUTINE_GEMM(P, T)                                                                         \
    cublasStatus_t cublas##P##gemm_v2(cublasHandle_t handle, cublasOperation_t transa,             \
                                      cublasOperation_t transb, int m, int n, int k,               \
                                      const T *alpha, const T *A, int lda, const T *B, int ldb,    \
                                      const T *beta, T *C, int ldc)                                \
    {                                                                                              \
        return SEND(cublas##P##gemm, NULL, W(handle), W(transa), W(transb), W(m), W(n), W(k),      \
                    W(alpha), W(A), W(lda), W(B), W(ldb), W(beta), W(C), W(ldc));                  \
    }
#define ROUTINE_GEMMSTRIDEDBATCHED(P, T)                                                           \
    cublasStatus_t cublas##P##gemmStridedBatched(                                                  \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,   \
        int k, const T *alpha, const T *A, int lda, long long int stride_a, const T *B, int ldb,   \
        long long int stride_b, const T *beta, T *C, int ldc, long long int stride_c, int batches) \
    {                                                                                              \
        return SEND(cublas##P##gemmStridedBatched, NULL, W(handle), W(transa), W(transb), W(m),    \
                    W(n), W(k), W(alpha), W(A), W(lda), W(stride_a), W(B), W(ldb), W(stride_b),    \
                    W(beta), W(C), W(ldc), W(stride_c), W(batches));                               \
    }
#define ROUTINE_GEAM(P, T)                                                                         \
    cublasStatus_t cublas##P##geam(                                                                \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,   \
        const T *alpha, const T *A, int lda, const T *beta, const T *B, int ldb, T *C, int ldc)    \
    {                                                                                              \
        return SEND(cublas##P##geam, NULL, W(handle), W(transa), W(transb), W(m), W(n), W(alpha),  \
                    W(A), W(lda), W(beta), W(B), W(ldb), W(C), W(ldc));                            \
    }
#define ROUTINE_COPY(P, T)                                                                         \
    cublasStatus_t cublas##P##copy_v2(cublasHandle_t handle, int n, const T *x, int incx, T *y,    \
                                      int incy)                                                    \
    {                                                                                              \
        return SEND(cublas##P##copy, NULL, W(handle), W(n), W(x), W(incx), W(y), W(incy));         \
    }
#define ROUTINE_SWAP(P, T)                                                                         \
    cublasStatus_t cublas##P##swap_v2(cublasHandle_t handle, int n, T *x, int incx, T *y,          \
                                      int incy)                                                    \
    {                                                                                              \
        return SEND(cublas##P##swap, NULL, W(handle), W(n), W(x), W(incx), W(y), W(incy));         \
    }
#define ROUTINE_ROT(P, T)                                                                          \
    cublasStatus_t cublas##P##rot_v2(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy, \
                                     const T *c, const T *s)                                       \
    {                                                                                              \
        return SEND(cublas##P##rot, NULL, W(handle), W(n), W(x), W(incx), W(y), W(incy), W(c),     \
                    W(s));                                                                         \
    }
#define ROUTINE_ASUM(P, T)                                                                         \
    cublasStatus_t cublas##P##asum_v2(cublasHandle_t handle, int n, const T *x, int incx,          \
                                      T *result)                                                   \
    {                                                                                              \
        return SEND(cublas##P##asum, NULL, W(handle), W(n), W(x), W(incx), W(result));             \
    }
ROUTINE_AXPY(S, float)
ROUTINE_AXPY(D, double)
ROUTINE_DOT(S, float)
ROUTINE_DOT(D, double)
ROUTINE_NRM2(S, float)
ROUTINE_NRM2(D, double)
ROUTINE_SCAL(S, float)
ROUTINE_SCAL(D, double)
ROUTINE_GEMV(S, float)
ROUTINE_GEMV(D, double)
ROUTINE_GER(S, float)
ROUTINE_GER(D, double)
ROUTINE_GEMM(S, float)
ROUTINE_GEMM(D, double)
ROUTINE_GEMMSTRIDEDBATCHED(S, float)
ROUTINE_GEMMSTRIDEDBATCHED(D, double)
ROUTINE_GEAM(S, float)
ROUTINE_GEAM(D, double)
ROUTINE_COPY(S, float)
ROUTINE_COPY(D, double)
ROUTINE_SWAP(S, float)
ROUTINE_SWAP(D, double)
ROUTINE_ROT(S, float)
ROUTINE_ROT(D, double)
ROUTINE_ASUM(S, float)
ROUTINE_ASUM(D, double)

/* ---- products of any type ------------------------------------------------------------------- */

cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k,
                           const struct __half *alpha, const struct __half *A, int lda,
                           const struct __half *B, int ldb, const struct __half *beta,
                           struct __half *C, int ldc)
{
    return SEND(cublasHgemm, NULL, W(handle), W(transa), W(transb), W(m), W(n), W(k), W(alpha),
                W(A), W(lda), W(B), W(ldb), W(beta), W(C), W(ldc));
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                            cublasOperation_t transb, int m, int n, int k, const void *alpha,
                            const void *A, cudaDataType type_a, int lda, const void *B,
                            cudaDataType type_b, int ldb, const void *beta, void *C,
                            cudaDataType type_c, int ldc, cublasComputeType_t compute,
                            cublasGemmAlgo_t algorithm)
{
    return SEND(cublasGemmEx, NULL, W(handle), W(transa), W(transb), W(m), W(n), W(k), W(alpha),
                W(A), W(type_a), W(lda), W(B), W(type_b), W(ldb), W(beta), W(C), W(type_c), W(ldc),
                W(compute), W(algorithm));
}

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k,
                                          const void *alpha, const void *A, cudaDataType type_a,
                                          int lda, long long int stride_a, const void *B,
                                          cudaDataType type_b, int ldb, long long int stride_b,
                                          const void *beta, void *C, cudaDataType type_c, int ldc,
                                          long long int stride_c, int batches,
                                          cublasComputeType_t compute, cublasGemmAlgo_t algorithm)
{
    return SEND(cublasGemmStridedBatchedEx, NULL, W(handle), W(transa), W(transb), W(m), W(n), W(k),
                W(alpha), W(A), W(type_a), W(lda), W(stride_a), W(B), W(type_b), W(ldb),
                W(stride_b), W(beta), W(C), W(type_c), W(ldc), W(stride_c), W(batches), W(compute),
                W(algorithm));
}

/* ---- copies --------------------------------------------------------------------------------- */

static cublasStatus_t copied(cudaError_t error)
{
    return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

/* A copy of rows, by the runtime: `async` of them in a stream. */
static cublasStatus_t copy(const void *from, size_t from_pitch, void *to, size_t to_pitch,
                           size_t width, size_t rows, cudaMemcpyKind kind, bool async,
                           cudaStream_t stream, const void *pc)
{
    struct remote remote = {.request.argument = {AT(to), to_pitch, AT(from), from_pitch, width,
                                                 rows, kind, AT(stream)}};
    if (width == 0 || rows == 0) return CUBLAS_STATUS_SUCCESS;
    enum wire_call call = rows == 1 ? (async ? WIRE_cudaMemcpyAsync : WIRE_cudaMemcpy)
                                    : (async ? WIRE_cudaMemcpy2DAsync : WIRE_cudaMemcpy2D);
    return copied(client_call(&remote, call, pc));
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

cublasStatus_t cublasSetMatrix(int rows, int columns, int element, const void *A, int lda, void *B,
                               int ldb)
{
    return copy_matrix(rows, columns, element, A, lda, B, ldb, cudaMemcpyHostToDevice, false, NULL,
                       RETURN_PC);
}

cublasStatus_t cublasGetMatrix(int rows, int columns, int element, const void *A, int lda, void *B,
                               int ldb)
{
    return copy_matrix(rows, columns, element, A, lda, B, ldb, cudaMemcpyDeviceToHost, false, NULL,
                       RETURN_PC);
}

cublasStatus_t cublasSetVector(int n, int element, const void *x, int incx, void *y, int incy)
{
    return copy_vector(n, element, x, incx, y, incy, cudaMemcpyHostToDevice, false, NULL,
                       RETURN_PC);
}

cublasStatus_t cublasGetVector(int n, int element, const void *x, int incx, void *y, int incy)
{
    return copy_vector(n, element, x, incx, y, incy, cudaMemcpyDeviceToHost, false, NULL,
                       RETURN_PC);
}

cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int element, const void *A, int lda,
                                    void *B, int ldb, cudaStream_t stream)
{
    return copy_matrix(rows, columns, element, A, lda, B, ldb, cudaMemcpyHostToDevice, true, stream,
                       RETURN_PC);
}

cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int element, const void *A, int lda,
                                    void *B, int ldb, cudaStream_t stream)
{
    return copy_matrix(rows, columns, element, A, lda, B, ldb, cudaMemcpyDeviceToHost, true, stream,
                       RETURN_PC);
}

cublasStatus_t cublasSetVectorAsync(int n, int element, const void *x, int incx, void *y, int incy,
                                    cudaStream_t stream)
{
    return copy_vector(n, element, x, incx, y, incy, cudaMemcpyHostToDevice, true, stream,
                       RETURN_PC);
}

cublasStatus_t cublasGetVectorAsync(int n, int element, const void *x, int incx, void *y, int incy,
                                    cudaStream_t stream)
{
    return copy_vector(n, element, x, incx, y, incy, cudaMemcpyDeviceToHost, true, stream,
                       RETURN_PC);
}
