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
static cudaError_t give_graph(struct call *call, enum handle_kind kind, struct graph *graph)
{
    uint64_t handle = handle_make(kind, graph);
    call->reply->result[0] = handle;
    return handle == 0 ? cudaErrorMemoryAllocation : cudaSuccess;
}

/* ---- capture -------------------------------------------------------------------------------- */

cudaError_t serve_cudaStreamBeginCapture(struct call *call)
{
    struct stream *stream = stream_find(call, argument(call, 0));
    if (argument_unsigned(call, 1) > cudaStreamCaptureModeRelaxed) return cudaErrorInvalidValue;
    if (stream == NULL) return cudaErrorInvalidResourceHandle;
    return stream_is_default(stream) ? cudaErrorStreamCaptureUnsupported : graph_begin(stream);
}

cudaError_t serve_cudaStreamEndCapture(struct call *call)
{
    struct stream *stream = stream_find(call, argument(call, 0));
    struct graph *graph = NULL;
    if (stream == NULL) return cudaErrorInvalidResourceHandle;
    if (!argument(call, 1)) return cudaErrorInvalidValue;
    cudaError_t error = graph_end(stream, &graph);
    return error != cudaSuccess ? error : give_graph(call, HANDLE_GRAPH, graph);
}

cudaError_t serve_cudaStreamIsCapturing(struct call *call)
{
    const struct stream *stream = stream_find(call, argument(call, 0));
    if (!argument(call, 1)) return cudaErrorInvalidValue;
    if (stream == NULL) return cudaErrorInvalidResourceHandle;
    call->reply->result[0] = graph_status(stream);
    return cudaSuccess;
}

/* ---- graphs --------------------------------------------------------------------------------- */

cudaError_t serve_cudaGraphCreate(struct call *call)
{
    if (!argument(call, 0) || argument_unsigned(call, 1) != 0) return cudaErrorInvalidValue;
    struct graph *graph = calloc(1, sizeof *graph);
    return graph == NULL ? cudaErrorMemoryAllocation : give_graph(call, HANDLE_GRAPH, graph);
}

static cudaError_t destroy(enum handle_kind kind, uint64_t handle)
{
    struct graph *graph = handle_find(kind, handle);
    if (graph == NULL) return cudaErrorInvalidValue;
    handle_drop(kind, handle);
    graph_free(graph);
    return cudaSuccess;
}

cudaError_t serve_cudaGraphDestroy(struct call *call)
{
    return destroy(HANDLE_GRAPH, argument(call, 0));
}

cudaError_t serve_cudaGraphExecDestroy(struct call *call)
{
    return destroy(HANDLE_WHOLE, argument(call, 0));
}

static cudaError_t copy_as(struct call *call, enum handle_kind kind)
{
    const struct graph *graph = find_graph(argument(call, 1));
    struct graph *copy;
    if (!argument(call, 0) || graph == NULL) return cudaErrorInvalidValue;
    cudaError_t error = graph_copy(&copy, graph);
    return error != cudaSuccess ? error : give_graph(call, kind, copy);
}

cudaError_t serve_cudaGraphClone(struct call *call)
{
    return copy_as(call, HANDLE_GRAPH);
}

cudaError_t serve_cudaGraphInstantiate(struct call *call)
{
    return argument(call, 2) > INSTANTIATE_FLAGS_MAX ? cudaErrorInvalidValue
                                                     : copy_as(call, HANDLE_WHOLE);
}

cudaError_t serve_cudaGraphInstantiateWithFlags(struct call *call)
{
    return serve_cudaGraphInstantiate(call);
}

/* ---- nodes ---------------------------------------------------------------------------------- */

/* Handle `index` of the payload, as a node of the graph; NULL if it is none. */
static struct node *node_at(const struct call *call, const struct graph *graph, size_t index)
{
    uint64_t handle;
    memcpy(&handle, call->payload + index * sizeof handle, sizeof handle);
    struct node *node = handle_find(HANDLE_NODE, handle);
    return node != NULL && node->graph == graph ? node : NULL;
}

