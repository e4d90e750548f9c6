/* global-arrays.cu: axpy with int indices, global pointers, gettimeofday, a struct that is passed
 * to the kernel by value, and only a part of what a good program checks. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <omp.h>

typedef struct {
    int count;
    float a, *x, *y;
} problem;

float *cpu_x, *gpu_x, *cpu_y, *gpu_y;
problem gpu;
__device__ int blocks_done;

double stop_watch(double start)
{
    struct timeval now;
    gettimeofday(&now, NULL);
    return now.tv_sec + now.tv_usec * 1e-6 - start;
}

float input(unsigned long seed, unsigned long array, unsigned long i)
{
    unsigned long h = (4 * seed + array) * 0x9e3779b97f4a7c15ul + i;
    h = (h ^ (h >> 33)) * 0xff51afd7ed558ccdul;
    h = (h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53ul;
    return (float)(h >> 40) / 8388608.0f - 1.0f;
}

__global__ void gpu_axpy(problem p)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.count) p.y[i] = p.a * p.x[i] + p.y[i];
    if (threadIdx.x == 0) atomicAdd(&blocks_done, 1);
}

void fill(int n, unsigned long seed)
{
    for (int i = 0; i < n; i++) {
        gpu_x[i] = cpu_x[i] = input(seed, 0, i);
        gpu_y[i] = cpu_y[i] = input(seed, 1, i);
    }
}

void report(const char *who, int nthr, int n, double t)
{
    printf(" %s: nthr = %4d   t0 = %.9f sec   P = %7.3f Gflop/s   B = %8.3f GB/s\n", who, nthr, t,
           n / t * 2e-9, n / t * 12e-9);
}

int main(int argc, char *argv[])
{
    int n = atoi(argv[argc - 1]);
    const char *text = getenv("WARPUP_SEED");
    unsigned long seed = text ? strtoul(text, NULL, 10) : 1;
    if (n < 1) {
        fprintf(stderr, "usage: axpy N\n");
        return 1;
    }
    size_t bytes = n * sizeof(float);
    cpu_x = (float *)malloc(bytes);
    gpu_x = (float *)malloc(bytes);
    cpu_y = (float *)malloc(bytes);
    gpu_y = (float *)malloc(bytes);
    fill(n, seed);
    float a = 1.5f + 0.5f * input(seed, 2, 0);

    double t0 = stop_watch(0);
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        cpu_y[i] = a * cpu_x[i] + cpu_y[i];
    t0 = stop_watch(t0);
    report("CPU", omp_get_max_threads(), n, t0 > 0 ? t0 : 1e-6);

    gpu.count = n;
    gpu.a = a;
    cudaMalloc(&gpu.x, bytes);
    cudaMalloc(&gpu.y, bytes);
    cudaMemcpy(gpu.x, gpu_x, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(gpu.y, gpu_y, bytes, cudaMemcpyHostToDevice);
    int nthr = 512, nblk = (n + nthr - 1) / nthr, done;
    t0 = stop_watch(0);
    gpu_axpy<<<nblk, nthr>>>(gpu);
    cudaDeviceSynchronize();
    t0 = stop_watch(t0);
    report("GPU", nthr, n, t0 > 0 ? t0 : 1e-6);
    cudaMemcpyFromSymbol(&done, blocks_done, sizeof done);
    cudaMemcpy(gpu_y, gpu.y, bytes, cudaMemcpyDeviceToHost);
    cudaFree(gpu.x);
    cudaFree(gpu.y);
    if (done != nblk) return 1;

    double d = 0, s = 0;
    for (int i = 0; i < n; i++) {
        d += (gpu_y[i] - cpu_y[i]) * (gpu_y[i] - cpu_y[i]);
        s += cpu_y[i] * cpu_y[i];
    }
    printf(" Diff = %e\n", sqrt(d / s));
    free(cpu_x);
    free(gpu_x);
    free(cpu_y);
    free(gpu_y);
    return 0;
}
