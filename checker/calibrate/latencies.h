/* latencies.h: the clock, and how long one thread waits for memory. */
#ifndef LATENCIES_H
#define LATENCIES_H

#include "common.h"

enum { LINE = 128 };

/* A chain of multiply-adds, each of which needs the result of the one before. */
static __global__ void chain(float *out, float x, int steps)
{
    float y = threadIdx.x;
#pragma unroll 16
    for (int i = 0; i < steps; i += 4) {
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

/* One thread adds a x to y, again and again. */
static __global__ void axpy_alone(int laps, int n, float a, const float *x, float *y)
{
    for (int lap = 0; lap < laps; lap++)
        for (int i = 0; i < n; i++)
            y[i] = a * x[i] + y[i];
}

static __global__ void axpy_by_block(int n, float a, const float *x, float *y)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        y[i] = a * x[i] + y[i];
}

/* The time of one element of axpy by one thread, when the L1 holds x and y. */
static double element_ns(const struct gpu *gpu)
{
    enum { COUNT = 1 * K };
    float *x = (float *)device_array(COUNT * sizeof *x),
          *y = (float *)device_array(COUNT * sizeof *y);
    int few = steps_of(gpu, 16, 4);
    double lap_ns = slope(gpu, "axpy by one thread, from the L1", few, 3 * few,
                          [&](double laps) { axpy_alone<<<1, 1>>>((int)laps, COUNT, 0.5f, x, y); });
    check(cudaFree(x), "freeing memory");
    check(cudaFree(y), "freeing memory");
    return lap_ns / COUNT;
}

/* The time of a round of axpy by one block of 512 threads, when memory holds x and y. Each launch
 * uses other elements, because the L2 has those of the last one. */
static double round_ns(const struct gpu *gpu)
{
    enum { THREADS = 512 };
    size_t count = gpu->small ? 24 * M : 128 * M, at = 0;
    int rounds = steps_of(gpu, 8 * K, 512);
    float *x = (float *)device_array(count * sizeof *x),
          *y = (float *)device_array(count * sizeof *y);
    double ns = slope(gpu, "axpy by one block, from memory", rounds, 3 * rounds, [&](double some) {
        int n = (int)some * THREADS;
        if (at + n > count) at = 0;
        axpy_by_block<<<1, THREADS>>>(n, 0.5f, x + at, y + at);
        at += n;
    });
    check(cudaFree(x), "freeing memory");
    check(cudaFree(y), "freeing memory");
    return ns;
}

/*
 * l1_latency_ns, l2_latency_ns: a load of a chain through 16 KB, and through more than an L1 holds.
 * step_ns: what an element of axpy takes beyond its load from the L1. The model adds the clocks of
 * its instructions. dram_latency_ns: what a round of axpy takes longer from memory than from the
 * L1. A pointer chase through memory would be slower: the lanes of a block load whole pages.
 */
static void measure_latencies(struct gpu *gpu)
{
    enum { INSTRUCTION_CLOCKS = 3 };
    gpu->l1_latency_ns = measured("l1_latency_ns", chase_ns(gpu, "chase through 16 KB", 16 * K));
    gpu->l2_latency_ns =
        measured("l2_latency_ns", chase_ns(gpu, "chase through the L2", gpu->small ? M : 4 * M));
    double element = element_ns(gpu);
    double rest = element - gpu->l1_latency_ns - INSTRUCTION_CLOCKS / gpu->clock_ghz;
    gpu->step_ns = measured("step_ns", fmax(rest, 1 / gpu->clock_ghz)); /* at least a clock */
    measured("dram_latency_ns", round_ns(gpu) - element + gpu->l1_latency_ns);
}

#endif
