/*
 * vector_types.h: CUDA's vector types, with CUDA's alignments, and dim3. For C and C++.
 */
#ifndef __VECTOR_TYPES_H__
#define __VECTOR_TYPES_H__

#include "host_defines.h"

/* A vector of 16 bytes or more is copied as one of clang's, because clang would copy a struct as
 * words of 8 bytes. Member by member would do as well, but then a joined store has the place of
 * what follows it. */
#if defined __cplusplus && defined __CUDA_ARCH__
#    define WARPUP_COPIED_2(N, T)                                                                  \
        __host__ __device__ WARPUP_HIDDEN N &operator=(const N &from)                              \
        {                                                                                          \
            typedef T vector __attribute__((vector_size(2 * sizeof(T)), may_alias));               \
            *(vector *)this = *(const vector *)&from;                                              \
            return *this;                                                                          \
        }
#    define WARPUP_COPIED_4(N, T)                                                                  \
        __host__ __device__ WARPUP_HIDDEN N &operator=(const N &from)                              \
        {                                                                                          \
            typedef T vector __attribute__((vector_size(4 * sizeof(T)), may_alias, aligned(16)));  \
            *(vector *)this = *(const vector *)&from;                                              \
            return *this;                                                                          \
        }
#else
#    define WARPUP_COPIED_2(N, T)
#    define WARPUP_COPIED_4(N, T)
#endif
#define WARPUP_PLAIN(N, T)

/* WARPUP_VECTOR(name, T, a2, a4, c2, c4) makes name1 … name4; a2 and a4 are the alignments of the
 * pair and of the quadruple, which are loaded and stored in one piece; c2 and c4 how they are
 * copied. */
#define WARPUP_VECTOR(name, T, a2, a4, c2, c4)                                                     \
    struct name##1 { T x; };                                                                       \
    struct __align__(a2) name##2                                                                   \
    {                                                                                              \
        T x, y;                                                                                    \
        c2(name##2, T)                                                                             \
    };                                                                                             \
    struct name##3 { T x, y, z; };                                                                 \
    struct __align__(a4) name##4                                                                   \
    {                                                                                              \
        T x, y, z, w;                                                                              \
        c4(name##4, T)                                                                             \
    };                                                                                             \
    typedef struct name##1 name##1;                                                                \
    typedef struct name##2 name##2;                                                                \
    typedef struct name##3 name##3;                                                                \
    typedef struct name##4 name##4;

WARPUP_VECTOR(char, signed char, 2, 4, WARPUP_PLAIN, WARPUP_PLAIN)
WARPUP_VECTOR(uchar, unsigned char, 2, 4, WARPUP_PLAIN, WARPUP_PLAIN)
WARPUP_VECTOR(short, short, 4, 8, WARPUP_PLAIN, WARPUP_PLAIN)
WARPUP_VECTOR(ushort, unsigned short, 4, 8, WARPUP_PLAIN, WARPUP_PLAIN)
WARPUP_VECTOR(int, int, 8, 16, WARPUP_PLAIN, WARPUP_COPIED_4)
WARPUP_VECTOR(uint, unsigned int, 8, 16, WARPUP_PLAIN, WARPUP_COPIED_4)
WARPUP_VECTOR(long, long int, 16, 16, WARPUP_COPIED_2, WARPUP_COPIED_4)
WARPUP_VECTOR(ulong, unsigned long int, 16, 16, WARPUP_COPIED_2, WARPUP_COPIED_4)
WARPUP_VECTOR(longlong, long long int, 16, 16, WARPUP_COPIED_2, WARPUP_COPIED_4)
WARPUP_VECTOR(ulonglong, unsigned long long int, 16, 16, WARPUP_COPIED_2, WARPUP_COPIED_4)
WARPUP_VECTOR(float, float, 8, 16, WARPUP_PLAIN, WARPUP_COPIED_4)
WARPUP_VECTOR(double, double, 16, 16, WARPUP_COPIED_2, WARPUP_COPIED_4)

#undef WARPUP_VECTOR
#undef WARPUP_COPIED_4
#undef WARPUP_COPIED_2
#undef WARPUP_PLAIN

/* The shape of a grid or of a block; what is not said is 1. */
struct dim3 {
    unsigned int x, y, z;
#ifdef __cplusplus
    __host__ __device__ WARPUP_HIDDEN constexpr dim3(unsigned int vx = 1, unsigned int vy = 1,
                                                     unsigned int vz = 1)
        : x(vx), y(vy), z(vz)
    {
    }
    __host__ __device__ WARPUP_HIDDEN constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __host__ __device__ WARPUP_HIDDEN constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
};
typedef struct dim3 dim3;

#endif
