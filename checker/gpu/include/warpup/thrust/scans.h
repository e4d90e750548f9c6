/* scans.h: scans. */
#ifndef WARPUP_THRUST_SCANS_H
#define WARPUP_THRUST_SCANS_H

#include "sums.h"

namespace thrust
{

namespace details
{
/* Sums of everything up to each element; `parts` of the blocks are scanned in the same way. */
template <class T, class I, class O, class F> void scan_on_device(I in, size_t n, O out, F f)
{
    unsigned int blocks = blocks_of(n);
    scratch<T> parts(blocks);
    T *to = parts.at;
    void *addresses[] = {&in, &n, &out, &to, &f};
    demand(cudaLaunchKernel(&scan_parts<I, O, T, F>, dim3(blocks), dim3(THREADS), addresses, 0,
                            nullptr));
    if (blocks == 1) return;
    scan_on_device<T, T *, T *, F>(to, blocks, to, f);
    on_indices(n, add_before<O, T, F>{out, to, f});
}
} // namespace details
template <class I, class O, class F = plus<details::value_of<I>>, details::no_policy<I> = 0>
WARPUP_THRUST O inclusive_scan(I first, I last, O out, F f = F())
{
    typedef details::value_of<I> T;
    size_t n = (size_t)(last - first);
    if (n == 0) return out;
    if constexpr (details::some_on_device<I, O>)
        details::scan_on_device<T>(details::bare(first), n, details::bare(out), f);
    else
        std::partial_sum(first, last, out, f);
    return out + (ptrdiff_t)n;
}
template <class I, class O, class T = details::value_of<I>, class F = plus<T>,
          details::no_policy<I> = 0>
WARPUP_THRUST O exclusive_scan(I first, I last, O out, T start = T(), F f = F())
{
    size_t n = (size_t)(last - first);
    if (n == 0) return out;
    if constexpr (details::some_on_device<I, O>) {
        details::scratch<T> sums(n);
        details::scan_on_device<T>(details::bare(first), n, sums.at, f);
        details::on_indices(n, details::shift_by_one<T *, details::bare_of<O>, T, F>{
                                   sums.at, details::bare(out), start, f});
    } else {
        for (size_t i = 0; i < n; i++) {
            T value = first[(ptrdiff_t)i];
            out[(ptrdiff_t)i] = start;
            start = f(start, value);
        }
    }
    return out + (ptrdiff_t)n;
}
template <class I, class O, class U, class F, details::no_policy<I> = 0>
WARPUP_THRUST O transform_inclusive_scan(I first, I last, O out, U unary, F f)
{
    return thrust::inclusive_scan(make_transform_iterator(first, unary),
                                  make_transform_iterator(last, unary), out, f);
}

} // namespace thrust

#endif
