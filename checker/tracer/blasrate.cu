/*
 * blasrate.cu: what cuBLAS reaches on this GPU for the operations of the exercises: --saxpy N
 * counts 12 N bytes, --sgemm N counts 2 N^3 flop. Prints one line of JSON, as copyrate does; any
 * trouble is one line on stderr and exit code 2.
 *
 *     nvcc -O3 -o blasrate blasrate.cu -lcublas && ./blasrate --saxpy 67108864
 */
#include <cublas_v2.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WARMUPS = 2, REPEATS = 21 };

static void check(cudaError_t error, const char *what)
{
    if (error == cudaSuccess) return;
    fprintf(stderr, "blasrate: %s: %s\n", what, cudaGetErrorString(error));
    exit(2);
}

static void check_blas(cublasStatus_t status, const char *what)
{
    if (status == CUBLAS_STATUS_SUCCESS) return;
    fprintf(stderr, "blasrate: %s: cuBLAS status %d\n", what, (int)status);
    exit(2);
}

static int compare(const void *left, const void *right)
{
    float a = *(const float *)left, b = *(const float *)right;
    return a < b ? -1 : a > b;
}

/* One float in [-1, 1) for each index; zeros would flatter a GPU. */
__global__ static void fill(float *x, size_t n, unsigned seed)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x) {
        unsigned bits = (unsigned)i * 2654435761u + seed;
        bits ^= bits >> 15;
        bits *= 2246822519u;
        bits ^= bits >> 13;
        x[i] = (float)bits / 2147483648.0f - 1;
    }
}

static float *filled(size_t n, unsigned seed)
{
    float *x = NULL;
    check(cudaMalloc(&x, n * sizeof *x), "allocating");
    fill<<<1024, 256>>>(x, n, seed);
    check(cudaGetLastError(), "filling");
    return x;
}

struct problem {
    bool sgemm;
    int n;
    float *x, *y, *z; /* y <- a x + y, or z <- x y */
};

static void run_once(cublasHandle_t blas, const struct problem *problem)
{
    float one = 1, zero = 0, small = 1e-3f;
    int n = problem->n;
    if (problem->sgemm)
        check_blas(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, problem->y, n,
                               problem->x, n, &zero, problem->z, n),
                   "sgemm");
    else
        check_blas(cublasSaxpy(blas, n, &small, problem->x, 1, problem->y, 1), "saxpy");
}

static float median_ms(cublasHandle_t blas, const struct problem *problem)
{
    cudaEvent_t start, end;
    float ms[REPEATS];
    check(cudaEventCreate(&start), "timing");
    check(cudaEventCreate(&end), "timing");
    for (int i = -WARMUPS; i < REPEATS; i++) {
        check(cudaEventRecord(start, 0), "timing");
        run_once(blas, problem);
        check(cudaEventRecord(end, 0), "timing");
        check(cudaEventSynchronize(end), "running");
        if (i >= 0) check(cudaEventElapsedTime(&ms[i], start, end), "timing");
    }
    qsort(ms, REPEATS, sizeof ms[0], compare);
    return ms[REPEATS / 2];
}

int main(int argc, char *argv[])
{
    long n = argc == 3 ? strtol(argv[2], NULL, 10) : 0;
    bool sgemm = argc == 3 && strcmp(argv[1], "--sgemm") == 0;
    if (n < 1 || n > (sgemm ? 32768 : 2147483647) || (!sgemm && strcmp(argv[1], "--saxpy") != 0)) {
        fprintf(stderr, "usage: %s --saxpy N | --sgemm N\n", argv[0]);
        return 2;
    }
    size_t items = sgemm ? (size_t)n * n : (size_t)n;
    struct problem problem = {sgemm, (int)n, filled(items, 1), filled(items, 2),
                              sgemm ? filled(items, 3) : NULL};
    cublasHandle_t blas;
    check_blas(cublasCreate(&blas), "starting cuBLAS");
    cudaDeviceProp device;
    check(cudaGetDeviceProperties(&device, 0), "no usable GPU");
    float ms = median_ms(blas, &problem);
    double work = sgemm ? 2.0 * n * n * n : 12.0 * n;
    printf("{\"value\":%.1f,\"unit\":\"%s\",\"how\":\"measured\",\"device\":\"%s\"}\n",
           1e-6 * work / ms, sgemm ? "Gflop/s" : "GB/s", device.name);
    cublasDestroy(blas);
    cudaFree(problem.x);
    cudaFree(problem.y);
    cudaFree(problem.z);
    return 0;
}
