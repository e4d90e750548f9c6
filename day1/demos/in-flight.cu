/*
 * in-flight.cu: how many bytes must be in flight to keep a memory busy? Each thread has one load of
 * 16 bytes in flight, and waits for it before the next one. So the number of threads says how many
 * bytes are in flight.
 *
 *   nvcc -O3 -o in-flight in-flight.cu
 */
#include "demo.h"

enum { THREADS = 128, MEGABYTES = 256, PARTS = 4 };

/* Adds up one part of the array: 16 bytes per thread and step. */
__global__ void add_up(const int4 *x, size_t n, int *sums)
{
    size_t threads = (size_t)gridDim.x * THREADS, me = (size_t)blockIdx.x * THREADS + threadIdx.x;
    int sum = 0;
#pragma unroll 1 /* the sum of one step comes before the load of the next one */
    for (size_t i = me; i < n; i += threads) {
        int4 piece = x[i];
        sum += piece.x + piece.y + piece.z + piece.w;
    }
    sums[me] = sum;
}

static void require_sum(const int *d_sums, int threads, size_t n)
{
    int *sums = (int *)malloc(threads * sizeof *sums);
    unsigned sum = 0;
    MUST(cudaMemcpy(sums, d_sums, threads * sizeof *sums, cudaMemcpyDeviceToHost));
    for (int i = 0; i < threads; i++)
        sum += (unsigned)sums[i];
    demo_require(sum == (unsigned)(n * 4) * 0x01010101u, "the sum of a part");
    free(sums);
}

int main()
{
    static const int kilobytes[] = {2, 8, 32, 128, 512, 1024, 2048, 4096};
    size_t n = (size_t)MEGABYTES * 1024 * 1024 / sizeof(int4), part = n / PARTS;
    int4 *x = demo_alloc<int4>(n);
    int *sums = demo_alloc<int>(4096 * 1024 / 16);
    MUST(cudaMemset(x, 1, n * sizeof *x));

    demo_heading("bytes in flight");
    printf("in flight     rate\n");
    printf("       KB     GB/s\n");
    for (size_t i = 0; i < sizeof kilobytes / sizeof *kilobytes; i++) {
        int threads = kilobytes[i] * 1024 / 16, run = 0;
        double us = demo_us([&] { /* another part each time, which no cache has */
                                  add_up<<<threads / THREADS, THREADS>>>(x + run++ % PARTS * part,
                                                                         part, sums);
        });
        require_sum(sums, threads, part);
        printf("%9d %8.1f\n", kilobytes[i], 1e-3 * part * sizeof *x / us);
    }
    MUST(cudaFree(x));
    MUST(cudaFree(sums));
    return EXIT_SUCCESS;
}
