/*
 * scope-and-lifetime.cu: who shares a variable, and does it outlive the kernel? Every thread adds 1
 * to one variable of each kind. The largest value is the number of threads that share one copy of
 * it. A second launch shows which variables keep their values.
 *
 *   nvcc -O3 -o scope-and-lifetime scope-and-lifetime.cu
 */
#include "demo.h"

enum { BLOCKS = 100, THREADS = 512, LAUNCHES = 2, LENGTH = 64 };
enum kind { REGISTER, ARRAY, SHARED, DEVICE, CONSTANT, GLOBAL, KINDS };

__device__ int device_variable;
__constant__ int constant_variable;

/* Each thread sets its own variables to 0. One thread of a block sets the shared variable to 0.
 * most[k] gets the largest value of kind k. */
__global__ void add_one(int first, int *global, int *most)
{
    int in_register = 0;
    int array[LENGTH];
    __shared__ int shared;
    if (threadIdx.x == 0) shared = 0;
    __syncthreads();

    in_register++;
    for (int i = 0; i < LENGTH; i++)
        array[i] = 0;
    array[(first + threadIdx.x) %
          LENGTH]++; /* the compiler does not know the index: local memory */
    atomicAdd(&shared, 1);
    int seen[KINDS];
    seen[DEVICE] = atomicAdd(&device_variable, 1) + 1;
    seen[GLOBAL] = atomicAdd(global, 1) + 1;
    __syncthreads();

    seen[REGISTER] = in_register;
    seen[ARRAY] = array[(first + threadIdx.x) % LENGTH];
    seen[SHARED] = shared;
    seen[CONSTANT] = constant_variable; /* kernels can only read it */
    if (threadIdx.x == 0 || seen[DEVICE] % (BLOCKS * THREADS) == 0 ||
        seen[GLOBAL] % (BLOCKS * THREADS) == 0)
        for (int k = 0; k < KINDS; k++)
            atomicMax(&most[k], seen[k]);
}

int main()
{
    static const struct {
        const char *declared, *memory;
        int sharing; /* threads that share one copy */
        bool outlives;
    } kinds[KINDS] = {{"int v;", "register", 1, false},
                      {"int v[64];", "local", 1, false},
                      {"__shared__ int v;", "shared", THREADS, false},
                      {"__device__ int v;", "global", BLOCKS * THREADS, true},
                      {"__constant__ int v;", "constant", 0, true},
                      {"cudaMalloc(&v, ...)", "global", BLOCKS * THREADS, true}};
    int seven = 7, most[LAUNCHES][KINDS];
    int *d_global = demo_alloc<int>(1), *d_most = demo_alloc<int>(KINDS);
    MUST(cudaMemset(d_global, 0, sizeof *d_global));
    MUST(cudaMemcpyToSymbol(constant_variable, &seven, sizeof seven));
    for (int launch = 0; launch < LAUNCHES; launch++) {
        MUST(cudaMemset(d_most, 0, sizeof most[launch]));
        add_one<<<BLOCKS, THREADS>>>(1, d_global, d_most);
        MUST(cudaGetLastError());
        MUST(cudaMemcpy(most[launch], d_most, sizeof most[launch], cudaMemcpyDeviceToHost));
    }

    demo_heading("scope and lifetime");
    printf("<<<%d, %d>>>, twice; each thread adds 1\n", BLOCKS, THREADS);
    printf("declared             memory      copies   1st launch   2nd launch\n");
    for (int k = 0; k < KINDS; k++) {
        int threads = BLOCKS * THREADS, value = most[0][k];
        int copies = k == CONSTANT ? 1 : threads / value;
        printf("%-20s %-8s %9d %12d %12d\n", kinds[k].declared, kinds[k].memory, copies, value,
               most[1][k]);
        demo_require(value == (k == CONSTANT ? seven : kinds[k].sharing), kinds[k].declared);
        int left = kinds[k].outlives && k != CONSTANT ? value : 0;
        demo_require(most[1][k] == value + left, kinds[k].declared);
    }
    MUST(cudaFree(d_global));
    MUST(cudaFree(d_most));
    return EXIT_SUCCESS;
}
