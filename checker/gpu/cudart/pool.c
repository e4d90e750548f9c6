/*
 * pool.c: memory pools. Memory from a pool is that of cudaMallocAsync(): the simulated GPU gives no
 * memory back before it is freed, so the settings of a pool are only remembered.
 */
#include "gpu/cudart/client.h"

#include <stdlib.h>

enum { SETTINGS = cudaMemPoolAttrReleaseThreshold + 1 };

struct CUmemPoolHandle_st {
    uint64_t settings[SETTINGS];
};

#define REUSE                                                                                      \
    {                                                                                              \
        [cudaMemPoolReuseFollowEventDependencies] = 1, [cudaMemPoolReuseAllowOpportunistic] = 1,   \
        [cudaMemPoolReuseAllowInternalDependencies] = 1                                            \
    }
static struct CUmemPoolHandle_st default_pool = {REUSE};
static cudaMemPool_t current = &default_pool;

static cudaError_t give(cudaMemPool_t *pool, int device, cudaMemPool_t which)
{
    if (pool == NULL) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    *pool = which;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    return give(pool, device, &default_pool);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
    return give(pool, device, current);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
    if (pool == NULL) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    current = pool;
    return cudaSuccess;
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const cudaMemPoolProps *properties)
{
    if (pool == NULL || properties == NULL ||
        properties->allocType != cudaMemAllocationTypePinned || properties->location.id != 0)
        return cudaErrorInvalidValue;
    cudaMemPool_t new = malloc(sizeof *new);
    if (new == NULL) return cudaErrorMemoryAllocation;
    *new = (struct CUmemPoolHandle_st){REUSE};
    *pool = new;
    return cudaSuccess;
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
    if (pool == NULL || pool == &default_pool) return cudaErrorInvalidValue;
    if (current == pool) current = &default_pool;
    free(pool);
    return cudaSuccess;
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep)
{
    (void)keep;
    return pool == NULL ? cudaErrorInvalidValue : cudaSuccess;
}

/* The reuse of memory is an int, the threshold and the sizes are 64-bit numbers. */
static bool is_threshold(cudaMemPoolAttr attribute)
{
    return attribute == cudaMemPoolAttrReleaseThreshold;
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value)
{
    if (pool == NULL || value == NULL || (int)attribute <= 0 || (int)attribute >= SETTINGS)
        return cudaErrorInvalidValue;
    pool->settings[attribute] = is_threshold(attribute) ? *(uint64_t *)value : *(unsigned *)value;
    return cudaSuccess;
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value)
{
    static const char sizes[] = "the sizes of a memory pool";
    struct remote remote = {.payload = {{sizes, sizeof sizes - 1}}};
    if (pool == NULL || value == NULL || (int)attribute <= 0) return cudaErrorInvalidValue;
    if ((int)attribute >= SETTINGS) return client_call(&remote, WIRE_unknown, RETURN_PC);
    if (is_threshold(attribute))
        *(uint64_t *)value = pool->settings[attribute];
    else
        *(int *)value = (int)pool->settings[attribute];
    return cudaSuccess;
}
