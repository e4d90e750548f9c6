/*
 * launch.c: what happens at `k<<<…>>>(…)`. The launch is checked as the real runtime checks it, the
 * kernel runs immediately, and its modelled time is put into its stream.
 */
#include "gpu/runtime/launch.h"

#include "gpu/memory/fault.h"
#include "gpu/memory/memory.h"
#include "gpu/memory/watch.h"
#include "gpu/runtime/allocation.h"
#include "gpu/runtime/costs.h"
#include "gpu/runtime/hazards.h"
#include "gpu/runtime/larger.h"
#include "gpu/runtime/repeat.h"
#include "gpu/runtime/request.h"
#include "gpu/memory/perturb.h"
#include "gpu/server/clock.h"
#include "gpu/time/profile.h"
#include "gpu/time/record.h"
#include "gpu/warp/launch.h"

#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

enum { LIBRARY_THREADS = 256 }; /* per block of a library's kernel, where the number is not known */
enum { POINTERS_MAX = 32 };

static uint64_t launches;

/* The number of the next launch. Takes it. */
static uint64_t launch_next(void)
{
    return ++launches;
}

uint64_t launch_number(void)
{
    return launches + 1;
}

/* ---- records -------------------------------------------------------------------------------- */

/* A library of headers launches its kernels from the program itself. */
static const char *library_of(const char *kernel)
{
    static const char *const names[] = {"thrust", "cub"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t length = strlen(names[i]);
        if (strncmp(kernel, names[i], length) == 0 && strncmp(kernel + length, "::", 2) == 0)
            return names[i];
    }
    return NULL;
}

/* The allocations to which the kernel's arguments point, in the order of its parameters. */
static void record_pointers(const struct launch_request *request)
{
    int64_t ids[POINTERS_MAX];
    uint32_t count = 0;
    for (size_t at = 0;
         at + sizeof(uint64_t) <= request->kernel->param_bytes && count < POINTERS_MAX;
         at += sizeof(uint64_t)) {
        uint64_t pointer;
        memcpy(&pointer, request->parameters + at, sizeof pointer);
        const struct allocation *allocation =
            memory_owns(here(pointer)) ? memory_find(here(pointer)) : NULL;
        if (allocation != NULL && allocation->space != SPACE_REGISTERED)
            ids[count++] = (int64_t)allocation->id;
    }
    if (count > 0) trace_list("pointers", ids, count, UINT32_MAX);
}

/* The last of several extern __shared__ arrays that a kernel uses: all begin at the same byte. */
static const char *second_dynamic(const struct ptx_function *kernel)
{
    uint32_t count = 0;
    const char *last = NULL;
    for (uint32_t i = 0; i < kernel->shared_used_count; i++) {
        const struct ptx_variable *one = kernel->module->variables[kernel->shared_used[i]];
        if (!one->external) continue;
        last = one->plain_name;
        count++;
    }
    return count > 1 ? last : NULL;
}

struct launch_record {
    uint64_t id;
    const char *kernel, *library;
    const uint32_t *grid, *block;
    uint64_t shared;
    const struct stream *stream;
    cudaError_t error;
    const struct launch_request *request; /* NULL: of a library that has none */
};

static void record_launch(const struct call *call, const struct launch_record *record)
{
    const uint32_t *grid = record->grid, *block = record->block;
    if (!trace_is_open()) return;
    trace_begin("launch");
    trace_fields("id:%lu kernel:%s", record->id, record->kernel);
    trace_triple("grid", grid[0], grid[1], grid[2]);
    trace_triple("block", block[0], block[1], block[2]);
    trace_fields("shared:%lu stream:%lld error:%d error_name:%s t:%ld", record->shared,
                 record->stream != NULL ? record->stream->number : -1, (int)record->error,
                 text_of_code(error_texts, record->error)->name, clock_now());
    if (record->library != NULL) trace_string("library", record->library);
    if (record->request != NULL) {
        const uint32_t *cluster = record->request->cluster;
        if (cluster[0] * cluster[1] * cluster[2] > 1)
            trace_triple("cluster", cluster[0], cluster[1], cluster[2]);
        record_pointers(record->request);
        const char *second = second_dynamic(record->request->kernel);
        if (second != NULL) trace_string("same_shared", second);
    }
    call_source(call);
    trace_end();
}

/* ---- running -------------------------------------------------------------------------------- */

static uint64_t bytes_in_use(void)
{
    uint64_t bytes = 0;
    EACH_ALLOCATION (one)
        bytes += one->bytes;
    return bytes;
}

/* Runs the kernel, or takes over the counts of the launch before if it is the same. */
static int execute(const struct launch *launch, struct tally **tally, bool *repeats)
{
    *repeats = repeat_take(launch, tally);
    if (*repeats) return LAUNCH_OK;
    struct watch_figures figures = time_figures(bytes_in_use());
    watch_use(&figures);
    int error = launch_run(launch, *tally);
    memory_settle();
    repeat_learn(error == LAUNCH_OK);
    return error;
}

