/*
 * api_copy.c: copies and fills. Each is checked as the real runtime checks it. A wrong direction,
 * or an access past the end of an allocation, is a fault.
 */
#include "sim/api/api_copy.h"

#include "sim/api/api_stream.h"
#include "sim/api/bus.h"
#include "sim/api/graph.h"
#include "sim/gpu/clock.h"
#include "sim/gpu/memory.h"
#include "sim/gpu/profile.h"
#include "sim/image/program.h"
#include "sim/requests/fault.h"
#include "sim/requests/origin.h"
#include "sim/streams/host_hazards.h"

#include "trace/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The side of the bus that a pointer leads to. Managed and pinned memory is on both sides. */
enum side { SIDE_HOST, SIDE_DEVICE, SIDE_BOTH };

static enum side side_of(const void *pointer)
{
    if (program_holds_variable(pointer, 1)) return SIDE_DEVICE;
    if (!memory_owns(pointer)) return SIDE_HOST;
    const struct allocation *allocation = memory_find(pointer);
    return allocation != NULL && allocation->space != SPACE_DEVICE ? SIDE_BOTH : SIDE_DEVICE;
}

static cudaError_t refuse(const struct call *call, const char *name, const void *pointer,
                          size_t bytes, const char *detail)
{
    fault_here(name, call->pc, pointer, bytes, "copy", detail);
    return cudaErrorInvalidValue;
}

/* ---- checks --------------------------------------------------------------------------------- */

/* The bytes from the first of the first row to the last of the last. */
static size_t extent(size_t pitch, size_t width, size_t height)
{
    return height == 0 || width == 0 ? 0 : (height - 1) * pitch + width;
}

/* Does the simulated GPU's memory at `pointer` hold this many bytes? */
static cudaError_t check_bounds(const struct call *call, const char *pointer, size_t bytes)
{
    const struct allocation *allocation = memory_find(pointer);
    if (!memory_owns(pointer)) return cudaSuccess;
    if (allocation == NULL || pointer >= allocation->base + allocation->bytes)
        return refuse(call, "copy-out-of-bounds", pointer, bytes,
                      "this address does not belong to any allocation");
    if (allocation->freed)
        return refuse(call, "use-after-free", pointer, bytes,
                      "the copy uses memory that was freed");
    size_t held = (size_t)(allocation->base + allocation->bytes - pointer);
    if (bytes <= held) return cudaSuccess;
    char detail[150];
    snprintf(detail, sizeof detail, "the copy has %zu bytes, but the allocation has only %zu left",
             bytes, held);
    return refuse(call, "copy-out-of-bounds", pointer, bytes, detail);
}

static const char *direction_complaint(const struct copy *copy)
{
    enum side to = side_of(copy->to), from = side_of(copy->from);
    bool to_device = copy->kind == cudaMemcpyHostToDevice || copy->kind == cudaMemcpyDeviceToDevice;
    bool from_device =
        copy->kind == cudaMemcpyDeviceToHost || copy->kind == cudaMemcpyDeviceToDevice;
    if (to_device && to == SIDE_HOST) return "the destination is host memory";
    if (!to_device && to == SIDE_DEVICE) return "the destination is device memory";
    if (from_device && from == SIDE_HOST) return "the source is host memory";
    if (!from_device && from == SIDE_DEVICE) return "the source is device memory";
    return NULL;
}

/* The addresses give the direction of cudaMemcpyDefault, and, as in the real runtime, also of
 * cudaMemcpyHostToHost. Pinned memory then counts as host memory. */
static cudaMemcpyKind inferred_kind(const struct copy *copy)
{
    const struct allocation *to = memory_find(copy->to), *from = memory_find(copy->from);
    bool to_host = to != NULL ? to->space == SPACE_PINNED : side_of(copy->to) == SIDE_HOST;
    bool from_host = from != NULL ? from->space == SPACE_PINNED : side_of(copy->from) == SIDE_HOST;
    if (to_host) return from_host ? cudaMemcpyHostToHost : cudaMemcpyDeviceToHost;
    return from_host ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToDevice;
}

