/*
 * call.c: a call of cuBLAS. Its scalars and operands are checked as if a kernel used them.
 * Like the program's own kernels, the call leaves a launch and a kernel in the trace.
 */
#include "gpu/blas/call.h"

#include "gpu/memory/fault.h"
#include "gpu/memory/footprint.h"
#include "gpu/memory/memory.h"
#include "gpu/memory/perturb.h"
#include "gpu/runtime/copy.h"
#include "gpu/runtime/graph.h"
#include "gpu/runtime/hazards.h"
#include "gpu/runtime/launch.h"
#include "gpu/server/clock.h"
#include "gpu/server/modules.h"
#include "gpu/time/profile.h"
#include "gpu/warp/half.h"

#include "trace/trace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- pointers ------------------------------------------------------------------------------- */

/* The call's kernel would end here. */
static void break_off(struct blas_call *call, const char *fault, uint64_t at, size_t bytes,
                      const char *kind, const char *detail)
{
    char text[200];
    snprintf(text, sizeof text, "%s: %s", call->name, detail);
    fault_here(fault, call->call, at, bytes, kind, text);
    call->broken = true;
}

/* Does the pointer to a scalar lead to the side that the handle's pointer mode says? */
static bool check_side(struct blas_call *call, const char *name, uint64_t pointer)
{
    char detail[150];
    enum side side = side_of(pointer);
    if (call->handle->pointer_mode == CUBLAS_POINTER_MODE_HOST && side == SIDE_DEVICE) {
        snprintf(
            detail, sizeof detail,
            "%s is a device pointer, but cublasSetPointerMode has not selected device pointers",
            name);
        break_off(call, "device-pointer-on-host", pointer, call->element, NULL, detail);
    } else if (call->handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE && side == SIDE_HOST) {
        snprintf(detail, sizeof detail,
                 "%s is a host pointer, but cublasSetPointerMode has selected device pointers",
                 name);
        break_off(call, "host-pointer-in-kernel", 0, call->element, NULL, detail);
    }
    return !call->broken;
}

/* Is there a number at this address of the GPU's memory? */
static bool is_inside(uint64_t pointer, size_t bytes)
{
    const struct allocation *allocation = memory_find(here(pointer));
    if (module_variable_at(pointer) != NULL) return true;
    return allocation != NULL && !allocation->freed &&
           pointer - (uintptr_t)allocation->base <= allocation->bytes - bytes &&
           allocation->bytes >= bytes;
}

double blas_scalar(struct blas_call *call, const char *name, uint64_t pointer)
{
    union {
        uint16_t half;
        float single;
        double value;
    } number = {.value = 0};
    blas_demand(call, pointer != 0);
    if (call->status != CUBLAS_STATUS_SUCCESS || !check_side(call, name, pointer)) return 0;
    if (!is_ours(pointer)) {
        call_read(pointer, &number, call->element);
    } else if (is_inside(pointer, call->element)) {
        memcpy(&number, here(pointer), call->element);
    } else {
        break_off(call, "out-of-bounds", pointer, call->element, "load",
                  "a scalar is outside of every allocation");
    }
    if (call->element == sizeof number.half) return short_value(FORMAT_F16, number.half);
    return call->element == sizeof number.single ? (double)number.single : number.value;
}

/* ---- operands ------------------------------------------------------------------------------- */

/* From the operand's first byte to its last. */
static size_t extent(const struct blas_operand *operand)
{
    const int64_t most = INT64_C(1) << 48; /* more than any address */
    int64_t elements = (operand->columns - 1) * operand->stride + operand->rows;
    return (size_t)(elements < 0 || elements > most ? most : elements) * operand->element;
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
    const struct ptx_variable *variable = module_variable_at((uintptr_t)at);
    if (variable != NULL && bytes <= variable->address + variable->bytes - (uintptr_t)at)
        return NULL;
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

/* The first byte of column `i` of an operand, and the bytes of each. */
static const char *column_at(const struct blas_operand *operand, int64_t i, size_t *bytes)
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
        const char *at = column_at(operand, i, &bytes);
        if (memory_is_written(at, bytes)) continue;
        snprintf(detail, sizeof detail, "%s: %s holds elements that nothing has written",
                 call->name, operand->name);
        fault_here("uninitialised-read", call->call, (uintptr_t)at, bytes, "load", detail);
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
        break_off(call, fault, (uintptr_t)operand->at, bytes, operand->written ? "store" : "load",
                  detail);
        return;
    }
    if (operand->read) check_written(call, operand);
    struct blas_operand *longer =
        realloc(call->operands, (size_t)(call->operand_count + 1) * sizeof *longer);
    if (longer == NULL) blas_no_memory();
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
    if (call->status == CUBLAS_STATUS_SUCCESS && graph_is_captured(call->stream)) {
        call_unknown(call->call, "cuBLAS or curand in a graph");
        call->status = CUBLAS_STATUS_NOT_SUPPORTED;
    }
    if (call->status != CUBLAS_STATUS_SUCCESS || call->broken) return false;
    perturb_apply(launch_number());
    call->running = true;
    return true;
}

