/*
 * blas_routines.h: the routines of cuBLAS that pass their arguments on as they are: X(name, symbol,
 * parameters, arguments). cublas_v2.h declares them, libcublas.so defines them.
 */
#ifndef WARPUP_BLAS_ROUTINES_H
#define WARPUP_BLAS_ROUTINES_H

/* The routines of one precision: P is S or D, T float or double. */
#define WARPUP_BLAS_ROUTINES(X, P, T)                                                              \
    X(P##axpy, P##axpy_v2,                                                                         \
      (cublasHandle_t handle, int n, const T *alpha, const T *x, int incx, T *y, int incy),        \
      handle, n, alpha, x, incx, y, incy)                                                          \
    X(P##dot, P##dot_v2,                                                                           \
      (cublasHandle_t handle, int n, const T *x, int incx, const T *y, int incy, T *result),       \
      handle, n, x, incx, y, incy, result)                                                         \
    X(P##nrm2, P##nrm2_v2, (cublasHandle_t handle, int n, const T *x, int incx, T *result),        \
      handle, n, x, incx, result)                                                                  \
    X(P##scal, P##scal_v2, (cublasHandle_t handle, int n, const T *alpha, T *x, int incx), handle, \
      n, alpha, x, incx)                                                                           \
    X(P##gemv, P##gemv_v2,                                                                         \
      (cublasHandle_t handle, cublasOperation_t trans, int m, int n, const T *alpha, const T *A,   \
       int lda, const T *x, int incx, const T *beta, T *y, int incy),                              \
      handle, trans, m, n, alpha, A, lda, x, incx, beta, y, incy)                                  \
    X(P##ger, P##ger_v2,                                                                           \
      (cublasHandle_t handle, int m, int n, const T *alpha, const T *x, int incx, const T *y,      \
       int incy, T *A, int lda),                                                                   \
      handle, m, n, alpha, x, incx, y, incy, A, lda)                                               \
    X(P##gemm, P##gemm_v2,                                                                         \
      (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,    \
       int k, const T *alpha, const T *A, int lda, const T *B, int ldb, const T *beta, T *C,       \
       int ldc),                                                                                   \
      handle, transa, transb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc)                        \
    X(P##gemmStridedBatched, P##gemmStridedBatched,                                                \
      (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,    \
       int k, const T *alpha, const T *A, int lda, long long int stride_a, const T *B, int ldb,    \
       long long int stride_b, const T *beta, T *C, int ldc, long long int stride_c, int batches), \
      handle, transa, transb, m, n, k, alpha, A, lda, stride_a, B, ldb, stride_b, beta, C, ldc,    \
      stride_c, batches)                                                                           \
    X(P##geam, P##geam,                                                                            \
      (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,    \
       const T *alpha, const T *A, int lda, const T *beta, const T *B, int ldb, T *C, int ldc),    \
      handle, transa, transb, m, n, alpha, A, lda, beta, B, ldb, C, ldc)                           \
    X(P##copy, P##copy_v2, (cublasHandle_t handle, int n, const T *x, int incx, T *y, int incy),   \
      handle, n, x, incx, y, incy)                                                                 \
    X(P##swap, P##swap_v2, (cublasHandle_t handle, int n, T *x, int incx, T *y, int incy), handle, \
      n, x, incx, y, incy)                                                                         \
    X(P##rot, P##rot_v2,                                                                           \
      (cublasHandle_t handle, int n, T *x, int incx, T *y, int incy, const T *c, const T *s),      \
      handle, n, x, incx, y, incy, c, s)                                                           \
    X(P##asum, P##asum_v2, (cublasHandle_t handle, int n, const T *x, int incx, T *result),        \
      handle, n, x, incx, result)

/* Products of other types */
#define WARPUP_BLAS_PRODUCTS(X)                                                                    \
    X(Hgemm, Hgemm,                                                                                \
      (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,    \
       int k, const struct __half *alpha, const struct __half *A, int lda, const struct __half *B, \
       int ldb, const struct __half *beta, struct __half *C, int ldc),                             \
      handle, transa, transb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc)                        \
    X(GemmEx, GemmEx,                                                                              \
      (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,    \
       int k, const void *alpha, const void *A, cudaDataType type_a, int lda, const void *B,       \
       cudaDataType type_b, int ldb, const void *beta, void *C, cudaDataType type_c, int ldc,      \
       cublasComputeType_t compute, cublasGemmAlgo_t algorithm),                                   \
      handle, transa, transb, m, n, k, alpha, A, type_a, lda, B, type_b, ldb, beta, C, type_c,     \
      ldc, compute, algorithm)                                                                     \
    X(GemmStridedBatchedEx, GemmStridedBatchedEx,                                                  \
      (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,    \
       int k, const void *alpha, const void *A, cudaDataType type_a, int lda,                      \
       long long int stride_a, const void *B, cudaDataType type_b, int ldb,                        \
       long long int stride_b, const void *beta, void *C, cudaDataType type_c, int ldc,            \
       long long int stride_c, int batches, cublasComputeType_t compute,                           \
       cublasGemmAlgo_t algorithm),                                                                \
      handle, transa, transb, m, n, k, alpha, A, type_a, lda, stride_a, B, type_b, ldb, stride_b,  \
      beta, C, type_c, ldc, stride_c, batches, compute, algorithm)

#endif
