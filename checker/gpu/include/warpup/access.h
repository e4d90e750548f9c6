/*
 * access.h: loads and stores with a hint for the caches, spaces of addresses, and prefetches.
 */
#ifndef WARPUP_ACCESS_H
#define WARPUP_ACCESS_H

#include "../vector_functions.h"

/* A hint is part of the instruction: WARPUP_HINTED_N(type, PTX type, constraint, type of the
 * register). */
#define WARPUP_LOAD_1(name, hint, T, ptx, constraint, R, suffix, V)                                \
    WARPUP_DEVICE T name(const T *at)                                                              \
    {                                                                                              \
        R x;                                                                                       \
        asm volatile("ld.global" hint "." ptx " %0, [%1];" : constraint(x) : "l"(at) : "memory");  \
        return (T)x;                                                                               \
    }
#define WARPUP_LOAD_2(name, hint, T, ptx, constraint, R, suffix, V)                                \
    WARPUP_DEVICE T name(const T *at)                                                              \
    {                                                                                              \
        R x, y;                                                                                    \
        asm volatile("ld.global" hint ".v2." ptx " {%0, %1}, [%2];"                                \
                     : constraint(x), constraint(y)                                                \
                     : "l"(at)                                                                     \
                     : "memory");                                                                  \
        T all;                                                                                     \
        all.x = x, all.y = y;                                                                      \
        return all;                                                                                \
    }
#define WARPUP_LOAD_4(name, hint, T, ptx, constraint, R, suffix, V)                                \
    WARPUP_DEVICE T name(const T *at)                                                              \
    {                                                                                              \
        R x, y, z, w;                                                                              \
        asm volatile("ld.global" hint ".v4." ptx " {%0, %1, %2, %3}, [%4];"                        \
                     : constraint(x), constraint(y), constraint(z), constraint(w)                  \
                     : "l"(at)                                                                     \
                     : "memory");                                                                  \
        T all;                                                                                     \
        all.x = x, all.y = y, all.z = z, all.w = w;                                                \
        return all;                                                                                \
    }
#define WARPUP_STORE_1(name, hint, T, ptx, constraint, R, suffix, V)                               \
    WARPUP_DEVICE void name(T *at, T value)                                                        \
    {                                                                                              \
        asm volatile("st.global" hint "." ptx " [%0], %1;" ::"l"(at), constraint((R)value)         \
                     : "memory");                                                                  \
    }
#define WARPUP_STORE_2(name, hint, T, ptx, constraint, R, suffix, V)                               \
    WARPUP_DEVICE void name(T *at, T value)                                                        \
    {                                                                                              \
        asm volatile("st.global" hint ".v2." ptx " [%0], {%1, %2};" ::"l"(at),                     \
                     constraint((R)value.x), constraint((R)value.y)                                \
                     : "memory");                                                                  \
    }
#define WARPUP_STORE_4(name, hint, T, ptx, constraint, R, suffix, V)                               \
    WARPUP_DEVICE void name(T *at, T value)                                                        \
    {                                                                                              \
        asm volatile("st.global" hint ".v4." ptx " [%0], {%1, %2, %3, %4};" ::"l"(at),             \
                     constraint((R)value.x), constraint((R)value.y), constraint((R)value.z),       \
                     constraint((R)value.w)                                                        \
                     : "memory");                                                                  \
    }

/* Each type that has such loads, its PTX type, and the register that holds a number of it; the
 * suffix of clang's builtin for __ldg, and the numbers that this loads */
#define WARPUP_EACH_TYPE(X1, X2, X4, name, hint, c)                                                \
    X1(name, hint, char, "s8", c "r", int, uc, unsigned char)                                      \
    X1(name, hint, signed char, "s8", c "r", int, uc, unsigned char)                               \
    X1(name, hint, unsigned char, "u8", c "r", unsigned int, uc, unsigned char)                    \
    X1(name, hint, short, "s16", c "h", short, s, short)                                           \
    X1(name, hint, unsigned short, "u16", c "h", unsigned short, us, unsigned short)               \
    X1(name, hint, int, "s32", c "r", int, i, int)                                                 \
    X1(name, hint, unsigned int, "u32", c "r", unsigned int, ui, unsigned int)                     \
    X1(name, hint, long, "s64", c "l", long, l, long)                                              \
    X1(name, hint, unsigned long, "u64", c "l", unsigned long, ul, unsigned long)                  \
    X1(name, hint, long long, "s64", c "l", long long, ll, long long)                              \
    X1(name, hint, unsigned long long, "u64", c "l", unsigned long long, ull, unsigned long long)  \
    X1(name, hint, float, "f32", c "f", float, f, float)                                           \
    X1(name, hint, double, "f64", c "d", double, d, double)                                        \
    X2(name, hint, char2, "s8", c "r", int, c2, char)                                              \
    X2(name, hint, uchar2, "u8", c "r", unsigned int, uc2, unsigned char)                          \
    X2(name, hint, short2, "s16", c "h", short, s2, short)                                         \
    X2(name, hint, ushort2, "u16", c "h", unsigned short, us2, unsigned short)                     \
    X2(name, hint, int2, "s32", c "r", int, i2, int)                                               \
    X2(name, hint, uint2, "u32", c "r", unsigned int, ui2, unsigned int)                           \
    X2(name, hint, longlong2, "s64", c "l", long long, ll2, long long)                             \
    X2(name, hint, ulonglong2, "u64", c "l", unsigned long long, ull2, unsigned long long)         \
    X2(name, hint, float2, "f32", c "f", float, f2, float)                                         \
    X2(name, hint, double2, "f64", c "d", double, d2, double)                                      \
    X4(name, hint, char4, "s8", c "r", int, c4, char)                                              \
    X4(name, hint, uchar4, "u8", c "r", unsigned int, uc4, unsigned char)                          \
    X4(name, hint, short4, "s16", c "h", short, s4, short)                                         \
    X4(name, hint, ushort4, "u16", c "h", unsigned short, us4, unsigned short)                     \
    X4(name, hint, int4, "s32", c "r", int, i4, int)                                               \
    X4(name, hint, uint4, "u32", c "r", unsigned int, ui4, unsigned int)                           \
    X4(name, hint, float4, "f32", c "f", float, f4, float)
