/*
 * copyrate.cu: measures the copy rate of this GPU, the limit of axpy, rot and matvec. It copies
 * from device memory to device memory with cudaMemcpyAsync. The rate is the bytes read plus the
 * bytes written, divided by the median time. With --bus, it measures the bus instead: the rate of
 * each direction while copies of pinned memory run in both. Prints one line of JSON. Without a
 * usable GPU it prints one line on stderr and returns exit code 2.
 *
 *     nvcc -O3 -o copyrate copyrate.cu && ./copyrate [MEGABYTES | --bus]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WARMUPS = 2, REPEATS_MIN = 7, REPEATS_MAX = 49 };
static const double BUDGET_MS = 150; /* for copies after the first REPEATS_MIN */

/* Over the bus: bytes of pinned memory in each direction, bytes of one copy, and how many copies.
 */
enum { BUS_BYTES = 64 << 20, BUS_PIECE = 8 << 20, BUS_PIECES = 32 };

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

/* One direction of the bus: its stream, and the memory at both ends. */
struct way {
    cudaStream_t stream;
    char *host, *device;
    cudaMemcpyKind kind;
};

static struct way open_way(cudaMemcpyKind kind)
{
    struct way way = {NULL, NULL, NULL, kind};
    check(cudaStreamCreate(&way.stream), "timing");
    check(cudaMallocHost(&way.host, BUS_BYTES), "allocating pinned memory");
    check(cudaMalloc(&way.device, BUS_BYTES), "allocating");
    memset(way.host, 1, BUS_BYTES);
    check(cudaMemset(way.device, 1, BUS_BYTES), "filling");
    return way;
}

static void close_way(struct way *way)
{
    cudaFreeHost(way->host);
    cudaFree(way->device);
    cudaStreamDestroy(way->stream);
}

/* Milliseconds of all copies in both directions at the same time, from the start of `ways[0]`'s
 * first. */
static float time_both(const struct way ways[2], cudaEvent_t start, cudaEvent_t end)
{
    float ms = 0;
    check(cudaEventRecord(start, ways[0].stream), "timing");
    check(cudaStreamWaitEvent(ways[1].stream, start, 0), "timing");
    for (int i = 0; i < BUS_PIECES; i++)
        for (int k = 0; k < 2; k++) {
            size_t at = (size_t)i * BUS_PIECE % BUS_BYTES;
            bool down = ways[k].kind == cudaMemcpyHostToDevice;
            check(cudaMemcpyAsync((down ? ways[k].device : ways[k].host) + at,
                                  (down ? ways[k].host : ways[k].device) + at, BUS_PIECE,
                                  ways[k].kind, ways[k].stream),
                  "copying");
        }
    check(cudaStreamSynchronize(ways[1].stream), "copying");
    check(cudaEventRecord(end, ways[0].stream), "timing");
    check(cudaEventSynchronize(end), "copying");
    check(cudaEventElapsedTime(&ms, start, end), "timing");
    return ms;
}

/* GB/s in each direction: the best of some rounds, because other programs may use the bus too. */
static double bus_rate(void)
{
    struct way ways[2] = {open_way(cudaMemcpyHostToDevice), open_way(cudaMemcpyDeviceToHost)};
    cudaEvent_t start, end;
    float ms[REPEATS_MIN];
    check(cudaEventCreate(&start), "timing");
    check(cudaEventCreate(&end), "timing");
    for (int i = -WARMUPS; i < REPEATS_MIN; i++)
        ms[i < 0 ? 0 : i] = time_both(ways, start, end);
    qsort(ms, REPEATS_MIN, sizeof ms[0], compare);
    close_way(&ways[0]);
    close_way(&ways[1]);
    return 1e-6 * (double)BUS_PIECE * BUS_PIECES / ms[0];
}

static void print_rate(double gbs, const cudaDeviceProp *device)
{
    printf("{\"value\":%.1f,\"unit\":\"GB/s\",\"how\":\"measured\",\"device\":\"%s\"}\n", gbs,
           device->name);
}

int main(int argc, char *argv[])
{
    size_t megabytes = argc > 1 ? strtoul(argv[1], NULL, 10) : 1024;
    cudaDeviceProp device;
    int which = 0;
    check(cudaGetDevice(&which), "no usable GPU");
    check(cudaGetDeviceProperties(&device, which), "no usable GPU");
    if (argc > 1 && strcmp(argv[1], "--bus") == 0) {
        print_rate(bus_rate(), &device);
        return 0;
    }

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
    print_rate(2e-6 * (double)bytes / ms, &device);
    cudaFree(from);
    cudaFree(to);
    return 0;
}
