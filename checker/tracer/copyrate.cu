/*
 * copyrate.cu: measures the copy rate of this GPU, the limit of axpy, rot and matvec. It copies
 * from device memory to device memory with cudaMemcpyAsync. The rate is the bytes read plus the
 * bytes written, divided by the median time. Prints one line of JSON. Without a usable GPU it
 * prints one line on stderr and returns exit code 2.
 *
 *     nvcc -O3 -o copyrate copyrate.cu && ./copyrate [MEGABYTES]
 */
#include <stdio.h>
#include <stdlib.h>

enum { WARMUPS = 2, REPEATS_MIN = 7, REPEATS_MAX = 49 };
static const double BUDGET_MS = 150; /* for copies after the first REPEATS_MIN */

static void check(cudaError_t error, const char *what)
{
    if (error == cudaSuccess) return;
    fprintf(stderr, "copyrate: %s: %s\n", what, cudaGetErrorString(error));
    exit(2);
}

static int compare(const void *left, const void *right)
{
    float a = *(const float *)left, b = *(const float *)right;
    return a < b ? -1 : a > b;
}

/* The size of each of the two arrays: the requested size, but at most 3/8 of the free memory. */
static size_t array_bytes(size_t asked)
{
    size_t unused = 0, all = 0;
    check(cudaMemGetInfo(&unused, &all), "no usable GPU");
    size_t most = unused / 8 * 3;
    return (asked < most ? asked : most) & ~(size_t)255;
}

/* Milliseconds of one copy. */
static float time_copy(void *to, const void *from, size_t bytes, cudaEvent_t start, cudaEvent_t end)
{
    float ms = 0;
    check(cudaEventRecord(start, 0), "timing");
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, 0), "copying");
    check(cudaEventRecord(end, 0), "timing");
    check(cudaEventSynchronize(end), "copying");
    check(cudaEventElapsedTime(&ms, start, end), "timing");
    return ms;
}

/* The median of as many copies as the budget allows. */
static float median_copy(void *to, const void *from, size_t bytes)
{
    cudaEvent_t start, end;
    float ms[REPEATS_MAX];
    double spent = 0;
    int repeats = 0;
    check(cudaEventCreate(&start), "timing");
    check(cudaEventCreate(&end), "timing");
    for (int i = 0; i < WARMUPS; i++)
        time_copy(to, from, bytes, start, end);
    while (repeats < REPEATS_MIN || (repeats < REPEATS_MAX && spent < BUDGET_MS)) {
        ms[repeats] = time_copy(to, from, bytes, start, end);
        spent += ms[repeats++];
    }
    qsort(ms, repeats, sizeof ms[0], compare);
    return ms[repeats / 2];
}

int main(int argc, char *argv[])
{
    size_t megabytes = argc > 1 ? strtoul(argv[1], NULL, 10) : 1024;
    cudaDeviceProp device;
    int which = 0;
    check(cudaGetDevice(&which), "no usable GPU");
    check(cudaGetDeviceProperties(&device, which), "no usable GPU");

    size_t bytes = array_bytes(megabytes << 20);
    void *from = NULL, *to = NULL;
    check(cudaMalloc(&from, bytes), "allocating");
    check(cudaMalloc(&to, bytes), "allocating");
    check(cudaMemset(from, 1, bytes), "filling");
    float ms = median_copy(to, from, bytes);
    if (!(ms > 0)) {
        fprintf(stderr, "copyrate: the copy was too short to measure its time\n");
        return 2;
    }
    printf("{\"value\":%.1f,\"unit\":\"GB/s\",\"how\":\"measured\",\"device\":\"%s\"}\n",
           2e-6 * (double)bytes / ms, device.name);
    cudaFree(from);
    cudaFree(to);
    return 0;
}
