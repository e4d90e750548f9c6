/* contention.h: atomic additions to shared and to global memory. */
#ifndef CONTENTION_H
#define CONTENTION_H

#include "common.h"

/* All threads of a block add to one float. The barriers make the warps take turns. */
static __global__ void __launch_bounds__(BLOCK) add_to_one(float *out, int steps)
{
    __shared__ float word;
    if (threadIdx.x == 0) word = 0;
    for (int i = 0; i < steps; i++) {
        __syncthreads();
        atomicAdd(&word, 1.5f);
    }
    __syncthreads();
    if (word < 0) *out = 1;
}

/* Each thread adds to its own word. */
static __global__ void __launch_bounds__(BLOCK) add_apart(float *out, int steps)
{
    __shared__ float word[BLOCK];
    word[threadIdx.x] = 0;
    for (int i = 0; i < steps; i++)
        atomicAdd(&word[threadIdx.x], 1.5f);
    if (word[threadIdx.x] < 0) *out = 1;
}

/* The same, and each addition waits for the one before. */
static __global__ void __launch_bounds__(BLOCK) add_in_turn(float *out, int steps)
{
    __shared__ float word[BLOCK];
    word[threadIdx.x] = 0;
    for (int i = 0; i < steps; i++) {
        atomicAdd(&word[threadIdx.x], 1.5f);
        __syncthreads();
    }
    if (word[threadIdx.x] < 0) *out = 1;
}

/* Each thread adds to the element of its number, by a mask and `lanes` threads together. */
template <typename T> __global__ void add(T *sum, unsigned mask, unsigned lanes, unsigned apart)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&sum[i / lanes * apart & mask], (T)1);
}

static __global__ void add_anywhere(unsigned *sum, unsigned mask)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&sum[i * 0x9e3779b1u >> 7 & mask], 1u);
}

/* shared_real_atomic_ns: one warp adds to 32 words. shared_real_atomic_clocks: 32 warps do, each to
 * its own words. contended_clocks: what it takes longer, per lane and warp of the block, when they
 * all add to the same word. */
static void measure_shared(struct gpu *gpu)
{
    const double warps = BLOCK / WARP;
    int blocks = blocks_on_sms(gpu), few = steps_of(gpu, 16 * K, 16);
    int fewer = steps_of(gpu, 64, 16);
    float *out = (float *)device_array(sizeof *out);
    double alone = slope(gpu, "floats in shared memory, one warp", few, 3 * few,
                         [&](double count) { add_in_turn<<<1, WARP>>>(out, (int)count); });
    double full = slope(gpu, "floats in shared memory, 32 warps", few, 3 * few,
                        [&](double count) { add_apart<<<blocks, BLOCK>>>(out, (int)count); });
    double one_word = slope(gpu, "one float in shared memory, 32 warps", fewer, 3 * fewer,
                            [&](double count) { add_to_one<<<blocks, BLOCK>>>(out, (int)count); });
    check(cudaFree(out), "freeing memory");
    double each = full * gpu->clock_ghz / warps;
    measured("shared_real_atomic_ns", alone - gpu->barrier_ns - gpu->step_ns);
    measured("shared_real_atomic_clocks", each);
    measured("contended_clocks", (one_word * gpu->clock_ghz / (warps * WARP) - each) / warps);
}

/* Time per thread of a kernel that adds once per thread. */
template <typename T>
static double add_ns(const struct gpu *gpu, const char *what, T *sum, unsigned count,
                     unsigned lanes, unsigned apart)
{
    enum { THREADS = 256 };
    int threads = steps_of(gpu, 4 * M, 64 * K);
    return slope(gpu, what, threads, 3 * threads, [&](double all) {
        add<<<(int)all / THREADS, THREADS>>>(sum, count - 1, lanes, apart);
    });
}

/* If another resource takes more than this share of the time, the difference is not a measurement.
 */
static const double MOST_HIDDEN = 0.8;

/*
 * atomic_word_ns, atomic_real_word_ns: all threads add to one word; the time is that of one thread.
 * atomic_line_ns: they add to 16 words of one line; the time is that of one warp, two lanes of
 * which want the same word. atomic_piece_ns: they add to 256 words, and a warp needs four sectors
 * of them. atomic_sectors_per_ns: words anywhere in the L2, so each thread needs a sector.
 * atomic_repeat_ns: the lanes of a warp want the same word, and each warp another one; its first
 * lane is the sector's.
 */
static void measure_global(struct gpu *gpu)
{
    const unsigned words = words_in_l2(gpu);
    const double lanes = WARP, sectors = 4, sector_bytes = 32;
    unsigned *sum = (unsigned *)device_array(words * sizeof *sum);
    float *real = (float *)device_array(sizeof *real);
    int threads = steps_of(gpu, 16 * M, 256 * K);
    double anywhere = slope(gpu, "adds anywhere", threads, 3 * threads, [&](double all) {
        add_anywhere<<<(int)all / 256, 256>>>(sum, words - 1);
    });
    double transfer = sector_bytes / gpu->l2_gbs, rate = 1 / without(anywhere, transfer);
    if (transfer > MOST_HIDDEN * anywhere)
        figure("atomic_sectors_per_ns", rate, "estimate: the L2's bandwidth hides it");
    else
        measured("atomic_sectors_per_ns", rate);
    double together = lanes * add_ns(gpu, "adds to a word per warp", sum, words, WARP, 8);
    double repeat = measured("atomic_repeat_ns", (together - anywhere) / (lanes - 1));

    double word = add_ns(gpu, "adds to one integer", sum, 1, 1, 1);
    double real_word = add_ns(gpu, "adds to one float", real, 1, 1, 1);
    double line = lanes * add_ns(gpu, "adds to 16 integers", sum, 16, 1, 1);
    double piece = lanes * add_ns(gpu, "adds to 256 integers", sum, 256, 1, 1);
    double apart = lanes * add_ns(gpu, "adds to all integers", sum, words, 1, 1);
    measured("atomic_word_ns", word - repeat);
    measured("atomic_real_word_ns", real_word - repeat);
    measured("atomic_line_ns", line - lanes / 2 * repeat);
    measured("atomic_piece_ns", (piece - apart) / sectors);
    check(cudaFree(sum), "freeing memory");
    check(cudaFree(real), "freeing memory");
}

static void measure_contention(struct gpu *gpu)
{
    measure_shared(gpu);
    measure_global(gpu);
}

#endif
