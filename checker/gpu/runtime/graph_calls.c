/*
 * graph_calls.c: the calls of CUDA graphs (graph.h). A launch does the work of its nodes
 * immediately, each after those before it: in a branch of the stream whose time and order begin
 * where those ended.
 */
#include "gpu/runtime/graph.h"
#include "gpu/runtime/handle.h"
#include "gpu/runtime/request.h"
#include "gpu/server/clock.h"
#include "gpu/time/profile.h"

#include <stdlib.h>
#include <string.h>

enum { INSTANTIATE_FLAGS_MAX = 15, DEPTH_MAX = 64 /* of graphs in graphs */ };

static struct graph *find_graph(uint64_t handle)
{
    return handle_find(HANDLE_GRAPH, handle);
}

static struct graph *find_whole(uint64_t handle)
{
    return handle_find(HANDLE_WHOLE, handle);
}

/* Gives the graph a handle, which is the result. */
static cudaError_t give_graph(uint64_t *handle, enum handle_kind kind, struct graph *graph)
{
    *handle = handle_make(kind, graph);
    return *handle == 0 ? cudaErrorMemoryAllocation : cudaSuccess;
}

/* ---- capture -------------------------------------------------------------------------------- */

cudaError_t serve_cudaStreamBeginCapture(struct call *call, uint64_t handle,
                                         cudaStreamCaptureMode mode)
{
    struct stream *stream = stream_find(call, handle);
    if (mode > cudaStreamCaptureModeRelaxed) return cudaErrorInvalidValue;
    if (stream == NULL) return cudaErrorInvalidResourceHandle;
    return stream_is_default(stream) ? cudaErrorStreamCaptureUnsupported : graph_begin(stream);
}

cudaError_t serve_cudaStreamEndCapture(struct call *call, uint64_t handle, uint64_t *made)
{
    struct stream *stream = stream_find(call, handle);
    struct graph *graph = NULL;
    if (stream == NULL) return cudaErrorInvalidResourceHandle;
    cudaError_t error = graph_end(stream, &graph);
    if (error == cudaSuccess) return give_graph(made, HANDLE_GRAPH, graph);
    call_answer(made, sizeof *made); /* the program's graph is NULL then */
    return error;
}

cudaError_t serve_cudaStreamIsCapturing(struct call *call, uint64_t handle,
                                        cudaStreamCaptureStatus *status)
{
    const struct stream *stream = stream_find(call, handle);
    if (stream == NULL) return cudaErrorInvalidResourceHandle;
    *status = graph_status(stream);
    return cudaSuccess;
}

/* ---- graphs --------------------------------------------------------------------------------- */

cudaError_t serve_cudaGraphCreate(struct call *call, uint64_t *made, unsigned int flags)
{
    if (flags != 0) return cudaErrorInvalidValue;
    struct graph *graph = calloc(1, sizeof *graph);
    return graph == NULL ? cudaErrorMemoryAllocation : give_graph(made, HANDLE_GRAPH, graph);
}

static cudaError_t destroy(enum handle_kind kind, uint64_t handle)
{
    struct graph *graph = handle_find(kind, handle);
    if (graph == NULL) return cudaErrorInvalidValue;
    handle_drop(kind, handle);
    graph_free(graph);
    return cudaSuccess;
}

cudaError_t serve_cudaGraphDestroy(struct call *call, uint64_t graph)
{
    return destroy(HANDLE_GRAPH, graph);
}

cudaError_t serve_cudaGraphExecDestroy(struct call *call, uint64_t whole)
{
    return destroy(HANDLE_WHOLE, whole);
}

static cudaError_t copy_as(uint64_t *made, enum handle_kind kind, uint64_t handle)
{
    const struct graph *graph = find_graph(handle);
    struct graph *copy;
    if (graph == NULL) return cudaErrorInvalidValue;
    cudaError_t error = graph_copy(&copy, graph);
    return error != cudaSuccess ? error : give_graph(made, kind, copy);
}

cudaError_t serve_cudaGraphClone(struct call *call, uint64_t *made, uint64_t graph)
{
    return copy_as(made, HANDLE_GRAPH, graph);
}

cudaError_t serve_cudaGraphInstantiateWithFlags(struct call *call, uint64_t *made, uint64_t graph,
                                                unsigned long long flags)
{
    return flags > INSTANTIATE_FLAGS_MAX ? cudaErrorInvalidValue
                                         : copy_as(made, HANDLE_WHOLE, graph);
}

