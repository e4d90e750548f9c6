/* order.h: sorting, searching, and moving elements. */
#ifndef WARPUP_THRUST_ORDER_H
#define WARPUP_THRUST_ORDER_H

#include "scans.h"

namespace thrust
{

namespace details
{
template <class K, class V, class Less> void sort_on_device(K *keys, V *values, size_t n, Less less)
{
    scratch<K> other_keys(n);
    scratch<V> other_values(values == nullptr ? 1 : n);
    K *from = keys, *to = other_keys.at;
    V *from_values = values, *to_values = values == nullptr ? nullptr : other_values.at;
    for (size_t run = 1; run < n; run *= 2) {
        const K *in = from;
        const V *in_values = from_values;
        void *addresses[] = {&in, &in_values, &to, &to_values, &n, &run, &less};
        demand(cudaLaunchKernel(&merge_runs<K, V, Less>, dim3(blocks_of(n)), dim3(THREADS),
                                addresses, 0, nullptr));
        std::swap(from, to);
        std::swap(from_values, to_values);
    }
    if (from == keys) return;
    demand(cudaMemcpy(keys, from, n * sizeof(K), cudaMemcpyDeviceToDevice));
    if (values != nullptr)
        demand(cudaMemcpy(values, from_values, n * sizeof(V), cudaMemcpyDeviceToDevice));
}
} // namespace details
template <class I, class Less = less<details::value_of<I>>, details::no_policy<I> = 0>
WARPUP_THRUST void stable_sort(I first, I last, Less less = Less())
{
    if constexpr (details::some_on_device<I>)
        details::sort_on_device(details::bare(first), (char *)nullptr, (size_t)(last - first),
                                less);
    else
        std::stable_sort(first, last, less);
}
template <class I, class Less = less<details::value_of<I>>, details::no_policy<I> = 0>
WARPUP_THRUST void sort(I first, I last, Less less = Less())
{
    thrust::stable_sort(first, last, less);
}
template <class K, class V, class Less = less<details::value_of<K>>, details::no_policy<K> = 0>
WARPUP_THRUST void sort_by_key(K first, K last, V values, Less less = Less())
{
    size_t n = (size_t)(last - first);
    if constexpr (details::some_on_device<K>) {
        details::sort_on_device(details::bare(first), details::bare(values), n, less);
    } else {
        std::vector<pair<details::value_of<K>, details::value_of<V>>> all(n);
        for (size_t i = 0; i < n; i++)
            all[i] = {first[(ptrdiff_t)i], values[(ptrdiff_t)i]};
        std::stable_sort(all.begin(), all.end(),
                         [&](const auto &a, const auto &b) { return less(a.first, b.first); });
        for (size_t i = 0; i < n; i++) {
            first[(ptrdiff_t)i] = all[i].first;
            values[(ptrdiff_t)i] = all[i].second;
        }
    }
}
template <class K, class V, class Less = less<details::value_of<K>>, details::no_policy<K> = 0>
WARPUP_THRUST void stable_sort_by_key(K first, K last, V values, Less less = Less())
{
    thrust::sort_by_key(first, last, values, less);
}
template <class I, details::no_policy<I> = 0> WARPUP_THRUST bool is_sorted(I first, I last)
{
    typedef details::value_of<I> T;
    if (last - first < 2) return true;
    auto begin = make_zip_iterator(make_tuple(first, first + 1));
    struct falls {
        WARPUP_THRUST int operator()(const tuple<T, T> &both) const
        {
            return both.more.first < both.first ? 1 : 0;
        }
    };
    return thrust::transform_reduce(begin, begin + (last - first - 1), falls(), 0, plus<int>()) ==
           0;
}

template <class I, class O, class F = minus<details::value_of<I>>, details::no_policy<I> = 0>
WARPUP_THRUST O adjacent_difference(I first, I last, O out, F f = F())
{
    size_t n = (size_t)(last - first);
    if constexpr (details::some_on_device<I, O>) {
        /* The result may take the place of the input. */
        details::scratch<details::value_of<I>> kept(n);
        details::on_indices(n, details::differ<details::bare_of<I>, details::value_of<I> *, F>{
                                   details::bare(first), kept.at, f});
        details::copied(device_ptr<details::value_of<I>>(kept.at), n, out);
    } else {
        std::adjacent_difference(first, last, out, f);
    }
    return out + (ptrdiff_t)n;
}

namespace details
{
template <bool upper, class I, class J, class O>
WARPUP_THRUST O bounds(I first, I last, J values, J values_end, O out)
{
    typedef less<value_of<I>> Less;
    size_t n = (size_t)(values_end - values);
    find_bound<upper, bare_of<I>, bare_of<J>, bare_of<O>, Less> all{
        bare(first), (size_t)(last - first), bare(values), bare(out), Less()};
    on_each<I, J, O>(n, all);
    return out + (ptrdiff_t)n;
}
} // namespace details
template <class I, class J, class O, details::no_policy<I> = 0>
WARPUP_THRUST O upper_bound(I first, I last, J values, J values_end, O out)
{
    return details::bounds<true>(first, last, values, values_end, out);
}
template <class I, class J, class O, details::no_policy<I> = 0>
WARPUP_THRUST O lower_bound(I first, I last, J values, J values_end, O out)
{
    return details::bounds<false>(first, last, values, values_end, out);
}

template <class I, class M, class O, details::no_policy<I> = 0>
WARPUP_THRUST void scatter(I first, I last, M map, O out)
{
    size_t n = (size_t)(last - first);
    details::move_to<details::bare_of<I>, details::bare_of<M>, details::bare_of<O>> all{
        details::bare(first), details::bare(map), details::bare(out), true};
    details::on_each<I, M, O>(n, all);
}
template <class M, class I, class O, details::no_policy<M> = 0>
WARPUP_THRUST O gather(M map, M map_end, I in, O out)
{
    size_t n = (size_t)(map_end - map);
    details::move_to<details::bare_of<I>, details::bare_of<M>, details::bare_of<O>> all{
        details::bare(in), details::bare(map), details::bare(out), false};
    details::on_each<I, M, O>(n, all);
    return out + (ptrdiff_t)n;
}

template <class I, class O, class F, details::no_policy<I> = 0>
WARPUP_THRUST O copy_if(I first, I last, O out, F f)
{
    size_t n = (size_t)(last - first);
    if (n == 0) return out;
    if constexpr (details::some_on_device<I, O>) {
        details::scratch<int> flags(n), sums(n);
        auto in = details::bare(first);
        details::on_indices(n, details::flag_one<decltype(in), F>{in, f, flags.at});
        details::scan_on_device<int>(flags.at, n, sums.at, plus<int>());
        details::on_indices(n, details::keep_flagged<decltype(in), details::bare_of<O>>{
                                   in, flags.at, sums.at, details::bare(out)});
        return out + details::fetched<int>(sums.at + n - 1);
    } else {
        return std::copy_if(first, last, out, f);
    }
}
template <class I, class F, details::no_policy<I> = 0>
WARPUP_THRUST I remove_if(I first, I last, F f)
{
    typedef details::value_of<I> T;
    device_vector<T> kept;
    if constexpr (details::some_on_device<I>) {
        kept.resize((size_t)(last - first));
        auto end = thrust::copy_if(first, last, kept.begin(), details::negated<F, T>{f});
        return thrust::copy(kept.begin(), end, first);
    } else {
        return std::remove_if(first, last, f);
    }
}
template <class I, class T, details::no_policy<I> = 0>
WARPUP_THRUST I remove(I first, I last, const T &value)
{
    typedef details::value_of<I> V;
    return thrust::remove_if(first, last, details::is_value<V>{(V)value});
}

template <class K, class V, class OK, class OV, class Same = equal_to<details::value_of<K>>,
          class F = plus<details::value_of<V>>, details::no_policy<K> = 0>
WARPUP_THRUST pair<OK, OV> reduce_by_key(K first, K last, V values, OK to_keys, OV to_values,
                                         Same same = Same(), F f = F())
{
    size_t n = (size_t)(last - first);
    if (n == 0) return {to_keys, to_values};
    static_assert(details::some_on_device<K>,
                  "the simulated GPU does not know reduce_by_key on the host");
    details::scratch<int> flags(n), sums(n);
    auto keys = details::bare(first);
    details::on_indices(n, details::flag_new<decltype(keys), Same>{keys, same, flags.at});
    details::scan_on_device<int>(flags.at, n, sums.at, plus<int>());
    details::on_indices(n, details::sum_run<decltype(keys), details::bare_of<V>,
                                            details::bare_of<OK>, details::bare_of<OV>, F>{
                               keys, details::bare(values), n, flags.at, sums.at,
                               details::bare(to_keys), details::bare(to_values), f});
    int runs = details::fetched<int>(sums.at + n - 1);
    return {to_keys + runs, to_values + runs};
}
/* The first of each run of equal keys, and its value */
template <class K, class V, details::no_policy<K> = 0>
WARPUP_THRUST pair<K, V> unique_by_key(K first, K last, V values)
{
    typedef details::value_of<K> T;
    typedef details::value_of<V> U;
    struct earlier {
        WARPUP_THRUST U operator()(const U &a, const U &) const { return a; }
    };
    size_t n = (size_t)(last - first);
    device_vector<T> keys(n);
    device_vector<U> kept(n);
    auto ends = thrust::reduce_by_key(first, last, values, keys.begin(), kept.begin(),
                                      equal_to<T>(), earlier());
    return {thrust::copy(keys.begin(), ends.first, first),
            thrust::copy(kept.begin(), ends.second, values)};
}
template <class I, details::no_policy<I> = 0> WARPUP_THRUST I unique(I first, I last)
{
    typedef details::value_of<I> T;
    if constexpr (details::some_on_device<I>) {
        size_t n = (size_t)(last - first);
        device_vector<T> keys(n), ones(n);
        auto ends = thrust::reduce_by_key(first, last, first, keys.begin(), ones.begin());
        return thrust::copy(keys.begin(), ends.first, first);
    } else {
        return std::unique(first, last);
    }
}
template <class I, details::no_policy<I> = 0> WARPUP_THRUST void reverse(I first, I last)
{
    typedef details::value_of<I> T;
    std::vector<T> all((size_t)(last - first));
    details::copied(first, all.size(), all.begin());
    std::reverse(all.begin(), all.end());
    details::copied(all.begin(), all.size(), first);
}
template <class I, class F, details::no_policy<I> = 0> WARPUP_THRUST I find_if(I first, I last, F f)
{
    if constexpr (details::some_on_device<I>) {
        std::vector<int> found((size_t)(last - first));
        device_vector<int> flags(found.size());
        thrust::transform(first, last, flags.begin(), f);
        thrust::copy(flags.begin(), flags.end(), found.begin());
        auto is_set = [](int flag) { return flag != 0; };
        return first + (std::find_if(found.begin(), found.end(), is_set) - found.begin());
    } else {
        return std::find_if(first, last, f);
    }
}
template <class I, class T, details::no_policy<I> = 0>
WARPUP_THRUST I find(I first, I last, const T &value)
{
    typedef details::value_of<I> V;
    return thrust::find_if(first, last, details::is_value<V>{(V)value});
}
template <class I, class T, details::no_policy<I> = 0>
WARPUP_THRUST void replace(I first, I last, const T &old, const T &value)
{
    struct choose {
        T old, value;
        WARPUP_THRUST T operator()(const T &one) const { return one == old ? value : one; }
    };
    thrust::transform(first, last, first, choose{old, value});
}

} // namespace thrust

#endif
