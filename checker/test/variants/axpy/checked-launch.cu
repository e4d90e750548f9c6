/* checked-launch.cu: axpy with macros that check every call, one of them with the launch inside. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <omp.h>
#include "cuda_runtime.h"

#define CUDA_CALL(call)                                                                            \
    do {                                                                                           \
        cudaError_t error_ = (call);                                                               \
        if (error_ != cudaSuccess) {                                                               \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,                          \
                    cudaGetErrorName(error_));                                                     \
            exit(EXIT_FAILURE);                                                                    \
        }                                                                                          \
    } while (0)

#define LAUNCH(kernel, blocks, threads, ...)                                                       \
    do {                                                                                           \
        kernel<<<(blocks), (threads)>>>(__VA_ARGS__);                                              \
        CUDA_CALL(cudaPeekAtLastError());                                                          \
        CUDA_CALL(cudaDeviceSynchronize());                                                        \
    } while (0)

#define THREADS 512

__global__ static void gpu_axpy(long n, float a, float const *x, float *y)
{
    long const i = (long)blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n) {
        y[i] += a * x[i];
    }
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static float input(uint64_t seed, uint64_t array, uint64_t i)
{
    uint64_t h = (4 * seed + array) * 0x9e3779b97f4a7c15ull + i;
    h = (h ^ (h >> 33)) * 0xff51afd7ed558ccdull;
    h = (h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53ull;
    return (h >> 40) / 8388608.0f - 1;
}

int main(int argc, char **argv)
{
    long n = argc == 2 ? atol(argv[1]) : 0;
    uint64_t seed = getenv("WARPUP_SEED") ? strtoull(getenv("WARPUP_SEED"), NULL, 10) : 1;
    if (n < 1) {
        return fprintf(stderr, "usage: %s N\n", argv[0]), EXIT_FAILURE;
    }
    float a = 1.5f + 0.5f * input(seed, 2, 0), *x, *y0, *y1;
    size_t const bytes = n * sizeof *x;
    CUDA_CALL(cudaHostAlloc((void **)&x, bytes, cudaHostAllocDefault));
    CUDA_CALL(cudaHostAlloc((void **)&y0, bytes, cudaHostAllocDefault));
    CUDA_CALL(cudaHostAlloc((void **)&y1, bytes, cudaHostAllocDefault));
#pragma omp parallel for
    for (long i = 0; i < n; i++) {
        x[i] = input(seed, 0, i);
        y1[i] = y0[i] = input(seed, 1, i);
    }

    double t = now();
#pragma omp parallel for
    for (long i = 0; i < n; i++) {
        y0[i] = a * x[i] + y0[i];
    }
    t = now() - t;
    printf(" CPU: nthr = %4d   t0 = %.9f sec   P = %7.3f Gflop/s   B = %8.3f GB/s\n",
           omp_get_max_threads(), t, 2e-9 * n / t, 12e-9 * n / t);

    float *dev;
    CUDA_CALL(cudaMalloc((void **)&dev, 2 * bytes)); /* x and y, one behind the other */
    CUDA_CALL(cudaMemcpy(dev, x, bytes, cudaMemcpyHostToDevice));
    CUDA_CALL(cudaMemcpy(dev + n, y1, bytes, cudaMemcpyHostToDevice));
    t = now();
    LAUNCH(gpu_axpy, (n - 1) / THREADS + 1, THREADS, n, a, dev, dev + n);
    t = now() - t;
    printf(" GPU: nthr = %4d   t0 = %.9f sec   P = %7.3f Gflop/s   B = %8.3f GB/s\n", THREADS, t,
           2e-9 * n / t, 12e-9 * n / t);
    CUDA_CALL(cudaMemcpy(y1, dev + n, bytes, cudaMemcpyDeviceToHost));
    CUDA_CALL(cudaFree(dev));

    double d = 0, s = 0;
    for (long i = 0; i < n; i++) {
        d += (y1[i] - (double)y0[i]) * (y1[i] - (double)y0[i]);
        s += (double)y0[i] * y0[i];
    }
    printf(" Diff = %e\n", sqrt(d / s));
    CUDA_CALL(cudaFreeHost(x));
    CUDA_CALL(cudaFreeHost(y0));
    CUDA_CALL(cudaFreeHost(y1));
    return 0;
}
