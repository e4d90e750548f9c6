/*
 * classes.cu: what people write, a class of programs each, right and wrong, as on a GPU. The first argument chooses one.
 * CASE(name, expected) { … } prints "right" if its results are right; `expected` is what it prints, or the name of the
 * fault, whose line has the comment "// name". sim_classes.bats runs all of them, in both builds.
 */
#include <cooperative_groups.h>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace cg = cooperative_groups;

enum { N = 256 };
static int *device; /* N words of the GPU, zeros */
static int host[N];

static struct test {
    const char *name, *expected;
    void (*run)();
    struct test *next;
} *tests;

struct added {
    added(test *one)
    {
        one->next = tests;
        tests = one;
    }
};
#define CASE(name, expected)                                                                                           \
    static void run_##name();                                                                                          \
    static test test_##name = {#name, expected, run_##name};                                                           \
    static added added_##name(&test_##name);                                                                           \
    static void run_##name()

/* Waits for the kernel, and fetches its words; prints an error, or whether f(i) is word i for all i < count. */
template <class F> static void expect(F f, int count = N)
{
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess) error = cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    if (error != cudaSuccess) {
        puts(cudaGetErrorName(error));
        return;
    }
    for (int i = 0; i < count; i++)
        if (host[i] != f(i)) {
            printf("word %d is %d, not %d\n", i, host[i], (int)f(i));
            return;
        }
    puts("right");
}

static void expect_first(int value)
{
    expect([=](int) { return value; }, 1);
}

/* ---- waiting -------------------------------------------------------------------------------- */

__global__ void wait_for_block(int *x)
{
    volatile int *flag = x + 1;
    if (blockIdx.x == 0) {
        while (*flag == 0)
            ;
        __threadfence();
        x[0] = x[2];
    } else {
        x[2] = 7;
        __threadfence();
        *flag = 1;
    }
}
CASE(flag_between_blocks, "right")
{
    wait_for_block<<<2, 1>>>(device);
    expect_first(7);
}

__global__ void wait_for_warp(int *x)
{
    __shared__ volatile int flag;
    __shared__ int data;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    if (threadIdx.x < 32) {
        while (flag == 0)
            ;
        __threadfence_block();
        x[threadIdx.x] = data;
    } else if (threadIdx.x == 32) {
        data = 9;
        __threadfence_block();
        flag = 1;
    }
}
CASE(flag_between_warps, "right")
{
    wait_for_warp<<<1, 64>>>(device);
    expect([](int) { return 9; }, 32);
}

__device__ unsigned int arrived;
__device__ volatile unsigned int turn;
__global__ void barrier_by_hand(int *x)
{
    x[blockIdx.x] = blockIdx.x + 1;
    for (unsigned int round = 0; round < 2; round++) {
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            if (atomicAdd(&arrived, 1) == gridDim.x - 1) {
                arrived = 0;
                __threadfence();
                turn = round + 1;
            } else
                while (turn == round)
                    ;
            __threadfence();
        }
        __syncthreads();
        if (round == 0 && threadIdx.x == 0) x[64 + blockIdx.x] = x[(blockIdx.x + 1) % gridDim.x];
    }
}
CASE(grid_barrier_by_hand, "right")
{
    barrier_by_hand<<<8, 64>>>(device);
    expect([](int i) { return i < 8 ? i + 1 : i < 64 || i >= 72 ? 0 : (i - 63) % 8 + 1; });
}

__global__ void sync_grid(int *x)
{
    cg::grid_group grid = cg::this_grid();
    x[grid.thread_rank()] = (int)grid.thread_rank();
    grid.sync();
    int other = x[N - 1 - grid.thread_rank()];
    grid.sync();
    x[grid.thread_rank()] = other;
}
CASE(grid_sync, "right")
{
    void *arguments[] = {&device};
    cudaLaunchCooperativeKernel(sync_grid, dim3(4), dim3(64), arguments);
    expect([](int i) { return N - 1 - i; });
}

