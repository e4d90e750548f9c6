/* bf16.cu: numbers of 16 bits with the exponent of a float, in a kernel and on the host. */
#include <cuda_bf16.h>
#include <string.h>
__global__ void k(const __nv_bfloat16 *x, __nv_bfloat16 *y)
{
    int i = threadIdx.x;
    y[i] = x[i] * __float2bfloat16(1.5f) + x[i];
}
int main()
{
    __nv_bfloat16 h[32], g[32], *x, *y;
    for (int i = 0; i < 32; i++)
        h[i] = __float2bfloat16(i);
    cudaMalloc(&x, sizeof h);
    cudaMalloc(&y, sizeof h);
    cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
    k<<<1, 32>>>(x, y);
    cudaMemcpy(g, y, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(y);
    /* 1.00390625 lies between two such numbers, and the even one is 1. */
    return (float)g[4] != 10 || (float)__float2bfloat16(1.00390625f) != 1 ||
           (float)__float2bfloat16(1.01171875f) != 1.015625f;
}
