/*
 * matvec.cu: y <- A x for a matrix A of M rows and N columns, stored row by row. Part A runs it on
 * the CPU. Part B runs it again, also on the CPU for now. Part B is yours: move it to the
 * GPU, one rung at a time.
 *
 *   nvcc -O3 -Xcompiler -fopenmp -o matvec matvec.cu   build (from rung 4 on, with -lcublas)
 *   ./matvec 4096 8192                                 run with 4096 rows and 8192 columns
 *   make check                                         how far up the ladder you are
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
    fprintf(stderr, "matvec: %s\n", what);
    exit(EXIT_FAILURE);
}

/* Memory for n floats. */
static float *ualloc(size_t n)
{
    float *memory = (float *)malloc(n * sizeof(float));
    if (memory == NULL) quit("the matrix is too large for this machine's memory");
    return memory;
}

/* y <- A x; a holds m rows of n floats, x holds n floats and y m. */
static void matvec(size_t m, size_t n, const float *a, const float *x, float *y)
{
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < m; i++) {
        float sum = 0;
        for (size_t j = 0; j < n; j++)
            sum += a[i * n + j] * x[j];
        y[i] = sum;
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

/* One line of results: m rows and n columns in t seconds, with nthr threads (on a GPU: threads per
 * block; 0 when a library chooses). */
static void report(const char *device, int nthr, size_t m, size_t n, double t)
{
    if (t < 1e-9) /* shorter than the clock can measure */
        t = 1e-9;
    double elements = (double)m * (double)n;
    double gflops = 2e-9 * elements / t; /* one product and one sum per element of A */
    double gbytes = 4e-9 * (elements + (double)m + (double)n) / t; /* reads A and x, writes y */
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
    uint64_t m, n, seed = 1;
    if (argc != 3 || !read_number(argv[1], &m) || m == 0 || !read_number(argv[2], &n) || n == 0) {
        fprintf(stderr, "usage: matvec M N      (M rows, N columns, 1 or more of each)\n");
        return EXIT_FAILURE;
    }
    if (getenv("WARPUP_SEED") != NULL && !read_number(getenv("WARPUP_SEED"), &seed))
        quit("WARPUP_SEED must be a whole number, 0 or more");
    uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGE_SIZE);
    uint64_t room = memory / sizeof(float);
    if (m > room / n || m * n + n + 2 * m > room)
        quit("the matrix is too large for this machine's memory");

    float *a = ualloc(m * n);
    float *x = ualloc(n);
    float *y0 = ualloc(m);
    float *y1 = ualloc(m);

    /* Each thread fills the rows that it will use in matvec(): the system places a page of memory
     * near the core that touches it first. The threads start here, before any timer. */
    int nthr = 1;
#pragma omp parallel
    {
#pragma omp single
        nthr = omp_get_num_threads();
#pragma omp for schedule(static)
        for (size_t i = 0; i < m; i++) {
            for (size_t j = 0; j < n; j++)
                a[i * n + j] = input(seed, 0, i * n + j);
            y0[i] = y1[i] = 0;
        }
#pragma omp for schedule(static)
        for (size_t j = 0; j < n; j++)
            x[j] = input(seed, 1, j);
    }

    /* A: y0 <- A x on the CPU */
    {
        double t0 = stop_watch(0);
        matvec(m, n, a, x, y0);
        t0 = stop_watch(t0);
        report("CPU", nthr, m, n, t0);
    }

    /* B: y1 <- A x. Move this part to the GPU. Its result must end up in y1. */
    {
        double t0 = stop_watch(0);
        matvec(m, n, a, x, y1);
        t0 = stop_watch(t0);
        report("CPU", nthr, m, n, t0);
    }

    printf(" Diff = %e\n", difference(m, y0, y1));

    free(a);
    free(x);
    free(y0);
    free(y1);
    return EXIT_SUCCESS;
}
