/*
 * blas.h: what the calls of cuBLAS share: a handle (blas.c), a call under way with its operands,
 * and how long a GPU would take (blas_call.c). The routines themselves are in blas_routines.c.
 */
#ifndef WARPUP_BLAS_H
#define WARPUP_BLAS_H

#include "sim/api/api.h"
#include "cublas_v2.h"

struct cublasContext {
    cudaStream_t stream;
    cublasPointerMode_t pointer_mode;
    cublasMath_t math; /* remembered only: all is computed as written */
    struct cublasContext *next;
};

/* A vector or matrix of a call: `columns` pieces of `rows` elements, `stride` elements apart. */
struct blas_operand {
    const char *name; /* as the documentation calls it */
    const void *at;
    int64_t rows, columns, stride;
    bool read, written;
};

/* A call under way. A status that is not 0, or a pointer that no GPU could follow, keeps it from
 * being carried out. */
struct blas_call {
    struct call call;
    cublasHandle_t handle;
    cublasStatus_t status;
    const char *name; /* "cublasSgemm" */
    size_t element;   /* bytes */
    struct blas_operand operands[3];
    int operand_count;
    bool broken;        /* the kernel ends with an illegal address */
    bool running;       /* device memory is open */
    const void *result; /* a number on the host, which waits for it; else NULL */
};

/* How the time of a call is modelled: by its work, or by its traffic at a share of the copy rate.
 */
enum blas_kind { BLAS_GEMM, BLAS_GEMV, BLAS_STREAM };
struct blas_work {
    enum blas_kind kind;
    double m, n, k; /* of a product of matrices */
};

/* Begins a call; `pc` is where it returns to. */
struct blas_call blas_begin(cublasHandle_t handle, const char *name, size_t element, uintptr_t pc);

/* The call's arguments are invalid unless the condition holds. */
void blas_demand(struct blas_call *call, bool condition);

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

/* Begins a call without a handle; ends one that has done its work, or cannot. */
struct blas_call blas_begin_any(const char *name, uintptr_t pc);
cublasStatus_t blas_finish(const struct blas_call *call);

/* OpenBLAS, loaded when the first handle is made: its threads then cost nothing before. NULL when
 * it has no such function, or is not there at all. */
void *blas_function(const char *name);

#endif
