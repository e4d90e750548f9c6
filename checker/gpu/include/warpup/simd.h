/*
 * simd.h: integer functions of two halves or of four bytes of a word at a time (__vadd4 …), and
 * sums, minima and maxima in one call (__viaddmax_s32 …).
 */
#ifndef WARPUP_SIMD_H
#define WARPUP_SIMD_H

#include "../host_defines.h"

/* WARPUP_PARTS(name, type of a part, expression in the parts a and b) */
#define WARPUP_PARTS(name, T, expression)                                                          \
    WARPUP_BOTH unsigned int name(unsigned int x, unsigned int y)                                  \
    {                                                                                              \
        unsigned int result = 0;                                                                   \
        _Pragma("unroll") for (unsigned int at = 0; at < 32; at += 8 * sizeof(T))                  \
        {                                                                                          \
            const int a = (T)(x >> at), b = (T)(y >> at);                                          \
            const int least = (T)-1 < 0 ? -(1 << (8 * sizeof(T) - 1)) : 0;                         \
            const int most = least + (1 << 8 * sizeof(T)) - 1;                                     \
            const int value = expression;                                                          \
            (void)a, (void)b, (void)most;                                                          \
            result |= ((unsigned int)value & (0xffffffff >> (32 - 8 * sizeof(T)))) << at;          \
        }                                                                                          \
        return result;                                                                             \
    }
#define WARPUP_PARTS_1(name, T, expression)                                                        \
    namespace warpup                                                                               \
    {                                                                                              \
    WARPUP_PARTS(name, T, expression)                                                              \
    }                                                                                              \
    WARPUP_BOTH unsigned int name(unsigned int x) { return warpup::name(x, 0); }
#define WARPUP_LIMITED(x) ((x) < least ? least : (x) > most ? most : (x))

