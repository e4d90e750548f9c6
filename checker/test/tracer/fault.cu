/* fault.cu: a kernel writes where nothing is. The tracer must not go down with
 * it, nor with the calls that tell it in words. */
#include <cuda_runtime.h>

#include <stdio.h>

__global__ void set(float *x)
{
    x[threadIdx.x] = 1;
}

int main()
{
    float *device, *managed;
    cudaMalloc(&device, 128);
    cudaMallocManaged(&managed, 128);
    set<<<1, 32>>>(device);
    set<<<1, 32>>>(reinterpret_cast<float *>(16));
    cudaError_t error = cudaDeviceSynchronize();
    fprintf(stderr, "%s: %s\n", cudaGetErrorName(error), cudaGetErrorString(error));
    cudaFree(device);
    return error == cudaErrorIllegalAddress ? 3 : 0;
}
