/*
 * allocation.c: allocations of device, managed and pinned memory. Pages that the host may access
 * are mapped in the program at the same addresses.
 */
#include "gpu/runtime/allocation.h"

#include "gpu/memory/footprint.h"
#include "gpu/runtime/hazards.h"
#include "gpu/runtime/stream.h"
#include "gpu/server/clock.h"
#include "gpu/server/modules.h"

#include "trace/trace.h"

#include <stdio.h>

enum {
    PITCH = 512, /* rows of pitched memory begin at multiples of it */
    HOST_FLAGS_MAX = 7,
    VARIABLE = -1 /* the line of an allocation that is a __managed__ variable: nobody frees it */
};

static const char *const space_names[] = {[SPACE_DEVICE] = "device",
                                          [SPACE_MANAGED] = "managed",
                                          [SPACE_PINNED] = "pinned",
                                          [SPACE_REGISTERED] = "pinned"};

/* The live allocation that begins at `pointer`; NULL if there is none. */
static struct allocation *allocation_at(uint64_t pointer)
{
    struct allocation *allocation = memory_find(here(pointer));
    bool begins = allocation != NULL && allocation->base == here(pointer) && !allocation->freed;
    return begins ? allocation : NULL;
}

static uint64_t first_page(uint64_t address)
{
    return address / memory_page() * memory_page();
}

/* Whole pages from the one with the allocation's first byte on. */
static size_t allocation_pages(const struct allocation *allocation)
{
    uint64_t base = (uintptr_t)allocation->base;
    return first_page(base + allocation->bytes + memory_page() - 1) - first_page(base);
}

void allocation_show(const struct allocation *allocation)
{
    uint64_t address = first_page((uintptr_t)allocation->base);
    call_action((struct wire_action){.kind = ACTION_MAP,
                                     .bytes = allocation_pages(allocation),
                                     .address = address + (uint64_t)registered_shift(allocation),
                                     .value = address - memory_base() - memory_shared_from(),
                                     .extra = allocation->space == SPACE_REGISTERED});
}

void allocation_hide(const struct allocation *allocation)
{
    uint64_t address =
        first_page((uintptr_t)allocation->base) + (uint64_t)registered_shift(allocation);
    hazard_forget(address, allocation_pages(allocation));
    call_action((struct wire_action){.kind = ACTION_UNMAP,
                                     .bytes = allocation_pages(allocation),
                                     .address = address,
                                     .extra = allocation->space == SPACE_REGISTERED});
    call_flush();
}

bool is_ours(uint64_t address)
{
    const struct allocation *allocation = memory_find(here(address));
    return memory_owns(here(address)) &&
           (allocation == NULL || allocation->space != SPACE_REGISTERED);
}

static cudaError_t allocate(const struct call *call, uint64_t *pointer, enum memory_space space,
                            size_t bytes)
{
    *pointer = 0;
    if (bytes == 0) return cudaSuccess;
    struct location location = call_location(call);
    struct allocation *allocation = memory_allocate(space, bytes, location.file, location.line);
    if (allocation == NULL) return cudaErrorMemoryAllocation;
    *pointer = (uintptr_t)allocation->base;
    if (space != SPACE_DEVICE) allocation_show(allocation);
    trace_begin("alloc");
    trace_fields("id:%lu space:%s bytes:%zu address:%lu t:%ld", allocation->id, space_names[space],
                 bytes, (uintptr_t)allocation->base, clock_now());
    call_source(call);
    trace_end();
    return cudaSuccess;
}

/* By CUDA's programming guide, an allocation orders the work of two streams: what was started
 * before it ends before anything that is started after it ("implicit synchronization"). */
static cudaError_t allocate_between(const struct call *call, uint64_t *pointer,
                                    enum memory_space space, size_t bytes)
{
    order_land(~(order_set)0);
    return allocate(call, pointer, space, bytes);
}

cudaError_t serve_cudaMalloc(struct call *call, uint64_t *pointer, size_t bytes)
{
    return allocate_between(call, pointer, SPACE_DEVICE, bytes);
}

