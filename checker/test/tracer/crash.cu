/* crash.cu: dies after a kernel. Its trace must have that kernel. */
#include <cuda_runtime.h>

__global__ void nothing()
{
}

int main()
{
    nothing<<<1, 1>>>();
    cudaDeviceSynchronize();
    *static_cast<volatile int *>(nullptr) = 1;
    return 0;
}
