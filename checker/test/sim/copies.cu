/*
 * copies.cu: asynchronous copies to shared memory: the right way ("right"), and one mistake a
 * kernel, chosen by the first argument. Prints how the wait for it ended, and "as expected" when
 * the results are right.
 */
#include <cstdio>
#include <cstring>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

const int THREADS = 64, STEPS = 4;

/* y[t] <- the sum over four batches of the mirror thread's element, with two batches under way */
__global__ void right(const float *x, float *y)
{
    __shared__ float s[2][THREADS];
    const int t = threadIdx.x;
    float sum = 0;
    __pipeline_memcpy_async(&s[0][t], &x[t], sizeof(float));
    __pipeline_commit();
    for (int i = 0; i < STEPS; i++) {
        if (i + 1 < STEPS)
            __pipeline_memcpy_async(&s[(i + 1) % 2][t], &x[(i + 1) * THREADS + t], 4);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        sum += s[i % 2][THREADS - 1 - t];
        __syncthreads();
    }
    y[t] = sum;
}

/* 4, 8 and 16 bytes; what lies past the end of x is not read but zero */
__global__ void sizes(const float *x, float *y, int n)
{
    __shared__ float4 s[THREADS];
    const int first = 4 * threadIdx.x;
    const int left = n - first < 0 ? 0 : n - first > 4 ? 4 : n - first;
    __pipeline_memcpy_async(&s[threadIdx.x], x + first, 16, 16 - 4 * left);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    y[threadIdx.x] = s[threadIdx.x].x + s[threadIdx.x].y + s[threadIdx.x].z + s[threadIdx.x].w;
    float *numbers = (float *)s;
    __syncthreads();
    __pipeline_memcpy_async(&numbers[2 * threadIdx.x], x + 2 * threadIdx.x, 8);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    y[threadIdx.x] += numbers[2 * threadIdx.x + 1];
}

__global__ void not_awaited(const float *x, float *y)
{
    __shared__ float s[THREADS];
    __pipeline_memcpy_async(&s[threadIdx.x], &x[threadIdx.x], 4);
    __pipeline_commit();
    __syncthreads();
    y[threadIdx.x] = s[threadIdx.x]; // not-awaited
}

__global__ void not_committed(const float *x, float *y)
{
    __shared__ float s[THREADS];
    __pipeline_memcpy_async(&s[threadIdx.x], &x[threadIdx.x], 4);
    __pipeline_wait_prior(0);
    __syncthreads();
    y[threadIdx.x] = s[threadIdx.x]; // not-committed
}

__global__ void one_too_few(const float *x, float *y)
{
    __shared__ float s[2][THREADS];
    __pipeline_memcpy_async(&s[0][threadIdx.x], &x[threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_memcpy_async(&s[1][threadIdx.x], &x[THREADS + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    y[threadIdx.x] = s[0][threadIdx.x];
    y[threadIdx.x] += s[1][threadIdx.x]; // one-too-few
}

__global__ void no_barrier(const float *x, float *y)
{
    __shared__ float s[THREADS];
    __pipeline_memcpy_async(&s[threadIdx.x], &x[threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    y[threadIdx.x] = s[THREADS - 1 - threadIdx.x]; // no-barrier
}

__global__ void too_soon(const float *x, float *y)
{
    __shared__ float s[THREADS];
    s[threadIdx.x] = 1;
    __syncthreads();
    y[threadIdx.x] = s[THREADS - 1 - threadIdx.x];
    __pipeline_memcpy_async(&s[threadIdx.x], &x[threadIdx.x], 4); // too-soon
    __pipeline_commit();
    __pipeline_wait_prior(0);
}

__global__ void too_small(const float *x, float *y)
{
    __shared__ float s[THREADS / 2];
    __pipeline_memcpy_async(&s[threadIdx.x], &x[threadIdx.x], 4); // too-small
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    y[threadIdx.x] = s[threadIdx.x / 2];
}

int main(int, char *argv[])
{
    const char *which = argv[1];
    const int n = STEPS * THREADS;
    float host[n], *x, *y;
    for (int i = 0; i < n; i++)
        host[i] = (float)i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, THREADS * sizeof(float));
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    if (!strcmp(which, "right")) right<<<1, THREADS>>>(x, y);
    if (!strcmp(which, "sizes")) sizes<<<1, THREADS>>>(x, y, 253);
    if (!strcmp(which, "not-awaited")) not_awaited<<<2, THREADS>>>(x, y);
    if (!strcmp(which, "not-committed")) not_committed<<<1, THREADS>>>(x, y);
    if (!strcmp(which, "one-too-few")) one_too_few<<<1, THREADS>>>(x, y);
    if (!strcmp(which, "no-barrier")) no_barrier<<<1, THREADS>>>(x, y);
    if (!strcmp(which, "too-soon")) too_soon<<<1, THREADS>>>(x, y);
    if (!strcmp(which, "too-small")) too_small<<<1, THREADS>>>(x, y);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaMemcpy(host, y, THREADS * sizeof(float), cudaMemcpyDeviceToHost);
    bool good = true;
    for (int t = 0; t < THREADS && !strcmp(which, "right"); t++)
        good = good && host[t] == STEPS * (THREADS - 1 - t) + 64 + 128 + 192;
    for (int t = 0; t < THREADS - 1 && !strcmp(which, "sizes"); t++)
        good = good && host[t] == 16 * t + 6 + 2 * t + 1;
    if (!strcmp(which, "sizes")) good = good && host[THREADS - 1] == 252 + 127;
    if (good && (!strcmp(which, "right") || !strcmp(which, "sizes"))) printf("as expected\n");
    cudaFree(x);
    cudaFree(y);
    return 0;
}