cudaError_t serve_cudaMallocManaged(struct call *call, uint64_t *pointer, size_t bytes,
                                    unsigned int flags)
{
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) return cudaErrorInvalidValue;
    return allocate_between(call, pointer, SPACE_MANAGED, bytes);
}

cudaError_t serve_cudaMallocHost(struct call *call, uint64_t *pointer, size_t bytes)
{
    return allocate_between(call, pointer, SPACE_PINNED, bytes);
}

cudaError_t serve_cudaHostAlloc(struct call *call, uint64_t *pointer, size_t bytes,
                                unsigned int flags)
{
    return flags > HOST_FLAGS_MAX ? cudaErrorInvalidValue
                                  : allocate_between(call, pointer, SPACE_PINNED, bytes);
}

/* The stream's work makes the memory or takes it away: work in other streams has to be ordered
 * after it, or before. */
static void put_in_stream(const struct call *call, struct stream *stream, enum order_kind kind,
                          const struct allocation *allocation)
{
    struct order_work work = {.kind = kind, .location = call_location(call)};
    order_touch(&work, ORDER_WRITE, (uintptr_t)allocation->base, allocation->bytes);
    stream_put(stream, &work);
}

cudaError_t serve_cudaMallocAsync(struct call *call, uint64_t *pointer, size_t bytes,
                                  uint64_t handle)
{
    struct stream *stream = stream_find(call, handle);
    if (stream == NULL) return cudaErrorInvalidResourceHandle;
    cudaError_t error = allocate(call, pointer, SPACE_DEVICE, bytes);
    struct allocation *allocation = allocation_at(*pointer);
    if (error == cudaSuccess && allocation != NULL)
        put_in_stream(call, stream, ORDER_ALLOCATION, allocation);
    return error;
}

cudaError_t serve_cudaMallocFromPoolAsync(struct call *call, uint64_t *pointer, size_t bytes,
                                          uint64_t pool, uint64_t stream)
{
    return pool == 0 ? cudaErrorInvalidValue : serve_cudaMallocAsync(call, pointer, bytes, stream);
}

cudaError_t allocate_rows(const struct call *call, uint64_t *pointer, size_t *pitch, size_t width,
                          size_t height)
{
    if (width > SIZE_MAX / 2) return cudaErrorMemoryAllocation;
    *pitch = (width + PITCH - 1) / PITCH * PITCH;
    if (height != 0 && *pitch > SIZE_MAX / height) return cudaErrorMemoryAllocation;
    return allocate_between(call, pointer, SPACE_DEVICE, *pitch * height);
}

cudaError_t serve_cudaMallocPitch(struct call *call, uint64_t *pointer, size_t *pitch, size_t width,
                                  size_t height)
{
    return allocate_rows(call, pointer, pitch, width, height);
}

cudaError_t serve_cudaMalloc3D(struct call *call, cudaPitchedPtr *pointer, cudaExtent extent)
{
    uint64_t base;
    size_t pitch;
    if (extent.depth != 0 && extent.height > SIZE_MAX / extent.depth)
        return cudaErrorMemoryAllocation;
    cudaError_t error =
        allocate_rows(call, &base, &pitch, extent.width, extent.height * extent.depth);
    *pointer = (cudaPitchedPtr){here(base), pitch, extent.width, extent.height};
    return error;
}

/* ---- freeing -------------------------------------------------------------------------------- */

/* Contents help to explain a wrong result. Large ones belong to timed runs, where saving them would
 * take too long. */
enum { CONTENTS_BYTES_MAX = 4 << 20 };

/* Writes the closing record of an allocation, with its contents. */
static void write_final(const struct allocation *allocation, bool leaked)
{
    if (!trace_is_open()) return;
    bool wanted = allocation->space != SPACE_DEVICE || allocation->bytes <= CONTENTS_BYTES_MAX;
    const char *data = wanted ? trace_snapshot(allocation->base, allocation->bytes) : NULL;
    int64_t kernel_bytes = origin_of(allocation->base, allocation->bytes, NULL);
    trace_begin("final");
    trace_fields("alloc:%lu bytes:%zu", allocation->id, allocation->bytes);
    if (kernel_bytes >= 0) trace_fields("kernel_bytes:%ld", kernel_bytes);
    if (data != NULL) trace_string("data", data);
    trace_flag("leaked", leaked);
    trace_end();
}

