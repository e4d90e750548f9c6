/* memory.h: the rates of device memory. The arrays are larger than the L2. */
#ifndef MEMORY_H
#define MEMORY_H

#include "common.h"

enum { THREADS = 256 };

static __global__ void axpy_float4(float a, const float4 *x, float4 *y)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float4 u = x[i], v = y[i];
    v.x += a * u.x;
    v.y += a * u.y;
    v.z += a * u.z;
    v.w += a * u.w;
    y[i] = v;
}

/* Device memory, of which each launch uses a part that the L2 does not hold any more. */
struct pool {
    char *base;
    size_t bytes, at;
};

static struct pool pool_make(const struct gpu *gpu)
{
    size_t unused = 0, all = 0,
           most = gpu->small ? 128 * M + 2 * (size_t)gpu->l2_bytes : 8ul * K * M;
    check(cudaMemGetInfo(&unused, &all), "reading the free memory");
    struct pool pool = {NULL, unused / 2 < most ? unused / 2 : most, 0};
    if (pool.bytes < 2 * (size_t)gpu->l2_bytes)
        check(cudaErrorMemoryAllocation, "most of the GPU's memory is in use");
    pool.bytes &= ~(size_t)(M - 1);
    pool.base = (char *)device_array(pool.bytes);
    return pool;
}

static void *pool_take(struct pool *pool, size_t bytes)
{
    if (pool->at + bytes > pool->bytes) pool->at = 0;
    pool->at += bytes;
    return pool->base + pool->at - bytes;
}

/* copy_gbs: copies within the GPU, read plus written. */
static void measure_copy(const struct gpu *gpu, struct pool *pool)
{
    double bytes = gpu->small ? 4 * M : (double)(pool->bytes / 6 & ~(size_t)255);
    double ns = slope(gpu, "copies within the GPU", bytes, 3 * bytes, [&](double all) {
        check(cudaMemcpyAsync(pool->base + pool->bytes / 2, pool->base, (size_t)all,
                              cudaMemcpyDeviceToDevice),
              "copying");
    });
    measured("copy_gbs", 2 / ns);
}

/* stream_gbs: axpy with float4, two loads and a store. */
static void measure_stream(struct gpu *gpu, struct pool *pool)
{
    size_t bytes = gpu->small ? 4 * M : pool->bytes / 6 & ~(size_t)(M - 1);
    double ns = slope(gpu, "axpy with float4", (double)bytes, 3. * (double)bytes, [&](double all) {
        const float4 *x = (const float4 *)pool_take(pool, (size_t)all);
        float4 *y = (float4 *)pool_take(pool, (size_t)all);
        axpy_float4<<<(unsigned)(all / (THREADS * sizeof *x)), THREADS>>>(0.5f, x, y);
    });
    gpu->stream_gbs = measured("stream_gbs", 3 / ns);
}

static void measure_memory(struct gpu *gpu)
{
    struct pool pool = pool_make(gpu);
    measure_copy(gpu, &pool);
    measure_stream(gpu, &pool);
    check(cudaFree(pool.base), "freeing memory");
}

#endif
