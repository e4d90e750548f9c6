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

/* The operand as tensor cores take floats in TF32: with 11 significant bits, rounded to nearest.
 * NULL when it stays as it is: the math mode does not ask for TF32, or it holds doubles. */
static void *in_tf32(const struct blas_call *call, const void *at, int64_t rows, int64_t columns,
                     int64_t ld)
{
    if (((unsigned)call->handle->math & 15) != CUBLAS_TF32_TENSOR_OP_MATH ||
        call->element != sizeof(uint32_t) || rows <= 0 || columns <= 0)
        return NULL;
    size_t count = (size_t)((columns - 1) * ld + rows);
    uint32_t *words = malloc(count * sizeof *words);
    if (words == NULL) abort();
    memcpy(words, at, count * sizeof *words);
    for (size_t i = 0; i < count; i++)
        if ((words[i] & 0x7f800000) != 0x7f800000) /* neither infinite nor nan */
            words[i] = (words[i] + 0x1000) & 0xffffe000;
    return words;
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
