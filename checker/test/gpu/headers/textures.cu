// Textures and surfaces.
// both: tex\.1d\.v4\.f32\.s32
// both: tex\.2d\.v4\.u32\.f32
// both: suld\.b\.2d\.v4\.b32\.trap
// both: suld\.b\.1d\.b8\.clamp
// both: sust\.b\.2d\.b32\.zero
__global__ void reads(cudaTextureObject_t t, cudaSurfaceObject_t s, float *f, uchar4 *c, float4 *v)
{
    f[0] = tex1Dfetch<float>(t, 3);
    c[0] = tex2D<uchar4>(t, 0.5f, 1.5f);
    v[0] = surf2Dread<float4>(s, 16, 2);
    c[1].x = surf1Dread<unsigned char>(s, 3, cudaBoundaryModeClamp);
    surf2Dwrite(f[1], s, 4, 5, cudaBoundaryModeZero);
}
int main()
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float4>();
    return format.w;
}
