/*
 * axpy.cu: y <- a x + y for two arrays of N floats. Part A runs it on the CPU. Part B runs it
 * again, also on the CPU for now. Part B is yours: move it to the GPU, one rung at a time.
 *
 *   nvcc -O3 -Xcompiler -fopenmp -o axpy axpy.cu      build
 *   ./axpy 67108864                                   run with 64 Mi elements
 *   make check                                        how far up the ladder you are
 */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <omp.h>

/* stop_watch(0) starts the timer and returns t0; stop_watch(t0) returns the seconds since then. */
static double stop_watch(double t0)
{
    return omp_get_wtime() - t0;
}

/* Prints one line that says what is wrong, and ends the program. */
static void quit(const char *what)
{
    fprintf(stderr, "axpy: %s\n", what);
    exit(EXIT_FAILURE);
}

/* Memory for n floats. */
static float *ualloc(size_t n)
{
    float *memory = (float *)malloc(n * sizeof(float));
    if (memory == NULL) quit("N is too large for this machine's memory");
    return memory;
}

/* y <- a x + y; x and y hold n floats. */
static void axpy(size_t n, float a, const float *x, float *y)
{
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++)
        y[i] = a * x[i] + y[i];
}

/* Element i of an input array, in [-1, 1). It is a hash of i: threads can make the elements in any
 * order, and the check can make them again. The README gives the formulas. */
static float input(uint64_t seed, uint64_t array, uint64_t i)
{
    uint64_t h = (4 * seed + array) * 0x9e3779b97f4a7c15u + i;
    h = (h ^ (h >> 33)) * 0xff51afd7ed558ccdu;
    h = (h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53u;
    return (float)(uint32_t)(h >> 40) / 8388608.0f - 1.0f;
}

/* One line of results: n elements in t seconds, with nthr threads (on a GPU: threads per block). */
static void report(const char *device, int nthr, size_t n, double t)
{
    if (t < 1e-9) /* shorter than the clock can measure */
        t = 1e-9;
    double gflops = 2e-9 * (double)n / t;  /* one product and one sum per element */
    double gbytes = 12e-9 * (double)n / t; /* reads x and y, writes y: 4 bytes each */
    printf(" %s: nthr = %4d   t0 = %.9f sec   P = %7.3f Gflop/s   B = %8.3f GB/s\n", device, nthr,
           t, gflops, gbytes);
}

/* |v - u| / |u|: how far v is from u, relative to u. */
static double difference(size_t n, const float *u, const float *v)
{
    double apart = 0, length = 0;
#pragma omp parallel for schedule(static) reduction(+ : apart, length)
    for (size_t i = 0; i < n; i++) {
        double d = (double)v[i] - u[i];
        apart += d * d;
        length += (double)u[i] * u[i];
    }
    return sqrt(length > 0 ? apart / length : apart);
}

/* Reads a whole number, 0 or more; false when `text` is anything else. */
static bool read_number(const char *text, uint64_t *number)
{
    char *end;
    errno = 0;
    *number = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0;
}

int main(int argc, char *argv[])
{
    uint64_t n, seed = 1;
    if (argc != 2 || !read_number(argv[1], &n) || n == 0) {
        fprintf(stderr, "usage: axpy N      (N elements, 1 or more)\n");
        return EXIT_FAILURE;
    }
    if (getenv("WARPUP_SEED") != NULL && !read_number(getenv("WARPUP_SEED"), &seed))
        quit("WARPUP_SEED must be a whole number, 0 or more");
    uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGE_SIZE);
    if (n > memory / (3 * sizeof(float))) quit("N is too large for this machine's memory");

    float *x = ualloc(n);
    float *y0 = ualloc(n);
    float *y1 = ualloc(n);

    /* Each thread fills the part that it will use in axpy(): the system places a page of memory
     * near the core that touches it first. The threads start here, before any timer. */
    float a = 1.5f + 0.5f * input(seed, 2, 0); /* from 1 to 2 */
    int nthr = 1;
#pragma omp parallel
    {
#pragma omp single
        nthr = omp_get_num_threads();
#pragma omp for schedule(static)
        for (size_t i = 0; i < n; i++) {
            x[i] = input(seed, 0, i);
            y0[i] = input(seed, 1, i);
            y1[i] = y0[i];
        }
    }

    /* A: y0 <- a x + y0 on the CPU */
    {
        double t0 = stop_watch(0);
        axpy(n, a, x, y0);
        t0 = stop_watch(t0);
        report("CPU", nthr, n, t0);
    }

    /* B: y1 <- a x + y1. Move this part to the GPU. Its result must end up in y1. */
    {
        double t0 = stop_watch(0);
        axpy(n, a, x, y1);
        t0 = stop_watch(t0);
        report("CPU", nthr, n, t0);
    }

    printf(" Diff = %e\n", difference(n, y0, y1));

    free(x);
    free(y0);
    free(y1);
    return EXIT_SUCCESS;
}
