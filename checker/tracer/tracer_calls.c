/*
 * tracer_calls.c: turns the program's calls of the CUDA runtime into events. Each call that matters
 * has a handler in the table at the end. A call that failed becomes an error event.
 */
#include "tracer/tracer_calls.h"
#include "tracer/tracer_activities.h"
#include "tracer/tracer_events.h"
#include "tracer/tracer_faults.h"
#include "tracer/tracer_gpu.h"
#include "tracer/tracer_graphs.h"
#include "tracer/tracer_memory.h"

#include <generated_cuda_runtime_api_meta.h>

#include <pthread.h>
#include <string.h>

/* The latest recording of a cudaEvent_t. */
struct mark {
    cudaEvent_t handle;
    cudaStream_t stream;
    uint64_t id;
    size_t index; /* of its event */
    struct mark *next;
};

/* Streams are numbered in the order of their first use; the default stream is 0. */
struct stream {
    cudaStream_t handle;
    int number;
    struct stream *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct mark *marks;
static struct stream *streams;
static uint64_t launches, marks_made;

static int stream_number(cudaStream_t handle)
{
    if (handle == NULL || handle == cudaStreamLegacy || handle == cudaStreamPerThread) return 0;
    for (struct stream *one = streams; one != NULL; one = one->next)
        if (one->handle == handle) return one->number;
    struct stream *fresh = item_new(sizeof *fresh);
    if (fresh == NULL) return -1;
    *fresh = (struct stream){handle, streams == NULL ? 1 : streams->number + 1, streams};
    streams = fresh;
    return fresh->number;
}

static struct event event_of(enum event_kind kind, const struct call *call)
{
    return (struct event){.kind = kind,
                          .correlation = call->correlation,
                          .start = call->start,
                          .end = call->end,
                          .async = strstr(call->name, "Async") != NULL};
}

/* Waits for the GPU; saves copies that were in flight and memory that was not freed. */
static void finish_locked(void)
{
    bool idle = gpu_idle();
    if (idle) arrivals_save(true, NULL, SIZE_MAX);
    memory_finish(idle);
    activities_collect();
}

/* Allocations and frees */

static void allocated(const struct call *call, const char *space, void *base, size_t bytes)
{
    const struct allocation *fresh = memory_add(space, base, bytes);
    if (fresh == NULL) return;
    struct event event = event_of(EVENT_ALLOC, call);
    event.id = fresh->id;
    event.name = space;
    event.address = base;
    event.bytes = bytes;
    event_add(&event);
}

/* cudaMalloc, and the similar calls for managed and pinned memory and for streams */
static void left_malloc(const struct call *call)
{
    const cudaMalloc_v3020_params *p = call->parameters; /* all have these fields first */
    const char *space = strstr(call->name, "Host") != NULL      ? PINNED
                        : strstr(call->name, "Managed") != NULL ? MANAGED
                                                                : DEVICE;
    allocated(call, space, *p->devPtr, p->size);
}

static void left_malloc_pitch(const struct call *call)
{
    const cudaMallocPitch_v3020_params *p = call->parameters;
    allocated(call, DEVICE, *p->devPtr, *p->pitch * p->height);
}

static void left_register(const struct call *call)
{
    const cudaHostRegister_v4000_params *p = call->parameters;
    allocated(call, PINNED, p->ptr, p->size);
}

/* cudaFree, cudaFreeAsync, cudaFreeHost, cudaHostUnregister: the pointer is the first parameter. */
static struct allocation *about_to_go(const struct call *call)
{
    return memory_at(((const cudaFree_v3020_params *)call->parameters)->devPtr);
}

static void entered_free(const struct call *call)
{
    const struct allocation *going = about_to_go(call);
    if (going == NULL) return;
    bool idle = gpu_idle();
    if (idle) arrivals_save(true, NULL, SIZE_MAX);
    memory_save(going, false, idle);
}

static void left_free(const struct call *call)
{
    struct allocation *gone = about_to_go(call);
    if (gone == NULL) return;
    struct event event = event_of(EVENT_FREE, call);
    event.id = gone->id;
    event_add(&event);
    memory_remove(gone);
}

/* A reset frees everything; memory that the program had not freed was leaked. */
static void entered_reset(const struct call *call)
{
    (void)call;
    finish_locked();
}

/* Copies and sets. */

static const char *direction_of(enum cudaMemcpyKind kind, const void *to, const void *from)
{
    bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if (kind == cudaMemcpyDefault) {
        to_device = device_memory_of(to) != NULL;
        from_device = device_memory_of(from) != NULL;
    }
    return to_device ? (from_device ? "d2d" : "h2d") : (from_device ? "d2h" : "h2h");
}

/* `to` or `from` is NULL if it is a symbol. */
static struct event copy_of(const struct call *call, const void *to, const void *from, size_t bytes,
                            const char *direction, cudaStream_t stream)
{
    struct event event = event_of(EVENT_COPY, call);
    const struct allocation *target = device_memory_of(to);
    const struct allocation *origin = device_memory_of(from);
    bool to_host = direction[2] == 'h', from_host = direction[0] == 'h';
    event.name = direction;
    event.bytes = bytes;
    event.stream = stream_number(stream);
    event.address = to_host ? to : from_host ? from : NULL;
    if (!from_host && origin != NULL) {
        event.from = origin->id;
        event.offset = (size_t)((const char *)from - origin->base);
    }
    if (!to_host && target != NULL) {
        event.to = target->id;
        event.offset = (size_t)((const char *)to - target->base);
    }
    return event;
}

/* Adds a copy, or other work. The contents that come to the host are saved `now`, or when the
 * program has waited for the stream; those of a copy with gaps, which is not `whole`, are not
 * saved. */
static void add_work(const struct event *event, bool whole, bool now, cudaStream_t stream)
{
    size_t index = event_add(event);
    if (event->kind == EVENT_COPY && strcmp(event->name, "d2h") == 0 && whole)
        arrival_expect(index, now, event->address, event->bytes, stream);
}

static void copied(const struct call *call, const void *to, const void *from, size_t bytes,
                   const char *direction, cudaStream_t stream, bool whole)
{
    struct event event = copy_of(call, to, from, bytes, direction, stream);
    if (event.async && graph_takes(&event, whole)) return;
    /* Even an asynchronous copy to pageable memory is complete before its call returns. */
    add_work(&event, whole, !event.async || memory_of(to) == NULL, stream);
}

static void left_memcpy(const struct call *call)
{
    const cudaMemcpyAsync_v3020_params *p = call->parameters; /* cudaMemcpy's have no stream */
    copied(call, p->dst, p->src, p->count, direction_of(p->kind, p->dst, p->src),
           strstr(call->name, "Async") != NULL ? p->stream : NULL, true);
}

static void left_memcpy_2d(const struct call *call)
{
    const cudaMemcpy2DAsync_v3020_params *p = call->parameters;
    copied(call, p->dst, p->src, p->width * p->height, direction_of(p->kind, p->dst, p->src),
           strstr(call->name, "Async") != NULL ? p->stream : NULL, p->dpitch == p->width);
}

static void left_to_symbol(const struct call *call)
{
    const cudaMemcpyToSymbolAsync_v3020_params *p = call->parameters;
    copied(call, NULL, p->src, p->count,
           p->kind == cudaMemcpyDeviceToDevice || device_memory_of(p->src) ? "d2d" : "h2d",
           strstr(call->name, "Async") != NULL ? p->stream : NULL, true);
}

static void left_from_symbol(const struct call *call)
{
    const cudaMemcpyFromSymbolAsync_v3020_params *p = call->parameters;
    copied(call, p->dst, NULL, p->count,
           p->kind == cudaMemcpyDeviceToDevice || device_memory_of(p->dst) ? "d2d" : "d2h",
           strstr(call->name, "Async") != NULL ? p->stream : NULL, true);
}

static void left_memset(const struct call *call)
{
    const cudaMemsetAsync_v3020_params *p = call->parameters; /* cudaMemset's have no stream */
    const struct allocation *target = memory_of(p->devPtr);
    struct event event = event_of(EVENT_SET, call);
    event.bytes = p->count;
    event.value = p->value & 0xff;
    event.stream = event.async ? stream_number(p->stream) : 0;
    if (target != NULL) {
        event.to = target->id;
        event.offset = (size_t)((char *)p->devPtr - target->base);
    }
    if (event.async && graph_takes(&event, true)) return;
    event_add(&event);
}

/* Launches, waiting, and events. */

static void launched(const struct call *call, const dim3 *grid, const dim3 *block, size_t shared,
                     cudaStream_t stream)
{
    struct event event = event_of(EVENT_LAUNCH, call);
    event.name = interned(call->symbol);
    memcpy(event.grid, grid, sizeof event.grid);
    memcpy(event.block, block, sizeof event.block);
    event.bytes = shared;
    event.stream = stream_number(stream);
    event.value = call->code;
    if (call->code == 0 && graph_takes(&event, true)) return;
    event.id = ++launches;
    event_add(&event);
}

/* A cooperative launch has the same parameters. */
static void left_launch(const struct call *call)
{
    const cudaLaunchKernel_v7000_params *p = call->parameters;
    launched(call, &p->gridDim, &p->blockDim, p->sharedMem, p->stream);
}

#if CUDART_VERSION >= 11060
static void left_launch_by_configuration(const struct call *call)
{
    const cudaLaunchConfig_t *config = *(const cudaLaunchConfig_t *const *)call->parameters;
    if (config == NULL) return;
    launched(call, &config->gridDim, &config->blockDim, config->dynamicSmemBytes, config->stream);
}
#endif

static bool is_launch(void (*left)(const struct call *))
{
#if CUDART_VERSION >= 11060
    if (left == left_launch_by_configuration) return true;
#endif
    return left == left_launch;
}

static void left_begin_capture(const struct call *call)
{
    (void)call;
    graph_capture_begins();
}

static void left_end_capture(const struct call *call)
{
    const cudaStreamEndCapture_v10000_params *p = call->parameters;
    graph_capture_ends(*p->pGraph);
}

/* cudaGraphInstantiate, and the similar calls */
static void left_instantiate(const struct call *call)
{
    const cudaGraphInstantiateWithFlags_v11040_params *p = call->parameters; /* all begin so */
    graph_instantiated(*p->pGraphExec, p->graph);
}

static void left_copy_node(const struct call *call)
{
    const cudaGraphAddMemcpyNode1D_v11010_params *p = call->parameters;
    struct event event =
        copy_of(call, p->dst, p->src, p->count, direction_of(p->kind, p->dst, p->src), NULL);
    event.async = true;
    graph_add(p->graph, &event, true);
}

/* The work of a graph has the correlation id of this call. Kernels that are nodes made by the
 * program are known only from CUPTI: they come last. */
static void left_graph_launch(const struct call *call)
{
    const cudaGraphLaunch_v10000_params *p = call->parameters;
    struct event own = event_of(EVENT_GRAPH, call);
    for (const struct graph_work *work = graph_first_work(p->graphExec); work != NULL;
         work = graph_next_work(work)) {
        struct event event = work->event;
        event.correlation = own.correlation, event.start = own.start, event.end = own.end;
        event.in_graph = true;
        if (event.kind == EVENT_LAUNCH) event.id = ++launches;
        add_work(&event, work->whole, false, p->stream);
    }
    event_add(&own);
}

static void waited(const struct call *call, const char *what)
{
    struct event event = event_of(EVENT_SYNC, call);
    event.name = what;
    event_add(&event);
}

static void left_device_wait(const struct call *call)
{
    arrivals_save(true, NULL, SIZE_MAX);
    waited(call, "device");
}

/* cudaStreamSynchronize, and a cudaStreamQuery that found all work finished */
static void left_stream_wait(const struct call *call)
{
    cudaStream_t stream = ((const cudaStreamSynchronize_v3020_params *)call->parameters)->stream;
    arrivals_save(false, stream, SIZE_MAX);
    waited(call, "stream");
}

static struct mark *mark_of(cudaEvent_t handle)
{
    for (struct mark *one = marks; one != NULL; one = one->next)
        if (one->handle == handle) return one;
    return NULL;
}

/* cudaEventSynchronize, and a cudaEventQuery that found the event complete */
static void left_event_wait(const struct call *call)
{
    const struct mark *mark =
        mark_of(((const cudaEventSynchronize_v3020_params *)call->parameters)->event);
    if (mark != NULL) arrivals_save(false, mark->stream, mark->index);
    waited(call, "event");
}

static void left_record(const struct call *call)
{
    const cudaEventRecord_v3020_params *p = call->parameters;
    struct mark *mark = mark_of(p->event);
    if (mark == NULL) {
        mark = item_new(sizeof *mark);
        if (mark == NULL) return;
        mark->handle = p->event;
        mark->next = marks;
        marks = mark;
    }
    mark->id = ++marks_made;
    mark->stream = p->stream;
    struct event event = event_of(EVENT_MARK, call);
    event.id = mark->id;
    event.stream = stream_number(p->stream);
    mark->index = event_add(&event);
}

static void left_elapsed(const struct call *call)
{
    /* The name of CUPTI's structure differs between toolkits. */
    const struct {
        float *ms;
        cudaEvent_t start, end;
    } *p = call->parameters;
    const struct mark *from = mark_of(p->start), *to = mark_of(p->end);
    struct event event = event_of(EVENT_ELAPSED, call);
    event.from = from != NULL ? from->id : 0;
    event.to = to != NULL ? to->id : 0;
    event.ms = *p->ms;
    event_add(&event);
}

/* Handlers for before a call, and for after a call that succeeded. */
static const struct handler {
    const char *name;
    void (*entered)(const struct call *), (*left)(const struct call *);
} handlers[] = {
    {"cudaLaunchKernel", NULL, left_launch},
    {"cudaLaunchCooperativeKernel", NULL, left_launch},
#if CUDART_VERSION >= 11060
    {"cudaLaunchKernelExC", NULL, left_launch_by_configuration},
#endif
    {"cudaStreamBeginCapture", NULL, left_begin_capture},
    {"cudaStreamEndCapture", NULL, left_end_capture},
    {"cudaGraphInstantiate", NULL, left_instantiate},
    {"cudaGraphInstantiateWithFlags", NULL, left_instantiate},
    {"cudaGraphInstantiateWithParams", NULL, left_instantiate},
    {"cudaGraphAddMemcpyNode1D", NULL, left_copy_node},
    {"cudaGraphLaunch", NULL, left_graph_launch},
    {"cudaMemcpy", NULL, left_memcpy},
    {"cudaMemcpyAsync", NULL, left_memcpy},
    {"cudaMemcpy2D", NULL, left_memcpy_2d},
    {"cudaMemcpy2DAsync", NULL, left_memcpy_2d},
    {"cudaMemcpyToSymbol", NULL, left_to_symbol},
    {"cudaMemcpyToSymbolAsync", NULL, left_to_symbol},
    {"cudaMemcpyFromSymbol", NULL, left_from_symbol},
    {"cudaMemcpyFromSymbolAsync", NULL, left_from_symbol},
    {"cudaMemset", NULL, left_memset},
    {"cudaMemsetAsync", NULL, left_memset},
    {"cudaMalloc", NULL, left_malloc},
    {"cudaMallocAsync", NULL, left_malloc},
    {"cudaMallocFromPoolAsync", NULL, left_malloc},
    {"cudaMallocManaged", NULL, left_malloc},
    {"cudaMallocHost", NULL, left_malloc},
    {"cudaHostAlloc", NULL, left_malloc},
    {"cudaMallocPitch", NULL, left_malloc_pitch},
    {"cudaHostRegister", NULL, left_register},
    {"cudaFree", entered_free, left_free},
    {"cudaFreeAsync", entered_free, left_free},
    {"cudaFreeHost", entered_free, left_free},
    {"cudaHostUnregister", entered_free, left_free},
    {"cudaDeviceReset", entered_reset, NULL},
    {"cudaDeviceSynchronize", NULL, left_device_wait},
    {"cudaStreamSynchronize", NULL, left_stream_wait},
    {"cudaStreamQuery", NULL, left_stream_wait},
    {"cudaEventSynchronize", NULL, left_event_wait},
    {"cudaEventQuery", NULL, left_event_wait},
    {"cudaEventRecord", NULL, left_record},
    {"cudaEventRecordWithFlags", NULL, left_record},
    {"cudaEventElapsedTime", NULL, left_elapsed},
};

static const struct handler *handler_of(const char *name)
{
    for (size_t i = 0; i < sizeof handlers / sizeof handlers[0]; i++)
        if (strcmp(handlers[i].name, name) == 0) return &handlers[i];
    return NULL;
}

/* True for calls that return an error code although they did not fail: they report the error of
 * another call, or they answer that work is not finished yet. */
static bool reports_another(const struct call *call)
{
    bool asked = call->code == cudaErrorNotReady && strstr(call->name, "Query") != NULL;
    return asked || strcmp(call->name, "cudaGetLastError") == 0 ||
           strcmp(call->name, "cudaPeekAtLastError") == 0;
}

/* The bytes that a failed allocation asked for; 0 for any other call. */
static size_t asked_bytes(const struct call *call, const struct handler *handler)
{
    if (handler == NULL) return 0;
    if (handler->left == left_malloc)
        return ((const cudaMalloc_v3020_params *)call->parameters)->size;
    if (handler->left != left_malloc_pitch) return 0;
    const cudaMallocPitch_v3020_params *pitched = call->parameters;
    return pitched->width * pitched->height;
}

static void failed(const struct call *call, const struct handler *handler)
{
    struct event event = event_of(EVENT_ERROR, call);
    event.name = interned(call->name);
    event.value = call->code;
    event.bytes = asked_bytes(call, handler);
    event_add(&event);
}

void call_entered(const struct call *call)
{
    const struct handler *handler = handler_of(call->name);
    if (handler == NULL || handler->entered == NULL) return;
    pthread_mutex_lock(&lock);
    handler->entered(call);
    pthread_mutex_unlock(&lock);
}

void call_left(const struct call *call)
{
    const struct handler *handler = handler_of(call->name);
    bool handled = handler != NULL && handler->left != NULL;
    pthread_mutex_lock(&lock);
    faults_of(call);
    if (call->code != 0 && !(handled && is_launch(handler->left))) {
        if (!reports_another(call)) failed(call, handler);
    } else if (handled) {
        handler->left(call);
    }
    pthread_mutex_unlock(&lock);
}

void calls_finish(void)
{
    pthread_mutex_lock(&lock);
    finish_locked();
    pthread_mutex_unlock(&lock);
}
