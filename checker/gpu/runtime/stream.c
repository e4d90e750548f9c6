/*
 * stream.c: streams, and waiting for them. A stream has its own timeline: each operation in it
 * begins when the one before has ended. The default stream waits for all others and they wait for
 * it, except those made with cudaStreamNonBlocking. The simulator does the work immediately, in the
 * order of the calls; only the time of the work is later. Each host thread has a stream of its own,
 * cudaStreamPerThread.
 */
#include "gpu/runtime/stream.h"

#include "gpu/runtime/graph.h"
#include "gpu/runtime/handle.h"
#include "gpu/runtime/hazards.h"
#include "gpu/server/clock.h"
#include "gpu/time/profile.h"

#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

static const int64_t POLL_NS = 10000; /* what a query costs as long as the answer is "not ready" */
enum { LEGACY = 1, PER_THREAD = 2 };

static struct stream default_stream;
static struct stream *streams;
static long long streams_made = 1; /* number 1 is the first thread's own stream */

/* The thread's own stream, which it gets when it first names it. */
static struct stream *stream_of_thread(uint64_t thread)
{
    for (struct stream *one = streams; one != NULL; one = one->next)
        if (one->thread == thread) return one;
    struct stream *new = calloc(1, sizeof *new);
    if (new == NULL) return NULL;
    *new = (struct stream){
        .number = thread <= 1 ? 1 : ++streams_made, .handle = PER_THREAD, .thread = thread};
    new->next = streams;
    return streams = new;
}

struct stream *stream_find(const struct call *call, uint64_t handle)
{
    if (handle == 0 || handle == LEGACY) return &default_stream;
    uint64_t thread = call->request->thread;
    if (handle == PER_THREAD) return stream_of_thread(thread == 0 ? 1 : thread);
    struct stream *stream = handle_find(HANDLE_STREAM, handle);
    return stream != NULL && !stream->destroyed ? stream : NULL;
}

struct stream *stream_default(void)
{
    return &default_stream;
}

bool stream_is_default(const struct stream *stream)
{
    return stream == &default_stream;
}

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* When everything that `stream` has to wait for is done. */
static int64_t ready_time(const struct stream *stream)
{
    int64_t ready = stream->ready;
    if (stream->flags & cudaStreamNonBlocking) return ready;
    if (stream != &default_stream) return later(ready, default_stream.ready);
    for (struct stream *one = streams; one != NULL; one = one->next)
        if (!(one->flags & cudaStreamNonBlocking)) ready = later(ready, one->ready);
    return ready;
}

int64_t stream_start(const struct stream *stream)
{
    return later(clock_now(), ready_time(stream));
}

void stream_finish(struct stream *stream, int64_t end)
{
    stream->ready = later(stream->ready, end);
}

order_set stream_before(const struct stream *stream)
{
    order_set work = stream->work;
    if (stream->flags & cudaStreamNonBlocking) return work;
    if (stream != &default_stream) return work | default_stream.work;
    for (struct stream *one = streams; one != NULL; one = one->next)
        if (!(one->flags & cudaStreamNonBlocking)) work |= one->work;
    return work;
}

/* Forgets work: its bits no longer stand for any. */
static void forget(order_set work)
{
    default_stream.work &= ~work;
    for (struct stream *one = streams; one != NULL; one = one->next)
        one->work &= ~work;
    events_forget(work);
}

void stream_put(struct stream *stream, const struct order_work *work)
{
    order_set own = order_next();
    forget(own);
    stream->work = order_add(work, own, stream_before(stream));
}

struct stream_point stream_point(const struct stream *stream)
{
    return (struct stream_point){stream->ready, stream->work};
}

struct stream_point stream_join(struct stream_point one, struct stream_point other)
{
    return (struct stream_point){later(one.ready, other.ready), one.work | other.work};
}

struct stream *stream_branch(struct stream *stream)
{
    struct stream *new = calloc(1, sizeof *new);
    if (new == NULL) return NULL;
    *new = (struct stream){.number = stream->number,
                           .ready = stream_start(stream),
                           .work = stream_before(stream),
                           .flags = cudaStreamNonBlocking,
                           .branch = true,
                           .next = streams};
    return streams = new;
}

void stream_set_point(struct stream *branch, struct stream_point point)
{
    branch->ready = point.ready;
    branch->work = point.work;
}

static void take_out(struct stream *stream)
{
    struct stream **link = &streams;
    while (*link != NULL && *link != stream)
        link = &(*link)->next;
    if (*link != NULL) *link = stream->next;
    free(stream);
}

void stream_end_branch(struct stream *branch, struct stream *stream, struct stream_point end)
{
    stream->ready = later(stream->ready, end.ready);
    stream->work |= end.work;
    take_out(branch);
}

void stream_wait(const struct stream *stream)
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
    for (struct stream *one = streams; one != NULL; one = one->next)
        done = later(done, one->ready);
    return done;
}

void stream_reset(void)
{
    while (streams != NULL) {
        handle_drop(HANDLE_STREAM, streams->handle);
        graph_forget_stream(streams);
        take_out(streams);
    }
    events_reset();
    default_stream.ready = 0;
    default_stream.work = 0;
}

/* ---- waiting -------------------------------------------------------------------------------- */

void stream_write_running(order_set before)
{
    uint64_t launch = order_running(before);
    if (launch != 0) trace_fields("running:%lu", launch);
}

