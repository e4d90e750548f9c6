/* types.cu: the vector types have CUDA's sizes and alignments, in both images. */
#include "expect.h"

#include <cuda_runtime.h>
#include <math_constants.h>
#include <vector_types.h>

#define SIZES(name, T, a2, a4)                                                                     \
    static_assert(sizeof(name##1) == sizeof(T) && alignof(name##1) == alignof(T), "");             \
    static_assert(sizeof(name##2) == 2 * sizeof(T) && alignof(name##2) == a2, "");                 \
    static_assert(sizeof(name##3) == 3 * sizeof(T) && alignof(name##3) == alignof(T), "");         \
    static_assert(sizeof(name##4) == 4 * sizeof(T) && alignof(name##4) == a4, "")

SIZES(char, signed char, 2, 4);
SIZES(uchar, unsigned char, 2, 4);
SIZES(short, short, 4, 8);
SIZES(ushort, unsigned short, 4, 8);
SIZES(int, int, 8, 16);
SIZES(uint, unsigned int, 8, 16);
SIZES(float, float, 8, 16);
SIZES(long, long, 16, 16);
SIZES(ulong, unsigned long, 16, 16);
SIZES(longlong, long long, 16, 16);
SIZES(ulonglong, unsigned long long, 16, 16);
SIZES(double, double, 16, 16);
static_assert(sizeof(dim3) == 12 && alignof(dim3) == 4, "");

struct __align__(32) aligned
{
    float values[3];
};
static_assert(sizeof(aligned) == 32, "");

__host__ __device__ static float length2(float3 v)
{
    return v.x * v.x + v.y * v.y + v.z * v.z;
}

__global__ void __launch_bounds__(64, 2) swap(float4 *__restrict__ v, const int2 *__restrict__ at)
{
    float4 first = v[at->x];
    v[at->x] = v[at->y];
    v[at->y] = first;
    v[2] = make_float4(length2(make_float3(1, 2, 2)), 0, 0, CUDART_PI_F);
}

int main()
{
    float4 host[3] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {}}, *device;
    int2 host_at = make_int2(0, 1), *at;
    EXPECT(length2(make_float3(0, 3, 4)) == 25);
    uchar4 c = make_uchar4(1, 2, 3, 255);
    EXPECT(c.w == 255 && make_longlong2(1, 2).y == 2 && make_double4(1, 2, 3, 4).z == 3);
    dim3 shape(7, 8);
    dim3 copy = shape;
    EXPECT(copy.x == 7 && copy.y == 8 && copy.z == 1);
    EXPECT_OK(cudaMalloc(&device, sizeof host));
    EXPECT_OK(cudaMalloc(&at, sizeof host_at));
    EXPECT_OK(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice));
    EXPECT_OK(cudaMemcpy(at, &host_at, sizeof host_at, cudaMemcpyHostToDevice));
    swap<<<1, 1>>>(device, at);
    EXPECT_OK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
    EXPECT(host[0].w == 8 && host[1].x == 1 && host[2].x == 9 && host[2].w > 3.14f);
    EXPECT_OK(cudaFree(device));
    EXPECT_OK(cudaFree(at));
    return expect_result();
}
