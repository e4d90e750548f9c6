/*
 * event.c: events: points in the work of streams. An event happens when all work put into its
 * stream so far is done.
 */
#include "gpu/runtime/graph.h"
#include "gpu/runtime/handle.h"
#include "gpu/runtime/stream.h"

#include "trace/trace.h"

#include <stdlib.h>

enum { FLAGS_MAX = 7 };

struct event {
    uint64_t handle;
    long long mark; /* id of its last `mark` record; 0: never recorded */
    int64_t time;
    order_set work; /* work that comes before the event */
    unsigned int flags;
    struct event *next, *previous;
};

static struct event *events;
static long long marks_made;

void events_forget(order_set work)
{
    for (struct event *one = events; one != NULL; one = one->next)
        one->work &= ~work;
}

static void take_out(struct event *event)
{
    if (event->previous != NULL)
        event->previous->next = event->next;
    else
        events = event->next;
    if (event->next != NULL) event->next->previous = event->previous;
    handle_drop(HANDLE_EVENT, event->handle);
    free(event);
}

void events_reset(void)
{
    while (events != NULL)
        take_out(events);
}

static struct event *find(uint64_t handle)
{
    return handle_find(HANDLE_EVENT, handle);
}

cudaError_t serve_cudaEventCreateWithFlags(struct call *call, uint64_t *made, unsigned int flags)
{
    if (flags > FLAGS_MAX) return cudaErrorInvalidValue;
    struct event *new = calloc(1, sizeof *new);
    uint64_t handle = new == NULL ? 0 : handle_make(HANDLE_EVENT, new);
    if (handle == 0) {
        free(new);
        return cudaErrorMemoryAllocation;
    }
    *new = (struct event){.handle = handle, .flags = flags, .next = events};
    if (events != NULL) events->previous = new;
    events = new;
    *made = handle;
    return cudaSuccess;
}

cudaError_t serve_cudaEventCreate(struct call *call, uint64_t *made)
{
    return serve_cudaEventCreateWithFlags(call, made, cudaEventDefault);
}

cudaError_t serve_cudaEventDestroy(struct call *call, uint64_t handle)
{
    struct event *event = find(handle);
    if (event == NULL) return cudaErrorInvalidResourceHandle;
    graph_forget_event(event->handle);
    take_out(event);
    return cudaSuccess;
}

cudaError_t serve_cudaEventRecord(struct call *call, uint64_t event_handle, uint64_t stream_handle)
{
    struct event *event = find(event_handle);
    struct stream *stream = stream_find(call, stream_handle);
    if (event == NULL || stream == NULL) return cudaErrorInvalidResourceHandle;
    if (graph_record(stream, event->handle)) return cudaSuccess;
    event->time = stream_start(stream);
    stream->work = event->work = stream_before(stream);
    event->mark = ++marks_made;
    trace_begin("mark");
    trace_fields("id:%lld stream:%lld t:%ld", event->mark, stream->number, event->time);
    stream_write_running(event->work);
    call_source(call);
    trace_end();
    return cudaSuccess;
}

cudaError_t serve_cudaEventRecordWithFlags(struct call *call, uint64_t event, uint64_t stream,
                                           unsigned int flags)
{
    call->name = "cudaEventRecord";
    return flags > 1 ? cudaErrorInvalidValue : serve_cudaEventRecord(call, event, stream);
}

cudaError_t serve_cudaEventSynchronize(struct call *call, uint64_t handle)
{
    const struct event *event = find(handle);
    if (event == NULL) return cudaErrorInvalidResourceHandle;
    return event->mark == 0 ? cudaSuccess
                            : stream_wait_for(call, "event", event->time, event->work);
}

cudaError_t serve_cudaEventQuery(struct call *call, uint64_t handle)
{
    const struct event *event = find(handle);
    return event == NULL ? cudaErrorInvalidResourceHandle
                         : stream_query(call, event->time, event->work);
}

cudaError_t serve_cudaStreamWaitEvent(struct call *call, uint64_t stream_handle,
                                      uint64_t event_handle, unsigned int flags)
{
    struct stream *stream = stream_find(call, stream_handle);
    const struct event *event = find(event_handle);
    cudaError_t error;
    if (flags > 1) return cudaErrorInvalidValue;
    if (event == NULL || stream == NULL) return cudaErrorInvalidResourceHandle;
    if (graph_wait(stream, event->handle, &error)) return error;
    stream_finish(stream, event->time);
    stream->work |= event->work;
    return cudaSuccess;
}

cudaError_t serve_cudaEventElapsedTime(struct call *call, float *milliseconds, uint64_t first,
                                       uint64_t second)
{
    const struct event *from = find(first), *to = find(second);
    if (from == NULL || to == NULL || from->mark == 0 || to->mark == 0 ||
        ((from->flags | to->flags) & cudaEventDisableTiming))
        return cudaErrorInvalidResourceHandle;
    int64_t last = from->time > to->time ? from->time : to->time;
    cudaError_t error = stream_poll(last, from->work | to->work);
    if (error != cudaSuccess) return error;
    *milliseconds = (float)((double)(to->time - from->time) * 1e-6);
    trace_begin("elapsed");
    trace_fields("from:%lld to:%lld ms:%g", from->mark, to->mark, (double)*milliseconds);
    call_source(call);
    trace_end();
    return cudaSuccess;
}
