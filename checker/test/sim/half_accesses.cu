/* half_accesses.cu: how halves and pairs of them are loaded and stored, by one warp
 * (sim_half.bats). */
#include <cuda_fp16.h>

__global__ void halves(const half *x, half *y)
{
    __shared__ half tile[32][33];
    int i = threadIdx.x;
    tile[i][0] = x[i];
    y[i] = x[i] * x[i]; /* loaded once */
    __syncthreads();
    y[i] = __hadd(tile[31 - i][0], __float2half(1.0f));
}

__global__ void pairs(const half2 *x, half2 *y)
{
    int i = threadIdx.x;
    half low = x[i].x, high = x[i].y; /* one load */
    y[i].x = low;                     /* and one store */
    y[i].y = high;
    y[i] = __hfma2(x[i], x[i], __float2half2_rn(1.0f));
    atomicAdd(y + 32, x[i]);
}

int main()
{
    void *x;
    cudaMalloc(&x, 512);
    cudaMemset(x, 0, 512);
    halves<<<1, 32>>>((half *)x, (half *)x + 128);
    pairs<<<1, 32>>>((half2 *)x, (half2 *)x + 64);
    cudaFree(x);
}
