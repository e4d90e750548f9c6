/*
 * blas_routines.c: the routines of cuBLAS, each written once for both precisions in
 * blas_routines.h, over OpenBLAS's functions of the same meaning.
 */
#include "sim/blas/blas_call.h"
#include "sim/blas/blas_product.h"

#include <stdlib.h>
#include <string.h>

#define CALLER ((uintptr_t)__builtin_return_address(0))

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
#define TYPE           CUDA_R_32F
#define ROUTINE(name)  cublasS##name##_v2
#define PLAIN(name)    cublasS##name
#define STRIDED(name)  cublasS##name##StridedBatched
#define NAME(name)     "cublasS" #name
#define OPENBLAS(name) blas_function("cblas_s" #name)
#include "sim/blas/blas_routines.h"
#undef REAL
#undef TYPE
#undef ROUTINE
#undef PLAIN
#undef STRIDED
#undef NAME
#undef OPENBLAS

#define REAL           double
#define TYPE           CUDA_R_64F
#define ROUTINE(name)  cublasD##name##_v2
#define PLAIN(name)    cublasD##name
#define STRIDED(name)  cublasD##name##StridedBatched
#define NAME(name)     "cublasD" #name
#define OPENBLAS(name) blas_function("cblas_d" #name)
#include "sim/blas/blas_routines.h"
