/* maps.h: algorithms that treat each element alone. */
#ifndef WARPUP_THRUST_MAPS_H
#define WARPUP_THRUST_MAPS_H

#include "jobs.h"

namespace thrust
{

/* Each algorithm in two forms: with and without a policy, which may say that a bare pointer leads
 * to device memory. WARPUP_ON wraps its iterators accordingly. */
namespace details
{
template <class I> WARPUP_THRUST I placed(on_host, I at) { return at; }
template <class I> WARPUP_THRUST I placed(on_device, I at) { return at; }
template <class T> WARPUP_THRUST device_ptr<T> placed(on_device, T *at)
{
    return device_ptr<T>(at);
}
template <class I, class T> WARPUP_THRUST I as_before(I, T at)
{
    if constexpr (std::is_pointer<I>::value && !std::is_pointer<T>::value)
        return bare(at);
    else
        return at;
}
template <class P> struct is_policy : std::false_type {
};
template <> struct is_policy<on_host> : std::true_type {
};
template <> struct is_policy<on_device> : std::true_type {
};
template <class P>
using policy = typename std::enable_if<is_policy<typename std::decay<P>::type>::value, int>::type;
template <class P>
using no_policy =
    typename std::enable_if<!is_policy<typename std::decay<P>::type>::value, int>::type;
} // namespace details

template <class I, class O, details::no_policy<I> = 0> WARPUP_THRUST O copy(I first, I last, O out)
{
    size_t n = (size_t)(last - first);
    details::copied(first, n, out);
    if constexpr (std::is_same<typename std::iterator_traits<O>::iterator_category,
                               std::random_access_iterator_tag>::value)
        return out + (ptrdiff_t)n;
    else
        return out;
}
template <class I, class O, details::no_policy<I> = 0>
WARPUP_THRUST O copy_n(I first, size_t n, O out)
{
    return thrust::copy(first, first + (ptrdiff_t)n, out);
}

template <class I, class T, details::no_policy<I> = 0>
WARPUP_THRUST void fill(I first, I last, const T &value)
{
    typedef details::value_of<I> V;
    size_t n = (size_t)(last - first);
    if constexpr (details::some_on_device<I>)
        details::on_indices(
            n, details::set_to<details::bare_of<I>, V>{details::bare(first), (V)value});
    else
        std::fill(first, last, (V)value);
}
template <class I, class T, details::no_policy<I> = 0>
WARPUP_THRUST I fill_n(I first, size_t n, const T &value)
{
    thrust::fill(first, first + (ptrdiff_t)n, value);
    return first + (ptrdiff_t)n;
}

template <class I, class T = details::value_of<I>, details::no_policy<I> = 0>
WARPUP_THRUST void sequence(I first, I last, T begin = T(0), T step = T(1))
{
    typedef details::value_of<I> V;
    details::count_from<details::bare_of<I>, V> f{details::bare(first), (V)begin, (V)step};
    size_t n = (size_t)(last - first);
    details::on_each<I>(n, f);
}

template <class I, class F, details::no_policy<I> = 0>
WARPUP_THRUST void generate(I first, I last, F f)
{
    size_t n = (size_t)(last - first);
    if constexpr (details::some_on_device<I>)
        details::on_indices(n, details::made_by<details::bare_of<I>, F>{details::bare(first), f});
    else
        std::generate(first, last, f);
}

template <class I, class F, details::no_policy<I> = 0>
WARPUP_THRUST I for_each(I first, I last, F f)
{
    size_t n = (size_t)(last - first);
    constexpr bool counts = std::is_same<I, counting_iterator<details::value_of<I>>>::value;
    if constexpr (details::some_on_device<I> || counts)
        details::on_indices(n, details::apply_to<details::bare_of<I>, F>{details::bare(first), f});
    else
        std::for_each(first, last, f);
    return last;
}
template <class I, class F, details::no_policy<I> = 0>
WARPUP_THRUST I for_each_n(I first, size_t n, F f)
{
    return thrust::for_each(first, first + (ptrdiff_t)n, f);
}

template <class I, class O, class F, details::no_policy<I> = 0>
WARPUP_THRUST O transform(I first, I last, O out, F f)
{
    size_t n = (size_t)(last - first);
    details::transform_one<details::bare_of<I>, details::bare_of<O>, F> all{details::bare(first),
                                                                            details::bare(out), f};
    details::on_each<I, O>(n, all);
    return out + (ptrdiff_t)n;
}
template <class I, class J, class O, class F, details::no_policy<I> = 0>
WARPUP_THRUST O transform(I first, I last, J second, O out, F f)
{
    size_t n = (size_t)(last - first);
    details::transform_two<details::bare_of<I>, details::bare_of<J>, details::bare_of<O>, F> all{
        details::bare(first), details::bare(second), details::bare(out), f};
    details::on_each<I, J, O>(n, all);
    return out + (ptrdiff_t)n;
}

} // namespace thrust

#endif