cudaError_t copy_check(const struct call *call, struct copy *copy)
{
    static const char *const names[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                        "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice"};
    if (!stream_is_valid(copy->stream)) return cudaErrorInvalidResourceHandle;
    if (copy->width > copy->to_pitch || copy->width > copy->from_pitch)
        return cudaErrorInvalidPitchValue;
    if (copy->width == 0 || copy->height == 0) return cudaSuccess;
    if ((unsigned)copy->kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
    if (copy->to == NULL || copy->from == NULL)
        return refuse(call, "null-pointer", NULL, copy->width * copy->height,
                      copy->to == NULL ? "the destination is a null pointer"
                                       : "the source is a null pointer");
    if (copy->kind == cudaMemcpyDefault || copy->kind == cudaMemcpyHostToHost)
        copy->kind = inferred_kind(copy);

    const char *complaint = direction_complaint(copy);
    if (complaint != NULL) {
        char detail[150];
        snprintf(detail, sizeof detail, "%s, but the direction is %s", complaint,
                 names[copy->kind]);
        return refuse(call, "copy-direction", copy->to, copy->width * copy->height, detail);
    }
    cudaError_t error =
        check_bounds(call, copy->to, extent(copy->to_pitch, copy->width, copy->height));
    if (error != cudaSuccess) return error;
    return check_bounds(call, copy->from, extent(copy->from_pitch, copy->width, copy->height));
}

/* ---- doing it ------------------------------------------------------------------------------- */

static void move_rows(const struct copy *copy)
{
    bool from_device =
        copy->kind == cudaMemcpyDeviceToHost || copy->kind == cudaMemcpyDeviceToDevice;
    if (copy->kind == cudaMemcpyHostToDevice) memory_fetch(copy->to, true);
    for (size_t row = 0; row < copy->height; row++) {
        char *to = copy->to + row * copy->to_pitch;
        const char *from = copy->from + row * copy->from_pitch;
        memmove(to, from, copy->width);
        if (from_device) {
            memory_written_as(to, from, copy->width);
            origin_copied(to, from, copy->width);
        } else {
            memory_written(to, copy->width);
            origin_host(to, copy->width);
        }
    }
}

/* Saves the bytes that arrived on the host. */
static const char *snapshot_rows(const struct copy *copy)
{
    if (copy->height == 1 || copy->to_pitch == copy->width)
        return trace_snapshot(copy->to, copy->width * copy->height);
    char *rows = malloc(copy->width * copy->height);
    if (rows == NULL) return NULL;
    for (size_t row = 0; row < copy->height; row++)
        memcpy(rows + row * copy->width, copy->to + row * copy->to_pitch, copy->width);
    const char *name = trace_snapshot(rows, copy->width * copy->height);
    free(rows);
    return name;
}

static void write_allocation(const char *key, const char *pointer, bool with_offset)
{
    const struct allocation *allocation = memory_find(pointer);
    if (allocation == NULL) return;
    trace_integer(key, (long long)allocation->id);
    if (with_offset) trace_integer("offset", pointer - allocation->base);
}

/* The number of copied bytes that a kernel wrote last, and which kernel. */
static void write_origin(const struct copy *copy)
{
    int64_t bytes = 0;
    uint64_t launch = 0;
    for (size_t row = 0; row < copy->height; row++) {
        const char *from = copy->from + row * copy->from_pitch;
        int64_t here = origin_kernel_bytes(from, copy->width);
        uint64_t last = origin_launch(from, copy->width);
        if (here < 0) return;
        bytes += here;
        if (last == 0 && here > 0) launch = UINT64_MAX;
        if (last > launch) launch = last;
    }
    trace_integer("kernel_bytes", bytes);
    if (launch != 0 && launch != UINT64_MAX) trace_integer("last_kernel", (long long)launch);
}

/* Is the host's side of a copy pinned? */
static bool is_pinned(const struct copy *copy)
{
    const char *host = copy->kind == cudaMemcpyHostToDevice ? copy->from : copy->to;
    cudaPointerAttributes attributes;
    return cudaPointerGetAttributes(&attributes, host) == cudaSuccess &&
           attributes.type != cudaMemoryTypeUnregistered;
}

static void record_copy(const struct call *call, const struct copy *copy, const char *data,
                        int64_t start, int64_t end)
{
    static const char *const directions[] = {"h2h", "h2d", "d2h", "d2d"};
    cudaMemcpyKind kind = copy->kind;
    trace_begin("copy");
    trace_fields("direction:%s bytes:%zu", directions[kind], copy->width * copy->height);
    if (kind == cudaMemcpyHostToDevice) trace_fields("host:%lu", (uintptr_t)copy->from);
    if (kind == cudaMemcpyDeviceToHost) trace_fields("host:%lu", (uintptr_t)copy->to);
    if (kind == cudaMemcpyDeviceToHost && copy->height > 1 && copy->to_pitch != copy->width)
        trace_fields("row_bytes:%zu host_pitch:%zu", copy->width, copy->to_pitch);
    write_allocation("from", copy->from, kind == cudaMemcpyDeviceToHost);
    write_allocation("to", copy->to,
                     kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice);
    if (kind == cudaMemcpyDeviceToHost) write_origin(copy);
    if (data != NULL) trace_string("data", data);
    trace_fields("start:%ld end:%ld stream:%lld", start, end, stream_number(copy->stream));
    trace_flag("async", copy->async);
    if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToHost)
        trace_flag("pinned", is_pinned(copy));
    api_source(call);
    trace_end();
}

