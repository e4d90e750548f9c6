/*
 * ptx.h: asm statements of kernels. The rewriter turns `asm("fma.rn.f32 …;" : "=f"(d) : "f"(a) …)`
 * into warpup::ptx("fma.rn.f32 …;", put<'f'>(d), take<'f'>(a) …), which the runtime executes.
 * sim/compile includes this file for programs with such statements.
 */
#ifndef WARPUP_PTX_H
#define WARPUP_PTX_H

#include "device.h"

/* The bits of an asm statement's operands; nvcc allows 30. They go to the runtime and come back by
 * value, because what is passed so does not look like accesses of the kernel. */
#define WARPUP_PTX(count)                                                                          \
    struct warpup_operands_##count {                                                               \
        uint64_t bits[count];                                                                      \
    };                                                                                             \
    extern "C" warpup_operands_##count warpup_ptx_##count(                                         \
        const char *text, warpup_operands_##count operands, int used);
WARPUP_PTX(4)
WARPUP_PTX(12)
WARPUP_PTX(32)
#undef WARPUP_PTX

namespace warpup
{

/* The bits of a value of up to 8 bytes, and the value of such bits. Small integers become wider, as
 * in an expression. */
template <class T> WARPUP_INLINE uint64_t ptx_bits(const T &value)
{
    if constexpr (__is_enum(T) || std::is_integral<T>::value)
        return (uint64_t)value;
    else if constexpr (sizeof(T) == 8)
        return __builtin_bit_cast(uint64_t, value);
    else if constexpr (sizeof(T) == 4)
        return __builtin_bit_cast(uint32_t, value);
    else
        return __builtin_bit_cast(uint16_t, value);
}
template <class T> WARPUP_INLINE T ptx_value(uint64_t bits)
{
    if constexpr (__is_enum(T) || std::is_integral<T>::value)
        return (T)bits;
    else if constexpr (sizeof(T) == 8)
        return __builtin_bit_cast(T, bits);
    else if constexpr (sizeof(T) == 4)
        return __builtin_bit_cast(T, (uint32_t)bits);
    else
        return __builtin_bit_cast(T, (uint16_t)bits);
}

/* An operand that is only read ("f"), only written ("=f"), or both ("+f") */
template <class T> struct ptx_taken {
    T value;
    inline __attribute__((always_inline)) uint64_t bits() const
    {
        return ptx_bits(value);
    }
    inline __attribute__((always_inline)) void finish(uint64_t) const
    {
    }
};
template <class T> struct ptx_put {
    T &place;
    inline __attribute__((always_inline)) uint64_t bits() const
    {
        return 0;
    }
    inline __attribute__((always_inline)) void finish(uint64_t bits) const
    {
        place = ptx_value<typename std::remove_cv<T>::type>(bits);
    }
};
template <class T> struct ptx_changed {
    T &place;
    inline __attribute__((always_inline)) uint64_t bits() const
    {
        return ptx_bits(place);
    }
    inline __attribute__((always_inline)) void finish(uint64_t bits) const
    {
        place = ptx_value<typename std::remove_cv<T>::type>(bits);
    }
};

/* nvcc wants the sizes that the letters mean. */
template <char letter>
constexpr size_t ptx_size = letter == 'h'                    ? 2
                            : letter == 'r' || letter == 'f' ? 4
                                                             : 8;
template <char letter, class T> WARPUP_INLINE ptx_taken<T> take(const T &value)
{
    static_assert(letter == 'n' || sizeof(T) <= ptx_size<letter>,
                  "asm operand type size does not match the constraint");
    return {value};
}
template <char letter, class T> WARPUP_INLINE ptx_put<T> put(T &place)
{
    static_assert(sizeof(T) == ptx_size<letter>,
                  "asm operand type size does not match the constraint");
    return {place};
}
template <char letter, class T> WARPUP_INLINE ptx_changed<T> change(T &place)
{
    static_assert(sizeof(T) == ptx_size<letter>,
                  "asm operand type size does not match the constraint");
    return {place};
}

template <class... Operands> WARPUP_INLINE void ptx(const char *text, Operands... operands)
{
    constexpr int used = sizeof...(operands);
    int i = 0;
    if constexpr (used <= 4) {
        warpup_operands_4 all = warpup_ptx_4(text, {{operands.bits()...}}, used);
        (operands.finish(all.bits[i++]), ...);
    } else if constexpr (used <= 12) {
        warpup_operands_12 all = warpup_ptx_12(text, {{operands.bits()...}}, used);
        (operands.finish(all.bits[i++]), ...);
    } else {
        warpup_operands_32 all = warpup_ptx_32(text, {{operands.bits()...}}, used);
        (operands.finish(all.bits[i++]), ...);
    }
}

} // namespace warpup

/* What the simulated GPU does not know is reported only where a kernel may come to it. */
#define WARPUP_UNKNOWN_PTX(name, what)                                                             \
    [](auto &&...) {                                                                               \
        extern void warpup_unknown_##name()                                                        \
            __attribute__((error("the simulated GPU does not know " what " in PTX")));             \
        warpup_unknown_##name();                                                                   \
    }

#endif
