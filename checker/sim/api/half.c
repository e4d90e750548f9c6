/*
 * half.c: the numbers of cuda_fp16.h, IEEE 754's binary16: a sign, 5 bits of exponent, 10 of
 * fraction. The header's arithmetic is done in double and rounded here, once.
 */
#include "sim/engine/access.h"
#include "warpup/runtime.h"

#include <stdbool.h>
#include <string.h>

#define CALLER ((uintptr_t)__builtin_return_address(0))

enum { SIGN = 0x8000, INFINITE = 0x7c00, LARGEST = 0x7bff, NO_NUMBER = 0x7fff };
enum { LEAST_EXPONENT = -14, MOST_EXPONENT = 15, FRACTION_BITS = 10, DOUBLE_FRACTION_BITS = 52 };

/* Moves exponent and fraction to where a float has them. The factor corrects the different biases
 * of the exponents, and turns a half below 2^-14 into a normal float. */
double warpup_half_value(uint16_t half)
{
    uint32_t bits = (uint32_t)(half & ~SIGN) << 13;
    float size;
    if ((half & INFINITE) == INFINITE) bits |= 0x7f800000;
    memcpy(&size, &bits, sizeof size);
    if ((half & INFINITE) != INFINITE) size *= 0x1p112f;
    return half & SIGN ? -size : size;
}

/* Is a number rounded to the half of larger magnitude? `rest` is the distance of the number from
 * the smaller one, `apart` the distance between the two. */
static bool goes_up(bool negative, bool odd, uint64_t rest, uint64_t apart,
                    enum warpup_rounding rounding)
{
    switch (rounding) {
    case WARPUP_NEAREST: return rest > apart / 2 || (rest == apart / 2 && odd);
    case WARPUP_TO_ZERO: return false;
    case WARPUP_DOWN_ONLY: return negative && rest > 0;
    case WARPUP_UP_ONLY: return !negative && rest > 0;
    }
    return false;
}

uint16_t warpup_half(double value, enum warpup_rounding rounding)
{
    uint64_t bits, one = 1;
    memcpy(&bits, &value, sizeof bits);
    bool negative = bits >> 63;
    uint16_t sign = negative ? SIGN : 0;
    int exponent = (int)(bits >> DOUBLE_FRACTION_BITS & 0x7ff) - 1023;
    uint64_t digits = (bits & ((one << DOUBLE_FRACTION_BITS) - 1)) | one << DOUBLE_FRACTION_BITS;

    if (value != value) return NO_NUMBER;
    if (value == 0) return sign;
    if (exponent > 1023) return sign | INFINITE;
    /* Between the largest half and infinity, whose bits follow each other, nearer to infinity */
    if (exponent > MOST_EXPONENT) return sign | (LARGEST + goes_up(negative, true, 2, 2, rounding));
    int lost = DOUBLE_FRACTION_BITS - FRACTION_BITS, steps = exponent - LEAST_EXPONENT;
    if (steps < 0) lost = lost - steps < 63 ? lost - steps : 63;
    uint64_t apart = one << lost, below = digits >> lost;
    /* The leading digit adds 1 to the exponent. So does a fraction that is rounded up to 1. */
    if (steps > 0) below += (uint64_t)steps << FRACTION_BITS;
    return sign |
           (uint16_t)(below + goes_up(negative, below & 1, digits & (apart - 1), apart, rounding));
}

static uint16_t sum(uint16_t a, uint16_t b)
{
    return warpup_half(warpup_half_value(a) + warpup_half_value(b), WARPUP_NEAREST);
}

uint16_t warpup_atomic_half(void *at, uint16_t value)
{
    access_announce(at, sizeof value, ACCESS_ADD_REAL, CALLER);
    uint16_t old = __atomic_load_n((uint16_t *)at, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n((uint16_t *)at, &old, sum(old, value), true,
                                        __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
        continue;
    return old;
}

uint32_t warpup_atomic_half2(void *at, uint32_t pair)
{
    access_announce(at, sizeof pair, ACCESS_ADD_REAL, CALLER);
    uint32_t old = __atomic_load_n((uint32_t *)at, __ATOMIC_RELAXED), both;
    do
        both = sum((uint16_t)old, (uint16_t)pair) |
               (uint32_t)sum((uint16_t)(old >> 16), (uint16_t)(pair >> 16)) << 16;
    while (!__atomic_compare_exchange_n((uint32_t *)at, &old, both, true, __ATOMIC_SEQ_CST,
                                        __ATOMIC_RELAXED));
    return old;
}
