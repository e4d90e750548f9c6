/* arithmetic.cu: what kernels compute; sim_engine.bats knows how much that is. */
#include <cstdio>
#include <cuda_runtime.h>

/* Each of the first `lanes` threads of a block does n steps. */
__global__ void floats(int n, int lanes, const float *x, float *y)
{
    float sum = 0;
    if (threadIdx.x < lanes)
        for (int j = 0; j < n; j++)
            sum += 3.0f * x[j]; // floats
    y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void doubles(int n, const float *x, float *y)
{
    float sum = 0;
    for (int j = 0; j < n; j++)
        sum += 0.1 * x[j]; // doubles
    y[threadIdx.x] = 2.0 * sum; // as float
}

__global__ void divisions(int n, int width, size_t length, const float *x, float *y)
{
    int sum = 0;
    for (int j = 0; j < n; j++)
        sum += (int)x[j / width] + (int)x[j % width]; // divisions
    for (size_t j = 0; j < n; j++)
        sum += (int)x[j / 7] ^ (int)x[j % length]; // long divisions
    y[threadIdx.x] = sum;
}

__global__ void others(size_t count, const float *x, float *y)
{
    float a = x[0] / x[1];
    double b = count; // one way or the other
    y[threadIdx.x] = fmaf(a, a, sqrtf(a)) + __expf(a);
    y[threadIdx.x] = b / x[1] - (double)a;
}

/* Threads wait for each other in the middle of what they compute. */
__global__ void together(int n, float *y)
{
    __shared__ float s[64];
    for (int j = 0; j < n; j++) {
        __syncthreads();
        s[threadIdx.x] = j - 0.5f; // before
        __syncthreads();
        y[threadIdx.x] = s[63 - threadIdx.x] * s[threadIdx.x]; // behind
    }
}

int main()
{
    float *x, *y;
    cudaMalloc(&x, 4096 * sizeof(float));
    cudaMalloc(&y, 16384 * sizeof(float));
    cudaMemset(x, 0, 4096 * sizeof(float));
    floats<<<1, 40>>>(7, 40, x, y);
    floats<<<1, 64>>>(7, 5, x, y);
    doubles<<<1, 32>>>(10, x, y);
    divisions<<<1, 32>>>(10, 3, 3, x, y);
    others<<<1, 1>>>(9, x, y);
    together<<<1, 64>>>(100, y);
    floats<<<64, 256>>>(300, 256, x, y);
    cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    cudaFree(x);
    cudaFree(y);
}
