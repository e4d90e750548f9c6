/*
 * api_graph.c: the calls of CUDA graphs (graph.h). A launch does the work of its nodes immediately,
 * each after those before it: in a branch of the stream whose time and order begin where those
 * ended.
 */
#include "sim/api/api_stream.h"
#include "sim/api/graph.h"
#include "sim/api/launch.h"
#include "sim/gpu/clock.h"
#include "sim/gpu/profile.h"

#include <stdlib.h>

static cudaError_t begin_capture(cudaStream_t stream)
{
    if (!stream_is_valid(stream)) return cudaErrorInvalidResourceHandle;
    if (stream == NULL || stream == cudaStreamLegacy) return cudaErrorStreamCaptureUnsupported;
    return graph_begin(stream);
}

CALL(cudaStreamBeginCapture, (cudaStream_t stream, cudaStreamCaptureMode mode),
     (unsigned)mode > cudaStreamCaptureModeRelaxed ? cudaErrorInvalidValue : begin_capture(stream));

static cudaError_t end_capture(cudaStream_t stream, cudaGraph_t *graph)
{
    if (!stream_is_valid(stream)) return cudaErrorInvalidResourceHandle;
    return graph == NULL ? cudaErrorInvalidValue : graph_end(stream, graph);
}

CALL(cudaStreamEndCapture, (cudaStream_t stream, cudaGraph_t *graph), end_capture(stream, graph));
CALL(cudaStreamIsCapturing, (cudaStream_t stream, cudaStreamCaptureStatus *status),
     status == NULL ? cudaErrorInvalidValue : (*status = graph_status(stream), cudaSuccess));

/* ---- graphs --------------------------------------------------------------------------------- */

static cudaError_t create_graph(cudaGraph_t *graph, unsigned int flags)
{
    if (graph == NULL || flags != 0) return cudaErrorInvalidValue;
    *graph = calloc(1, sizeof **graph);
    return *graph == NULL ? cudaErrorMemoryAllocation : cudaSuccess;
}

static cudaError_t destroy_graph(cudaGraph_t graph)
{
    if (graph == NULL) return cudaErrorInvalidValue;
    graph_free(graph);
    return cudaSuccess;
}

static cudaError_t make_whole(cudaGraphExec_t *whole, cudaGraph_t graph)
{
    cudaGraph_t copy;
    if (whole == NULL || graph == NULL) return cudaErrorInvalidValue;
    cudaError_t error = graph_copy(&copy, graph);
    if (error != cudaSuccess) return error;
    *whole = (cudaGraphExec_t)copy;
    return cudaSuccess;
}

CALL(cudaGraphCreate, (cudaGraph_t * graph, unsigned int flags), create_graph(graph, flags));
CALL(cudaGraphDestroy, (cudaGraph_t graph), destroy_graph(graph));
CALL(cudaGraphExecDestroy, (cudaGraphExec_t graph), destroy_graph((cudaGraph_t)graph));
CALL(cudaGraphInstantiate, (cudaGraphExec_t * whole, cudaGraph_t graph, unsigned long long flags),
     flags > 15 ? cudaErrorInvalidValue : make_whole(whole, graph));
CALL(cudaGraphInstantiateWithFlags,
     (cudaGraphExec_t * whole, cudaGraph_t graph, unsigned long long flags),
     flags > 15 ? cudaErrorInvalidValue : make_whole(whole, graph));
CALL(cudaGraphClone, (cudaGraph_t * clone, cudaGraph_t graph),
     clone == NULL || graph == NULL ? cudaErrorInvalidValue : graph_copy(clone, graph));

static cudaError_t add_dependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                    const cudaGraphNode_t *to, size_t count)
{
    if (graph == NULL || (count > 0 && (from == NULL || to == NULL))) return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; i++)
        if (from[i] == to[i] || from[i]->graph != graph || to[i]->graph != graph ||
            !graph_order(&to[i]->before, &to[i]->count, from[i]))
            return cudaErrorInvalidValue;
    return cudaSuccess;
}