__device__ int mutex;
__global__ void lock_per_lane(int *x)
{
    bool done = false;
    while (!done)
        if (atomicCAS(&mutex, 0, 1) == 0) {
            __threadfence();
            x[0] = x[0] + 1;
            __threadfence();
            atomicExch(&mutex, 0);
            done = true;
        }
}
CASE(spin_lock_per_lane, "right")
{
    lock_per_lane<<<2, 48>>>(device);
    expect_first(96);
}

__global__ void spin(int *x)
{
    while (atomicCAS(&mutex, 0, 1) != 0)
        __nanosleep(20);
    __threadfence();
    x[0] += 1;
    __threadfence();
    atomicExch(&mutex, 0);
}
CASE(spin_lock_without_a_way_out, "right")
{
    spin<<<2, 40>>>(device);
    expect_first(80);
}

__global__ void lock_per_block(int *x)
{
    if (threadIdx.x == 0) {
        while (atomicExch(&mutex, 1) != 0)
            ;
        __threadfence();
    }
    __syncthreads();
    x[threadIdx.x] += 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) atomicExch(&mutex, 0);
}
CASE(lock_per_block, "right")
{
    lock_per_block<<<6, 64>>>(device);
    expect([](int) { return 6; }, 64);
}

__global__ void lock_without_fence(int *x)
{
    if (threadIdx.x == 0) {
        while (atomicExch(&mutex, 1) != 0)
            ;
        x[0] += 1; // race-between-blocks
        atomicExch(&mutex, 0);
    }
}
CASE(lock_without_a_fence, "race-between-blocks")
{
    lock_without_fence<<<4, 32>>>(device);
    expect_first(4);
}

__global__ void last_block_adds(int *x, bool fenced)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        x[1 + blockIdx.x] = blockIdx.x;
        if (fenced) __threadfence();
        last = atomicInc((unsigned int *)x + 100, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last || threadIdx.x > 0) return;
    if (fenced) __threadfence();
    for (unsigned int i = 0; i < gridDim.x; i++)
        x[0] += x[1 + i]; // race-between-blocks
}
CASE(last_block_by_ticket, "right")
{
    last_block_adds<<<8, 32>>>(device, true);
    expect_first(28);
}
CASE(last_block_without_a_fence, "race-between-blocks")
{
    last_block_adds<<<8, 32>>>(device, false);
    expect_first(28);
}

/* ---- atomics -------------------------------------------------------------------------------- */

