/*
 * kernels.h: what the programs of this folder share. Each program launches small kernels of a few
 * kinds, and prints one line per kernel in the order of their launches: kind, name, and the number
 * of its launches. It does not measure anything itself: the lab's tracer records the times on a
 * GPU, the time model on the simulated GPU. Its arguments: how often each kernel is launched; the
 * only kind that is launched (empty: all are); "cold", which empties the L2 before each launch.
 *
 * The split: of each kind, in the order of the lines of the programs (compare lists them), the
 * first, third, fifth … kernel is one to which the time model may be fitted. The others are the
 * half "held" (README.md). The kernels of strangers/ only test it.
 */
#ifndef KERNELS_H
#define KERNELS_H

#include <cuda_runtime.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARRAYS_MAX = 8 };
enum { K = 1 << 10, M = 1 << 20 };

static void *arrays[ARRAYS_MAX];
static int array_count;
static int launches = 1;          /* of each kernel */
static const char *wanted = NULL; /* the only kind that is launched; NULL: all are */
static char *flush = NULL; /* larger than an L2; NULL: launches find what the last one left */
static const size_t flush_bytes = 256 << 20;

/* Ends the program when a CUDA call failed. */
static inline void check(cudaError_t error, const char *what)
{
    if (error == cudaSuccess) return;
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    exit(EXIT_FAILURE);
}

/* An array that the next measure() frees. Its bytes are 0x3f: each float is 0.747, each double
 * 0.000477. */
template <typename T> static T *array(size_t count)
{
    T *data;
    check(cudaMalloc(&data, count * sizeof *data), "cudaMalloc");
    check(cudaMemset(data, 0x3f, count * sizeof *data), "cudaMemset");
    arrays[array_count++] = data;
    return data;
}

/* An array of the values of a function of the index. */
template <typename T, typename Value> static T *filled(size_t count, Value value)
{
    T *data = array<T>(count), *host = (T *)malloc(count * sizeof *host);
    if (host == NULL) exit(EXIT_FAILURE);
    for (size_t i = 0; i < count; i++)
        host[i] = value(i);
    check(cudaMemcpy(data, host, count * sizeof *host, cudaMemcpyHostToDevice), "cudaMemcpy");
    free(host);
    return data;
}

/* A number that looks random, from 0 to 2^32 - 1. */
static inline unsigned scatter(size_t i)
{
    unsigned x = (unsigned)i * 0x9e3779b1u;
    x ^= x >> 15;
    x *= 0x85ebca77u;
    return x ^ x >> 13;
}

/* A number of the same kind in [0, 1) */
static inline float fraction(size_t i)
{
    return (float)(scatter(i) >> 8) / (1 << 24);
}

/* Arrays of zeros, of fractions, and of numbers below a limit */
template <typename T> static T *zeros(size_t count)
{
    T *data = array<T>(count);
    check(cudaMemset(data, 0, count * sizeof *data), "cudaMemset");
    return data;
}

template <typename T = float> static T *fractions(size_t count)
{
    return filled<T>(count, [](size_t i) { return (T)fraction(i); });
}

template <typename T = int> static T *below(unsigned limit, size_t count)
{
    return filled<T>(count, [=](size_t i) { return (T)((scatter(i) >> 4) % limit); });
}

/* Four numbers of this kind */
static inline float4 random_float4(size_t i)
{
    return make_float4(fraction(4 * i), fraction(4 * i + 1), fraction(4 * i + 2),
                       fraction(4 * i + 3));
}

/* Sums before each of some counts, one more than there are counts. The caller frees them. */
template <typename Count> static int *sums_before(int n, Count count)
{
    int *sums = (int *)malloc((n + 1) * sizeof *sums);
    if (sums == NULL) exit(EXIT_FAILURE);
    sums[0] = 0;
    for (int i = 0; i < n; i++)
        sums[i + 1] = sums[i] + count(i);
    return sums;
}

/* The grid that covers width x height elements */
static inline dim3 blocks_of(int width, int height, dim3 block)
{
    return dim3((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
}

/* The sum of the lanes' values, in lane 0 */
__device__ inline float warp_sum(float value)
{
    for (int apart = 16; apart > 0; apart /= 2)
        value += __shfl_down_sync(0xffffffff, value, apart);
    return value;
}

/* Launches a kernel, frees the arrays and prints its line. */
template <typename Launch> static void measure(const char *kind, const char *name, Launch launch)
{
    bool runs = wanted == NULL || strcmp(kind, wanted) == 0;
    for (int i = 0; runs && i < launches; i++) {
        if (flush != NULL) check(cudaMemset(flush, i, flush_bytes), "cudaMemset");
        launch();
        check(cudaGetLastError(), name);
    }
    check(cudaDeviceSynchronize(), name);
    while (array_count > 0)
        check(cudaFree(arrays[--array_count]), "cudaFree");
    if (runs) printf("%s\t%s\t%d\n", kind, name, launches);
}

static void measure_all(void);

int main(int argc, char **argv)
{
    if (argc > 1) launches = atoi(argv[1]);
    if (argc > 2 && *argv[2] != '\0') wanted = argv[2];
    if (argc > 3) check(cudaMalloc(&flush, flush_bytes), "cudaMalloc");
    measure_all();
    return 0;
}

#endif
