/*
 * calls.cu: makes a call of every kind that the tracer knows, right ones and wrong ones. Prints
 * what the wrong ones returned; tracer.bats compares the trace with what happens here.
 */
#include <cuda_runtime.h>

#include <cstdio>

__device__ float table[16];

template <int factor> __global__ void scale(int n, float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= factor;
}

namespace
{
__global__ void hidden(float *x)
{
    __shared__ float last[32];
    last[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = last[31 - threadIdx.x];
}
} // namespace

static void right(int n, float *host, float *device, float *managed, float *pinned)
{
    cudaStream_t first, second;
    cudaEvent_t start, end;
    float ms = 0;
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    cudaEventCreate(&start);
    cudaEventCreate(&end);
    cudaMemcpy(device, host, n * sizeof(float), cudaMemcpyHostToDevice);
    cudaEventRecord(start, first);
    scale<3><<<4, 256, 0, first>>>(n, device);
    cudaEventRecord(end, first);
    cudaMemcpyAsync(pinned, device, n * sizeof(float), cudaMemcpyDeviceToHost, first);
    scale<2><<<dim3(2, 2), 256, 128, second>>>(n, managed);
    cudaStreamSynchronize(second);
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&ms, start, end);
    cudaStreamSynchronize(first);
    hidden<<<1, 32>>>(device);
    cudaMemcpyToSymbol(table, host, sizeof table);
    cudaMemcpyFromSymbol(host, table, sizeof table);
    cudaMemset(device, 7, 40);
    cudaMemcpy(host, device + 2, 64, cudaMemcpyDefault);
    cudaDeviceSynchronize();
}

static void wrong(int n, float *host, float *device)
{
    scale<5><<<1, 2048>>>(n, device);
    printf("%d", cudaGetLastError());
    scale<5><<<0, 32>>>(n, device);
    printf(" %d", cudaGetLastError());
    printf(" %d", cudaMemcpy(host, device, n * sizeof(float), cudaMemcpyHostToDevice));
    cudaGetLastError();
    printf(" %d", cudaMemcpy(host, device + n - 4, 32, cudaMemcpyDeviceToHost));
    cudaGetLastError();
}

int main()
{
    const int n = 1000;
    static float host[n];
    float *device, *managed, *pinned, *leaked;
    for (int i = 0; i < n; i++)
        host[i] = i;
    cudaMalloc(&device, sizeof host);
    cudaMallocManaged(&managed, sizeof host);
    cudaMallocHost(&pinned, sizeof host);
    cudaMalloc(&leaked, 100);
    for (int i = 0; i < n; i++)
        managed[i] = i;
    right(n, host, device, managed, pinned);
    wrong(n, host, device);
    cudaFree(device);
    cudaFree(managed);
    cudaFreeHost(pinned);
    printf(" %d\n", cudaFree(device));
    return 0;
}
