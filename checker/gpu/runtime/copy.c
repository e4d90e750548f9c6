/*
 * copy.c: copies. Each is checked as the real runtime checks it. A wrong direction, or an access
 * past the end of an allocation, is a fault. Memory of the program that is not the GPU's is read
 * and written by the program itself.
 */
#include "gpu/runtime/copy.h"

#include "gpu/memory/footprint.h"
#include "gpu/memory/memory.h"
#include "gpu/runtime/allocation.h"
#include "gpu/runtime/repeat.h"
#include "gpu/server/clock.h"
#include "gpu/server/modules.h"
#include "gpu/time/profile.h"

#include "trace/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the bus -------------------------------------------------------------------------------- */

/* Each direction has a copy engine, which does one copy after another. So copies of different
 * streams run at the same time only if their directions differ. While both directions are busy,
 * each is slower. */
struct bus_copy {
    bool to_device, pinned, async;
    double bytes;
};

static int64_t free_at[2]; /* when the engine of each direction has done all its copies */

/* A copy runs beside those of the other direction that are known when it starts. */
static double pinned_ns(const struct bus_copy *copy, int64_t start)
{
    const struct profile *gpu = profile();
    double starting = 1e3 * (copy->async ? gpu->pinned_start_us : gpu->transfer_start_us);
    double both_ns = (double)(free_at[!copy->to_device] - start) - starting;
    if (both_ns <= 0) return starting + copy->bytes / gpu->pinned_gbs;
    if (copy->bytes <= both_ns * gpu->pinned_both_gbs)
        return starting + copy->bytes / gpu->pinned_both_gbs;
    double left = copy->bytes - both_ns * gpu->pinned_both_gbs;
    return starting + both_ns + left / gpu->pinned_gbs;
}

/* Takes the engine for a copy that may begin at `start`, and moves `start` to the time when it does
 * begin. Returns the time when it ends. */
static int64_t bus_take(const struct bus_copy *copy, int64_t *start)
{
    const struct profile *gpu = profile();
    int64_t *engine = &free_at[copy->to_device];
    if (*engine > *start) *start = *engine;
    double ns = copy->pinned ? pinned_ns(copy, *start)
                             : 1e3 * gpu->transfer_start_us + copy->bytes / gpu->transfer_gbs;
    return *engine = *start + (int64_t)ns;
}

enum side side_of(uint64_t pointer)
{
    const struct ptx_variable *variable = module_variable_at(pointer);
    if (variable != NULL) return variable->managed ? SIDE_BOTH : SIDE_DEVICE;
    if (registered_how(pointer, 1) != REGISTERED_NOT) return SIDE_BOTH;
    if (!memory_owns(here(pointer))) return SIDE_HOST;
    const struct allocation *allocation = memory_find(here(pointer));
    return allocation != NULL && allocation->space != SPACE_DEVICE ? SIDE_BOTH : SIDE_DEVICE;
}

cudaError_t copy_refuse(const struct call *call, const char *name, uint64_t pointer, size_t bytes,
                        const char *detail)
{
    fault_here(name, call, pointer, bytes, "copy", detail);
    return cudaErrorInvalidValue;
}

/* ---- checks --------------------------------------------------------------------------------- */

size_t rows_extent(const struct rows *rows)
{
    if (rows->height == 0 || rows->width == 0) return 0;
    if (rows->pitch != 0 && (rows->height - 1) > (SIZE_MAX - rows->width) / rows->pitch)
        return SIZE_MAX;
    return (rows->height - 1) * rows->pitch + rows->width;
}

static cudaError_t refuse_size(const struct call *call, uint64_t at, size_t bytes, size_t held,
                               const char *of)
{
    char detail[150];
    snprintf(detail, sizeof detail, "the copy has %zu bytes, but %s has only %zu left", bytes, of,
             held);
    return copy_refuse(call, "copy-out-of-bounds", at, bytes, detail);
}

