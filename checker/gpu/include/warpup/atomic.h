/*
 * atomic.h: atomic operations of kernels. Those of the GPU's scope are the compiler's own, so that
 * it can find out which memory an address is in; those of other scopes, and on types that the
 * compiler does not know, are PTX.
 */
#ifndef WARPUP_ATOMIC_H
#define WARPUP_ATOMIC_H

#include "../vector_types.h"
#include "mathematics.h"

/* Stores before an exchange must not move past it, because programs make locks of exchanges. The
 * compiler would make a store of an exchange whose result nothing uses, so an empty statement uses
 * it. */
#define WARPUP_ORDERED asm volatile("" ::: "memory")

#define WARPUP_ATOMIC(name, builtin, T)                                                            \
    WARPUP_DEVICE T name(T *at, T value) { return builtin(at, value, __ATOMIC_RELAXED); }
#define WARPUP_ATOMICS(T)                                                                          \
    WARPUP_ATOMIC(atomicAdd, __atomic_fetch_add, T)                                                \
    WARPUP_DEVICE T atomicSub(T *at, T value)                                                      \
    {                                                                                              \
        return __atomic_fetch_add(at, (T)(0 - value), __ATOMIC_RELAXED);                           \
    }                                                                                              \
    WARPUP_ATOMIC(atomicMin, __atomic_fetch_min, T)                                                \
    WARPUP_ATOMIC(atomicMax, __atomic_fetch_max, T)                                                \
    WARPUP_ATOMIC(atomicAnd, __atomic_fetch_and, T)                                                \
    WARPUP_ATOMIC(atomicOr, __atomic_fetch_or, T)                                                  \
    WARPUP_ATOMIC(atomicXor, __atomic_fetch_xor, T)                                                \
    WARPUP_DEVICE T atomicExch(T *at, T value)                                                     \
    {                                                                                              \
        WARPUP_ORDERED;                                                                            \
        T old = __atomic_exchange_n(at, value, __ATOMIC_RELAXED);                                  \
        if constexpr (sizeof(T) == 4)                                                              \
            asm volatile("" ::"r"((unsigned int)old) : "memory");                                  \
        else                                                                                       \
            asm volatile("" ::"l"((unsigned long long)old) : "memory");                            \
        return old;                                                                                \
    }                                                                                              \
    WARPUP_DEVICE T atomicCAS(T *at, T compare, T value)                                           \
    {                                                                                              \
        WARPUP_ORDERED;                                                                            \
        __atomic_compare_exchange_n(at, &compare, value, false, __ATOMIC_RELAXED,                  \
                                    __ATOMIC_RELAXED);                                             \
        WARPUP_ORDERED;                                                                            \
        return compare;                                                                            \
    }
WARPUP_ATOMICS(int)
WARPUP_ATOMICS(unsigned int)
WARPUP_ATOMICS(unsigned long long)
/* CUDA has fewer atomic functions for long long. */
WARPUP_ATOMIC(atomicMin, __atomic_fetch_min, long long)
WARPUP_ATOMIC(atomicMax, __atomic_fetch_max, long long)
WARPUP_ATOMIC(atomicAnd, __atomic_fetch_and, long long)
WARPUP_ATOMIC(atomicOr, __atomic_fetch_or, long long)
WARPUP_ATOMIC(atomicXor, __atomic_fetch_xor, long long)
#undef WARPUP_ATOMICS
#undef WARPUP_ATOMIC

WARPUP_DEVICE float atomicAdd(float *at, float value) { return __nvvm_atom_add_gen_f(at, value); }
WARPUP_DEVICE double atomicAdd(double *at, double value)
{
    return __nvvm_atom_add_gen_d(at, value);
}
WARPUP_DEVICE float atomicExch(float *at, float value)
{
    return __builtin_bit_cast(
        float, atomicExch((unsigned int *)at, __builtin_bit_cast(unsigned int, value)));
}
WARPUP_DEVICE unsigned int atomicInc(unsigned int *at, unsigned int limit)
{
    return __nvvm_atom_inc_gen_ui(at, limit);
}
WARPUP_DEVICE unsigned int atomicDec(unsigned int *at, unsigned int limit)
{
    return __nvvm_atom_dec_gen_ui(at, limit);
}

/* ---- PTX: WARPUP_PTX_ATOMIC(function, "scope.operation.type", type, constraint) ------------- */

