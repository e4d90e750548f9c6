/*
 * inputs.h: the inputs that the starters make, bit for bit: 24 bits of a hash of (seed, array,
 * index), as a float in [-1, 1). Each exercise's README writes it as formulas. For its oracle.c.
 */
#ifndef WARPUP_INPUTS_H
#define WARPUP_INPUTS_H

#include <stdint.h>

static inline float input_hashed(uint64_t seed, uint64_t array, uint64_t i)
{
    uint64_t h = (4 * seed + array) * UINT64_C(0x9e3779b97f4a7c15) + i;
    h = (h ^ (h >> 33)) * UINT64_C(0xff51afd7ed558ccd);
    h = (h ^ (h >> 33)) * UINT64_C(0xc4ceb9fe1a85ec53);
    return (float)(uint32_t)(h >> 40) / 8388608.0f - 1.0f;
}

#endif
