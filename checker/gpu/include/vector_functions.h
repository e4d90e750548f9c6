/*
 * vector_functions.h: make_float4(x, y, z, w) and similar functions.
 */
#ifndef __VECTOR_FUNCTIONS_H__
#define __VECTOR_FUNCTIONS_H__

#include "vector_types.h"

#define WARPUP_MAKE(name, T)                                                                       \
    WARPUP_BOTH name##1 make_##name##1(T x) { return name##1 {x}; }                                \
    WARPUP_BOTH name##2 make_##name##2(T x, T y) { return name##2 {x, y}; }                        \
    WARPUP_BOTH name##3 make_##name##3(T x, T y, T z) { return name##3 {x, y, z}; }                \
    WARPUP_BOTH name##4 make_##name##4(T x, T y, T z, T w) { return name##4 {x, y, z, w}; }

WARPUP_MAKE(char, signed char)
WARPUP_MAKE(uchar, unsigned char)
WARPUP_MAKE(short, short)
WARPUP_MAKE(ushort, unsigned short)
WARPUP_MAKE(int, int)
WARPUP_MAKE(uint, unsigned int)
WARPUP_MAKE(long, long int)
WARPUP_MAKE(ulong, unsigned long int)
WARPUP_MAKE(longlong, long long int)
WARPUP_MAKE(ulonglong, unsigned long long int)
WARPUP_MAKE(float, float)
WARPUP_MAKE(double, double)

#undef WARPUP_MAKE

#endif
