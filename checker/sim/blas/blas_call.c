/*
 * blas_call.c: a call of cuBLAS. Its scalars and operands are checked as if a kernel used them.
 * Like the program's own kernels, the call leaves a launch and a kernel in the trace.
 */
#include "sim/blas/blas_call.h"

#include "sim/api/api_call.h"
#include "sim/api/api_stream.h"
#include "sim/api/graph.h"
#include "sim/api/launch.h"
#include "sim/gpu/memory.h"
#include "sim/gpu/profile.h"
#include "sim/gpu/taint.h"
#include "sim/image/program.h"
#include "sim/image/source_line.h"
#include "sim/requests/fault.h"
#include "sim/requests/origin.h"
#include "sim/streams/host_hazards.h"
#include "trace/trace.h"
#include "warpup/runtime.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- pointers ------------------------------------------------------------------------------- */

static bool is_on_device_only(const void *pointer)
{
    const struct allocation *allocation = memory_find(pointer);
    return program_holds_variable(pointer, 1) ||
           (allocation != NULL && allocation->space == SPACE_DEVICE);
}

static bool is_on_device(const void *pointer)
{
    return program_holds_variable(pointer, 1) || memory_owns(pointer);
}

/* The call's kernel would end here. */
static void break_off(struct blas_call *call, const char *fault, const void *at, size_t bytes,
                      const char *kind, const char *detail)
{
    char text[200];
    snprintf(text, sizeof text, "%s: %s", call->name, detail);
    fault_here(fault, call->call.pc, at, bytes, kind, text);
    call->broken = true;
}

/* Does the pointer to a scalar lead to the side that the handle's pointer mode says? */
static bool check_side(struct blas_call *call, const char *name, const void *pointer)
{
    char detail[150];
    if (call->handle->pointer_mode == CUBLAS_POINTER_MODE_HOST && is_on_device_only(pointer)) {
        snprintf(
            detail, sizeof detail,
            "%s is a device pointer, but cublasSetPointerMode has not selected device pointers",
            name);
        break_off(call, "device-pointer-on-host", pointer, call->element, NULL, detail);
    } else if (call->handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE && !is_on_device(pointer)) {
        snprintf(detail, sizeof detail,
                 "%s is a host pointer, but cublasSetPointerMode has selected device pointers",
                 name);
        break_off(call, "host-pointer-in-kernel", NULL, call->element, NULL, detail);
    }
    return !call->broken;
}

double blas_scalar(struct blas_call *call, const char *name, const void *pointer)
{
    float single = 0;
    double value = 0;
    uint16_t half = 0;
    blas_demand(call, pointer != NULL);
    if (call->status != CUBLAS_STATUS_SUCCESS || !check_side(call, name, pointer)) return 0;
    hazard_open();
    if (call->element == sizeof half)
        memcpy(&half, pointer, sizeof half);
    else if (call->element == sizeof single)
        memcpy(&single, pointer, sizeof single);
    else
        memcpy(&value, pointer, sizeof value);
    hazard_close();
    if (call->element == sizeof half) return warpup_half_value(half);
    return call->element == sizeof single ? (double)single : value;
}

/* ---- operands ------------------------------------------------------------------------------- */

/* From the operand's first byte to its last. */
static size_t extent(const struct blas_operand *operand)
{
    int64_t elements = (operand->columns - 1) * operand->stride + operand->rows;
    return (size_t)elements * operand->element;
}

