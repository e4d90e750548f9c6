/*
 * cublas_v2.h: cuBLAS on the simulated GPU: vectors and dense matrices of floats and doubles,
 * column after column. OpenBLAS does the work (blas.c); what it takes is modelled. Enumerators have
 * the numbers that the cuBLAS documentation gives. For C and C++.
 */
#ifndef CUBLAS_V2_H_
#define CUBLAS_V2_H_
#define CUBLAS_API_H_ /* by which other headers see that cuBLAS is there */

#include "cuda_runtime_api.h"
#include "library_types.h"

/* NVIDIA's cublas_v2.h includes these too, and programs rely on it. */
#ifdef __cplusplus
#    include "cuda_bf16.h"
#    include "cuda_fp16.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define CUBLAS_VER_MAJOR 12
#define CUBLAS_VER_MINOR 8
#define CUBLAS_VER_PATCH 0
#define CUBLAS_VERSION   (CUBLAS_VER_MAJOR * 10000 + CUBLAS_VER_MINOR * 100 + CUBLAS_VER_PATCH)
#define CUBLASWINAPI

/* One row makes the enumerator and the answers of cublasGetStatusName and cublasGetStatusString. */
// clang-format off
#define WARPUP_STATUSES(STATUS) \
    STATUS(CUBLAS_STATUS_SUCCESS, 0, "success") \
    STATUS(CUBLAS_STATUS_NOT_INITIALIZED, 1, "the library was not initialized") \
    STATUS(CUBLAS_STATUS_ALLOC_FAILED, 3, "the resource allocation failed") \
    STATUS(CUBLAS_STATUS_INVALID_VALUE, 7, "an unsupported value or parameter was passed to the function") \
    STATUS(CUBLAS_STATUS_ARCH_MISMATCH, 8, "the requested functionality requires a feature absent from the current GPU architecture") \
    STATUS(CUBLAS_STATUS_MAPPING_ERROR, 11, "an access to the GPU memory space failed") \
    STATUS(CUBLAS_STATUS_EXECUTION_FAILED, 13, "the function failed to launch on the GPU") \
    STATUS(CUBLAS_STATUS_INTERNAL_ERROR, 14, "an internal operation failed") \
    STATUS(CUBLAS_STATUS_NOT_SUPPORTED, 15, "the requested functionality is not supported") \
    STATUS(CUBLAS_STATUS_LICENSE_ERROR, 16, "the functionality requested requires a license")
// clang-format on
#define WARPUP_STATUS(name, code, text) name = code,
typedef enum { WARPUP_STATUSES(WARPUP_STATUS) } cublasStatus_t;
#undef WARPUP_STATUS

typedef enum {
    CUBLAS_OP_N = 0,
    CUBLAS_OP_T = 1,
    CUBLAS_OP_C = 2,
    CUBLAS_OP_HERMITAN = 2,
    CUBLAS_OP_CONJG = 3
} cublasOperation_t;

typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;

