/* span.cu: cuda::std::span and array in a kernel. With an argument, the view is longer than its
 * memory. */
#include <cuda/std/array>
#include <cuda/std/span>
__global__ void k(cuda::std::span<const float> x, cuda::std::span<float> y,
                  cuda::std::array<float, 2> c)
{
    size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < y.size()) y[i] = c[0] * x[i] + c[1]; // too-long
}
int main(int n, char **)
{
    float *x, *y, h[100] = {}, g[100];
    cudaMalloc(&x, sizeof h);
    cudaMalloc(&y, sizeof h);
    for (int i = 0; i < 100; i++)
        h[i] = i;
    cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
    cuda::std::array<float, 2> c = {2, 1};
    k<<<1, 128>>>(cuda::std::span<const float>(x, 100),
                  cuda::std::span<float>(y, n > 1 ? 200 : 100), c);
    cudaMemcpy(g, y, sizeof g, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(y);
    return g[99] != 199;
}