#define WARPUP_LOADS(name, hint)                                                                   \
    WARPUP_EACH_TYPE(WARPUP_LOAD_1, WARPUP_LOAD_2, WARPUP_LOAD_4, name, hint, "=")
#define WARPUP_STORES(name, hint)                                                                  \
    WARPUP_EACH_TYPE(WARPUP_STORE_1, WARPUP_STORE_2, WARPUP_STORE_4, name, hint, )
WARPUP_LOADS(__ldca, ".ca")
WARPUP_LOADS(__ldcg, ".cg")
WARPUP_LOADS(__ldcs, ".cs")
WARPUP_LOADS(__ldlu, ".lu")
WARPUP_LOADS(__ldcv, ".cv")
WARPUP_STORES(__stwb, ".wb")
WARPUP_STORES(__stcg, ".cg")
WARPUP_STORES(__stcs, ".cs")
WARPUP_STORES(__stwt, ".wt")

#undef WARPUP_STORES
#undef WARPUP_LOADS
#undef WARPUP_STORE_4
#undef WARPUP_STORE_2
#undef WARPUP_STORE_1
#undef WARPUP_LOAD_4
#undef WARPUP_LOAD_2
#undef WARPUP_LOAD_1

/* Loads of what no thread writes while the kernel runs */
#define WARPUP_LDG_1(name, hint, T, ptx, constraint, R, suffix, V)                                 \
    WARPUP_DEVICE T __ldg(const T *at) { return (T)__nvvm_ldg_##suffix((const V *)at); }
#define WARPUP_LDG_2(name, hint, T, ptx, constraint, R, suffix, V)                                 \
    WARPUP_DEVICE T __ldg(const T *at)                                                             \
    {                                                                                              \
        typedef V vector __attribute__((ext_vector_type(2)));                                      \
        vector v = __nvvm_ldg_##suffix((const vector *)at);                                        \
        T all;                                                                                     \
        all.x = v[0], all.y = v[1];                                                                \
        return all;                                                                                \
    }
#define WARPUP_LDG_4(name, hint, T, ptx, constraint, R, suffix, V)                                 \
    WARPUP_DEVICE T __ldg(const T *at)                                                             \
    {                                                                                              \
        typedef V vector __attribute__((ext_vector_type(4)));                                      \
        vector v = __nvvm_ldg_##suffix((const vector *)at);                                        \
        T all;                                                                                     \
        all.x = v[0], all.y = v[1], all.z = v[2], all.w = v[3];                                    \
        return all;                                                                                \
    }
WARPUP_EACH_TYPE(WARPUP_LDG_1, WARPUP_LDG_2, WARPUP_LDG_4, __ldg, , )
#undef WARPUP_EACH_TYPE
#undef WARPUP_LDG_1
#undef WARPUP_LDG_2
#undef WARPUP_LDG_4

/* ---- spaces of addresses -------------------------------------------------------------------- */

#define WARPUP_SPACE(space, number)                                                                \
    WARPUP_DEVICE size_t __cvta_generic_to_##space(const void *at)                                 \
    {                                                                                              \
        return (size_t)(const __attribute__((address_space(number))) char *)at;                    \
    }                                                                                              \
    WARPUP_DEVICE void *__cvta_##space##_to_generic(size_t at)                                     \
    {                                                                                              \
        return (void *)(__attribute__((address_space(number))) char *)at;                          \
    }
WARPUP_SPACE(global, 1)
WARPUP_SPACE(shared, 3)
WARPUP_SPACE(constant, 4)
WARPUP_SPACE(local, 5)
#undef WARPUP_SPACE

#define WARPUP_IS(Space, space)                                                                    \
    WARPUP_DEVICE unsigned int __is##Space(const void *at) { return __nvvm_isspacep_##space(at); }
WARPUP_IS(Global, global)
WARPUP_IS(Shared, shared)
WARPUP_IS(Constant, const)
WARPUP_IS(Local, local)
#undef WARPUP_IS

#endif
