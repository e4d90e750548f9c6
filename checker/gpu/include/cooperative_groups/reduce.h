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
        __host__ __device__ WARPUP_HIDDEN T operator()(T a, T b) const { return expression; }      \
    };
WARPUP_OPERATOR(plus, a + b)
WARPUP_OPERATOR(less, b < a ? b : a)
WARPUP_OPERATOR(greater, a < b ? b : a)
WARPUP_OPERATOR(bit_and, a &b)
WARPUP_OPERATOR(bit_or, a | b)
WARPUP_OPERATOR(bit_xor, a ^ b)
#undef WARPUP_OPERATOR

namespace details
{
/* Is there an instruction that reduces words with this operator? */
template <class T, class Operator> struct reduction {
    static constexpr bool exists = false;
};
#if __CUDA_ARCH__ >= 800
#    define WARPUP_REDUCTION(T, Operator, name)                                                    \
        template <> struct reduction<T, Operator<T>> {                                             \
            static constexpr bool exists = true;                                                   \
            static __device__ WARPUP_HIDDEN T all(unsigned int mask, T value)                      \
            {                                                                                      \
                return (T)__reduce_##name##_sync(mask, value);                                     \
            }                                                                                      \
        };
WARPUP_REDUCTION(int, plus, add)
WARPUP_REDUCTION(int, less, min)
WARPUP_REDUCTION(int, greater, max)
WARPUP_REDUCTION(unsigned int, plus, add)
WARPUP_REDUCTION(unsigned int, less, min)
WARPUP_REDUCTION(unsigned int, greater, max)
WARPUP_REDUCTION(int, bit_and, and)
WARPUP_REDUCTION(int, bit_or, or)
WARPUP_REDUCTION(int, bit_xor, xor)
WARPUP_REDUCTION(unsigned int, bit_and, and)
WARPUP_REDUCTION(unsigned int, bit_or, or)
WARPUP_REDUCTION(unsigned int, bit_xor, xor)
#    undef WARPUP_REDUCTION
#endif
template <class T> struct plain_type {
    typedef T type;
};
template <class T> struct plain_type<T &> {
    typedef T type;
};
template <class T> struct plain_type<const T &> {
    typedef T type;
};
} // namespace details

template <unsigned int count, class Parent, class T, class Operator>
WARPUP_DEVICE T reduce(const thread_block_tile<count, Parent> &tile, T value, Operator &&operate)
{
    typedef details::reduction<T, typename details::plain_type<Operator>::type> instruction;
    if constexpr (instruction::exists) {
        return instruction::all(mask_of(tile), value);
    } else {
#pragma unroll
        for (unsigned int with = count / 2; with > 0; with /= 2)
            value = operate(value, tile.shfl_xor(value, with));
        return value;
    }
}

template <class T, class Operator>
WARPUP_DEVICE T reduce(const coalesced_group &group, T value, Operator &&operate)
{
    typedef details::reduction<T, typename details::plain_type<Operator>::type> instruction;
    if constexpr (instruction::exists) {
        return instruction::all(mask_of(group), value);
    } else {
        T all = group.shfl(value, 0);
        for (unsigned int rank = 1; rank < group.num_threads(); rank++)
            all = operate(all, group.shfl(value, rank));
        return all;
    }
}

} // namespace cooperative_groups

#endif
