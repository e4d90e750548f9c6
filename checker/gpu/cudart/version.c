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
/* Some members are gone, and so the others are elsewhere. */
struct properties_13 {
#    define MEMBER(type, name, dimension) type name dimension;
#    define GONE(type, name, dimension)
    WARPUP_PROPERTIES(MEMBER, GONE)
#    undef MEMBER
    int more[7], reserved[56];
};

static void copy_properties(void *to, const cudaDeviceProp *from)
{
    struct properties_13 *own = to;
    memset(own, 0, sizeof *own);
#    define COPY(type, name, dimension) memcpy(&own->name, &from->name, sizeof own->name);
    WARPUP_PROPERTIES(COPY, GONE)
#    undef COPY
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
    struct remote remote = {.request.argument = {AT(properties), AT(device)},
                            .answer = {{&found, sizeof found}}};
    cudaError_t error = client_call(&remote, WIRE_cudaGetDeviceProperties, pc);
    if (error == cudaSuccess) copy_properties(properties, &found);
    return error;
}

#undef cudaGetDeviceProperties
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
    struct remote remote = {.request.argument = {AT(version)},
                            .answer = {{version, sizeof *version}}};
    cudaError_t error = client_call(&remote, WIRE_cudaRuntimeGetVersion, RETURN_PC);
    if (error == cudaSuccess && CUDART_MAJOR != 12) *version = CUDART_MAJOR * 1000;
    return error;
}

/* CALLED(name, type) begins the definition of CUDA's function `name` where its parameters are not
 * those of CUDA 12, as include/cuda_runtime_api.h declares it. */
#define CALLED(name, parameters)                                                                   \
    cudaError_t of_other_version_##name parameters __asm__(#name);                                 \
    cudaError_t of_other_version_##name parameters

/* ---- prefetch and advice: a device's number, or a place ------------------------------------- */

static int device_of(cudaMemLocation location)
{
    return location.type == cudaMemLocationTypeHost ? cudaCpuDeviceId : location.id;
}

static cudaError_t prefetch(const void *pointer, size_t bytes, int device, cudaStream_t stream,
                            const void *pc)
{
    struct remote remote = {.request.argument = {AT(pointer), bytes, AT(device), AT(stream)}};
    return client_call(&remote, WIRE_cudaMemPrefetchAsync, pc);
}

static cudaError_t advise(const void *pointer, size_t bytes, cudaMemoryAdvise advice, int device,
                          const void *pc)
{
    struct remote remote = {.request.argument = {AT(pointer), bytes, AT(advice), AT(device)}};
    return client_call(&remote, WIRE_cudaMemAdvise, pc);
}

cudaError_t cudaMemPrefetchAsync_v2(const void *pointer, size_t bytes, cudaMemLocation location,
                                    unsigned int flags, cudaStream_t stream)
{
    (void)flags;
    return prefetch(pointer, bytes, device_of(location), stream, RETURN_PC);
}

cudaError_t cudaMemAdvise_v2(const void *pointer, size_t bytes, cudaMemoryAdvise advice,
                             cudaMemLocation location)
{
    return advise(pointer, bytes, advice, device_of(location), RETURN_PC);
}

#if CUDART_MAJOR >= 13
CALLED(cudaMemPrefetchAsync, (const void *pointer, size_t bytes, cudaMemLocation location,
                              unsigned int flags, cudaStream_t stream))
{
    (void)flags;
    return prefetch(pointer, bytes, device_of(location), stream, RETURN_PC);
}

CALLED(cudaMemAdvise,
       (const void *pointer, size_t bytes, cudaMemoryAdvise advice, cudaMemLocation location))
{
    return advise(pointer, bytes, advice, device_of(location), RETURN_PC);
}
#else
cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device, cudaStream_t stream)
{
    return prefetch(pointer, bytes, device, stream, RETURN_PC);
}

cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, cudaMemoryAdvise advice, int device)
{
    return advise(pointer, bytes, advice, device, RETURN_PC);
}
#endif

/* ---- graphs --------------------------------------------------------------------------------- */

static cudaError_t instantiate(cudaGraphExec_t *whole, cudaGraph_t graph, unsigned long long flags,
                               const void *pc)
{
    struct remote remote = {.request.argument = {AT(whole), AT(graph), flags},
                            .answer = {{whole, sizeof *whole}}};
    return client_call(&remote, WIRE_cudaGraphInstantiate, pc);
}

static cudaError_t depend(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                          size_t count, const void *pc)
{
    struct remote remote = {.request.argument = {AT(graph), AT(from), AT(to), count},
                            .payload = {{from, from == NULL ? 0 : count * sizeof *from},
                                        {to, to == NULL ? 0 : count * sizeof *to}}};
    return client_call(&remote, WIRE_cudaGraphAddDependencies, pc);
}

#if CUDART_MAJOR >= 12
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *whole, cudaGraph_t graph,
                                 unsigned long long flags)
{
    return instantiate(whole, graph, flags, RETURN_PC);
}
#else
CALLED(cudaGraphInstantiate, (cudaGraphExec_t * whole, cudaGraph_t graph, cudaGraphNode_t *node,
                              char *text, size_t bytes))
{
    (void)node, (void)text, (void)bytes;
    return instantiate(whole, graph, 0, RETURN_PC);
}
#endif

#if CUDART_MAJOR >= 13
CALLED(cudaGraphAddDependencies, (cudaGraph_t graph, const cudaGraphNode_t *from,
                                  const cudaGraphNode_t *to, const void *edges, size_t count))
{
    (void)edges;
    return depend(graph, from, to, count, RETURN_PC);
}
#else
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, size_t count)
{
    return depend(graph, from, to, count, RETURN_PC);
}
#endif
