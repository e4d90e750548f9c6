/* starts.h: what kernels, blocks, warps and barriers cost that do nothing else. */
#ifndef STARTS_H
#define STARTS_H

#include "common.h"

static __global__ void nothing()
{
}

/* Every block copies to the same elements: the L2 holds them. */
static __global__ void copy_in_l2(const float *a, float *b, int mask)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) & mask;
    b[i] = a[i];
}

static __global__ void barriers(int steps)
{
    for (int i = 0; i < steps; i += 4) {
        __syncthreads();
        __syncthreads();
        __syncthreads();
        __syncthreads();
    }
}

/* The time of one block of a copy in the L2, if the SMs hold as many blocks as they can. */
static double copying_block_ns(const struct gpu *gpu, const char *what, int warps)
{
    enum { COUNT = 64 * K };
    int blocks = steps_of(gpu, 128 * K, 4 * K);
    float *a = (float *)device_array(COUNT * sizeof *a),
          *b = (float *)device_array(COUNT * sizeof *b);
    double ns = slope(gpu, what, blocks, 3 * blocks, [&](double count) {
        copy_in_l2<<<(int)count, WARP * warps>>>(a, b, COUNT - 1);
    });
    check(cudaFree(a), "freeing memory");
    check(cudaFree(b), "freeing memory");
    return ns;
}

/* block_start_ns: a copy in the L2 by blocks of one warp, which take no longer than their start. */
static void measure_block_start(struct gpu *gpu)
{
    gpu->block_start_ns =
        measured("block_start_ns", copying_block_ns(gpu, "copy by blocks of 32", 1));
}

/* block_overhead_ns: what blocks that copy take longer than their load, and what the L2 needs for
 * their bytes. */
static void measure_overhead(struct gpu *gpu)
{
    double block = copying_block_ns(gpu, "copy by blocks of 1024", BLOCK / WARP);
    double at_a_time = gpu->sms * floor(gpu->properties.maxThreadsPerMultiProcessor / BLOCK);
    double slot = at_a_time * without(block, 2 * BLOCK * sizeof(float) / gpu->l2_gbs);
    double overhead = slot - gpu->l2_latency_ns - 2 * gpu->load_issue_ns;
    gpu->block_overhead_ns = measured("block_overhead_ns", fmax(overhead, 1 / gpu->clock_ghz));
}

/* kernel_start_ns: how much longer the GPU works for each of many empty kernels in a row, which are
 * already launched. The overhead of its one block is not part of the figure. */
static void measure_kernel_start(struct gpu *gpu)
{
    double ns = slope(gpu, "empty kernels in a row", 8, 72, [&](double count) {
        for (int i = 0; i < (int)count; i++)
            nothing<<<1, WARP>>>();
    });
    measured("kernel_start_ns",
             ns - fmin(gpu->block_overhead_ns, ns / 2)); /* the overhead is not most of it */
}

/* barrier_ns: barriers of a block of one warp. */
static void measure_barriers(struct gpu *gpu)
{
    int few = steps_of(gpu, 16 * K, 512);
    double alone = slope(gpu, "barriers of one warp", few, 3 * few,
                         [&](double steps) { barriers<<<1, WARP>>>((int)steps); });
    gpu->barrier_ns = measured("barrier_ns", alone);
}

static void measure_starts(struct gpu *gpu)
{
    measure_block_start(gpu);
    measure_overhead(gpu);
    measure_kernel_start(gpu);
    measure_barriers(gpu);
}

#endif
