/*
 * version.c: the calls that differ between CUDA 11, 12 and 13. The library is linked once for each
 * of them, with this file compiled for it (CUDART_MAJOR); the plain libcudart.so is that of CUDA
 * 12, whose symbols the lab's headers use.
 */
#include "gpu/cudart/client.h"

#include <string.h>

#ifndef CUDART_MAJOR
#    define CUDART_MAJOR 12
#endif

#if CUDART_MAJOR >= 13
/* The members of CUDA 13: some are gone, and others are elsewhere. */
/* clang-format off */
#    define NUMBERS_BEFORE                                                                         \
    NUMBER(totalConstMem, size_t) NUMBER(major, int) NUMBER(minor, int)                            \
    NUMBER(textureAlignment, size_t) NUMBER(texturePitchAlignment, size_t)                         \
    NUMBER(multiProcessorCount, int) NUMBER(integrated, int) NUMBER(canMapHostMemory, int)
#    define NUMBERS_AFTER                                                                          \
    NUMBER(surfaceAlignment, size_t) NUMBER(concurrentKernels, int) NUMBER(ECCEnabled, int)        \
    NUMBER(pciBusID, int) NUMBER(pciDeviceID, int) NUMBER(pciDomainID, int)                        \
    NUMBER(tccDriver, int) NUMBER(asyncEngineCount, int) NUMBER(unifiedAddressing, int)            \
    NUMBER(memoryBusWidth, int) NUMBER(l2CacheSize, int) NUMBER(persistingL2CacheMaxSize, int)     \
    NUMBER(maxThreadsPerMultiProcessor, int) NUMBER(streamPrioritiesSupported, int)                \
    NUMBER(globalL1CacheSupported, int) NUMBER(localL1CacheSupported, int)                         \
    NUMBER(sharedMemPerMultiprocessor, size_t) NUMBER(regsPerMultiprocessor, int)                  \
    NUMBER(managedMemory, int) NUMBER(isMultiGpuBoard, int) NUMBER(multiGpuBoardGroupID, int)      \
    NUMBER(hostNativeAtomicSupported, int) NUMBER(pageableMemoryAccess, int)                       \
    NUMBER(concurrentManagedAccess, int) NUMBER(computePreemptionSupported, int)                   \
    NUMBER(canUseHostPointerForRegisteredMem, int) NUMBER(cooperativeLaunch, int)                  \
    NUMBER(sharedMemPerBlockOptin, size_t) NUMBER(pageableMemoryAccessUsesHostPageTables, int)     \
    NUMBER(directManagedMemAccessFromHost, int) NUMBER(maxBlocksPerMultiProcessor, int)            \
    NUMBER(accessPolicyMaxWindowSize, int) NUMBER(reservedSharedMemPerBlock, size_t)               \
    NUMBER(hostRegisterSupported, int) NUMBER(sparseCudaArraySupported, int)                       \
    NUMBER(hostRegisterReadOnlySupported, int) NUMBER(timelineSemaphoreInteropSupported, int)      \
    NUMBER(memoryPoolsSupported, int) NUMBER(gpuDirectRDMASupported, int)                          \
    NUMBER(gpuDirectRDMAFlushWritesOptions, unsigned) ABSENT(gpuDirectRDMAWritesOrdering)          \
    NUMBER(memoryPoolSupportedHandleTypes, unsigned)                                               \
    NUMBER(deferredMappingCudaArraySupported, int) NUMBER(ipcEventSupported, int)                  \
    NUMBER(clusterLaunch, int) NUMBER(unifiedFunctionPointers, int)
/* clang-format on */

struct properties_13 {
    char name[256], uuid[16], luid[8];
    unsigned luidDeviceNodeMask;
    size_t totalGlobalMem, sharedMemPerBlock;
    int regsPerBlock, warpSize;
    size_t memPitch;
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
#    define NUMBER(name, type) type name;
#    define ABSENT(name)       int name;
    NUMBERS_BEFORE
    int textures[39]; /* limits of textures and surfaces, from maxTexture1D on */
    NUMBERS_AFTER
#    undef NUMBER
#    undef ABSENT
    int more[7], reserved[56];
};

static void copy_properties(void *to, const cudaDeviceProp *from)
{
    struct properties_13 *own = to;
    memset(own, 0, sizeof *own);
    memcpy(own->name, from->name, sizeof own->name);
    memcpy(own->uuid, &from->uuid, sizeof own->uuid);
    own->totalGlobalMem = from->totalGlobalMem;
    own->sharedMemPerBlock = from->sharedMemPerBlock;
    own->regsPerBlock = from->regsPerBlock;
    own->warpSize = from->warpSize;
    own->memPitch = from->memPitch;
    own->maxThreadsPerBlock = from->maxThreadsPerBlock;
    memcpy(own->maxThreadsDim, from->maxThreadsDim, sizeof own->maxThreadsDim);
    memcpy(own->maxGridSize, from->maxGridSize, sizeof own->maxGridSize);
#    define NUMBER(name, type) own->name = from->name;
#    define ABSENT(name)
    NUMBERS_BEFORE
    own->textures[0] = from->maxTexture1D;
    memcpy(own->textures + 2, from->maxTexture2D, sizeof from->maxTexture2D);
    NUMBERS_AFTER
#    undef NUMBER
}
#elif CUDART_MAJOR == 12
static void copy_properties(void *to, const cudaDeviceProp *from)
{
    memcpy(to, from, sizeof *from);
}
#else
enum { PROPERTIES_11 = 728 /* bytes: the beginning of those of CUDA 12 */ };

static void copy_properties(void *to, const cudaDeviceProp *from)
{
    memcpy(to, from, PROPERTIES_11);
}
#endif

