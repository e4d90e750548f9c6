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
#include "sim/api/graph.h"
#include "sim/api/kernel_warp.h"
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
#include "sim/image/source_line.h"
#include "sim/requests/fault.h"
#include "sim/requests/lane.h"
#include "sim/requests/origin.h"
#include "sim/requests/race.h"
#include "sim/streams/host_hazards.h"
#include "sim/streams/stream_order.h"
#include "warpup/runtime.h"

#include "trace/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALLER ((uintptr_t)__builtin_return_address(0))

/* A launch as the program asked for it. */
struct request {
    struct warpup_site *site;
    const char *name;
    struct warpup_shape shape;
    void *call;
    size_t call_bytes;
    size_t kernel_bytes; /* the part of `call` that names the kernel, at its start */
    const char *library; /* that launches; NULL for the program itself */
};

enum { LIBRARY_THREADS = 256 }; /* per block of a library's kernel, where the number is not known */

static uint64_t launches;

static cudaError_t check(const struct request *request)
{
    uint3 grid = request->shape.grid, block = request->shape.block;
    if (grid.x == 0 || grid.y == 0 || grid.z == 0 || block.x == 0 || block.y == 0 || block.z == 0)
        return cudaErrorInvalidConfiguration;
    if (grid.x > 2147483647 || grid.y > 65535 || grid.z > 65535)
        return cudaErrorInvalidConfiguration;
    if (block.x > 1024 || block.y > 1024 || block.z > 64 ||
        (uint64_t)block.x * block.y * block.z > 1024)
        return cudaErrorInvalidConfiguration;
    return stream_is_valid(request->shape.stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
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

/* A library of headers launches its kernels from the program itself. */
static const char *library_of(const struct request *request)
{
    static const char *const names[] = {"thrust", "cub"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t length = strlen(names[i]);
        if (strncmp(request->name, names[i], length) == 0 &&
            strncmp(request->name + length, "::", 2) == 0)
            return names[i];
    }
    return request->library;
}

/* The allocations to which the kernel's arguments point, in the order of its parameters. */
static void record_pointers(const struct request *request)
{
    int64_t ids[LANES];
    uint32_t count = 0;
    const char *call = request->call;
    for (size_t at = 0; at + sizeof(void *) <= request->call_bytes && count < LANES;
         at += sizeof(void *)) {
        const void *pointer;
        memcpy(&pointer, call + at, sizeof pointer);
        const struct allocation *allocation = memory_owns(pointer) ? memory_find(pointer) : NULL;
        if (allocation != NULL) ids[count++] = (int64_t)allocation->id;
    }
    if (count > 0) trace_list("pointers", ids, count, UINT32_MAX);
}

static void record_launch(const struct call *call, const struct request *request, uint64_t id,
                          cudaError_t error)
{
    trace_begin("launch");
    trace_fields("id:%lu kernel:%s", id, request->name);
    trace_triple("grid", request->shape.grid.x, request->shape.grid.y, request->shape.grid.z);
    trace_triple("block", request->shape.block.x, request->shape.block.y, request->shape.block.z);
    trace_fields("shared:%zu stream:%lld error:%d error_name:%s t:%ld", request->shape.shared,
                 stream_number(request->shape.stream), (int)error, cudaGetErrorName(error),
                 clock_now());
    if (library_of(request) != NULL) trace_string("library", library_of(request));
    record_pointers(request);
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

static void record_lost_value(void)
{
    uintptr_t pc = kernel_lost_value();
    struct source_place place = {0};
    if (pc == 0 || !source_line_of(pc, &place) || place.file == NULL) return;
    trace_string("lost_file", place.file);
    trace_integer("lost_line", place.line);
}

static void record_kernel(uint64_t id, const char *library, const struct kernel_outcome *outcome,
                          int64_t start, int64_t end)
{
    trace_begin("kernel");
    trace_fields("id:%lu start:%ld end:%ld", id, start, end);
    if (library != NULL) trace_string("library", library);
    trace_flag("aborted", outcome->error != 0);
    if (outcome->repeats) trace_flag("repeats", true);
    trace_fields("threads:%lu even_threads:%lu static_shared:%zu blocks_per_sm:%d",
                 outcome->threads, outcome->even_threads, outcome->static_shared,
                 outcome->blocks_per_sm);
    record_counts("load", &outcome->load);
    record_counts("store", &outcome->store);
    record_counts("atomic", &outcome->atomic);
    trace_fields("dram_bytes:%lu moved_bytes:%lu bus_bytes:%lu overlap_bytes:%lu",
                 outcome->dram_bytes, outcome->moved_bytes, outcome->bus_bytes,
                 outcome->overlap_bytes);
    trace_fields("tensor_flops:%lu", outcome->tensor_flops);
    arithmetic_fields(outcome->arithmetic.count);
    trace_fields("start_ns:%g dram_ns:%g l2_ns:%g l1_ns:%g issue_ns:%g", outcome->start_ns,
                 outcome->dram_ns, outcome->l2_ns, outcome->l1_ns, outcome->issue_ns);
    trace_fields("latency_ns:%g blocks_ns:%g compute_ns:%g bus_ns:%g", outcome->latency_ns,
                 outcome->blocks_ns, outcome->compute_ns, outcome->bus_ns);
    trace_fields("doubles_cost_ns:%g divisions_cost_ns:%g", outcome->doubles_cost_ns,
                 outcome->divisions_cost_ns);
    trace_fields("atomics_ns:%g hot_ns:%g stores_ns:%g barriers_ns:%g", outcome->atomics_ns,
                 outcome->hot_ns, outcome->stores_ns, outcome->barriers_ns);
    record_lost_value();
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
    bool fits = request->shape.shared <= function_shared_limit(launch->kernel);
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
    if (outcome->error != 0 || outcome->narrow_stores || !unseen_stores_found(race_launch_tag))
        return;
    snprintf(what, sizeof what,
             "every store of the kernel %s: memory changed where it saw no store", launch->name);
    api_unknown(what, engine_entry(launch));
}

static void run(const struct call *call, const struct request *request,
                const struct kernel_launch *launch)
{
    struct kernel_outcome outcome;
    struct order_work work = {.kind = ORDER_KERNEL,
                              .launch = launch->id,
                              .pc = call->pc,
                              .file = request->site->file,
                              .line = request->site->line};
    uint64_t id = launch->id;
    order_prepare(stream_before(request->shape.stream));
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

    if (!stream_is_branch(request->shape.stream)) clock_add(profile()->launch_us * 1e3);
    int64_t start = stream_start(request->shape.stream), end = end_of(start, &outcome);
    stream_finish(request->shape.stream, end);
    work.first_tag = race_launch_tag;
    origin_note(race_launch_tag, id);
    if (outcome.error == 0) stream_put(request->shape.stream, &work);
    fault_report(id, launch->name);
    if (outcome.error != 0)
        api_kernel_failed((cudaError_t)outcome.error, end);
    else
        hazard_kernel(&(struct hazard_work){"kernel", line_of(call, request), end});
    record_kernel(id, library_of(request), &outcome, start, end);
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
                              .shape = {.grid = {(unsigned)kernel->blocks, 1, 1},
                                        .block = {LIBRARY_THREADS, 1, 1},
                                        .stream = kernel->stream},
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

/* Do all blocks of a cooperative launch fit on the GPU at the same time? */
static cudaError_t check_resident(const struct kernel_launch *launch)
{
    const uint32_t *grid = launch->grid, *block = launch->block;
    uint64_t blocks = (uint64_t)grid[0] * grid[1] * grid[2];
    int held = model_blocks_per_sm((uint64_t)block[0] * block[1] * block[2],
                                   launch->static_shared + launch->dynamic_shared);
    bool fits = !launch->cooperative || (double)blocks <= held * profile()->sms;
    return fits ? cudaSuccess : cudaErrorCooperativeLaunchTooLarge;
}

static cudaError_t launch(const struct call *call, const struct request *request)
{
    struct warpup_site *site = request->site;
    const struct warpup_shape *shape = &request->shape;
    uint64_t id = ++launches;
    cudaError_t error = call->error;
    if (error == cudaSuccess) error = check(request);
    if (error == cudaSuccess && site->device == NULL) {
        *(void **)&site->device = program_device_function((void *)(uintptr_t)site->thread);
        if (site->device == NULL) error = cudaErrorInvalidDeviceFunction;
    }
    struct kernel_launch launch = {.id = id,
                                   .name = request->name,
                                   .grid = {shape->grid.x, shape->grid.y, shape->grid.z},
                                   .block = {shape->block.x, shape->block.y, shape->block.z},
                                   .dynamic_shared = shape->shared,
                                   .cooperative = shape->cooperative != 0,
                                   .thread = site->device,
                                   .argument = request->call};
    if (error == cudaSuccess) error = check_shared(request, &launch);
    if (error == cudaSuccess) error = check_resident(&launch);
    record_launch(call, request, id, error);
    if (error == cudaSuccess) run(call, request, &launch);
    return error;
}

/* A launch that a graph kept, and after it what the kernel is called with. */
static cudaError_t launch_again(const struct call *call, cudaStream_t stream, void *data)
{
    struct request request = *(struct request *)data;
    request.shape.stream = stream;
    request.call = (struct request *)data + 1;
    return launch(call, &request);
}

/* Keeps the launch instead of doing it. */
static cudaError_t pack(const struct request *request, struct graph_job *job)
{
    size_t bytes = sizeof *request + request->call_bytes;
    struct request *kept = malloc(bytes);
    if (kept == NULL) return cudaErrorMemoryAllocation;
    *kept = *request;
    memcpy(kept + 1, request->call, request->call_bytes);
    *job = (struct graph_job){cudaGraphNodeTypeKernel, launch_again, kept, bytes};
    return cudaSuccess;
}

/* Where the next launch of this thread is kept; NULL: it goes into its stream. */
static _Thread_local struct graph_job *wanted;

/* Puts the launch into its stream, or into the graph that the stream is captured in. */
static cudaError_t put_launch(const struct call *call, const struct request *request)
{
    cudaStream_t stream = request->shape.stream;
    struct graph_job job;
    if (wanted != NULL) return pack(request, wanted);
    if (graph_is_captured(stream)) {
        cudaError_t error = pack(request, &job);
        return error != cudaSuccess ? error : graph_capture(call, stream, job);
    }
    if (stream == NULL || stream == cudaStreamLegacy) {
        cudaError_t error = graph_forbids(cudaErrorStreamCaptureImplicit);
        if (error != cudaSuccess) return error;
    }
    return launch(call, request);
}

void warpup_name(struct warpup_site *site, const char *kernel, const char *file, int line)
{
    site->kernel = kernel;
    site->file = file;
    site->line = line;
}

/* The call that launches a kernel by its address, which this function is part of; 0: none. */
static _Thread_local uintptr_t outer_pc;

cudaError_t warpup_launch(struct warpup_site *site, const struct warpup_shape *shape,
                          void *call_of_kernel, size_t call_bytes, size_t kernel_bytes)
{
    struct request request = {.site = site,
                              .name = site->kernel,
                              .shape = *shape,
                              .call = call_of_kernel,
                              .call_bytes = call_bytes,
                              .kernel_bytes = kernel_bytes};
    uintptr_t pc = outer_pc != 0 ? outer_pc : (uintptr_t)__builtin_return_address(0);
    struct call call = api_begin(NULL, pc);
    if (!lane_runs) {
        turn_pointers(&request);
        call.error = put_launch(&call, &request);
    }
    return api_end(&call);
}

/* ---- launches by address -------------------------------------------------------------------- */

static struct known {
    const void *kernel;
    warpup_launcher *launcher;
    struct known *next;
} * known_kernels;

static const struct known *find_known(const void *kernel)
{
    const struct known *one = known_kernels;
    while (one != NULL && one->kernel != kernel)
        one = one->next;
    return one;
}

void warpup_know(const void *kernel, warpup_launcher *launcher)
{
    if (lane_runs) return;
    struct call call = api_begin(NULL, 0);
    struct known *new = find_known(kernel) == NULL ? malloc(sizeof *new) : NULL;
    if (new != NULL) {
        *new = (struct known){kernel, launcher, known_kernels};
        known_kernels = new;
    }
    api_end(&call);
}

/* A function of the program of which nothing is known may be a kernel all the same. */
static cudaError_t launch_known(uintptr_t pc, const void *function,
                                const struct warpup_shape *shape, void **arguments)
{
    const struct known *known = find_known(function);
    if (known != NULL) {
        outer_pc = pc;
        cudaError_t error = known->launcher(function, shape, arguments);
        outer_pc = 0;
        return error;
    }
    struct call call = api_begin("cudaLaunchKernel", pc);
    bool is_kernel = program_device_function(function) != NULL;
    if (is_kernel) api_unknown("a launch of a kernel by its address alone", pc);
    if (call.error == cudaSuccess)
        call.error = is_kernel ? cudaErrorNotSupported : cudaErrorInvalidDeviceFunction;
    return api_end(&call);
}

cudaError_t warpup_launch_known(const void *function, const struct warpup_shape *shape,
                                void **arguments)
{
    return launch_known(CALLER, function, shape, arguments);
}

cudaError_t launch_pack(uintptr_t pc, const void *function, const struct warpup_shape *shape,
                        void **arguments, struct graph_job *job)
{
    *job = (struct graph_job){0};
    wanted = job;
    cudaError_t error = launch_known(pc, function, shape, arguments);
    wanted = NULL;
    return error;
}

/* The attributes that change what is computed; others only change how fast it is. */
static void take_attribute(const cudaLaunchAttribute *attribute, struct warpup_shape *shape)
{
    if (attribute->id == cudaLaunchAttributeCooperative)
        shape->cooperative = attribute->val.cooperative != 0;
}

/* A cluster has at most 8 blocks that every GPU can hold. Blocks that use each other's shared
 * memory are not known here: a kernel that does so does not compile. */
static bool is_cluster(const cudaLaunchAttribute *attribute, const cudaLaunchConfig_t *config)
{
    enum { CLUSTER_BLOCKS = 8 };
    unsigned x = attribute->val.clusterDim.x, y = attribute->val.clusterDim.y,
             z = attribute->val.clusterDim.z;
    return x != 0 && y != 0 && z != 0 && (uint64_t)x * y * z <= CLUSTER_BLOCKS &&
           config->gridDim.x % x == 0 && config->gridDim.y % y == 0 && config->gridDim.z % z == 0;
}

cudaError_t warpup_shape_of(const cudaLaunchConfig_t *config, struct warpup_shape *shape)
{
    if (config == NULL || (config->numAttrs > 0 && config->attrs == NULL))
        return cudaErrorInvalidValue;
    *shape =
        (struct warpup_shape){.grid = {config->gridDim.x, config->gridDim.y, config->gridDim.z},
                              .block = {config->blockDim.x, config->blockDim.y, config->blockDim.z},
                              .shared = config->dynamicSmemBytes,
                              .stream = config->stream};
    for (unsigned i = 0; i < config->numAttrs; i++) {
        const cudaLaunchAttribute *one = &config->attrs[i];
        if (one->id == cudaLaunchAttributeClusterDimension && !is_cluster(one, config))
            return cudaErrorInvalidValue;
        take_attribute(one, shape);
    }
    return cudaSuccess;
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function,
                                void **arguments)
{
    struct warpup_shape shape;
    cudaError_t error = warpup_shape_of(config, &shape);
    return error != cudaSuccess ? error : launch_known(CALLER, function, &shape, arguments);
}
