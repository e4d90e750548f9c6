/*
 * blas.h: what the calls of cuBLAS share: a handle, and a call under way.
 */
#ifndef WARPUP_BLAS_H
#define WARPUP_BLAS_H

#include "sim/api/api_call.h"
#include "cublas_v2.h"

struct cublasContext {
    cudaStream_t stream;
    cublasPointerMode_t pointer_mode;
    cublasMath_t math; /* in TF32, products of matrices round what they multiply */
    struct cublasContext *next;
};

/* A vector or matrix of a call: `columns` pieces of `rows` elements, `stride` elements apart. */
struct blas_operand {
    const char *name; /* as the documentation calls it */
    const void *at;
    int64_t rows, columns, stride;
    bool read, written;
    size_t element; /* bytes */
};

/* A call that has begun. It does no work if its status is not 0, or if a GPU could not use one of
 * its pointers. */
struct blas_call {
    struct call call;
    cublasHandle_t handle;
    cublasStatus_t status;
    const char *name; /* "cublasSgemm" */
    size_t element;   /* bytes, of scalars and of operands from here on */
    struct blas_operand *operands;
    int operand_count;
    bool broken;        /* the kernel ends with an illegal address */
    bool running;       /* device memory is open */
    const void *result; /* a number on the host, which waits for it; NULL: none */
};

/* Begins a call; `pc` is where it returns to. */
struct blas_call blas_begin(cublasHandle_t handle, const char *name, size_t element, uintptr_t pc);

/* The arguments of the call are invalid unless the condition holds. */
void blas_demand(struct blas_call *call, bool condition);

/* Begins a call without a handle; ends one that has done its work, or cannot. */
struct blas_call blas_begin_any(const char *name, uintptr_t pc);
cublasStatus_t blas_finish(const struct blas_call *call);

/* A function of OpenBLAS, which is loaded with the first handle: a program without handles has no
 * threads of it. NULL if there is no such function, or no OpenBLAS. */
void *blas_function(const char *name);

#endif