/* The name of the fault, with details, if no kernel could use the operand; else NULL. */
static const char *fault_of(const struct blas_operand *operand, size_t bytes, char *detail,
                            size_t room)
{
    const struct allocation *allocation = memory_find(operand->at);
    const char *at = operand->at, *name = operand->name;
    if (at == NULL) {
        snprintf(detail, room, "%s is a null pointer", name);
        return "null-pointer";
    }
    if (program_holds_variable(at, bytes)) return NULL;
    if (!memory_owns(at)) {
        snprintf(detail, room, "%s is a pointer to host memory", name);
        return "host-pointer-in-kernel";
    }
    if (allocation != NULL && allocation->freed) {
        snprintf(detail, room, "%s was freed before", name);
        return "use-after-free";
    }
    size_t held = 0;
    if (allocation != NULL && at < allocation->base + allocation->bytes)
        held = (size_t)(allocation->base + allocation->bytes - at);
    if (bytes <= held) return NULL;
    int length = snprintf(detail, room, "%s needs %zu bytes, but its allocation has only %zu left",
                          name, bytes, held);
    if (operand->columns > 1 && operand->stride > 1 && length > 0)
        snprintf(detail + length, room - (size_t)length,
                 ": it is %lld x %lld, with a stride of %lld", (long long)operand->rows,
                 (long long)operand->columns, (long long)operand->stride);
    return "out-of-bounds";
}

/* The first byte of piece `i` of an operand, and the bytes of each. */
static const char *piece_of(const struct blas_operand *operand, int64_t i, size_t *bytes)
{
    *bytes = (size_t)operand->rows * operand->element;
    return (const char *)operand->at + (size_t)(i * operand->stride) * operand->element;
}

/* Reports an operand that was not completely written. From then on it counts as written. */
static void check_written(struct blas_call *call, const struct blas_operand *operand)
{
    size_t bytes;
    char detail[150];
    if (!memory_owns(operand->at)) return;
    for (int64_t i = 0; i < operand->columns; i++) {
        const char *at = piece_of(operand, i, &bytes);
        if (memory_is_written(at, bytes)) continue;
        snprintf(detail, sizeof detail, "%s: %s holds elements that nothing has written",
                 call->name, operand->name);
        fault_here("uninitialised-read", call->call.pc, at, bytes, "load", detail);
        memory_written(operand->at, extent(operand));
        return;
    }
}

static void add_operand(struct blas_call *call, struct blas_operand *operand)
{
    char detail[150];
    operand->element = call->element;
    if (call->status != CUBLAS_STATUS_SUCCESS || call->broken) return;
    size_t bytes = extent(operand);
    const char *fault = fault_of(operand, bytes, detail, sizeof detail);
    if (fault != NULL) {
        break_off(call, fault, operand->at, bytes, operand->written ? "store" : "load", detail);
        return;
    }
    if (operand->read) check_written(call, operand);
    struct blas_operand *longer =
        realloc(call->operands, (size_t)(call->operand_count + 1) * sizeof *longer);
    if (longer == NULL) abort();
    call->operands = longer;
    longer[call->operand_count++] = *operand;
}

void blas_matrix(struct blas_call *call, const char *name, const void *at, int64_t rows,
                 int64_t columns, int64_t ld, bool read, bool written)
{
    if (rows == ld || columns == 1) { /* in one piece */
        rows *= columns;
        columns = 1;
    }
    add_operand(call, &(struct blas_operand){name, at, rows, columns, ld, read, written, 0});
}

void blas_vector(struct blas_call *call, const char *name, const void *at, int64_t n, int64_t inc,
                 bool read, bool written)
{
    int64_t stride = inc < 0 ? -inc : inc;
    if (stride == 0) n = 1;
    if (stride <= 1)
        add_operand(call, &(struct blas_operand){name, at, n, 1, 1, read, written, 0});
    else
        add_operand(call, &(struct blas_operand){name, at, 1, n, stride, read, written, 0});
}

/* ---- carrying it out ------------------------------------------------------------------------ */

bool blas_run(struct blas_call *call)
{
    if (call->status == CUBLAS_STATUS_SUCCESS && graph_is_captured(call->handle->stream)) {
        api_unknown("cuBLAS in a graph", source_line_caller_pc(call->call.pc));
        call->status = CUBLAS_STATUS_NOT_SUPPORTED;
    }
    if (call->status != CUBLAS_STATUS_SUCCESS || call->broken) return false;
    hazard_open();
    taint_alter(launch_next());
    call->running = true;
    return true;
}

