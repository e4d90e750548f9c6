/*
 * launch.c: launches of kernels. `k<<<grid, block>>>(x)` becomes a call of
 * __cudaPushCallConfiguration(), then one of the kernel's stub, which takes the configuration back
 * and calls cudaLaunchKernel(). The student's line is that of the first of these calls.
 */
#include "gpu/cudart/client.h"
#include "gpu/cudart/register.h"

#include <string.h>

enum { CONFIGURATIONS_MAX = 16 };

/* The configuration that <<<…>>> gives, until the stub takes it; a call inside the arguments may
 * launch, too. */
struct configuration {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    const void *pc;
};
static __thread struct configuration configurations[CONFIGURATIONS_MAX];
static __thread int configured;
static __thread const void *launch_pc; /* of the configuration that the stub has taken */

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream)
{
    if (configured == CONFIGURATIONS_MAX) return 1;
    configurations[configured++] = (struct configuration){grid, block, shared, stream, RETURN_PC};
    return 0;
}

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

/* Copies the arguments to `to`, which has room for layout->bytes. False if there are none where
 * some are needed. */
static bool pack(const struct layout *layout, void **arguments, unsigned char *to)
{
    memset(to, 0, layout->bytes);
    if (layout->count > 0 && arguments == NULL) return false;
    for (uint32_t i = 0; i < layout->count; i++)
        memcpy(to + layout->parameter[i].at, arguments[i], layout->parameter[i].bytes);
    return true;
}

/* The layout of a kernel that the GPU does not know has no parameters: the GPU says why. */
static const struct layout *layout_of(const void *function)
{
    static const struct layout none;
    const struct layout *layout = register_layout(function);
    return layout != NULL ? layout : &none;
}

static struct wire_launch describe(const cudaLaunchConfig_t *config, const void *function,
                                   uint32_t flags)
{
    const dim3 grid = config->gridDim, block = config->blockDim;
    struct wire_launch launch = {.function = AT(function),
                                 .grid = {grid.x, grid.y, grid.z},
                                 .block = {block.x, block.y, block.z},
                                 .shared = config->dynamicSmemBytes,
                                 .stream = AT(config->stream),
                                 .flags = flags};
    for (unsigned i = 0; i < config->numAttrs; i++) {
        const cudaLaunchAttribute *one = &config->attrs[i];
        if (one->id == cudaLaunchAttributeCooperative && one->val.cooperative)
            launch.flags |= WIRE_COOPERATIVE;
        if (one->id != cudaLaunchAttributeClusterDimension) continue;
        launch.flags |= WIRE_CLUSTER;
        launch.cluster[0] = one->val.clusterDim.x;
        launch.cluster[1] = one->val.clusterDim.y;
        launch.cluster[2] = one->val.clusterDim.z;
    }
    return launch;
}

static bool is_complete(const cudaLaunchConfig_t *config)
{
    return config != NULL && (config->numAttrs == 0 || config->attrs != NULL);
}

static cudaError_t launch(const cudaLaunchConfig_t *config, const void *function, void **arguments,
                          uint32_t flags, const void *pc)
{
    const struct layout *layout = layout_of(function);
    unsigned char parameters[layout->bytes + 1];
    if (launch_pc != NULL) pc = launch_pc;
    launch_pc = NULL;
    if (!pack(layout, arguments, parameters)) return cudaErrorInvalidValue;
    struct wire_launch shape = describe(config, function, flags);
    struct remote remote = {.payload = {{&shape, sizeof shape}, {parameters, layout->bytes}}};
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
    return launch(&config, function, arguments, WIRE_COOPERATIVE, RETURN_PC);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function,
                                void **arguments)
{
    if (!is_complete(config)) return cudaErrorInvalidValue;
    return launch(config, function, arguments, 0, RETURN_PC);
}

cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *function,
                                           const cudaLaunchConfig_t *config)
{
    if (!is_complete(config)) return cudaErrorInvalidValue;
    struct wire_launch shape = describe(config, function, 0);
    struct remote remote = {.request.argument = {AT(clusters)},
                            .payload = {{&shape, sizeof shape}},
                            .answer = {{clusters, sizeof *clusters}}};
    register_load();
    return client_call(&remote, WIRE_cudaOccupancyMaxActiveClusters, RETURN_PC);
}

/* CUDA 13's stubs: a kernel's handle is its stub's address. */
cudaError_t __cudaGetKernel(const void **kernel, const void *function)
{
    *kernel = function;
    return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                               size_t shared, cudaStream_t stream)
{
    cudaLaunchConfig_t config = shape(grid, block, shared, stream);
    return launch(&config, kernel, arguments, 0, RETURN_PC);
}

cudaError_t __cudaLaunchKernel_ptsz(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                    size_t shared, cudaStream_t stream)
{
    return __cudaLaunchKernel(kernel, grid, block, arguments, shared,
                              stream == NULL ? cudaStreamPerThread : stream);
}

/* ---- nodes of graphs ------------------------------------------------------------------------ */

/* Makes the call, whose arguments and first span of the payload are set, with a kernel's launch. */
static cudaError_t send_kernel(struct remote *remote, enum wire_call call,
                               const cudaKernelNodeParams *params, const void *pc)
{
    if (params == NULL) return cudaErrorInvalidValue;
    const struct layout *layout = layout_of(params->func);
    unsigned char parameters[layout->bytes + 1];
    cudaLaunchConfig_t config =
        shape(params->gridDim, params->blockDim, params->sharedMemBytes, NULL);
    struct wire_launch launch = describe(&config, params->func, 0);
    if (!pack(layout, params->kernelParams, parameters)) return cudaErrorInvalidValue;
    remote->payload[1] = (struct span){&launch, sizeof launch};
    remote->payload[2] = (struct span){parameters, layout->bytes};
    return client_call(remote, call, pc);
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *before, size_t count,
                                   const cudaKernelNodeParams *params)
{
    struct remote remote = {.request.argument = {AT(node), AT(graph), AT(before), count},
                            .payload = {{before, before == NULL ? 0 : count * sizeof *before}},
                            .answer = {{node, sizeof *node}}};
    return send_kernel(&remote, WIRE_cudaGraphAddKernelNode, params, RETURN_PC);
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams *params)
{
    struct remote remote = {.request.argument = {AT(node)}};
    return send_kernel(&remote, WIRE_cudaGraphKernelNodeSetParams, params, RETURN_PC);
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t whole, cudaGraphNode_t node,
                                             const cudaKernelNodeParams *params)
{
    struct remote remote = {.request.argument = {AT(node), AT(whole)}};
    return send_kernel(&remote, WIRE_cudaGraphExecKernelNodeSetParams, params, RETURN_PC);
}
