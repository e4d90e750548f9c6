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

/* ---- numbers -------------------------------------------------------------------------------- */

__global__ void numbers(int *x, float big, float nan, int zero, unsigned int by, int least)
{
    x[0] = (int)big;
    x[1] = (int)-big;
    x[2] = (int)nan;
    x[3] = (int)(unsigned int)-1.5f;
    x[4] = (int)(1u << by);
    x[5] = least >> by;
    x[6] = 5 / (zero + 1) + (zero != 0 ? 1 / zero : 0);
    x[7] = __fmaf_rn(big, 0.f, 1.f) == 1.f;
    x[8] = (int)lrintf(2.5f) + (int)roundf(2.5f);
    x[9] = (signed char)(int)300.7f;
    x[10] = __float2int_rd(-1.5f);
    x[11] = (int)(long long)(1e10 * big);
    x[12] = isnan(nan / big) && fmaxf(nan, 1) == 1;
    x[13] = (int)__double2ll_rz(-2.7);
    x[14] = __mulhi(1 << 30, 8) + (int)__umul24(0x1ffffff, 1) % 2;
    x[15] = (int)__funnelshift_l(0x80000000u, 1, 1);
}
CASE(conversions_and_shifts, "right")
{
    numbers<<<1, 1>>>(device, 1e20f, NAN, 0, 33, INT_MIN);
    const int wanted[16] = {INT_MAX, INT_MIN, 0, 0, 0, -1, 5, 1, 5, 44, -2, -1, 1, -2, 3, 3};
    expect([&](int i) { return wanted[i]; }, 16);
}

/* ---- elements of 1 and 2 bytes -------------------------------------------------------------- */

template <class T> __global__ void neighbours(T *x, int apart)
{
    x[threadIdx.x / apart] = (T)threadIdx.x; // race-in-block, use-after-free, host-pointer-in-kernel
}
CASE(bytes_side_by_side, "right")
{
    neighbours<<<1, N>>>((unsigned char *)device, 1);
    expect([](int i) { return 0x03020100 + 0x04040404 * i; }, 16);
}
CASE(race_on_a_byte, "race-in-block")
{
    neighbours<<<1, 64>>>((unsigned char *)device, 2);
    expect([](int) { return 0x07050301; }, 1);
}
CASE(race_on_a_short, "race-in-block")
{
    neighbours<<<1, 64>>>((short *)device, 2);
    expect([](int) { return 0x00030001; }, 1);
}
template <class T> __global__ void blocks_share(T *x)
{
    if (threadIdx.x == 0) x[blockIdx.x / 2] = (T)blockIdx.x; // race-between-blocks
}
CASE(race_of_blocks_on_a_byte, "race-between-blocks")
{
    blocks_share<<<4, 32>>>((char *)device);
    expect([](int) { return 0x0301; }, 1);
}

/* ---- warps ---------------------------------------------------------------------------------- */

__global__ void old_reduction(int *x)
{
    __shared__ volatile int s[64];
    s[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x < 32) {
        s[threadIdx.x] += s[threadIdx.x + 32]; // race-in-block
        s[threadIdx.x] += s[threadIdx.x + 16]; // race-in-block
        s[threadIdx.x] += s[threadIdx.x + 8];  // race-in-block
    }
    if (threadIdx.x == 0) x[0] = s[0] + s[1] + s[2] + s[3] + s[4] + s[5] + s[6] + s[7]; // race-in-block
}
CASE(reduction_that_trusts_the_warp, "race-in-block")
{
    old_reduction<<<1, 64>>>(device);
    expect([](int) { return host[0]; }, 1);
}

__global__ void new_reduction(int *x)
{
    __shared__ int s[64];
    s[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x < 32)
        for (int by = 32; by > 0; by /= 2) {
            int sum = s[threadIdx.x] + s[threadIdx.x + by];
            __syncwarp();
            s[threadIdx.x] = sum;
            __syncwarp();
        }
    if (threadIdx.x == 0) x[0] = s[0];
}
CASE(reduction_with_syncwarp, "right")
{
    new_reduction<<<1, 64>>>(device);
    expect_first(64);
}

__global__ void early_return(int *x, int n)
{
    __shared__ int s[N];
    if (threadIdx.x >= n) return;
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    x[threadIdx.x] = s[n - 1 - threadIdx.x];
}
CASE(threads_that_end_before_a_barrier, "right")
{
    early_return<<<1, 128>>>(device, 96);
    expect([](int i) { return i < 96 ? 95 - i : 0; });
}

__global__ void divergent_barrier(int *x)
{
    if (threadIdx.x < 40)
        __syncthreads(); // barrier-divergence
    else
        x[threadIdx.x] = 1;
    if (threadIdx.x >= 40) __syncthreads(); // barrier-divergence
}
CASE(barriers_in_two_branches, "barrier-divergence")
{
    divergent_barrier<<<1, 64>>>(device);
    expect([](int) { return host[0]; }, 1);
}

