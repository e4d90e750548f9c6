/*
 * blas_routines.c: the routines of cuBLAS, each written once for both precisions in
 * blas_routines.h, over OpenBLAS's functions of the same meaning.
 */
#include "sim/blas/blas_call.h"

#include <stdlib.h>
#include <string.h>

#define CALLER ((uintptr_t)__builtin_return_address(0))

/* What OpenBLAS's C interface calls things. */
enum { COLUMN_MAJOR = 102, NOT_TRANSPOSED = 111, TRANSPOSED = 112 };

static bool is_operation(cublasOperation_t operation)
{
    return operation == CUBLAS_OP_N || operation == CUBLAS_OP_T || operation == CUBLAS_OP_C;
}

static int transposition(cublasOperation_t operation)
{
    return operation == CUBLAS_OP_N ? NOT_TRANSPOSED : TRANSPOSED;
}

static int at_least_1(int n)
{
    return n > 1 ? n : 1;
}

/* n copies of one element: a vector with a stride of 0, which OpenBLAS would refuse. */
static void *repeated(const void *at, size_t element, int n)
{
    char *all = malloc((size_t)n * element);
    if (all == NULL) abort();
    for (int i = 0; i < n; i++)
        memcpy(all + (size_t)i * element, at, element);
    return all;
}

#define REAL           float
#define ROUTINE(name)  cublasS##name##_v2
#define NAME(name)     "cublasS" #name
#define OPENBLAS(name) blas_function("cblas_s" #name)
#include "sim/blas/blas_routines.h"
#undef REAL
#undef ROUTINE
#undef NAME
#undef OPENBLAS

#define REAL           double
#define ROUTINE(name)  cublasD##name##_v2
#define NAME(name)     "cublasD" #name
#define OPENBLAS(name) blas_function("cblas_d" #name)
#include "sim/blas/blas_routines.h"
