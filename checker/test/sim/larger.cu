/*
 * larger.cu: launches that are tried for a larger problem (../../gpu/runtime/larger.h). N floats in x and y; the first
 * argument names the launch. sim_larger.bats says what each must give.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arguments {
    int n;
    float *x, *y;
};

struct functor {
    float a; /* a gap of 4 bytes comes after it */
    float *x, *y;
};

__device__ float *kept;

__global__ void plain(int n, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}

__global__ void share(int n, const float *x, float *y) /* n * t is too large for an int */
{
    int t = threadIdx.x, T = blockDim.x;
    for (int i = n * t / T; i < n * (t + 1) / T; i++)
        y[i] = x[i]; // share
}

__global__ void by_value(struct arguments w) /* the same in a struct */
{
    int t = threadIdx.x, T = blockDim.x;
    for (int i = w.n * t / T; i < w.n * (t + 1) / T; i++)
        w.y[i] = w.x[i]; // by_value
}

__global__ void by_functor(int n, struct functor f)
{
    int t = threadIdx.x, T = blockDim.x;
    for (int i = n * t / T; i < n * (t + 1) / T; i++)
        f.y[i] = f.a * f.x[i]; // by_functor
}

__global__ void guard(int n, const float *x, float *y) /* 64 * n is negative */
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (64 * i < 64 * n) y[i] = x[i];
}

__global__ void after_a_loop(int n, const float *x, float *y)
{
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += x[k];
    y[n * (int)threadIdx.x / 64] = sum; // after_a_loop
}

__global__ void last_in_a_loop(int n, const float *x, float *y) /* stores in its last step alone */
{
    for (int k = 0; k < n; k++)
        if (k == n - 1) y[threadIdx.x] = x[k];
}

__global__ void far(int n, int far, const float *x, float *y)
{
    if (threadIdx.x == 0) y[n - 1] = x[far % n];
}

__global__ void together(int n, float *both) /* two arrays and a gap in one allocation */
{
    int t = threadIdx.x, T = blockDim.x;
    for (int i = n * t / T; i < n * (t + 1) / T; i++)
        both[(n + 63) / 64 * 64 + i] = both[i]; // together
}

__global__ void third(int n, const float *x, float *z) /* three padded arrays in one allocation */
{
    for (int i = threadIdx.x; i < n + 63; i += blockDim.x)
        z[i] = x[i % n]; // third
}

__global__ void through_a_pointer(int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) kept[i] = 1;
}

int main(int argc, char **argv)
{
    int n = argc > 2 ? atoi(argv[2]) : 0, blocks = (n + 255) / 256;
    const char *name = argv[1];
    struct arguments w = {n, NULL, NULL};
    if (n < 1 || cudaMalloc(&w.x, n * sizeof(float)) || cudaMalloc(&w.y, n * sizeof(float)) ||
        cudaMemset(w.x, 0, n * sizeof(float)) || cudaMemcpyToSymbol(kept, &w.y, sizeof w.y))
        return 1;
    if (strcmp(name, "plain") == 0) plain<<<blocks, 256>>>(n, w.x, w.y);
    if (strcmp(name, "share") == 0) share<<<1, 256>>>(n, w.x, w.y);
    if (strcmp(name, "by_value") == 0) by_value<<<1, 256>>>(w);
    struct functor f = {1.5f, w.x, w.y};
    if (strcmp(name, "by_functor") == 0) by_functor<<<1, 256>>>(n, f);
    if (strcmp(name, "guard") == 0) guard<<<blocks, 256>>>(n, w.x, w.y);
    if (strcmp(name, "after_a_loop") == 0) after_a_loop<<<1, 64>>>(n, w.x, w.y);
    if (strcmp(name, "last_in_a_loop") == 0) last_in_a_loop<<<1, 32>>>(n, w.x, w.y);
    if (strcmp(name, "far") == 0) far<<<1, 32>>>(n, 3 * n + 7, w.x, w.y);
    if (strcmp(name, "together") == 0 && cudaMalloc(&w.x, 2 * n * sizeof(float) + 256) == 0 &&
        cudaMemset(w.x, 0, 2 * n * sizeof(float)) == 0)
        together<<<1, 256>>>(n, w.x);
    size_t slot = (n * sizeof(float) + 255) / 256 * 256;
    if (strcmp(name, "third") == 0 && cudaMalloc(&w.x, 3 * slot) == 0 && cudaMemset(w.x, 0, 3 * slot) == 0)
        third<<<1, 256>>>(n, w.x, w.x + 2 * slot / sizeof(float));
    if (strcmp(name, "through_a_pointer") == 0) through_a_pointer<<<blocks, 256>>>(n);
    return cudaDeviceSynchronize() != cudaSuccess;
}
