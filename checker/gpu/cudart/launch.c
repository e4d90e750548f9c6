/*
 * launch.c: launches of kernels. `k<<<grid, block>>>(x)` becomes a call of
 * __cudaPushCallConfiguration(), then one of the kernel's stub, which takes the configuration back
 * and calls cudaLaunchKernel(). The student's line is that of the first of these calls.
 */
#include "gpu/cudart/launch.h"

#include "gpu/cudart/client.h"

#include <string.h>

enum { CONFIGURATIONS_MAX = 16, COOPERATIVE = 1, CLUSTER = 2, BY_BRACKETS = 4 };

/* What <<<…>>> says, until the stub takes it; a call inside the arguments may launch, too. */
struct configuration {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    const void *pc;
};
static __thread struct configuration configurations[CONFIGURATIONS_MAX];
static __thread int configured;
static __thread const void *launch_pc; /* of the configuration that the stub has taken */

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream)
{
    if (configured == CONFIGURATIONS_MAX) return 1;
    configurations[configured++] = (struct configuration){grid, block, shared, stream, RETURN_PC};
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
    if (configured == 0) return cudaErrorMissingConfiguration;
    const struct configuration *one = &configurations[--configured];
    *grid = one->grid;
    *block = one->block;
    *shared = one->shared;
    memcpy(stream, &one->stream, sizeof one->stream);
    launch_pc = one->pc;
    return cudaSuccess;
}

bool launch_pack(const struct layout *layout, void **arguments, unsigned char *to)
{
    if (layout->count > 0 && arguments == NULL) return false;
    for (uint32_t i = 0; i < layout->count; i++)
        memcpy(to + layout->parameter[i].at, arguments[i], layout->parameter[i].bytes);
    return true;
}

/* A launch's arguments from the second one on, as calls.def says, and its attributes. */
static void fill_launch(uint64_t *argument, const cudaLaunchConfig_t *config, uint64_t flags,
                        struct span *attributes)
{
    const dim3 grid = config->gridDim, block = config->blockDim;
    uint64_t cluster[2] = {0, 0};
    for (unsigned i = 0; i < config->numAttrs; i++) {
        const cudaLaunchAttribute *one = &config->attrs[i];
        if (one->id == cudaLaunchAttributeCooperative && one->val.cooperative) flags |= COOPERATIVE;
        if (one->id != cudaLaunchAttributeClusterDimension) continue;
        flags |= CLUSTER;
        cluster[0] = one->val.clusterDim.x | (uint64_t)one->val.clusterDim.y << 32;
        cluster[1] = one->val.clusterDim.z;
    }
    const uint64_t all[] = {grid.x | (uint64_t)grid.y << 32,
                            grid.z | (uint64_t)block.x << 32,
                            block.y | (uint64_t)block.z << 32,
                            config->dynamicSmemBytes,
                            AT(config->stream),
                            flags,
                            cluster[0],
                            cluster[1],
                            config->numAttrs};
    memcpy(argument, all, sizeof all);
    *attributes = (struct span){config->attrs, config->numAttrs * sizeof *config->attrs};
}

static cudaError_t launch(const cudaLaunchConfig_t *config, const void *function, void **arguments,
                          uint64_t flags, const void *pc)
{
    static const struct layout none;
    const struct layout *layout = register_layout(function);
    if (layout == NULL) layout = &none; /* the GPU says why */
    unsigned char parameters[layout->bytes + 1];
    memset(parameters, 0, layout->bytes);
    if (launch_pc != NULL) pc = launch_pc, flags |= BY_BRACKETS;
    launch_pc = NULL;
    if (!launch_pack(layout, arguments, parameters)) return cudaErrorInvalidValue;
    struct remote remote = {.request.argument = {AT(function)},
                            .payload = {{parameters, layout->bytes}}};
    fill_launch(remote.request.argument + 1, config, flags, &remote.payload[1]);
    return client_call(&remote, WIRE_cudaLaunchKernel, pc);
}

static cudaLaunchConfig_t shape(dim3 grid, dim3 block, size_t shared, cudaStream_t stream)
{
    return (cudaLaunchConfig_t){
        .gridDim = grid, .blockDim = block, .dynamicSmemBytes = shared, .stream = stream};
}

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                             size_t shared, cudaStream_t stream)
{
    cudaLaunchConfig_t config = shape(grid, block, shared, stream);
    return launch(&config, function, arguments, 0, RETURN_PC);
}

cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block,
                                        void **arguments, size_t shared, cudaStream_t stream)
{
    cudaLaunchConfig_t config = shape(grid, block, shared, stream);
    return launch(&config, function, arguments, COOPERATIVE, RETURN_PC);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function,
                                void **arguments)
{
    if (config == NULL || (config->numAttrs > 0 && config->attrs == NULL))
        return cudaErrorInvalidValue;
    return launch(config, function, arguments, 0, RETURN_PC);
}

cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *function,
                                           const cudaLaunchConfig_t *config);
cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *function,
                                           const cudaLaunchConfig_t *config)
{
    struct remote remote = {.request.argument = {OUT(clusters), AT(function)}};
    if (config == NULL || (config->numAttrs > 0 && config->attrs == NULL))
        return cudaErrorInvalidValue;
    register_load();
    fill_launch(remote.request.argument + 2, config, 0, &remote.payload[0]);
    cudaError_t error = client_call(&remote, WIRE_cudaOccupancyMaxActiveClusters, RETURN_PC);
    if (error == cudaSuccess) *clusters = (int)remote.result[0];
    return error;
}

/* CUDA 13's stubs: a kernel's handle is its stub's address. */
cudaError_t __cudaGetKernel(const void **kernel, const void *function);
cudaError_t __cudaGetKernel(const void **kernel, const void *function)
{
    *kernel = function;
    return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                               size_t shared, cudaStream_t stream);
cudaError_t __cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                               size_t shared, cudaStream_t stream)
{
    cudaLaunchConfig_t config = shape(grid, block, shared, stream);
    return launch(&config, kernel, arguments, 0, RETURN_PC);
}

cudaError_t __cudaLaunchKernel_ptsz(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                    size_t shared, cudaStream_t stream);
cudaError_t __cudaLaunchKernel_ptsz(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                    size_t shared, cudaStream_t stream)
{
    cudaLaunchConfig_t config =
        shape(grid, block, shared, stream == NULL ? cudaStreamPerThread : stream);
    return launch(&config, kernel, arguments, 0, RETURN_PC);
}
