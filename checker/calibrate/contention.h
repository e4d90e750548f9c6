/* contention.h: atomic additions to shared and to global memory. */
#ifndef CONTENTION_H
#define CONTENTION_H

#include "common.h"

/* Each thread adds to its own word, and each addition waits for the one before. */
static __global__ void __launch_bounds__(BLOCK) add_serialised(float *out, int steps)
{
    __shared__ float word[BLOCK];
    word[threadIdx.x] = 0;
    for (int i = 0; i < steps; i++) {
        atomicAdd(&word[threadIdx.x], 1.5f);
        __syncthreads();
    }
    if (word[threadIdx.x] < 0) *out = 1;
}

/* All threads add to one element. */
template <typename T> __global__ void add_to_word(T *sum)
{
    atomicAdd(&sum[threadIdx.x >> 31], (T)1);
}

static __global__ void add_anywhere(unsigned *sum, unsigned mask)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&sum[i * 0x9e3779b1u >> 7 & mask], 1u);
}

/* shared_float_atomic_ns: one warp adds to 32 words. */
static void measure_shared(struct gpu *gpu)
{
    int few = steps_of(gpu, 16 * K, 16);
    float *out = (float *)device_array(sizeof *out);
    double alone = slope(gpu, "floats in shared memory, one warp", few, 3 * few,
                         [&](double count) { add_serialised<<<1, WARP>>>(out, (int)count); });
    check(cudaFree(out), "freeing memory");
    measured("shared_float_atomic_ns", alone - gpu->barrier_ns - gpu->load_issue_ns);
}

/* Time per thread of a kernel that adds once per thread. */
static double add_ns(const struct gpu *gpu, const char *what, unsigned *sum)
{
    enum { THREADS = 256 };
    int threads = steps_of(gpu, 4 * M, 64 * K);
    return slope(gpu, what, threads, 3 * threads,
                 [&](double all) { add_to_word<<<(int)all / THREADS, THREADS>>>(sum); });
}

/* If another resource takes more than this share of the time, the difference is not a measurement.
 */
static const double MOST_HIDDEN = 0.8;

/* atomic_word_ns: all threads add to one word, whose address the compiler does not know to be the
 * same; the time is that of one thread. atomic_sectors_per_ns: words anywhere in the L2, so each
 * thread needs a sector. */
static void measure_global(struct gpu *gpu)
{
    const unsigned words = words_in_l2(gpu);
    const double sector_bytes = 32;
    unsigned *sum = (unsigned *)device_array(words * sizeof *sum);
    int threads = steps_of(gpu, 16 * M, 256 * K);
    double anywhere = slope(gpu, "adds anywhere", threads, 3 * threads, [&](double all) {
        add_anywhere<<<(int)all / 256, 256>>>(sum, words - 1);
    });
    double transfer = sector_bytes / gpu->l2_gbs, rate = 1 / without(anywhere, transfer);
    if (transfer > MOST_HIDDEN * anywhere)
        figure("atomic_sectors_per_ns", rate, "estimate: the L2's bandwidth hides it");
    else
        measured("atomic_sectors_per_ns", rate);
    measured("atomic_word_ns", add_ns(gpu, "adds to one integer", sum));
    check(cudaFree(sum), "freeing memory");
}

static void measure_contention(struct gpu *gpu)
{
    measure_shared(gpu);
    measure_global(gpu);
}

#endif
