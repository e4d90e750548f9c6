/* latencies.h: the clock, and how long one thread waits for memory. */
#ifndef LATENCIES_H
#define LATENCIES_H

#include "common.h"

enum { LINE = 128 };

/* A chain of multiply-adds, each of which needs the result of the one before. */
static __global__ void chain(float *out, float x, int steps)
{
    float y = threadIdx.x;
#pragma unroll 64
    for (int i = 0; i < steps; i += 4) { /* 256 to a branch, which takes some clocks */
        y = y * x + 0.5f;
        y = y * x + 0.5f;
        y = y * x + 0.5f;
        y = y * x + 0.5f;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = y;
}

/* clock_ghz: a step of the chain takes 4 clocks on every GPU since Volta. All SMs work, so this is
 * the clock under load. */
static void measure_clock(struct gpu *gpu)
{
    enum { CLOCKS = 4 };
    int blocks = blocks_on_sms(gpu);
    float *out = (float *)device_array((size_t)blocks * WARP * sizeof *out);
    int few = steps_of(gpu, 128 * K, 16 * K);
    for (int i = 0; i < steps_of(gpu, 1000, 0);
         i++) /* half a second, until the clock is at its highest */
        chain<<<blocks, WARP>>>(out, 0.5f, 256 * K);
    double step_ns = slope(gpu, "multiply-adds, one warp per SM", few, 3 * few,
                           [&](double steps) { chain<<<blocks, WARP>>>(out, 0.5f, (int)steps); });
    check(cudaFree(out), "freeing memory");
    gpu->clock_ghz = measured("clock_ghz", CLOCKS / step_ns);
}

/* Each load returns the address of the next one. */
static __global__ void chase(void **start, int steps)
{
    void **at = start;
    for (int i = 0; i < steps; i++)
        at = (void **)*at;
    *start = at == NULL ? NULL : *start; /* at is never NULL, but nvcc does not know this */
}

/* An array whose lines point to each other in a random cycle. */
static void **cycle(size_t bytes)
{
    size_t count = bytes / LINE, words = LINE / sizeof(void *);
    void **device = (void **)device_array(bytes), **host = (void **)calloc(bytes, 1);
    size_t *order = (size_t *)malloc(count * sizeof *order);
    unsigned random = 1;
    if (host == NULL || order == NULL) exit(2);
    for (size_t i = 0; i < count; i++)
        order[i] = i;
    for (size_t i = count - 1; i > 0; i--) {
        random = random * 1664525u + 1013904223u;
        size_t j = (size_t)((unsigned long long)random * (i + 1) >> 32), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
    for (size_t i = 0; i < count; i++)
        host[order[i] * words] = device + order[(i + 1) % count] * words;
    check(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice), "copying");
    free(host);
    free(order);
    return device;
}

/* The time of one load in a chain of loads through an array of this size. */
static double chase_ns(const struct gpu *gpu, const char *what, size_t bytes)
{
    int few = steps_of(gpu, 64 * K, 2 * K);
    void **start = cycle(bytes);
    double ns =
        slope(gpu, what, few, 3 * few, [&](double count) { chase<<<1, 1>>>(start, (int)count); });
    check(cudaFree(start), "freeing memory");
    return ns;
}

static __global__ void axpy_alone(int n, float a, const float *x, float *y)
{
    for (int i = 0; i < n; i++)
        y[i] = a * x[i] + y[i];
}

static __global__ void axpy_by_block(int n, float a, const float *x, float *y)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        y[i] = a * x[i] + y[i];
}

/* The time of a round of axpy by one block, when memory holds x and y. Each launch uses other
 * elements, because the L2 has those of the last one. */
static double round_ns(const struct gpu *gpu, const char *what, int threads)
{
    size_t count = gpu->small ? 24 * M : 128 * M, at = 0;
    int rounds = threads > 1 ? steps_of(gpu, 8 * K, 512) : steps_of(gpu, 128 * K, 16 * K);
    float *x = (float *)device_array(count * sizeof *x),
          *y = (float *)device_array(count * sizeof *y);
    double ns = slope(gpu, what, rounds, 3 * rounds, [&](double some) {
        int n = (int)some * threads;
        if (at + n > count) at = 0;
        if (threads > 1)
            axpy_by_block<<<1, threads>>>(n, 0.5f, x + at, y + at);
        else
            axpy_alone<<<1, 1>>>(n, 0.5f, x + at, y + at);
        at += n;
    });
    check(cudaFree(x), "freeing memory");
    check(cudaFree(y), "freeing memory");
    return ns;
}

/*
 * l1_latency_ns, l2_latency_ns: a load of a chain through 16 KB, and through more than an L1 holds.
 *
 * dram_latency_ns: by axpy, because a pointer chase through memory would be slower:
 * the lanes of a block load whole pages. For the model, a round of one block takes
 *
 *     dram + step + instructions,
 *
 * and one of one thread l1 + step + instructions. One round in 8 misses the L1: every second time
 * the data comes from memory, else from the L2. Two equations: one for the step, which is
 * arithmetic, address and branch, and one for the latency.
 */
static void measure_latencies(struct gpu *gpu)
{
    enum {
        INSTRUCTION_CLOCKS = 3,
        MISSES = 16
    }; /* of 16 elements, one from memory, one from the L2 */
    double l1 = measured("l1_latency_ns", chase_ns(gpu, "chase through 16 KB", 16 * K));
    double l2 =
        measured("l2_latency_ns", chase_ns(gpu, "chase through the L2", gpu->small ? M : 4 * M));
    double instructions = INSTRUCTION_CLOCKS / gpu->clock_ghz;
    double block = round_ns(gpu, "axpy by one block, from memory", 512) - instructions;
    double thread = round_ns(gpu, "axpy by one thread, from memory", 1) - instructions;
    double step = (MISSES * (thread - l1) - block - l2 + 2 * l1) / (MISSES - 1);
    gpu->l1_latency_ns = l1;
    gpu->l2_latency_ns = l2;
    gpu->load_issue_ns = fmax(step, 1 / gpu->clock_ghz); /* at least a clock */
    measured("dram_latency_ns", block - gpu->load_issue_ns);
}

#endif
