/*
 * occupancy.cu: registers limit how many blocks fit on an SM (streaming multiprocessor). The first
 * table is calculated, for blocks of 256 threads: one register too many costs two blocks. For the
 * second one, __launch_bounds__ asks the compiler for a number of blocks per SM. (The simulated GPU
 * only estimates registers.)
 *
 *   nvcc -O3 -o occupancy occupancy.cu
 */
#include "demo.h"

enum { THREADS = 256, VALUES = 48 };

/* A warp gets registers in units of 256, from one of four equal parts of the SM's register file. */
static int blocks_by_registers(const cudaDeviceProp *sm, int registers)
{
    int a_warp = (32 * registers + 255) / 256 * 256;
    int warps = 4 * (sm->regsPerMultiprocessor / 4 / a_warp);
    int blocks = warps / (THREADS / 32), most = sm->maxThreadsPerMultiProcessor / THREADS;
    return blocks < most ? blocks : most;
}

/* Needs many values at the same time. Those for which the compiler gives no register go to local
 * memory. */
template <int BLOCKS>
__global__ void __launch_bounds__(THREADS, BLOCKS) keep(const float *x, float *y)
{
    size_t first = ((size_t)blockIdx.x * VALUES) * THREADS + threadIdx.x;
    float value[VALUES], sum = 0;
#pragma unroll
    for (int i = 0; i < VALUES; i++)
        value[i] = x[first + i * THREADS];
#pragma unroll
    for (int i = 0; i < VALUES; i++)
        sum += value[i] * value[VALUES - 1 - i];
#pragma unroll
    for (int i = 0; i < VALUES; i++)
        y[first + i * THREADS] = value[i] + sum;
}

template <int BLOCKS>
static void row(const cudaDeviceProp *sm, unsigned blocks, const float *x, float *y)
{
    cudaFuncAttributes of;
    int held;
    size_t n = (size_t)blocks * VALUES * THREADS;
    MUST(cudaFuncGetAttributes(&of, keep<BLOCKS>));
    MUST(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&held, keep<BLOCKS>, THREADS, 0));
    double us = demo_us([&] { keep<BLOCKS><<<blocks, THREADS>>>(x, y); });
    float some[THREADS];
    MUST(cudaMemcpy(some, y + n - THREADS, sizeof some, cudaMemcpyDeviceToHost));
    for (int i = 0; i < THREADS; i++) /* all x are 1 */
        demo_require(some[i] == 1 + VALUES, "a sum of products");
    if (simulated) {
        printf("    at least %d          -         -      - %17.1f\n", BLOCKS, us);
        return;
    }
    demo_require(held == blocks_by_registers(sm, of.numRegs), "blocks by registers");
    printf("    at least %d %10d %9zu %6d %17.1f\n", BLOCKS, of.numRegs, of.localSizeBytes, held,
           us);
}

__global__ void fill(size_t n, float *x)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = 1;
}

int main()
{
    static const int registers[] = {32, 33, 40, 41, 64, 65};
    unsigned blocks = simulated ? 2 : 132 * 64;
    size_t n = (size_t)blocks * VALUES * THREADS;
    float *x = demo_alloc<float>(n), *y = demo_alloc<float>(n);
    cudaDeviceProp sm;
    MUST(cudaGetDeviceProperties(&sm, 0));
    fill<<<(unsigned)((n + 255) / 256), 256>>>(n, x);
    MUST(cudaGetLastError());

    demo_heading("occupancy");
    printf("registers per thread:  %5d %5d %5d %5d %5d %5d\n", 32, 33, 40, 41, 64, 65);
    printf("  registers per warp:  ");
    for (int r : registers)
        printf(" %5d", (32 * r + 255) / 256 * 256);
    printf("\n  blocks of 256 held:  ");
    for (int r : registers)
        printf(" %5d", blocks_by_registers(&sm, r));
    printf("\n  occupancy, %%:        ");
    for (int r : registers)
        printf(" %5d",
               100 * THREADS * blocks_by_registers(&sm, r) / sm.maxThreadsPerMultiProcessor);
    printf("\nblocks, bounds  registers  local bytes  held   time, us\n");
    row<1>(&sm, blocks, x, y);
    row<4>(&sm, blocks, x, y);
    row<6>(&sm, blocks, x, y);
    row<8>(&sm, blocks, x, y);
    demo_note("only estimates registers, and so prints none");
    MUST(cudaFree(x));
    MUST(cudaFree(y));
    return EXIT_SUCCESS;
}