typedef enum {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;

typedef enum {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32I_PEDANTIC = 73,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;

typedef enum {
    CUBLAS_GEMM_DFALT = -1,
    CUBLAS_GEMM_DEFAULT = -1,
    CUBLAS_GEMM_ALGO0 = 0,
    CUBLAS_GEMM_ALGO1,
    CUBLAS_GEMM_ALGO2,
    CUBLAS_GEMM_ALGO3,
    CUBLAS_GEMM_ALGO4,
    CUBLAS_GEMM_ALGO5,
    CUBLAS_GEMM_ALGO6,
    CUBLAS_GEMM_ALGO7,
    CUBLAS_GEMM_ALGO8,
    CUBLAS_GEMM_ALGO9,
    CUBLAS_GEMM_ALGO10,
    CUBLAS_GEMM_ALGO11,
    CUBLAS_GEMM_ALGO12,
    CUBLAS_GEMM_ALGO13,
    CUBLAS_GEMM_ALGO14,
    CUBLAS_GEMM_ALGO15,
    CUBLAS_GEMM_ALGO16,
    CUBLAS_GEMM_ALGO17,
    CUBLAS_GEMM_ALGO18,
    CUBLAS_GEMM_ALGO19,
    CUBLAS_GEMM_ALGO20,
    CUBLAS_GEMM_ALGO21,
    CUBLAS_GEMM_ALGO22,
    CUBLAS_GEMM_ALGO23,
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
    CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
    CUBLAS_GEMM_ALGO0_TENSOR_OP = 100,
    CUBLAS_GEMM_ALGO1_TENSOR_OP,
    CUBLAS_GEMM_ALGO2_TENSOR_OP,
    CUBLAS_GEMM_ALGO3_TENSOR_OP,
    CUBLAS_GEMM_ALGO4_TENSOR_OP,
    CUBLAS_GEMM_ALGO5_TENSOR_OP,
    CUBLAS_GEMM_ALGO6_TENSOR_OP,
    CUBLAS_GEMM_ALGO7_TENSOR_OP,
    CUBLAS_GEMM_ALGO8_TENSOR_OP,
    CUBLAS_GEMM_ALGO9_TENSOR_OP,
    CUBLAS_GEMM_ALGO10_TENSOR_OP,
    CUBLAS_GEMM_ALGO11_TENSOR_OP,
    CUBLAS_GEMM_ALGO12_TENSOR_OP,
    CUBLAS_GEMM_ALGO13_TENSOR_OP,
    CUBLAS_GEMM_ALGO14_TENSOR_OP,
    CUBLAS_GEMM_ALGO15_TENSOR_OP
} cublasGemmAlgo_t;

struct __half;

struct cublasContext;
typedef struct cublasContext *cublasHandle_t;

#define cublasCreate         cublasCreate_v2
#define cublasDestroy        cublasDestroy_v2
#define cublasGetVersion     cublasGetVersion_v2
#define cublasSetStream      cublasSetStream_v2
#define cublasGetStream      cublasGetStream_v2
#define cublasSetPointerMode cublasSetPointerMode_v2
#define cublasGetPointerMode cublasGetPointerMode_v2
cublasStatus_t cublasCreate(cublasHandle_t *handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t *mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode);
const char *cublasGetStatusName(cublasStatus_t status);
const char *cublasGetStatusString(cublasStatus_t status);

#define cublasSaxpy cublasSaxpy_v2
#define cublasDaxpy cublasDaxpy_v2
#define cublasSdot  cublasSdot_v2
#define cublasDdot  cublasDdot_v2
#define cublasSnrm2 cublasSnrm2_v2
#define cublasDnrm2 cublasDnrm2_v2
#define cublasSscal cublasSscal_v2
#define cublasDscal cublasDscal_v2
#define cublasSgemv cublasSgemv_v2
#define cublasDgemv cublasDgemv_v2
#define cublasSger  cublasSger_v2
#define cublasDger  cublasDger_v2
#define cublasScopy cublasScopy_v2
#define cublasDcopy cublasDcopy_v2
#define cublasSswap cublasSswap_v2
#define cublasDswap cublasDswap_v2
#define cublasSrot  cublasSrot_v2
#define cublasDrot  cublasDrot_v2
#define cublasSasum cublasSasum_v2
#define cublasDasum cublasDasum_v2
#define cublasSgemm cublasSgemm_v2
#define cublasDgemm cublasDgemm_v2

/* The routines of one precision: P is S or D, T float or double. */
#define WARPUP_ROUTINES(P, T)                                                                      \
    cublasStatus_t cublas##P##axpy(cublasHandle_t handle, int n, const T *alpha, const T *x,       \
                                   int incx, T *y, int incy);                                      \
    cublasStatus_t cublas##P##dot(cublasHandle_t handle, int n, const T *x, int incx, const T *y,  \
                                  int incy, T *result);                                            \
    cublasStatus_t cublas##P##nrm2(cublasHandle_t handle, int n, const T *x, int incx, T *result); \
    cublasStatus_t cublas##P##scal(cublasHandle_t handle, int n, const T *alpha, T *x, int incx);  \
    cublasStatus_t cublas##P##gemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n,   \
                                   const T *alpha, const T *A, int lda, const T *x, int incx,      \
                                   const T *beta, T *y, int incy);                                 \
    cublasStatus_t cublas##P##ger(cublasHandle_t handle, int m, int n, const T *alpha, const T *x, \
                                  int incx, const T *y, int incy, T *A, int lda);                  \
    cublasStatus_t cublas##P##gemm(cublasHandle_t handle, cublasOperation_t transa,                \
                                   cublasOperation_t transb, int m, int n, int k, const T *alpha,  \
                                   const T *A, int lda, const T *B, int ldb, const T *beta, T *C,  \
                                   int ldc);                                                       \
    cublasStatus_t cublas##P##gemmStridedBatched(                                                  \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,   \
        int k, const T *alpha, const T *A, int lda, long long int stride_a, const T *B, int ldb,   \
        long long int stride_b, const T *beta, T *C, int ldc, long long int stride_c,              \
        int batches);                                                                              \
    cublasStatus_t cublas##P##geam(                                                                \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,   \
        const T *alpha, const T *A, int lda, const T *beta, const T *B, int ldb, T *C, int ldc);   \
    cublasStatus_t cublas##P##copy(cublasHandle_t handle, int n, const T *x, int incx, T *y,       \
                                   int incy);                                                      \
    cublasStatus_t cublas##P##swap(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy);  \
    cublasStatus_t cublas##P##rot(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy,    \
                                  const T *c, const T *s);                                         \
    cublasStatus_t cublas##P##asum(cublasHandle_t handle, int n, const T *x, int incx, T *result);
