/*
 * arithmetic.cu: how fast a GPU computes. It measures two rates for each kind of operation. The
 * first is how many an SM (streaming multiprocessor) does per clock when it is full of threads. The
 * second is how many clocks one takes when the SM has a single warp, whose threads have four in
 * flight. checker/gpu/profiles holds the rates; on the simulated GPU this program prints them
 * again.
 *
 *     nvcc -O3 -o arithmetic arithmetic.cu && ./arithmetic [STEPS]
 */
#include <cuda_runtime.h>

#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 512, BLOCKS = 4, SIDE_BY_SIDE = 4, REPEATS = 3 };
enum { LONGER = 64 };  /* times as many steps for a single warp, which is quick */
enum { AHEAD = 2048 }; /* steps of a first kernel, during which the host launches the next */

struct multiply_add {
    template <typename T> static __device__ T of(T a, T b, T c)
    {
        return a * b + c;
    }
};

struct divide {
    template <typename T> static __device__ T of(T a, T b, T c)
    {
        return c / (a + b);
    }
};

struct root {
    static __device__ float of(float a, float b, float)
    {
        return sqrtf(a + b);
    }
};

struct remain {
    template <typename T> static __device__ T of(T a, T b, T c)
    {
        return c % (a + b);
    }
};

/* Two conversions; they take longer than the product between them. */
struct through_double {
    static __device__ float of(float a, float, float)
    {
        return (float)(a * 1.0000001);
    }
};

template <typename T, typename Operation> __global__ void compute(int steps, T b, T c, T *out)
{
    T a[SIDE_BY_SIDE], sum = 0;
    for (int j = 0; j < SIDE_BY_SIDE; j++)
        a[j] = (T)(threadIdx.x + j + 1);
    for (int i = 0; i < steps; i++)
#pragma unroll
        for (int j = 0; j < SIDE_BY_SIDE; j++)
            a[j] = Operation::of(a[j], b, c);
    for (int j = 0; j < SIDE_BY_SIDE; j++)
        sum += a[j];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/* Ends the program when a CUDA call failed. */
static void check(cudaError_t error)
{
    if (error == cudaSuccess) return;
    fprintf(stderr, "arithmetic: %s\n", cudaGetErrorString(error));
    exit(EXIT_FAILURE);
}

static double attribute(cudaDeviceAttr name)
{
    int value;
    check(cudaDeviceGetAttribute(&value, name, 0));
    return value;
}

/* The shortest time of a grid, in seconds, for a number of steps. The GPU is still busy when the
 * host records the first event: so the time does not include any waiting for the host. */
template <typename T, typename Operation>
static double seconds(int blocks, int threads, int steps, T b, T c, T *out)
{
    cudaEvent_t start, end;
    float best = 0;
    check(cudaEventCreate(&start));
    check(cudaEventCreate(&end));
    for (int i = 0; i < REPEATS; i++) {
        float ms;
        compute<T, Operation><<<1, 32>>>(AHEAD, b, c, out);
        check(cudaGetLastError());
        check(cudaEventRecord(start));
        compute<T, Operation><<<blocks, threads>>>(steps, b, c, out);
        check(cudaGetLastError());
        check(cudaEventRecord(end));
        check(cudaEventSynchronize(end));
        check(cudaEventElapsedTime(&ms, start, end));
        if (i == 0 || ms < best) best = ms;
    }
    check(cudaEventDestroy(start));
    check(cudaEventDestroy(end));
    return 1e-3 * best;
}

/* Seconds per operation of a thread: the difference of two launches, so that the time of a launch
 * itself cancels out. */
template <typename T, typename Operation>
static double seconds_each(int blocks, int threads, int steps, T b, T c, T *out)
{
    double time = seconds<T, Operation>(blocks, threads, 3 * steps, b, c, out) -
                  seconds<T, Operation>(blocks, threads, steps, b, c, out);
    return time / (2.0 * steps * SIDE_BY_SIDE);
}

/* Prints an operation's rate. */
template <typename T, typename Operation>
static void measure(const char *name, int steps, double b, double c)
{
    double sms = attribute(cudaDevAttrMultiProcessorCount);
    double clocks = 1e3 * attribute(cudaDevAttrClockRate); /* per second */
    int blocks = (int)sms * BLOCKS;
    T *out;
    check(cudaMalloc(&out, sizeof *out * THREADS * blocks));
    double full = seconds_each<T, Operation>(blocks, THREADS, steps, (T)b, (T)c, out);
    double alone = seconds_each<T, Operation>(1, 32, LONGER * steps, (T)b, (T)c, out);
    printf("%-26s %7.2f per clock %6.1f clocks per warp\n", name,
           THREADS * BLOCKS / (full * clocks), alone * clocks);
    check(cudaFree(out));
}

int main(int argc, char *argv[])
{
    int steps = argc > 1 ? atoi(argv[1]) : 1024;
    if (argc > 2 || steps < 1) {
        fprintf(stderr, "usage: arithmetic [STEPS]\n");
        return EXIT_FAILURE;
    }
    measure<float, multiply_add>("float multiply-add", steps, 0.5, 0.25);
    measure<float, divide>("float /", steps, 1.5, 2.5);
    measure<float, root>("float sqrtf", steps, 1.5, 0);
    measure<double, multiply_add>("double multiply-add", steps, 0.5, 0.25);
    measure<double, divide>("double /", steps, 1.5, 2.5);
    measure<float, through_double>("float to double and back", steps, 0, 0);
    measure<int, divide>("int32 /", steps, 7, 1000000007);
    measure<int, remain>("int32 %", steps, 7, 1000000007);
    measure<unsigned, divide>("uint32 /", steps, 7, 4000000007.);
    measure<long long, divide>("int64 / below 2^32", steps, 7, 1000000007);
    measure<unsigned long long, divide>("uint64 / below 2^32", steps, 7, 1000000007);
    measure<long long, divide>("int64 / beyond", steps, 1e10, 1e18);
    measure<unsigned long long, divide>("uint64 / beyond", steps, 1e10, 1e18);
    return EXIT_SUCCESS;
}
