/* faults.cu: one fault a kernel, chosen by the first argument; prints how the wait for it ended. */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

__global__ void past_end(float *x, int n)
{
    x[threadIdx.x + n - 31] = 1; // past-end
}

__global__ void reads(const float *x, float *y)
{
    y[threadIdx.x] = x[threadIdx.x]; // reads
}

__global__ void same_place(float *x)
{
    x[0] = (float)threadIdx.x; // same-place
}

__global__ void last_writes(float *x)
{
    x[1 + blockIdx.x] = x[0];
    if (blockIdx.x == 2) x[0] = 1; // last-writes
}

__global__ void all_sum(float *x)
{
    x[0] += 1; // all-sum
}

__global__ void through_barrier(float *x, float *y)
{
    x[threadIdx.x] = (float)threadIdx.x;
    __syncthreads();
    y[threadIdx.x] = x[blockDim.x - 1 - threadIdx.x];
}

__global__ void neighbour(float *x)
{
    __shared__ float s[64];
    s[threadIdx.x] = (float)threadIdx.x;
    x[threadIdx.x] = s[63 - threadIdx.x]; // neighbour
}

__global__ void neighbour_in_time(float *x)
{
    __shared__ float s[64];
    s[threadIdx.x] = (float)threadIdx.x;
    __syncthreads();
    x[threadIdx.x] = s[63 - threadIdx.x];
}

__global__ void unwritten_shared(float *x)
{
    __shared__ float s[64];
    if (threadIdx.x > 0) s[threadIdx.x] = 1;
    __syncthreads();
    x[threadIdx.x] = s[threadIdx.x]; // unwritten-shared
}

__global__ void misaligned(char *x)
{
    *(float *)(x + 1) = 1; // misaligned
}

/* A shared array begins where its own alignment allows: here after an int. */
__global__ void misaligned_array(int *x)
{
    __shared__ int one, row[64];
    row[threadIdx.x] = one = x[threadIdx.x];
    __syncthreads();
    int4 v = ((int4 *)row)[threadIdx.x]; // misaligned-array
    x[threadIdx.x] = v.x + v.y + one;
}

__global__ void atomics(int *x)
{
    atomicAdd(x, 1);
}

/* Two threads in two blocks publish their parts; the one that comes later adds up both. */
__global__ void publishes(volatile float *parts, unsigned *done, float *sum)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    parts[2 * i + blockIdx.y] = 1;
    __threadfence();
    if (atomicAdd(&done[i], 1) == 1) sum[i] = parts[2 * i] + parts[2 * i + 1];
}

__device__ int lock;
__device__ float few[8];
__device__ float total;
__constant__ float fewer[4] = {1, 2, 3, 4};

/* One thread a block, one after another. */
__global__ void in_turn(float *sum)
{
    while (atomicCAS(&lock, 0, 1) != 0)
        continue;
    __threadfence();
    *sum += 1;
    __threadfence();
    atomicExch(&lock, 0);
}

/* The block that comes last overwrites what all have read, and puts the counter back. */
__global__ void last_overwrites(float *x, unsigned *done)
{
    x[1 + blockIdx.x] = x[0];
    __threadfence();
    if (threadIdx.x == 0 && atomicAdd(done, 1) == gridDim.x - 1) x[0] = *done = 0;
}

/* A thread's own atomic is not enough when other threads take one as well. */
__global__ void resets_early(unsigned *done)
{
    atomicAdd(done, 1);
    if (threadIdx.x == 31) *done = 0; // resets-early
}

__global__ void resets_shared()
{
    __shared__ unsigned count;
    count = 0;
    __syncthreads();
    atomicAdd(&count, 1);
    if (threadIdx.x == 31) count = 0; // resets-shared
}

/* It is when no other thread does, before the next barrier. */
__global__ void resets_alone(unsigned *done)
{
    __shared__ unsigned count;
    count = 0;
    __syncthreads();
    unsigned before = threadIdx.x == 5 ? atomicAdd(&count, 1) : 0;
    __syncwarp();
    if (threadIdx.x == 5 && before + atomicAdd(&count, 1) == 1) count = 0;
    __syncthreads();
    if (threadIdx.x == 7 && atomicAdd(done, count) == 0) *done += 1;
    __syncthreads();
    atomicAdd(done, 1);
}

__global__ void adds_to_variable()
{
    total += 1; // adds-to-variable
}

__global__ void past_variable(int n)
{
    few[n + threadIdx.x] = 1; // past-variable
}

__global__ void past_constant(float *y, int n)
{
    y[threadIdx.x] = fewer[n + threadIdx.x]; // past-constant
}

__global__ void sums_of_four(const float4 *x, float *y, int n)
{
    float4 four = x[threadIdx.x]; // sums-of-four
    int at = 4 * threadIdx.x;
    y[threadIdx.x] = four.x + (at + 1 < n ? four.y : 0) + (at + 2 < n ? four.z : 0) + (at + 3 < n ? four.w : 0);
}

__global__ void exchanges(float *x)
{
    __shared__ float s[32];
    atomicExch(&s[threadIdx.x], 1);
    __syncthreads();
    atomicExch(&x[threadIdx.x], s[threadIdx.x]);
}

