/* graph.c: graphs: captured from streams, or made of nodes. */
#include "gpu/cudart/client.h"
#include "gpu/cudart/launch.h"
#include "gpu/cudart/register.h"

#include <string.h>

PLAIN(cudaStreamBeginCapture, (cudaStream_t stream, cudaStreamCaptureMode mode), AT(stream),
      (uint32_t)mode)
RESULT(cudaStreamIsCapturing, (cudaStream_t stream, cudaStreamCaptureStatus *status),
       cudaStreamCaptureStatus, status, AT(stream), OUT(status))
RESULT(cudaGraphCreate, (cudaGraph_t * graph, unsigned flags), cudaGraph_t, graph, OUT(graph),
       flags)
PLAIN(cudaGraphDestroy, (cudaGraph_t graph), AT(graph))
RESULT(cudaGraphClone, (cudaGraph_t * clone, cudaGraph_t graph), cudaGraph_t, clone, OUT(clone),
       AT(graph))
RESULT(cudaGraphInstantiateWithFlags,
       (cudaGraphExec_t * whole, cudaGraph_t graph, unsigned long long flags), cudaGraphExec_t,
       whole, OUT(whole), AT(graph), flags)
PLAIN(cudaGraphExecDestroy, (cudaGraphExec_t whole), AT(whole))
PLAIN(cudaGraphUpload, (cudaGraphExec_t whole, cudaStream_t stream), AT(whole), AT(stream))
PLAIN(cudaGraphLaunch, (cudaGraphExec_t whole, cudaStream_t stream), AT(whole), AT(stream))
RESULT(cudaGraphNodeGetType, (cudaGraphNode_t node, cudaGraphNodeType *type), cudaGraphNodeType,
       type, AT(node), OUT(type))

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    struct remote remote;
    cudaError_t error = REMOTE(&remote, cudaStreamEndCapture, AT(stream), OUT(graph));
    if (graph != NULL) *graph = (cudaGraph_t)remote.result[0];
    return error;
}

static cudaError_t get_nodes(enum wire_call call, cudaGraph_t graph, cudaGraphNode_t *nodes,
                             size_t *count, const void *pc)
{
    struct remote remote = {
        .request.argument = {AT(graph), OUT(nodes), OUT(count), count == NULL ? 0 : *count},
        .answer = nodes,
        .room = nodes == NULL || count == NULL ? 0 : *count * sizeof *nodes};
    cudaError_t error = client_call(&remote, call, pc);
    if (error == cudaSuccess) *count = remote.result[0];
    return error;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    return get_nodes(WIRE_cudaGraphGetNodes, graph, nodes, count, RETURN_PC);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    return get_nodes(WIRE_cudaGraphGetRootNodes, graph, nodes, count, RETURN_PC);
}

/* ---- adding nodes --------------------------------------------------------------------------- */

