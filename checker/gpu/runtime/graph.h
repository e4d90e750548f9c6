/*
 * graph.h: CUDA graphs: work that is kept, and put into a stream as often as the graph is launched.
 * A stream that is being captured keeps the work that is put into it; other streams join the
 * capture when they wait for one of its events.
 */
#ifndef WARPUP_GRAPH_H
#define WARPUP_GRAPH_H

#include "gpu/runtime/runtime.h"
#include "gpu/runtime/stream.h"

#include <stdbool.h>
#include <stddef.h>

/* Does an operation that was kept, in this stream. `call` asked for it first. */
typedef cudaError_t graph_work(const struct call *call, struct stream *stream, void *data);

/* An operation, with `bytes` bytes of data for it, which are freed with free(). */
struct graph_job {
    enum cudaGraphNodeType type;
    graph_work *work;
    void *data;
    size_t bytes;
};

/* A node: the call that made it, its job, and those that come before it. */
struct node {
    struct graph *graph;
    uint64_t handle;
    size_t index; /* in its graph */
    struct kept_call call;
    struct graph_job job;
    struct node **before;
    size_t count;
};

/* A graph, or one that can be launched. */
struct graph {
    struct node **nodes;
    size_t count;
};

cudaError_t graph_copy(struct graph **made, const struct graph *graph);
void graph_free(struct graph *graph);

/* Begins and ends the capture of a stream; says how it stands. */
cudaError_t graph_begin(struct stream *stream);
cudaError_t graph_end(struct stream *stream, struct graph **graph);
cudaStreamCaptureStatus graph_status(const struct stream *stream);
bool graph_is_captured(const struct stream *stream);

/* The stream, or the event, is destroyed. */
void graph_forget_stream(const struct stream *stream);
void graph_forget_event(uint64_t event);

/* A job with a copy of this one's data, which a graph may free. */
struct graph_job graph_kept(struct graph_job job);

/* Keeps the job for the graph in which the stream is captured. The graph frees the job's data. */
cudaError_t graph_capture(const struct call *call, struct stream *stream, struct graph_job job);

/* Adds a node to a graph, after the `count` nodes at `before`. The graph frees the job's data, also
 * if this fails. */
cudaError_t graph_add(const struct call *call, struct node **made, struct graph *graph,
                      struct node *const *before, size_t count, struct graph_job job);

/* Adds a node to a list, if it is not there. False if there is no memory. */
bool graph_order(struct node ***list, size_t *count, struct node *node);

/* An event is recorded in a stream; a stream waits for an event. True if that belongs to a capture,
 * and is done. */
bool graph_record(struct stream *stream, uint64_t event);
bool graph_wait(struct stream *stream, uint64_t event, cudaError_t *error);

/* A call that no stream may make while it is captured, or another one: `error` while any is, which
 * spoils the capture; else cudaSuccess. */
cudaError_t graph_forbids(cudaError_t error);

/* graph_calls.c: adds a node to the graph with this handle, after the `count` nodes at `before`;
 * its handle is the result. Frees the job's data if the call is wrong. */
cudaError_t graph_add_node(const struct call *call, uint64_t *node, uint64_t graph,
                           const uint64_t *before, size_t count, struct graph_job job);

#endif
