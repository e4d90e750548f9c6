/*
 * accesses.cu: one warp's accesses to memory, for the quiz. The simulated GPU counts them. A
 * question's answer refers to a line by the remark at its end.
 */
#include <cuda_runtime.h>

__global__ void global_memory(const float *x, float *y)
{
    int t = threadIdx.x;
    float a = x[t];     /* neighbours */
    float b = x[t + 1]; /* one off */
    float c = x[2 * t]; /* every second */
    float d = x[8 * t]; /* every eighth */
    float e = x[0];     /* the same */
    y[t] = a + b + c + d + e;
}

__global__ void vectors(const float4 *x, float *y)
{
    float4 f = x[threadIdx.x]; /* float4 */
    y[threadIdx.x] = f.x + f.y + f.z + f.w;
}

__global__ void shared_memory(float *y)
{
    __shared__ float s[32 * 33];
    int t = threadIdx.x;
    for (int i = t; i < 32 * 33; i += 32)
        s[i] = i;
    __syncthreads();
    float a = s[2 * t];  /* stride 2 */
    float b = s[32 * t]; /* stride 32 */
    float c = s[33 * t]; /* stride 33 */
    float d = s[5];      /* broadcast */
    y[t] = a + b + c + d;
}

int main(void)
{
    float *x, *y;
    cudaMalloc((void **)&x, 1024 * sizeof *x);
    cudaMalloc((void **)&y, 32 * sizeof *y);
    cudaMemset(x, 0, 1024 * sizeof *x);
    global_memory<<<1, 32>>>(x, y);
    vectors<<<1, 32>>>((const float4 *)x, y);
    shared_memory<<<1, 32>>>(y);
    cudaError_t error = cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(y);
    return error == cudaSuccess ? 0 : 1;
}
