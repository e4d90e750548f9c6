/*
 * divergence.cu: a branch with many ways, chosen by the lane or by the warp. A warp executes one
 * way at a time. When its lanes take different ways, the warp executes them one after the other.
 * When all lanes of a warp take the same way, the branch costs nothing extra.
 *
 *   nvcc -O3 -o divergence divergence.cu
 */
#include "demo.h"

enum { WORDS = 256, STEPS = 64, THREADS = 1024 };

/* The work of one way: dependent steps, each with one load from a small table. */
__device__ float work(const float *table, int way, float value)
{
    for (int step = 0; step < STEPS; step++)
        value = 0.5f * value + table[(step + way) % WORDS]; /* the load of a way */
    return value;
}

/* Lane i, or warp i, takes way i mod `ways`. */
__global__ void __launch_bounds__(THREADS)
    branch(int ways, bool by_lane, const float *table, float *results)
{
    int chooser = by_lane ? threadIdx.x % 32 : threadIdx.x / 32;
    float value = 1;
    for (int way = 0; way < ways; way++)
        if (chooser % ways == way) value = work(table, way, value);
    results[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

/* Compares with the CPU's results. Halving and adding whole numbers loses hardly any precision. */
static void require_results(const float *d_results, const float *table, int n, int ways,
                            bool by_lane)
{
    float *results = (float *)malloc(n * sizeof *results);
    MUST(cudaMemcpy(results, d_results, n * sizeof *results, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) {
        int thread = i % THREADS, way = (by_lane ? thread % 32 : thread / 32) % ways;
        double value = 1;
        for (int step = 0; step < STEPS; step++)
            value = 0.5 * value + table[(step + way) % WORDS];
        demo_require(fabs(results[i] - value) <= 1e-5 * fabs(value), "a thread's result");
    }
    free(results);
}

int main()
{
    int blocks = simulated ? 2 : 132 * 8, n = blocks * THREADS;
    float table[WORDS], *d_table = demo_alloc<float>(WORDS), *d_results = demo_alloc<float>(n);
    for (int i = 0; i < WORDS; i++)
        table[i] = (float)i;
    MUST(cudaMemcpy(d_table, table, sizeof table, cudaMemcpyHostToDevice));

    demo_heading("divergence");
    printf("ways  ways of one warp      by lane     by warp   lane / warp\n");
    printf("      by lane    by warp         us          us\n");
    for (int ways = 1; ways <= 32; ways *= 2) {
        double us[2];
        for (int by_lane = 0; by_lane < 2; by_lane++) {
            MUST(cudaMemset(d_results, 0, n * sizeof *d_results));
            us[by_lane] =
                demo_us([&] { branch<<<blocks, THREADS>>>(ways, by_lane, d_table, d_results); });
            require_results(d_results, table, n, ways, by_lane);
        }
        printf("%4d %8d %10d %11.1f %11.1f %13.1f\n", ways, ways, 1, us[1], us[0], us[1] / us[0]);
    }
    MUST(cudaFree(d_table));
    MUST(cudaFree(d_results));
    return EXIT_SUCCESS;
}
