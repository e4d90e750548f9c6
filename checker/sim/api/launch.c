/*
 * launch.c: what happens at `k<<<…>>>(…)`. The launch is checked as the real runtime checks it, the
 * kernel runs immediately, and its modelled time is put into its stream. The compiled program calls
 * this through include/warpup/launch.h.
 */
#define _GNU_SOURCE
#include "sim/api/launch.h"

#include "sim/api/api_call.h"
#include "sim/api/api_function.h"
#include "sim/api/api_stream.h"
#include "sim/engine/arithmetic.h"
#include "sim/engine/engine.h"
#include "sim/engine/repeat.h"
#include "sim/gpu/clock.h"
#include "sim/gpu/memory.h"
#include "sim/gpu/profile.h"
#include "sim/gpu/taint.h"
#include "sim/gpu/unseen_stores.h"
#include "sim/image/program.h"
#include "sim/image/shared_variables.h"
#include "sim/requests/fault.h"
#include "sim/requests/lane.h"
#include "sim/requests/origin.h"
#include "sim/requests/race.h"
#include "sim/streams/host_hazards.h"
#include "sim/streams/stream_order.h"
#include "warpup/runtime.h"

#include "trace/trace.h"

#include <stdio.h>
#include <string.h>

/* A launch as the program asked for it. */
struct request {
    struct warpup_site *site;
    const char *name;
    uint3 grid, block;
    size_t shared;
    cudaStream_t stream;
    void *call;
    size_t call_bytes;
    size_t kernel_bytes; /* the part of `call` that names the kernel, at its start */
    const char *library; /* that launches; NULL for the program itself */
};

enum { LIBRARY_THREADS = 256 }; /* per block of a library's kernel, where the number is not known */

static uint64_t launches;