void blas_result(struct blas_call *call, uint64_t target, double value)
{
    float single = (float)value;
    if (!call->running || !check_side(call, "result", target)) return;
    if (call->handle->pointer_mode == CUBLAS_POINTER_MODE_HOST) {
        if (is_ours(target) && !is_inside(target, call->element))
            break_off(call, "out-of-bounds", target, call->element, "store",
                      "result is outside of every allocation");
        call->result = call->broken ? 0 : target;
        call->value = value;
        return;
    }
    blas_vector(call, "result", here(gpu_address(target)), 1, 1, false, true);
    if (!call->broken)
        memcpy(here(gpu_address(target)),
               call->element == sizeof single ? (void *)&single : (void *)&value, call->element);
}

static void mark_written(const struct blas_call *call)
{
    size_t bytes;
    for (int i = 0; i < call->operand_count; i++)
        for (int64_t j = 0; call->operands[i].written && j < call->operands[i].columns; j++) {
            const char *at = column_at(&call->operands[i], j, &bytes);
            memory_written(at, bytes);
            origin_kernel(at, bytes);
        }
}

/* Puts the call in flight. */
static void put_work(const struct blas_call *call)
{
    struct order_work work = {
        .kind = ORDER_LIBRARY, .launch = launch_number(), .location = call_location(call->call)};
    for (int i = 0; i < call->operand_count; i++) {
        const struct blas_operand *one = &call->operands[i];
        size_t bytes;
        for (int64_t j = 0; j < one->columns; j++) {
            const char *at = column_at(one, j, &bytes);
            if (one->read) order_touch(&work, ORDER_READ, (uintptr_t)at, bytes);
            if (one->written) order_touch(&work, ORDER_WRITE, (uintptr_t)at, bytes);
        }
    }
    stream_put(call->stream, &work);
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

/* Of a block's step: one for the way through shared memory, and a half for the addresses. Fitted to
 * the times that small products had when profiles still had a figure for addresses. */
static const double L1_LATENCIES = 1.5;

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
    double fetch_ns = gpu->l2_latency_ns + L1_LATENCIES * gpu->l1_latency_ns;
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
    struct hazard_work work = {call->name, call_location(call->call).line, done};
    for (int i = 0; i < call->operand_count && !call->broken; i++) {
        const struct blas_operand *one = &call->operands[i];
        size_t bytes;
        if (side_of((uintptr_t)one->at) == SIDE_DEVICE) continue;
        for (int64_t j = 0; j < one->columns; j++) {
            const char *at = column_at(one, j, &bytes);
            hazard_use(&work, (uintptr_t)at, bytes, one->written);
        }
    }
}

/* The library itself copies a result to the host. */
static void give_result(const struct blas_call *call, int64_t time)
{
    float single = (float)call->value;
    const void *number =
        call->element == sizeof single ? (const void *)&single : (const void *)&call->value;
    if (is_ours(call->result))
        memcpy(here(call->result), number, call->element);
    else
        call_write(call->result, number, call->element);
    if (!trace_is_open()) return;
    const char *data = trace_snapshot(number, call->element);
    trace_begin("copy");
    trace_fields("direction:%s bytes:%zu host:%lu kernel_bytes:%zu", "d2h", call->element,
                 call->result, call->element);
    if (data != NULL) trace_string("data", data);
    trace_fields("start:%ld end:%ld stream:%lld", time, time, call->stream->number);
    trace_flag("async", false);
    call_source(call->call);
    trace_end();
}

static cudaError_t end_call(struct blas_call *call, const struct blas_work *work)
{
    if (call->running) {
        put_work(call);
        mark_written(call);
        perturb_restore();
    }
    if (work == NULL || call->status != CUBLAS_STATUS_SUCCESS) return blas_finish(call);
    double blocks = ceil(traffic(call) / (64 << 10));
    double ns =
        work->kind == BLAS_GEMM ? gemm_ns(call, work, &blocks) : streaming_ns(call, work->kind);
    struct library_kernel kernel = {.library =
                                        strncmp(call->name, "curand", 6) == 0 ? "curand" : "cublas",
                                    .name = call->name,
                                    .blocks = (uint64_t)fmin(fmax(blocks, 1), INT32_MAX),
                                    .stream = call->stream,
                                    .load_bytes = bytes_of(call, false),
                                    .store_bytes = bytes_of(call, true),
                                    .ns = profile()->kernel_start_ns + ns,
                                    .error = call->broken ? cudaErrorIllegalAddress : cudaSuccess};
    int64_t done = launch_library(call->call, &kernel);
    if (call->result != 0) {
        stream_wait_until(done);
        stream_wait(call->stream);
        give_result(call, done);
    } else {
        note_hazards(call, done);
    }
    return blas_finish(call);
}

cudaError_t blas_end(struct blas_call *call, const struct blas_work *work)
{
    cudaError_t error = end_call(call, work);
    free(call->operands);
    call->operands = NULL;
    return error;
}
