/*
 * random.h: random words, and numbers made of them, for curand.h and curand_kernel.h. The hash is
 * the last step of SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number
 * generators", 2014).
 */
#ifndef WARPUP_RANDOM_H
#define WARPUP_RANDOM_H

#include "../cuda_runtime.h"

namespace warpup
{

WARPUP_BOTH unsigned long long random_mixed(unsigned long long word)
{
    word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9ull;
    word = (word ^ word >> 27) * 0x94d049bb133111ebull;
    return word ^ word >> 31;
}

WARPUP_BOTH unsigned long long random_word(unsigned long long seed, unsigned long long n)
{
    return random_mixed(random_mixed(seed + 0x9e3779b97f4a7c15ull) + n * 0x9e3779b97f4a7c15ull) >>
           8;
}

/* More than 0, and at most 1, as curand's numbers are */
WARPUP_BOTH float random_uniform_float(unsigned long long word)
{
    return ((float)(word & 0xffffff) + 1) * (1.0f / 16777216);
}
WARPUP_BOTH double random_uniform(unsigned long long word)
{
    return ((double)(word & 0xfffffffffffffull) + 1) * (1.0 / 4503599627370496.0);
}

WARPUP_BOTH double random_normal(unsigned long long one, unsigned long long other)
{
    return sqrt(-2 * log(random_uniform(one))) * cos(6.283185307179586 * random_uniform(other));
}

} // namespace warpup

#endif
