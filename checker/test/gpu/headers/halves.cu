// Halves and bfloat16: arithmetic of the GPU's own instructions.
// both: add\.f16 
// both: fma\.rn\.f16x2
// both: mul\.bf16 
// both: cvt\.rn\.f16\.f32
// both: cvt\.rn\.bf16x2\.f32
// both: max\.bf16x2
// both: cvt\.f32\.f16
// both: shfl\.sync\.down
#include <cuda_bf16.h>
#include <cuda_fp16.h>
__global__ void halves(half *a, half2 *b, __nv_bfloat16 *c, __nv_bfloat162 *d, float *f, half2 factor)
{
    int i = threadIdx.x;
    a[i] = __float2half(f[i]) + a[i + 1];
    b[i] = __hfma2(b[i + 1], b[i + 2], factor);
    c[i] = c[i + 1] * c[i + 2];
    d[i] = __floats2bfloat162_rn(f[0], f[1]);
    f[2] = __half2float(a[7]) + __low2float(b[9]) + (float)c[3] + __bfloat162float(c[4]);
    a[9] = hexp(a[10]);
    if (a[3] < a[4]) a[5] = __int2half_rn(i);
    a[11] = __shfl_down_sync(0xffffffff, a[11], 1);
    d[9] = __hmax2(d[1], d[2]);
    b[3] += b[4];
    a[12] = __ldg(a + 13);
    c[5] = __ushort_as_bfloat16(0x3f80);
}
int main()
{
    half h = 1.5f;
    h += half(2);
    __nv_bfloat16 b(3.0);
    return (int)(float)h + (int)(float)(b * b) + (int)__half2float(__hadd(h, h)) + __half2int_rz(h);
}