/* What all of these calls begin with; the rest is in `remote` already. */
static cudaError_t add(enum wire_call call, struct remote *remote, cudaGraphNode_t *node,
                       cudaGraph_t graph, const cudaGraphNode_t *before, size_t count, bool params,
                       const void *pc)
{
    uint64_t begin[] = {OUT(node), AT(graph), count, OUT(before), params};
    memcpy(remote->request.argument, begin, sizeof begin);
    remote->payload[0] = (struct span){before, before == NULL ? 0 : count * sizeof *before};
    cudaError_t error = client_call(remote, call, pc);
    if (error == cudaSuccess) *node = (cudaGraphNode_t)remote->result[0];
    return error;
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *before, size_t count)
{
    struct remote remote = {.room = 0};
    return add(WIRE_cudaGraphAddEmptyNode, &remote, node, graph, before, count, true, RETURN_PC);
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                       const cudaGraphNode_t *before, size_t count,
                                       cudaGraph_t child)
{
    struct remote remote = {.request.argument = {[5] = AT(child)}};
    return add(WIRE_cudaGraphAddChildGraphNode, &remote, node, graph, before, count, true,
               RETURN_PC);
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *before, size_t count,
                                   const cudaMemcpy3DParms *params)
{
    struct remote remote = {.payload = {[1] = {params, params == NULL ? 0 : sizeof *params}}};
    return add(WIRE_cudaGraphAddMemcpyNode, &remote, node, graph, before, count, params != NULL,
               RETURN_PC);
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *before, size_t count, void *to,
                                     const void *from, size_t bytes, cudaMemcpyKind kind)
{
    struct remote remote = {.request.argument = {[5] = AT(to), AT(from), bytes, (uint32_t)kind}};
    return add(WIRE_cudaGraphAddMemcpyNode1D, &remote, node, graph, before, count, true, RETURN_PC);
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *before, size_t count,
                                   const cudaMemsetParams *params)
{
    struct remote remote = {.payload = {[1] = {params, params == NULL ? 0 : sizeof *params}}};
    return add(WIRE_cudaGraphAddMemsetNode, &remote, node, graph, before, count, params != NULL,
               RETURN_PC);
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                 const cudaGraphNode_t *before, size_t count,
                                 const cudaHostNodeParams *params)
{
    struct remote remote = {.room = 0};
    if (params != NULL) {
        remote.request.argument[5] = (uint64_t)(uintptr_t)params->fn;
        remote.request.argument[6] = AT(params->userData);
    }
    return add(WIRE_cudaGraphAddHostNode, &remote, node, graph, before, count, params != NULL,
               RETURN_PC);
}

/* ---- kernel nodes --------------------------------------------------------------------------- */

static const struct layout *layout_of(const cudaKernelNodeParams *params)
{
    static const struct layout none;
    const struct layout *layout = params == NULL ? NULL : register_layout(params->func);
    return layout == NULL ? &none : layout;
}

/* Arguments 5 to 9, and the kernel's parameters, which `room` has room for. */
static bool fill_kernel(struct remote *remote, const cudaKernelNodeParams *params,
                        const struct layout *layout, unsigned char *room)
{
    if (params == NULL) return true;
    const dim3 grid = params->gridDim, block = params->blockDim;
    uint64_t shape[] = {AT(params->func), grid.x | (uint64_t)grid.y << 32,
                        grid.z | (uint64_t)block.x << 32, block.y | (uint64_t)block.z << 32,
                        params->sharedMemBytes};
    memcpy(remote->request.argument + 5, shape, sizeof shape);
    memset(room, 0, layout->bytes);
    remote->payload[1] = (struct span){room, layout->bytes};
    return launch_pack(layout, params->kernelParams, room);
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *before, size_t count,
                                   const cudaKernelNodeParams *params)
{
    const struct layout *layout = layout_of(params);
    unsigned char parameters[layout->bytes + 1];
    struct remote remote = {.room = 0};
    if (!fill_kernel(&remote, params, layout, parameters)) return cudaErrorInvalidValue;
    return add(WIRE_cudaGraphAddKernelNode, &remote, node, graph, before, count, params != NULL,
               RETURN_PC);
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams *params)
{
    const struct layout *layout = layout_of(params);
    unsigned char parameters[layout->bytes + 1];
    struct remote remote = {.request.argument = {[0] = AT(node), [4] = OUT(params)}};
    if (!fill_kernel(&remote, params, layout, parameters)) return cudaErrorInvalidValue;
    return client_call(&remote, WIRE_cudaGraphKernelNodeSetParams, RETURN_PC);
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t whole, cudaGraphNode_t node,
                                             const cudaKernelNodeParams *params)
{
    const struct layout *layout = layout_of(params);
    unsigned char parameters[layout->bytes + 1];
    struct remote remote = {.request.argument = {[0] = AT(whole), AT(node), [4] = OUT(params)}};
    if (!fill_kernel(&remote, params, layout, parameters)) return cudaErrorInvalidValue;
    return client_call(&remote, WIRE_cudaGraphExecKernelNodeSetParams, RETURN_PC);
}
