/*
 * triple.cu: the first CUDA program of the lectures. It takes an array to the GPU, makes every
 * element three times as large there, and takes the result back. Prints one line; exit code 1 when
 * a CUDA call failed.
 */
#include <stdio.h>
#include <stdlib.h>

/* Ends the program with one line if a CUDA call failed. */
static void must(cudaError_t error)
{
    if (error == cudaSuccess) return;
    fprintf(stderr, "triple: %s\n", cudaGetErrorString(error));
    exit(1);
}

/* y <- 3 x. Each thread of the only block takes one element. */
__global__ void triple(const float *x, float *y)
{
    int i = threadIdx.x;
    y[i] = 3 * x[i];
}

int main(void)
{
    enum { N = 256 };
    float x[N], y[N];
    for (int i = 0; i < N; i++)
        x[i] = i;

    float *x_gpu, *y_gpu;
    must(cudaMalloc(&x_gpu, sizeof x));
    must(cudaMalloc(&y_gpu, sizeof y));
    must(cudaMemcpy(x_gpu, x, sizeof x, cudaMemcpyHostToDevice));
    triple<<<1, N>>>(x_gpu, y_gpu);
    must(cudaGetLastError());
    must(cudaMemcpy(y, y_gpu, sizeof y, cudaMemcpyDeviceToHost));
    must(cudaFree(x_gpu));
    must(cudaFree(y_gpu));

    printf("3 * %g is %g\n", x[N - 1], y[N - 1]);
    return 0;
}
