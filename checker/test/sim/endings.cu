/* endings.cu CASE: how a kernel may end. The line of a fault has the case's name.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__global__ void asserts(int *x)
{
    assert(x[threadIdx.x] == 0 && threadIdx.x < 5); // assert
}

__global__ void divides(int *x, int by)
{
    *x = 7 / by; // divide
}

__global__ void stores(int *x)
{
    x[1] = 7; // store
}

__global__ void allocates(int **x)
{
    *x = (int *)malloc(4);
}

__global__ void creates(int **x)
{
    *x = new int[4];
}

int main(int argc, char *argv[])
{
    int *x, local = 0;
    const char *name = argc > 1 ? argv[1] : "none";
    auto is = [&](const char *wanted) { return strcmp(name, wanted) == 0; };
    cudaMalloc(&x, 64);
    cudaMemset(x, 0, 64);
    if (is("assert")) asserts<<<1, 8>>>(x);
    if (is("divide")) divides<<<1, 1>>>(x, local);
    if (is("null")) stores<<<1, 1>>>(nullptr);
    if (is("host")) stores<<<1, 1>>>(&local);
    if (is("malloc")) allocates<<<1, 1>>>((int **)x);
    if (is("new")) creates<<<1, 1>>>((int **)x);
    if (is("none")) stores<<<1, 1>>>(x);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaFree(x);
    return 0;
}