cudaError_t serve_cudaGraphAddDependencies(struct call *call)
{
    const struct graph *graph = find_graph(argument(call, 0));
    uint64_t count = argument(call, 1);
    if (graph == NULL || (count > 0 && (!argument(call, 2) || !argument(call, 3))))
        return cudaErrorInvalidValue;
    if (count > call->request->payload / (2 * sizeof(uint64_t))) return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; i++) {
        struct node *from = node_at(call, graph, i), *to = node_at(call, graph, count + i);
        if (from == NULL || to == NULL || from == to || !graph_order(&to->before, &to->count, from))
            return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

static cudaError_t give_nodes(struct call *call, bool roots)
{
    const struct graph *graph = find_graph(argument(call, 0));
    bool wanted = argument(call, 1) != 0;
    uint64_t found = 0, room = argument(call, 3);
    if (graph == NULL || !argument(call, 2)) return cudaErrorInvalidValue;
    if (room > WIRE_PAYLOAD / sizeof(uint64_t)) room = WIRE_PAYLOAD / sizeof(uint64_t);
    for (size_t i = 0; i < graph->count; i++) {
        if (roots && graph->nodes[i]->count > 0) continue;
        if (wanted && found < room)
            call_answer(&graph->nodes[i]->handle, sizeof graph->nodes[i]->handle);
        found++;
    }
    call->reply->result[0] = !wanted || found < room ? found : room;
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

cudaError_t serve_cudaGraphNodeGetType(struct call *call)
{
    const struct node *node = handle_find(HANDLE_NODE, argument(call, 0));
    if (node == NULL || !argument(call, 1)) return cudaErrorInvalidValue;
    call->reply->result[0] = node->job.type;
    return cudaSuccess;
}

size_t graph_parameters_at(const struct call *call)
{
    uint64_t count = argument(call, 3) ? argument(call, 2) : 0,
             most = call->request->payload / sizeof(uint64_t);
    return (size_t)(count < most ? count : most) * sizeof(uint64_t);
}

const void *graph_parameters(const struct call *call, size_t bytes)
{
    size_t at = graph_parameters_at(call);
    bool given = argument(call, 4) != 0 && call->request->payload - at >= bytes;
    return given ? call->payload + at : NULL;
}

cudaError_t graph_add_node(struct call *call, struct graph_job job)
{
    struct graph *graph = find_graph(argument(call, 1));
    uint64_t count = argument(call, 2);
    struct node *made = NULL, **before = NULL;
    bool valid = argument(call, 0) && graph != NULL && (count == 0 || argument(call, 3)) &&
                 count <= call->request->payload / sizeof(uint64_t);
    if (valid && count > 0) valid = (before = calloc(count, sizeof *before)) != NULL;
    for (size_t i = 0; valid && i < count; i++)
        valid = (before[i] = node_at(call, graph, i)) != NULL;
    cudaError_t error = cudaErrorInvalidValue;
    if (valid)
        error = graph_add(call, &made, graph, before, count, job);
    else
        free(job.data);
    free(before);
    if (made != NULL) call->reply->result[0] = made->handle;
    return error;
}

cudaError_t serve_cudaGraphAddEmptyNode(struct call *call)
{
    return graph_add_node(call, (struct graph_job){.type = cudaGraphNodeTypeEmpty});
}

/* The launch that arguments from 5 on describe. */
static cudaError_t read_kernel(const struct call *call, size_t parameters_at, struct graph_job *job)
{
    struct launch_request request;
    if (!argument(call, 4) || argument(call, 5) == 0) return cudaErrorInvalidValue;
    cudaError_t error = request_read(call, argument(call, 5), 6, parameters_at, &request);
    request.shared = argument(call, 9);
    return error != cudaSuccess ? error : launch_job(&request, job);
}

cudaError_t serve_cudaGraphAddKernelNode(struct call *call)
{
    struct graph_job job;
    cudaError_t error = read_kernel(call, graph_parameters_at(call), &job);
    return error != cudaSuccess ? error : graph_add_node(call, job);
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
    return set_kernel(call, handle_find(HANDLE_NODE, argument(call, 0)));
}

/* The node of a graph that can be launched that was made from the one that the program names. */
cudaError_t serve_cudaGraphExecKernelNodeSetParams(struct call *call)
{
    const struct graph *whole = find_whole(argument(call, 0));
    const struct node *node = handle_find(HANDLE_NODE, argument(call, 1));
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

cudaError_t serve_cudaGraphLaunch(struct call *call)
{
    const struct graph *whole = find_whole(argument(call, 0));
    struct stream *stream = stream_find(call, argument(call, 1));
    if (whole == NULL) return cudaErrorInvalidValue;
    if (stream == NULL) return cudaErrorInvalidResourceHandle;
    if (graph_is_captured(stream)) return cudaErrorStreamCaptureUnsupported;
    clock_add(profile()->launch_us * 1e3);
    return run_graph(whole, stream);
}

cudaError_t serve_cudaGraphUpload(struct call *call)
{
    if (find_whole(argument(call, 0)) == NULL) return cudaErrorInvalidValue;
    return stream_find(call, argument(call, 1)) == NULL ? cudaErrorInvalidResourceHandle
                                                        : cudaSuccess;
}

/* A graph that is a node of another one. The node has its own copy, which stays until the program
 * ends. */
static cudaError_t run_child(const struct call *call, struct stream *stream, void *data)
{
    (void)call;
    return run_graph(*(struct graph **)data, stream);
}

cudaError_t serve_cudaGraphAddChildGraphNode(struct call *call)
{
    const struct graph *child = find_graph(argument(call, 5));
    struct graph *copy;
    if (child == NULL) return cudaErrorInvalidValue;
    cudaError_t error = graph_copy(&copy, child);
    if (error != cudaSuccess) return error;
    struct graph_job job = {cudaGraphNodeTypeGraph, run_child, &copy, sizeof copy};
    return graph_add_node(call, graph_kept(job));
}
