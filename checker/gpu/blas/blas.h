/*
 * blas.h: what the calls of cuBLAS share: a handle, and a call under way. A call comes with its
 * arguments in the payload, 8 bytes each, in cuBLAS's order; the status is its first result.
 */
#ifndef WARPUP_BLAS_H
#define WARPUP_BLAS_H

#include "gpu/include/cublas_v2.h"
#include "gpu/runtime/allocation.h"
#include "gpu/runtime/runtime.h"
#include "gpu/runtime/stream.h"

enum { BLAS_ARGUMENTS = 24 };

struct blas_handle {
    uint64_t number;
    uint64_t stream_handle;
    cublasPointerMode_t pointer_mode;
    cublasMath_t math; /* in TF32, products of matrices round what they multiply */
};

/* A vector or matrix of a call: `columns` columns of `rows` elements, `stride` elements apart. */
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
    struct call *call;
    struct blas_handle *handle; /* NULL: the call has none, or a wrong one */
    struct stream *stream;      /* of the handle; the default one if there is none */
    cublasStatus_t status;
    const char *name; /* "cublasSgemm" */
    uint64_t argument[BLAS_ARGUMENTS];
    size_t element; /* bytes, of scalars and of operands from here on */
    struct blas_operand *operands;
    int operand_count;
    bool broken;     /* the kernel ends with an illegal address */
    bool running;    /* numbers that are looked for are perturbed */
    uint64_t result; /* the place of a number on the host, which waits for it; 0: none */
    double value;    /* and that number */
};

/* Begins a call whose first argument is a handle. */
struct blas_call blas_begin(struct call *call, const char *name, size_t element);

/* The arguments of the call are invalid unless the condition holds. */
void blas_demand(struct blas_call *call, bool condition);

/* Begins a call without a handle; ends one that has done its work, or cannot. */
struct blas_call blas_begin_any(struct call *call, const char *name);
cudaError_t blas_finish(const struct blas_call *call);

/* A function of OpenBLAS, which is loaded with the first handle: a program without handles has no
 * threads of it. NULL if there is no such function, or no OpenBLAS. */
void *blas_function(const char *name);

/* Ends the process: the lab has no memory. */
_Noreturn void blas_no_memory(void);

#endif
