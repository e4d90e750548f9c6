/*
 * half.h: the types of cuda_fp16.h, __half and __half2, and how they become other types. As in
 * NVIDIA's header, every number converts to a half implicitly, and back. So an expression that is
 * ambiguous for nvcc is ambiguous here.
 */
#ifndef WARPUP_HALF_H
#define WARPUP_HALF_H

#include "../cuda_runtime.h"

#define __CUDA_FP16_TYPES_EXIST__
#define WARPUP_MEMBER inline __attribute__((always_inline))

/* The bits alone */
struct __half_raw {
    unsigned short x;
};
struct __align__(4) __half2_raw
{
    unsigned short x, y;
};

namespace warpup
{

/* A whole number as an integer: the nearest one there is, `no_number` for a NaN. */
template <class I> WARPUP_INLINE I whole(double x, I no_number = 0)
{
    const I top = (I)(1ull << (8 * sizeof(I) - 1)), least = top < 0 ? top : 0, most = (I)~least;
    if (x != x) return no_number;
    return x <= (double)least ? least : x >= (double)most ? most : (I)x;
}

/* What a NaN becomes: 0, but the lowest or the middle of the numbers of 64 bits */
template <class I> WARPUP_INLINE I no_number()
{
    return sizeof(I) == 8 ? (I)(1ull << 63) : 0;
}

} // namespace warpup

struct __align__(2) __half
{
  protected:
    unsigned short __x;

  public:
    __half() = default;
    constexpr __half(const __half_raw &raw) : __x(raw.x)
    {
    }
    WARPUP_MEMBER operator __half_raw() const
    {
        return {__x};
    }
    WARPUP_MEMBER operator bool() const
    {
        return (__x & 0x7fff) != 0;
    }

#define WARPUP_FROM(T)                                                                             \
    WARPUP_MEMBER __half(T value) : __x(warpup_half((double)value, WARPUP_NEAREST))                \
    {                                                                                              \
    }
#define WARPUP_TO(T, conversion)                                                                   \
    WARPUP_MEMBER operator T() const                                                               \
    {                                                                                              \
        return conversion;                                                                         \
    }
#define WARPUP_TO_INTEGER(I)                                                                       \
    WARPUP_TO(I, warpup::whole(trunc(warpup_half_value(__x)), warpup::no_number<I>()))
#define WARPUP_BOTH_WAYS(I)                                                                        \
    WARPUP_FROM(I)                                                                                 \
    WARPUP_TO_INTEGER(I)
    WARPUP_FROM(float)
    WARPUP_FROM(double)
    WARPUP_TO(float, (float)warpup_half_value(__x))
    WARPUP_TO_INTEGER(char)
    WARPUP_TO_INTEGER(signed char)
    WARPUP_TO_INTEGER(unsigned char)
    WARPUP_BOTH_WAYS(short)
    WARPUP_BOTH_WAYS(unsigned short)
    WARPUP_BOTH_WAYS(int)
    WARPUP_BOTH_WAYS(unsigned int)
    WARPUP_BOTH_WAYS(long)
    WARPUP_BOTH_WAYS(unsigned long)
    WARPUP_BOTH_WAYS(long long)
    WARPUP_BOTH_WAYS(unsigned long long)
#undef WARPUP_BOTH_WAYS
#undef WARPUP_TO_INTEGER
#undef WARPUP_TO
#undef WARPUP_FROM
};

/* Two halves, loaded and stored in one piece */
struct __align__(4) __half2
{
    __half x, y;

    __half2() = default;
    WARPUP_MEMBER __half2(const __half &low, const __half &high) : x(low), y(high)
    {
    }
    constexpr __half2(const __half2_raw &raw) : x(__half_raw{raw.x}), y(__half_raw{raw.y})
    {
    }
    WARPUP_MEMBER operator __half2_raw() const
    {
        return __builtin_bit_cast(__half2_raw, *this);
    }
};

typedef __half half, nv_half, __nv_half;
typedef __half2 half2, nv_half2, __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;

#ifdef WARPUP_VECTORS
/* For members.awk, as in runtime.h */
static __attribute__((used)) void warpup_members_4(struct __half2 *v, const struct __half *value)
{
    v->x = v->y = *value;
}
#endif

#undef WARPUP_MEMBER

#endif
