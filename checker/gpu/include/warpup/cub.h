/*
 * cub.h: what this lab has of cub, the building blocks that come with CUDA: sums and scans of a
 * block or a warp, and sums over device memory. The counts of these kernels are not those of the
 * real library.
 */
#ifndef WARPUP_CUB_H
#define WARPUP_CUB_H

#pragma GCC system_header

#include "../cooperative_groups.h"
#include "thrust.h"

#define WARPUP_CUB __host__ __device__ WARPUP_HIDDEN

namespace cub
{

#define WARPUP_OPERATION(name, expression)                                                         \
    struct name {                                                                                  \
        template <class T> WARPUP_CUB T operator()(const T &a, const T &b) const                   \
        {                                                                                          \
            return expression;                                                                     \
        }                                                                                          \
    };
WARPUP_OPERATION(Sum, a + b)
WARPUP_OPERATION(Max, a < b ? b : a)
WARPUP_OPERATION(Min, b < a ? b : a)
#undef WARPUP_OPERATION

enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

namespace details
{
WARPUP_CUB unsigned int thread()
{
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
template <class T> using shuffles = cooperative_groups::details::shuffles<T>;
} // namespace details

/* Reductions by the `count` lanes that belong together. The first lane has the result. */
template <class T, int count = 32> class WarpReduce
{
  public:
    struct TempStorage {
    };
    WARPUP_CUB explicit WarpReduce(TempStorage &)
    {
    }
    template <class F> WARPUP_CUB T Reduce(T value, F f, int valid = count)
    {
        int lane = (int)(details::thread() % count);
        for (int by = 1; by < count; by *= 2) {
            T other = details::shuffles<T>::shfl_down(0xffffffff, value, by, count);
            if (lane + by < valid) value = f(value, other);
        }
        return value;
    }
    WARPUP_CUB T Sum(T value)
    {
        return Reduce(value, cub::Sum());
    }
    WARPUP_CUB T Sum(T value, int valid)
    {
        return Reduce(value, cub::Sum(), valid);
    }
};

template <class T, int count = 32> class WarpScan
{
  public:
    struct TempStorage {
    };
    WARPUP_CUB explicit WarpScan(TempStorage &)
    {
    }
    template <class F> WARPUP_CUB void InclusiveScan(T value, T &result, F f)
    {
        int lane = (int)(details::thread() % count);
        for (int by = 1; by < count; by *= 2) {
            T other = details::shuffles<T>::shfl_up(0xffffffff, value, by, count);
            if (lane >= by) value = f(other, value);
        }
        result = value;
    }
    WARPUP_CUB void InclusiveSum(T value, T &result)
    {
        InclusiveScan(value, result, cub::Sum());
    }
    WARPUP_CUB void ExclusiveSum(T value, T &result)
    {
        T sum;
        InclusiveSum(value, sum);
        result = sum - value;
    }
};

/* Reductions by the whole block. The first thread has the result. */
template <class T, int x, BlockReduceAlgorithm algorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int y = 1,
          int z = 1>
class BlockReduce
{
  public:
    enum { THREADS = x * y * z, WARPS = (THREADS + 31) / 32 };
    struct TempStorage {
        alignas(T) char bytes[WARPS * sizeof(T)];
    };
    WARPUP_CUB explicit BlockReduce(TempStorage &storage) : sums((T *)storage.bytes)
    {
    }
    template <class F> WARPUP_CUB T Reduce(T value, F f, int valid = THREADS)
    {
        int thread = (int)details::thread(), first = thread / 32 * 32;
        int here = THREADS - first < 32 ? THREADS - first : 32;
        unsigned int mask = here == 32 ? 0xffffffff : (1u << here) - 1;
        for (int by = 1; by < 32; by *= 2) {
            T other = details::shuffles<T>::shfl_down(mask, value, by, 32);
            if (thread % 32 + by < here && thread + by < valid) value = f(value, other);
        }
        if (thread % 32 == 0) sums[thread / 32] = value;
        __syncthreads();
        if (thread == 0)
            for (int warp = 1; warp < WARPS && warp * 32 < valid; warp++)
                value = f(value, sums[warp]);
        return value;
    }
    template <int items, class F> WARPUP_CUB T Reduce(T (&values)[items], F f)
    {
        T mine = values[0];
        for (int i = 1; i < items; i++)
            mine = f(mine, values[i]);
        return Reduce(mine, f);
    }
    WARPUP_CUB T Sum(T value)
    {
        return Reduce(value, cub::Sum());
    }
    WARPUP_CUB T Sum(T value, int valid)
    {
        return Reduce(value, cub::Sum(), valid);
    }
    template <int items> WARPUP_CUB T Sum(T (&values)[items])
    {
        return Reduce(values, cub::Sum());
    }

