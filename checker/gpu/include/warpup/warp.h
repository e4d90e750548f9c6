/*
 * warp.h: what the lanes of a warp do together: waiting, shuffles, votes, matches, reductions.
 */
#ifndef WARPUP_WARP_H
#define WARPUP_WARP_H

#include "../host_defines.h"

WARPUP_DEVICE void __syncwarp(unsigned int mask = 0xffffffff) { __nvvm_bar_warp_sync(mask); }
WARPUP_DEVICE unsigned int __activemask()
{
    unsigned int mask;
    asm volatile("activemask.b32 %0;" : "=r"(mask));
    return mask;
}
WARPUP_DEVICE int __all_sync(unsigned int mask, int predicate)
{
    return __nvvm_vote_all_sync(mask, predicate);
}
WARPUP_DEVICE int __any_sync(unsigned int mask, int predicate)
{
    return __nvvm_vote_any_sync(mask, predicate);
}
WARPUP_DEVICE int __uni_sync(unsigned int mask, int predicate)
{
    return __nvvm_vote_uni_sync(mask, predicate);
}
WARPUP_DEVICE unsigned int __ballot_sync(unsigned int mask, int predicate)
{
    return __nvvm_vote_ballot_sync(mask, predicate);
}

/* A number of 4 bytes is shuffled in one instruction, one of 8 bytes in two. */
#define WARPUP_SHUFFLE(name, kind, By, clamp)                                                      \
    WARPUP_DEVICE int name(unsigned int mask, int value, By by, int width = 32)                    \
    {                                                                                              \
        return __nvvm_shfl_sync_##kind##_i32(mask, value, by, (32 - width) << 8 | clamp);          \
    }                                                                                              \
    WARPUP_DEVICE unsigned int name(unsigned int mask, unsigned int value, By by, int width = 32)  \
    {                                                                                              \
        return (unsigned int)name(mask, (int)value, by, width);                                    \
    }                                                                                              \
    WARPUP_DEVICE float name(unsigned int mask, float value, By by, int width = 32)                \
    {                                                                                              \
        return __nvvm_shfl_sync_##kind##_f32(mask, value, by, (32 - width) << 8 | clamp);          \
    }                                                                                              \
    WARPUP_DEVICE unsigned long long name(unsigned int mask, unsigned long long value, By by,      \
                                          int width = 32)                                          \
    {                                                                                              \
        unsigned int low = name(mask, (unsigned int)value, by, width);                             \
        unsigned int high = name(mask, (unsigned int)(value >> 32), by, width);                    \
        return (unsigned long long)high << 32 | low;                                               \
    }                                                                                              \
    WARPUP_DEVICE long long name(unsigned int mask, long long value, By by, int width = 32)        \
    {                                                                                              \
        return (long long)name(mask, (unsigned long long)value, by, width);                        \
    }                                                                                              \
    WARPUP_DEVICE unsigned long name(unsigned int mask, unsigned long value, By by,                \
                                     int width = 32)                                               \
    {                                                                                              \
        return (unsigned long)name(mask, (unsigned long long)value, by, width);                    \
    }                                                                                              \
    WARPUP_DEVICE long name(unsigned int mask, long value, By by, int width = 32)                  \
    {                                                                                              \
        return (long)name(mask, (unsigned long long)value, by, width);                             \
    }                                                                                              \
    WARPUP_DEVICE double name(unsigned int mask, double value, By by, int width = 32)              \
    {                                                                                              \
        return __builtin_bit_cast(                                                                 \
            double, name(mask, __builtin_bit_cast(unsigned long long, value), by, width));         \
    }
WARPUP_SHUFFLE(__shfl_sync, idx, int, 31)
WARPUP_SHUFFLE(__shfl_up_sync, up, unsigned int, 0)
WARPUP_SHUFFLE(__shfl_down_sync, down, unsigned int, 31)
WARPUP_SHUFFLE(__shfl_xor_sync, bfly, int, 31)
#undef WARPUP_SHUFFLE

#define WARPUP_MATCH(T, size, U)                                                                   \
    WARPUP_DEVICE unsigned int __match_any_sync(unsigned int mask, T value)                        \
    {                                                                                              \
        return (unsigned int)__nvvm_match_any_sync_i##size(mask, __builtin_bit_cast(U, value));    \
    }                                                                                              \
    WARPUP_DEVICE unsigned int __match_all_sync(unsigned int mask, T value, int *all)              \
    {                                                                                              \
        return (unsigned int)__nvvm_match_all_sync_i##size##p(mask, __builtin_bit_cast(U, value),  \
                                                              all);                                \
    }
WARPUP_MATCH(int, 32, unsigned int)
WARPUP_MATCH(unsigned int, 32, unsigned int)
WARPUP_MATCH(float, 32, unsigned int)
WARPUP_MATCH(long, 64, unsigned long long)
WARPUP_MATCH(unsigned long, 64, unsigned long long)
WARPUP_MATCH(long long, 64, unsigned long long)
WARPUP_MATCH(unsigned long long, 64, unsigned long long)
WARPUP_MATCH(double, 64, unsigned long long)
#undef WARPUP_MATCH

#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 800
#    define WARPUP_REDUCE(name, T, ptx)                                                            \
        WARPUP_DEVICE T __reduce_##name##_sync(unsigned int mask, T value)                         \
        {                                                                                          \
            T result;                                                                              \
            asm volatile("redux.sync." ptx " %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask)); \
            return result;                                                                         \
        }
WARPUP_REDUCE(add, int, "add.s32")
WARPUP_REDUCE(add, unsigned int, "add.u32")
WARPUP_REDUCE(min, int, "min.s32")
WARPUP_REDUCE(min, unsigned int, "min.u32")
WARPUP_REDUCE(max, int, "max.s32")
WARPUP_REDUCE(max, unsigned int, "max.u32")
WARPUP_REDUCE(and, unsigned int, "and.b32")
WARPUP_REDUCE(or, unsigned int, "or.b32")
WARPUP_REDUCE(xor, unsigned int, "xor.b32")
#    undef WARPUP_REDUCE
#endif

#endif
