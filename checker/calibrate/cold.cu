/*
 * cold.cu: what calls cost on the host that a program makes once: the first call of all, the first
 * launch of a kernel, allocations, pinning, streams and events, and the first calls of cuBLAS.
 * ../gpu/runtime/costs.c has them.
 *
 *   nvcc -O3 -arch=native -o cold checker/calibrate/cold.cu -lcublas && for i in 1 2 3; do ./cold;
 * done
 *
 * Each is measured in the order in which a program meets it, in a fresh process. So run it a few
 * times, and take the medians. Prints a row per cost: what, bytes (0: none), microseconds.
 */
#include <cublas_v2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static __global__ void first(float *a)
{
    a[threadIdx.x] += 1;
}

static __global__ void second(float *a)
{
    a[threadIdx.x] *= 2;
}

static double microseconds()
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec;
}

/* Prints the time of the call. A call with an error ends the program. */
template <typename Call> static void row(const char *what, size_t bytes, const Call &call)
{
    double begin = microseconds();
    int error = (int)call();
    double took = microseconds() - begin;
    if (error != 0) {
        fprintf(stderr, "%s: error %d\n", what, error);
        exit(1);
    }
    printf("%s\t%zu\t%.2f\n", what, bytes, took);
}

static void memory(size_t bytes)
{
    float *device, *pinned, *managed;
    void *host = malloc(bytes);
    memset(host, 1, bytes);
    row("cudaMalloc", bytes, [&] { return cudaMalloc(&device, bytes); });
    row("cudaFree", bytes, [&] { return cudaFree(device); });
    row("cudaMallocHost", bytes, [&] { return cudaMallocHost(&pinned, bytes); });
    row("cudaFreeHost", bytes, [&] { return cudaFreeHost(pinned); });
    row("cudaHostRegister", bytes,
        [&] { return cudaHostRegister(host, bytes, cudaHostRegisterDefault); });
    row("cudaHostUnregister", bytes, [&] { return cudaHostUnregister(host); });
    row("cudaMallocManaged", bytes, [&] { return cudaMallocManaged(&managed, bytes); });
    row("cudaFree managed", bytes, [&] { return cudaFree(managed); });
    free(host);
}

static void launches(float *a)
{
    row("first launch of the program", 0, [&] {
        first<<<1, 32>>>(a);
        return cudaDeviceSynchronize();
    });
    for (int i = 0; i < 2; i++) {
        row(i == 0 ? "first launch of a kernel" : "launch", 0, [&] {
            second<<<1, 32>>>(a);
            return cudaGetLastError();
        });
        row("synchronize", 0, [&] { return cudaDeviceSynchronize(); });
    }
}

static void objects()
{
    cudaStream_t stream;
    cudaEvent_t event;
    for (int i = 0; i < 3; i++) {
        row("cudaStreamCreate", 0, [&] { return cudaStreamCreate(&stream); });
        row("cudaEventCreate", 0, [&] { return cudaEventCreate(&event); });
        row("cudaEventRecord", 0, [&] { return cudaEventRecord(event, stream); });
        row("cudaEventSynchronize", 0, [&] { return cudaEventSynchronize(event); });
        row("cudaEventDestroy", 0, [&] { return cudaEventDestroy(event); });
        row("cudaStreamDestroy", 0, [&] { return cudaStreamDestroy(stream); });
    }
}

static void library(float *a, int n)
{
    const float one = 1, zero = 0;
    cublasHandle_t handle;
    for (int i = 0; i < 2; i++) {
        row("cublasCreate", 0, [&] { return cublasCreate(&handle); });
        for (int k = 0; k < 3; k++)
            row("cublasSgemm", 0, [&] {
                cublasStatus_t status = cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one,
                                                    a, n, a, n, &zero, a, n);
                return status != CUBLAS_STATUS_SUCCESS ? (int)status : (int)cudaDeviceSynchronize();
            });
        for (int k = 0; k < 2; k++)
            row("cublasSgemv", 0, [&] {
                cublasStatus_t status = cublasSgemv(handle, CUBLAS_OP_T, n, n - 1, &one, a, n, a, 1,
                                                    &zero, a + (size_t)n * (n - 1), 1);
                return status != CUBLAS_STATUS_SUCCESS ? (int)status : (int)cudaDeviceSynchronize();
            });
        row("cublasDestroy", 0, [&] { return cublasDestroy(handle); });
    }
}

int main()
{
    enum { N = 1024 };
    float *a;
    row("first call", 0, [] { return cudaFree(0); });
    row("cudaMalloc", sizeof(float) * N * N, [&] { return cudaMalloc(&a, sizeof(float) * N * N); });
    launches(a);
    for (size_t bytes = 4096; bytes <= (size_t)256 << 20; bytes *= 16)
        memory(bytes);
    memory((size_t)32 << 20);
    objects();
    library(a, N);
    return 0;
}
