/*
 * skeleton.cu: y <- x * x for an array of N floats.
 * Part A runs it on the CPU; part B runs it again, for now on the CPU as well. Part B is yours:
 * bring it to the GPU, one rung at a time. `make check` says how far up the ladder you are.
 *
 *   nvcc -O3 -Xcompiler -fopenmp -o skeleton skeleton.cu
 *   ./skeleton 67108864
 */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <omp.h>

/* Prints one line that says what is wrong, and ends the program. */
static void quit(const char *what)
{
    fprintf(stderr, "skeleton: %s\n", what);
    exit(EXIT_FAILURE);
}

/* Memory for n floats. */
static float *ualloc(size_t n)
{
    float *memory = (float *)malloc(n * sizeof(float));
    if (memory == NULL) quit("N is too large for this machine's memory");
    return memory;
}

/* y <- x * x; x and y hold n floats. */
static void cpu_skeleton(size_t n, const float *x, float *y)
{
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++)
        y[i] = x[i] * x[i];
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
    double gflops = 1e-9 * (double)n / t; /* one product per element */
    double gbytes = 8e-9 * (double)n / t; /* reads x, writes y: 4 bytes each */
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
        fprintf(stderr, "usage: skeleton N      (N elements, 1 or more)\n");
        return EXIT_FAILURE;
    }
    if (getenv("WARPUP_SEED") != NULL && !read_number(getenv("WARPUP_SEED"), &seed))
        quit("WARPUP_SEED must be a whole number, 0 or more");
    uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGE_SIZE);
    if (n > memory / (3 * sizeof(float))) quit("N is too large for this machine's memory");

    float *x = ualloc(n);
    float *y0 = ualloc(n);
    float *y1 = ualloc(n);
    int nthr = 1;
#pragma omp parallel
    {
#pragma omp single
        nthr = omp_get_num_threads();
#pragma omp for schedule(static)
        for (size_t i = 0; i < n; i++) {
            x[i] = input(seed, 0, i);
            y0[i] = y1[i] = 0;
        }
    }

    /* A: y0 <- x * x on the CPU */
    {
        double t0 = omp_get_wtime();
        cpu_skeleton(n, x, y0);
        t0 = omp_get_wtime() - t0;
        report("CPU", nthr, n, t0);
    }

    /* B: y1 <- x * x, the part to bring to the GPU. Its result must end in y1. */
    {
        double t0 = omp_get_wtime();
        cpu_skeleton(n, x, y1);
        t0 = omp_get_wtime() - t0;
        report("CPU", nthr, n, t0);
    }

    printf(" Diff = %e\n", difference(n, y0, y1));

    free(x);
    free(y0);
    free(y1);
    return EXIT_SUCCESS;
}
