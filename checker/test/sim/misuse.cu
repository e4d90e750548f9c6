/* misuse.cu CASE: one fault of the host at a time. The line concerned bears the case's name. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__global__ void add(int n, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += 1;
}

__device__ float weights[4];

static void run_case(const char *name)
{
    const int n = 100;
    float host[n], *device, *other;
    memset(host, 0, sizeof host);
    cudaMalloc(&device, sizeof host); // leak
    cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
    auto is = [&](const char *wanted) { return strcmp(name, wanted) == 0; };

    if (is("leak")) return;
    if (is("gave-up")) exit(1);
    if (is("reset")) {
        cudaDeviceReset();
        return;
    }
    if (is("read")) printf("%f\n", device[7]);           // read
    if (is("write")) device[7] = 1;                      // write
    if (is("through-library")) memcpy(host, device, 40); // through-library
    if (is("direction")) cudaMemcpy(host, device, sizeof host, cudaMemcpyHostToDevice); // direction
    if (is("too-long"))
        cudaMemcpy(host, device, 4 * sizeof host, cudaMemcpyDeviceToHost);  // too-long
    if (is("set-too-long")) cudaMemset(device + 1, 0, sizeof host);         // set-too-long
    if (is("set-host")) cudaMemset(host, 0, sizeof host);                   // set-host
    if (is("symbol-too-long")) cudaMemcpyToSymbol(weights, host, 20);       // symbol-too-long
    if (is("null")) cudaMemcpy(device, nullptr, 4, cudaMemcpyHostToDevice); // null
    if (is("inside")) cudaFree(device + 1);                                 // inside
    if (is("foreign")) cudaFree(host);                                      // foreign
    if (is("pinned")) {
        cudaMallocHost(&other, 4);
        cudaFree(other); // pinned
        cudaFreeHost(other);
    }
    if (is("assert")) abort();
    cudaFree(device);
    if (is("twice")) cudaFree(device);                                         // twice
    if (is("freed-copy")) cudaMemcpy(host, device, 4, cudaMemcpyDeviceToHost); // freed-copy
    if (is("freed-read")) printf("%f\n", device[0]);                           // freed-read
}

int main(int argc, char *argv[])
{
    run_case(argc > 1 ? argv[1] : "none");
    return 0;
}
