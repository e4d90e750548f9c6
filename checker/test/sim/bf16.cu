/* bf16.cu: numbers of 16 bits with the exponent of a float, in a kernel and on the host. */
#include <cuda_bf16.h>
#include <string.h>
__global__ void k(const __nv_bfloat16 *x, __nv_bfloat16 *y)
{
    int i = threadIdx.x;
    y[i] = x[i] * __float2bfloat16(1.5f) + x[i];
}

/* Pairs: one access of 4 bytes each */
__global__ void pairs(const __nv_bfloat162 *x, __nv_bfloat162 *y, float *sums)
{
    int i = threadIdx.x;
    __nv_bfloat162 one = __float2bfloat162_rn(1), v = x[i];
    v = __hfma2(v, __floats2bfloat162_rn(2, 4), one);
    y[i] = __hmax2(v, __halves2bfloat162(__float2bfloat16(7), __low2bfloat16(one)));
    float2 both = __bfloat1622float2(v);
    unsigned short bits = __bfloat16_as_ushort(__hneg(__high2bfloat16(one)));
    __nv_bfloat162 other = __shfl_xor_sync(0xffffffff, v, 1);
    sums[i] =
        both.x + both.y + (bits == 0xbf80) + (__hgt(v.y, v.x) ? 0.5f : 0) + __low2float(other);
}

static int check_pairs()
{
    __nv_bfloat162 h[32], g[32], *x, *y;
    float sums[32], *s;
    int wrong = 0;
    for (int i = 0; i < 32; i++)
        h[i] = __floats2bfloat162_rn(i, 1);
    cudaMalloc(&x, sizeof h);
    cudaMalloc(&y, sizeof h);
    cudaMalloc(&s, sizeof sums);
    cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
    pairs<<<1, 32>>>(x, y, s);
    cudaMemcpy(g, y, sizeof h, cudaMemcpyDeviceToHost);
    cudaMemcpy(sums, s, sizeof sums, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(y);
    cudaFree(s);
    for (int i = 0; i < 32; i++) {
        float low = 2 * i + 1, other = 2 * (i ^ 1) + 1;
        wrong += __low2float(g[i]) != (low > 7 ? low : 7) || __high2float(g[i]) != 5;
        wrong += sums[i] != low + 5 + 1 + (5 > low ? 0.5f : 0) + other;
    }
    return wrong;
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
    return check_pairs() != 0 || (float)g[4] != 10 || (float)__float2bfloat16(1.00390625f) != 1 ||
           (float)__float2bfloat16(1.01171875f) != 1.015625f;
}
