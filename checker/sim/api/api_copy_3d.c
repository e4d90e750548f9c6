/*
 * api_copy_3d.c: copies of three dimensions, and copies that are nodes of a graph.
 */
#include "sim/api/api_copy.h"

static cudaError_t add_copy_node(const struct call *call, cudaGraphNode_t *node, cudaGraph_t graph,
                                 const cudaGraphNode_t *before, size_t count, struct copy copy)
{
    cudaError_t error = copy_check(call, &copy);
    if (error != cudaSuccess) return error;
    return graph_add(call, node, graph, before, count, graph_kept(copy_job(&copy)));
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *before, size_t count, void *to,
                                     const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    API(add_copy_node(&call, node, graph, before, count,
                      (struct copy){to, from, bytes, 1, bytes, bytes, kind, NULL, true}));
}

/* Copies between pointers; `depth` slices follow each other without gaps. */
static cudaError_t copy_of_3d(const cudaMemcpy3DParms *params, cudaStream_t stream, bool async,
                              struct copy *copy)
{
    if (params == NULL) return cudaErrorInvalidValue;
    const struct cudaPitchedPtr *to = &params->dstPtr, *from = &params->srcPtr;
    size_t height = params->extent.height, depth = params->extent.depth;
    if (depth > 1 && (to->ysize != height || from->ysize != height)) return cudaErrorNotSupported;
    *copy = (struct copy){.to = (char *)to->ptr + params->dstPos.x +
                                (params->dstPos.y + params->dstPos.z * to->ysize) * to->pitch,
                          .from = (char *)from->ptr + params->srcPos.x +
                                  (params->srcPos.y + params->srcPos.z * from->ysize) * from->pitch,
                          .width = params->extent.width,
                          .height = height * depth,
                          .to_pitch = to->pitch,
                          .from_pitch = from->pitch,
                          .kind = params->kind,
                          .stream = stream,
                          .async = async};
    return cudaSuccess;
}

static cudaError_t copy_3d(const struct call *call, const cudaMemcpy3DParms *params,
                           cudaStream_t stream, bool async)
{
    struct copy copy;
    cudaError_t error = copy_of_3d(params, stream, async, &copy);
    if (error == cudaErrorNotSupported) api_unknown("a copy of a part of each slice", call->pc);
    return error != cudaSuccess ? error : copy_run(call, copy);
}

CALL(cudaMemcpy3D, (const cudaMemcpy3DParms *params), copy_3d(&call, params, NULL, false));
CALL(cudaMemcpy3DAsync, (const cudaMemcpy3DParms *params, cudaStream_t stream),
     copy_3d(&call, params, stream, true));

static cudaError_t add_copy_3d(const struct call *call, cudaGraphNode_t *node, cudaGraph_t graph,
                               const cudaGraphNode_t *before, size_t count,
                               const cudaMemcpy3DParms *params)
{
    struct copy copy;
    cudaError_t error = copy_of_3d(params, NULL, true, &copy);
    if (error == cudaErrorNotSupported) api_unknown("a copy of a part of each slice", call->pc);
    return error != cudaSuccess ? error : add_copy_node(call, node, graph, before, count, copy);
}

CALL(cudaGraphAddMemcpyNode,
     (cudaGraphNode_t * node, cudaGraph_t graph, const cudaGraphNode_t *before, size_t count,
      const cudaMemcpy3DParms *params),
     add_copy_3d(&call, node, graph, before, count, params));
