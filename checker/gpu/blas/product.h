/*
 * product.h: products of matrices of any type that is known here, one or many at a time.
 */
#ifndef WARPUP_BLAS_PRODUCT_H
#define WARPUP_BLAS_PRODUCT_H

#include "gpu/blas/blas.h"

#include <stdbool.h>

/* Constants of OpenBLAS's C interface. */
enum { COLUMN_MAJOR = 102, NOT_TRANSPOSED = 111, TRANSPOSED = 112 };

static inline bool blas_is_operation(cublasOperation_t operation)
{
    return operation == CUBLAS_OP_N || operation == CUBLAS_OP_T || operation == CUBLAS_OP_C;
}

static inline int blas_transposition(cublasOperation_t operation)
{
    return operation == CUBLAS_OP_N ? NOT_TRANSPOSED : TRANSPOSED;
}

static inline int blas_at_least_1(int n)
{
    return n > 1 ? n : 1;
}

/* Matrices of a product, `stride` elements apart, column after column. */
struct blas_operands {
    const void *at;
    int ld;
    long long stride;
    cudaDataType type; /* CUDA_R_16F, 32F or 64F */
};

/* c <- alpha op_a(a) op_b(b) + beta c, once for each batch. Before it, `from` is copied to c if it
 * is not NULL; after it, `finish` is called for each of the sums as floats, with its row. */
struct blas_product {
    cublasOperation_t op_a, op_b;
    int m, n, k;
    uint64_t alpha, beta; /* where they are */
    cudaDataType scale;   /* their type; the default is CUDA_R_32F, or that of c if that is 64F */
    bool fast;            /* in TF32, whatever the handle's math mode */
    struct blas_operands a, b, c;
    const void *from;
    int batches;
    float (*finish)(float sum, int row, const void *data);
    const void *data;
};

size_t blas_bytes_of(cudaDataType type); /* 0: not known here */

/* Does the whole call, and ends it. */
cudaError_t blas_multiply(struct blas_call *call, const struct blas_product *product);

#endif