CALL(cudaGraphAddDependencies,
     (cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t count),
     add_dependencies(graph, from, to, count));

static cudaError_t give_nodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count, bool roots)
{
    size_t found = 0;
    if (graph == NULL || count == NULL) return cudaErrorInvalidValue;
    for (size_t i = 0; i < graph->count; i++) {
        if (roots && graph->nodes[i]->count > 0) continue;
        if (nodes != NULL && found < *count) nodes[found] = graph->nodes[i];
        found++;
    }
    if (nodes == NULL || found < *count) *count = found;
    return cudaSuccess;
}

CALL(cudaGraphGetNodes, (cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count),
     give_nodes(graph, nodes, count, false));
CALL(cudaGraphGetRootNodes, (cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count),
     give_nodes(graph, nodes, count, true));
CALL(cudaGraphNodeGetType, (cudaGraphNode_t node, enum cudaGraphNodeType *type),
     node == NULL || type == NULL ? cudaErrorInvalidValue : (*type = node->job.type, cudaSuccess));

/* ---- adding nodes --------------------------------------------------------------------------- */

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *before, size_t count)
{
    struct graph_job job = {.type = cudaGraphNodeTypeEmpty};
    API(graph_add(&call, node, graph, before, count, job));
}

static cudaError_t job_of_kernel(uintptr_t pc, const struct cudaKernelNodeParams *params,
                                 struct graph_job *job)
{
    if (params == NULL || params->func == NULL) return cudaErrorInvalidValue;
    struct warpup_shape shape = {
        .grid = {params->gridDim.x, params->gridDim.y, params->gridDim.z},
        .block = {params->blockDim.x, params->blockDim.y, params->blockDim.z},
        .shared = params->sharedMemBytes};
    return launch_pack(pc, params->func, &shape, params->kernelParams, job);
}

static cudaError_t add_kernel(const struct call *call, cudaGraphNode_t *node, cudaGraph_t graph,
                              const cudaGraphNode_t *before, size_t count,
                              const struct cudaKernelNodeParams *params)
{
    struct graph_job job;
    cudaError_t error = job_of_kernel(call->pc, params, &job);
    return error != cudaSuccess ? error : graph_add(call, node, graph, before, count, job);
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *before, size_t count,
                                   const struct cudaKernelNodeParams *params)
{
    API(add_kernel(&call, node, graph, before, count, params));
}

static cudaError_t set_kernel(const struct call *call, cudaGraphNode_t node,
                              const struct cudaKernelNodeParams *params)
{
    struct graph_job job;
    if (node == NULL || node->job.type != cudaGraphNodeTypeKernel) return cudaErrorInvalidValue;
    cudaError_t error = job_of_kernel(call->pc, params, &job);
    if (error != cudaSuccess) return error;
    free(node->job.data);
    node->job = job;
    return cudaSuccess;
}

CALL(cudaGraphKernelNodeSetParams,
     (cudaGraphNode_t node, const struct cudaKernelNodeParams *params),
     set_kernel(&call, node, params));

/* The node of a graph that can be launched that was made from this one; NULL if there is none. */
static cudaGraphNode_t node_in(cudaGraphExec_t whole, cudaGraphNode_t node)
{
    cudaGraph_t graph = (cudaGraph_t)whole;
    if (graph == NULL || node == NULL || node->index >= graph->count) return NULL;
    return graph->nodes[node->index];
}

CALL(cudaGraphExecKernelNodeSetParams,
     (cudaGraphExec_t whole, cudaGraphNode_t node, const struct cudaKernelNodeParams *params),
     set_kernel(&call, node_in(whole, node), params));

/* ---- launching ------------------------------------------------------------------------------ */

/* A launch of a graph: where each node that is done has ended. */
struct graph_run {
    const struct CUgraph_st *graph;
    cudaStream_t branch;
    bool *done;
    struct stream_point begin, end, *ends;
};

