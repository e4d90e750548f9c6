/*
 * device-facts.cu: what a device reports about itself. The program tries one of the answers: a
 * block of the largest size runs, and a block with one more thread is refused.
 *
 *   nvcc -O3 -o device-facts device-facts.cu
 */
#include "demo.h"

__global__ void count(int *threads)
{
    atomicAdd(threads, 1);
}

static int attribute(cudaDeviceAttr which)
{
    int value;
    MUST(cudaDeviceGetAttribute(&value, which, 0));
    return value;
}

/* Launches one block of `threads` threads. Returns how many ran, or -1 when it was refused. */
static int threads_that_ran(int threads)
{
    int ran, *d_ran = demo_alloc<int>(1);
    MUST(cudaMemset(d_ran, 0, sizeof ran));
    count<<<1, threads>>>(d_ran);
    bool refused = cudaGetLastError() != cudaSuccess;
    MUST(cudaMemcpy(&ran, d_ran, sizeof ran, cudaMemcpyDeviceToHost));
    MUST(cudaFree(d_ran));
    return refused ? -1 : ran;
}

int main()
{
    cudaDeviceProp p;
    demo_heading("device facts");
    MUST(cudaGetDeviceProperties(&p, 0));
    int clock_khz = attribute(cudaDevAttrMemoryClockRate);
    double gbs = 2e3 * clock_khz * (p.memoryBusWidth / 8) * 1e-9; /* two transfers per clock */

    printf("compute capability               %9d.%d\n", p.major, p.minor);
    printf("streaming multiprocessors (SMs)  %11d\n", p.multiProcessorCount);
    printf("threads per SM / per block       %11d / %d\n", p.maxThreadsPerMultiProcessor,
           p.maxThreadsPerBlock);
    printf("registers per SM / per block     %11d / %d\n", p.regsPerMultiprocessor, p.regsPerBlock);
    printf("shared memory per SM / per block %8zu KB / %zu KB, at most %zu KB\n",
           p.sharedMemPerMultiprocessor / 1024, p.sharedMemPerBlock / 1024,
           p.sharedMemPerBlockOptin / 1024);
    printf("constant memory, L2              %8zu KB / %.0f MB\n", p.totalConstMem / 1024,
           p.l2CacheSize / 1048576.0);
    printf("global memory                    %8.1f GB\n", p.totalGlobalMem * 1e-9);
    printf("bus, memory clock, bandwidth     %8d bit, %.0f MHz, %.0f GB/s\n", p.memoryBusWidth,
           clock_khz * 1e-3, gbs);

    int most = p.maxThreadsPerBlock;
    demo_require(threads_that_ran(most) == most, "a block of the largest size");
    demo_require(threads_that_ran(most + 1) == -1, "a block too large");
    printf("a block of %4d threads          %s\n", most, "         ran");
    printf("a block of %4d threads          %s\n", most + 1, "     refused");
    return EXIT_SUCCESS;
}