void allocations_report(bool leaked)
{
    EACH_ALLOCATION (one) {
        if (one->space == SPACE_REGISTERED) continue;
        bool leak = leaked && one->allocated_line != VARIABLE;
        write_final(one, leak);
        if (!leak) continue;
        char detail[100];
        snprintf(detail, sizeof detail, "%zu bytes of %s memory are never freed", one->bytes,
                 space_names[one->space]);
        fault_at("leak", (struct location){one->allocated_file, one->allocated_line},
                 (uintptr_t)one->base, one->bytes, NULL, detail);
    }
}

/* Reports why this call cannot free `pointer`. */
static cudaError_t refuse_free(const struct call *call, uint64_t pointer, bool pinned)
{
    const struct allocation *allocation = memory_find(here(pointer));
    bool begins = allocation != NULL && allocation->base == here(pointer),
         twice = begins && allocation->freed;
    const char *detail = "no CUDA allocation function returned this pointer";
    struct location location = call_location(call);
    bool here_too = twice && location.line > 0 && location.line == allocation->freed_line;
    if (here_too)
        detail = "this memory was freed before, by the same line. If an object owns it, the object "
                 "was copied, perhaps as an argument of a kernel";
    else if (twice)
        detail = "this memory was freed before";
    else if (allocation != NULL && !begins)
        detail = "this pointer is not at the start of an allocation";
    else if (allocation != NULL)
        detail = pinned ? "this is not pinned memory: free it with cudaFree"
                        : "this is pinned memory: free it with cudaFreeHost";
    fault_here(twice ? "double-free" : "bad-free", call, pointer, 0, "free", detail);
    return cudaErrorInvalidValue;
}

/* Writes the records, and the memory is gone. */
static void release(const struct call *call, struct allocation *allocation)
{
    struct location location = call_location(call);
    write_final(allocation, false);
    if (allocation->space != SPACE_DEVICE) allocation_hide(allocation);
    memory_free(allocation, location.line);
    trace_begin("free");
    trace_fields("id:%lu t:%ld", allocation->id, clock_now());
    call_source(call);
    trace_end();
}

void allocations_free_all(const struct call *call)
{
    struct location location = call_location(call);
    registered_reset();
    EACH_ALLOCATION (one) {
        if (one->space != SPACE_DEVICE) allocation_hide(one);
        memory_free(one, location.line);
    }
}

/* Freeing waits until the device is idle. */
static cudaError_t free_now(const struct call *call, uint64_t pointer, bool pinned)
{
    if (pointer == 0) return cudaSuccess;
    struct allocation *allocation = allocation_at(pointer);
    if (allocation == NULL || (allocation->space == SPACE_PINNED) != pinned ||
        allocation->space == SPACE_REGISTERED || allocation->allocated_line == VARIABLE)
        return refuse_free(call, pointer, pinned);
    stream_wait_all();
    release(call, allocation);
    return cudaSuccess;
}

cudaError_t allocation_free(const struct call *call, uint64_t pointer)
{
    return free_now(call, pointer, false);
}

cudaError_t serve_cudaFree(struct call *call, uint64_t pointer)
{
    return free_now(call, pointer, false);
}

cudaError_t serve_cudaFreeHost(struct call *call, uint64_t pointer)
{
    return free_now(call, pointer, true);
}

/* The host does not wait. Memory of other kinds is freed as by cudaFree. */
cudaError_t serve_cudaFreeAsync(struct call *call, uint64_t pointer, uint64_t handle)
{
    struct stream *stream = stream_find(call, handle);
    if (stream == NULL) return cudaErrorInvalidResourceHandle;
    struct allocation *allocation = allocation_at(pointer);
    if (allocation == NULL || allocation->space != SPACE_DEVICE)
        return free_now(call, pointer, false);
    put_in_stream(call, stream, ORDER_FREE, allocation);
    release(call, allocation);
    return cudaSuccess;
}