  private:
    T *sums;
};

template <class T, int x, BlockScanAlgorithm algorithm = BLOCK_SCAN_RAKING, int y = 1, int z = 1>
class BlockScan
{
  public:
    enum { THREADS = x * y * z, WARPS = (THREADS + 31) / 32 };
    struct TempStorage {
        alignas(T) char bytes[WARPS * sizeof(T)];
    };
    WARPUP_CUB explicit BlockScan(TempStorage &storage) : sums((T *)storage.bytes)
    {
    }
    template <class F> WARPUP_CUB void InclusiveScan(T value, T &result, F f, T &whole)
    {
        int thread = (int)details::thread(), first = thread / 32 * 32;
        int here = THREADS - first < 32 ? THREADS - first : 32;
        unsigned int mask = here == 32 ? 0xffffffff : (1u << here) - 1;
        for (int by = 1; by < 32; by *= 2) {
            T other = details::shuffles<T>::shfl_up(mask, value, by, 32);
            if (thread % 32 >= by) value = f(other, value);
        }
        if (thread % 32 == here - 1) sums[thread / 32] = value;
        __syncthreads();
        T before = sums[0];
        for (int warp = 1; warp < thread / 32; warp++)
            before = f(before, sums[warp]);
        whole = sums[0];
        for (int warp = 1; warp < WARPS; warp++)
            whole = f(whole, sums[warp]);
        result = thread < 32 ? value : f(before, value);
    }
    template <class F> WARPUP_CUB void InclusiveScan(T value, T &result, F f)
    {
        T whole;
        InclusiveScan(value, result, f, whole);
    }
    WARPUP_CUB void InclusiveSum(T value, T &result)
    {
        InclusiveScan(value, result, cub::Sum());
    }
    WARPUP_CUB void InclusiveSum(T value, T &result, T &whole)
    {
        InclusiveScan(value, result, cub::Sum(), whole);
    }
    WARPUP_CUB void ExclusiveSum(T value, T &result)
    {
        T whole;
        ExclusiveSum(value, result, whole);
    }
    WARPUP_CUB void ExclusiveSum(T value, T &result, T &whole)
    {
        T sum;
        InclusiveScan(value, sum, cub::Sum(), whole);
        result = sum - value;
    }
    template <int items> WARPUP_CUB void InclusiveSum(T (&values)[items], T (&results)[items])
    {
        T mine = values[0], before, whole;
        for (int i = 1; i < items; i++)
            mine = mine + values[i];
        ExclusiveSum(mine, before, whole);
        for (int i = 0; i < items; i++)
            results[i] = before = before + values[i];
    }
    template <int items> WARPUP_CUB void ExclusiveSum(T (&values)[items], T (&results)[items])
    {
        T mine = values[0], before, whole;
        for (int i = 1; i < items; i++)
            mine = mine + values[i];
        ExclusiveSum(mine, before, whole);
        for (int i = 0; i < items; i++) {
            T value = values[i];
            results[i] = before;
            before = before + value;
        }
    }