cudaError_t rows_check(const struct call *call, const struct rows *rows)
{
    uint64_t at = rows->at;
    size_t bytes = rows_extent(rows);
    const struct ptx_variable *variable = module_variable_at(at);
    if (variable != NULL) {
        size_t left = variable->address + variable->bytes - at;
        return bytes <= left ? cudaSuccess : refuse_size(call, at, bytes, left, "the variable");
    }
    if (!is_ours(at)) {
        if (registered_how(at, bytes) != REGISTERED_PARTLY) return cudaSuccess;
        return copy_refuse(call, "copy-out-of-bounds", at, bytes,
                           "only a part of the host memory that the copy uses is registered");
    }
    const struct allocation *allocation = memory_find(here(at));
    if (allocation == NULL || at >= (uintptr_t)allocation->base + allocation->bytes)
        return copy_refuse(call, "copy-out-of-bounds", at, bytes,
                           "this address does not belong to any allocation");
    if (allocation->freed)
        return copy_refuse(call, "use-after-free", at, bytes,
                           "the copy uses memory that was freed");
    size_t left = (uintptr_t)allocation->base + allocation->bytes - at;
    return bytes <= left ? cudaSuccess : refuse_size(call, at, bytes, left, "the allocation");
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

/* Pinned and registered memory counts as host memory. */
static bool is_hosts(uint64_t pointer)
{
    const struct allocation *allocation = memory_find(here(pointer));
    if (module_variable_at(pointer) != NULL) return false;
    if (registered_how(pointer, 1) != REGISTERED_NOT) return true;
    return allocation != NULL ? allocation->space == SPACE_PINNED : side_of(pointer) == SIDE_HOST;
}

/* The addresses give the direction of cudaMemcpyDefault, and, as in the real runtime, also of
 * cudaMemcpyHostToHost. */
static cudaMemcpyKind inferred_kind(const struct copy *copy)
{
    bool from_host = is_hosts(copy->from);
    if (is_hosts(copy->to)) return from_host ? cudaMemcpyHostToHost : cudaMemcpyDeviceToHost;
    return from_host ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToDevice;
}

static struct rows to_rows(const struct copy *copy)
{
    return (struct rows){copy->to, copy->to_pitch, copy->width, copy->height};
}

static struct rows from_rows(const struct copy *copy)
{
    return (struct rows){copy->from, copy->from_pitch, copy->width, copy->height};
}

cudaError_t copy_check(const struct call *call, struct copy *copy)
{
    static const char *const names[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                        "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice"};
    if (copy->stream == NULL) return cudaErrorInvalidResourceHandle;
    if (copy->width > copy->to_pitch || copy->width > copy->from_pitch)
        return cudaErrorInvalidPitchValue;
    if (copy->width == 0 || copy->height == 0) return cudaSuccess;
    if ((unsigned)copy->kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
    struct rows to = to_rows(copy), from = from_rows(copy);
    size_t bytes = copy->width * copy->height;
    if (rows_extent(&to) == SIZE_MAX || rows_extent(&from) == SIZE_MAX)
        return cudaErrorInvalidValue;
    if (copy->to == 0 || copy->from == 0)
        return copy_refuse(call, "null-pointer", 0, bytes,
                           copy->to == 0 ? "the destination is a null pointer"
                                         : "the source is a null pointer");
    if (copy->kind == cudaMemcpyDefault || copy->kind == cudaMemcpyHostToHost)
        copy->kind = inferred_kind(copy);

    const char *complaint = direction_complaint(copy);
    if (complaint != NULL) {
        char detail[150];
        snprintf(detail, sizeof detail, "%s, but the direction is %s", complaint,
                 names[copy->kind]);
        return copy_refuse(call, "copy-direction", copy->to, bytes, detail);
    }
    cudaError_t error = rows_check(call, &to);
    return error != cudaSuccess ? error : rows_check(call, &from);
}

/* ---- moving the bytes ----------------------------------------------------------------------- */

static void note_written(const struct copy *copy, size_t row)
{
    bool from_device =
        copy->kind == cudaMemcpyDeviceToHost || copy->kind == cudaMemcpyDeviceToDevice;
    void *to = here(copy->to + row * copy->to_pitch);
    const void *from = here(copy->from + row * copy->from_pitch);
    if (from_device && is_ours(copy->from)) {
        memory_written_as(to, from, copy->width);
        origin_copied(to, from, copy->width);
    } else {
        memory_written(to, copy->width);
        origin_host(to, copy->width);
    }
}

/* Has the program copy its side, or both. False: it has ended. */
static bool move_by_program(const struct copy *copy)
{
    struct rows to = to_rows(copy), from = from_rows(copy);
    bool own_to = is_ours(copy->to), own_from = is_ours(copy->from), done;
    if (!own_to) hazard_lift(copy->to, rows_extent(&to));
    if (!own_from) hazard_lift(copy->from, rows_extent(&from));
    if (own_to)
        done = call_read_rows(copy->from, copy->from_pitch, here(copy->to), copy->to_pitch,
                              copy->width, copy->height);
    else if (own_from)
        done = call_write_rows(copy->to, copy->to_pitch, here(copy->from), copy->from_pitch,
                               copy->width, copy->height);
    else
        done = call_move_rows(copy->to, copy->to_pitch, copy->from, copy->from_pitch, copy->width,
                              copy->height);
    if (!own_to) hazard_lower(copy->to, rows_extent(&to));
    if (!own_from) hazard_lower(copy->from, rows_extent(&from));
    return done;
}

static bool move_rows(const struct copy *copy)
{
    bool to = is_ours(copy->to), done = true;
    if (copy->kind == cudaMemcpyHostToDevice) memory_fetch(here(copy->to), true);
    if (!to || !is_ours(copy->from))
        done = move_by_program(copy);
    else
        for (size_t row = 0; row < copy->height; row++)
            memmove(here(copy->to + row * copy->to_pitch),
                    here(copy->from + row * copy->from_pitch), copy->width);
    for (size_t row = 0; to && row < copy->height; row++)
        note_written(copy, row);
    return done;
}

/* Saves the bytes that arrived on the host: those of the source, if that is the GPU's. */
static const char *snapshot_rows(const struct copy *copy)
{
    const char *at = here(copy->from);
    if (!is_ours(copy->from)) return NULL;
    if (copy->height == 1 || copy->from_pitch == copy->width)
        return trace_snapshot(at, copy->width * copy->height);
    char *rows = malloc(copy->width * copy->height);
    if (rows == NULL) return NULL;
    for (size_t row = 0; row < copy->height; row++)
        memcpy(rows + row * copy->width, at + row * copy->from_pitch, copy->width);
    const char *name = trace_snapshot(rows, copy->width * copy->height);
    free(rows);
    return name;
}

/* Does the destination already hold what the copy brings? Asked only if it is the GPU's. */
static bool is_repeated(const struct copy *copy)
{
    bool ours = is_ours(copy->from), same = is_ours(copy->to);
    char *row_here = ours ? NULL : malloc(copy->width);
    for (size_t row = 0; same && row < copy->height; row++) {
        uint64_t at = copy->from + row * copy->from_pitch;
        const void *from = ours ? here(at) : row_here;
        same = (ours || (row_here != NULL && call_read(at, row_here, copy->width))) &&
               memcmp(here(copy->to + row * copy->to_pitch), from, copy->width) == 0;
    }
    free(row_here);
    return same;
}

/* ---- records -------------------------------------------------------------------------------- */

void write_allocation(const char *key, uint64_t pointer, bool with_offset)
{
    const struct allocation *allocation = memory_find(here(pointer));
    if (allocation == NULL || allocation->space == SPACE_REGISTERED) return;
    trace_integer(key, (long long)allocation->id);
    if (with_offset) trace_integer("offset", (long long)(pointer - (uintptr_t)allocation->base));
}

/* Which launches wrote the copied bytes last, if all are known, and how many bytes each. */
static void write_writers(const struct origins *origins)
{
    int64_t launches[ORIGINS_MAX], bytes[ORIGINS_MAX], last = 0;
    for (size_t i = 0; i < origins->count; i++) {
        if (origins->list[i].launch == 0) return;
        launches[i] = (int64_t)repeat_latest(origins->list[i].launch);
        bytes[i] = (int64_t)origins->list[i].bytes;
        if (launches[i] > last) last = launches[i];
    }
    if (last == 0) return;
    trace_integer("last_kernel", last);
    trace_list("writers", launches, (unsigned)origins->count, UINT32_MAX);
    trace_list("written", bytes, (unsigned)origins->count, UINT32_MAX);
}

/* The number of copied bytes that a kernel wrote last, and which kernels. */
static void write_origin(const struct copy *copy)
{
    int64_t bytes = 0;
    struct origins origins = {.count = 0};
    for (size_t row = 0; row < copy->height; row++) {
        const void *from = here(copy->from + row * copy->from_pitch);
        int64_t in_row = origin_of(from, copy->width, &origins);
        if (in_row < 0) return;
        bytes += in_row;
    }
    trace_integer("kernel_bytes", bytes);
    write_writers(&origins);
}

/* Is the host's side of a copy pinned? */
static bool is_pinned(const struct copy *copy)
{
    uint64_t host = copy->kind == cudaMemcpyHostToDevice ? copy->from : copy->to;
    return side_of(host) != SIDE_HOST;
}

static void record_copy(const struct call *call, const struct copy *copy, const char *data,
                        int64_t start, int64_t end)
{
    static const char *const directions[] = {"h2h", "h2d", "d2h", "d2d"};
    cudaMemcpyKind kind = copy->kind;
    trace_begin("copy");
    trace_fields("direction:%s bytes:%zu", directions[kind], copy->width * copy->height);
    if (kind == cudaMemcpyHostToDevice) trace_fields("host:%lu", copy->from);
    if (kind == cudaMemcpyDeviceToHost) trace_fields("host:%lu", copy->to);
    if (kind == cudaMemcpyDeviceToHost && copy->height > 1 && copy->to_pitch != copy->width)
        trace_fields("row_bytes:%zu host_pitch:%zu", copy->width, copy->to_pitch);
    write_allocation("from", copy->from, kind == cudaMemcpyDeviceToHost);
    write_allocation("to", copy->to,
                     kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice);
    if (kind == cudaMemcpyDeviceToHost) write_origin(copy);
    if (data != NULL) trace_string("data", data);
    trace_fields("start:%ld end:%ld stream:%lld", start, end, copy->stream->number);
    trace_flag("async", copy->async);
    if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToHost)
        trace_flag("pinned", is_pinned(copy));
    call_source(call);
    trace_end();
}

/* ---- when ----------------------------------------------------------------------------------- */

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

void rows_touch(struct order_work *work, enum order_use use, const struct rows *rows)
{
    if (!memory_owns(here(rows->at))) return;
    for (size_t row = 0; row < rows->height; row++)
        order_touch(work, use, rows->at + row * rows->pitch, rows->width);
}

static void put_copy(const struct call *call, const struct copy *copy)
{
    struct order_work work = {.kind = ORDER_COPY, .location = call_location(call)};
    struct rows from = from_rows(copy), to = to_rows(copy);
    rows_touch(&work, ORDER_READ, &from);
    rows_touch(&work, ORDER_WRITE, &to);
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

void rows_hazard(const struct hazard_work *work, const struct rows *rows, bool writes)
{
    bool whole = rows->pitch == rows->width;
    if (side_of(rows->at) == SIDE_DEVICE) return;
    for (size_t row = 0; row < (whole ? 1 : rows->height); row++)
        hazard_use(work, rows->at + row * rows->pitch,
                   whole ? rows->width * rows->height : rows->width, writes);
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
    struct hazard_work work = {"copy", call_location(call).line, end};
    struct rows from = from_rows(copy), to = to_rows(copy);
    rows_hazard(&work, &from, false);
    rows_hazard(&work, &to, true);
}

static cudaError_t copy_again(const struct call *call, struct stream *stream, void *data)
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
    put_copy(call, &copy);
    if (!move_rows(&copy)) return cudaErrorUnknown;
    bool wanted = trace_is_open() && copy.kind == cudaMemcpyDeviceToHost;
    const char *data = wanted ? snapshot_rows(&copy) : NULL;
    stream_finish(copy.stream, end);
    if (trace_is_open()) record_copy(call, &copy, data, start, end);
    end_copy(call, &copy, end);
    return cudaSuccess;
}