void blas_result(struct blas_call *call, void *place, double value)
{
    float single = (float)value;
    if (!call->running || !check_side(call, "result", place)) return;
    bool on_host = call->handle->pointer_mode == CUBLAS_POINTER_MODE_HOST;
    if (!on_host) blas_vector(call, "result", place, 1, 1, false, true);
    if (call->broken) return;
    if (on_host) call->result = place;
    if (call->element == sizeof single)
        memcpy(place, &single, sizeof single);
    else
        memcpy(place, &value, sizeof value);
}

static void mark_written(const struct blas_call *call)
{
    size_t bytes;
    for (int i = 0; i < call->operand_count; i++)
        for (int64_t j = 0; call->operands[i].written && j < call->operands[i].columns; j++) {
            const char *at = piece_of(&call->operands[i], j, &bytes);
            memory_written(at, bytes);
            origin_kernel(at, bytes);
        }
}

/* Puts the call in flight. */
static void put_work(const struct blas_call *call)
{
    struct order_work work = {
        .kind = ORDER_LIBRARY, .launch = launch_next(), .pc = source_line_caller_pc(call->call.pc)};
    for (int i = 0; i < call->operand_count; i++) {
        const struct blas_operand *one = &call->operands[i];
        size_t bytes;
        for (int64_t j = 0; j < one->columns; j++) {
            const char *at = piece_of(one, j, &bytes);
            if (one->read) order_touch(&work, ORDER_READ, at, bytes);
            if (one->written) order_touch(&work, ORDER_WRITE, at, bytes);
        }
    }
    stream_put(call->handle->stream, &work);
}

/* ---- how long it takes ---------------------------------------------------------------------- */

/* Shares of the copy rate, measured on an H200: cublasSaxpy reaches 0.76 at 2^26 and at 2^30
 * elements, cublasSgemv 0.74 with a matrix of 134 MB and 0.99 with one of 4.3 GB. */
static const double STREAM_SHARE = 0.76, GEMV_LEAST = 0.74, GEMV_MOST = 0.99, GEMV_BYTES = 134e6;

/* The sizes of the part of a product that one block computes: profilers show kernels of cuBLAS with
 * names like sgemm_32x32, 64x64 and 128x128. A block goes through the terms of the sum in steps of
 * 8. It loads those of one step while it computes with those of the step before. CUTLASS, NVIDIA's
 * open library, does the same by default (GemmShape<128, 128, 8>, 2 stages). */
static const double TILES[] = {32, 64, 128}, DEPTH = 8;
enum { TILE_SIZES = sizeof TILES / sizeof TILES[0] };

static double bytes_of(const struct blas_call *call, bool written)
{
    double bytes = 0;
    for (int i = 0; i < call->operand_count; i++) {
        const struct blas_operand *one = &call->operands[i];
        if (written ? one->written : one->read)
            bytes += (double)one->rows * (double)one->columns * (double)one->element;
    }
    return bytes;
}

static double traffic(const struct blas_call *call)
{
    return bytes_of(call, false) + bytes_of(call, true);
}

static double gemm_blocks(const struct blas_work *work, double tile)
{
    double batches = work->batches > 1 ? work->batches : 1;
    return batches * ceil(work->m / tile) * ceil(work->n / tile);
}

/* With blocks that compute such a tile, in as many waves as the SMs need. A step of a block takes
 * the longer of two times: its arithmetic at one SM's share of the rate, and loading the next
 * step's data from the L2. */
static double tiled_ns(const struct blas_call *call, const struct blas_work *work, double tile)
{
    const struct profile *gpu = profile();
    double gflops = call->element == sizeof(float) ? gpu->sgemm_gflops : gpu->dgemm_gflops;
    double waves = ceil(gemm_blocks(work, tile) / gpu->sms), steps = ceil(work->k / DEPTH);
    double compute_ns = 2 * tile * tile * DEPTH / (gflops / gpu->sms);
    double fetch_ns = gpu->l2_latency_ns + gpu->l1_latency_ns + gpu->step_ns;
    return waves * steps * fmax(compute_ns, fetch_ns);
}

