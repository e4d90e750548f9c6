/*
 * accesses.cu: the program with which solutions/costs measures the simulated GPU. Its argument says
 * how often it launches an axpy kernel, which makes 3 accesses to global memory for each of 4 Mi
 * elements.
 */
#include <cuda_runtime.h>

#include <stdlib.h>

__global__ void axpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

int main(int argc, char *argv[])
{
    int n = 1 << 22, launches = argc > 1 ? atoi(argv[1]) : 1;
    float *x, *y;
    cudaMalloc((void **)&x, n * sizeof(float));
    cudaMalloc((void **)&y, n * sizeof(float));
    cudaMemset(x, 0, n * sizeof(float));
    cudaMemset(y, 0, n * sizeof(float));
    for (int i = 0; i < launches; i++)
        axpy<<<n / 256, 256>>>(n, 2, x, y);
    cudaError_t error = cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(y);
    return error == cudaSuccess ? EXIT_SUCCESS : EXIT_FAILURE;
}