/* Does the host go on before the copy is done? Only if its memory is pinned. */
static bool host_goes_on(const struct copy *copy)
{
    if (copy->kind == cudaMemcpyDeviceToDevice) return true;
    return copy->async && is_pinned(copy);
}

/* Finds out when a copy runs that may begin at `start`, and returns when it ends. */
static int64_t copy_end(const struct copy *copy, int64_t *start)
{
    const struct profile *gpu = profile();
    double bytes = (double)copy->width * (double)copy->height;
    if (copy->kind == cudaMemcpyDeviceToDevice)
        return *start + (int64_t)(gpu->kernel_start_ns + 2 * bytes / gpu->copy_gbs);
    struct bus_copy over = {copy->kind == cudaMemcpyHostToDevice, is_pinned(copy), copy->async,
                            bytes};
    return bus_take(&over, start);
}

/* Does the destination already hold what the copy brings? */
static bool is_repeated(const struct copy *copy)
{
    size_t row = 0;
    while (row < copy->height && memcmp(copy->to + row * copy->to_pitch,
                                        copy->from + row * copy->from_pitch, copy->width) == 0)
        row++;
    return row == copy->height;
}

/* Puts the copy in flight. Device memory is open. */
static void put_copy(const struct call *call, const struct copy *copy)
{
    struct order_work work = {.kind = ORDER_COPY, .pc = call->pc};
    for (size_t row = 0; row < copy->height; row++) {
        order_touch(&work, ORDER_READ, copy->from + row * copy->from_pitch, copy->width);
        order_touch(&work, ORDER_WRITE, copy->to + row * copy->to_pitch, copy->width);
    }
    work.repeats = order_has_company(stream_before(copy->stream)) && is_repeated(copy);
    stream_put(copy->stream, &work);
}

/* The host has waited for a copy. An asynchronous copy from pageable memory is an exception: its
 * data has left the host's memory, but is still in flight. */