static cudaError_t check(const struct request *request)
{
    uint3 grid = request->grid, block = request->block;
    if (grid.x == 0 || grid.y == 0 || grid.z == 0 || block.x == 0 || block.y == 0 || block.z == 0)
        return cudaErrorInvalidConfiguration;
    if (grid.x > 2147483647 || grid.y > 65535 || grid.z > 65535)
        return cudaErrorInvalidConfiguration;
    if (block.x > 1024 || block.y > 1024 || block.z > 64 ||
        (uint64_t)block.x * block.y * block.z > 1024)
        return cudaErrorInvalidConfiguration;
    return stream_is_valid(request->stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

/* A kernel that is called through a pointer: the pointer leads to the host image's function, and is
 * changed to the device image's. The launch gets the name of that function. */
static void turn_pointers(struct request *request)
{
    void **words = request->call;
    for (size_t i = 0; i < request->kernel_bytes / sizeof *words; i++) {
        void *device = program_device_function(words[i]);
        if (device == NULL) continue;
        request->name = program_function_name(words[i]);
        words[i] = device;
    }
}

static void record_launch(const struct call *call, const struct request *request, uint64_t id,
                          cudaError_t error)
{
    trace_begin("launch");
    trace_fields("id:%lu kernel:%s", id, request->name);
    trace_triple("grid", request->grid.x, request->grid.y, request->grid.z);
    trace_triple("block", request->block.x, request->block.y, request->block.z);
    trace_fields("shared:%zu stream:%lld error:%d error_name:%s t:%ld", request->shared,
                 stream_number(request->stream), (int)error, cudaGetErrorName(error), clock_now());
    if (request->library != NULL) trace_string("library", request->library);
    if (request->site != NULL && request->site->file != NULL)
        trace_source(request->site->file, request->site->line);
    else
        api_source(call);
    trace_end();
}

static void record_counts(const char *kind, const struct access_counts *counts)
{
    char format[100];
    snprintf(format, sizeof format, "%s_requests:%%lu %s_sectors:%%lu %s_ideal:%%lu %s_bytes:%%lu",
             kind, kind, kind, kind);
    trace_fields(format, counts->requests, counts->sectors, counts->ideal, counts->bytes);
}

static void record_kernel(uint64_t id, const struct kernel_outcome *outcome, int64_t start,
                          int64_t end)
{
    trace_begin("kernel");
    trace_fields("id:%lu start:%ld end:%ld", id, start, end);
    trace_flag("aborted", outcome->error != 0);
    if (outcome->repeats) trace_flag("repeats", true);
    trace_fields("threads:%lu static_shared:%zu blocks_per_sm:%d", outcome->threads,
                 outcome->static_shared, outcome->blocks_per_sm);
    record_counts("load", &outcome->load);
    record_counts("store", &outcome->store);
    record_counts("atomic", &outcome->atomic);
    trace_fields("dram_bytes:%lu moved_bytes:%lu bus_bytes:%lu overlap_bytes:%lu",
                 outcome->dram_bytes, outcome->moved_bytes, outcome->bus_bytes,
                 outcome->overlap_bytes);
    arithmetic_fields(outcome->arithmetic.count);
    trace_fields("start_ns:%g dram_ns:%g l2_ns:%g l1_ns:%g issue_ns:%g", outcome->start_ns,
                 outcome->dram_ns, outcome->l2_ns, outcome->l1_ns, outcome->issue_ns);
    trace_fields("latency_ns:%g blocks_ns:%g compute_ns:%g bus_ns:%g", outcome->latency_ns,
                 outcome->blocks_ns, outcome->compute_ns, outcome->bus_ns);
    trace_fields("doubles_cost_ns:%g divisions_cost_ns:%g", outcome->doubles_cost_ns,
                 outcome->divisions_cost_ns);
    trace_end();
}

/* When a kernel that starts now ends. Kernels of several streams overlap, but they share what the
 * GPU has only once, above all its memory. */
static int64_t end_of(int64_t start, const struct kernel_outcome *outcome)
{
    static double busy_until;
    double shared = outcome->dram_ns;
    if (outcome->bus_ns > shared) shared = outcome->bus_ns;
    if (outcome->l2_ns > shared) shared = outcome->l2_ns;
    if (outcome->blocks_ns > shared) shared = outcome->blocks_ns;
    busy_until = (busy_until > (double)start ? busy_until : (double)start) + shared;
    double end = (double)start + outcome->ns;
    return (int64_t)(end > busy_until ? end : busy_until);
}

/* The shape of the launch is right. Starting one thread shows which kernel it is, and so how much
 * shared memory the kernel needs. */
static cudaError_t check_shared(const struct request *request, struct kernel_launch *launch)
{
    launch->kernel = shared_variables_kernel(engine_entry(launch));
    launch->static_shared = shared_variables_static_bytes(launch->kernel);
    bool fits = request->shared <= function_shared_limit(launch->kernel);
    return fits ? cudaSuccess : cudaErrorInvalidValue;
}

/* The line of the launch, for later reports; 0 if it is not known. */
static int line_of(const struct call *call, const struct request *request)
{
    return request->site->file != NULL ? request->site->line : api_line(call);
}

/* A kernel that changed memory without a store that was seen cannot be judged. */
static void check_seen(const struct kernel_launch *launch, const struct kernel_outcome *outcome)
{
    char what[300];
    if (outcome->error != 0 || outcome->narrow_stores || !unseen_stores_found(race_first_tag))
        return;
    snprintf(what, sizeof what, "every store of the kernel %s: memory changed where none was seen",
             launch->name);
    api_unknown(what, engine_entry(launch));
}

static void run(const struct call *call, const struct request *request,
                const struct kernel_launch *launch)
{
    struct kernel_outcome outcome;
    struct order_work work = {.kind = ORDER_KERNEL,
                              .pc = call->pc,
                              .file = request->site->file,
                              .line = request->site->line};
    uint64_t id = launch->id;
    order_prepare(stream_before(request->stream));
    hazard_open();
    taint_alter(id);
    unseen_stores_begin();
    if (!repeat_take(launch, request->call_bytes, &outcome)) {
        engine_run(launch, &outcome);
        repeat_learn(&outcome);
    }
    check_seen(launch, &outcome);
    taint_restore();
    hazard_close();

    clock_add(profile()->launch_us * 1e3);
    int64_t start = stream_start(request->stream), end = end_of(start, &outcome);
    stream_finish(request->stream, end);
    work.first_tag = race_first_tag;
    origin_note(race_first_tag, id);
    if (outcome.error == 0) stream_put(request->stream, &work);
    fault_report(id, launch->name);
    if (outcome.error != 0)
        api_kernel_failed((cudaError_t)outcome.error, end);
    else
        hazard_kernel(&(struct hazard_work){"kernel", line_of(call, request), end});
    record_kernel(id, &outcome, start, end);
}

uint64_t launch_next(void)
{
    return launches + 1;
}

int64_t launch_library(const struct call *call, const struct library_kernel *kernel)
{
    uint64_t id = ++launches;
    double bytes = kernel->load_bytes + kernel->store_bytes;
    struct request request = {.name = kernel->name,
                              .grid = {(unsigned)kernel->blocks, 1, 1},
                              .block = {LIBRARY_THREADS, 1, 1},
                              .stream = kernel->stream,
                              .library = kernel->library};
    struct kernel_outcome outcome = {.error = (int)kernel->error,
                                     .dram_bytes = (uint64_t)bytes,
                                     .dram_ns = bytes / profile()->stream_gbs,
                                     .start_ns = profile()->kernel_start_ns,
                                     .ns = kernel->ns};
    record_launch(call, &request, id, cudaSuccess);
    clock_add(profile()->launch_us * 1e3);
    int64_t start = stream_start(kernel->stream), end = end_of(start, &outcome);
    stream_finish(kernel->stream, end);
    if (outcome.error != 0) api_kernel_failed(kernel->error, end);
    trace_begin("kernel");
    trace_fields("id:%lu library:%s start:%ld end:%ld", id, kernel->library, start, end);
    trace_flag("aborted", outcome.error != 0);
    trace_fields("load_bytes:%ld store_bytes:%ld dram_bytes:%lu start_ns:%g",
                 (long)kernel->load_bytes, (long)kernel->store_bytes, outcome.dram_bytes,
                 outcome.start_ns);
    trace_end();
    fault_report(id, kernel->name);
    return end;
}

static cudaError_t launch(const struct call *call, struct request *request)
{
    struct warpup_site *site = request->site;
    uint64_t id = ++launches;
    cudaError_t error = call->error;
    turn_pointers(request);
    if (error == cudaSuccess) error = check(request);
    if (error == cudaSuccess && site->device == NULL) {
        *(void **)&site->device = program_device_function((void *)(uintptr_t)site->thread);
        if (site->device == NULL) error = cudaErrorInvalidDeviceFunction;
    }
    struct kernel_launch launch = {.id = id,
                                   .name = request->name,
                                   .grid = {request->grid.x, request->grid.y, request->grid.z},
                                   .block = {request->block.x, request->block.y, request->block.z},
                                   .dynamic_shared = request->shared,
                                   .thread = site->device,
                                   .argument = request->call};
    if (error == cudaSuccess) error = check_shared(request, &launch);
    record_launch(call, request, id, error);
    if (error == cudaSuccess) run(call, request, &launch);
    return error;
}

void warpup_name(struct warpup_site *site, const char *kernel, const char *file, int line)
{
    site->kernel = kernel;
    site->file = file;
    site->line = line;
}

cudaError_t warpup_launch(struct warpup_site *site, uint3 grid, uint3 block, size_t shared,
                          cudaStream_t stream, void *call_of_kernel, size_t call_bytes,
                          size_t kernel_bytes)
{
    struct request request = {.site = site,
                              .name = site->kernel,
                              .grid = grid,
                              .block = block,
                              .shared = shared,
                              .stream = stream,
                              .call = call_of_kernel,
                              .call_bytes = call_bytes,
                              .kernel_bytes = kernel_bytes};
    struct call call = api_begin(NULL, (uintptr_t)__builtin_return_address(0));
    if (!lane_runs) call.error = launch(&call, &request);
    return api_end(&call);
}
