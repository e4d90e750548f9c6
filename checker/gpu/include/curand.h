/*
 * curand.h: random numbers in device memory, or of the host: those of NVIDIA's default generator,
 * XORWOW, in its order. Generators of other types give the same numbers as that one.
 */
#ifndef CURAND_H_
#define CURAND_H_

#include "cuda_runtime.h"

#define CURAND_VERSION 10306

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

typedef struct curandGenerator_st *curandGenerator_t;

#ifdef __cplusplus
extern "C" {
#endif
curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type);
curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type);
curandStatus_t curandDestroyGenerator(curandGenerator_t generator);
curandStatus_t curandGetVersion(int *version);
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream);
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed);
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset);
curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int *to, size_t n);
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *to, size_t n);
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *to, size_t n);
/* Normal numbers are made in pairs. */
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float *to, size_t n, float mean,
                                    float deviation);
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double *to, size_t n,
                                          double mean, double deviation);
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float *to, size_t n, float mean,
                                       float deviation);
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double *to, size_t n,
                                             double mean, double deviation);
#ifdef __cplusplus
}
#endif

#endif