#define WARPUP_COMPARED(name, T, operation)                                                        \
    WARPUP_PARTS(__vcmp##name, T, a operation b ? -1 : 0)                                          \
    WARPUP_PARTS(__vset##name, T, a operation b ? 1 : 0)
#define WARPUP_SUMMED(name, T)                                                                     \
    WARPUP_BOTH unsigned int name(unsigned int x, unsigned int y)                                  \
    {                                                                                              \
        unsigned int sum = 0;                                                                      \
        _Pragma("unroll") for (unsigned int at = 0; at < 32; at += 8 * sizeof(T))                  \
        {                                                                                          \
            const int a = (T)(x >> at), b = (T)(y >> at);                                          \
            sum += (unsigned int)(a < b ? b - a : a - b);                                          \
        }                                                                                          \
        return sum;                                                                                \
    }
#define WARPUP_ALL_PARTS(n, S, U)                                                                  \
    WARPUP_PARTS_1(__vabs##n, S, a < 0 ? -a : a)                                                   \
    WARPUP_PARTS_1(__vabsss##n, S, WARPUP_LIMITED(a < 0 ? -a : a))                                 \
    WARPUP_PARTS_1(__vneg##n, S, -a)                                                               \
    WARPUP_PARTS_1(__vnegss##n, S, WARPUP_LIMITED(-a))                                             \
    WARPUP_PARTS(__vabsdiffs##n, S, a < b ? b - a : a - b)                                         \
    WARPUP_PARTS(__vabsdiffu##n, U, a < b ? b - a : a - b)                                         \
    WARPUP_PARTS(__vadd##n, U, a + b)                                                              \
    WARPUP_PARTS(__vaddss##n, S, WARPUP_LIMITED(a + b))                                            \
    WARPUP_PARTS(__vaddus##n, U, WARPUP_LIMITED(a + b))                                            \
    WARPUP_PARTS(__vsub##n, U, a - b)                                                              \
    WARPUP_PARTS(__vsubss##n, S, WARPUP_LIMITED(a - b))                                            \
    WARPUP_PARTS(__vsubus##n, U, WARPUP_LIMITED(a - b))                                            \
    WARPUP_PARTS(__vavgs##n, S, (a + b + (a + b >= 0)) >> 1)                                       \
    WARPUP_PARTS(__vavgu##n, U, (a + b + 1) >> 1)                                                  \
    WARPUP_PARTS(__vhaddu##n, U, (a + b) >> 1)                                                     \
    WARPUP_PARTS(__vmaxs##n, S, a < b ? b : a)                                                     \
    WARPUP_PARTS(__vmaxu##n, U, a < b ? b : a)                                                     \
    WARPUP_PARTS(__vmins##n, S, a < b ? a : b)                                                     \
    WARPUP_PARTS(__vminu##n, U, a < b ? a : b)                                                     \
    WARPUP_COMPARED(eq##n, U, ==)                                                                  \
    WARPUP_COMPARED(ne##n, U, !=)                                                                  \
    WARPUP_COMPARED(ges##n, S, >=)                                                                 \
    WARPUP_COMPARED(geu##n, U, >=)                                                                 \
    WARPUP_COMPARED(gts##n, S, >)                                                                  \
    WARPUP_COMPARED(gtu##n, U, >)                                                                  \
    WARPUP_COMPARED(les##n, S, <=)                                                                 \
    WARPUP_COMPARED(leu##n, U, <=)                                                                 \
    WARPUP_COMPARED(lts##n, S, <)                                                                  \
    WARPUP_COMPARED(ltu##n, U, <)                                                                  \
    WARPUP_SUMMED(__vsads##n, S)                                                                   \
    WARPUP_SUMMED(__vsadu##n, U)
WARPUP_ALL_PARTS(2, short, unsigned short)
WARPUP_ALL_PARTS(4, signed char, unsigned char)
#undef WARPUP_ALL_PARTS
#undef WARPUP_SUMMED
#undef WARPUP_COMPARED

/* The smallest and the largest of three numbers, and of a sum and a number. With `relu` the result
 * is at least 0. */
#define WARPUP_OF_WORDS(T, type)                                                                   \
    WARPUP_BOTH T __vimax3_##type(T a, T b, T c)                                                   \
    {                                                                                              \
        return __builtin_elementwise_max(__builtin_elementwise_max(a, b), c);                      \
    }                                                                                              \
    WARPUP_BOTH T __vimin3_##type(T a, T b, T c)                                                   \
    {                                                                                              \
        return __builtin_elementwise_min(__builtin_elementwise_min(a, b), c);                      \
    }                                                                                              \
    WARPUP_BOTH T __viaddmax_##type(T a, T b, T c)                                                 \
    {                                                                                              \
        return __builtin_elementwise_max((T)((unsigned int)a + (unsigned int)b), c);               \
    }                                                                                              \
    WARPUP_BOTH T __viaddmin_##type(T a, T b, T c)                                                 \
    {                                                                                              \
        return __builtin_elementwise_min((T)((unsigned int)a + (unsigned int)b), c);               \
    }                                                                                              \
    WARPUP_BOTH T __vibmax_##type(T a, T b, bool *first)                                           \
    {                                                                                              \
        *first = a >= b;                                                                           \
        return a >= b ? a : b;                                                                     \
    }                                                                                              \
    WARPUP_BOTH T __vibmin_##type(T a, T b, bool *first)                                           \
    {                                                                                              \
        *first = a <= b;                                                                           \
        return a <= b ? a : b;                                                                     \
    }
WARPUP_OF_WORDS(int, s32)
WARPUP_OF_WORDS(unsigned int, u32)
#undef WARPUP_OF_WORDS
#define WARPUP_OF_PAIRS(type, T, s)                                                                \
    WARPUP_BOTH unsigned int __vimax3_##type(unsigned int a, unsigned int b, unsigned int c)       \
    {                                                                                              \
        return __vmax##s##2(__vmax##s##2(a, b), c);                                                \
    }                                                                                              \
    WARPUP_BOTH unsigned int __vimin3_##type(unsigned int a, unsigned int b, unsigned int c)       \
    {                                                                                              \
        return __vmin##s##2(__vmin##s##2(a, b), c);                                                \
    }                                                                                              \
    WARPUP_BOTH unsigned int __viaddmax_##type(unsigned int a, unsigned int b, unsigned int c)     \
    {                                                                                              \
        return __vmax##s##2(__vadd2(a, b), c);                                                     \
    }                                                                                              \
    WARPUP_BOTH unsigned int __viaddmin_##type(unsigned int a, unsigned int b, unsigned int c)     \
    {                                                                                              \
        return __vmin##s##2(__vadd2(a, b), c);                                                     \
    }
WARPUP_OF_PAIRS(s16x2, short, s)
WARPUP_OF_PAIRS(u16x2, unsigned short, u)
#undef WARPUP_OF_PAIRS
#define WARPUP_RELU(T, name, type, zero)                                                           \
    WARPUP_BOTH T __##name##_##type##_relu(T a, T b, T c)                                          \
    {                                                                                              \
        return zero(__##name##_##type(a, b, c));                                                   \
    }
#define WARPUP_AT_LEAST_0(x) __builtin_elementwise_max(x, 0)
#define WARPUP_BOTH_LEAST(x) __vmaxs2(x, 0)
WARPUP_RELU(int, vimax3, s32, WARPUP_AT_LEAST_0)
WARPUP_RELU(int, vimin3, s32, WARPUP_AT_LEAST_0)
WARPUP_RELU(int, viaddmax, s32, WARPUP_AT_LEAST_0)
WARPUP_RELU(int, viaddmin, s32, WARPUP_AT_LEAST_0)
WARPUP_RELU(unsigned int, vimax3, s16x2, WARPUP_BOTH_LEAST)
WARPUP_RELU(unsigned int, vimin3, s16x2, WARPUP_BOTH_LEAST)
WARPUP_RELU(unsigned int, viaddmax, s16x2, WARPUP_BOTH_LEAST)
WARPUP_RELU(unsigned int, viaddmin, s16x2, WARPUP_BOTH_LEAST)
#undef WARPUP_RELU
WARPUP_BOTH int __vimax_s32_relu(int a, int b)
{
    return WARPUP_AT_LEAST_0(__builtin_elementwise_max(a, b));
}
WARPUP_BOTH int __vimin_s32_relu(int a, int b)
{
    return WARPUP_AT_LEAST_0(__builtin_elementwise_min(a, b));
}
WARPUP_BOTH unsigned int __vimax_s16x2_relu(unsigned int a, unsigned int b)
{
    return WARPUP_BOTH_LEAST(__vmaxs2(a, b));
}
WARPUP_BOTH unsigned int __vimin_s16x2_relu(unsigned int a, unsigned int b)
{
    return WARPUP_BOTH_LEAST(__vmins2(a, b));
}
#undef WARPUP_BOTH_LEAST
#undef WARPUP_AT_LEAST_0
#undef WARPUP_LIMITED
#undef WARPUP_PARTS_1
#undef WARPUP_PARTS

#endif
