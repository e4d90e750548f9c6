/*
 * routines.c: the routines of cuBLAS, each written once for both precisions in routines.h, over
 * OpenBLAS's functions of the same meaning.
 */
#include "gpu/blas/call.h"
#include "gpu/blas/product.h"

#include <stdlib.h>
#include <string.h>

/* n copies of one element: a vector with a stride of 0, which OpenBLAS would refuse. */
static void *repeated(const void *at, size_t element, int n)
{
    char *all = malloc((size_t)n * element);
    if (all == NULL) blas_no_memory();
    for (int i = 0; i < n; i++)
        memcpy(all + (size_t)i * element, at, element);
    return all;
}

#define INT(i)     ((int)(uint32_t)call.argument[i])
#define LONG(i)    ((long long)call.argument[i])
#define RAW(i)     (call.argument[i])
#define OPERAND(i) ((void *)here(gpu_address(call.argument[i])))

#define REAL           float
#define TYPE           CUDA_R_32F
#define SERVE(name)    serve_cublasS##name
#define NAME(name)     "cublasS" #name
#define OPENBLAS(name) blas_function("cblas_s" #name)
#include "gpu/blas/routines.h"
#undef REAL
#undef TYPE
#undef SERVE
#undef NAME
#undef OPENBLAS

#define REAL           double
#define TYPE           CUDA_R_64F
#define SERVE(name)    serve_cublasD##name
#define NAME(name)     "cublasD" #name
#define OPENBLAS(name) blas_function("cblas_d" #name)
#include "gpu/blas/routines.h"