static void wait_for_copy(const struct copy *copy, int64_t end)
{
    clock_wait_until(end);
    if (!copy->async || copy->kind != cudaMemcpyHostToDevice) stream_wait(copy->stream);
}

/* Notes one side of a copy that the host does not wait for, if the host can access that side. */
static void note_hazard(const struct hazard_work *work, const struct copy *copy, const char *at,
                        size_t pitch, bool writes)
{
    bool whole = pitch == copy->width;
    if (side_of(at) == SIDE_DEVICE) return;
    for (size_t row = 0; row < (whole ? 1 : copy->height); row++)
        hazard_use(work, at + row * pitch, whole ? copy->width * copy->height : copy->width,
                   writes);
}

/* After a plain copy the host has waited for it. CUDA does not promise this for managed and pinned
 * memory; here it counts for all. */
static void end_copy(const struct call *call, const struct copy *copy, int64_t end)
{
    if (!host_goes_on(copy)) wait_for_copy(copy, end);
    if (!copy->async || !host_goes_on(copy)) {
        hazard_over(end);
        return;
    }
    struct hazard_work work = {"copy", api_line(call), end};
    note_hazard(&work, copy, copy->from, copy->from_pitch, false);
    note_hazard(&work, copy, copy->to, copy->to_pitch, true);
}

static cudaError_t copy_again(const struct call *call, cudaStream_t stream, void *data)
{
    struct copy copy = *(const struct copy *)data;
    copy.stream = stream;
    return copy_run(call, copy);
}

struct graph_job copy_job(struct copy *copy)
{
    return (struct graph_job){cudaGraphNodeTypeMemcpy, copy_again, copy, sizeof *copy};
}

cudaError_t copy_run(const struct call *call, struct copy copy)
{
    cudaError_t error = copy_check(call, &copy);
    if (error == cudaSuccess && !copy.async) error = graph_forbids(cudaErrorStreamCaptureImplicit);
    if (error != cudaSuccess || copy.width == 0 || copy.height == 0) return error;
    if (graph_is_captured(copy.stream))
        return graph_capture(call, copy.stream, graph_kept(copy_job(&copy)));
    int64_t start = stream_start(copy.stream), end = copy_end(&copy, &start);
    hazard_open();
    put_copy(call, &copy);
    move_rows(&copy);
    bool wanted = trace_is_open() && copy.kind == cudaMemcpyDeviceToHost;
    const char *data = wanted ? snapshot_rows(&copy) : NULL;
    hazard_close();
    stream_finish(copy.stream, end);
    if (trace_is_open()) record_copy(call, &copy, data, start, end);
    end_copy(call, &copy, end);
    return cudaSuccess;
}

