/* asking.cu: asks for the GPU's name and does nothing with it. */
#include <cuda_runtime.h>

int main()
{
    cudaDeviceProp device;
    return cudaGetDeviceProperties(&device, 0) == cudaSuccess ? 0 : 1;
}
