/*
 * coalescing.cu: reads of global memory with a stride. Lane i reads element i * stride. One warp's
 * 32 loads are one request. It moves every sector of 32 bytes that they touch, even when they use
 * only some of its bytes.
 *
 *   nvcc -O3 -o coalescing coalescing.cu
 */
#include "demo.h"

enum { STRIDE_MAX = 32 };

__global__ void gather(unsigned n, unsigned stride, const float *x, float *y)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[(size_t)i * stride];
}

/* Sectors that one warp's 32 loads touch; the array begins at a sector boundary. */
static int sectors(unsigned stride)
{
    int touched = 0;
    for (unsigned lane = 0, last = ~0u; lane < 32; lane++) {
        unsigned sector = lane * stride * (unsigned)sizeof(float) / 32;
        touched += sector != last;
        last = sector;
    }
    return touched;
}

/* Element i is i mod 8191, so that nearby elements differ. */
__global__ void fill(size_t n, float *x)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        x[i] = (float)(i % 8191);
}

int main()
{
    unsigned n = simulated ? 1 << 20 : 1 << 24; /* elements read per row of the table */
    float *x = demo_alloc<float>((size_t)n * STRIDE_MAX), *y = demo_alloc<float>(n);
    float *result = (float *)malloc(n * sizeof *result);
    fill<<<simulated ? 264 : 1056, 256>>>((size_t)n * STRIDE_MAX, x);
    MUST(cudaGetLastError());

    demo_heading("coalescing");
    printf("stride   sectors   bytes used      time   read and used\n");
    printf("     per request    of those          us            GB/s\n");
    for (unsigned stride = 1; stride <= STRIDE_MAX; stride *= 2) {
        double us = demo_us([&] { gather<<<n / 256, 256>>>(n, stride, x, y); });
        MUST(cudaMemcpy(result, y, n * sizeof *result, cudaMemcpyDeviceToHost));
        for (unsigned i = 0; i < n; i++)
            demo_require(result[i] == (float)((size_t)i * stride % 8191), "a copied element");
        double used = 100.0 * 32 * sizeof(float) / (32 * sectors(stride));
        printf("%6u %9d %10.1f %% %9.1f %15.0f\n", stride, sectors(stride), used, us,
               sizeof(float) * 1e-3 * n / us);
    }
    free(result);
    MUST(cudaFree(x));
    MUST(cudaFree(y));
    return EXIT_SUCCESS;
}
