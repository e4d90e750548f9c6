/*
 * constant-memory.cu: a table read from constant memory and from global memory. In each step the
 * lanes of a warp read 1, 2, 4 ... 32 different words of it. The constant cache delivers one word
 * at a time, to all lanes that need it: more words take more passes. (The simulated GPU does not
 * model these passes.)
 *
 *   nvcc -O3 -o constant-memory constant-memory.cu
 */
#include "demo.h"

enum { WORDS = 256, STEPS = 256, THREADS = 256 };

__constant__ float constant_table[WORDS];

/* Lanes of one group of 32 / different read the same word. The words lie 7 apart. */
__device__ int word(int step, int different)
{
    return (step + threadIdx.x % different * 7) % WORDS;
}

__global__ void sum_constant(int different, float *sums)
{
    float sum = 0;
    for (int step = 0; step < STEPS; step++)
        sum += constant_table[word(step, different)];
    sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void sum_global(int different, const float *table, float *sums)
{
    float sum = 0;
    for (int step = 0; step < STEPS; step++)
        sum += table[word(step, different)];
    sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/* Every thread has read every word once. The words are whole numbers: their order does not matter.
 */
static void require_sums(const float *d_sums, int n)
{
    float *sums = (float *)malloc(n * sizeof *sums);
    MUST(cudaMemcpy(sums, d_sums, n * sizeof *sums, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        demo_require(sums[i] == WORDS * (WORDS - 1) / 2, "a sum of the table");
    free(sums);
}

int main()
{
    int blocks = simulated ? 2 : 132 * 8, n = blocks * THREADS;
    float table[WORDS], *d_table = demo_alloc<float>(WORDS), *d_sums = demo_alloc<float>(n);
    for (int i = 0; i < WORDS; i++)
        table[i] = (float)i;
    MUST(cudaMemcpyToSymbol(constant_table, table, sizeof table)); /* the symbol, not its address */
    MUST(cudaMemcpy(d_table, table, sizeof table, cudaMemcpyHostToDevice));

    demo_heading("constant memory");
    printf("different words   constant memory     global memory\n");
    printf("in a warp's step               us                us\n");
    for (int different = 1; different <= 32; different *= 2) {
        MUST(cudaMemset(d_sums, 0, n * sizeof *d_sums));
        double constant = demo_us([&] { sum_constant<<<blocks, THREADS>>>(different, d_sums); });
        require_sums(d_sums, n);
        MUST(cudaMemset(d_sums, 0, n * sizeof *d_sums));
        double global =
            demo_us([&] { sum_global<<<blocks, THREADS>>>(different, d_table, d_sums); });
        require_sums(d_sums, n);
        printf("%15d %17.1f %17.1f\n", different, constant, global);
    }
    demo_note("does not model the constant cache");
    MUST(cudaFree(d_table));
    MUST(cudaFree(d_sums));
    return EXIT_SUCCESS;
}
