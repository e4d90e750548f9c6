/*
 * rot.cu: v <- U(theta) r + s for N points of a plane: each is turned by the angle theta, then
 * shifted. Part A runs it on the CPU. Part B runs it again, also on the CPU for now. Part B is
 * yours: move it to the GPU, one rung at a time.
 *
 *   nvcc -O3 -Xcompiler -fopenmp -o rot rot.cu        build
 *   ./rot 128 134217728                               128 threads per block, 128 Mi points
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

#define MAX_THREADS 1024 /* per block, on any GPU */

/* stop_watch(0) starts the timer and returns t0; stop_watch(t0) returns the seconds since then. */
static double stop_watch(double t0)
{
    return omp_get_wtime() - t0;
}

/* Prints one line that says what is wrong, and ends the program. */
static void quit(const char *what)
{
    fprintf(stderr, "rot: %s\n", what);
    exit(EXIT_FAILURE);
}

/* Memory for n floats. */
static float *ualloc(size_t n)
{
    float *memory = (float *)malloc(n * sizeof(float));
    if (memory == NULL) quit("N is too large for this machine's memory");
    return memory;
}

/* v <- U r + s for n points, where U = (ct, -st; st, ct) holds the cosine and the sine of the
 * angle. r, s and v hold 2 n floats: x and y of point 0, x and y of point 1, and so on. */
static void rotate(size_t n, float ct, float st, const float *r, const float *s, float *v)
{
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++) {
        v[2 * i] = ct * r[2 * i] - st * r[2 * i + 1] + s[2 * i];
        v[2 * i + 1] = st * r[2 * i] + ct * r[2 * i + 1] + s[2 * i + 1];
    }
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

/* One line of results: n points in t seconds, with nthr threads (on a GPU: threads per block). */
static void report(const char *device, int nthr, size_t n, double t)
{
    if (t < 1e-9) /* shorter than the clock can measure */
        t = 1e-9;
    double gflops = 8e-9 * (double)n / t;  /* two products and two sums per component */
    double gbytes = 24e-9 * (double)n / t; /* reads r and s, writes v: 8 bytes per point each */
    printf(" %s: nthr = %4d   t0 = %.9f sec   P = %7.3f Gflop/s   B = %8.3f GB/s\n", device, nthr,
           t, gflops, gbytes);
}

/* |v - u| / |u| for n floats: how far v is from u, relative to u. */
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
    uint64_t threads, n, seed = 1;
    if (argc != 3 || !read_number(argv[1], &threads) || threads < 1 || threads > MAX_THREADS ||
        !read_number(argv[2], &n) || n == 0) {
        fprintf(stderr, "usage: rot THREADS N      (1 to %d threads per block, 1 or more points)\n",
                MAX_THREADS);
        return EXIT_FAILURE;
    }
    if (getenv("WARPUP_SEED") != NULL && !read_number(getenv("WARPUP_SEED"), &seed))
        quit("WARPUP_SEED must be a whole number, 0 or more");
    uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGE_SIZE);
    if (n > memory / (8 * sizeof(float))) quit("N is too large for this machine's memory");

    float *r = ualloc(2 * n);
    float *s = ualloc(2 * n);
    float *v0 = ualloc(2 * n);
    float *v1 = ualloc(2 * n);

    /* Each thread fills the part that it will use in rotate(): the system places a page of memory
     * near the core that touches it first. The threads start here, before any timer. */
    float theta = 3.14159265f * input(seed, 2, 0); /* from -pi to pi */
    float ct = cosf(theta), st = sinf(theta);
    int nthr = 1;
#pragma omp parallel
    {
#pragma omp single
        nthr = omp_get_num_threads();
#pragma omp for schedule(static)
        for (size_t i = 0; i < 2 * n; i++) {
            r[i] = input(seed, 0, i);
            s[i] = input(seed, 1, i);
            v0[i] = v1[i] = 0;
        }
    }

    /* A: v0 <- U r + s on the CPU */
    {
        double t0 = stop_watch(0);
        rotate(n, ct, st, r, s, v0);
        t0 = stop_watch(t0);
        report("CPU", nthr, n, t0);
    }

    /* B: v1 <- U r + s. Move this part to the GPU, with THREADS threads per block. Its result
     * must end up in v1. */
    {
        double t0 = stop_watch(0);
        rotate(n, ct, st, r, s, v1);
        t0 = stop_watch(t0);
        report("CPU", nthr, n, t0);
    }

    printf(" Diff = %e\n", difference(2 * n, v0, v1));

    free(r);
    free(s);
    free(v0);
    free(v1);
    return EXIT_SUCCESS;
}