  private:
    T *sums;
};

namespace details
{
enum { STORAGE_BYTES = 1 }; /* what a call asks for: the library here has its own memory */
template <class I> WARPUP_CUB thrust::device_ptr<I> placed(I *at)
{
    return thrust::device_ptr<I>(at);
}
template <class I> WARPUP_CUB I placed(I at)
{
    return at;
}
template <class I, class O, class F, class T>
WARPUP_CUB cudaError_t reduced(void *storage, size_t &bytes, I in, O out, size_t n, F f, T start)
{
    if (storage == nullptr) {
        bytes = STORAGE_BYTES;
        return cudaSuccess;
    }
    T sum = thrust::reduce(placed(in), placed(in) + (ptrdiff_t)n, start, f);
    return cudaMemcpy(out, &sum, sizeof sum, cudaMemcpyDefault);
}
} // namespace details

/* The first call, without storage, only asks how much of it is needed. */
struct DeviceReduce {
    template <class I, class O, class F, class T>
    static WARPUP_CUB cudaError_t Reduce(void *storage, size_t &bytes, I in, O out, size_t n, F f,
                                         T start, cudaStream_t = nullptr)
    {
        typedef typename std::iterator_traits<O>::value_type V;
        return details::reduced(storage, bytes, in, out, n, f, (V)start);
    }
    template <class I, class O>
    static WARPUP_CUB cudaError_t Sum(void *storage, size_t &bytes, I in, O out, size_t n,
                                      cudaStream_t = nullptr)
    {
        typedef typename std::iterator_traits<O>::value_type V;
        return details::reduced(storage, bytes, in, out, n, cub::Sum(), V());
    }
    template <class I, class O>
    static WARPUP_CUB cudaError_t Max(void *storage, size_t &bytes, I in, O out, size_t n,
                                      cudaStream_t = nullptr)
    {
        typedef typename std::iterator_traits<O>::value_type V;
        return details::reduced(storage, bytes, in, out, n, cub::Max(),
                                std::numeric_limits<V>::lowest());
    }
    template <class I, class O>
    static WARPUP_CUB cudaError_t Min(void *storage, size_t &bytes, I in, O out, size_t n,
                                      cudaStream_t = nullptr)
    {
        typedef typename std::iterator_traits<O>::value_type V;
        return details::reduced(storage, bytes, in, out, n, cub::Min(),
                                std::numeric_limits<V>::max());
    }
};

struct DeviceScan {
    template <class I, class O>
    static WARPUP_CUB cudaError_t InclusiveSum(void *storage, size_t &bytes, I in, O out, size_t n,
                                               cudaStream_t = nullptr)
    {
        bytes = storage == nullptr ? details::STORAGE_BYTES : bytes;
        if (storage != nullptr)
            thrust::inclusive_scan(details::placed(in), details::placed(in) + (ptrdiff_t)n,
                                   details::placed(out));
        return cudaSuccess;
    }
    template <class I, class O>
    static WARPUP_CUB cudaError_t ExclusiveSum(void *storage, size_t &bytes, I in, O out, size_t n,
                                               cudaStream_t = nullptr)
    {
        bytes = storage == nullptr ? details::STORAGE_BYTES : bytes;
        if (storage != nullptr)
            thrust::exclusive_scan(details::placed(in), details::placed(in) + (ptrdiff_t)n,
                                   details::placed(out));
        return cudaSuccess;
    }
};

struct DeviceRadixSort {
    template <class K>
    static WARPUP_CUB cudaError_t SortKeys(void *storage, size_t &bytes, const K *in, K *out,
                                           size_t n)
    {
        bytes = storage == nullptr ? details::STORAGE_BYTES : bytes;
        if (storage == nullptr) return cudaSuccess;
        cudaError_t error = cudaMemcpy(out, in, n * sizeof(K), cudaMemcpyDeviceToDevice);
        if (error == cudaSuccess)
            thrust::sort(details::placed(out), details::placed(out) + (ptrdiff_t)n);
        return error;
    }
};

} // namespace cub

#endif
