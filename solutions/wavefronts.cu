/*
 * wavefronts.cu: patterns of access to shared memory, for solutions/counters. Each is a kernel of
 * one warp, in which every lane stores an element and loads one. The places are known only at run
 * time, so that no compiler can merge accesses. Prints the patterns' names in the order of the
 * kernels.
 */
#include <cuda_runtime.h>

#include <stdio.h>
#include <stdlib.h>

enum { LANES = 32, WORDS = LANES * 33 };

/* T is 4, 8 or 16 bytes; at[lane] is where a lane stores, at[LANES + lane] where it loads. */
template <typename T> __global__ void touch(const int *at, T *out)
{
    __shared__ T element[WORDS * sizeof(float) / sizeof(T)];
    element[at[threadIdx.x]] = out[threadIdx.x];
    __syncthreads(); /* all elements are there before anyone loads one */
    out[threadIdx.x] = element[at[LANES + threadIdx.x]];
}

/* Lane l stores element l * stride and loads element l / group * apart; in groups of one lane it
 * loads its neighbour's. `bytes` is the size of an element. */
struct pattern {
    int bytes, stride, group, apart;
    const char *name;
};

static const struct pattern patterns[] = {
    {4, 1, 1, 1, "4 bytes: stride 1"},
    {4, 2, 1, 2, "4 bytes: stride 2"},
    {4, 4, 1, 4, "4 bytes: stride 4"},
    {4, 8, 1, 8, "4 bytes: stride 8"},
    {4, 32, 1, 32, "4 bytes: stride 32 (a column)"},
    {4, 33, 1, 33, "4 bytes: stride 33 (a padded column)"},
    {4, 1, 32, 1, "4 bytes: all lanes load one"},
    {4, 1, 8, 1, "4 bytes: 8 lanes load one"},
    {8, 1, 1, 1, "8 bytes: stride 1"},
    {8, 2, 1, 2, "8 bytes: stride 2"},
    {8, 16, 1, 16, "8 bytes: stride 16 (a column)"},
    {8, 1, 32, 1, "8 bytes: all lanes load one"},
    {8, 1, 16, 1, "8 bytes: 16 lanes load one"},
    {8, 1, 4, 1, "8 bytes: 4 lanes load one"},
    {16, 1, 1, 1, "16 bytes: stride 1"},
    {16, 2, 1, 2, "16 bytes: stride 2"},
    {16, 8, 1, 8, "16 bytes: stride 8 (a column)"},
    {16, 1, 32, 1, "16 bytes: all lanes load one"},
    {16, 1, 16, 1, "16 bytes: 16 lanes load one"},
    {16, 1, 4, 1, "16 bytes: 4 lanes load one"},
};

/* Ends the program when a CUDA call failed. */
static void check(cudaError_t error)
{
    if (error == cudaSuccess) return;
    fprintf(stderr, "wavefronts: %s\n", cudaGetErrorString(error));
    exit(EXIT_FAILURE);
}

static void run(const struct pattern *pattern, int *d_at, void *d_out)
{
    int at[2 * LANES];
    for (int lane = 0; lane < LANES; lane++) {
        int neighbour = pattern->group == 1 ? lane ^ 1 : lane;
        at[lane] = lane * pattern->stride;
        at[LANES + lane] = neighbour / pattern->group * pattern->apart;
    }
    check(cudaMemcpy(d_at, at, sizeof at, cudaMemcpyHostToDevice));
    if (pattern->bytes == 4) touch<<<1, LANES>>>(d_at, (float *)d_out);
    if (pattern->bytes == 8) touch<<<1, LANES>>>(d_at, (float2 *)d_out);
    if (pattern->bytes == 16) touch<<<1, LANES>>>(d_at, (float4 *)d_out);
    check(cudaGetLastError());
    printf("%s\n", pattern->name);
}

int main(void)
{
    int *d_at;
    void *d_out;
    check(cudaMalloc((void **)&d_at, 2 * LANES * sizeof(int)));
    check(cudaMalloc(&d_out, LANES * sizeof(float4)));
    check(cudaMemset(d_out, 0, LANES * sizeof(float4)));
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        run(&patterns[i], d_at, d_out);
    check(cudaDeviceSynchronize());
    check(cudaFree(d_at));
    check(cudaFree(d_out));
}
