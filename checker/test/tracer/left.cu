/* left.cu: leaves without its end being noticed. Its trace must not look whole. */
#include <cuda_runtime.h>
#include <unistd.h>

__global__ void nothing()
{
}

int main()
{
    nothing<<<1, 1>>>();
    cudaDeviceSynchronize();
    _exit(0);
}
