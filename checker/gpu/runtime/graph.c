/* graph.c: see graph.h. A graph keeps its nodes in the order in which they were added. */
#include "gpu/runtime/graph.h"

#include "gpu/runtime/handle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A stream that is being captured. The nodes after which its next one comes. */
struct member {
    const struct stream *stream;
    struct graph *graph;
    bool began; /* the capture began, and has to end, here */
    bool invalid;
    struct node **last;
    size_t count;
    struct member *next;
};

/* An event that was recorded in a captured stream */
struct recorded {
    uint64_t event; /* 0: none */
    struct member copy;
    struct recorded *next;
};

static struct member *members;
static struct recorded *records;

/* Zeroed memory; the lab cannot go on without it. */
static void *need(size_t bytes)
{
    void *memory = calloc(1, bytes > 0 ? bytes : 1);
    if (memory == NULL) {
        fputs("warp-up: no memory for a graph\n", stderr);
        exit(2);
    }
    return memory;
}

/* ---- nodes ---------------------------------------------------------------------------------- */

bool graph_order(struct node ***list, size_t *count, struct node *node)
{
    for (size_t i = 0; i < *count; i++)
        if ((*list)[i] == node) return true;
    struct node **longer = realloc(*list, (*count + 1) * sizeof *longer);
    if (longer == NULL) return false;
    *list = longer;
    longer[(*count)++] = node;
    return true;
}

static void free_node(struct node *node)
{
    handle_drop(HANDLE_NODE, node->handle);
    free(node->job.data);
    free(node->before);
    free(node);
}

cudaError_t graph_add(const struct call *call, struct node **made, struct graph *graph,
                      struct node *const *before, size_t count, struct graph_job job)
{
    struct node *node = calloc(1, sizeof *node);
    struct node **nodes = realloc(graph->nodes, (graph->count + 1) * sizeof *nodes);
    if (nodes != NULL) graph->nodes = nodes;
    if (node == NULL || nodes == NULL) {
        free(node);
        free(job.data);
        return cudaErrorMemoryAllocation;
    }
    node->graph = graph;
    node->index = graph->count;
    node->job = job;
    keep_call(&node->call, call);
    node->handle = handle_make(HANDLE_NODE, node);
    for (size_t i = 0; i < count; i++)
        if (!graph_order(&node->before, &node->count, before[i])) {
            free_node(node);
            return cudaErrorMemoryAllocation;
        }
    graph->nodes[graph->count++] = node;
    if (made != NULL) *made = node;
    return cudaSuccess;
}

void graph_free(struct graph *graph)
{
    for (size_t i = 0; i < graph->count; i++)
        free_node(graph->nodes[i]);
    free(graph->nodes);
    free(graph);
}

cudaError_t graph_copy(struct graph **made, const struct graph *graph)
{
    struct graph *copy = calloc(1, sizeof *copy);
    if (copy == NULL) return cudaErrorMemoryAllocation;
    for (size_t i = 0; i < graph->count; i++) {
        const struct node *node = graph->nodes[i];
        struct graph_job job = node->job.bytes > 0 ? graph_kept(node->job) : node->job;
        cudaError_t error = graph_add(&node->call.call, NULL, copy, NULL, 0, job);
        if (error != cudaSuccess) return error;
    }
    for (size_t i = 0; i < graph->count; i++)
        for (size_t j = 0; j < graph->nodes[i]->count; j++)
            if (!graph_order(&copy->nodes[i]->before, &copy->nodes[i]->count,
                             copy->nodes[graph->nodes[i]->before[j]->index]))
                return cudaErrorMemoryAllocation;
    *made = copy;
    return cudaSuccess;
}

struct graph_job graph_kept(struct graph_job job)
{
    job.data = memcpy(need(job.bytes), job.data, job.bytes);
    return job;
}

/* ---- capture -------------------------------------------------------------------------------- */

static struct member *find_member(const struct stream *stream)
{
    struct member *one = members;
    while (one != NULL && one->stream != stream)
        one = one->next;
    return one;
}

bool graph_is_captured(const struct stream *stream)
{
    return members != NULL && find_member(stream) != NULL;
}

cudaError_t graph_forbids(cudaError_t error)
{
    for (struct member *one = members; one != NULL; one = one->next)
        one->invalid = true;
    return members == NULL ? cudaSuccess : error;
}

