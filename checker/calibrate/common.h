/*
 * common.h: what the microbenchmarks share: the GPU that they measure, timers, and how a figure
 * is printed. Every microbenchmark takes the slope of two times: of the same kernel with few and
 * with many steps. The slope does not contain what a launch and a timer cost.
 */
#ifndef COMMON_H
#define COMMON_H

#include <cuda_runtime.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { K = 1 << 10, M = 1 << 20, WARP = 32, BLOCK = 1024 };

/* The GPU, as far as it is known. Each part of the program sets what others need. */
struct gpu {
    cudaDeviceProp properties;
    double capability, sms, l2_bytes;
    double clock_ghz;
    double stream_gbs, l2_gbs, flops_per_clock;
    double l1_latency_ns, l2_latency_ns, load_issue_ns;
    double block_start_ns, block_overhead_ns;
    double barrier_ns, launch_us;
    int small; /* 1: sizes for the simulated GPU, where all times are exact */
};

static cudaEvent_t first_event, last_event;
static struct timespec first_time;
static double largest_spread;  /* of the times since the last figure, in percent */
static const char *impossible; /* a figure that came out as no positive number; NULL: none */

/* Ends the program with one line and exit code 2 when a CUDA call failed. */
static void check(cudaError_t error, const char *what)
{
    if (error == cudaSuccess) return;
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    exit(2);
}

/* Prints a figure of the profile. `source` says where it comes from; NULL: it was measured. */
static void figure(const char *name, double value, const char *source)
{
    if (source == NULL)
        printf("%s\t%.4g\tmeasured\t%.1f\n", name, value, largest_spread);
    else
        printf("%s\t%.6g\t%s\t0\n", name, value, source);
    largest_spread = 0;
}

/* Prints a figure that was measured, and returns it. What is not a positive number is noted. */
static double measured(const char *name, double value)
{
    if (!isfinite(value) || value <= 0) impossible = name;
    figure(name, value, NULL);
    return value;
}

/* The model adds the times of two resources as cubes. This is the time of one of them, if `all` is
 * the sum and `other` the time of the other one. */
static double without(double all, double other)
{
    return all > other ? cbrt(pow(all, 3) - pow(other, 3)) : 0;
}

/* Device memory; its bytes are 0 at first. */
static void *device_array(size_t bytes)
{
    void *data = NULL;
    check(cudaMalloc(&data, bytes), "allocating device memory");
    check(cudaMemset(data, 0, bytes), "filling device memory");
    return data;
}

/* Keeps the GPU busy, so that the host has launched all of the work before the first of it runs. */
static __global__ void keep_busy(float *out, int steps)
{
    float y = threadIdx.x;
    for (int i = 0; i < steps; i++)
        y = y * 0.5f + 0.5f;
    if (y < 0) *out = y;
}

/* A timer: times what happens on the GPU, or on the host, between start and stop. */
enum timer { ON_GPU, ON_HOST };

static int timer_rounds(const struct gpu *gpu)
{
    return gpu->small ? 1 : 7;
}

static void timer_start(enum timer timer)
{
    check(cudaDeviceSynchronize(), "waiting for the GPU");
    if (timer == ON_GPU) {
        keep_busy<<<1, 1>>>(NULL, 128 * K); /* about 0.3 ms */
        check(cudaEventRecord(first_event), "timing");
    } else {
        clock_gettime(CLOCK_MONOTONIC, &first_time);
    }
}

static double timer_stop(enum timer timer)
{
    struct timespec now;
    float ms = 0;
    if (timer == ON_HOST) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        return 1e9 * (double)(now.tv_sec - first_time.tv_sec) +
               (double)(now.tv_nsec - first_time.tv_nsec);
    }
    check(cudaGetLastError(), "launching a kernel");
    check(cudaEventRecord(last_event), "timing");
    check(cudaEventSynchronize(last_event), "running a kernel");
    check(cudaEventElapsedTime(&ms, first_event, last_event), "timing");
    return 1e6 * ms;
}

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

/* The spread leaves out the smallest and the largest time: one of them is often off. */
static double timer_median(const char *what, double *ns, int count)
{
    qsort(ns, (size_t)count, sizeof *ns, compare);
    double median = ns[count / 2];
    double spread = count < 5 || median <= 0 ? 0 : 100 * (ns[count - 2] - ns[1]) / median;
    if (spread > largest_spread) largest_spread = spread;
    printf("# %s\t%.4f us\t%.1f %%\n", what, median / 1000, spread);
    return median;
}

/* Median time of an operation, in ns. `what` names it in the list of all times. */
template <typename Work>
double time_of(const struct gpu *gpu, enum timer timer, const char *what, Work work)
{
    double ns[16];
    int rounds = timer_rounds(gpu);
    work();
    for (int i = 0; i < rounds; i++) {
        timer_start(timer);
        work();
        ns[i] = timer_stop(timer);
    }
    return timer_median(what, ns, rounds);
}

/* How much longer `work` takes for each of its steps, in ns: the times of `few` and of `many` steps
 * are compared. */
template <typename Work>
double slope(const struct gpu *gpu, const char *what, double few, double many, Work work)
{
    double less = time_of(gpu, ON_GPU, what, [&] { work(few); });
    double more = time_of(gpu, ON_GPU, what, [&] { work(many); });
    return (more - less) / (many - few);
}

/* A number of steps: for a GPU, whose timer needs long times, or for the simulated GPU. */
inline int steps_of(const struct gpu *gpu, int real, int small)
{
    return gpu->small ? small : real;
}

/* How many words, a power of 2, fit in a third of the L2. */
inline unsigned words_in_l2(const struct gpu *gpu)
{
    unsigned words = 64 * K;
    while (!gpu->small && 2.0 * words * sizeof(int) < gpu->l2_bytes / 3)
        words *= 2;
    return gpu->small ? 256 * K : words;
}

/* One block of 1024 threads on each SM: enough to keep all units of an SM busy. On the simulated
 * GPU two SMs are enough. */
inline int blocks_on_sms(const struct gpu *gpu)
{
    return gpu->small ? 2 : (int)gpu->sms;
}

#endif