static void run(const struct call *call, const struct launch_request *request,
                const struct launch *launch)
{
    struct tally *tally;
    struct kernel_time time;
    bool repeats;
    struct location location = call_location(call);
    order_prepare(stream_before(request->stream));
    perturb_apply(launch->id);
    int error = execute(launch, &tally, &repeats);
    perturb_restore();

    time_kernel(launch, tally, bytes_in_use(), &time);
    if (!request->stream->branch) costs_launch(NULL);
    int64_t start = stream_start(request->stream), end = time_end(start, &time);
    stream_finish(request->stream, end);
    struct order_work work = {
        .kind = ORDER_KERNEL, .launch = launch->id, .ran = repeat_ran(), .location = location};
    if (error == LAUNCH_OK) stream_put(request->stream, &work);
    record_accesses(launch, tally, repeats);
    fault_report(launch->id, launch->kernel->plain_name);
    if (error != LAUNCH_OK)
        errors_kernel_failed((cudaError_t)error, end);
    else
        hazard_kernel(&(struct hazard_work){"kernel", location.line, end}, launch->id);
    record_kernel(launch, tally, &time,
                  &(struct kernel_record){.start = start,
                                          .end = end,
                                          .library = library_of(launch->kernel->plain_name),
                                          .aborted = error != LAUNCH_OK,
                                          .repeats = repeats});
    if (error == LAUNCH_OK && !repeats) larger_try(launch);
}

/* `error`: the program cannot launch anything any more. */
static cudaError_t launch(const struct call *call, const struct launch_request *request,
                          cudaError_t error)
{
    const uint32_t *block = request->block;
    if (error == cudaSuccess) error = request_check(request);
    if (error == cudaSuccess &&
        !registered_reach(call, request->parameters, request->kernel->param_bytes))
        error = cudaErrorNotSupported;
    struct launch launch = {.id = launch_next(),
                            .kernel = request->kernel,
                            .dynamic_shared = (uint32_t)request->shared,
                            .cooperative = request->cooperative,
                            .parameters = request->parameters,
                            .sms = (uint32_t)profile()->sms};
    memcpy(launch.grid, request->grid, sizeof launch.grid);
    memcpy(launch.block, request->block, sizeof launch.block);
    memcpy(launch.cluster, request->cluster, sizeof launch.cluster);
    record_launch(call, &(struct launch_record){.id = launch.id,
                                                .kernel = request->kernel->plain_name,
                                                .library = library_of(request->kernel->plain_name),
                                                .grid = request->grid,
                                                .block = request->block,
                                                .shared = request->shared,
                                                .stream = request->stream,
                                                .error = error,
                                                .request = request});
    if (error != cudaSuccess) return error;
    launch.blocks_per_sm =
        time_blocks_of(request->kernel, (uint64_t)block[0] * block[1] * block[2], request->shared);
    run(call, request, &launch);
    return cudaSuccess;
}

/* A launch that a graph kept, and after it the kernel's parameters. */
static cudaError_t launch_again(const struct call *call, struct stream *stream, void *data)
{
    struct launch_request request = *(const struct launch_request *)data;
    request.stream = stream;
    request.parameters = (const unsigned char *)((const struct launch_request *)data + 1);
    return launch(call, &request, cudaSuccess);
}

cudaError_t launch_job(const struct launch_request *request, struct graph_job *job)
{
    size_t bytes = sizeof *request + request->kernel->param_bytes;
    struct launch_request *kept = malloc(bytes);
    if (kept == NULL) return cudaErrorMemoryAllocation;
    *kept = *request;
    if (request->kernel->param_bytes > 0)
        memcpy(kept + 1, request->parameters, request->kernel->param_bytes);
    *job = (struct graph_job){cudaGraphNodeTypeKernel, launch_again, kept, bytes};
    return cudaSuccess;
}

/* Puts the launch into its stream, or into the graph that the stream is captured in. */
static cudaError_t put_launch(const struct call *call, const struct launch_request *request)
{
    struct graph_job job;
    cudaError_t error = cudaSuccess;
    if (graph_is_captured(request->stream)) {
        error = launch_job(request, &job);
        return error != cudaSuccess ? error : graph_capture(call, request->stream, job);
    }
    if (request->stream != NULL && stream_is_default(request->stream))
        error = graph_forbids(cudaErrorStreamCaptureImplicit);
    return error != cudaSuccess ? error : launch(call, request, call->error);
}

cudaError_t serve_cudaLaunchKernel(struct call *call)
{
    struct launch_request request;
    cudaError_t error = request_read(call, 0, &request);
    if (error == cudaSuccess) return put_launch(call, &request);
    struct code_text text = *text_of_code(error_texts, error);
    text.text = "there is no kernel that can be launched here";
    errors_record(call, &text);
    return error;
}

/* ---- libraries ------------------------------------------------------------------------------ */

int64_t launch_library(const struct call *call, const struct library_kernel *kernel)
{
    uint64_t id = launch_next();
    double bytes = kernel->load_bytes + kernel->store_bytes;
    const uint32_t grid[3] = {(uint32_t)kernel->blocks, 1, 1}, block[3] = {LIBRARY_THREADS, 1, 1};
    struct kernel_time time = {.ns = kernel->ns,
                               .start_ns = profile()->kernel_start_ns,
                               .dram_ns = bytes / profile()->stream_gbs};
    record_launch(call, &(struct launch_record){.id = id,
                                                .kernel = kernel->name,
                                                .library = kernel->library,
                                                .grid = grid,
                                                .block = block,
                                                .stream = kernel->stream});
    costs_launch(kernel->name);
    int64_t start = stream_start(kernel->stream), end = time_end(start, &time);
    stream_finish(kernel->stream, end);
    if (kernel->error != cudaSuccess) errors_kernel_failed(kernel->error, end);
    record_library_kernel(id,
                          &(struct kernel_record){.start = start,
                                                  .end = end,
                                                  .library = kernel->library,
                                                  .aborted = kernel->error != cudaSuccess},
                          (uint64_t)kernel->load_bytes, (uint64_t)kernel->store_bytes);
    fault_report(id, kernel->name);
    return end;
}
