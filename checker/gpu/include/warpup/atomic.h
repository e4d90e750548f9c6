/*
 * atomic.h: CUDA's atomic functions. Each returns the old value. The work is done in the runtime,
 * which sees the access and its place in the source.
 */
#ifndef WARPUP_ATOMIC_H
#define WARPUP_ATOMIC_H

#include "device.h"

/* WARPUP_ATOMIC(Add, WARPUP_ADD, i32, T, …) makes atomicAdd(T *, T) and its scoped forms. */
#define WARPUP_ATOMIC_FORMS(name, T, expression)                                                   \
    WARPUP_INLINE T atomic##name(T *at, T value)                                                   \
    {                                                                                              \
        return (T)expression;                                                                      \
    }                                                                                              \
    WARPUP_INLINE T atomic##name##_block(T *at, T value)                                           \
    {                                                                                              \
        return (T)expression;                                                                      \
    }                                                                                              \
    WARPUP_INLINE T atomic##name##_system(T *at, T value)                                          \
    {                                                                                              \
        return (T)expression;                                                                      \
    }

#define WARPUP_ATOMIC_INTEGERS(name, operation)                                                    \
    WARPUP_ATOMIC_FORMS(name, int, warpup_atomic_i32(operation, at, value))                        \
    WARPUP_ATOMIC_FORMS(name, unsigned int, warpup_atomic_u32(operation, at, value, 0))            \
    WARPUP_ATOMIC_FORMS(name, unsigned long long, warpup_atomic_u64(operation, at, value, 0))

/* nvcc counts the lanes of a word when each adds the constant 1. */
#define WARPUP_ADD_OR_COUNT (__builtin_constant_p(value) && value == 1 ? WARPUP_COUNT : WARPUP_ADD)
WARPUP_ATOMIC_INTEGERS(Add, WARPUP_ADD_OR_COUNT)
WARPUP_ATOMIC_FORMS(Add, float, warpup_atomic_float(at, value))
WARPUP_ATOMIC_FORMS(Add, double, warpup_atomic_double(at, value))
WARPUP_ATOMIC_FORMS(Sub, int, warpup_atomic_i32(WARPUP_ADD, at, (int)(0u - (unsigned int)value)))
WARPUP_ATOMIC_FORMS(Sub, unsigned int, warpup_atomic_u32(WARPUP_ADD, at, 0u - value, 0))
WARPUP_ATOMIC_INTEGERS(Exch, WARPUP_EXCHANGE)
WARPUP_ATOMIC_FORMS(Exch, float,
                    __builtin_bit_cast(float,
                                       warpup_atomic_u32(WARPUP_EXCHANGE, at,
                                                         __builtin_bit_cast(uint32_t, value), 0)))
WARPUP_ATOMIC_INTEGERS(Min, WARPUP_MIN)
WARPUP_ATOMIC_FORMS(Min, long long, warpup_atomic_i64(WARPUP_MIN, at, value))
WARPUP_ATOMIC_INTEGERS(Max, WARPUP_MAX)
WARPUP_ATOMIC_FORMS(Max, long long, warpup_atomic_i64(WARPUP_MAX, at, value))
WARPUP_ATOMIC_INTEGERS(And, WARPUP_AND)
WARPUP_ATOMIC_INTEGERS(Or, WARPUP_OR)
WARPUP_ATOMIC_INTEGERS(Xor, WARPUP_XOR)
WARPUP_ATOMIC_FORMS(Inc, unsigned int, warpup_atomic_u32(WARPUP_INCREMENT, at, value, 0))
WARPUP_ATOMIC_FORMS(Dec, unsigned int, warpup_atomic_u32(WARPUP_DECREMENT, at, value, 0))

#undef WARPUP_ATOMIC_INTEGERS
#undef WARPUP_ATOMIC_FORMS

#define WARPUP_ATOMIC_CAS(name)                                                                    \
    WARPUP_INLINE int name(int *at, int compare, int value)                                        \
    {                                                                                              \
        return (int)warpup_atomic_u32(WARPUP_SWAP, at, (unsigned int)value,                        \
                                      (unsigned int)compare);                                      \
    }                                                                                              \
    WARPUP_INLINE unsigned int name(unsigned int *at, unsigned int compare, unsigned int value)    \
    {                                                                                              \
        return warpup_atomic_u32(WARPUP_SWAP, at, value, compare);                                 \
    }                                                                                              \
    WARPUP_INLINE unsigned long long name(unsigned long long *at, unsigned long long compare,      \
                                          unsigned long long value)                                \
    {                                                                                              \
        return warpup_atomic_u64(WARPUP_SWAP, at, value, compare);                                 \
    }

WARPUP_INLINE unsigned short atomicCAS(unsigned short *at, unsigned short compare,
                                       unsigned short value)
{
    return warpup_atomic_u16(WARPUP_SWAP, at, value, compare);
}

WARPUP_ATOMIC_CAS(atomicCAS)
WARPUP_ATOMIC_CAS(atomicCAS_block)
WARPUP_ATOMIC_CAS(atomicCAS_system)
#undef WARPUP_ATOMIC_CAS

/* Vectors, from compute capability 9.0 on: each member is added by itself, in one access. */
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 900
WARPUP_INLINE float2 atomicAdd(float2 *at, float2 value)
{
    float2 old;
    warpup_atomic_floats(at, &value.x, &old.x, 2);
    return old;
}
WARPUP_INLINE float4 atomicAdd(float4 *at, float4 value)
{
    float4 old;
    warpup_atomic_floats(at, &value.x, &old.x, 4);
    return old;
}
#endif

#endif