void stream_record_sync(const struct call *call, const char *what, int64_t start)
{
    trace_begin("sync");
    trace_fields("what:%s start:%ld end:%ld", what, start, clock_now());
    if (strcmp(what, "callback") != 0) stream_write_running(0);
    call_source(call);
    trace_end();
}

cudaError_t stream_wait_for(const struct call *call, const char *what, int64_t time, order_set work)
{
    cudaError_t error = graph_forbids(cudaErrorStreamCaptureUnsupported);
    if (error != cudaSuccess) return error;
    order_land(work);
    int64_t start = clock_now();
    clock_add(profile()->sync_us * 1e3);
    stream_wait_until(time);
    stream_record_sync(call, what, start);
    return cudaSuccess;
}

cudaError_t serve_cudaDeviceSynchronize(struct call *call)
{
    return stream_wait_for(call, "device", stream_all_done(), ~(order_set)0);
}

cudaError_t serve_cudaThreadSynchronize(struct call *call)
{
    return serve_cudaDeviceSynchronize(call);
}

/* A query takes some time, so that a program that asks in a loop comes to an end. */
cudaError_t stream_poll(int64_t time, order_set work)
{
    if (clock_now() < time) {
        clock_add((double)POLL_NS);
        return cudaErrorNotReady;
    }
    order_land(work);
    hazard_over(time);
    return cudaSuccess;
}

cudaError_t stream_query(const struct call *call, int64_t time, order_set work)
{
    cudaError_t error = stream_poll(time, work);
    if (error == cudaSuccess) stream_record_sync(call, "query", clock_now());
    return error;
}

cudaError_t serve_cudaStreamSynchronize(struct call *call, uint64_t handle)
{
    const struct stream *stream = stream_find(call, handle);
    if (stream == NULL) return cudaErrorInvalidResourceHandle;
    return stream_wait_for(call, "stream", ready_time(stream), stream_before(stream));
}

cudaError_t serve_cudaStreamQuery(struct call *call, uint64_t handle)
{
    const struct stream *stream = stream_find(call, handle);
    if (stream == NULL) return cudaErrorInvalidResourceHandle;
    return stream_query(call, ready_time(stream), stream_before(stream));
}

/* ---- making and destroying ------------------------------------------------------------------ */

/* Frees the streams that the program destroyed and whose work is done. Waiting for the default
 * stream then includes that work. */
static void forget_destroyed(void)
{
    for (struct stream *one = streams, *next; one != NULL; one = next) {
        next = one->next;
        if (!one->destroyed || one->ready > clock_now()) continue;
        default_stream.ready = later(default_stream.ready, one->ready);
        if (!(one->flags & cudaStreamNonBlocking)) default_stream.work |= one->work;
        take_out(one);
    }
}

cudaError_t serve_cudaStreamCreateWithPriority(struct call *call, uint64_t *made,
                                               unsigned int flags, int priority)
{
    if (flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
    forget_destroyed();
    struct stream *new = calloc(1, sizeof *new);
    uint64_t handle = new == NULL ? 0 : handle_make(HANDLE_STREAM, new);
    if (handle == 0) {
        free(new);
        return cudaErrorMemoryAllocation;
    }
    if (priority > 0) priority = 0;
    if (priority < PRIORITY_GREATEST) priority = PRIORITY_GREATEST;
    *new = (struct stream){
        .number = ++streams_made, .handle = handle, .flags = flags, .priority = priority};
    new->next = streams;
    streams = new;
    *made = handle;
    return cudaSuccess;
}

cudaError_t serve_cudaStreamCreate(struct call *call, uint64_t *made)
{
    return serve_cudaStreamCreateWithPriority(call, made, cudaStreamDefault, 0);
}

cudaError_t serve_cudaStreamCreateWithFlags(struct call *call, uint64_t *made, unsigned int flags)
{
    return serve_cudaStreamCreateWithPriority(call, made, flags, 0);
}

/* The remaining work of the stream is still done, and this call does not wait for it. */
cudaError_t serve_cudaStreamDestroy(struct call *call, uint64_t handle)
{
    struct stream *stream = handle_find(HANDLE_STREAM, handle);
    if (stream == NULL || stream->destroyed) return cudaErrorInvalidResourceHandle;
    handle_drop(HANDLE_STREAM, stream->handle);
    graph_forget_stream(stream);
    stream->destroyed = true;
    forget_destroyed();
    return cudaSuccess;
}

cudaError_t serve_cudaStreamGetFlags(struct call *call, uint64_t handle, unsigned int *flags)
{
    const struct stream *stream = stream_find(call, handle);
    if (stream == NULL) return cudaErrorInvalidResourceHandle;
    *flags = stream->flags;
    return cudaSuccess;
}

cudaError_t serve_cudaStreamGetPriority(struct call *call, uint64_t handle, int *priority)
{
    const struct stream *stream = stream_find(call, handle);
    if (stream == NULL) return cudaErrorInvalidResourceHandle;
    *priority = stream->priority;
    return cudaSuccess;
}

cudaError_t serve_cudaStreamGetDevice(struct call *call, uint64_t handle, int *device)
{
    *device = 0;
    return stream_find(call, handle) == NULL ? cudaErrorInvalidResourceHandle : cudaSuccess;
}
