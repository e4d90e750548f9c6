// Loads and stores with a hint, spaces of addresses, integers, video instructions.
// both: ld\.global\.nc\.v4\.f32
// both: ld\.global\.cg\.f32
// both: st\.global\.cs\.v2\.f32
// both: ld\.global\.cv\.u32
// O0: cvta\.to\.shared\.u64
// both: isspacep\.global
// both: dp4a\.s32\.s32
// both: shf\.l\.wrap\.b32
// O3: prmt\.b32
// O3: brev\.b32
// O3: popc\.b32
// O3: clz\.b32
__global__ void accesses(float *f, float4 *v, float2 *p, unsigned int *u, int *i)
{
    extern __shared__ float dynamic[];
    v[0] = __ldg(v + 1);
    f[0] = __ldcg(f + 1) + __ldg(f + 2);
    __stcs(p, p[1]);
    u[0] = __ldcv(u + 1) + __isGlobal(u) + (unsigned int)__cvta_generic_to_shared(dynamic);
    i[0] = __dp4a(i[1], i[2], i[3]) + __clz(i[4]) + __ffs(i[5]) + __mulhi(i[6], i[7]);
    u[1] = __funnelshift_l(u[2], u[3], 4) + __byte_perm(u[4], u[5], 0x3210) + __brev(u[6]) + __popc(u[7]);
    u[2] = __vadd4(u[3], u[4]) + __vcmpgts2(u[5], u[6]) + __vsadu4(u[7], u[8]);
    i[1] = __viaddmax_s32(i[2], i[3], i[4]) + __float_as_int(f[3]) + __umulhi(u[1], u[2]);
    memcpy(f + 8, f + 16, 32);
    memset(f + 32, 0, 16);
    dynamic[threadIdx.x] = f[3];
    __syncthreads();
    f[4] = dynamic[31 - threadIdx.x];
}
int main()
{
}
