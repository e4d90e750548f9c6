/*
 * blas_ex.c: products of matrices whose types the caller gives as numbers, and cuBLAS's own copies
 * between the host and the GPU.
 */
#include "sim/blas/blas_ex.h"

#include "sim/blas/blas_call.h"
#include "sim/blas/blas_product.h"

#define CALLER ((uintptr_t)__builtin_return_address(0))

/* How a product with these types is computed: the type of alpha and beta, and whether in TF32.
 * False if the types are not known here. */
static bool choose(cublasComputeType_t compute, const struct blas_product *product,
                   cudaDataType *scale, bool *fast)
{
    cudaDataType a = product->a.type, b = product->b.type, c = product->c.type;
    bool doubles = compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC;
    bool halves = compute == CUBLAS_COMPUTE_16F || compute == CUBLAS_COMPUTE_16F_PEDANTIC;
    *fast = compute == CUBLAS_COMPUTE_32F_FAST_TF32 || compute == CUBLAS_COMPUTE_32F_FAST_16F ||
            compute == CUBLAS_COMPUTE_32F_FAST_16BF;
    *scale = doubles ? CUDA_R_64F : halves ? CUDA_R_16F : CUDA_R_32F;
    if (a != b) return false;
    if (doubles) return a == CUDA_R_64F && c == CUDA_R_64F;
    if (halves) return a == CUDA_R_16F && c == CUDA_R_16F;
    if (a == CUDA_R_32F) return c == CUDA_R_32F;
    return a == CUDA_R_16F && (c == CUDA_R_16F || c == CUDA_R_32F);
}

cublasStatus_t blas_multiply_as(struct blas_call *call, struct blas_product *product,
                                cublasComputeType_t compute)
{
    if (call->status == CUBLAS_STATUS_SUCCESS &&
        !choose(compute, product, &product->scale, &product->fast)) {
        api_unknown("these types of elements in a product of matrices", call->call.pc);
        call->status = CUBLAS_STATUS_NOT_SUPPORTED;
    }
    return blas_multiply(call, product);
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                            cublasOperation_t transb, int m, int n, int k, const void *alpha,
                            const void *A, cudaDataType type_a, int lda, const void *B,
                            cudaDataType type_b, int ldb, const void *beta, void *C,
                            cudaDataType type_c, int ldc, cublasComputeType_t compute,
                            cublasGemmAlgo_t algorithm)
{
    struct blas_call call = blas_begin(handle, "cublasGemmEx", blas_bytes_of(type_c), CALLER);
    struct blas_product product = {.op_a = transa,
                                   .op_b = transb,
                                   .m = m,
                                   .n = n,
                                   .k = k,
                                   .alpha = alpha,
                                   .beta = beta,
                                   .a = {A, lda, 0, type_a},
                                   .b = {B, ldb, 0, type_b},
                                   .c = {C, ldc, 0, type_c},
                                   .batches = 1};
    (void)algorithm;
    return blas_multiply_as(&call, &product, compute);
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
    struct blas_call call =
        blas_begin(handle, "cublasGemmStridedBatchedEx", blas_bytes_of(type_c), CALLER);
    struct blas_product product = {.op_a = transa,
                                   .op_b = transb,
                                   .m = m,
                                   .n = n,
                                   .k = k,
                                   .alpha = alpha,
                                   .beta = beta,
                                   .a = {A, lda, stride_a, type_a},
                                   .b = {B, ldb, stride_b, type_b},
                                   .c = {C, ldc, stride_c, type_c},
                                   .batches = batches};
    (void)algorithm;
    return blas_multiply_as(&call, &product, compute);
}

cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k,
                           const struct __half *alpha, const struct __half *A, int lda,
                           const struct __half *B, int ldb, const struct __half *beta,
                           struct __half *C, int ldc)
{
    struct blas_call call = blas_begin(handle, "cublasHgemm", 2, CALLER);
    struct blas_product product = {.op_a = transa,
                                   .op_b = transb,
                                   .m = m,
                                   .n = n,
                                   .k = k,
                                   .alpha = alpha,
                                   .beta = beta,
                                   .a = {A, lda, 0, CUDA_R_16F},
                                   .b = {B, ldb, 0, CUDA_R_16F},
                                   .c = {C, ldc, 0, CUDA_R_16F},
                                   .batches = 1};
    return blas_multiply_as(&call, &product, CUBLAS_COMPUTE_16F);
}

/* ---- copies --------------------------------------------------------------------------------- */

static cublasStatus_t copied(cudaError_t error)
{
    return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

static cublasStatus_t copy_matrix(int rows, int columns, int element, const void *from, int ld_from,
                                  void *to, int ld_to, cudaMemcpyKind kind)
{
    if (rows < 0 || columns < 0 || element <= 0 || ld_from < rows || ld_to < rows)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (rows == 0 || columns == 0) return CUBLAS_STATUS_SUCCESS;
    size_t bytes = (size_t)element;
    return copied(cudaMemcpy2D(to, (size_t)ld_to * bytes, from, (size_t)ld_from * bytes,
                               (size_t)rows * bytes, (size_t)columns, kind));
}

cublasStatus_t cublasSetMatrix(int rows, int columns, int element, const void *A, int lda, void *B,
                               int ldb)
{
    return copy_matrix(rows, columns, element, A, lda, B, ldb, cudaMemcpyHostToDevice);
}

cublasStatus_t cublasGetMatrix(int rows, int columns, int element, const void *A, int lda, void *B,
                               int ldb)
{
    return copy_matrix(rows, columns, element, A, lda, B, ldb, cudaMemcpyDeviceToHost);
}

/* A vector whose elements are apart is a row of a matrix. */
static cublasStatus_t copy_vector(int n, int element, const void *from, int inc_from, void *to,
                                  int inc_to, cudaMemcpyKind kind)
{
    if (n < 0 || element <= 0 || inc_from <= 0 || inc_to <= 0) return CUBLAS_STATUS_INVALID_VALUE;
    if (inc_from == 1 && inc_to == 1)
        return copied(cudaMemcpy(to, from, (size_t)n * (size_t)element, kind));
    return copy_matrix(1, n, element, from, inc_from, to, inc_to, kind);
}

cublasStatus_t cublasSetVector(int n, int element, const void *x, int incx, void *y, int incy)
{
    return copy_vector(n, element, x, incx, y, incy, cudaMemcpyHostToDevice);
}

cublasStatus_t cublasGetVector(int n, int element, const void *x, int incx, void *y, int incy)
{
    return copy_vector(n, element, x, incx, y, incy, cudaMemcpyDeviceToHost);
}

cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int element, const void *A, int lda,
                                    void *B, int ldb, cudaStream_t stream)
{
    size_t bytes = (size_t)element;
    return copied(cudaMemcpy2DAsync(B, (size_t)ldb * bytes, A, (size_t)lda * bytes,
                                    (size_t)rows * bytes, (size_t)columns, cudaMemcpyHostToDevice,
                                    stream));
}

cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int element, const void *A, int lda,
                                    void *B, int ldb, cudaStream_t stream)
{
    size_t bytes = (size_t)element;
    return copied(cudaMemcpy2DAsync(B, (size_t)ldb * bytes, A, (size_t)lda * bytes,
                                    (size_t)rows * bytes, (size_t)columns, cudaMemcpyDeviceToHost,
                                    stream));
}

cublasStatus_t cublasSetVectorAsync(int n, int element, const void *x, int incx, void *y, int incy,
                                    cudaStream_t stream)
{
    return cublasSetMatrixAsync(1, n, element, x, incx, y, incy, stream);
}

cublasStatus_t cublasGetVectorAsync(int n, int element, const void *x, int incx, void *y, int incy,
                                    cudaStream_t stream)
{
    return cublasGetMatrixAsync(1, n, element, x, incx, y, incy, stream);
}
