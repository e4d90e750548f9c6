/*
 * prints.cu: kernels and host functions whose result a student should predict, for the quiz. Each
 * line that it prints is a name and a number or a word; a question's answer refers to the name.
 */
#include <cuda_runtime.h>

#include <stdio.h>

__device__ int calls;

__global__ void call(void)
{
    atomicAdd(&calls, 1);
}

__global__ void tickets(int *next, int *sum)
{
    int mine = atomicAdd(next, 1);
    atomicAdd(sum, mine);
}

__global__ void fold(int *result)
{
    int lane = threadIdx.x, value = lane;
    value += __shfl_down_sync(0xffffffff, value, 16);
    if (lane == 20) *result = value;
}

__global__ void neighbour(int *result)
{
    int lane = threadIdx.x, value = 100 + lane;
    value = __shfl_up_sync(0xffffffff, value, 1);
    if (lane == 0) *result = value;
}

__global__ void row_of(int thread, int *result)
{
    int number = threadIdx.y * blockDim.x + threadIdx.x;
    if (number == thread) *result = threadIdx.y;
}

/* Counts the warps whose lanes disagree about the branch. */
__global__ void split_at(int edge, int *split)
{
    int mine = threadIdx.x < edge;
    unsigned yes = __ballot_sync(0xffffffff, mine);
    if (threadIdx.x % 32 == 0 && yes != 0 && yes != 0xffffffff) atomicAdd(split, 1);
}

/* Counts the branches of `switch (threadIdx.x / 8)` that the first warp takes. */
__global__ void ways_of_eight(int *ways)
{
    int way = threadIdx.x / 8;
    if (threadIdx.x >= 32) return;
    unsigned same = __match_any_sync(0xffffffff, way);
    if (threadIdx.x % 32 == __ffs(same) - 1) atomicAdd(ways, 1);
}

__global__ void fill(int *x)
{
    x[threadIdx.x] = 7;
}

__global__ void chunks(int n, int *x)
{
    int length = n / blockDim.x;
    int begin = threadIdx.x * length;
    for (int i = begin; i < begin + length; i++)
        x[i] = 1;
}

__global__ void write_at(int *x, int value)
{
    *x = value;
}

static int too_many_threads(int *x_gpu)
{
    int x = 0;
    cudaMemset(x_gpu, 0, sizeof x);
    fill<<<1, 2048>>>(x_gpu);
    cudaMemcpy(&x, x_gpu, sizeof x, cudaMemcpyDeviceToHost);
    return x;
}

static int copy_of_ones(int *x_gpu)
{
    int n = 1000, x[1000] = {0}, sum = 0;
    cudaMemcpy(x, x_gpu, n, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

static int take(int *counter)
{
    int value;
    cudaMemcpy(&value, counter, sizeof value, cudaMemcpyDeviceToHost);
    cudaMemset(counter, 0, sizeof value);
    return value;
}

static void launches(int *x)
{
    struct {
        char name;
        dim3 grid, block;
    } all[] = {{'A', dim3(1), dim3(32, 32)},
               {'B', dim3(1), dim3(1, 1, 65)},
               {'C', dim3(65536), dim3(1024)}};
    for (int i = 0; i < 3; i++) {
        split_at<<<all[i].grid, all[i].block>>>(0, x);
        if (cudaGetLastError() != cudaSuccess) printf("refused %c\n", all[i].name);
    }
    cudaDeviceSynchronize();
}

int main(void)
{
    int *x, *next, *sum, *big;
    cudaMalloc((void **)&x, sizeof *x);
    cudaMalloc((void **)&next, sizeof *next);
    cudaMalloc((void **)&sum, sizeof *sum);
    cudaMalloc((void **)&big, 2048 * sizeof *big);
    cudaMemset(x, 0, sizeof *x);
    cudaMemset(next, 0, sizeof *next);
    cudaMemset(sum, 0, sizeof *sum);
    cudaMemset(big, 0, 2048 * sizeof *big);

    int after_two = 0;
    call<<<2, 32>>>();
    call<<<2, 32>>>();
    cudaMemcpyFromSymbol(&after_two, calls, sizeof calls);
    printf("calls %d\n", after_two);
    tickets<<<1, 64>>>(next, sum);
    printf("tickets %d\n", take(sum));
    fold<<<1, 32>>>(x);
    printf("fold %d\n", take(x));
    neighbour<<<1, 32>>>(x);
    printf("neighbour %d\n", take(x));
    row_of<<<1, dim3(8, 8)>>>(20, x);
    printf("row_of_20 %d\n", take(x));
    split_at<<<1, 96>>>(48, x);
    printf("split_at_48 %d\n", take(x));
    ways_of_eight<<<1, 64>>>(x);
    printf("ways_of_eight %d\n", take(x));
    printf("too_many %d\n", too_many_threads(big));
    cudaGetLastError();
    chunks<<<1, 512>>>(1000, big);
    int touched = 0, back[1000];
    cudaMemcpy(back, big, sizeof back, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 1000; i++)
        touched += back[i];
    printf("untouched %d\n", 1000 - touched);
    for (int i = 0; i < 1000; i++)
        back[i] = 1;
    cudaMemcpy(big, back, sizeof back, cudaMemcpyHostToDevice);
    printf("copied %d\n", copy_of_ones(big));
    launches(x);

    write_at<<<1, 1>>>(0, 1);
    printf("after_launch %s\n", cudaGetErrorName(cudaGetLastError()));
    printf("after_copy %s\n",
           cudaGetErrorName(cudaMemcpy(back, big, sizeof *back, cudaMemcpyDeviceToHost)));
    return 0;
}
