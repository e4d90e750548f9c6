/* sums.h: sums, products and extremes. */
#ifndef WARPUP_THRUST_SUMS_H
#define WARPUP_THRUST_SUMS_H

#include "maps.h"

namespace thrust
{

template <class I, class T = details::value_of<I>, class F = plus<T>, details::no_policy<I> = 0>
WARPUP_THRUST T reduce(I first, I last, T start = T(), F f = F())
{
    size_t n = (size_t)(last - first);
    if (n == 0) return start;
    if constexpr (details::some_on_device<I>) {
        unsigned int blocks = details::blocks_of(n);
        if (blocks > details::BLOCKS_MOST) blocks = details::BLOCKS_MOST;
        details::scratch<T> parts(blocks + 1);
        auto in = details::bare(first);
        T *to = blocks == 1 ? parts.at + blocks : parts.at, *last_part = parts.at + blocks;
        void *addresses[] = {&in, &n, &to, &f};
        details::demand(cudaLaunchKernel(&details::sum_parts<decltype(in), T, F>, dim3(blocks),
                                         dim3(details::THREADS), addresses, 0, nullptr));
        if (blocks > 1) {
            const T *from = parts.at;
            size_t count = blocks;
            void *others[] = {&from, &count, &last_part, &f};
            details::demand(cudaLaunchKernel(&details::sum_parts<const T *, T, F>, dim3(1),
                                             dim3(details::THREADS), others, 0, nullptr));
        }
        return f(start, details::fetched<T>(last_part));
    } else {
        for (; first != last; ++first)
            start = f(start, (T)*first);
        return start;
    }
}
template <class I, class U, class T, class F, details::no_policy<I> = 0>
WARPUP_THRUST T transform_reduce(I first, I last, U unary, T start, F f)
{
    return thrust::reduce(make_transform_iterator(first, unary),
                          make_transform_iterator(last, unary), start, f);
}

namespace details
{
template <class U> struct on_pairs {
    U f;
    template <class A, class B> WARPUP_THRUST auto operator()(const tuple<A, B> &both) const
    {
        return f(both.first, both.more.first);
    }
};
} // namespace details
template <class I, class J, class T, class F = plus<T>, class U = multiplies<T>,
          details::no_policy<I> = 0>
WARPUP_THRUST T inner_product(I first, I last, J second, T start, F sum = F(), U product = U())
{
    auto begin = make_zip_iterator(make_tuple(first, second));
    return thrust::transform_reduce(begin, begin + (last - first), details::on_pairs<U>{product},
                                    start, sum);
}

template <class I, class F, details::no_policy<I> = 0>
WARPUP_THRUST ptrdiff_t count_if(I first, I last, F f)
{
    struct one {
        F f;
        WARPUP_THRUST ptrdiff_t operator()(const details::value_of<I> &value) const
        {
            return f(value) ? 1 : 0;
        }
    };
    return thrust::transform_reduce(first, last, one{f}, (ptrdiff_t)0, plus<ptrdiff_t>());
}
template <class I, class T, details::no_policy<I> = 0>
WARPUP_THRUST ptrdiff_t count(I first, I last, const T &value)
{
    typedef details::value_of<I> V;
    return thrust::count_if(first, last, details::is_value<V>{(V)value});
}
template <class I, class F, details::no_policy<I> = 0>
WARPUP_THRUST bool all_of(I first, I last, F f)
{
    return thrust::count_if(first, last, f) == last - first;
}
template <class I, class F, details::no_policy<I> = 0>
WARPUP_THRUST bool any_of(I first, I last, F f)
{
    return thrust::count_if(first, last, f) > 0;
}
template <class I, class F, details::no_policy<I> = 0>
WARPUP_THRUST bool none_of(I first, I last, F f)
{
    return thrust::count_if(first, last, f) == 0;
}
template <class I, class J, details::no_policy<I> = 0>
WARPUP_THRUST bool equal(I first, I last, J second)
{
    typedef details::value_of<I> V;
    auto begin = make_zip_iterator(make_tuple(first, second));
    struct same {
        WARPUP_THRUST int operator()(const tuple<V, details::value_of<J>> &both) const
        {
            return both.first == both.more.first ? 0 : 1;
        }
    };
    return thrust::transform_reduce(begin, begin + (last - first), same(), 0, plus<int>()) == 0;
}

/* The place of the least or greatest element: the first one of several */
namespace details
{
template <class T> struct with_rank {
    T value;
    size_t rank;
};
template <class I> struct rank_of {
    I in;
    WARPUP_THRUST with_rank<value_of<I>> operator()(size_t i) const
    {
        return {(value_of<I>)in[i], i};
    }
};
template <class T, class Less> struct smaller {
    Less less;
    bool greatest;
    WARPUP_THRUST with_rank<T> operator()(const with_rank<T> &a, const with_rank<T> &b) const
    {
        bool first = greatest ? less(b.value, a.value) : less(a.value, b.value);
        bool second = greatest ? less(a.value, b.value) : less(b.value, a.value);
        if (first || second) return first ? a : b;
        return a.rank < b.rank ? a : b;
    }
};
template <class I, class Less>
WARPUP_THRUST size_t find_extreme(I first, I last, Less less, bool greatest)
{
    typedef value_of<I> T;
    size_t n = (size_t)(last - first);
    if (n == 0) return 0;
    smaller<T, Less> better{less, greatest};
    if constexpr (some_on_device<I>) {
        auto in = bare(first);
        scratch<with_rank<T>> all(n);
        on_indices(n,
                   transform_one<counting_iterator<size_t>, with_rank<T> *, rank_of<decltype(in)>>{
                       counting_iterator<size_t>(0), all.at, {in}});
        device_ptr<with_rank<T>> begin(all.at);
        return thrust::reduce(begin, begin + (ptrdiff_t)n, fetched<with_rank<T>>(all.at), better)
            .rank;
    } else {
        with_rank<T> best{(T)first[0], 0};
        for (size_t i = 1; i < n; i++)
            best = better(best, with_rank<T>{(T)first[(ptrdiff_t)i], i});
        return best.rank;
    }
}
} // namespace details
template <class I, class Less = less<details::value_of<I>>, details::no_policy<I> = 0>
WARPUP_THRUST I max_element(I first, I last, Less less = Less())
{
    return first + (ptrdiff_t)details::find_extreme(first, last, less, true);
}
template <class I, class Less = less<details::value_of<I>>, details::no_policy<I> = 0>
WARPUP_THRUST I min_element(I first, I last, Less less = Less())
{
    return first + (ptrdiff_t)details::find_extreme(first, last, less, false);
}
template <class I, details::no_policy<I> = 0>
WARPUP_THRUST pair<I, I> minmax_element(I first, I last)
{
    return {thrust::min_element(first, last), thrust::max_element(first, last)};
}

} // namespace thrust

#endif
