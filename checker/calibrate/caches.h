/* caches.h: what one SM loads from its L1 and stores to the L2, and what the L2 delivers. All data
 * fits in the L2. */
#ifndef CACHES_H
#define CACHES_H

#include "common.h"

enum { WORDS = 4 * K }; /* 16 KB: in every L1 */

/* Loads words of an array that is in the L1. Each thread begins where `start` says. */
static __global__ void __launch_bounds__(BLOCK)
    load(const float *word, const int *start, float *out, int steps)
{
    int at = start[threadIdx.x];
    float sum = 0;
#pragma unroll 8
    for (int i = 0; i < steps; i++)
        sum += word[(at + 32 * i) & (WORDS - 1)];
    if (sum < 0) *out = sum;
}

/* Stores one word for each thread and step, `apart` words from that of the neighbour. */
static __global__ void __launch_bounds__(BLOCK)
    store(float *word, unsigned mask, unsigned apart, int steps)
{
    unsigned i = (blockIdx.x * blockDim.x + threadIdx.x) * apart;
    for (int k = 0; k < steps; k++)
        word[i + k * 32 * apart & mask] = 1;
}

/* Every block reads all slices of an array, one after another and in another order than its
 * neighbours: one SM may run neighbouring blocks, and must not find their slices in its L1. */
static __global__ void read(const float4 *a, float *out, int slices, int steps)
{
    enum { THREADS = 256, EACH = 4 };
    float sum = 0;
    for (int k = 0; k < steps; k++) {
        const float4 *slice = a + (size_t)((blockIdx.x + 43 * k) % slices) * THREADS * EACH;
#pragma unroll
        for (int j = 0; j < EACH; j++) {
            float4 v = slice[j * THREADS + threadIdx.x];
            sum += v.x + v.y + v.z + v.w;
        }
    }
    if (sum < 0) *out = sum;
}

/* A number that looks random */
static unsigned scatter(unsigned i)
{
    unsigned x = i * 0x9e3779b1u;
    x ^= x >> 15;
    x *= 0x85ebca77u;
    return x ^ x >> 13;
}

/* Clocks that the L1 needs for a load of a warp, whose lanes begin at these words. */
static double load_clocks(const struct gpu *gpu, const char *what, const int host[BLOCK])
{
    int blocks = blocks_on_sms(gpu), steps = steps_of(gpu, 512, 16);
    float *word = (float *)device_array(WORDS * sizeof *word);
    float *out = (float *)device_array(sizeof *out);
    int *start = (int *)device_array(BLOCK * sizeof *start);
    check(cudaMemcpy(start, host, BLOCK * sizeof *start, cudaMemcpyHostToDevice), "copying");
    double ns = slope(gpu, what, steps, 3 * steps,
                      [&](double count) { load<<<blocks, BLOCK>>>(word, start, out, (int)count); });
    check(cudaFree(word), "freeing memory");
    check(cudaFree(out), "freeing memory");
    check(cudaFree(start), "freeing memory");
    return ns * gpu->clock_ghz / (BLOCK / WARP);
}

/* The lines that the 32 lanes of a warp touch; the mean over the warps of a block. */
static double lines_of(const int start[BLOCK])
{
    int lines = 0;
    for (int i = 0; i < BLOCK; i++) {
        int first = i / WARP * WARP, j = first;
        while (start[j] / 32 != start[i] / 32)
            j++;
        lines += j == i;
    }
    return lines / (double)(BLOCK / WARP);
}

/* tags_per_clock: the lanes' words are anywhere in the L1, so that only their lines count. */
static void measure_loads(struct gpu *gpu)
{
    int random[BLOCK];
    for (int i = 0; i < BLOCK; i++)
        random[i] = (int)(scatter((unsigned)i) % WORDS);
    double random_clocks = load_clocks(gpu, "loads anywhere in the L1", random);
    measured("tags_per_clock", lines_of(random) / random_clocks);
}

/* Clocks of one SM for a store of a warp, when all SMs store. */
static double store_clocks(const struct gpu *gpu, const char *what, unsigned apart)
{
    const unsigned words = words_in_l2(gpu);
    int blocks = (int)gpu->sms, threads = gpu->small ? 128 : BLOCK, steps = steps_of(gpu, 256, 16);
    float *word = (float *)device_array(words * sizeof *word);
    double ns = slope(gpu, what, steps, 3 * steps, [&](double count) {
        store<<<blocks, threads>>>(word, words - 1, apart, (int)count);
    });
    check(cudaFree(word), "freeing memory");
    return ns * gpu->sms * gpu->clock_ghz / (blocks * threads / WARP);
}

/* store_sector_clocks, store_line_clocks: stores 8 words apart touch 32 sectors of 8 lines, stores
 * 32 words apart 32 sectors of 32 lines. */
static void measure_stores(struct gpu *gpu)
{
    double some = store_clocks(gpu, "stores 8 words apart", 8);
    double all = store_clocks(gpu, "stores 32 words apart", 32);
    store_clocks(gpu, "stores side by side", 1);
    double line = measured("store_line_clocks", (all - some) / (32 - 8));
    measured("store_sector_clocks", (some - 8 * line) / 32);
}

/* l2_gbs: the bytes that all SMs read from an array of a quarter of the L2, per ns. */
static void measure_l2(struct gpu *gpu)
{
    enum { SLICE = 256 * 4 * sizeof(float4) };
    int slices = (int)(gpu->l2_bytes / 4 / SLICE);
    int blocks = 8 * (int)gpu->sms, steps = steps_of(gpu, 64, 2);
    float4 *a = (float4 *)device_array((size_t)slices * SLICE);
    float *out = (float *)device_array(sizeof *out);
    double ns = slope(gpu, "reads from the L2", steps, 3 * steps,
                      [&](double count) { read<<<blocks, 256>>>(a, out, slices, (int)count); });
    check(cudaFree(a), "freeing memory");
    check(cudaFree(out), "freeing memory");
    gpu->l2_gbs = measured("l2_gbs", (double)blocks * SLICE / ns);
}

static void measure_caches(struct gpu *gpu)
{
    measure_loads(gpu);
    measure_stores(gpu);
    measure_l2(gpu);
}

#endif
