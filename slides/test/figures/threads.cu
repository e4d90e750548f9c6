/*
 * threads.cu: the access patterns of the figure `threads`, for the simulated GPU to count:
 * `threads FORMULA BLOCKS THREADS K BYTES` runs one kernel in which each thread loads its elements.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cuda_runtime.h>

enum { ONE, CHUNK, NEIGHBOURS, STRIDE };

template <typename T> __global__ void load(int formula, int k, const T *from, float *sum)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    int steps = formula == CHUNK || formula == NEIGHBOURS ? k : 1;
    float s = 0;
    for (int step = 0; step < steps; step++) {
        int i = formula == ONE     ? t
                : formula == CHUNK ? t * k + step
                : formula == STRIDE ? t * k
                                    : step * threads + t;
        T value = from[i];
        s += *(const float *)&value;
    }
    if (s < 0) *sum = s; /* never: the elements are zero */
}

template <typename T> static void run(int formula, int blocks, int threads, int k)
{
    size_t bytes = (size_t)blocks * threads * k * sizeof(T);
    T *from;
    float *sum;
    cudaMalloc((void **)&from, bytes);
    cudaMalloc((void **)&sum, sizeof *sum);
    cudaMemset(from, 0, bytes);
    load<<<blocks, threads>>>(formula, k, from, sum);
    cudaDeviceSynchronize();
    cudaFree(from);
    cudaFree(sum);
}

int main(int argc, char *argv[])
{
    static const char *const names[] = {"one", "chunk", "neighbours", "stride"};
    for (int i = 1; i + 4 < argc; i += 5) {
        int formula = 0, blocks = atoi(argv[i + 1]), threads = atoi(argv[i + 2]);
        int k = atoi(argv[i + 3]), bytes = atoi(argv[i + 4]);
        while (strcmp(argv[i], names[formula]) != 0)
            formula++;
        if (bytes == 4) run<float>(formula, blocks, threads, k);
        if (bytes == 8) run<float2>(formula, blocks, threads, k);
        if (bytes == 16) run<float4>(formula, blocks, threads, k);
    }
}
