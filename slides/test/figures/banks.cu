/*
 * banks.cu: the access patterns of the figure `banks`, for the simulated GPU to count:
 * `banks BYTES ELEMENT0 ... ELEMENT31 ...` runs one kernel for each group, in which lane i loads
 * element i's place of shared memory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

template <typename T> __global__ void load(const int *element, int elements, float *sum)
{
    extern __shared__ float4 memory[];
    float *words = (float *)memory;
    for (int i = threadIdx.x; i < elements * (int)(sizeof(T) / 4); i += 32)
        words[i] = 0;
    __syncthreads();
    T value = ((const T *)memory)[element[threadIdx.x]];
    float all = 0; /* a compiler would not load words that nothing uses */
    for (int i = 0; i < (int)(sizeof(T) / 4); i++)
        all += ((const float *)&value)[i];
    if (all < 0) *sum = 1; /* never: all are zero */
}

int main(int argc, char *argv[])
{
    int element[32], *d_element;
    float *sum;
    cudaMalloc((void **)&d_element, sizeof element);
    cudaMalloc((void **)&sum, sizeof *sum);
    for (int at = 1; at + 32 < argc; at += 33) {
        int bytes = atoi(argv[at]), most = 0;
        for (int i = 0; i < 32; i++) {
            element[i] = atoi(argv[at + 1 + i]);
            if (element[i] > most) most = element[i];
        }
        size_t shared = (size_t)(most + 1) * bytes;
        cudaMemcpy(d_element, element, sizeof element, cudaMemcpyHostToDevice);
        if (bytes == 4) load<float><<<1, 32, shared>>>(d_element, most + 1, sum);
        if (bytes == 8) load<float2><<<1, 32, shared>>>(d_element, most + 1, sum);
        if (bytes == 16) load<float4><<<1, 32, shared>>>(d_element, most + 1, sum);
        cudaDeviceSynchronize();
    }
    cudaFree(d_element);
    cudaFree(sum);
}
