/*
 * versions.cu: counts threads, blocks and copies of variables for the quiz. Each line that it
 * prints is a name and a number; a question's answer refers to the name.
 */
#include <cuda_runtime.h>

#include <stdio.h>

#define TILE 32

/* Every thread has its own i, k and w; every block has its own s and t. */
__global__ void blend(const float *a, float *b)
{
    __shared__ float s;
    __shared__ float t[96];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float w[3];
    for (int k = 0; k < 3; k++)
        w[k] = a[k * gridDim.x * blockDim.x + i];
    if (threadIdx.x == 0) s = w[0];
    t[threadIdx.x] = w[1];
    __syncthreads();
    b[i] = 2 * w[2] + 3 * t[95 - threadIdx.x] + 5 * s;
}

/* Counts the threads, the blocks, and the threads that have an element of n. */
__global__ void count(int n, unsigned *threads, unsigned *blocks, unsigned *busy)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(threads, 1u);
    if (threadIdx.x == 0) atomicAdd(blocks, 1u);
    if (i < n) atomicAdd(busy, 1u);
}

/* The global index of one thread. */
__global__ void index_of(unsigned block, unsigned thread, unsigned *index)
{
    if (blockIdx.x == block && threadIdx.x == thread)
        *index = blockIdx.x * blockDim.x + threadIdx.x;
}

/* Counts how often a product without tiles loads M[0]. */
__global__ void reads_of_first(int n, unsigned *reads)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < n; k++)
        if (row * n + k == 0 && column < n) atomicAdd(reads, 1u);
}

/* Tiles: each block that needs M[0] loads it once. */
__global__ void tiled_reads_of_first(int n, unsigned *reads)
{
    int row = blockIdx.y * TILE + threadIdx.y;
    for (int tile = 0; tile < n / TILE; tile++)
        if (row * n + tile * TILE + (int)threadIdx.x == 0) atomicAdd(reads, 1u);
}

/* Counts how often y = A x loads x[0], with one thread per row. */
__global__ void reads_of_x(int m, int n, unsigned *reads)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    for (int j = 0; j < n; j++)
        if (row < m && j == 0) atomicAdd(reads, 1u);
}

static unsigned take(unsigned *counter)
{
    unsigned value;
    cudaMemcpy(&value, counter, sizeof value, cudaMemcpyDeviceToHost);
    cudaMemset(counter, 0, sizeof value);
    return value;
}

int main(void)
{
    unsigned *threads, *blocks, *busy;
    float *a, *b;
    cudaMalloc((void **)&threads, sizeof *threads);
    cudaMalloc((void **)&blocks, sizeof *blocks);
    cudaMalloc((void **)&busy, sizeof *busy);
    cudaMalloc((void **)&a, 3 * 40 * 96 * sizeof *a);
    cudaMalloc((void **)&b, 40 * 96 * sizeof *b);
    cudaMemset(a, 0, 3 * 40 * 96 * sizeof *a);
    cudaMemset(threads, 0, sizeof *threads);
    cudaMemset(blocks, 0, sizeof *blocks);
    cudaMemset(busy, 0, sizeof *busy);

    count<<<40, 256>>>(0, threads, blocks, busy);
    printf("launched %u\n", take(threads));
    take(blocks);
    count<<<1000, 512>>>(0, threads, blocks, busy);
    printf("local_versions %u\n", take(threads));
    take(blocks);
    count<<<(1000 + 255) / 256, 256>>>(1000, threads, blocks, busy);
    unsigned all = take(threads);
    printf("idle %u\n", all - take(busy));
    printf("blocks_for_1000 %u\n", take(blocks));
    count<<<1000 / 256, 256>>>(1000, threads, blocks, busy);
    printf("left_out %u\n", 1000 - take(busy));
    take(threads);
    take(blocks);
    index_of<<<8, 128>>>(3, 7, busy);
    printf("index %u\n", take(busy));

    blend<<<40, 96>>>(a, b);
    count<<<40, 96>>>(0, threads, blocks, busy);
    printf("blend_threads %u\n", take(threads));
    take(blocks);

    reads_of_first<<<dim3(4, 4), dim3(TILE, TILE)>>>(128, busy);
    printf("reads_128 %u\n", take(busy));
    tiled_reads_of_first<<<dim3(4, 4), dim3(TILE, TILE)>>>(128, busy);
    printf("tiled_reads_128 %u\n", take(busy));
    reads_of_x<<<4096 / 256, 256>>>(4096, 8192, busy);
    printf("reads_of_x %u\n", take(busy));

    cudaFree(threads);
    cudaFree(blocks);
    cudaFree(busy);
    cudaFree(a);
    cudaFree(b);
    return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
