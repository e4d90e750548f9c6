/*
 * call.h: what a call of cuBLAS works on, and how long a GPU would take.
 */
#ifndef WARPUP_BLAS_CALL_H
#define WARPUP_BLAS_CALL_H

#include "gpu/blas/blas.h"
#include "gpu/blas/product.h"

/* How the time of a call is modelled: by its work, or by its bytes at a share of the copy rate. */
enum blas_kind { BLAS_GEMM, BLAS_GEMV, BLAS_STREAM };
struct blas_work {
    enum blas_kind kind;
    double m, n, k; /* of a product of matrices */
    double batches; /* of that size; 0: one */
};

/* The scalar at `pointer`, which is on the side that the handle's pointer mode says; 0 if it cannot
 * be read. */
double blas_scalar(struct blas_call *call, const char *name, uint64_t pointer);

/* Adds an operand and checks it: its bounds, and whether its elements were written before they are
 * read. Does nothing if the arguments of the call are invalid. */
void blas_matrix(struct blas_call *call, const char *name, const void *at, int64_t rows,
                 int64_t columns, int64_t ld, bool read, bool written);
void blas_vector(struct blas_call *call, const char *name, const void *at, int64_t n, int64_t inc,
                 bool read, bool written);

/* True if the routine is to do its work now. */
bool blas_run(struct blas_call *call);

/* Stores a result that is a number: on the host, which waits for it, or on the device. */
void blas_result(struct blas_call *call, uint64_t target, double value);

/* Ends the call; `work` is NULL when there was nothing to do. */
cudaError_t blas_end(struct blas_call *call, const struct blas_work *work);

/* Does the whole call, and ends it, like blas_multiply(). It sets the product's `scale` and `fast`.
 */
cudaError_t blas_multiply_as(struct blas_call *call, struct blas_product *product,
                             cublasComputeType_t compute);

#endif