/* With the fastest tile, which cuBLAS chooses too; `blocks` is the number of its blocks. */
static double gemm_ns(const struct blas_call *call, const struct blas_work *work, double *blocks)
{
    double least = INFINITY;
    for (int i = 0; i < TILE_SIZES; i++) {
        double ns = tiled_ns(call, work, TILES[i]);
        if (ns > least) continue;
        least = ns;
        *blocks = gemm_blocks(work, TILES[i]);
    }
    return fmax(least, traffic(call) / profile()->stream_gbs);
}

static double streaming_ns(const struct blas_call *call, enum blas_kind kind)
{
    double bytes = traffic(call), share = STREAM_SHARE;
    if (kind == BLAS_GEMV)
        share = GEMV_MOST - (GEMV_MOST - GEMV_LEAST) * fmin(1, GEMV_BYTES / fmax(bytes, 1));
    return bytes / (share * profile()->copy_gbs);
}

/* The operands of the call are in use until the program has waited for it. */
static void note_hazards(const struct blas_call *call, int64_t done)
{
    struct hazard_work work = {call->name, api_line(&call->call), done};
    for (int i = 0; i < call->operand_count && !call->broken; i++) {
        const struct blas_operand *one = &call->operands[i];
        size_t bytes;
        if (is_on_device_only(one->at)) continue;
        for (int64_t j = 0; j < one->columns; j++) {
            const char *at = piece_of(one, j, &bytes);
            hazard_use(&work, at, bytes, one->written);
        }
    }
}

/* The library itself copies a result to the host. */
static void record_result(const struct blas_call *call, int64_t time)
{
    if (!trace_is_open()) return;
    const char *data = trace_snapshot(call->result, call->element);
    trace_begin("copy");
    trace_fields("direction:%s bytes:%zu host:%lu kernel_bytes:%zu", "d2h", call->element,
                 (uintptr_t)call->result, call->element);
    if (data != NULL) trace_string("data", data);
    trace_fields("start:%ld end:%ld stream:%lld", time, time, stream_number(call->handle->stream));
    trace_flag("async", false);
    api_source(&call->call);
    trace_end();
}

static cublasStatus_t end_call(struct blas_call *call, const struct blas_work *work)
{
    if (call->running) {
        put_work(call);
        mark_written(call);
        taint_restore();
        hazard_close();
    }
    if (work == NULL || call->status != CUBLAS_STATUS_SUCCESS) return blas_finish(call);
    double blocks = ceil(traffic(call) / (64 << 10));
    double ns =
        work->kind == BLAS_GEMM ? gemm_ns(call, work, &blocks) : streaming_ns(call, work->kind);
    struct library_kernel kernel = {.library = "cublas",
                                    .name = call->name,
                                    .blocks = (uint64_t)fmin(fmax(blocks, 1), INT32_MAX),
                                    .stream = call->handle->stream,
                                    .load_bytes = bytes_of(call, false),
                                    .store_bytes = bytes_of(call, true),
                                    .ns = profile()->kernel_start_ns + ns,
                                    .error = call->broken ? cudaErrorIllegalAddress : cudaSuccess};
    int64_t done = launch_library(&call->call, &kernel);
    if (call->result != NULL) {
        stream_wait_until(done);
        stream_wait(call->handle->stream);
        record_result(call, done);
    } else {
        note_hazards(call, done);
    }
    return blas_finish(call);
}

cublasStatus_t blas_end(struct blas_call *call, const struct blas_work *work)
{
    cublasStatus_t status = end_call(call, work);
    free(call->operands);
    call->operands = NULL;
    return status;
}
