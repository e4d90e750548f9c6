/*
 * cub.h: what this lab has of cub, the building blocks that come with CUDA: sums and scans of a
 * block or a warp, and sums over device memory. The counts of these kernels are not those of the
 * real library.
 */
#ifndef WARPUP_CUB_H
#define WARPUP_CUB_H

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
    WARPUP_CUB explicit WarpReduce(TempStorage &) {}
    template <class F> WARPUP_CUB T Reduce(T value, F f, int valid = count)
    {
        int lane = (int)(details::thread() % count);
        for (int by = 1; by < count; by *= 2) {
            T other = details::shuffles<T>::shfl_down(0xffffffff, value, by, count);
            if (lane + by < valid) value = f(value, other);
        }
        return value;
    }
    WARPUP_CUB T Sum(T value) { return Reduce(value, cub::Sum()); }
    WARPUP_CUB T Sum(T value, int valid) { return Reduce(value, cub::Sum(), valid); }
};

template <class T, int count = 32> class WarpScan
{
  public:
    struct TempStorage {
    };
    WARPUP_CUB explicit WarpScan(TempStorage &) {}
    template <class F> WARPUP_CUB void InclusiveScan(T value, T &result, F f)
    {
        int lane = (int)(details::thread() % count);
        for (int by = 1; by < count; by *= 2) {
            T other = details::shuffles<T>::shfl_up(0xffffffff, value, by, count);
            if (lane >= by) value = f(other, value);
        }
        result = value;
    }
    WARPUP_CUB void InclusiveSum(T value, T &result) { InclusiveScan(value, result, cub::Sum()); }
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
    WARPUP_CUB explicit BlockReduce(TempStorage &storage) : sums((T *)storage.bytes) {}
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
    WARPUP_CUB T Sum(T value) { return Reduce(value, cub::Sum()); }
    WARPUP_CUB T Sum(T value, int valid) { return Reduce(value, cub::Sum(), valid); }
    template <int items> WARPUP_CUB T Sum(T (&values)[items]) { return Reduce(values, cub::Sum()); }

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
    WARPUP_CUB explicit BlockScan(TempStorage &storage) : sums((T *)storage.bytes) {}
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
    WARPUP_CUB void InclusiveSum(T value, T &result) { InclusiveScan(value, result, cub::Sum()); }
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

/* Items of a block from and to memory, in the blocked order: a thread's items are neighbours. */
enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT,
    BLOCK_LOAD_STRIPED,
    BLOCK_LOAD_VECTORIZE,
    BLOCK_LOAD_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE
};
enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT,
    BLOCK_STORE_STRIPED,
    BLOCK_STORE_VECTORIZE,
    BLOCK_STORE_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE
};
template <int x, int items, bool striped, int y, int z> class BlockItems
{
  public:
    struct TempStorage {
    };
    WARPUP_CUB BlockItems() {}
    WARPUP_CUB explicit BlockItems(TempStorage &) {}

  protected:
    static WARPUP_CUB int rank(int i)
    {
        int thread = (int)details::thread();
        return striped ? i * (x * y * z) + thread : thread * items + i;
    }
};
template <class T, int x, int items, BlockLoadAlgorithm how = BLOCK_LOAD_DIRECT, int y = 1,
          int z = 1>
class BlockLoad : public BlockItems<x, items, how == BLOCK_LOAD_STRIPED, y, z>
{
  public:
    using BlockItems<x, items, how == BLOCK_LOAD_STRIPED, y, z>::BlockItems;
    template <class I>
    WARPUP_CUB void Load(I from, T (&values)[items], int valid = x * y * z * items)
    {
        for (int i = 0; i < items; i++)
            if (this->rank(i) < valid) values[i] = from[this->rank(i)];
    }
    template <class I, class D>
    WARPUP_CUB void Load(I from, T (&values)[items], int valid, D otherwise)
    {
        for (int i = 0; i < items; i++)
            values[i] = this->rank(i) < valid ? (T)from[this->rank(i)] : (T)otherwise;
    }
};
template <class T, int x, int items, BlockStoreAlgorithm how = BLOCK_STORE_DIRECT, int y = 1,
          int z = 1>
class BlockStore : public BlockItems<x, items, how == BLOCK_STORE_STRIPED, y, z>
{
  public:
    using BlockItems<x, items, how == BLOCK_STORE_STRIPED, y, z>::BlockItems;
    template <class O>
    WARPUP_CUB void Store(O to, T (&values)[items], int valid = x * y * z * items)
    {
        for (int i = 0; i < items; i++)
            if (this->rank(i) < valid) to[this->rank(i)] = values[i];
    }
};

template <class T> using CountingInputIterator = thrust::counting_iterator<T>;
template <class T> using ConstantInputIterator = thrust::constant_iterator<T>;
template <class V, class F, class I>
using TransformInputIterator = thrust::transform_iterator<F, I>;

