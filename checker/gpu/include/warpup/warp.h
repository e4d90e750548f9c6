/*
 * warp.h: what the lanes of a warp do together: waiting for each other, shuffles, votes, matches
 * and reductions; and the barriers that count. The runtime does the work (kernel_warp.c) and is
 * called straight from the kernel, so that it knows the place in the source.
 */
#ifndef WARPUP_WARP_FUNCTIONS_H
#define WARPUP_WARP_FUNCTIONS_H

#include "device.h"

WARPUP_INLINE void __syncwarp(unsigned int mask = 0xffffffff)
{
    warpup_syncwarp(mask);
}

WARPUP_INLINE unsigned int __activemask()
{
    return warpup_active();
}

WARPUP_INLINE int __syncthreads_count(int predicate)
{
    return warpup_barrier_count(predicate);
}
WARPUP_INLINE int __syncthreads_and(int predicate)
{
    return warpup_barrier_all(predicate);
}
WARPUP_INLINE int __syncthreads_or(int predicate)
{
    return warpup_barrier_count(predicate) != 0;
}

/* ---- shuffles ------------------------------------------------------------------------------- */

/* The four shuffles of a type T that is as large as the integer I; cuda_fp16.h has two more. */
#define WARPUP_SHUFFLE(T, I)                                                                       \
    WARPUP_SHUFFLE_BY(__shfl_sync, T, I, int, WARPUP_INDEX)                                        \
    WARPUP_SHUFFLE_BY(__shfl_up_sync, T, I, unsigned int, WARPUP_UP)                               \
    WARPUP_SHUFFLE_BY(__shfl_down_sync, T, I, unsigned int, WARPUP_DOWN)                           \
    WARPUP_SHUFFLE_BY(__shfl_xor_sync, T, I, int, WARPUP_XOR_LANE)
#define WARPUP_SHUFFLE_BY(name, T, I, L, direction)                                                \
    WARPUP_INLINE T name(unsigned int mask, T value, L lane, int width = 32)                       \
    {                                                                                              \
        I bits = __builtin_bit_cast(I, value);                                                     \
        bits = (I)warpup_shuffle(direction, mask, bits, (unsigned int)lane, width);                \
        return __builtin_bit_cast(T, bits);                                                        \
    }

WARPUP_SHUFFLE(int, uint32_t)
WARPUP_SHUFFLE(unsigned int, uint32_t)
WARPUP_SHUFFLE(long, uint64_t)
WARPUP_SHUFFLE(unsigned long, uint64_t)
WARPUP_SHUFFLE(long long, uint64_t)
WARPUP_SHUFFLE(unsigned long long, uint64_t)
WARPUP_SHUFFLE(float, uint32_t)
WARPUP_SHUFFLE(double, uint64_t)

/* ---- votes ---------------------------------------------------------------------------------- */

WARPUP_INLINE unsigned int __ballot_sync(unsigned int mask, int predicate)
{
    return warpup_ballot(mask, predicate != 0);
}
WARPUP_INLINE int __any_sync(unsigned int mask, int predicate)
{
    return warpup_ballot(mask, predicate != 0) != 0;
}
WARPUP_INLINE int __all_sync(unsigned int mask, int predicate)
{
    return warpup_ballot(mask, predicate == 0) == 0;
}

#define WARPUP_MATCH(T, I)                                                                         \
    WARPUP_INLINE unsigned int __match_any_sync(unsigned int mask, T value)                        \
    {                                                                                              \
        return warpup_match(mask, __builtin_bit_cast(I, value));                                   \
    }                                                                                              \
    WARPUP_INLINE unsigned int __match_all_sync(unsigned int mask, T value, int *all)              \
    {                                                                                              \
        unsigned int same = warpup_match_all(mask, __builtin_bit_cast(I, value));                  \
        *all = same != 0;                                                                          \
        return same;                                                                               \
    }
WARPUP_MATCH(int, uint32_t)
WARPUP_MATCH(unsigned int, uint32_t)
WARPUP_MATCH(long, uint64_t)
WARPUP_MATCH(unsigned long, uint64_t)
WARPUP_MATCH(long long, uint64_t)
WARPUP_MATCH(unsigned long long, uint64_t)
WARPUP_MATCH(float, uint32_t)
WARPUP_MATCH(double, uint64_t)
#undef WARPUP_MATCH

/* ---- reductions: from compute capability 8.0 on --------------------------------------------- */

#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 800
#    define WARPUP_REDUCE(name, T, operation)                                                      \
        WARPUP_INLINE T name(unsigned int mask, T value)                                           \
        {                                                                                          \
            return (T)warpup_reduce(operation, mask, (int64_t)value);                              \
        }
WARPUP_REDUCE(__reduce_add_sync, unsigned int, WARPUP_ADD)
WARPUP_REDUCE(__reduce_add_sync, int, WARPUP_ADD)
WARPUP_REDUCE(__reduce_min_sync, unsigned int, WARPUP_MIN)
WARPUP_REDUCE(__reduce_min_sync, int, WARPUP_MIN)
WARPUP_REDUCE(__reduce_max_sync, unsigned int, WARPUP_MAX)
WARPUP_REDUCE(__reduce_max_sync, int, WARPUP_MAX)
WARPUP_REDUCE(__reduce_and_sync, unsigned int, WARPUP_AND)
WARPUP_REDUCE(__reduce_or_sync, unsigned int, WARPUP_OR)
WARPUP_REDUCE(__reduce_xor_sync, unsigned int, WARPUP_XOR)
#    undef WARPUP_REDUCE
#endif

#endif
