/*
 * graph.h: CUDA graphs: work that is kept, and put into a stream as often as the graph is launched.
 * A stream that is being captured keeps the work that is put into it; other streams join the
 * capture when they wait for one of its events.
 */
#ifndef WARPUP_GRAPH_H
#define WARPUP_GRAPH_H

#include "sim/api/api_call.h"

#include <stdbool.h>
#include <stddef.h>

/* Does a piece of work that was kept, in this stream; `call` is the one that asked for it first. */
typedef cudaError_t graph_work(const struct call *call, cudaStream_t stream, void *data);

/* A piece of work, with `bytes` bytes of data for it */
struct graph_job {
    enum cudaGraphNodeType type;
    graph_work *work;
    void *data;
    size_t bytes;
};

/* A node: the call that made it, its job, and those that come before it. */
struct CUgraphNode_st {
    cudaGraph_t graph;
    size_t index; /* in its graph */
    struct call call;
    struct graph_job job;
    cudaGraphNode_t *before;
    size_t count;
};

/* A graph, or one that can be launched: a cudaGraphExec_t */
struct CUgraph_st {
    cudaGraphNode_t *nodes;
    size_t count;
};

cudaError_t graph_copy(cudaGraph_t *made, cudaGraph_t graph);
void graph_free(cudaGraph_t graph);

/* Begins and ends the capture of a stream; says how it stands. */
cudaError_t graph_begin(cudaStream_t stream);
cudaError_t graph_end(cudaStream_t stream, cudaGraph_t *graph);
cudaStreamCaptureStatus graph_status(cudaStream_t stream);
bool graph_is_captured(cudaStream_t stream);

/* The same job with a copy of its data, which a graph may free. */
struct graph_job graph_kept(struct graph_job job);

/* Keeps the job for the graph in which the stream is captured. The graph frees the job's data. */
cudaError_t graph_capture(const struct call *call, cudaStream_t stream, struct graph_job job);

/* Adds a node to a graph, after the `count` nodes at `before`. The graph frees the job's data. */
cudaError_t graph_add(const struct call *call, cudaGraphNode_t *node, cudaGraph_t graph,
                      const cudaGraphNode_t *before, size_t count, struct graph_job job);

/* Adds a node to a list, if it is not there. False if there is no memory. */
bool graph_order(cudaGraphNode_t **list, size_t *count, cudaGraphNode_t node);

/* An event is recorded in a stream; a stream waits for an event. True if that belongs to a capture,
 * and is done. */
bool graph_record(cudaStream_t stream, cudaEvent_t event);
bool graph_wait(cudaStream_t stream, cudaEvent_t event, cudaError_t *error);

/* A call that no stream may make while it is captured, or another one: `error` while any is, which
 * spoils the capture; else cudaSuccess. */
cudaError_t graph_forbids(cudaError_t error);

#endif