cudaError_t graph_capture(const struct call *call, struct stream *stream, struct graph_job job)
{
    struct member *member = find_member(stream);
    struct node *node;
    if (member->invalid) {
        free(job.data);
        return cudaErrorStreamCaptureInvalidated;
    }
    cudaError_t error = graph_add(call, &node, member->graph, member->last, member->count, job);
    if (error != cudaSuccess) return error;
    member->count = 0;
    return graph_order(&member->last, &member->count, node) ? cudaSuccess
                                                            : cudaErrorMemoryAllocation;
}

static struct recorded *find_record(uint64_t event)
{
    struct recorded *one = records;
    while (one != NULL && one->event != event)
        one = one->next;
    return one;
}

static void copy_last(struct member *to, const struct member *from)
{
    for (size_t i = 0; i < from->count; i++)
        graph_order(&to->last, &to->count, from->last[i]);
}

bool graph_record(struct stream *stream, uint64_t event)
{
    const struct member *member = find_member(stream);
    struct recorded *record = find_record(event);
    if (member == NULL) {
        if (record != NULL) record->event = 0; /* it is an event of the stream again */
        return false;
    }
    if (record == NULL) record = find_record(0);
    if (record == NULL) {
        record = need(sizeof *record);
        record->next = records;
        records = record;
    }
    free(record->copy.last);
    record->event = event;
    record->copy = (struct member){.graph = member->graph};
    copy_last(&record->copy, member);
    return true;
}

bool graph_wait(struct stream *stream, uint64_t event, cudaError_t *error)
{
    struct member *member = find_member(stream);
    const struct recorded *record = find_record(event);
    *error = cudaSuccess;
    if (member == NULL && record == NULL) return false;
    if (record == NULL || (member != NULL && member->graph != record->copy.graph)) {
        *error = cudaErrorStreamCaptureIsolation;
        return true;
    }
    if (member == NULL) {
        member = need(sizeof *member);
        *member = (struct member){.stream = stream, .graph = record->copy.graph, .next = members};
        members = member;
    }
    copy_last(member, &record->copy);
    return true;
}

cudaError_t graph_begin(struct stream *stream)
{
    if (find_member(stream) != NULL) return cudaErrorIllegalState;
    struct member *member = need(sizeof *member);
    *member = (struct member){
        .stream = stream, .graph = need(sizeof(struct graph)), .began = true, .next = members};
    members = member;
    return cudaSuccess;
}

/* True if work of other streams of this capture does not come before what the first one has last.
 */
static bool is_unjoined(const struct member *first)
{
    size_t before = 0;
    const struct graph *graph = first->graph;
    bool *reached = need((graph->count + 1) * sizeof *reached);
    for (size_t i = 0; i < first->count; i++)
        reached[first->last[i]->index] = true;
    for (size_t i = graph->count; i > 0; i--)
        for (size_t j = 0; reached[i - 1] && j < graph->nodes[i - 1]->count; j++)
            reached[graph->nodes[i - 1]->before[j]->index] = true;
    for (size_t i = 0; i < graph->count; i++)
        before += reached[i];
    free(reached);
    return before < graph->count;
}

/* The streams of this capture, and what was recorded in them, are as before. */
static void forget_capture(const struct graph *graph)
{
    for (struct member **link = &members; *link != NULL;) {
        struct member *one = *link;
        if (one->graph != graph) {
            link = &one->next;
            continue;
        }
        *link = one->next;
        free(one->last);
        free(one);
    }
    for (struct recorded *one = records; one != NULL; one = one->next)
        if (one->copy.graph == graph) one->event = 0;
}

void graph_forget_stream(const struct stream *stream)
{
    const struct member *member = find_member(stream);
    if (member == NULL) return;
    struct graph *graph = member->graph;
    forget_capture(graph);
    graph_free(graph);
}

void graph_forget_event(uint64_t event)
{
    struct recorded *record = find_record(event);
    if (record != NULL) record->event = 0;
}

cudaError_t graph_end(struct stream *stream, struct graph **graph)
{
    struct member *member = find_member(stream);
    if (member == NULL) return cudaErrorIllegalState;
    if (!member->began) return cudaErrorStreamCaptureUnmatched;
    cudaError_t error = member->invalid       ? cudaErrorStreamCaptureInvalidated
                        : is_unjoined(member) ? cudaErrorStreamCaptureUnjoined
                                              : cudaSuccess;
    struct graph *captured = member->graph;
    *graph = error == cudaSuccess ? captured : NULL;
    forget_capture(captured);
    if (error != cudaSuccess) graph_free(captured);
    return error;
}

cudaStreamCaptureStatus graph_status(const struct stream *stream)
{
    const struct member *member = find_member(stream);
    if (member == NULL) return cudaStreamCaptureStatusNone;
    return member->invalid ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
}
