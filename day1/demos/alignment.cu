/*
 * alignment.cu: the same bytes copied as elements of different types. A load moves 4, 8 or 16
 * bytes, and its address must be a multiple of that number. A type of 12 bytes needs three loads,
 * and each of them skips the bytes of the others. With __align__, one load is enough.
 *
 *   nvcc -O3 -o alignment alignment.cu
 */
#include "demo.h"

#include <stddef.h>
#include <string.h>

struct careless {
    char a;
    double b;
    char c;
};
struct ordered {
    double b;
    char a, c;
};
struct point {
    float at[3];
};
struct __align__(16) aligned_point
{
    float at[3], unused;
};

/* Copies one element per thread: with one access where the type's alignment allows it. */
template <typename T> __device__ void copy_one(const T *from, T *to)
{
    *to = *from;
}

__device__ void copy_one(const point *from, point *to)
{
    for (int k = 0; k < 3; k++)
        to->at[k] = from->at[k];
}

__device__ void copy_one(const aligned_point *from, aligned_point *to)
{
    *(float4 *)to = *(const float4 *)from;
}

template <typename T> __global__ void copy(size_t n, const T *from, T *to)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) copy_one(&from[i], &to[i]);
}

/* Copies `bytes` as elements of T and prints a row; `loads` is the number of loads per element. */
template <typename T>
static void row(const char *type, int loads, size_t bytes, char *from, char *to)
{
    size_t n = bytes / sizeof(T);
    unsigned blocks = (unsigned)((n + 255) / 256);
    MUST(cudaMemset(to, 0, bytes));
    double us = demo_us([&] { copy<<<blocks, 256>>>(n, (const T *)from, (T *)to); });
    char *sent = (char *)malloc(bytes), *received = (char *)malloc(bytes);
    MUST(cudaMemcpy(sent, from, bytes, cudaMemcpyDeviceToHost));
    MUST(cudaMemcpy(received, to, bytes, cudaMemcpyDeviceToHost));
    demo_require(memcmp(sent, received, n * sizeof(T)) == 0, type);
    free(sent);
    free(received);
    /* a warp's 32 elements are neighbours: each of its loads touches all of their sectors */
    printf("%-28s %7zu %9zu %7d %8zu %7.0f\n", type, sizeof(T), alignof(T), loads,
           loads * 32 * sizeof(T) / 32, 2e-3 * n * sizeof(T) / us);
}

int main()
{
    size_t bytes = simulated ? 3 << 18 : (size_t)3 << 28; /* a multiple of all sizes */
    char *from = demo_alloc<char>(bytes), *to = demo_alloc<char>(bytes);
    float *values = (float *)malloc(bytes);
    for (size_t i = 0; i < bytes / 4; i++)
        values[i] = (float)(i % 9973);
    MUST(cudaMemcpy(from, values, bytes, cudaMemcpyHostToDevice));
    free(values);

    demo_heading("alignment");
    printf("type                         size of  align of   loads  sectors    GB/s\n");
    row<float>("float", 1, bytes, from, to);
    row<float2>("float2", 1, bytes, from, to);
    row<float4>("float4", 1, bytes, from, to);
    row<point>("struct { float at[3]; }", 3, bytes, from, to);
    row<aligned_point>("the same, __align__(16)", 1, bytes, from, to);
    printf("struct { char double char }  %7zu %9zu\n", sizeof(careless), alignof(careless));
    printf("struct { double char char }  %7zu %9zu\n", sizeof(ordered), alignof(ordered));
    MUST(cudaFree(from));
    MUST(cudaFree(to));
    return EXIT_SUCCESS;
}
