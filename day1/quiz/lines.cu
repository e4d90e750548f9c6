/*
 * lines.cu: functions with one wrong line each, for the quiz. The simulated GPU reports the line. A
 * question shows the function with numbered lines, and its answer is the number that was reported.
 */
#include <cuda_runtime.h>

#include <stdio.h>

__global__ void mirror(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    y[t] = s[64 - t];
}

__global__ void count_positive(int n, const float *x, int *count)
{
    int i = threadIdx.x;
    if (i >= n) return;
    if (x[i] > 0) *count = *count + 1;
}

__global__ void block_sum(const float *x, float *sum)
{
    __shared__ float total;
    int t = threadIdx.x;
    atomicAdd(&total, x[t]);
    __syncthreads();
    if (t == 0) *sum = total;
}

__global__ void differences(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    if (t > 0) {
        __syncthreads();
        y[t] = s[t] - s[t - 1];
    }
    __syncthreads();
    if (t == 0) y[0] = s[0];
}

__global__ void sum_of_16(float *x)
{
    int lane = threadIdx.x % 16;
    float sum = x[threadIdx.x];
    for (int step = 8; step > 0; step /= 2)
        sum += __shfl_down_sync(0x0000ffff, sum, step, 16);
    if (lane == 0) x[threadIdx.x] = sum;
}

__global__ void sums_of_four(const float *x, float *y)
{
    int t = threadIdx.x;
    const float4 *here = (const float4 *)(x + 4 * t);
    const float4 *next = (const float4 *)(x + 4 * t + 1);
    float4 a = *here;
    float4 b = *next;
    y[t] = a.x + a.y + b.x + b.y;
}

__global__ void add_one(int n, float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = x[i] + 1;
}

static void bring_back(int n, float *x_gpu, float *x)
{
    add_one<<<1, n>>>(n, x_gpu);
    cudaMemcpy(x, x_gpu, n * sizeof(float), cudaMemcpyHostToDevice);
}

static float two_streams(int n, float *x_gpu, float *x, cudaStream_t one, cudaStream_t two)
{
    cudaMemcpyAsync(x_gpu, x, n * sizeof(float), cudaMemcpyHostToDevice, one);
    add_one<<<n / 256, 256, 0, two>>>(n, x_gpu);
    cudaMemcpyAsync(x, x_gpu, n * sizeof(float), cudaMemcpyDeviceToHost, two);
    cudaDeviceSynchronize();
    return x[0];
}

static float first_result(int n, float *x_gpu, float *x, cudaStream_t stream)
{
    add_one<<<n / 256, 256, 0, stream>>>(n, x_gpu);
    cudaMemcpyAsync(x, x_gpu, n * sizeof(float), cudaMemcpyDeviceToHost, stream);
    float first = x[0];
    cudaStreamSynchronize(stream);
    return first;
}

/* The last kernel stops the GPU's work, as it does on a real GPU. */
int main(void)
{
    const int n = 1024;
    int *count;
    float *pinned, *x, *y;
    cudaStream_t one, two;
    cudaStreamCreate(&one);
    cudaStreamCreate(&two);
    cudaMallocHost((void **)&pinned, n * sizeof *pinned);
    cudaMalloc((void **)&x, n * sizeof *x);
    cudaMalloc((void **)&y, n * sizeof *y);
    cudaMalloc((void **)&count, sizeof *count);
    for (int i = 0; i < n; i++)
        pinned[i] = i;
    cudaMemcpy(x, pinned, n * sizeof *x, cudaMemcpyHostToDevice);
    cudaMemset(count, 0, sizeof *count);

    count_positive<<<1, 64>>>(64, x, count);
    block_sum<<<1, 64>>>(x, y);
    differences<<<1, 64>>>(x, y);
    sum_of_16<<<1, 32>>>(x);
    cudaDeviceSynchronize();
    printf("sum %g\n", two_streams(n, x, pinned, one, two));
    printf("first %g\n", first_result(n, x, pinned, one));
    cudaDeviceSynchronize();
    bring_back(n, x, pinned);
    mirror<<<1, 64>>>(x, y);
    cudaDeviceSynchronize();
    sums_of_four<<<1, 32>>>(x, y);
    cudaDeviceSynchronize();
    return 0;
}
