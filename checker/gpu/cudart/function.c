/* function.c: questions about kernels, and their settings. */
#include "gpu/cudart/client.h"
#include "gpu/cudart/register.h"

/* A call that names a kernel: its module has to be known to the GPU. */
#define KERNEL(name, parameters, ...)                                                              \
    cudaError_t name parameters                                                                    \
    {                                                                                              \
        struct remote remote;                                                                      \
        register_load();                                                                           \
        return REMOTE(&remote, name, __VA_ARGS__);                                                 \
    }
#define KERNEL_RESULT(name, parameters, type, out, ...)                                            \
    cudaError_t name parameters                                                                    \
    {                                                                                              \
        struct remote remote;                                                                      \
        register_load();                                                                           \
        cudaError_t error = REMOTE(&remote, name, __VA_ARGS__);                                    \
        if (error == cudaSuccess) *out = (type)remote.result[0];                                   \
        return error;                                                                              \
    }

KERNEL(cudaFuncSetAttribute, (const void *function, cudaFuncAttribute attribute, int value),
       AT(function), (uint32_t)attribute, (uint64_t)value)
KERNEL(cudaFuncSetCacheConfig, (const void *function, cudaFuncCache config), AT(function),
       (uint32_t)config)
KERNEL(cudaFuncSetSharedMemConfig, (const void *function, cudaSharedMemConfig config), AT(function),
       (uint32_t)config)
KERNEL_RESULT(cudaOccupancyMaxActiveBlocksPerMultiprocessor,
              (int *blocks, const void *function, int threads, size_t shared), int, blocks,
              OUT(blocks), AT(function), (uint64_t)threads, shared)
KERNEL_RESULT(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
              (int *blocks, const void *function, int threads, size_t shared, unsigned flags), int,
              blocks, OUT(blocks), AT(function), (uint64_t)threads, shared, flags)
KERNEL_RESULT(cudaOccupancyAvailableDynamicSMemPerBlock,
              (size_t * shared, const void *function, int blocks, int threads), size_t, shared,
              OUT(shared), AT(function), (uint64_t)blocks, (uint64_t)threads)

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *function)
{
    cudaFuncAttributes found;
    struct remote remote = {.request.argument = {OUT(attributes), AT(function)},
                            .answer = &found,
                            .room = sizeof found};
    register_load();
    cudaError_t error = client_call(&remote, WIRE_cudaFuncGetAttributes, RETURN_PC);
    if (error == cudaSuccess) *attributes = found;
    return error;
}

/* The name is valid until the same thread asks for another one. */
cudaError_t cudaFuncGetName(const char **name, const void *function)
{
    static __thread char found[1024];
    struct remote remote = {
        .request.argument = {OUT(name), AT(function)}, .answer = found, .room = sizeof found - 1};
    register_load();
    cudaError_t error = client_call(&remote, WIRE_cudaFuncGetName, RETURN_PC);
    if (error == cudaSuccess) *name = found;
    return error;
}

/* A kernel as the driver and libraries name it: its stub's address. */
cudaError_t cudaGetFuncBySymbol(void **function, const void *symbol)
{
    if (function == NULL || symbol == NULL) return cudaErrorInvalidValue;
    *function = (void *)(uintptr_t)symbol;
    return cudaSuccess;
}
