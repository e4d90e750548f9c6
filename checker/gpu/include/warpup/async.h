/*
 * async.h: what cuda/barrier, cuda/pipeline and cooperative_groups/memcpy_async.h share: scopes,
 * and copies of any size from global to shared memory.
 */
#ifndef WARPUP_ASYNC_H
#define WARPUP_ASYNC_H

#include "../cuda_runtime.h"

#ifndef WARPUP_MEMBER
#    define WARPUP_MEMBER inline __attribute__((always_inline))
#endif

namespace cuda
{

enum thread_scope {
    thread_scope_system,
    thread_scope_device,
    thread_scope_block,
    thread_scope_thread
};

/* A size that is a multiple of an alignment: wider copies */
template <size_t alignment> struct aligned_size_t {
    static constexpr size_t align = alignment;
    size_t value;
    WARPUP_MEMBER explicit constexpr aligned_size_t(size_t bytes) : value(bytes)
    {
    }
    WARPUP_MEMBER constexpr operator size_t() const
    {
        return value;
    }
};

} // namespace cuda

namespace warpup
{

WARPUP_INLINE bool is_multiple(const void *to, const void *from, size_t bytes, size_t of)
{
    return ((size_t)to | (size_t)from | bytes) % of == 0;
}

/* The share of one of `count` threads: pieces of 16, 8 or 4 bytes, as both addresses and the size
 * allow. Others are copied synchronously, as libcu++ does it. */
WARPUP_INLINE void copy_async(void *to, const void *from, size_t bytes, unsigned int rank,
                              unsigned int count)
{
    size_t piece = is_multiple(to, from, bytes, 16)  ? 16
                   : is_multiple(to, from, bytes, 8) ? 8
                   : is_multiple(to, from, bytes, 4) ? 4
                                                     : 0;
    if (piece == 0) {
        for (size_t i = rank; i < bytes; i += count)
            ((char *)to)[i] = ((const char *)from)[i];
        return;
    }
    for (size_t i = rank * piece; i < bytes; i += count * piece)
        warpup_copy_async((char *)to + i, (const char *)from + i, piece, 0);
}

} // namespace warpup

#endif
