/*
 * curand_kernel.h: random numbers in kernels. They are not those of NVIDIA's library (curand.h).
 */
#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_

#include "cuda_runtime.h"
#include "warpup/random.h"

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
