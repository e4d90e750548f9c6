/*
 * host.c: host functions that a stream or a graph calls. The program runs them immediately, because
 * the work before them has already been done. They read the time at which that work ends. A
 * function may signal to the rest of the program that the work is done.
 */
#include "gpu/runtime/graph.h"
#include "gpu/runtime/hazards.h"
#include "gpu/runtime/stream.h"
#include "gpu/server/clock.h"

enum { KIND_FUNCTION, KIND_CALLBACK };

/* A host function, with its argument; the stream's handle if it is a callback. */
struct host_work {
    uint64_t function, data, stream;
    int kind;
};

/* The function is next in a stream. */
static void comes(struct stream *stream)
{
    int64_t start = stream_start(stream);
    stream_finish(stream, start);
    stream_wait(stream);
    hazard_over(start);
    clock_expect(start);
    clock_visit(start);
}

static cudaError_t run(const struct call *call, struct stream *stream, const struct host_work *work)
{
    comes(stream);
    stream_record_sync(call, "callback", clock_now());
    bool done = call_host(work->function, work->data, work->kind, work->stream, cudaSuccess);
    clock_visit(0);
    return done ? cudaSuccess : cudaErrorUnknown;
}

static cudaError_t run_again(const struct call *call, struct stream *stream, void *data)
{
    return run(call, stream, data);
}

static struct graph_job job_of(struct host_work *work)
{
    return graph_kept((struct graph_job){cudaGraphNodeTypeHost, run_again, work, sizeof *work});
}

cudaError_t serve_cudaLaunchHostFunc(struct call *call, uint64_t handle, uint64_t function,
                                     uint64_t data)
{
    struct stream *stream = stream_find(call, handle);
    struct host_work work = {.function = function, .data = data, .kind = KIND_FUNCTION};
    if (function == 0) return cudaErrorInvalidValue;
    if (stream == NULL) return cudaErrorInvalidResourceHandle;
    if (graph_is_captured(stream)) return graph_capture(call, stream, job_of(&work));
    return run(call, stream, &work);
}

cudaError_t serve_cudaStreamAddCallback(struct call *call, uint64_t handle, uint64_t callback,
                                        uint64_t data, unsigned int flags)
{
    struct stream *stream = stream_find(call, handle);
    struct host_work work = {callback, data, handle, KIND_CALLBACK};
    if (callback == 0 || flags != 0) return cudaErrorInvalidValue;
    if (stream == NULL) return cudaErrorInvalidResourceHandle;
    if (graph_is_captured(stream)) return cudaErrorStreamCaptureUnsupported;
    return run(call, stream, &work);
}

cudaError_t serve_cudaGraphAddHostNode(struct call *call, uint64_t *node, uint64_t graph,
                                       const uint64_t *before, size_t count,
                                       const cudaHostNodeParams *params)
{
    if (params == NULL || params->fn == NULL) return cudaErrorInvalidValue;
    struct host_work work = {.function = (uintptr_t)params->fn,
                             .data = (uintptr_t)params->userData,
                             .kind = KIND_FUNCTION};
    return graph_add_node(call, node, graph, before, count, job_of(&work));
}
