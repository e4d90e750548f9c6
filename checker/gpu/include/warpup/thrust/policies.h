/* policies.h: all algorithms with a policy before their arguments. */
#ifndef WARPUP_THRUST_POLICIES_H
#define WARPUP_THRUST_POLICIES_H

#include "order.h"

namespace thrust
{

/* The forms with a policy */
#define WARPUP_POLICY(name)                                                                        \
    template <class P, class... A, details::policy<P> = 0>                                         \
    WARPUP_THRUST auto name(const P &where, A... arguments)                                        \
    {                                                                                              \
        return thrust::name(details::placed(where, arguments)...);                                 \
    }
WARPUP_POLICY(copy)
WARPUP_POLICY(copy_n)
WARPUP_POLICY(copy_if)
WARPUP_POLICY(fill)
WARPUP_POLICY(fill_n)
WARPUP_POLICY(sequence)
WARPUP_POLICY(generate)
WARPUP_POLICY(for_each)
WARPUP_POLICY(for_each_n)
WARPUP_POLICY(transform)
WARPUP_POLICY(reduce)
WARPUP_POLICY(transform_reduce)
WARPUP_POLICY(inner_product)
WARPUP_POLICY(count)
WARPUP_POLICY(count_if)
WARPUP_POLICY(max_element)
WARPUP_POLICY(min_element)
WARPUP_POLICY(inclusive_scan)
WARPUP_POLICY(exclusive_scan)
WARPUP_POLICY(sort)
WARPUP_POLICY(stable_sort)
WARPUP_POLICY(sort_by_key)
WARPUP_POLICY(stable_sort_by_key)
WARPUP_POLICY(is_sorted)
WARPUP_POLICY(adjacent_difference)
WARPUP_POLICY(upper_bound)
WARPUP_POLICY(lower_bound)
WARPUP_POLICY(scatter)
WARPUP_POLICY(gather)
WARPUP_POLICY(remove_if)
WARPUP_POLICY(reduce_by_key)
WARPUP_POLICY(unique)
WARPUP_POLICY(unique_by_key)
WARPUP_POLICY(find)
WARPUP_POLICY(find_if)
WARPUP_POLICY(equal)
#undef WARPUP_POLICY

} // namespace thrust

#endif
