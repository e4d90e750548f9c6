/*
 * api_stream.c: streams, events and waiting. A stream has its own timeline: each piece of work in
 * it begins when the one before has ended. The default stream waits for all others and they wait
 * for it, except those made with cudaStreamNonBlocking. The simulator does the work immediately, in
 * the order of the calls; only the time of the work is later.
 */
#include "sim/api/api_stream.h"

#include "sim/api/api_call.h"
#include "sim/api/graph.h"
#include "sim/gpu/clock.h"
#include "sim/gpu/profile.h"
#include "sim/streams/host_hazards.h"
#include "sim/streams/stream_order.h"

#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

static const int64_t POLL_NS = 10000; /* what a query costs as long as the answer is "not ready" */

struct CUstream_st {
    long long number;
    int64_t ready;  /* when all its work is done */
    order_set work; /* work that comes before anything put into it now (stream_order.h) */
    unsigned int flags;
    int priority;
    bool branch;    /* of another stream, for a graph */
    bool destroyed; /* by the program; it stays until its work is done */
    struct CUstream_st *next;
};

struct CUevent_st {
    long long mark; /* id of its last `mark` record; 0: never recorded */
    int64_t time;
    order_set work; /* work that comes before the event */
    unsigned int flags;
    struct CUevent_st *next;
};

static struct CUstream_st default_stream;
static struct CUstream_st thread_stream = {.number = 1};
static struct CUstream_st *streams = &thread_stream;
static struct CUevent_st *events;
static long long streams_made = 1, marks_made;

static struct CUstream_st *find_stream(cudaStream_t stream)
{
    if (stream == NULL || stream == cudaStreamLegacy) return &default_stream;
    if (stream == cudaStreamPerThread) return &thread_stream;
    struct CUstream_st *one = streams;
    while (one != NULL && one != stream)
        one = one->next;
    return one != NULL && !one->destroyed ? one : NULL;
}

bool stream_is_valid(cudaStream_t stream)
{
    return find_stream(stream) != NULL;
}

long long stream_number(cudaStream_t stream)
{
    const struct CUstream_st *found = find_stream(stream);
    return found == NULL ? -1 : found->number;
}

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* When everything that `stream` has to wait for is done. */
static int64_t ready_time(const struct CUstream_st *stream)
{
    int64_t ready = stream->ready;
    if (stream->flags & cudaStreamNonBlocking) return ready;
    if (stream != &default_stream) return later(ready, default_stream.ready);
    for (struct CUstream_st *one = streams; one != NULL; one = one->next)
        if (!(one->flags & cudaStreamNonBlocking)) ready = later(ready, one->ready);
    return ready;
}

int64_t stream_start(cudaStream_t stream)
{
    const struct CUstream_st *found = find_stream(stream);
    return found == NULL ? clock_now() : later(clock_now(), ready_time(found));
}

void stream_finish(cudaStream_t stream, int64_t end)
{
    struct CUstream_st *found = find_stream(stream);
    if (found != NULL) found->ready = later(found->ready, end);
}

/* The work that `stream` has to wait for. */
static order_set work_before(const struct CUstream_st *stream)
{
    order_set work = stream->work;
    if (stream->flags & cudaStreamNonBlocking) return work;
    if (stream != &default_stream) return work | default_stream.work;
    for (struct CUstream_st *one = streams; one != NULL; one = one->next)
        if (!(one->flags & cudaStreamNonBlocking)) work |= one->work;
    return work;
}

order_set stream_before(cudaStream_t stream)
{
    const struct CUstream_st *found = find_stream(stream);
    return found == NULL ? 0 : work_before(found);
}

/* These bits no longer stand for any work. */
static void forget(order_set work)
{
    default_stream.work &= ~work;
    for (struct CUstream_st *one = streams; one != NULL; one = one->next)
        one->work &= ~work;
    for (struct CUevent_st *one = events; one != NULL; one = one->next)
        one->work &= ~work;
}

