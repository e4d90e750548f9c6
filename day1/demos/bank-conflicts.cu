/*
 * bank-conflicts.cu: reads of shared memory with a stride. Lane i reads word i * stride, again and
 * again. Shared memory has 32 banks, and word w is in bank w mod 32. A bank delivers one word per
 * wavefront, so lanes that need different words of one bank wait for each other.
 *
 *   nvcc -O3 -o bank-conflicts bank-conflicts.cu
 */
#include "demo.h"

enum { WORDS = 2048, THREADS = 256 };

__global__ void read(int stride, int steps, int *sums)
{
    __shared__ int words[WORDS];
    for (int i = threadIdx.x; i < WORDS; i += THREADS)
        words[i] = i;
    __syncthreads();
    unsigned at = threadIdx.x % 32 * stride;
    int sum = 0;
    for (int step = 0; step < steps; step++) {
        sum += words[at]; /* the timed read */
        at = (at + 1) % WORDS;
    }
    sums[blockIdx.x * THREADS + threadIdx.x] = sum;
}

/* Wavefronts of one warp's read: the largest number of words that it needs from one bank. */
static int wavefronts(int stride)
{
    int wanted[32] = {0}, most = 0;
    for (int lane = 0; lane < 32; lane++)
        wanted[lane * stride % 32]++;
    for (int bank = 0; bank < 32; bank++)
        most = wanted[bank] > most ? wanted[bank] : most;
    return most;
}

static void require_sums(const int *d_sums, int n, int stride, int steps)
{
    int *sums = (int *)malloc(n * sizeof *sums);
    MUST(cudaMemcpy(sums, d_sums, n * sizeof *sums, cudaMemcpyDeviceToHost));
    for (int lane = 0; lane < 32; lane++) {
        int sum = 0;
        for (int step = 0; step < steps; step++)
            sum += (lane * stride + step) % WORDS;
        for (int i = lane; i < n; i += 32)
            demo_require(sums[i] == sum, "a sum of shared words");
    }
    free(sums);
}

int main()
{
    static const int strides[] = {1, 2, 3, 4, 8, 16, 31, 32, 33};
    int blocks = simulated ? 2 : 132 * 8, steps = simulated ? 2048 : 4096, n = blocks * THREADS;
    int *d_sums = demo_alloc<int>(n);
    double first = 0;

    demo_heading("bank conflicts");
    printf("stride wavefronts per request     time   times stride 1\n");
    printf("                                    us\n");
    for (size_t i = 0; i < sizeof strides / sizeof *strides; i++) {
        int stride = strides[i];
        MUST(cudaMemset(d_sums, 0, n * sizeof *d_sums));
        double us = demo_us([&] { read<<<blocks, THREADS>>>(stride, steps, d_sums); });
        require_sums(d_sums, n, stride, steps);
        if (i == 0) first = us;
        printf("%6d %21d %9.1f %16.1f\n", stride, wavefronts(stride), us, us / first);
    }
    MUST(cudaFree(d_sums));
    return EXIT_SUCCESS;
}
