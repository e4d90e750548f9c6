/* warps.cu: kernels whose lanes part ways; the requests of each are worked out in sim_engine.bats.
 */
#include <cstdio>
#include <cuda_runtime.h>

/* Two sides of a branch: 1 load, then one store for each side. */
__global__ void branch(const float *x, float *y, float *z)
{
    int t = threadIdx.x;
    float v = x[t];
    if (t & 1)
        y[t] = v;
    else
        z[t] = v;
}

/* Lane t loads t elements: 31 requests, the last with one lane; 1 store. */
__global__ void triangle(const float *x, float *y)
{
    int t = threadIdx.x;
    float sum = 0;
    for (int i = 0; i < t; i++)
        sum += x[i * 32 + t];
    y[t] = sum;
}

/* Half of the lanes skip each step, in turn: 600 requests of 16 lanes; 1 store. */
__global__ void skips(const float *x, float *y)
{
    int t = threadIdx.x;
    float sum = 0;
    for (int i = 0; i < 600; i++) {
        if ((i + t) & 1) continue;
        sum += x[(i % 32) * 32 + t];
    }
    y[t] = sum;
}

/* A loop in a loop, inner length t: lanes wait for the longest at the end of each outer step:
 * 4 * 31 load requests, 4 stores. */
__global__ void nested(const float *x, float *y)
{
    int t = threadIdx.x;
    for (int step = 0; step < 4; step++) {
        float sum = 0;
        for (int i = 0; i < t; i++)
            sum += x[i * 32 + t];
        y[step * 32 + t] = sum;
    }
}

/* 40 threads: a whole warp and one of 8 lanes; all lanes load one element, 1 sector each. */
__global__ void broadcast(const float *x, float *y)
{
    y[threadIdx.x] = x[0];
}

/* 5000 loads a lane: more than a log holds. */
__global__ void lengthy(const float *x, float *y)
{
    int t = threadIdx.x;
    float sum = 0;
    for (int i = 0; i < 5000; i++)
        sum += x[(i & 31) * 32 + t];
    y[t] = sum;
}

int main()
{
    float *x, *y, *z;
    cudaMalloc(&x, 1024 * sizeof(float));
    cudaMalloc(&y, 1024 * sizeof(float));
    cudaMalloc(&z, 1024 * sizeof(float));
    cudaMemset(x, 0, 1024 * sizeof(float));
    branch<<<1, 32>>>(x, y, z);
    triangle<<<1, 32>>>(x, y);
    skips<<<1, 32>>>(x, y);
    nested<<<1, 32>>>(x, y);
    broadcast<<<1, 40>>>(x, y);
    lengthy<<<1, 32>>>(x, y);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaFree(x);
    cudaFree(y);
    cudaFree(z);
    return 0;
}