void stream_put(cudaStream_t stream, const struct order_work *work)
{
    struct CUstream_st *found = find_stream(stream);
    if (found == NULL) return;
    order_set own = order_next();
    forget(own);
    found->work = order_add(work, own, work_before(found));
}

struct stream_point stream_point(cudaStream_t stream)
{
    const struct CUstream_st *found = find_stream(stream);
    return (struct stream_point){found->ready, found->work};
}

struct stream_point stream_join(struct stream_point one, struct stream_point other)
{
    return (struct stream_point){later(one.ready, other.ready), one.work | other.work};
}

cudaStream_t stream_branch(cudaStream_t stream)
{
    struct CUstream_st *new = calloc(1, sizeof *new);
    if (new == NULL) return NULL;
    *new = (struct CUstream_st){.number = stream_number(stream),
                                .ready = stream_start(stream),
                                .work = stream_before(stream),
                                .flags = cudaStreamNonBlocking,
                                .branch = true,
                                .next = streams};
    streams = new;
    return new;
}

bool stream_is_branch(cudaStream_t stream)
{
    const struct CUstream_st *found = find_stream(stream);
    return found != NULL && found->branch;
}

void stream_set_point(cudaStream_t branch, struct stream_point point)
{
    branch->ready = point.ready;
    branch->work = point.work;
}

void stream_end_branch(cudaStream_t branch, cudaStream_t stream, struct stream_point end)
{
    struct CUstream_st *found = find_stream(stream), **link = &streams;
    found->ready = later(found->ready, end.ready);
    found->work |= end.work;
    while (*link != branch)
        link = &(*link)->next;
    *link = branch->next;
    free(branch);
}

void stream_wait(cudaStream_t stream)
{
    order_land(stream_before(stream));
}

void stream_wait_until(int64_t time)
{
    clock_wait_until(time);
    hazard_over(time);
}

void stream_wait_all(void)
{
    stream_wait_until(stream_all_done());
    order_land(~(order_set)0);
}

int64_t stream_all_done(void)
{
    int64_t done = default_stream.ready;
    for (struct CUstream_st *one = streams; one != NULL; one = one->next)
        done = later(done, one->ready);
    return done;
}

void stream_reset(void)
{
    while (streams != &thread_stream) {
        struct CUstream_st *old = streams;
        streams = old->next;
        free(old);
    }
    while (events != NULL) {
        struct CUevent_st *old = events;
        events = old->next;
        free(old);
    }
    default_stream.ready = thread_stream.ready = 0;
    default_stream.work = thread_stream.work = 0;
}

/* Writes the first launch whose kernel nothing orders before this point, if there is one. */
static void write_running(order_set before)
{
    uint64_t launch = order_running(before);
    if (launch != 0) trace_fields("running:%lu", launch);
}

/* Records that the program knows that work is done. */
static void record_sync(const struct call *call, const char *what, int64_t start)
{
    trace_begin("sync");
    trace_fields("what:%s start:%ld end:%ld", what, start, clock_now());
    if (strcmp(what, "callback") != 0) write_running(0);
    api_source(call);
    trace_end();
}

/* Waits until this work is done, which is at this time, and records that the program waited. */
static cudaError_t wait_until(const struct call *call, const char *what, int64_t time,
                              order_set work)
{
    cudaError_t error = graph_forbids(cudaErrorStreamCaptureUnsupported);
    if (error != cudaSuccess) return error;
    order_land(work);
    int64_t start = clock_now();
    clock_add(profile()->sync_us * 1e3);
    stream_wait_until(time);
    record_sync(call, what, start);
    return cudaSuccess;
}

CALL(cudaDeviceSynchronize, (void), wait_until(&call, "device", stream_all_done(), ~(order_set)0));
CALL(cudaThreadSynchronize, (void), wait_until(&call, "device", stream_all_done(), ~(order_set)0));