#define WARPUP_PTX_ATOMIC(name, ptx, T, c)                                                         \
    WARPUP_DEVICE T name(T *at, T value)                                                           \
    {                                                                                              \
        T old;                                                                                     \
        asm volatile("atom." ptx " %0, [%1], %2;" : "=" c(old) : "l"(at), c(value) : "memory");    \
        return old;                                                                                \
    }
#define WARPUP_PTX_CAS(name, ptx, T, c)                                                            \
    WARPUP_DEVICE T name(T *at, T compare, T value)                                                \
    {                                                                                              \
        T old;                                                                                     \
        asm volatile("atom." ptx " %0, [%1], %2, %3;"                                              \
                     : "=" c(old)                                                                  \
                     : "l"(at), c(compare), c(value)                                               \
                     : "memory");                                                                  \
        return old;                                                                                \
    }
#define WARPUP_PTX_SUB(name, add, T)                                                               \
    WARPUP_DEVICE T name(T *at, T value) { return add(at, (T)(0 - value)); }
#define WARPUP_SCOPED(suffix, scope)                                                               \
    WARPUP_PTX_ATOMIC(atomicAdd##suffix, scope ".add.s32", int, "r")                               \
    WARPUP_PTX_ATOMIC(atomicAdd##suffix, scope ".add.u32", unsigned int, "r")                      \
    WARPUP_PTX_ATOMIC(atomicAdd##suffix, scope ".add.u64", unsigned long long, "l")                \
    WARPUP_PTX_ATOMIC(atomicAdd##suffix, scope ".add.f32", float, "f")                             \
    WARPUP_PTX_ATOMIC(atomicAdd##suffix, scope ".add.f64", double, "d")                            \
    WARPUP_PTX_SUB(atomicSub##suffix, atomicAdd##suffix, int)                                      \
    WARPUP_PTX_SUB(atomicSub##suffix, atomicAdd##suffix, unsigned int)                             \
    WARPUP_PTX_ATOMIC(atomicExch##suffix, scope ".exch.b32", int, "r")                             \
    WARPUP_PTX_ATOMIC(atomicExch##suffix, scope ".exch.b32", unsigned int, "r")                    \
    WARPUP_PTX_ATOMIC(atomicExch##suffix, scope ".exch.b32", float, "f")                           \
    WARPUP_PTX_ATOMIC(atomicExch##suffix, scope ".exch.b64", unsigned long long, "l")              \
    WARPUP_PTX_CAS(atomicCAS##suffix, scope ".cas.b32", int, "r")                                  \
    WARPUP_PTX_CAS(atomicCAS##suffix, scope ".cas.b32", unsigned int, "r")                         \
    WARPUP_PTX_CAS(atomicCAS##suffix, scope ".cas.b64", unsigned long long, "l")                   \
    WARPUP_PTX_ATOMIC(atomicMin##suffix, scope ".min.s32", int, "r")                               \
    WARPUP_PTX_ATOMIC(atomicMin##suffix, scope ".min.u32", unsigned int, "r")                      \
    WARPUP_PTX_ATOMIC(atomicMin##suffix, scope ".min.s64", long long, "l")                         \
    WARPUP_PTX_ATOMIC(atomicMin##suffix, scope ".min.u64", unsigned long long, "l")                \
    WARPUP_PTX_ATOMIC(atomicMax##suffix, scope ".max.s32", int, "r")                               \
    WARPUP_PTX_ATOMIC(atomicMax##suffix, scope ".max.u32", unsigned int, "r")                      \
    WARPUP_PTX_ATOMIC(atomicMax##suffix, scope ".max.s64", long long, "l")                         \
    WARPUP_PTX_ATOMIC(atomicMax##suffix, scope ".max.u64", unsigned long long, "l")                \
    WARPUP_PTX_ATOMIC(atomicInc##suffix, scope ".inc.u32", unsigned int, "r")                      \
    WARPUP_PTX_ATOMIC(atomicDec##suffix, scope ".dec.u32", unsigned int, "r")                      \
    WARPUP_PTX_ATOMIC(atomicAnd##suffix, scope ".and.b32", int, "r")                               \
    WARPUP_PTX_ATOMIC(atomicAnd##suffix, scope ".and.b32", unsigned int, "r")                      \
    WARPUP_PTX_ATOMIC(atomicAnd##suffix, scope ".and.b64", unsigned long long, "l")                \
    WARPUP_PTX_ATOMIC(atomicOr##suffix, scope ".or.b32", int, "r")                                 \
    WARPUP_PTX_ATOMIC(atomicOr##suffix, scope ".or.b32", unsigned int, "r")                        \
    WARPUP_PTX_ATOMIC(atomicOr##suffix, scope ".or.b64", unsigned long long, "l")                  \
    WARPUP_PTX_ATOMIC(atomicXor##suffix, scope ".xor.b32", int, "r")                               \
    WARPUP_PTX_ATOMIC(atomicXor##suffix, scope ".xor.b32", unsigned int, "r")                      \
    WARPUP_PTX_ATOMIC(atomicXor##suffix, scope ".xor.b64", unsigned long long, "l")                \
    WARPUP_PTX_CAS(atomicCAS##suffix, scope ".cas.b16", unsigned short, "h")
WARPUP_SCOPED(_system, "sys")
WARPUP_SCOPED(_block, "cta")
#undef WARPUP_SCOPED
WARPUP_PTX_CAS(atomicCAS, "cas.b16", unsigned short, "h")
#undef WARPUP_PTX_ATOMIC
#undef WARPUP_PTX_CAS
#undef WARPUP_PTX_SUB

/* Words of 16 bytes, as any structure of that size and alignment (compute capability 9.0) */
namespace warpup
{
template <class T> using if_wide = typename only_if<sizeof(T) == 16 && alignof(T) >= 16, T>::type;
} // namespace warpup
#define WARPUP_WIDE(suffix, scope)                                                                 \
    template <class T> WARPUP_DEVICE ::warpup::if_wide<T> atomicExch##suffix(T *at, T value)       \
    {                                                                                              \
        unsigned long long v[2];                                                                   \
        __builtin_memcpy(v, &value, 16);                                                           \
        asm volatile("{ .reg .b128 v, o; mov.b128 v, {%3, %4}; atom" scope                         \
                     ".exch.b128 o, [%2], v; "                                                     \
                     "mov.b128 {%0, %1}, o; }"                                                     \
                     : "=l"(v[0]), "=l"(v[1])                                                      \
                     : "l"(at), "l"(v[0]), "l"(v[1])                                               \
                     : "memory");                                                                  \
        __builtin_memcpy((void *)&value, v, 16);                                                   \
        return value;                                                                              \
    }                                                                                              \
    template <class T>                                                                             \
    WARPUP_DEVICE ::warpup::if_wide<T> atomicCAS##suffix(T *at, T compare, T value)                \
    {                                                                                              \
        unsigned long long v[2], c[2];                                                             \
        __builtin_memcpy(v, &value, 16);                                                           \
        __builtin_memcpy(c, &compare, 16);                                                         \
        asm volatile("{ .reg .b128 v, c, o; mov.b128 v, {%3, %4}; mov.b128 c, {%5, %6}; "          \
                     "atom" scope ".cas.b128 o, [%2], c, v; mov.b128 {%0, %1}, o; }"               \
                     : "=l"(v[0]), "=l"(v[1])                                                      \
                     : "l"(at), "l"(v[0]), "l"(v[1]), "l"(c[0]), "l"(c[1])                         \
                     : "memory");                                                                  \
        __builtin_memcpy((void *)&value, v, 16);                                                   \
        return value;                                                                              \
    }
WARPUP_WIDE(, "")
WARPUP_WIDE(_system, ".sys")
WARPUP_WIDE(_block, ".cta")
#undef WARPUP_WIDE

/* Pairs and quadruples of floats: each member is added by itself. */
WARPUP_DEVICE float2 atomicAdd(float2 *at, float2 value)
{
    float2 old;
    asm volatile("atom.global.add.v2.f32 {%0, %1}, [%2], {%3, %4};"
                 : "=f"(old.x), "=f"(old.y)
                 : "l"(at), "f"(value.x), "f"(value.y)
                 : "memory");
    return old;
}
WARPUP_DEVICE float4 atomicAdd(float4 *at, float4 value)
{
    float4 old;
    asm volatile("atom.global.add.v4.f32 {%0, %1, %2, %3}, [%4], {%5, %6, %7, %8};"
                 : "=f"(old.x), "=f"(old.y), "=f"(old.z), "=f"(old.w)
                 : "l"(at), "f"(value.x), "f"(value.y), "f"(value.z), "f"(value.w)
                 : "memory");
    return old;
}
#undef WARPUP_ORDERED

#endif
