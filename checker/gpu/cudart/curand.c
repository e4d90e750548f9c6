/*
 * curand.c: the program's side of curand. A generator is in the GPU's process (blas/random.c).
 */
#include "gpu/blas/random.h"
#include "gpu/cudart/client.h"
#include "gpu/include/curand.h"

#include <string.h>

static curandStatus_t send(enum wire_call call, const uint64_t *arguments, size_t bytes,
                           curandGenerator_t *made, const void *pc)
{
    struct remote remote = {.payload = {{arguments, bytes}}};
    cudaError_t error = client_call(&remote, call, pc);
    if (error == cudaErrorInitializationError) return CURAND_STATUS_INITIALIZATION_FAILED;
    curandStatus_t status = (curandStatus_t)remote.result[0];
    if (made != NULL && status == CURAND_STATUS_SUCCESS)
        *made = (curandGenerator_t)remote.result[1];
    return status;
}

#define SEND(call, made, ...)                                                                      \
    send(WIRE_##call, (const uint64_t[]){__VA_ARGS__}, sizeof(const uint64_t[]){__VA_ARGS__},      \
         made, RETURN_PC)

static uint64_t bits(double number)
{
    uint64_t word;
    memcpy(&word, &number, sizeof word);
    return word;
}

curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type)
{
    return SEND(curandCreate, generator, AT(generator), AT(type), false);
}

curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type)
{
    return SEND(curandCreate, generator, AT(generator), AT(type), true);
}

curandStatus_t curandDestroyGenerator(curandGenerator_t generator)
{
    return SEND(curandDestroy, NULL, AT(generator));
}

curandStatus_t curandGetVersion(int *version)
{
    if (version == NULL) return CURAND_STATUS_OUT_OF_RANGE;
    *version = CURAND_VERSION;
    return CURAND_STATUS_SUCCESS;
}

#define SETTING(name, setting, T)                                                                  \
    curandStatus_t name(curandGenerator_t generator, T value)                                      \
    {                                                                                              \
        return SEND(curandSet, NULL, AT(generator), setting, AT(value));                           \
    }
SETTING(curandSetPseudoRandomGeneratorSeed, RANDOM_SEED, unsigned long long)
SETTING(curandSetGeneratorOffset, RANDOM_OFFSET, unsigned long long)
SETTING(curandSetStream, RANDOM_STREAM, cudaStream_t)

#define UNIFORM(name, kind, T)                                                                     \
    curandStatus_t name(curandGenerator_t generator, T *to, size_t n)                              \
    {                                                                                              \
        return SEND(curandGenerate, NULL, AT(generator), kind, AT(to), n, 0, 0);                   \
    }
UNIFORM(curandGenerate, RANDOM_WORDS, unsigned int)
UNIFORM(curandGenerateUniform, RANDOM_UNIFORM, float)
UNIFORM(curandGenerateUniformDouble, RANDOM_UNIFORM_DOUBLE, double)

#define NORMAL(name, kind, T)                                                                      \
    curandStatus_t name(curandGenerator_t generator, T *to, size_t n, T mean, T deviation)         \
    {                                                                                              \
        return SEND(curandGenerate, NULL, AT(generator), kind, AT(to), n, bits(mean),              \
                    bits(deviation));                                                              \
    }
NORMAL(curandGenerateNormal, RANDOM_NORMAL, float)
NORMAL(curandGenerateNormalDouble, RANDOM_NORMAL_DOUBLE, double)
NORMAL(curandGenerateLogNormal, RANDOM_LOG_NORMAL, float)
NORMAL(curandGenerateLogNormalDouble, RANDOM_LOG_NORMAL_DOUBLE, double)