/* Is this work, which ends at this time, done now? A query takes some time, so that a program that
 * asks in a loop comes to an end. */
static cudaError_t poll(int64_t time, order_set work)
{
    if (clock_now() < time) {
        clock_add((double)POLL_NS);
        return cudaErrorNotReady;
    }
    order_land(work);
    hazard_over(time);
    return cudaSuccess;
}

static cudaError_t query(const struct call *call, int64_t time, order_set work)
{
    cudaError_t error = poll(time, work);
    if (error == cudaSuccess) record_sync(call, "query", clock_now());
    return error;
}

/* ---- streams -------------------------------------------------------------------------------- */

/* Frees the streams that the program destroyed and whose work is done. Waiting for the default
 * stream then includes that work. */
static void forget_destroyed(void)
{
    for (struct CUstream_st **link = &streams; *link != NULL;) {
        struct CUstream_st *one = *link;
        if (one->destroyed && one->ready <= clock_now()) {
            default_stream.ready = later(default_stream.ready, one->ready);
            if (!(one->flags & cudaStreamNonBlocking)) default_stream.work |= one->work;
            *link = one->next;
            free(one);
        } else {
            link = &one->next;
        }
    }
}

static cudaError_t create_stream(cudaStream_t *stream, unsigned int flags, int priority)
{
    if (stream == NULL || flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
    forget_destroyed();
    struct CUstream_st *new = calloc(1, sizeof *new);
    if (new == NULL) return cudaErrorMemoryAllocation;
    new->number = ++streams_made;
    new->flags = flags;
    new->priority = priority;
    new->next = streams;
    streams = *stream = new;
    return cudaSuccess;
}

CALL(cudaStreamCreate, (cudaStream_t * stream), create_stream(stream, cudaStreamDefault, 0));
CALL(cudaStreamCreateWithFlags, (cudaStream_t * stream, unsigned int flags),
     create_stream(stream, flags, 0));
CALL(cudaStreamCreateWithPriority, (cudaStream_t * stream, unsigned int flags, int priority),
     create_stream(stream, flags, priority));

/* Its remaining work is still done, and this call does not wait for it. */
static cudaError_t destroy_stream(cudaStream_t stream)
{
    struct CUstream_st *found = find_stream(stream);
    if (found == NULL || found == &default_stream || found == &thread_stream)
        return cudaErrorInvalidResourceHandle;
    found->destroyed = true;
    forget_destroyed();
    return cudaSuccess;
}

CALL(cudaStreamDestroy, (cudaStream_t stream), destroy_stream(stream));

/* A call that has a stream, which `expression` sees as `found`. */
#define STREAM_CALL(name, parameters, expression)                                                  \
    cudaError_t name parameters                                                                    \
    {                                                                                              \
        struct call call = api_begin(#name, (uintptr_t)__builtin_return_address(0));               \
        const struct CUstream_st *found = find_stream(stream);                                     \
        if (call.error == cudaSuccess)                                                             \
            call.error = found == NULL ? cudaErrorInvalidResourceHandle : (expression);            \
        return api_end(&call);                                                                     \
    }                                                                                              \
    _Static_assert(1, "the call ends with a semicolon")

STREAM_CALL(cudaStreamSynchronize, (cudaStream_t stream),
            wait_until(&call, "stream", ready_time(found), work_before(found)));
STREAM_CALL(cudaStreamQuery, (cudaStream_t stream),
            query(&call, ready_time(found), work_before(found)));

static cudaError_t stream_properties(cudaStream_t stream, unsigned int *flags, int *priority)
{
    const struct CUstream_st *found = find_stream(stream);
    if (found == NULL) return cudaErrorInvalidResourceHandle;
    if (flags != NULL) *flags = found->flags;
    if (priority != NULL) *priority = found->priority;
    return cudaSuccess;
}

CALL(cudaStreamGetFlags, (cudaStream_t stream, unsigned int *flags),
     flags == NULL ? cudaErrorInvalidValue : stream_properties(stream, flags, NULL));
CALL(cudaStreamGetPriority, (cudaStream_t stream, int *priority),
     priority == NULL ? cudaErrorInvalidValue : stream_properties(stream, NULL, priority));

/* A host function is next in a stream. It runs immediately, because the simulator has already done
 * the work before it, but reads the clock as when the work ends. The function may signal to the
 * rest of the program that the work is done. */
static void host_comes(cudaStream_t stream)
{
    int64_t start = stream_start(stream);
    stream_finish(stream, start);
    stream_wait(stream);
    hazard_over(start);
    clock_expect(start);
    clock_visit(start);
}

/* A host function that a graph keeps */
struct host_work {
    cudaHostFn_t function;
    void *data;
};

static cudaError_t run_on_host(const struct call *call, cudaStream_t stream, cudaHostFn_t function,
                               void *data);

static cudaError_t run_host_again(const struct call *call, cudaStream_t stream, void *data)
{
    const struct host_work *work = data;
    return run_on_host(call, stream, work->function, work->data);
}

static cudaError_t run_on_host(const struct call *call, cudaStream_t stream, cudaHostFn_t function,
                               void *data)
{
    if (function == NULL) return cudaErrorInvalidValue;
    if (!stream_is_valid(stream)) return cudaErrorInvalidResourceHandle;
    if (graph_is_captured(stream)) {
        struct host_work work = {function, data};
        struct graph_job job = {cudaGraphNodeTypeHost, run_host_again, &work, sizeof work};
        return graph_capture(call, stream, graph_kept(job));
    }
    host_comes(stream);
    record_sync(call, "callback", clock_now());
    function(data);
    clock_visit(0);
    return cudaSuccess;
}

CALL(cudaLaunchHostFunc, (cudaStream_t stream, cudaHostFn_t function, void *data),
     run_on_host(&call, stream, function, data));

static cudaError_t add_host(const struct call *call, cudaGraphNode_t *node, cudaGraph_t graph,
                            const cudaGraphNode_t *before, size_t count,
                            const struct cudaHostNodeParams *params)
{
    if (params == NULL || params->fn == NULL) return cudaErrorInvalidValue;
    struct host_work *work = malloc(sizeof *work);
    if (work == NULL) return cudaErrorMemoryAllocation;
    *work = (struct host_work){params->fn, params->userData};
    return graph_add(call, node, graph, before, count,
                     (struct graph_job){cudaGraphNodeTypeHost, run_host_again, work, sizeof *work});
}

CALL(cudaGraphAddHostNode,
     (cudaGraphNode_t * node, cudaGraph_t graph, const cudaGraphNode_t *before, size_t count,
      const struct cudaHostNodeParams *params),
     add_host(&call, node, graph, before, count, params));

static cudaError_t call_back(const struct call *call, cudaStream_t stream,
                             cudaStreamCallback_t function, void *data)
{
    if (function == NULL) return cudaErrorInvalidValue;
    if (!stream_is_valid(stream)) return cudaErrorInvalidResourceHandle;
    host_comes(stream);
    record_sync(call, "callback", clock_now());
    function(stream, cudaSuccess, data);
    clock_visit(0);
    return cudaSuccess;
}

CALL(cudaStreamAddCallback,
     (cudaStream_t stream, cudaStreamCallback_t callback, void *data, unsigned int flags),
     flags != 0 ? cudaErrorInvalidValue : call_back(&call, stream, callback, data));

/* ---- events --------------------------------------------------------------------------------- */

static struct CUevent_st **find_event(cudaEvent_t event)
{
    struct CUevent_st **link = &events;
    while (*link != NULL && *link != event)
        link = &(*link)->next;
    return link;
}

static cudaError_t create_event(cudaEvent_t *event, unsigned int flags)
{
    if (event == NULL || flags > 7) return cudaErrorInvalidValue;
    struct CUevent_st *new = calloc(1, sizeof *new);
    if (new == NULL) return cudaErrorMemoryAllocation;
    new->flags = flags;
    new->next = events;
    events = *event = new;
    return cudaSuccess;
}

CALL(cudaEventCreate, (cudaEvent_t * event), create_event(event, cudaEventDefault));
CALL(cudaEventCreateWithFlags, (cudaEvent_t * event, unsigned int flags),
     create_event(event, flags));

static cudaError_t destroy_event(cudaEvent_t event)
{
    struct CUevent_st **link = find_event(event), *old = *link;
    if (old == NULL) return cudaErrorInvalidResourceHandle;
    *link = old->next;
    free(old);
    return cudaSuccess;
}

CALL(cudaEventDestroy, (cudaEvent_t event), destroy_event(event));

/* The event happens when all work put into the stream so far is done. */
static cudaError_t record_event(const struct call *call, cudaEvent_t event, cudaStream_t stream)
{
    if (*find_event(event) == NULL || !stream_is_valid(stream))
        return cudaErrorInvalidResourceHandle;
    if (graph_record(stream, event)) return cudaSuccess;
    event->time = stream_start(stream);
    find_stream(stream)->work = event->work = stream_before(stream);
    event->mark = ++marks_made;
    trace_begin("mark");
    trace_fields("id:%lld stream:%lld t:%ld", event->mark, stream_number(stream), event->time);
    write_running(event->work);
    api_source(call);
    trace_end();
    return cudaSuccess;
}

CALL(cudaEventRecord, (cudaEvent_t event, cudaStream_t stream), record_event(&call, event, stream));

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags)
{
    API_AS("cudaEventRecord",
           flags > 1 ? cudaErrorInvalidValue : record_event(&call, event, stream));
}

static cudaError_t wait_for_event(const struct call *call, cudaEvent_t event)
{
    if (*find_event(event) == NULL) return cudaErrorInvalidResourceHandle;
    return event->mark == 0 ? cudaSuccess : wait_until(call, "event", event->time, event->work);
}

CALL(cudaEventSynchronize, (cudaEvent_t event), wait_for_event(&call, event));
CALL(cudaEventQuery, (cudaEvent_t event),
     *find_event(event) == NULL ? cudaErrorInvalidResourceHandle
                                : query(&call, event->time, event->work));

static cudaError_t stream_waits(cudaStream_t stream, cudaEvent_t event)
{
    cudaError_t error;
    if (*find_event(event) == NULL || !stream_is_valid(stream))
        return cudaErrorInvalidResourceHandle;
    if (graph_wait(stream, event, &error)) return error;
    stream_finish(stream, event->time);
    find_stream(stream)->work |= event->work;
    return cudaSuccess;
}

CALL(cudaStreamWaitEvent, (cudaStream_t stream, cudaEvent_t event, unsigned int flags),
     flags > 1 ? cudaErrorInvalidValue : stream_waits(stream, event));

static cudaError_t elapsed(const struct call *call, float *milliseconds, cudaEvent_t from,
                           cudaEvent_t to)
{
    if (milliseconds == NULL) return cudaErrorInvalidValue;
    if (*find_event(from) == NULL || *find_event(to) == NULL || from->mark == 0 || to->mark == 0 ||
        ((from->flags | to->flags) & cudaEventDisableTiming))
        return cudaErrorInvalidResourceHandle;
    cudaError_t error = poll(later(from->time, to->time), from->work | to->work);
    if (error != cudaSuccess) return error;
    *milliseconds = (float)((double)(to->time - from->time) * 1e-6);
    trace_begin("elapsed");
    trace_fields("from:%lld to:%lld ms:%g", from->mark, to->mark, *milliseconds);
    api_source(call);
    trace_end();
    return cudaSuccess;
}

CALL(cudaEventElapsedTime, (float *milliseconds, cudaEvent_t from, cudaEvent_t to),
     elapsed(&call, milliseconds, from, to));
