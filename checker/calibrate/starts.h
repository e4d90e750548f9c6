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

/* The time of one block of empty kernels. A block takes all shared memory of an SM, so that no
 * other block runs there at the same time. */
static double empty_block_ns(const struct gpu *gpu, const char *what, int warps)
{
    int blocks = (int)gpu->sms * steps_of(gpu, 256, 8), shared = 0;
    check(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0),
          "reading the device properties");
    check(cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, shared),
          "asking for shared memory");
    return slope(gpu, what, blocks, 3 * blocks,
                 [&](double count) { nothing<<<(int)count, WARP * warps, shared>>>(); });
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

static const double WARP_START_NS = 0.039; /* of an H200 */

/* block_start_ns: a copy in the L2 by blocks of one warp, which take no longer than their start.
 * warp_start_ns: where blocks are large, their overheads hide it. */
static void measure_block_start(struct gpu *gpu)
{
    gpu->block_start_ns =
        measured("block_start_ns", copying_block_ns(gpu, "copy by blocks of 32", 1));
    figure("warp_start_ns", WARP_START_NS, "estimate: as on an H200");
}

/* warp_overhead_ns: if an SM runs one block at a time, an empty block of w warps takes
 * block_overhead + w warp_overhead until the next one starts. block_overhead_ns: those blocks take
 * all shared memory, which other blocks need not wait for. So it is that of blocks which copy: what
 * these take longer than their load, the start of their warps, and what the L2 needs for their
 * bytes. */
static void measure_overheads(struct gpu *gpu)
{
    enum { MOST = BLOCK / WARP };
    double one = gpu->sms * empty_block_ns(gpu, "empty blocks of 32, alone", 1);
    double most = gpu->sms * empty_block_ns(gpu, "empty blocks of 1024, alone", MOST);
    gpu->warp_overhead_ns =
        measured("warp_overhead_ns", fmax((most - one) / (MOST - 1), 1 / gpu->clock_ghz));
    double block = copying_block_ns(gpu, "copy by blocks of 1024", MOST);
    double at_a_time = gpu->sms * floor(gpu->properties.maxThreadsPerMultiProcessor / BLOCK);
    double own = without(block, MOST * WARP_START_NS);
    double slot = at_a_time * without(own, 2 * BLOCK * sizeof(float) / gpu->l2_gbs);
    double overhead =
        slot - gpu->l2_latency_ns - 2 * gpu->load_issue_ns - MOST * gpu->warp_overhead_ns;
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
    double overhead = gpu->block_overhead_ns + gpu->warp_overhead_ns;
    measured("kernel_start_ns", ns - fmin(overhead, ns / 2)); /* the overhead is not most of it */
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
    measure_overheads(gpu);
    measure_kernel_start(gpu);
    measure_barriers(gpu);
}

#endif
