/*
 * curand_kernel.h: random numbers in kernels. They are good ones, but not those
 * of NVIDIA's library: nothing may depend on a single number.
 */
#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_

#include "cuda_runtime.h"

/* The hash is the last step of SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number
 * generators", 2014). */
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

struct curandState {
    unsigned long long seed, at;
};
typedef curandState curandState_t, curandStateXORWOW, curandStateXORWOW_t;
typedef curandState curandStatePhilox4_32_10, curandStatePhilox4_32_10_t;
typedef curandState curandStateMRG32k3a, curandStateMRG32k3a_t;

WARPUP_BOTH void curand_init(unsigned long long seed, unsigned long long sequence,
                             unsigned long long offset, curandState *state)
{
    state->seed = warpup::random_word(seed, sequence);
    state->at = offset;
}
WARPUP_BOTH unsigned int curand(curandState *state)
{
    return (unsigned int)warpup::random_word(state->seed, state->at++);
}
WARPUP_BOTH float curand_uniform(curandState *state)
{
    return warpup::random_uniform_float(warpup::random_word(state->seed, state->at++));
}
WARPUP_BOTH double curand_uniform_double(curandState *state)
{
    return warpup::random_uniform(warpup::random_word(state->seed, state->at++));
}
WARPUP_BOTH double curand_normal_double(curandState *state)
{
    unsigned long long first = warpup::random_word(state->seed, state->at++);
    return warpup::random_normal(first, warpup::random_word(state->seed, state->at++));
}
WARPUP_BOTH float curand_normal(curandState *state) { return (float)curand_normal_double(state); }
WARPUP_BOTH float4 curand_uniform4(curandState *state)
{
    float4 all;
    all.x = curand_uniform(state);
    all.y = curand_uniform(state);
    all.z = curand_uniform(state);
    all.w = curand_uniform(state);
    return all;
}
WARPUP_BOTH float2 curand_normal2(curandState *state)
{
    float2 both;
    both.x = curand_normal(state);
    both.y = curand_normal(state);
    return both;
}

#endif
