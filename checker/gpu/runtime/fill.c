/*
 * fill.c: fills: cudaMemset and its like, and fills that are nodes of a graph.
 */
#include "gpu/runtime/copy.h"

#include "gpu/memory/footprint.h"
#include "gpu/memory/memory.h"
#include "gpu/runtime/allocation.h"
#include "gpu/time/profile.h"

#include "trace/trace.h"

#include <string.h>

/* A fill: `height` rows of `width` bytes, elements of 1, 2 or 4 bytes. */
struct fill {
    struct rows rows;
    unsigned value, element;
    struct stream *stream; /* NULL: the program named none that there is */
    bool async;
};

static void fill_row(char *to, const struct fill *fill)
{
    size_t width = fill->rows.width;
    for (size_t i = 0; fill->element > 1 && i < width; i += fill->element)
        memcpy(to + i, &fill->value, fill->element);
    if (fill->element == 1) memset(to, (int)(fill->value & 255), width);
    memory_written(to, width);
    origin_host(to, width);
}

/* The host waits for a fill of memory that it can access too, unless the fill is asynchronous. */
static void end_fill(const struct call *call, const struct fill *fill, int64_t end)
{
    if (side_of(fill->rows.at) == SIDE_DEVICE) return;
    if (!fill->async) {
        stream_wait_until(end);
        stream_wait(fill->stream);
        return;
    }
    struct hazard_work work = {"fill", call_location(call).line, end};
    rows_hazard(&work, &fill->rows, true);
}

static cudaError_t check(const struct call *call, const struct fill *fill)
{
    size_t bytes = fill->rows.width * fill->rows.height;
    if (fill->stream == NULL) return cudaErrorInvalidResourceHandle;
    if (fill->rows.width > fill->rows.pitch) return cudaErrorInvalidPitchValue;
    if (fill->rows.width == 0 || fill->rows.height == 0) return cudaSuccess;
    if (rows_extent(&fill->rows) == SIZE_MAX) return cudaErrorInvalidValue;
    if (fill->rows.at == 0)
        return copy_refuse(call, "null-pointer", 0, bytes, "the pointer is null");
    if (side_of(fill->rows.at) == SIDE_HOST)
        return copy_refuse(call, "copy-direction", fill->rows.at, bytes,
                           "the pointer leads to host memory");
    return rows_check(call, &fill->rows);
}

static void record(const struct call *call, const struct fill *fill, int64_t start, int64_t end)
{
    trace_begin("set");
    write_allocation("to", fill->rows.at, true);
    trace_fields("bytes:%zu value:%d start:%ld end:%ld stream:%lld",
                 fill->rows.width * fill->rows.height, fill->value & 255, start, end,
                 fill->stream->number);
    call_source(call);
    trace_end();
}

static cudaError_t run(const struct call *call, struct fill fill);

static cudaError_t fill_again(const struct call *call, struct stream *stream, void *data)
{
    struct fill fill = *(const struct fill *)data;
    fill.stream = stream;
    return run(call, fill);
}

static struct graph_job job_of(struct fill *fill)
{
    return (struct graph_job){cudaGraphNodeTypeMemset, fill_again, fill, sizeof *fill};
}

static cudaError_t run(const struct call *call, struct fill fill)
{
    double bytes = (double)fill.rows.width * (double)fill.rows.height;
    cudaError_t error = check(call, &fill);
    if (error == cudaSuccess && !fill.async) error = graph_forbids(cudaErrorStreamCaptureImplicit);
    if (error != cudaSuccess || bytes == 0) return error;
    if (graph_is_captured(fill.stream))
        return graph_capture(call, fill.stream, graph_kept(job_of(&fill)));
    if (!registered_share(call, fill.rows.at)) return cudaErrorNotSupported;
    int64_t start = stream_start(fill.stream);
    int64_t end = start + (int64_t)(profile()->kernel_start_ns + bytes / profile()->peak_gbs);
    struct order_work work = {.kind = ORDER_FILL, .location = call_location(call)};
    rows_touch(&work, ORDER_WRITE, &fill.rows);
    stream_put(fill.stream, &work);
    for (size_t row = 0; row < fill.rows.height; row++)
        fill_row((char *)here(gpu_address(fill.rows.at)) + row * fill.rows.pitch, &fill);
    stream_finish(fill.stream, end);
    record(call, &fill, start, end);
    end_fill(call, &fill, end);
    return cudaSuccess;
}

cudaError_t serve_cudaMemset2D(struct call *call, uint64_t to, size_t pitch, int value,
                               size_t width, size_t height, uint64_t stream)
{
    return run(call, (struct fill){.rows = {to, pitch, width, height},
                                   .value = (unsigned)value,
                                   .element = 1,
                                   .stream = stream_find(call, stream),
                                   .async = call->async});
}

cudaError_t serve_cudaMemset(struct call *call, uint64_t to, int value, size_t bytes,
                             uint64_t stream)
{
    return serve_cudaMemset2D(call, to, bytes, value, bytes, 1, stream);
}

cudaError_t serve_cudaGraphAddMemsetNode(struct call *call, uint64_t *node, uint64_t graph,
                                         const uint64_t *before, size_t count,
                                         const cudaMemsetParams *params)
{
    if (params == NULL) return cudaErrorInvalidValue;
    unsigned element = params->elementSize;
    if (element != 1 && element != 2 && element != 4) return cudaErrorInvalidValue;
    if (params->width > SIZE_MAX / element) return cudaErrorInvalidValue;
    size_t width = params->width * element;
    struct fill fill = {.rows = {(uintptr_t)params->dst, params->height > 1 ? params->pitch : width,
                                 width, params->height},
                        .value = params->value,
                        .element = element,
                        .stream = stream_default(),
                        .async = true};
    cudaError_t error = check(call, &fill);
    return error != cudaSuccess
               ? error
               : graph_add_node(call, node, graph, before, count, graph_kept(job_of(&fill)));
}
