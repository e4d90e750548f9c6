/*
 * matmul.cu: P <- M N for square matrices of N rows and columns. Part A runs it on the CPU. Part B
 * runs it again, also on the CPU for now. Part B is yours: move it to the GPU, one rung at a
 * time.
 *
 *   nvcc -O3 -Xcompiler -fopenmp -o matmul matmul.cu      build
 *   ./matmul 4096                                         run with 4096 x 4096 elements
 *   make check                                            how far up the ladder you are
 *
 * A matrix is stored row by row: element (i, j) of M is M[i * n + j].
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
    fprintf(stderr, "matmul: %s\n", what);
    exit(EXIT_FAILURE);
}

/* Memory for n x n floats. */
static float *ualloc(size_t n)
{
    float *memory = (float *)malloc(n * n * sizeof(float));
    if (memory == NULL) quit("N is too large for this machine's memory");
    return memory;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* P <- M N; each holds n x n floats. The innermost loop walks along a row of N and of P. The two
 * outermost loops choose a piece of N that fits in a core's cache; all rows of P use it in turn. */
static void matmul(size_t n, const float *M, const float *N, float *P)
{
    const size_t rows = 64, columns = 1024; /* of the piece */
#pragma omp parallel
    {
#pragma omp for schedule(static)
        for (size_t i = 0; i < n * n; i++)
            P[i] = 0;
        for (size_t k0 = 0; k0 < n; k0 += rows)
            for (size_t j0 = 0; j0 < n; j0 += columns) {
                size_t k1 = smaller(n, k0 + rows), j1 = smaller(n, j0 + columns);
#pragma omp for schedule(static) nowait /* each thread has the same rows of P every time */
                for (size_t i = 0; i < n; i++)
                    for (size_t k = k0; k < k1; k++)
                        for (size_t j = j0; j < j1; j++)
                            P[i * n + j] += M[i * n + k] * N[k * n + j];
            }
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

/* One line of results: an n x n product in t seconds, with nthr threads (on a GPU: threads per
 * block). */
static void report(const char *device, int nthr, size_t n, double t)
{
    if (t < 1e-9) /* shorter than the clock can measure */
        t = 1e-9;
    double elements = (double)n * (double)n;
    double gflops = 2e-9 * (double)n * elements / t; /* n products and n sums per element */
    double gbytes = 12e-9 * elements / t;            /* reads M and N, writes P: 4 bytes each */
    printf(" %s: nthr = %4d   t0 = %.9f sec   P = %7.3f Gflop/s   B = %8.3f GB/s\n", device, nthr,
           t, gflops, gbytes);
}

/* |v - u| / |u|: how far v is from u, relative to u; both hold n x n floats. */
static double difference(size_t n, const float *u, const float *v)
{
    double apart = 0, length = 0;
#pragma omp parallel for schedule(static) reduction(+ : apart, length)
    for (size_t i = 0; i < n * n; i++) {
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
        fprintf(stderr, "usage: matmul N      (matrices of N x N elements, N is 1 or more)\n");
        return EXIT_FAILURE;
    }
    if (getenv("WARPUP_SEED") != NULL && !read_number(getenv("WARPUP_SEED"), &seed))
        quit("WARPUP_SEED must be a whole number, 0 or more");
    uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGE_SIZE);
    if (n > memory / (4 * sizeof(float)) / n) quit("N is too large for this machine's memory");

    float *M = ualloc(n);
    float *N = ualloc(n);
    float *P0 = ualloc(n);
    float *P1 = ualloc(n);

    /* Each thread fills the rows that it will use in matmul(): the system places a page of memory
     * near the core that touches it first. The threads start here, before any timer. */
    int nthr = 1;
#pragma omp parallel
    {
#pragma omp single
        nthr = omp_get_num_threads();
#pragma omp for schedule(static)
        for (size_t i = 0; i < n * n; i++) {
            M[i] = input(seed, 0, i);
            N[i] = input(seed, 1, i);
            P0[i] = P1[i] = 0;
        }
    }

    /* A: P0 <- M N on the CPU */
    {
        double t0 = stop_watch(0);
        matmul(n, M, N, P0);
        t0 = stop_watch(t0);
        report("CPU", nthr, n, t0);
    }

    /* B: P1 <- M N. Move this part to the GPU. Its result must end up in P1. */
    {
        double t0 = stop_watch(0);
        matmul(n, M, N, P1);
        t0 = stop_watch(t0);
        report("CPU", nthr, n, t0);
    }

    printf(" Diff = %e\n", difference(n, P0, P1));

    free(M);
    free(N);
    free(P0);
    free(P1);
    return EXIT_SUCCESS;
}