/* A call, and its asynchronous form, which has a stream as its last parameter. */
#define BOTH(name, expression, ...)                                                                \
    cudaError_t name(__VA_ARGS__)                                                                  \
    {                                                                                              \
        const cudaStream_t stream = NULL;                                                          \
        const bool async = false;                                                                  \
        API_AS(#name, expression);                                                                 \
    }                                                                                              \
    cudaError_t name##Async(__VA_ARGS__, cudaStream_t stream)                                      \
    {                                                                                              \
        const bool async = true;                                                                   \
        API_AS(#name "Async", expression);                                                         \
    }                                                                                              \
    _Static_assert(1, "the calls end with a semicolon")

BOTH(cudaMemcpy,
     copy_run(&call, (struct copy){to, from, bytes, 1, bytes, bytes, kind, stream, async}),
     void *to, const void *from, size_t bytes, cudaMemcpyKind kind);
BOTH(cudaMemcpy2D,
     copy_run(&call,
              (struct copy){to, from, width, height, to_pitch, from_pitch, kind, stream, async}),
     void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
     cudaMemcpyKind kind);

/* ---- fills ---------------------------------------------------------------------------------- */

/* A fill: `height` rows of `width` bytes, elements of 1, 2 or 4 bytes. */
struct fill {
    char *to;
    size_t pitch, width, height;
    unsigned value, element;
    cudaStream_t stream;
    bool async;
};

static void fill_row(char *to, const struct fill *fill)
{
    for (size_t i = 0; fill->element > 1 && i < fill->width; i += fill->element)
        memcpy(to + i, &fill->value, fill->element);
    if (fill->element == 1) memset(to, (int)(fill->value & 255), fill->width);
    memory_written(to, fill->width);
    origin_host(to, fill->width);
}

static void fill_rows(const struct fill *fill)
{
    hazard_open();
    for (size_t row = 0; row < fill->height; row++)
        fill_row(fill->to + row * fill->pitch, fill);
    hazard_close();
}

/* The host waits for a fill of memory that it can access too, unless the fill is asynchronous. */
static void end_fill(const struct call *call, const struct fill *fill, int64_t end)
{
    if (side_of(fill->to) == SIDE_DEVICE) return;
    if (!fill->async) {
        stream_wait_until(end);
        stream_wait(fill->stream);
        return;
    }
    struct hazard_work work = {"fill", api_line(call), end};
    struct copy side = {.width = fill->width, .height = fill->height};
    note_hazard(&work, &side, fill->to, fill->pitch, true);
}

static cudaError_t check_fill(const struct call *call, const struct fill *fill)
{
    size_t bytes = fill->width * fill->height;
    if (!stream_is_valid(fill->stream)) return cudaErrorInvalidResourceHandle;
    if (fill->width > fill->pitch) return cudaErrorInvalidPitchValue;
    if (bytes == 0) return cudaSuccess;
    if (fill->to == NULL) return refuse(call, "null-pointer", NULL, bytes, "the pointer is null");
    if (side_of(fill->to) == SIDE_HOST)
        return refuse(call, "copy-direction", fill->to, bytes, "the pointer leads to host memory");
    return check_bounds(call, fill->to, extent(fill->pitch, fill->width, fill->height));
}

static void record_fill(const struct call *call, const struct fill *fill, int64_t start,
                        int64_t end)
{
    trace_begin("set");
    write_allocation("to", fill->to, true);
    trace_fields("bytes:%zu value:%d start:%ld end:%ld stream:%lld", fill->width * fill->height,
                 fill->value & 255, start, end, stream_number(fill->stream));
    api_source(call);
    trace_end();
}

static cudaError_t do_fill(const struct call *call, struct fill fill);

static cudaError_t fill_again(const struct call *call, cudaStream_t stream, void *data)
{
    struct fill fill = *(const struct fill *)data;
    fill.stream = stream;
    return do_fill(call, fill);
}

static struct graph_job job_of_fill(struct fill *fill)
{
    return (struct graph_job){cudaGraphNodeTypeMemset, fill_again, fill, sizeof *fill};
}

static cudaError_t do_fill(const struct call *call, struct fill fill)
{
    double bytes = (double)fill.width * (double)fill.height;
    cudaError_t error = check_fill(call, &fill);
    if (error == cudaSuccess && !fill.async) error = graph_forbids(cudaErrorStreamCaptureImplicit);
    if (error != cudaSuccess || bytes == 0) return error;
    if (graph_is_captured(fill.stream))
        return graph_capture(call, fill.stream, graph_kept(job_of_fill(&fill)));
    int64_t start = stream_start(fill.stream);
    int64_t end = start + (int64_t)(profile()->kernel_start_ns + bytes / profile()->peak_gbs);
    struct order_work work = {.kind = ORDER_FILL, .pc = call->pc};
    for (size_t row = 0; row < fill.height; row++)
        order_touch(&work, ORDER_WRITE, fill.to + row * fill.pitch, fill.width);
    stream_put(fill.stream, &work);
    fill_rows(&fill);
    stream_finish(fill.stream, end);
    record_fill(call, &fill, start, end);
    end_fill(call, &fill, end);
    return cudaSuccess;
}

BOTH(cudaMemset,
     do_fill(&call, (struct fill){to, bytes, bytes, 1, (unsigned)value, 1, stream, async}),
     void *to, int value, size_t bytes);
BOTH(cudaMemset2D,
     do_fill(&call, (struct fill){to, pitch, width, height, (unsigned)value, 1, stream, async}),
     void *to, size_t pitch, int value, size_t width, size_t height);

static cudaError_t add_fill_node(const struct call *call, cudaGraphNode_t *node, cudaGraph_t graph,
                                 const cudaGraphNode_t *before, size_t count,
                                 const struct cudaMemsetParams *params)
{
    if (params == NULL ||
        (params->elementSize != 1 && params->elementSize != 2 && params->elementSize != 4))
        return cudaErrorInvalidValue;
    size_t width = params->width * params->elementSize;
    struct fill fill = {.to = params->dst,
                        .pitch = params->height > 1 ? params->pitch : width,
                        .width = width,
                        .height = params->height,
                        .value = params->value,
                        .element = params->elementSize,
                        .async = true};
    cudaError_t error = check_fill(call, &fill);
    if (error != cudaSuccess) return error;
    return graph_add(call, node, graph, before, count, graph_kept(job_of_fill(&fill)));
}

CALL(cudaGraphAddMemsetNode,
     (cudaGraphNode_t * node, cudaGraph_t graph, const cudaGraphNode_t *before, size_t count,
      const struct cudaMemsetParams *params),
     add_fill_node(&call, node, graph, before, count, params));

/* ---- symbols -------------------------------------------------------------------------------- */

/* A copy to or from a part of a device variable; NULL in the place of the variable's end. */
static cudaError_t copy_symbol(const struct call *call, const void *symbol, size_t offset,
                               struct copy copy)
{
    char *address;
    size_t held;
    bool to_symbol = copy.to == NULL;
    if (!program_device_variable(symbol, &address, &held)) return cudaErrorInvalidSymbol;
    if (offset > held || copy.width > held - offset) {
        char detail[150];
        snprintf(detail, sizeof detail,
                 "the copy has %zu bytes from byte %zu on, but the variable has only %zu",
                 copy.width, offset, held);
        return refuse(call, "copy-out-of-bounds", address, copy.width, detail);
    }
    if (copy.kind == (to_symbol ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice) ||
        copy.kind == cudaMemcpyHostToHost)
        return cudaErrorInvalidMemcpyDirection;
    if (to_symbol)
        copy.to = address + offset;
    else
        copy.from = address + offset;
    return copy_run(call, copy);
}

BOTH(cudaMemcpyToSymbol,
     copy_symbol(&call, symbol, offset,
                 (struct copy){NULL, from, bytes, 1, bytes, bytes, kind, stream, async}),
     const void *symbol, const void *from, size_t bytes, size_t offset, cudaMemcpyKind kind);
BOTH(cudaMemcpyFromSymbol,
     copy_symbol(&call, symbol, offset,
                 (struct copy){to, NULL, bytes, 1, bytes, bytes, kind, stream, async}),
     void *to, const void *symbol, size_t bytes, size_t offset, cudaMemcpyKind kind);

static cudaError_t symbol_place(void **address, size_t *bytes, const void *symbol)
{
    char *found;
    size_t held;
    if (address == NULL && bytes == NULL) return cudaErrorInvalidValue;
    if (!program_device_variable(symbol, &found, &held)) return cudaErrorInvalidSymbol;
    if (address != NULL) *address = found;
    if (bytes != NULL) *bytes = held;
    return cudaSuccess;
}

CALL(cudaGetSymbolAddress, (void **address, const void *symbol),
     symbol_place(address, NULL, symbol));
CALL(cudaGetSymbolSize, (size_t * bytes, const void *symbol), symbol_place(NULL, bytes, symbol));
