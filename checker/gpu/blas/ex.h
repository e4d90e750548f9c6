/*
 * ex.h: products whose precision follows from the types that the caller gives.
 */
#ifndef WARPUP_BLAS_EX_H
#define WARPUP_BLAS_EX_H

#include "gpu/blas/product.h"

/* Does the whole call, and ends it, like blas_multiply(). It sets the product's `scale` and `fast`.
 */
cudaError_t blas_multiply_as(struct blas_call *call, struct blas_product *product,
                             cublasComputeType_t compute);

#endif