static bool is_ready(const struct graph_run *run, const struct CUgraphNode_st *node)
{
    for (size_t i = 0; i < node->count; i++)
        if (!run->done[node->before[i]->index]) return false;
    return !run->done[node->index];
}

static cudaError_t run_node(struct graph_run *run, const struct CUgraphNode_st *node)
{
    struct stream_point begin = run->begin;
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < node->count; i++)
        begin = stream_join(begin, run->ends[node->before[i]->index]);
    stream_set_point(run->branch, begin);
    if (node->job.work != NULL) error = node->job.work(&node->call, run->branch, node->job.data);
    run->ends[node->index] = stream_point(run->branch);
    run->end = stream_join(run->end, run->ends[node->index]);
    run->done[node->index] = true;
    return error;
}

/* Each round runs the nodes that come after no other one that is left. */
static cudaError_t run_nodes(struct graph_run *run)
{
    cudaError_t error = cudaSuccess;
    size_t left = run->graph->count, before = left + 1;
    while (left > 0 && left < before && error == cudaSuccess) {
        before = left;
        for (size_t i = 0; i < run->graph->count && error == cudaSuccess; i++) {
            const struct CUgraphNode_st *node = run->graph->nodes[i];
            if (!is_ready(run, node)) continue;
            error = run_node(run, node);
            left--;
        }
    }
    return left > 0 && error == cudaSuccess ? cudaErrorInvalidValue : error;
}

/* Runs a graph where the stream is now. */
static cudaError_t run_graph(const struct CUgraph_st *graph, cudaStream_t stream)
{
    struct graph_run run = {.graph = graph};
    run.branch = stream_branch(stream);
    run.done = calloc(run.graph->count + 1, sizeof *run.done);
    run.ends = calloc(run.graph->count + 1, sizeof *run.ends);
    if (run.branch == NULL || run.done == NULL || run.ends == NULL) abort();
    run.begin = run.end = stream_point(run.branch);
    cudaError_t error = run_nodes(&run);
    stream_end_branch(run.branch, stream, run.end);
    free(run.done);
    free(run.ends);
    return error;
}

static cudaError_t launch_graph(cudaGraphExec_t whole, cudaStream_t stream)
{
    if (whole == NULL) return cudaErrorInvalidValue;
    if (!stream_is_valid(stream)) return cudaErrorInvalidResourceHandle;
    if (graph_is_captured(stream)) return cudaErrorStreamCaptureUnsupported;
    clock_add(profile()->launch_us * 1e3);
    return run_graph((struct CUgraph_st *)whole, stream);
}

/* A graph that is a node of another one. The node has its own copy, which stays until the program
 * ends. */
static cudaError_t run_child(const struct call *call, cudaStream_t stream, void *data)
{
    (void)call;
    return run_graph(*(struct CUgraph_st **)data, stream);
}

static cudaError_t add_child(const struct call *call, cudaGraphNode_t *node, cudaGraph_t graph,
                             const cudaGraphNode_t *before, size_t count, cudaGraph_t child)
{
    cudaGraph_t copy;
    if (child == NULL) return cudaErrorInvalidValue;
    cudaError_t error = graph_copy(&copy, child);
    if (error != cudaSuccess) return error;
    struct graph_job job = {cudaGraphNodeTypeGraph, run_child, &copy, sizeof(cudaGraph_t)};
    return graph_add(call, node, graph, before, count, graph_kept(job));
}

CALL(cudaGraphAddChildGraphNode,
     (cudaGraphNode_t * node, cudaGraph_t graph, const cudaGraphNode_t *before, size_t count,
      cudaGraph_t child),
     add_child(&call, node, graph, before, count, child));

CALL(cudaGraphLaunch, (cudaGraphExec_t graph, cudaStream_t stream), launch_graph(graph, stream));
CALL(cudaGraphUpload, (cudaGraphExec_t graph, cudaStream_t stream),
     graph == NULL              ? cudaErrorInvalidValue
     : !stream_is_valid(stream) ? cudaErrorInvalidResourceHandle
                                : cudaSuccess);
