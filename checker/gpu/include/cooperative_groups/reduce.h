/*
 * reduce.h: a value of each thread of a group, put together with an operator; all get the result.
 */
#ifndef WARPUP_COOPERATIVE_GROUPS_REDUCE_H
#define WARPUP_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

namespace cooperative_groups
{

#define WARPUP_OPERATOR(name, expression)                                                          \
    template <class T> struct name {                                                               \
        inline __attribute__((always_inline)) T operator()(T a, T b) const                         \
        {                                                                                          \
            return expression;                                                                     \
        }                                                                                          \
    };
WARPUP_OPERATOR(plus, a + b)
WARPUP_OPERATOR(less, b < a ? b : a)
WARPUP_OPERATOR(greater, a < b ? b : a)
WARPUP_OPERATOR(bit_and, a &b)
WARPUP_OPERATOR(bit_or, a | b)
WARPUP_OPERATOR(bit_xor, a ^ b)
#undef WARPUP_OPERATOR

template <unsigned int count, class Parent, class T, class Operator>
WARPUP_INLINE T reduce(const thread_block_tile<count, Parent> &tile, T value, Operator operate)
{
    for (unsigned int with = count / 2; with > 0; with /= 2)
        value = operate(value, tile.shfl_xor(value, with));
    return value;
}

template <class T, class Operator>
WARPUP_INLINE T reduce(const coalesced_group &group, T value, Operator operate)
{
    T all = group.shfl(value, 0);
    for (unsigned int rank = 1; rank < group.num_threads(); rank++)
        all = operate(all, group.shfl(value, rank));
    return all;
}

} // namespace cooperative_groups

#endif
