/*
 * blasrate.cu: measures the rate of cuBLAS on this GPU for the operations of the exercises: --saxpy
 * N counts 12 N bytes, --sgemv M N counts 4 (M N + M + N) bytes, --sgemm N counts 2 N^3 flop.
 * Prints one line of JSON, as copyrate does. On an error it prints one line on stderr and returns
 * exit code 2.
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

/* One float in [-1, 1) for each index: a GPU may be faster with zeros. */
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

enum operation { SAXPY, SGEMV, SGEMM };

struct problem {
    enum operation operation;
    int m, n;
    float *x, *y, *z; /* y <- a x + y, z <- y x, or z <- x y */
};

static void run_once(cublasHandle_t blas, const struct problem *problem)
{
    float one = 1, zero = 0, small = 1e-3f;
    int m = problem->m, n = problem->n;
    if (problem->operation == SGEMV) /* y is m x n, row-major */
        check_blas(cublasSgemv(blas, CUBLAS_OP_T, n, m, &one, problem->y, n, problem->x, 1, &zero,
                               problem->z, 1),
                   "sgemv");
    else if (problem->operation == SGEMM)
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

/* Reads the arguments; false if they name no operation. */
static bool read_problem(int argc, char *argv[], struct problem *problem)
{
    static const char *const names[] = {"--saxpy", "--sgemv", "--sgemm"};
    static const long most[] = {2147483647, 16777216, 32768};
    int operation = 0, sizes = argc - 2;
    while (argc > 2 && operation < 3 && strcmp(argv[1], names[operation]) != 0)
        operation++;
    if (argc <= 2 || operation == 3 || sizes != (operation == SGEMV ? 2 : 1)) return false;
    long m = strtol(argv[2], NULL, 10), n = strtol(argv[argc - 1], NULL, 10);
    if (m < 1 || n < 1 || m > most[operation] || n > most[operation]) return false;
    *problem = {(enum operation)operation, (int)m, (int)n, NULL, NULL, NULL};
    return true;
}

static double work_of(const struct problem *problem)
{
    double m = problem->m, n = problem->n;
    if (problem->operation == SAXPY) return 12 * n;
    return problem->operation == SGEMV ? 4 * (m * n + m + n) : 2 * n * n * n;
}

static void fill_all(struct problem *problem)
{
    size_t m = problem->m, n = problem->n;
    problem->x = filled(problem->operation == SGEMM ? n * n : n, 1);
    problem->y = filled(problem->operation == SAXPY ? n : m * n, 2);
    if (problem->operation != SAXPY)
        problem->z = filled(problem->operation == SGEMM ? n * n : m, 3);
}

int main(int argc, char *argv[])
{
    struct problem problem;
    if (!read_problem(argc, argv, &problem)) {
        fprintf(stderr, "usage: %s --saxpy N | --sgemv M N | --sgemm N\n", argv[0]);
        return 2;
    }
    fill_all(&problem);
    cublasHandle_t blas;
    check_blas(cublasCreate(&blas), "starting cuBLAS");
    cudaDeviceProp device;
    check(cudaGetDeviceProperties(&device, 0), "no usable GPU");
    printf("{\"value\":%.1f,\"unit\":\"%s\",\"how\":\"measured\",\"device\":\"%s\"}\n",
           1e-6 * work_of(&problem) / median_ms(blas, &problem),
           problem.operation == SGEMM ? "Gflop/s" : "GB/s", device.name);
    cublasDestroy(blas);
    cudaFree(problem.x);
    cudaFree(problem.y);
    cudaFree(problem.z);
    return 0;
}
