/* kernels.h: the kernels that algorithms launch. */
#ifndef WARPUP_THRUST_KERNELS_H
#define WARPUP_THRUST_KERNELS_H

#include "iterators.h"

namespace thrust
{

namespace details
{

enum { THREADS = 256, BLOCKS_MOST = 1024 };

template <class F> __global__ void for_each_index(size_t n, F f)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n) f(i);
}

WARPUP_THRUST unsigned int blocks_of(size_t n)
{
    return (unsigned int)((n + THREADS - 1) / THREADS);
}

/* Algorithms of thrust wait for their kernels. */
template <class F> WARPUP_THRUST void on_indices(size_t n, F f, cudaStream_t stream = nullptr)
{
    if (n == 0) return;
    void *addresses[] = {&n, &f};
    demand(cudaLaunchKernel(&for_each_index<F>, dim3(blocks_of(n)), dim3(THREADS), addresses, 0,
                            stream));
    demand(cudaStreamSynchronize(stream));
}

/* f(i) for each i < n; on the host if no iterator of these leads to device memory */
template <class... I, class F> WARPUP_THRUST void on_each(size_t n, F f)
{
    if constexpr (some_on_device<I...>)
        on_indices(n, f);
    else
        for (size_t i = 0; i < n; i++)
            f(i);
}

/* The block's sum in its first thread */
template <class T, class Operation>
WARPUP_THRUST T block_sum(T *all, T mine, unsigned int count, Operation operation)
{
    all[threadIdx.x] = mine;
    __syncthreads();
    for (unsigned int half = THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x < half && threadIdx.x + half < count)
            all[threadIdx.x] = operation(all[threadIdx.x], all[threadIdx.x + half]);
        __syncthreads();
    }
    return all[0];
}

template <class T> struct room {
    alignas(T) char bytes[THREADS * sizeof(T)];
};

/* Each block adds up what its threads take in steps of the grid. */
template <class I, class T, class Operation>
__global__ void sum_parts(I in, size_t n, T *parts, Operation operation)
{
    __shared__ room<T> shared;
    size_t first = blockIdx.x * (size_t)THREADS + threadIdx.x;
    size_t left = n - blockIdx.x * (size_t)THREADS;
    unsigned int count = left < THREADS ? (unsigned int)left : THREADS;
    T mine = T();
    if (first < n) mine = in[first];
    for (size_t i = first + gridDim.x * (size_t)THREADS; i < n; i += gridDim.x * (size_t)THREADS)
        mine = operation(mine, (T)in[i]);
    T sum = block_sum((T *)shared.bytes, mine, count, operation);
    if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}

/* Sums within each block, including the element itself; and each block's own sum */
template <class I, class O, class T, class Operation>
__global__ void scan_parts(I in, size_t n, O out, T *parts, Operation operation)
{
    __shared__ room<T> shared;
    T *all = (T *)shared.bytes;
    size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x;
    T mine = T();
    if (i < n) all[threadIdx.x] = mine = in[i];
    __syncthreads();
    for (unsigned int by = 1; by < THREADS; by *= 2) {
        bool adds = threadIdx.x >= by && i < n;
        T other = T();
        if (adds) other = all[threadIdx.x - by];
        __syncthreads();
        if (adds) all[threadIdx.x] = mine = operation(other, mine);
        __syncthreads();
    }
    if (i < n) out[i] = mine;
    if (i < n && (threadIdx.x == THREADS - 1 || i == n - 1)) parts[blockIdx.x] = mine;
}

/* One step of a merge sort: each element finds its place among those of the neighbouring run. */
template <class K, class V, class Less>
__global__ void merge_runs(const K *keys, const V *values, K *to_keys, V *to_values, size_t n,
                           size_t run, Less less)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= n) return;
    size_t own = i / run * run, first = i / (2 * run) * (2 * run);
    bool is_left = own == first;
    size_t begin = is_left ? first + run : first, end = begin + run;
    if (begin > n) begin = n;
    if (end > n) end = n;
    K key = keys[i];
    size_t low = begin, high = end;
    while (low < high) {
        size_t middle = (low + high) / 2;
        bool before = is_left ? less(keys[middle], key) : !less(key, keys[middle]);
        if (before)
            low = middle + 1;
        else
            high = middle;
    }
    size_t to = first + (i - own) + (low - begin);
    to_keys[to] = key;
    if (values != nullptr) to_values[to] = values[i];
}

/* Device memory that is freed with its scope */
template <class T> class scratch
{
  public:
    explicit WARPUP_THRUST scratch(size_t count) : at(nullptr)
    {
        demand(cudaMalloc(&at, (count > 0 ? count : 1) * sizeof(T)));
    }
    WARPUP_THRUST ~scratch() { cudaFree(at); }
    T *at;
};
} // namespace details

} // namespace thrust

#endif
