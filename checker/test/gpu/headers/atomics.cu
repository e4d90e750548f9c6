// Atomics become one instruction each, of the space that the compiler finds out.
// O3: atom\.global\.add\.f32
// O3: atom\.global\.add\.f64
// O3: atom\.global\.add\.u32
// O3: atom\.global\.add\.u64
// O3: atom\.shared\.add\.u32
// O3: atom\.global\.exch\.b32
// O3: atom\.global\.cas\.b32
// O3: atom\.global\.max\.s32
// O3: atom\.global\.min\.u32
// both: atom\.cta\.add\.s32
// both: atom\.sys\.add\.f32
// both: atom\.cas\.b16
// both: atom\.(inc|global\.inc)\.u32
// both: atom\.add\.noftz\.f16x2
// both: atom\.global\.add\.v4\.f32
// both: atom\.exch\.b128
#include <cuda_fp16.h>
struct __align__(16) wide { unsigned long long a, b; };
__global__ void counts(int *i, unsigned int *u, unsigned long long *l, float *f, double *d, unsigned short *s,
                       half2 *h, float4 *v, wide *w)
{
    __shared__ int bins[32];
    bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[i[threadIdx.x] & 31], 1);
    __syncthreads();
    atomicAdd(i, bins[threadIdx.x]);
    i[1] = atomicSub(i + 2, 3);
    atomicAdd(l, 1ull);
    atomicAdd(f, 1.0f);
    atomicAdd(d, 1.0);
    atomicExch(i + 3, 0);
    while (atomicCAS(i + 4, 0, 1) != 0)
        continue;
    atomicMax(i + 5, 6);
    atomicMin(u, 7u);
    atomicInc(u + 1, 8);
    atomicAdd_block(i + 6, 1);
    atomicAdd_system(f + 1, 1.0f);
    atomicCAS(s, (unsigned short)1, (unsigned short)2);
    atomicAdd(h, h[1]);
    atomicAdd(v, v[1]);
    w[0] = atomicExch(w + 1, w[2]);
}
int main()
{
}
