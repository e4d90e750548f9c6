/*
 * latency.cu: how long does one load take? A single thread follows pointers: each load gives the
 * address of the next one, so no two loads overlap. Where the pointers are depends on how much
 * memory they fill: a few KB stay in the L1, a few MB in the L2.
 *
 *   nvcc -O3 -o latency latency.cu
 */
#include "demo.h"

enum { APART = 128, LINE = APART / sizeof(void *) }; /* bytes and pointers from one to the next */
enum { STEPS = 1 << 15, SHARED = 1024 };

__global__ void follow(void **from, int steps, void ***end)
{
    void **at = from;
    for (int step = 0; step < steps; step++)
        at = (void **)*at; /* one load waits for the one before */
    *end = at;
}

__global__ void follow_shared(int steps, int *end)
{
    __shared__ int next[SHARED];
    for (int i = 0; i < SHARED; i++)
        next[i] = (i + 33) % SHARED;
    int at = 0;
    for (int step = 0; step < steps; step++)
        at = next[at];
    *end = at;
}

/* Points each line to the next one, and the last one to the first. */
static void **make_ring(size_t bytes)
{
    size_t lines = bytes / APART;
    void **ring = demo_alloc<void *>(lines * LINE), **host = (void **)calloc(lines, APART);
    for (size_t i = 0; i < lines; i++)
        host[i * LINE] = ring + (i + 1) % lines * LINE;
    MUST(cudaMemcpy(ring, host, lines * APART, cudaMemcpyHostToDevice));
    free(host);
    return ring;
}

/* Nanoseconds per load. Each run begins where the one before ended: a large ring is never in a
 * cache. */
static double ns_of(size_t bytes)
{
    void **ring = make_ring(bytes), **at = ring, ***end = demo_alloc<void **>(1);
    double us = demo_us([&] {
        follow<<<1, 1>>>(at, STEPS, end);
        MUST(cudaMemcpyAsync(&at, end, sizeof at, cudaMemcpyDeviceToHost));
    });
    size_t place = (size_t)(at - ring), runs = simulated ? 2 : 11;
    demo_require(place == runs * STEPS % (bytes / APART) * LINE, "the place after all steps");
    MUST(cudaFree(end));
    MUST(cudaFree(ring));
    return 1e3 * us / STEPS;
}

int main()
{
    static const int kilobytes[] = {16, 64, 1024, 4096, 16384, 262144};
    int *end = demo_alloc<int>(1);
    demo_heading("latency");
    double few = demo_us([&] { follow_shared<<<1, 1>>>(1, end); });
    double many = demo_us([&] { follow_shared<<<1, 1>>>(1 + STEPS, end); });
    printf("     KB  ns per load\n");
    printf(" shared %12.1f\n", 1e3 * (many - few) / STEPS);
    for (size_t i = 0; i < sizeof kilobytes / sizeof *kilobytes; i++)
        printf("%7d %12.1f\n", kilobytes[i], ns_of((size_t)kilobytes[i] * 1024));
    MUST(cudaFree(end));
    return EXIT_SUCCESS;
}