/* CUDA's programming guide */
__device__ double add_by_swaps(double *address, double value)
{
    unsigned long long int *words = (unsigned long long int *)address;
    unsigned long long int old = *words, assumed;
    do {
        assumed = old;
        old = atomicCAS(words, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}
__device__ float max_by_swaps(float *address, float value)
{
    int *words = (int *)address, old = *words, assumed;
    while (__int_as_float(old) < value) {
        assumed = old;
        old = atomicCAS(words, assumed, __float_as_int(value));
        if (old == assumed) break;
    }
    return __int_as_float(old);
}
__global__ void swaps(int *x)
{
    __shared__ float most;
    if (threadIdx.x == 0) most = 0;
    __syncthreads();
    add_by_swaps((double *)(x + 2), 0.5);
    max_by_swaps(&most, threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0) max_by_swaps((float *)x, most);
}
CASE(atomics_by_compare_and_swap, "right")
{
    swaps<<<4, 64>>>(device);
    double sum = 128;
    float most = 63;
    int words[4] = {};
    memcpy(words, &most, sizeof most);
    memcpy(words + 2, &sum, sizeof sum);
    expect([=](int i) { return words[i]; }, 4);
}

__global__ void atomics_of_all_kinds(int *x)
{
    atomicAdd((unsigned long long *)x, 1ull << 33);
    atomicAdd((float *)(x + 2), 0.25f);
    atomicMax(x + 3, (int)threadIdx.x);
    atomicMin((unsigned int *)x + 4, ~threadIdx.x);
    atomicXor(x + 5, 1 << (threadIdx.x % 32));
    atomicAdd_system(x + 6, 1);
    atomicAdd_block(x + 7, 1);
    atomicDec((unsigned int *)x + 8, 9);
    unsigned short one = 1, *half = (unsigned short *)(x + 9) + 1, old = *half, assumed;
    do {
        assumed = old;
        old = atomicCAS(half, assumed, (unsigned short)(assumed + one));
    } while (old != assumed);
}
CASE(atomics_of_all_kinds, "right")
{
    atomics_of_all_kinds<<<1, 64>>>(device);
    const int wanted[10] = {0, 64 * 2, 0x41800000, 63, 0, 0, 64, 64, 6, 64 << 16};
    expect([&](int i) { return wanted[i]; }, 10);
}

__global__ void aggregated(int *x)
{
    if (threadIdx.x % 3 != 0) return;
    unsigned int mask = __activemask();
    int leader = __ffs(mask) - 1, lane = threadIdx.x % 32, start;
    if (lane == leader) start = atomicAdd(x, __popc(mask));
    start = __shfl_sync(mask, start, leader);
    x[1 + start + __popc(mask & ((1u << lane) - 1))] = 1;
}
CASE(atomics_of_a_warp_together, "right")
{
    aggregated<<<2, 96>>>(device);
    expect([](int i) { return i == 0 ? 64 : i <= 64; });
}

__global__ void waits_by_reading(int *x)
{
    if (threadIdx.x % 32 == 0) atomicAdd(x, 1); // race-in-block
    x[1 + threadIdx.x] = x[0]; // race-in-block
}
CASE(plain_read_beside_atomics, "race-in-block")
{
    waits_by_reading<<<1, 64>>>(device);
    expect([](int) { return 2; }, 1);
}

/* ---- C++ ------------------------------------------------------------------------------------ */

__constant__ int table[4] = {10, 20, 30, 40};
__device__ int twice(int x)
{
    return 2 * x;
}
__device__ int square(int x)
{
    return x * x;
}
typedef int (*function)(int);
__device__ function functions[] = {twice, square};
__global__ void calls(int *x)
{
    int i = threadIdx.x;
    x[i] = functions[i % 2](i) + table[i % 4];
}
CASE(calls_through_pointers, "right")
{
    calls<<<1, N>>>(device);
    expect([](int i) { return (i % 2 ? i * i : 2 * i) + 10 * (i % 4 + 1); });
}

class owner
{
  public:
    owner() : own(true)
    {
        cudaMalloc(&at, sizeof host);
    }
    owner(const owner &other) : at(other.at), own(false)
    {
    }
    ~owner()
    {
        if (own) cudaFree(at);
    }
    int *at;

  private:
    bool own;
};
__global__ void fill(owner to, int value)
{
    to.at[threadIdx.x] = value;
}
CASE(parameter_with_a_destructor, "right")
{
    owner memory;
    fill<<<1, N>>>(memory, 5);
    cudaMemcpy(device, memory.at, sizeof host, cudaMemcpyDeviceToDevice);
    expect([](int) { return 5; });
}

struct shape {
    __device__ virtual int area() const = 0;
    __device__ virtual ~shape()
    {
    }
};
struct rectangle : shape {
    int a, b;
    __device__ rectangle(int a, int b) : a(a), b(b)
    {
    }
    __device__ int area() const override
    {
        return a * b;
    }
};
struct disc : shape {
    __device__ int area() const override
    {
        return 3;
    }
};
__global__ void virtual_calls(int *x)
{
    shape *one = threadIdx.x % 2 ? (shape *)new rectangle(threadIdx.x, 2) : new disc;
    x[threadIdx.x] = one->area();
    delete one;
}
CASE(virtual_functions, "right")
{
    virtual_calls<<<1, 64>>>(device);
    expect([](int i) { return i % 2 ? 2 * i : 3; }, 64);
}

__device__ int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
__global__ void recurse(int *x)
{
    x[threadIdx.x] = fibonacci(threadIdx.x % 8);
}
CASE(recursion, "right")
{
    recurse<<<1, 64>>>(device);
    const int wanted[] = {0, 1, 1, 2, 3, 5, 8, 13};
    expect([&](int i) { return wanted[i % 8]; }, 64);
}

template <class F> __global__ void apply(int *x, F f)
{
    x[threadIdx.x] = f(threadIdx.x);
}
struct plus {
    int by;
    __host__ __device__ int operator()(int x) const
    {
        return x + by;
    }
};
CASE(functor, "right")
{
    apply<<<1, N>>>(device, plus{3});
    expect(plus{3});
}

struct alignas(4) bytes4 {
    unsigned char b[4];
};
struct mixed {
    char c;
    double d;
    short s[3];
};
__global__ void copies(int *x, mixed one)
{
    bytes4 word;
    memset(&word, 0x11, sizeof word);
    word.b[1] = (unsigned char)threadIdx.x;
    memcpy(x + threadIdx.x, &word, sizeof word);
    mixed other = one;
    if (threadIdx.x == 0) x[0] = other.c + (int)other.d + other.s[2];
}
CASE(memory_functions_and_structures, "right")
{
    copies<<<1, N>>>(device, mixed{1, 2.5, {3, 4, 5}});
    expect([](int i) { return i == 0 ? 8 : 0x11110011 | i << 8; });
}

__managed__ int shared_by_both = 3;
__global__ void raise(int *x)
{
    atomicAdd(&shared_by_both, 2);
    if (threadIdx.x == 0) x[0] = 1;
}
CASE(managed_variable, "right")
{
    shared_by_both *= 2;
    raise<<<1, 32>>>(device);
    cudaDeviceSynchronize();
    expect_first(shared_by_both == 70);
}

__global__ void copy_of(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x];
}

// The parameters of these calls depend on the version of CUDA's headers.
CASE(managed_memory_moved, "right")
{
    int *both;
    cudaMallocManaged(&both, sizeof host);
    for (int i = 0; i < N; i++)
        both[i] = i;
#if CUDART_VERSION >= 13000
    cudaMemLocation gpu = {};
    gpu.type = cudaMemLocationTypeDevice;
#else
    const int gpu = 0;
#endif
    cudaError_t error = cudaMemAdvise(both, sizeof host, cudaMemAdviseSetPreferredLocation, gpu);
#if CUDART_VERSION >= 13000
    if (error == cudaSuccess) error = cudaMemPrefetchAsync(both, sizeof host, gpu, 0, nullptr);
#else
    if (error == cudaSuccess) error = cudaMemPrefetchAsync(both, sizeof host, gpu, nullptr);
#endif
    copy_of<<<1, N>>>(device, both);
    cudaDeviceSynchronize();
    cudaFree(both);
    expect([=](int i) { return error == cudaSuccess ? i : -1; });
}

__global__ void heap(int *x)
{
    int *own = (int *)malloc(4 * sizeof(int));
    for (int i = 0; i < 4; i++)
        own[i] = threadIdx.x + i;
    x[threadIdx.x] = own[3];
    free(own);
}
CASE(heap_of_a_kernel, "right")
{
    heap<<<1, N>>>(device);
    expect([](int i) { return i + 3; });
}

#include "classes_memory.cuh"

int main(int count, char **arguments)
{
    bool list = count < 2;
    if (!list) {
        cudaMalloc(&device, sizeof host);
        cudaMemset(device, 0, sizeof host);
    }
    for (test *one = tests; one != nullptr; one = one->next) {
        if (list)
            printf("%s %s\n", one->name, one->expected);
        else if (strcmp(one->name, arguments[1]) == 0)
            one->run();
    }
    if (!list) cudaFree(device);
    return 0;
}