__global__ void wrong_mask(int *x)
{
    int value = threadIdx.x;
    if (threadIdx.x < 16) value = __shfl_down_sync(0xffffffff, value, 1); // lanes-missing
    __syncwarp(); // lanes-missing
    x[threadIdx.x] = value;
}
CASE(shuffle_with_lanes_that_do_not_come, "lanes-missing")
{
    wrong_mask<<<1, 32>>>(device);
    expect([](int) { return host[0]; }, 1);
}

/* ---- limits --------------------------------------------------------------------------------- */

__global__ void __launch_bounds__(64) bounded(int *x)
{
    x[threadIdx.x] = 1;
}
CASE(launch_bounds_kept, "right")
{
    bounded<<<1, 64>>>(device);
    expect([](int i) { return i < 64; });
}
CASE(launch_bounds_exceeded, "cudaErrorInvalidValue")
{
    bounded<<<1, 65>>>(device);
    expect_first(1);
}
CASE(too_many_threads, "cudaErrorInvalidConfiguration")
{
    apply<<<1, 1025>>>(device, plus{0});
    expect_first(1);
}
__global__ void dynamic(int *x)
{
    extern __shared__ int s[];
    s[threadIdx.x] = threadIdx.x;
    x[threadIdx.x] = s[threadIdx.x];
}
CASE(more_than_48_KB_unasked, "cudaErrorInvalidValue")
{
    dynamic<<<1, N, 49 * 1024>>>(device);
    expect_first(0);
}
CASE(more_than_48_KB_asked_for, "right")
{
    cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024);
    dynamic<<<1, N, 64 * 1024>>>(device);
    expect([](int i) { return i; });
}

/* ---- memory --------------------------------------------------------------------------------- */

__global__ void store_constant(int *x)
{
    *(int *)&table[threadIdx.x] = 1; // out-of-bounds
    x[0] = table[0];
}
CASE(store_to_constant_memory, "out-of-bounds")
{
    store_constant<<<1, 1>>>(device);
    expect_first(10);
}

__global__ void past(int *x, int n, int how)
{
    __shared__ int s[32], t[32];
    int local[4] = {1, 2, 3, 4};
    s[threadIdx.x % 32] = t[threadIdx.x % 32] = 0;
    __syncthreads();
    if (how == 0) x[n] = 1;         // out-of-bounds
    if (how == 1) x[0] = s[n / 8];  // shared-out-of-bounds
    if (how == 2) x[0] = local[n];  // out-of-bounds
    if (how == 3) *(float4 *)(x + 1) = make_float4(0, 0, 0, 0); // misaligned-access
    if (how == 4) *(long long *)(x + 1) = 1;                    // misaligned-access
    if (how == 5) ((char *)x)[4 * n] = 1;                       // out-of-bounds
}
CASE(past_the_end, "out-of-bounds")
{
    past<<<1, 1>>>(device, N, 0);
    expect_first(0);
}
CASE(past_a_shared_array, "shared-out-of-bounds")
{
    past<<<1, 1>>>(device, N, 1);
    expect_first(0);
}
CASE(misaligned_vector, "misaligned-access")
{
    past<<<1, 1>>>(device, N, 3);
    expect_first(0);
}
CASE(misaligned_word, "misaligned-access")
{
    past<<<1, 1>>>(device, N, 4);
    expect_first(0);
}
CASE(a_byte_past_the_end, "out-of-bounds")
{
    past<<<1, 1>>>(device, N, 5);
    expect_first(0);
}
CASE(memory_that_was_freed, "use-after-free")
{
    int *other;
    cudaMalloc(&other, sizeof host);
    cudaFree(other);
    neighbours<<<1, 1>>>(other, 1);
    expect_first(0);
}
CASE(memory_of_the_host, "host-pointer-in-kernel")
{
    int *other = (int *)malloc(64);
    neighbours<<<1, 1>>>(other, 1);
    expect_first(0);
    free(other);
}
CASE(pinned_memory_freed_by_free, "bad-free")
{
    int *other;
    cudaMallocHost(&other, 64);
    free(other); // bad-free
}
CASE(copy_past_the_end, "copy-out-of-bounds")
{
    cudaMemcpy(device, host, sizeof host + 4, cudaMemcpyHostToDevice); // copy-out-of-bounds
    expect_first(0);
}
CASE(read_before_the_kernel_has_finished, "host-too-early")
{
    int *both;
    cudaMallocManaged(&both, sizeof host);
    apply<<<1, N>>>(both, plus{0});
    printf("%d\n", both[1]); // host-too-early
    cudaFree(both);
}
CASE(device_memory_read_by_the_host, "device-pointer-on-host")
{
    printf("%d\n", device[0]); // device-pointer-on-host
}
__global__ void unset(int *x)
{
    __shared__ int s[64];
    if (threadIdx.x < 32) s[threadIdx.x] = 1;
    __syncthreads();
    x[threadIdx.x] = s[threadIdx.x]; // uninitialised-read
}
CASE(shared_memory_that_nothing_wrote, "uninitialised-read")
{
    unset<<<1, 64>>>(device);
    expect([](int) { return 1; }, 1);
}

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