WARPUP_ROUTINES(S, float)
WARPUP_ROUTINES(D, double)
#undef WARPUP_ROUTINES

/* Products of other types */
cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k,
                           const struct __half *alpha, const struct __half *A, int lda,
                           const struct __half *B, int ldb, const struct __half *beta,
                           struct __half *C, int ldc);
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                            cublasOperation_t transb, int m, int n, int k, const void *alpha,
                            const void *A, cudaDataType type_a, int lda, const void *B,
                            cudaDataType type_b, int ldb, const void *beta, void *C,
                            cudaDataType type_c, int ldc, cublasComputeType_t compute,
                            cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k,
                                          const void *alpha, const void *A, cudaDataType type_a,
                                          int lda, long long int stride_a, const void *B,
                                          cudaDataType type_b, int ldb, long long int stride_b,
                                          const void *beta, void *C, cudaDataType type_c, int ldc,
                                          long long int stride_c, int batches,
                                          cublasComputeType_t compute, cublasGemmAlgo_t algorithm);

/* Copies between the host and the GPU */
cublasStatus_t cublasSetMatrix(int rows, int columns, int element, const void *A, int lda, void *B,
                               int ldb);
cublasStatus_t cublasGetMatrix(int rows, int columns, int element, const void *A, int lda, void *B,
                               int ldb);
cublasStatus_t cublasSetVector(int n, int element, const void *x, int incx, void *y, int incy);
cublasStatus_t cublasGetVector(int n, int element, const void *x, int incx, void *y, int incy);
cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int element, const void *A, int lda,
                                    void *B, int ldb, cudaStream_t stream);
cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int element, const void *A, int lda,
                                    void *B, int ldb, cudaStream_t stream);
cublasStatus_t cublasSetVectorAsync(int n, int element, const void *x, int incx, void *y, int incy,
                                    cudaStream_t stream);
cublasStatus_t cublasGetVectorAsync(int n, int element, const void *x, int incx, void *y, int incy,
                                    cudaStream_t stream);

#ifdef __cplusplus
}

/* The forms of CUDA 10, whose sums have a type of data. */
static inline cublasComputeType_t warpup_compute_type(cudaDataType sums)
{
    return sums == CUDA_R_16F   ? CUBLAS_COMPUTE_16F
           : sums == CUDA_R_64F ? CUBLAS_COMPUTE_64F
           : sums == CUDA_R_32I ? CUBLAS_COMPUTE_32I
                                : CUBLAS_COMPUTE_32F;
}
static inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k,
                                          const void *alpha, const void *A, cudaDataType type_a,
                                          int lda, const void *B, cudaDataType type_b, int ldb,
                                          const void *beta, void *C, cudaDataType type_c, int ldc,
                                          cudaDataType sums, cublasGemmAlgo_t algorithm)
{
    return cublasGemmEx(handle, transa, transb, m, n, k, alpha, A, type_a, lda, B, type_b, ldb,
                        beta, C, type_c, ldc, warpup_compute_type(sums), algorithm);
}
static inline cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
    const void *alpha, const void *A, cudaDataType type_a, int lda, long long int stride_a,
    const void *B, cudaDataType type_b, int ldb, long long int stride_b, const void *beta, void *C,
    cudaDataType type_c, int ldc, long long int stride_c, int batches, cudaDataType sums,
    cublasGemmAlgo_t algorithm)
{
    return cublasGemmStridedBatchedEx(handle, transa, transb, m, n, k, alpha, A, type_a, lda,
                                      stride_a, B, type_b, ldb, stride_b, beta, C, type_c, ldc,
                                      stride_c, batches, warpup_compute_type(sums), algorithm);
}
#endif

#endif
