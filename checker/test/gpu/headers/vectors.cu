// Vectors are loaded and stored in one piece.
// O3: ld\.global\.v4\.f32
// O3: st\.global\.v4\.f32
// O3: ld\.global\.v2\.f64
// O3: st\.global\.v2\.f64
// O3: ld\.global\.(u64|v2\.f32)
// O0: ld\.v4\.f32
// O0: st\.v4\.f32
// never: ld\.local
struct both {
    float4 a, b;
};
__global__ void copies(float4 *x, double2 *y, int2 *z, both *all, double4 *d)
{
    int i = threadIdx.x;
    x[i] = x[i + 32];
    y[i] = y[i + 32];
    z[i] = z[i + 32];
    all[i] = all[i + 32];
    d[i] = d[i + 32];
}
__global__ void members(float4 *x, float2 *y, uchar4 *c)
{
    float4 a = x[threadIdx.x];
    a.x += a.y * a.z + a.w;
    x[threadIdx.x] = a;
    y[threadIdx.x] = make_float2(a.x, a.y);
    c[threadIdx.x] = make_uchar4(1, 2, 3, c[0].w);
}
static_assert(sizeof(float3) == 12 && sizeof(float4) == 16 && alignof(float4) == 16, "");
static_assert(alignof(double2) == 16 && sizeof(double4) == 32 && alignof(char4) == 4 && alignof(float3) == 4, "");
int main()
{
    float4 a = {1, 2, 3, 4}, b;
    b = a;
    union {
        float4 whole;
        float part[4];
    } u;
    u.whole = b;
    return (int)u.part[2] + make_int3(1, 2, 3).z;
}