/* ---- questions ------------------------------------------------------------------------------ */

cudaError_t serve_cudaHostGetFlags(struct call *call, unsigned int *flags, uint64_t pointer)
{
    const struct allocation *allocation = allocation_at(pointer);
    *flags = cudaHostAllocMapped;
    bool pinned = allocation != NULL && allocation->space == SPACE_PINNED;
    return pinned ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t serve_cudaMemGetInfo(struct call *call, size_t *left, size_t *total)
{
    *left = memory_left();
    *total = memory_total();
    return cudaSuccess;
}

cudaError_t serve_cudaPointerGetAttributes(struct call *call, cudaPointerAttributes *attributes,
                                           uint64_t pointer)
{
    static const enum cudaMemoryType types[] = {[SPACE_DEVICE] = cudaMemoryTypeDevice,
                                                [SPACE_MANAGED] = cudaMemoryTypeManaged,
                                                [SPACE_PINNED] = cudaMemoryTypeHost,
                                                [SPACE_REGISTERED] = cudaMemoryTypeHost};
    const struct allocation *allocation = memory_find(here(pointer));
    enum cudaMemoryType type = cudaMemoryTypeUnregistered;
    if (module_variable_at(pointer) != NULL)
        type = cudaMemoryTypeDevice;
    else if (allocation != NULL && !allocation->freed)
        type = types[allocation->space];
    else if (registered_how(pointer, 1) != REGISTERED_NOT)
        type = cudaMemoryTypeHost;
    bool valid = type != cudaMemoryTypeUnregistered;
    *attributes =
        (cudaPointerAttributes){.type = type,
                                .device = valid ? 0 : cudaInvalidDeviceId,
                                .devicePointer = valid ? here(pointer) : NULL,
                                .hostPointer = type == cudaMemoryTypeDevice ? NULL : here(pointer)};
    return cudaSuccess;
}

static cudaError_t check_managed(uint64_t pointer, size_t bytes, int device)
{
    const struct allocation *allocation = memory_find(here(pointer));
    if (device < cudaCpuDeviceId || device > 0) return cudaErrorInvalidDevice;
    bool inside = allocation != NULL && allocation->space == SPACE_MANAGED && !allocation->freed &&
                  bytes > 0 && bytes <= allocation->bytes &&
                  pointer - (uintptr_t)allocation->base <= allocation->bytes - bytes;
    return inside ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t serve_cudaMemPrefetchAsync(struct call *call)
{
    uint64_t pointer = call->argument[0];
    int device = (int)call->argument[2];
    if (stream_find(call, call->argument[3]) == NULL) return cudaErrorInvalidResourceHandle;
    cudaError_t error = check_managed(pointer, call->argument[1], device);
    if (error == cudaSuccess) memory_fetch(here(pointer), device != cudaCpuDeviceId);
    return error;
}

cudaError_t serve_cudaMemAdvise(struct call *call)
{
    uint64_t advice = call->argument[2];
    if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy)
        return cudaErrorInvalidValue;
    return check_managed(call->argument[0], call->argument[1], (int)call->argument[3]);
}

/* Which stream's kernels use the memory: the host may not touch it while any kernel does, anyway.
 */
cudaError_t serve_cudaStreamAttachMemAsync(struct call *call, uint64_t stream, uint64_t pointer,
                                           size_t bytes, unsigned int flags)
{
    const struct allocation *allocation = allocation_at(pointer);
    bool valid =
        flags == cudaMemAttachGlobal || flags == cudaMemAttachHost || flags == cudaMemAttachSingle;
    if (stream_find(call, stream) == NULL) return cudaErrorInvalidResourceHandle;
    bool managed = allocation != NULL && allocation->space == SPACE_MANAGED;
    return valid && managed ? cudaSuccess : cudaErrorInvalidValue;
}
