/*
 * curand.h: random numbers in device memory. They are good ones, but not those of NVIDIA's library:
 * nothing may depend on a single number. A generator counts: its n-th number is a hash of the seed
 * and n.
 */
#ifndef CURAND_H_
#define CURAND_H_

#include "cuda_runtime.h"
#include "warpup/random.h"

typedef enum curandStatus {
    CURAND_STATUS_SUCCESS = 0,
    CURAND_STATUS_VERSION_MISMATCH = 100,
    CURAND_STATUS_NOT_INITIALIZED = 101,
    CURAND_STATUS_ALLOCATION_FAILED = 102,
    CURAND_STATUS_TYPE_ERROR = 103,
    CURAND_STATUS_OUT_OF_RANGE = 104,
    CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
    CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
    CURAND_STATUS_LAUNCH_FAILURE = 201,
    CURAND_STATUS_PREEXISTING_FAILURE = 202,
    CURAND_STATUS_INITIALIZATION_FAILED = 203,
    CURAND_STATUS_ARCH_MISMATCH = 204,
    CURAND_STATUS_INTERNAL_ERROR = 999
} curandStatus_t;

typedef enum curandRngType {
    CURAND_RNG_PSEUDO_DEFAULT = 100,
    CURAND_RNG_PSEUDO_XORWOW = 101,
    CURAND_RNG_PSEUDO_MRG32K3A = 121,
    CURAND_RNG_PSEUDO_MTGP32 = 141,
    CURAND_RNG_PSEUDO_MT19937 = 142,
    CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161
} curandRngType_t;

typedef struct curandGenerator_st {
    unsigned long long seed, at;
    cudaStream_t stream;
    bool on_host;
} * curandGenerator_t;

namespace curand_details
{
using namespace ::warpup;

template <class T, class F>
__global__ void fill(T *to, size_t n, unsigned long long seed, unsigned long long first, F f)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n) to[i] = f(seed, first + i);
}

template <class T, class F>
WARPUP_HOST curandStatus_t make(curandGenerator_t generator, T *to, size_t n, F f)
{
    enum { THREADS = 256 };
    if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    unsigned long long first = generator->at;
    generator->at += n;
    if (n == 0) return CURAND_STATUS_SUCCESS;
    if (generator->on_host) {
        for (size_t i = 0; i < n; i++)
            to[i] = f(generator->seed, first + i);
        return CURAND_STATUS_SUCCESS;
    }
    void *addresses[] = {&to, &n, &generator->seed, &first, &f};
    unsigned int blocks = (unsigned int)((n + THREADS - 1) / THREADS);
    cudaError_t error =
        cudaLaunchKernel(&fill<T, F>, dim3(blocks), dim3(THREADS), addresses, 0, generator->stream);
    return error == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

struct uniform_number {
    __host__ __device__ WARPUP_HIDDEN double operator()(unsigned long long seed,
                                                        unsigned long long n) const
    {
        return random_uniform(random_word(seed, n));
    }
};
struct uniform_float {
    __host__ __device__ WARPUP_HIDDEN float operator()(unsigned long long seed,
                                                       unsigned long long n) const
    {
        return random_uniform_float(random_word(seed, n));
    }
};
template <class T> struct normal_number {
    T mean, deviation;
    __host__ __device__ WARPUP_HIDDEN T operator()(unsigned long long seed,
                                                   unsigned long long n) const
    {
        return mean +
               deviation * (T)random_normal(random_word(seed, 2 * n), random_word(seed, 2 * n + 1));
    }
};
struct whole_number {
    __host__ __device__ WARPUP_HIDDEN unsigned int operator()(unsigned long long seed,
                                                              unsigned long long n) const
    {
        return (unsigned int)random_word(seed, n);
    }
};
} // namespace curand_details

WARPUP_HOST curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t)
{
    *generator = new curandGenerator_st{};
    return CURAND_STATUS_SUCCESS;
}
WARPUP_HOST curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t)
{
    *generator = new curandGenerator_st{0, 0, nullptr, true};
    return CURAND_STATUS_SUCCESS;
}
WARPUP_HOST curandStatus_t curandDestroyGenerator(curandGenerator_t generator)
{
    delete generator;
    return CURAND_STATUS_SUCCESS;
}
WARPUP_HOST curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                              unsigned long long seed)
{
    generator->seed = seed;
    generator->at = 0;
    return CURAND_STATUS_SUCCESS;
}
WARPUP_HOST curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator,
                                                    unsigned long long offset)
{
    generator->at = offset;
    return CURAND_STATUS_SUCCESS;
}
WARPUP_HOST curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream)
{
    generator->stream = stream;
    return CURAND_STATUS_SUCCESS;
}
WARPUP_HOST curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int *to, size_t n)
{
    return curand_details::make(generator, to, n, curand_details::whole_number());
}
WARPUP_HOST curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *to, size_t n)
{
    return curand_details::make(generator, to, n, curand_details::uniform_float());
}
WARPUP_HOST curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *to,
                                                       size_t n)
{
    return curand_details::make(generator, to, n, curand_details::uniform_number());
}
/* NVIDIA's library makes these numbers in pairs. */
WARPUP_HOST curandStatus_t curandGenerateNormal(curandGenerator_t generator, float *to, size_t n,
                                                float mean, float deviation)
{
    if (n % 2 != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    return curand_details::make(generator, to, n,
                                curand_details::normal_number<float>{mean, deviation});
}
WARPUP_HOST curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double *to,
                                                      size_t n, double mean, double deviation)
{
    if (n % 2 != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    return curand_details::make(generator, to, n,
                                curand_details::normal_number<double>{mean, deviation});
}

#endif