namespace details
{
template <class I> WARPUP_CUB thrust::device_ptr<I> placed(I *at)
{
    return thrust::device_ptr<I>(at);
}
template <class I> WARPUP_CUB I placed(I at) { return at; }
template <class F, class I> WARPUP_CUB auto placed(thrust::transform_iterator<F, I> at)
{
    return thrust::make_transform_iterator(placed(at.at), at.f);
}
/* The first call, without storage, only asks how much of it is needed: the library here has its
 * own. */
WARPUP_HOST bool asks(const void *storage, size_t &bytes)
{
    if (storage == nullptr) bytes = 1;
    return storage == nullptr;
}
template <class I, class O, class F, class T>
WARPUP_CUB cudaError_t reduced(void *storage, size_t &bytes, I in, O out, size_t n, F f, T start)
{
    if (asks(storage, bytes)) return cudaSuccess;
    T sum = thrust::reduce(placed(in), placed(in) + (ptrdiff_t)n, start, f);
    return cudaMemcpy(out, &sum, sizeof sum, cudaMemcpyDefault);
}
template <class O> using value_at = typename std::iterator_traits<O>::value_type;
} // namespace details

#define WARPUP_WHOLE details::placed(in), details::placed(in) + (ptrdiff_t)n
#define WARPUP_DEVICE_CALL(name, arguments, work)                                                  \
    static WARPUP_CUB cudaError_t name(WARPUP_LIST arguments, cudaStream_t = nullptr)              \
    {                                                                                              \
        if (details::asks(storage, bytes)) return cudaSuccess;                                     \
        work;                                                                                      \
        return cudaSuccess;                                                                        \
    }
#define WARPUP_LIST(...) void *storage, size_t &bytes, __VA_ARGS__

struct DeviceReduce {
    template <class I, class O, class F, class T>
    static WARPUP_CUB cudaError_t Reduce(void *storage, size_t &bytes, I in, O out, size_t n, F f,
                                         T start, cudaStream_t = nullptr)
    {
        return details::reduced(storage, bytes, in, out, n, f, (details::value_at<O>)start);
    }
#define WARPUP_REDUCE(name, start)                                                                 \
    template <class I, class O>                                                                    \
    static WARPUP_CUB cudaError_t name(void *storage, size_t &bytes, I in, O out, size_t n,        \
                                       cudaStream_t = nullptr)                                     \
    {                                                                                              \
        typedef details::value_at<O> V;                                                            \
        return details::reduced(storage, bytes, in, out, n, cub::name(), start);                   \
    }
    WARPUP_REDUCE(Sum, V())
    WARPUP_REDUCE(Max, std::numeric_limits<V>::lowest())
    WARPUP_REDUCE(Min, std::numeric_limits<V>::max())
#undef WARPUP_REDUCE
};

struct DeviceScan {
    template <class I, class O>
    WARPUP_DEVICE_CALL(InclusiveSum, (I in, O out, size_t n),
                       thrust::inclusive_scan(WARPUP_WHOLE, details::placed(out)))
    template <class I, class O>
    WARPUP_DEVICE_CALL(ExclusiveSum, (I in, O out, size_t n),
                       thrust::exclusive_scan(WARPUP_WHOLE, details::placed(out)))
    template <class I, class O, class F>
    WARPUP_DEVICE_CALL(InclusiveScan, (I in, O out, F f, size_t n),
                       thrust::inclusive_scan(WARPUP_WHOLE, details::placed(out), f))
    template <class I, class O, class F, class T>
    WARPUP_DEVICE_CALL(ExclusiveScan, (I in, O out, F f, T start, size_t n),
                       thrust::exclusive_scan(WARPUP_WHOLE, details::placed(out), start, f))
};

/* All bits are compared: first_bit and last_bit are those of a whole key. */
struct DeviceRadixSort {
#define WARPUP_SORT(suffix, Less)                                                                  \
    template <class K>                                                                             \
    WARPUP_DEVICE_CALL(                                                                            \
        SortKeys##suffix,                                                                          \
        (const K *in, K *out, size_t n, int first_bit = 0, int last_bit = 8 * sizeof(K)),          \
        (void)first_bit;                                                                           \
        (void)last_bit; thrust::copy(WARPUP_WHOLE, details::placed(out)); thrust::sort(            \
            details::placed(out), details::placed(out) + (ptrdiff_t)n, thrust::Less<K>()))         \
    template <class K, class V>                                                                    \
    WARPUP_DEVICE_CALL(                                                                            \
        SortPairs##suffix,                                                                         \
        (const K *in, K *out, const V *values, V *to, size_t n, int first_bit = 0,                 \
         int last_bit = 8 * sizeof(K)),                                                            \
        (void)first_bit;                                                                           \
        (void)last_bit; thrust::copy(WARPUP_WHOLE, details::placed(out)); thrust::copy(            \
            details::placed(values), details::placed(values) + (ptrdiff_t)n, details::placed(to)); \
        thrust::sort_by_key(details::placed(out), details::placed(out) + (ptrdiff_t)n,             \
                            details::placed(to), thrust::Less<K>()))
    WARPUP_SORT(, less)
    WARPUP_SORT(Descending, greater)
#undef WARPUP_SORT
};

/* The number of items that are kept goes to *count, in device memory. */
struct DeviceSelect {
    template <class I, class O, class N, class F>
    WARPUP_DEVICE_CALL(If, (I in, O out, N count, size_t n, F f),
                       auto end = thrust::copy_if(WARPUP_WHOLE, details::placed(out), f);
                       details::value_at<N> kept = end - details::placed(out);
                       cudaMemcpy(count, &kept, sizeof kept, cudaMemcpyDefault))
};
#undef WARPUP_LIST
#undef WARPUP_DEVICE_CALL
#undef WARPUP_WHOLE

} // namespace cub

#endif
