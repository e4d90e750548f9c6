/*
 * blas_call.h: what a call of cuBLAS works on, and how long a GPU would take.
 */
#ifndef WARPUP_BLAS_CALL_H
#define WARPUP_BLAS_CALL_H

#include "sim/blas/blas.h"

/* How the time of a call is modelled: by its work, or by its traffic at a share of the copy rate.
 */
enum blas_kind { BLAS_GEMM, BLAS_GEMV, BLAS_STREAM };
struct blas_work {
    enum blas_kind kind;
    double m, n, k; /* of a product of matrices */
};

/* The scalar behind a pointer that the handle's pointer mode says the side of; 0 when it cannot be
 * read. */
double blas_scalar(struct blas_call *call, const char *name, const void *pointer);

/* Declares and checks an operand: bounds, and whether what is read was written. Does nothing once
 * the call's arguments are known to be invalid. */
void blas_matrix(struct blas_call *call, const char *name, const void *at, int64_t rows,
                 int64_t columns, int64_t ld, bool read, bool written);
void blas_vector(struct blas_call *call, const char *name, const void *at, int64_t n, int64_t inc,
                 bool read, bool written);

/* True when the routine is to be carried out now. */
bool blas_run(struct blas_call *call);

/* Delivers a result that is a number, once the call runs: to the host, which waits for it, or to
 * the device. */
void blas_result(struct blas_call *call, void *place, double value);

/* Ends the call; `work` is NULL when there was nothing to do. */
cublasStatus_t blas_end(struct blas_call *call, const struct blas_work *work);

#endif
