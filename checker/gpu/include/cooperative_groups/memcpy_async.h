/*
 * memcpy_async.h: asynchronous copies of a group of threads. The group waits for all of its own
 * copies, or for all but the last few batches.
 */
#ifndef WARPUP_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define WARPUP_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"
#include "../warpup/async.h"

namespace cooperative_groups
{

/* `bytes`, or a size with an alignment */
template <class Group, class T, class Bytes>
WARPUP_DEVICE void memcpy_async(const Group &group, T *to, const T *from, const Bytes &bytes)
{
    ::warpup::copy_async<::warpup::alignment_of_size<Bytes>::value>(
        to, from, (size_t)bytes, (unsigned int)group.thread_rank(),
        (unsigned int)group.num_threads());
    __pipeline_commit();
}

/* Elements of which there may be fewer at one end than at the other */
template <class Group, class T, class To, class From>
WARPUP_DEVICE void memcpy_async(const Group &group, T *to, const To &to_count, const T *from,
                                const From &from_count)
{
    size_t count = (size_t)to_count < (size_t)from_count ? (size_t)to_count : (size_t)from_count;
    memcpy_async(group, to, from, count * sizeof(T));
}

template <class Group> WARPUP_DEVICE void wait(const Group &group)
{
    __pipeline_wait_prior(0);
    group.sync();
}

template <unsigned int prior, class Group> WARPUP_DEVICE void wait_prior(const Group &group)
{
    __pipeline_wait_prior(prior);
    group.sync();
}

} // namespace cooperative_groups

#endif
