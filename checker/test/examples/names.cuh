/*
 * names.cuh: what the names in the pages' examples stand for (../../mistakes): the same on every page.
 * On the host x, y, z, y0, y1 and names in capitals are arrays of the host, those that begin with d_
 * of the GPU; m_y is managed memory, as much as one block of threads writes.
 */
#include <assert.h>
#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <omp.h>

namespace names
{

static int n = 1000, i, j, row, col, lane, id, nthr, chunk, eggs, boxes;
static float a = 2, s, v, block_sum;
static double t, t0, diff, rate, ms, sec;
static size_t bytes = 4000;
static float *x, *y, *z, *y0, *y1, *P, *Q, *sum, *d_x, *d_y, *d_s, *d_spare, *m_y;
static float tile[256];
static float2 p, q;
static dim3 grid = 4, block = 256, g = 4, b = 256;
static cudaStream_t s1, s2;
static cudaEvent_t begin, end;
static cublasHandle_t blas;
static const int T = 32;

__global__ void axpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void triple(int n, float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 3;
}

__global__ void add_up(const float *x, float *sum)
{
    atomicAdd(sum, x[threadIdx.x]);
}

__global__ void k(float *y)
{
    y[threadIdx.x] = 2;
}

namespace with_shared_memory
{
__global__ void flip(float *x)
{
    extern __shared__ float s[];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
} // namespace with_shared_memory
using with_shared_memory::flip;

__global__ void product(float *P);
__global__ void copy(const float *P, float *Q);
void work(), start(), stop();
double stop_watch(double t0);
void triple_on_cpu(int n, float *x);
void cpu_axpy(int n, float a, const float *x, float *y);

/* Gives the host's variables values before an example is run */
static inline void prepare()
{
    x = (float *)calloc(n, sizeof(float));
    y = (float *)calloc(n, sizeof(float));
    cudaMalloc(&d_x, bytes);
    cudaMalloc(&d_y, bytes);
    cudaMalloc(&d_s, sizeof(float));
    cudaMallocManaged(&m_y, 256 * sizeof(float));
    cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_y, y, bytes, cudaMemcpyHostToDevice);
}

} // namespace names

/* The variables of a kernel, and its arguments */
#define KERNEL_NAMES float *x, float *y, float *sum, float a, int n
#define KERNEL_START                                                                               \
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = threadIdx.x;                                \
    float s = 1, v = 1;                                                                            \
    __shared__ float tile[256];
#define ARGUMENTS d_x, d_y, d_y, a, n
