/*
 * scan.h: for each thread of a group the values of the threads before it, put together with an
 * operator; with its own value (inclusive) or without it (exclusive).
 */
#ifndef WARPUP_COOPERATIVE_GROUPS_SCAN_H
#define WARPUP_COOPERATIVE_GROUPS_SCAN_H

#include "reduce.h"

namespace cooperative_groups
{

template <class Group, class T, class Operator>
WARPUP_DEVICE T inclusive_scan(const Group &group, T value, Operator &&operate)
{
    unsigned int rank = group.thread_rank(), threads = group.num_threads();
    for (unsigned int by = 1; by < threads; by *= 2) {
        T before = group.shfl_up(value, by);
        if (rank >= by) value = operate(before, value);
    }
    return value;
}
template <class Group, class T> WARPUP_DEVICE T inclusive_scan(const Group &group, T value)
{
    return inclusive_scan(group, value, plus<T>());
}
/* The first thread gets T(). */
template <class Group, class T, class Operator>
WARPUP_DEVICE T exclusive_scan(const Group &group, T value, Operator &&operate)
{
    T before = group.shfl_up(inclusive_scan(group, value, operate), 1);
    return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T> WARPUP_DEVICE T exclusive_scan(const Group &group, T value)
{
    return exclusive_scan(group, value, plus<T>());
}

} // namespace cooperative_groups

#endif
