/*
 * layout.cu: sizes, alignments and occupancies for the quiz. Each line that it prints is a name and
 * a number.
 */
#include <cuda_runtime.h>

#include <stdio.h>

#define WIDE 1000 /* a product of WIDE x WIDE matrices, in tiles of 32 */

struct mixed {
    char flag;
    double weight;
    int count;
};

struct sorted {
    double weight;
    int count;
    char flag;
};

struct __align__(16) point
{
    float x, y, z;
};

__global__ void holds_32_kb(float *out)
{
    __shared__ float tile[32 * 1024 / sizeof(float)];
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x ^ 1];
}

__global__ void holds_nothing(float *out)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = 0;
}

static int blocks_per_sm(void (*kernel)(float *), int threads)
{
    int blocks = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, 0);
    return blocks;
}

int main(void)
{
    cudaDeviceProp gpu;
    cudaGetDeviceProperties(&gpu, 0);
    const int ours[2][3] = {{1, 2, 3}, {4, 5, 6}};
    dim3 block(32, 32), grid((WIDE + block.x - 1) / block.x, (WIDE + block.y - 1) / block.y);
    printf("mixed %zu\n", sizeof(struct mixed));
    printf("sorted %zu\n", sizeof(struct sorted));
    printf("point %zu\n", sizeof(struct point));
    printf("constant_kb %zu\n", gpu.totalConstMem / 1024);
    printf("warps_of_100 %d\n", (100 + gpu.warpSize - 1) / gpu.warpSize);
    printf("by_columns %d\n", (&ours[0][0])[1 * 3 + 1]); /* column 1 begins after 3 numbers */
    printf("two_tiles %zu\n", 2 * 32 * 32 * sizeof(float));
    printf("grid_blocks %u\n", grid.x * grid.y * grid.z);
    printf("blocks_of_32_kb %d\n", blocks_per_sm(holds_32_kb, 256));
    printf("threads_in_blocks_of_32 %d\n", 32 * blocks_per_sm(holds_nothing, 32));
    return 0;
}
