/*
 * ex.c: products of matrices whose types the caller gives as numbers.
 */

#include "gpu/blas/call.h"
#include "gpu/blas/product.h"

#define INT(i)     ((int)(uint32_t)call.argument[i])
#define LONG(i)    ((long long)call.argument[i])
#define RAW(i)     (call.argument[i])
#define OPERAND(i) ((void *)here(gpu_address(call.argument[i])))
#define TYPE(i)    ((cudaDataType)INT(i))

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

cudaError_t blas_multiply_as(struct blas_call *call, struct blas_product *product,
                             cublasComputeType_t compute)
{
    if (call->status == CUBLAS_STATUS_SUCCESS &&
        !choose(compute, product, &product->scale, &product->fast)) {
        call_unknown(call->call, "these types of elements in a product of matrices");
        call->status = CUBLAS_STATUS_NOT_SUPPORTED;
    }
    return blas_multiply(call, product);
}

cudaError_t serve_cublasGemmEx(struct call *request)
{
    struct blas_call call = blas_begin(request, "cublasGemmEx", 0);
    call.element = blas_bytes_of(TYPE(15));
    struct blas_product product = {.op_a = (cublasOperation_t)INT(1),
                                   .op_b = (cublasOperation_t)INT(2),
                                   .m = INT(3),
                                   .n = INT(4),
                                   .k = INT(5),
                                   .alpha = RAW(6),
                                   .beta = RAW(13),
                                   .a = {OPERAND(7), INT(9), 0, TYPE(8)},
                                   .b = {OPERAND(10), INT(12), 0, TYPE(11)},
                                   .c = {OPERAND(14), INT(16), 0, TYPE(15)},
                                   .batches = 1};
    return blas_multiply_as(&call, &product, (cublasComputeType_t)INT(17));
}

cudaError_t serve_cublasGemmStridedBatchedEx(struct call *request)
{
    struct blas_call call = blas_begin(request, "cublasGemmStridedBatchedEx", 0);
    call.element = blas_bytes_of(TYPE(17));
    struct blas_product product = {.op_a = (cublasOperation_t)INT(1),
                                   .op_b = (cublasOperation_t)INT(2),
                                   .m = INT(3),
                                   .n = INT(4),
                                   .k = INT(5),
                                   .alpha = RAW(6),
                                   .beta = RAW(15),
                                   .a = {OPERAND(7), INT(9), LONG(10), TYPE(8)},
                                   .b = {OPERAND(11), INT(13), LONG(14), TYPE(12)},
                                   .c = {OPERAND(16), INT(18), LONG(19), TYPE(17)},
                                   .batches = INT(20)};
    return blas_multiply_as(&call, &product, (cublasComputeType_t)INT(21));
}

cudaError_t serve_cublasHgemm(struct call *request)
{
    struct blas_call call = blas_begin(request, "cublasHgemm", 2);
    struct blas_product product = {.op_a = (cublasOperation_t)INT(1),
                                   .op_b = (cublasOperation_t)INT(2),
                                   .m = INT(3),
                                   .n = INT(4),
                                   .k = INT(5),
                                   .alpha = RAW(6),
                                   .beta = RAW(11),
                                   .a = {OPERAND(7), INT(8), 0, CUDA_R_16F},
                                   .b = {OPERAND(9), INT(10), 0, CUDA_R_16F},
                                   .c = {OPERAND(12), INT(13), 0, CUDA_R_16F},
                                   .batches = 1};
    return blas_multiply_as(&call, &product, CUBLAS_COMPUTE_16F);
}
