/* members.cu: which accesses to members x, y … are put together, as nvcc does it: those of CUDA's
 * vectors, and of no structure that only looks like one. One kernel a case (sim_engine.bats). */
#include <cuda_runtime.h>

struct point {
    float x, y, z;
};

__global__ void own(const point *from, point *to)
{
    int i = threadIdx.x;
    to[i].x = from[i].x;
    to[i].y = from[i].y;
    to[i].z = from[i].z;
}

__global__ void quadruples(const float4 *from, float4 *to)
{
    int i = threadIdx.x;
    to[i].x = from[i].x;
    to[i].y = from[i].y;
    to[i].z = from[i].z;
    to[i].w = from[i].w;
}

/* A pair that stands beside another one is not its half. */
__global__ void pairs(const float2 *from, float2 *to)
{
    int i = 2 * threadIdx.x;
    to[i].x = from[i].x;
    to[i].y = from[i].y;
    to[i + 1].x = from[i + 1].x;
    to[i + 1].y = from[i + 1].y;
}

/* One line names members of both. */
__global__ void both(const float4 *from, point *to)
{
    int i = threadIdx.x;
    to[i].x = from[i].x;
    to[i].y = from[i].y;
    to[i].z = from[i].z;
}

/* One line in a template is of the one here, of the other there. */
template <class T> __device__ void copy_of(const T &from, T &to)
{
    to.x = from.x;
    to.y = from.y;
}

__global__ void templates(const float4 *vectors, float4 *to, const point *points, point *others)
{
    __shared__ float4 shared[32];
    int i = threadIdx.x;
    copy_of(vectors[i], shared[i]);
    copy_of(shared[i], to[i]);
    copy_of(points[i], others[i]);
}

int main()
{
    void *from, *to, *others;
    cudaMalloc(&from, 64 * sizeof(float4));
    cudaMalloc(&to, 64 * sizeof(float4));
    cudaMalloc(&others, 64 * sizeof(float4));
    cudaMemset(from, 0, 64 * sizeof(float4));
    own<<<1, 32>>>((point *)from, (point *)to);
    quadruples<<<1, 32>>>((float4 *)from, (float4 *)to);
    pairs<<<1, 32>>>((float2 *)from, (float2 *)to);
    both<<<1, 32>>>((float4 *)from, (point *)to);
    templates<<<1, 32>>>((float4 *)from, (float4 *)to, (point *)from, (point *)others);
    cudaDeviceSynchronize();
    cudaFree(from);
    cudaFree(to);
    cudaFree(others);
    return 0;
}
