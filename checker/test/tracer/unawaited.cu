/* unawaited.cu: ends, once by a reset and once by returning, while a kernel is still at work. */
#include <cuda_runtime.h>

__global__ void count(int turns, float *x)
{
    for (int i = 0; i < turns; i++)
        x[i % 1024] += 1;
}

int main()
{
    float *x;
    cudaMalloc(&x, 4096);
    count<<<1, 1>>>(1000000, x);
    cudaDeviceReset();
    cudaMalloc(&x, 4096);
    count<<<1, 1>>>(100000, x);
    return 0;
}