static cudaError_t get_properties(void *properties, int device, const void *pc)
{
    cudaDeviceProp found;
    struct remote remote = {.request.argument = {OUT(properties), (uint64_t)device},
                            .answer = &found,
                            .room = sizeof found};
    cudaError_t error = client_call(&remote, WIRE_cudaGetDeviceProperties, pc);
    if (error == cudaSuccess) copy_properties(properties, &found);
    return error;
}

#undef cudaGetDeviceProperties
cudaError_t cudaGetDeviceProperties(void *properties, int device);
cudaError_t cudaGetDeviceProperties(void *properties, int device)
{
    return get_properties(properties, device, RETURN_PC);
}

cudaError_t cudaGetDeviceProperties_v2(cudaDeviceProp *properties, int device)
{
    return get_properties(properties, device, RETURN_PC);
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    struct remote remote;
    cudaError_t error = REMOTE(&remote, cudaRuntimeGetVersion, OUT(version));
    if (error == cudaSuccess)
        *version = CUDART_MAJOR == 12 ? (int)remote.result[0] : CUDART_MAJOR * 1000;
    return error;
}

/* ---- prefetch and advice: a device's number, or a place ------------------------------------- */

static uint64_t device_of(cudaMemLocation location)
{
    return (uint64_t)(location.type == cudaMemLocationTypeHost ? cudaCpuDeviceId : location.id);
}

cudaError_t cudaMemPrefetchAsync_v2(const void *pointer, size_t bytes, cudaMemLocation location,
                                    unsigned flags, cudaStream_t stream)
{
    struct remote remote;
    (void)flags;
    return REMOTE(&remote, cudaMemPrefetchAsync, AT(pointer), bytes, device_of(location),
                  AT(stream));
}

cudaError_t cudaMemAdvise_v2(const void *pointer, size_t bytes, cudaMemoryAdvise advice,
                             cudaMemLocation location)
{
    struct remote remote;
    return REMOTE(&remote, cudaMemAdvise, AT(pointer), bytes, (uint32_t)advice,
                  device_of(location));
}

#if CUDART_MAJOR >= 13
cudaError_t prefetch_13(const void *pointer, size_t bytes, cudaMemLocation location, unsigned flags,
                        cudaStream_t stream) __asm__("cudaMemPrefetchAsync");
cudaError_t prefetch_13(const void *pointer, size_t bytes, cudaMemLocation location, unsigned flags,
                        cudaStream_t stream)
{
    struct remote remote;
    (void)flags;
    return REMOTE(&remote, cudaMemPrefetchAsync, AT(pointer), bytes, device_of(location),
                  AT(stream));
}

cudaError_t advise_13(const void *pointer, size_t bytes, cudaMemoryAdvise advice,
                      cudaMemLocation location) __asm__("cudaMemAdvise");
cudaError_t advise_13(const void *pointer, size_t bytes, cudaMemoryAdvise advice,
                      cudaMemLocation location)
{
    struct remote remote;
    return REMOTE(&remote, cudaMemAdvise, AT(pointer), bytes, (uint32_t)advice,
                  device_of(location));
}
#else
PLAIN(cudaMemPrefetchAsync, (const void *pointer, size_t bytes, int device, cudaStream_t stream),
      AT(pointer), bytes, (uint64_t)device, AT(stream))
PLAIN(cudaMemAdvise, (const void *pointer, size_t bytes, cudaMemoryAdvise advice, int device),
      AT(pointer), bytes, (uint32_t)advice, (uint64_t)device)
#endif

/* ---- graphs --------------------------------------------------------------------------------- */

#if CUDART_MAJOR >= 12
RESULT(cudaGraphInstantiate, (cudaGraphExec_t * whole, cudaGraph_t graph, unsigned long long flags),
       cudaGraphExec_t, whole, OUT(whole), AT(graph), flags)
#else
cudaError_t instantiate_11(cudaGraphExec_t *whole, cudaGraph_t graph, cudaGraphNode_t *node,
                           char *text, size_t bytes) __asm__("cudaGraphInstantiate");
cudaError_t instantiate_11(cudaGraphExec_t *whole, cudaGraph_t graph, cudaGraphNode_t *node,
                           char *text, size_t bytes)
{
    struct remote remote;
    (void)node, (void)text, (void)bytes;
    cudaError_t error = REMOTE(&remote, cudaGraphInstantiate, OUT(whole), AT(graph), 0);
    if (error == cudaSuccess) *whole = (cudaGraphExec_t)remote.result[0];
    return error;
}
#endif

static cudaError_t add_dependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                    const cudaGraphNode_t *to, size_t count, const void *pc)
{
    size_t bytes = count * sizeof *from;
    struct remote remote = {
        .request.argument = {AT(graph), count, OUT(from), OUT(to)},
        .payload = {{from, from == NULL ? 0 : bytes}, {to, to == NULL ? 0 : bytes}}};
    return client_call(&remote, WIRE_cudaGraphAddDependencies, pc);
}

#if CUDART_MAJOR >= 13
cudaError_t dependencies_13(cudaGraph_t graph, const cudaGraphNode_t *from,
                            const cudaGraphNode_t *to, const void *edges,
                            size_t count) __asm__("cudaGraphAddDependencies");
cudaError_t dependencies_13(cudaGraph_t graph, const cudaGraphNode_t *from,
                            const cudaGraphNode_t *to, const void *edges, size_t count)
{
    (void)edges;
    return add_dependencies(graph, from, to, count, RETURN_PC);
}
#else
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, size_t count)
{
    return add_dependencies(graph, from, to, count, RETURN_PC);
}
#endif
