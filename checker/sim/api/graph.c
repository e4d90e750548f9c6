/* graph.c: see graph.h. A graph keeps its nodes in the order in which they were added. */
#include "sim/api/graph.h"

#include <stdlib.h>
#include <string.h>

/* A stream that is being captured. The nodes after which its next one comes. */
struct member {
    cudaStream_t stream;
    cudaGraph_t graph;
    bool began; /* the capture began, and has to end, here */
    bool invalid;
    cudaGraphNode_t *last;
    size_t count;
    struct member *next;
};

/* An event that was recorded in a captured stream */
struct recorded {
    cudaEvent_t event;
    struct member copy;
    struct recorded *next;
};

static struct member *members;
static struct recorded *records;
/* ---- nodes ---------------------------------------------------------------------------------- */

bool graph_order(cudaGraphNode_t **list, size_t *count, cudaGraphNode_t node)
{
    for (size_t i = 0; i < *count; i++)
        if ((*list)[i] == node) return true;
    cudaGraphNode_t *longer = realloc(*list, (*count + 1) * sizeof *longer);
    if (longer == NULL) return false;
    *list = longer;
    longer[(*count)++] = node;
    return true;
}

/* Takes `data` over, also when it fails. */
static cudaError_t add_node(const struct call *call, cudaGraphNode_t *made, cudaGraph_t graph,
                            const cudaGraphNode_t *before, size_t count, struct graph_job job)
{
    cudaGraphNode_t node = calloc(1, sizeof *node);
    cudaGraphNode_t *nodes = realloc(graph->nodes, (graph->count + 1) * sizeof *nodes);
    if (nodes != NULL) graph->nodes = nodes;
    if (node == NULL || nodes == NULL) {
        free(node);
        free(job.data);
        return cudaErrorMemoryAllocation;
    }
    *node =
        (struct CUgraphNode_st){.graph = graph, .index = graph->count, .call = *call, .job = job};
    for (size_t i = 0; i < count; i++)
        if (!graph_order(&node->before, &node->count, before[i])) return cudaErrorMemoryAllocation;
    graph->nodes[graph->count++] = node;
    if (made != NULL) *made = node;
    return cudaSuccess;
}

void graph_free(cudaGraph_t graph)
{
    for (size_t i = 0; i < graph->count; i++) {
        free(graph->nodes[i]->job.data);
        free(graph->nodes[i]->before);
        free(graph->nodes[i]);
    }
    free(graph->nodes);
    free(graph);
}

cudaError_t graph_copy(cudaGraph_t *made, cudaGraph_t graph)
{
    cudaGraph_t copy = calloc(1, sizeof *copy);
    if (copy == NULL) return cudaErrorMemoryAllocation;
    for (size_t i = 0; i < graph->count; i++) {
        const struct CUgraphNode_st *node = graph->nodes[i];
        struct graph_job job = node->job.bytes > 0 ? graph_kept(node->job) : node->job;
        cudaError_t error = add_node(&node->call, NULL, copy, NULL, 0, job);
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

cudaError_t graph_add(const struct call *call, cudaGraphNode_t *node, cudaGraph_t graph,
                      const cudaGraphNode_t *before, size_t count, struct graph_job job)
{
    bool valid = node != NULL && graph != NULL && (count == 0 || before != NULL);
    for (size_t i = 0; valid && i < count; i++)
        valid = before[i] != NULL && before[i]->graph == graph;
    if (valid) return add_node(call, node, graph, before, count, job);
    free(job.data);
    return cudaErrorInvalidValue;
}

/* ---- capture -------------------------------------------------------------------------------- */

static struct member *find_member(cudaStream_t stream)
{
    struct member *one = members;
    while (one != NULL && one->stream != stream)
        one = one->next;
    return one;
}

bool graph_is_captured(cudaStream_t stream)
{
    return members != NULL && find_member(stream) != NULL;
}

cudaError_t graph_forbids(cudaError_t error)
{
    for (struct member *one = members; one != NULL; one = one->next)
        one->invalid = true;
    return members == NULL ? cudaSuccess : error;
}

cudaError_t graph_capture(const struct call *call, cudaStream_t stream, struct graph_job job)
{
    struct member *member = find_member(stream);
    cudaGraphNode_t node;
    if (member->invalid) {
        free(job.data);
        return cudaErrorStreamCaptureInvalidated;
    }
    struct call kept = *call;
    kept.pc = api_caller_pc(call);
    cudaError_t error = add_node(&kept, &node, member->graph, member->last, member->count, job);
    if (error != cudaSuccess) return error;
    member->count = 0;
    return graph_order(&member->last, &member->count, node) ? cudaSuccess
                                                            : cudaErrorMemoryAllocation;
}

struct graph_job graph_kept(struct graph_job job)
{
    void *copy = malloc(job.bytes);
    if (copy == NULL) abort();
    job.data = memcpy(copy, job.data, job.bytes);
    return job;
}

static struct recorded *find_record(cudaEvent_t event)
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

bool graph_record(cudaStream_t stream, cudaEvent_t event)
{
    const struct member *member = find_member(stream);
    struct recorded *record = find_record(event);
    if (member == NULL) {
        if (record != NULL) record->event = NULL; /* it is an event of the stream again */
        return false;
    }
    if (record == NULL) {
        record = calloc(1, sizeof *record);
        if (record == NULL) abort();
        record->next = records;
        records = record;
    }
    free(record->copy.last);
    record->event = event;
    record->copy = (struct member){.graph = member->graph};
    copy_last(&record->copy, member);
    return true;
}

bool graph_wait(cudaStream_t stream, cudaEvent_t event, cudaError_t *error)
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
        member = calloc(1, sizeof *member);
        if (member == NULL) abort();
        *member = (struct member){.stream = stream, .graph = record->copy.graph, .next = members};
        members = member;
    }
    copy_last(member, &record->copy);
    return true;
}

cudaError_t graph_begin(cudaStream_t stream)
{
    if (find_member(stream) != NULL) return cudaErrorIllegalState;
    struct member *member = calloc(1, sizeof *member);
    cudaGraph_t graph = calloc(1, sizeof *graph);
    if (member == NULL || graph == NULL) return cudaErrorMemoryAllocation;
    *member = (struct member){.stream = stream, .graph = graph, .began = true, .next = members};
    members = member;
    return cudaSuccess;
}

/* True if work of other streams of this capture does not come before what the first one has last.
 */
static bool is_unjoined(const struct member *first)
{
    size_t before = 0;
    const struct CUgraph_st *graph = first->graph;
    bool *reached = calloc(graph->count + 1, sizeof *reached);
    if (reached == NULL) abort();
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
static void forget_capture(cudaGraph_t graph)
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
        if (one->copy.graph == graph) one->event = NULL;
}

cudaError_t graph_end(cudaStream_t stream, cudaGraph_t *graph)
{
    struct member *member = find_member(stream);
    if (member == NULL) return cudaErrorIllegalState;
    if (!member->began) return cudaErrorStreamCaptureUnmatched;
    cudaError_t error = member->invalid       ? cudaErrorStreamCaptureInvalidated
                        : is_unjoined(member) ? cudaErrorStreamCaptureUnjoined
                                              : cudaSuccess;
    cudaGraph_t captured = member->graph;
    *graph = error == cudaSuccess ? captured : NULL;
    forget_capture(captured);
    if (error != cudaSuccess) graph_free(captured);
    return error;
}

cudaStreamCaptureStatus graph_status(cudaStream_t stream)
{
    const struct member *member = find_member(stream);
    if (member == NULL) return cudaStreamCaptureStatusNone;
    return member->invalid ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
}