/* All threads leave the same, in both memories; then a block's first thread fences for all. */
__global__ void leave_the_same(float *x, unsigned *done, float *sum)
{
    __shared__ float flag;
    __shared__ bool last;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    if (threadIdx.x % 3 == 0) flag = 1;
    for (int k = 0; k < 4; k++)
        x[4 * blockIdx.x + k] = (float)k;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd(done, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x < 4 * gridDim.x) sum[threadIdx.x] = flag + x[threadIdx.x];
}

__global__ void adds_members(const float4 *x, float *y)
{
    y[0] = x[0].x + x[0].y + x[0].z + x[0].w; // adds-members
}

/* For a store that it has joined, clang says the place that follows. */
__global__ void stores_members(float2 *x, float y)
{
    x[0].x = y;
    x[0].y = y;
} // stores-members

__global__ void single_members(const float4 *x, float *y)
{
    y[0] = x[0].y;
    y[1] = x[0].z;
}

static void publish()
{
    const unsigned blocks = 1024, threads = 256, bytes = blocks * threads * sizeof(float);
    float *parts, *sum;
    unsigned *done;
    cudaMalloc(&parts, 2 * bytes);
    cudaMalloc(&sum, bytes);
    cudaMalloc(&done, bytes);
    cudaMemset(done, 0, bytes);
    publishes<<<dim3(blocks, 2), threads>>>(parts, done, sum);
    cudaFree(parts);
    cudaFree(sum);
    cudaFree(done);
}

int main(int, char *argv[])
{
    const char *which = argv[1];
    float *x, *y, host[64] = {0};
    cudaMalloc(&x, 64 * sizeof(float));
    cudaMalloc(&y, 64 * sizeof(float));
    cudaMemset(x, 0, 64 * sizeof(float));
    if (!strcmp(which, "past-end")) past_end<<<1, 32>>>(x, 64);
    if (!strcmp(which, "freed")) {
        cudaFree(y);
        reads<<<1, 32>>>(y, x);
        y = nullptr;
    }
    if (!strcmp(which, "unwritten")) reads<<<1, 32>>>(y, x);
    if (!strcmp(which, "host")) reads<<<1, 32>>>(host, x);
    if (!strcmp(which, "null")) reads<<<1, 32>>>(nullptr, x);
    if (!strcmp(which, "same-place")) same_place<<<1, 64>>>(x);
    if (!strcmp(which, "last-writes")) last_writes<<<3, 1>>>(x);
    if (!strcmp(which, "all-sum")) all_sum<<<3, 1>>>(x);
    if (!strcmp(which, "two-threads")) all_sum<<<1, 2>>>(x);
    if (!strcmp(which, "through-barrier")) through_barrier<<<1, 64>>>(x, y);
    if (!strcmp(which, "neighbour")) neighbour<<<1, 64>>>(x);
    if (!strcmp(which, "neighbour-in-time")) neighbour_in_time<<<1, 64>>>(x);
    if (!strcmp(which, "unwritten-shared")) unwritten_shared<<<1, 64>>>(x);
    if (!strcmp(which, "misaligned")) misaligned<<<1, 1>>>((char *)x);
    if (!strcmp(which, "misaligned-array")) misaligned_array<<<1, 1>>>((int *)x);
    if (!strcmp(which, "atomics")) atomics<<<8, 64>>>((int *)x);
    if (!strcmp(which, "publishes")) publish();
    if (!strcmp(which, "in-turn")) in_turn<<<64, 1>>>(x);
    if (!strcmp(which, "last-overwrites")) last_overwrites<<<32, 1>>>(x, (unsigned *)x + 63);
    if (!strcmp(which, "resets-early")) resets_early<<<1, 32>>>((unsigned *)x);
    if (!strcmp(which, "resets-shared")) resets_shared<<<1, 32>>>();
    if (!strcmp(which, "resets-alone")) resets_alone<<<1, 32>>>((unsigned *)x);
    if (!strcmp(which, "adds-to-variable")) adds_to_variable<<<3, 1>>>();
    if (!strcmp(which, "past-variable")) past_variable<<<1, 1>>>(8);
    if (!strcmp(which, "past-constant")) past_constant<<<1, 1>>>(y, 6);
    if (!strcmp(which, "padding")) {
        cudaMemset(y, 0, 21 * sizeof(float));
        sums_of_four<<<1, 6>>>((float4 *)y, x, 21);
    }
    if (!strcmp(which, "past-padding")) {
        cudaMemset(y, 0, 20 * sizeof(float));
        sums_of_four<<<1, 6>>>((float4 *)y, x, 20);
    }
    if (!strcmp(which, "exchanges")) exchanges<<<1, 32>>>(y);
    if (!strcmp(which, "leave-the-same")) leave_the_same<<<4, 64>>>(x, (unsigned *)x + 63, y);
    if (!strcmp(which, "adds-members")) adds_members<<<1, 1>>>((float4 *)(x + 2), y);
    if (!strcmp(which, "stores-members")) stores_members<<<1, 1>>>((float2 *)(x + 1), 1);
    if (!strcmp(which, "single-members")) single_members<<<1, 1>>>((float4 *)(x + 1), y);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaFree(x);
    cudaFree(y);
    return 0;
}
