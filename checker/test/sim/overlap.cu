/*
 * overlap.cu: a block of two warps adds up 16 tiles of 64 floats, in each of the ways to get a tile
 * into shared memory: of which do the loads overlap with the adding? A kernel a way, in this order;
 * the trace tells for each how many of its 4096 loaded bytes do.
 */
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

enum { TILES = 16, TILE = 64 };

__device__ float add(const float *tile)
{
    return tile[threadIdx.x] + tile[TILE - 1 - threadIdx.x];
}

/* Load, store, wait, add, wait: one buffer. */
__global__ void one_buffer(const float *x, float *y)
{
    __shared__ float tile[TILE];
    float sum = 0;
    for (int i = 0; i < TILES; i++) {
        tile[threadIdx.x] = x[i * TILE + threadIdx.x];
        __syncthreads();
        sum += add(tile);
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

/* Two buffers, but what is loaded is stored, and so waited for, before the adding. */
__global__ void two_buffers(const float *x, float *y)
{
    __shared__ float tile[2][TILE];
    float sum = 0;
    tile[0][threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    for (int i = 0; i < TILES; i++) {
        if (i + 1 < TILES) tile[(i + 1) % 2][threadIdx.x] = x[(i + 1) * TILE + threadIdx.x];
        sum += add(tile[i % 2]);
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

/* The next tile waits in a register while this one is added; one buffer will do. */
__global__ void in_a_register(const float *x, float *y)
{
    __shared__ float tile[TILE];
    float sum = 0, next = x[threadIdx.x];
    for (int i = 0; i < TILES; i++) {
        tile[threadIdx.x] = next;
        __syncthreads();
        if (i + 1 < TILES) next = x[(i + 1) * TILE + threadIdx.x];
        sum += add(tile);
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

/* Asynchronous copies into a ring of four buffers, `ahead` tiles before they are needed; with 0,
 * each is awaited as soon as it was asked for. */
template <int ahead> __global__ void copies(const float *x, float *y)
{
    __shared__ float tile[4][TILE];
    float sum = 0;
    for (int i = -ahead; i < TILES; i++) {
        int next = i + ahead;
        if (next < TILES)
            __pipeline_memcpy_async(&tile[next % 4][threadIdx.x], &x[next * TILE + threadIdx.x], 4);
        __pipeline_commit();
        if (i < 0) continue;
        __pipeline_wait_prior(ahead);
        __syncthreads();
        sum += add(tile[i % 4]);
    }
    y[threadIdx.x] = sum;
}

/* One warp fetches for the next step, the other one adds. */
__global__ void fetcher(const float *x, float *y)
{
    __shared__ float tile[2][TILE];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float sum = 0;
    for (int i = -1; i < TILES; i++) {
        for (unsigned j = lane; j < TILE && warp == 0 && i + 1 < TILES; j += 32)
            tile[(i + 1) % 2][j] = x[(i + 1) * TILE + j];
        if (warp == 1 && i >= 0) sum += tile[i % 2][lane] + tile[i % 2][32 + lane];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

/* Values that come from registers alone are not in flight to shared memory. */
__global__ void from_registers(const float *x, float *y)
{
    __shared__ float tile[TILE];
    float sum = 0;
    for (int i = 0; i < TILES; i += 2) {
        tile[threadIdx.x] = x[i * TILE + threadIdx.x];
        __syncthreads();
        sum += x[(i + 1) * TILE + threadIdx.x] * add(tile);
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

int main(void)
{
    float *x, *y;
    cudaMalloc(&x, TILES * TILE * sizeof(float));
    cudaMalloc(&y, TILE * sizeof(float));
    cudaMemset(x, 0, TILES * TILE * sizeof(float));
    one_buffer<<<1, TILE>>>(x, y);
    two_buffers<<<1, TILE>>>(x, y);
    in_a_register<<<1, TILE>>>(x, y);
    copies<0><<<1, TILE>>>(x, y);
    copies<1><<<1, TILE>>>(x, y);
    copies<2><<<1, TILE>>>(x, y);
    fetcher<<<1, TILE>>>(x, y);
    from_registers<<<1, TILE>>>(x, y);
    cudaFree(x);
    cudaFree(y);
    return cudaDeviceSynchronize();
}
