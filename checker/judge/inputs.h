/*
 * inputs.h: the inputs that the starters make, bit for bit: 24 bits of a hash of (seed, array,
 * index), as a float in [-1, 1). Each exercise's README writes it as formulas. For its oracle.c.
 */
#ifndef WARPUP_INPUTS_H
#define WARPUP_INPUTS_H

#include <stdint.h>
#include <string.h>

static inline float input_hashed(uint64_t seed, uint64_t array, uint64_t i)
{
    uint64_t h = (4 * seed + array) * UINT64_C(0x9e3779b97f4a7c15) + i;
    h = (h ^ (h >> 33)) * UINT64_C(0xff51afd7ed558ccd);
    h = (h ^ (h >> 33)) * UINT64_C(0xc4ceb9fe1a85ec53);
    return (float)(uint32_t)(h >> 40) / 8388608.0f - 1.0f;
}

/* What a wrong result may come of: inputs that a smaller type held. Those arrays whose bit is set
 * in `arrays` lose their last `bits` bits, 1 or more; none is set but while a result is compared
 * with that (pattern_values.c). */
extern struct input_rounding {
    unsigned arrays;
    int bits;
} input_rounding;

/* An element of an input array, as the oracle must take it: rounded where that is asked for. */
static inline float input_taken(uint64_t array, float value)
{
    if ((input_rounding.arrays >> array & 1) == 0) return value;
    uint32_t word, last = UINT32_C(1) << input_rounding.bits;
    memcpy(&word, &value, sizeof word);
    word += last / 2 - 1 + (word >> input_rounding.bits & 1);
    word &= ~(last - 1);
    memcpy(&value, &word, sizeof value);
    return value;
}

#endif
