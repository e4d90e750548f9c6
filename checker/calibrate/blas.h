/* blas.h: cuBLAS's products of matrices. Compiled with NO_BLAS where there is no cuBLAS, it
 * estimates them. */
#ifndef BLAS_H
#define BLAS_H

#include "common.h"

#ifdef NO_BLAS

static void measure_blas(struct gpu *gpu)
{
    double gflops = 0.8 * gpu->flops_per_clock * gpu->sms * gpu->clock_ghz;
    figure("sgemm_gflops", gflops, "estimate: 80 % of flops_per_clock; there was no cuBLAS");
    figure("dgemm_gflops", gflops / 2, "estimate: half of sgemm_gflops; there was no cuBLAS");
}

#else

#    include <cublas_v2.h>

static void check_blas(cublasStatus_t status)
{
    if (status != CUBLAS_STATUS_SUCCESS) check(cudaErrorUnknown, "cuBLAS");
}

/* Numbers in [0, 1): a GPU may be faster with zeros. */
template <typename T> static __global__ void fill(T *a, size_t count)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += (size_t)gridDim.x * blockDim.x) {
        unsigned bits = (unsigned)i * 2654435761u;
        bits ^= bits >> 15;
        bits *= 2246822519u;
        a[i] = (T)(bits >> 8) / (1 << 24);
    }
}

static cublasStatus_t gemm(cublasHandle_t blas, int m, int n, int k, const float *a, float *c)
{
    float one = 1, zero = 0;
    return cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, a, m, a, k, &zero, c, m);
}

static cublasStatus_t gemm(cublasHandle_t blas, int m, int n, int k, const double *a, double *c)
{
    double one = 1, zero = 0;
    return cublasDgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, a, m, a, k, &zero, c, m);
}

/* Gflop/s of a large product. On the simulated GPU a smaller one is enough: each SM has one tile
 * of 128 x 128 elements. */
template <typename T>
static double product_gflops(const struct gpu *gpu, cublasHandle_t blas, const char *what)
{
    int m = gpu->small ? 128 * ((int)gpu->sms / 4) : 8 * K, n = gpu->small ? 512 : 8 * K;
    double few = gpu->small ? 512 : 4 * K, many = 2 * few;
    size_t count = (size_t)(m > n ? m : n) * (size_t)many;
    T *a = (T *)device_array(count * sizeof *a);
    if (!gpu->small) fill<<<1024, 256>>>(a, count);
    T *c = (T *)device_array((size_t)m * n * sizeof *c);
    double ns =
        slope(gpu, what, few, many, [&](double k) { check_blas(gemm(blas, m, n, (int)k, a, c)); });
    check(cudaFree(a), "freeing memory");
    check(cudaFree(c), "freeing memory");
    return 2.0 * m * n / ns;
}

/* sgemm_gflops, dgemm_gflops: products whose inner dimension grows. */
static void measure_blas(struct gpu *gpu)
{
    cublasHandle_t blas;
    check_blas(cublasCreate(&blas));
    measured("sgemm_gflops", product_gflops<float>(gpu, blas, "cublasSgemm"));
    measured("dgemm_gflops", product_gflops<double>(gpu, blas, "cublasDgemm"));
    check_blas(cublasDestroy(blas));
}

#endif

#endif