cudaError_t serve_cudaGraphInstantiate(struct call *call)
{
    uint64_t made;
    if (call->argument[0] == 0) return cudaErrorInvalidValue;
    cudaError_t error =
        serve_cudaGraphInstantiateWithFlags(call, &made, call->argument[1], call->argument[2]);
    if (error == cudaSuccess) call_answer(&made, sizeof made);
    return error;
}

/* ---- nodes ---------------------------------------------------------------------------------- */

static struct node *find_node(const struct graph *graph, uint64_t handle)
{
    struct node *node = handle_find(HANDLE_NODE, handle);
    return node != NULL && node->graph == graph ? node : NULL;
}

cudaError_t serve_cudaGraphAddDependencies(struct call *call)
{
    const struct graph *graph = find_graph(call->argument[0]);
    uint64_t count = call->argument[3];
    size_t at = 0;
    const uint64_t *from = call_take(call, call->argument[1] != 0, &at, count, sizeof *from);
    const uint64_t *to = call_take(call, call->argument[2] != 0, &at, count, sizeof *to);
    if (graph == NULL || (count > 0 && (from == NULL || to == NULL))) return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; i++) {
        struct node *first = find_node(graph, from[i]), *second = find_node(graph, to[i]);
        if (first == NULL || second == NULL || first == second ||
            !graph_order(&second->before, &second->count, first))
            return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

static cudaError_t give_nodes(struct call *call, bool roots)
{
    const struct graph *graph = find_graph(call->argument[0]);
    bool wanted = call->argument[1] != 0;
    uint64_t most = WIRE_PAYLOAD / sizeof(uint64_t) - 1, room = call->argument[3], found = 0;
    if (graph == NULL || call->argument[2] == 0) return cudaErrorInvalidValue;
    if (room > most) room = most;
    for (size_t i = 0; i < graph->count; i++)
        found += !roots || graph->nodes[i]->count == 0;
    if (wanted && found > room) found = room;
    call_answer(&found, sizeof found);
    for (size_t i = 0; wanted && i < graph->count && found > 0; i++) {
        if (roots && graph->nodes[i]->count > 0) continue;
        call_answer(&graph->nodes[i]->handle, sizeof graph->nodes[i]->handle);
        found--;
    }
    return cudaSuccess;
}

cudaError_t serve_cudaGraphGetNodes(struct call *call)
{
    return give_nodes(call, false);
}

cudaError_t serve_cudaGraphGetRootNodes(struct call *call)
{
    return give_nodes(call, true);
}

cudaError_t serve_cudaGraphNodeGetType(struct call *call, uint64_t handle, cudaGraphNodeType *type)
{
    const struct node *node = handle_find(HANDLE_NODE, handle);
    if (node == NULL) return cudaErrorInvalidValue;
    *type = node->job.type;
    return cudaSuccess;
}

cudaError_t graph_add_node(const struct call *call, uint64_t *node, uint64_t handle,
                           const uint64_t *before, size_t count, struct graph_job job)
{
    struct graph *graph = find_graph(handle);
    struct node *made = NULL, **nodes = NULL;
    bool valid = graph != NULL && (count == 0 || before != NULL);
    if (valid && count > 0) valid = (nodes = calloc(count, sizeof *nodes)) != NULL;
    for (size_t i = 0; valid && i < count; i++)
        valid = (nodes[i] = find_node(graph, before[i])) != NULL;
    cudaError_t error = cudaErrorInvalidValue;
    if (valid)
        error = graph_add(call, &made, graph, nodes, count, job);
    else
        free(job.data);
    free(nodes);
    if (made != NULL) *node = made->handle;
    return error;
}

cudaError_t serve_cudaGraphAddEmptyNode(struct call *call, uint64_t *node, uint64_t graph,
                                        const uint64_t *before, size_t count)
{
    return graph_add_node(call, node, graph, before, count,
                          (struct graph_job){.type = cudaGraphNodeTypeEmpty});
}

/* The launch that is in the payload from byte `at` on */
static cudaError_t read_kernel(const struct call *call, size_t at, struct graph_job *job)
{
    struct launch_request request;
    cudaError_t error = request_read(call, at, &request);
    return error != cudaSuccess ? error : launch_job(&request, job);
}

cudaError_t serve_cudaGraphAddKernelNode(struct call *call)
{
    struct graph_job job;
    size_t at = 0;
    uint64_t node, count = call->argument[3];
    const uint64_t *before = call_take(call, call->argument[2] != 0, &at, count, sizeof *before);
    cudaError_t error = read_kernel(call, at, &job);
    if (error == cudaSuccess)
        error = graph_add_node(call, &node, call->argument[1], before, count, job);
    if (error == cudaSuccess) call_answer(&node, sizeof node);
    return error;
}

static cudaError_t set_kernel(const struct call *call, struct node *node)
{
    struct graph_job job;
    if (node == NULL || node->job.type != cudaGraphNodeTypeKernel) return cudaErrorInvalidValue;
    cudaError_t error = read_kernel(call, 0, &job);
    if (error != cudaSuccess) return error;
    free(node->job.data);
    node->job = job;
    return cudaSuccess;
}

cudaError_t serve_cudaGraphKernelNodeSetParams(struct call *call)
{
    return set_kernel(call, handle_find(HANDLE_NODE, call->argument[0]));
}

/* The node of a graph that can be launched that was made from the one that the program names. */
cudaError_t serve_cudaGraphExecKernelNodeSetParams(struct call *call)
{
    const struct node *node = handle_find(HANDLE_NODE, call->argument[0]);
    const struct graph *whole = find_whole(call->argument[1]);
    if (whole == NULL || node == NULL || node->index >= whole->count) return cudaErrorInvalidValue;
    return set_kernel(call, whole->nodes[node->index]);
}

/* ---- launching ------------------------------------------------------------------------------ */

/* A launch of a graph: where each node that is done has ended. */
struct graph_run {
    const struct graph *graph;
    struct stream *branch;
    bool *done;
    struct stream_point begin, end, *ends;
};

static bool is_ready(const struct graph_run *run, const struct node *node)
{
    for (size_t i = 0; i < node->count; i++)
        if (!run->done[node->before[i]->index]) return false;
    return !run->done[node->index];
}

static cudaError_t run_node(struct graph_run *run, const struct node *node)
{
    struct stream_point begin = run->begin;
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < node->count; i++)
        begin = stream_join(begin, run->ends[node->before[i]->index]);
    stream_set_point(run->branch, begin);
    if (node->job.work != NULL)
        error = node->job.work(&node->call.call, run->branch, node->job.data);
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
            const struct node *node = run->graph->nodes[i];
            if (!is_ready(run, node)) continue;
            error = run_node(run, node);
            left--;
        }
    }
    return left > 0 && error == cudaSuccess ? cudaErrorInvalidValue : error;
}

/* Runs a graph where the stream is now. */
static cudaError_t run_graph(const struct graph *graph, struct stream *stream)
{
    static int depth;
    struct graph_run run = {.graph = graph};
    if (depth == DEPTH_MAX) return cudaErrorNotSupported;
    run.branch = stream_branch(stream);
    run.done = calloc(graph->count + 1, sizeof *run.done);
    run.ends = calloc(graph->count + 1, sizeof *run.ends);
    cudaError_t error = cudaErrorMemoryAllocation;
    if (run.branch != NULL && run.done != NULL && run.ends != NULL) {
        run.begin = run.end = stream_point(run.branch);
        depth++;
        error = run_nodes(&run);
        depth--;
    }
    if (run.branch != NULL) stream_end_branch(run.branch, stream, run.end);
    free(run.done);
    free(run.ends);
    return error;
}

cudaError_t serve_cudaGraphLaunch(struct call *call, uint64_t handle, uint64_t stream_handle)
{
    const struct graph *whole = find_whole(handle);
    struct stream *stream = stream_find(call, stream_handle);
    if (whole == NULL) return cudaErrorInvalidValue;
    if (stream == NULL) return cudaErrorInvalidResourceHandle;
    if (graph_is_captured(stream)) return cudaErrorStreamCaptureUnsupported;
    clock_add(profile()->launch_us * 1e3);
    return run_graph(whole, stream);
}

cudaError_t serve_cudaGraphUpload(struct call *call, uint64_t whole, uint64_t stream)
{
    if (find_whole(whole) == NULL) return cudaErrorInvalidValue;
    return stream_find(call, stream) == NULL ? cudaErrorInvalidResourceHandle : cudaSuccess;
}

/* A graph that is a node of another one. The node has its own copy, which stays until the program
 * ends. */
static cudaError_t run_child(const struct call *call, struct stream *stream, void *data)
{
    (void)call;
    return run_graph(*(struct graph **)data, stream);
}

cudaError_t serve_cudaGraphAddChildGraphNode(struct call *call, uint64_t *node, uint64_t graph,
                                             const uint64_t *before, size_t count,
                                             uint64_t child_handle)
{
    const struct graph *child = find_graph(child_handle);
    struct graph *copy;
    if (child == NULL) return cudaErrorInvalidValue;
    cudaError_t error = graph_copy(&copy, child);
    if (error != cudaSuccess) return error;
    struct graph_job job = {cudaGraphNodeTypeGraph, run_child, &copy, sizeof copy};
    return graph_add_node(call, node, graph, before, count, graph_kept(job));
}
