/*
 * api_memory.c: allocations of device, managed and pinned memory.
 */
#include "sim/api/api_memory.h"

#include "sim/api/api_call.h"
#include "sim/api/api_stream.h"
#include "sim/gpu/clock.h"
#include "sim/gpu/memory.h"
#include "sim/image/program.h"
#include "sim/requests/fault.h"
#include "sim/requests/origin.h"
#include "sim/streams/host_hazards.h"
#include "sim/streams/stream_order.h"

#include "trace/trace.h"

#include <stdio.h>
#include <stdlib.h>

enum { PITCH = 512 /* rows of pitched memory begin at multiples of it */ };

/* Host memory that the program has registered. */
static struct registered {
    char *base;
    size_t bytes;
    unsigned int flags;
    struct registered *next;
} * registrations;

static const char *const space_names[] = {
    [SPACE_DEVICE] = "device", [SPACE_MANAGED] = "managed", [SPACE_PINNED] = "pinned"};

/* The live allocation that begins at `pointer`; NULL if there is none. */
static struct allocation *allocation_at(const void *pointer)
{
    struct allocation *allocation = memory_find(pointer);
    bool begins = allocation != NULL && allocation->base == pointer && !allocation->freed;
    return begins ? allocation : NULL;
}

static cudaError_t allocate(const struct call *call, void **pointer, enum memory_space space,
                            size_t bytes)
{
    if (pointer == NULL) return cudaErrorInvalidValue;
    *pointer = NULL;
    if (bytes == 0) return cudaSuccess;
    struct allocation *allocation = memory_allocate(space, bytes, call->pc);
    if (allocation == NULL) return cudaErrorMemoryAllocation;
    *pointer = allocation->base;

    trace_begin("alloc");
    trace_fields("id:%lu space:%s bytes:%zu address:%lu t:%ld", allocation->id, space_names[space],
                 bytes, (uintptr_t)allocation->base, clock_now());
    api_source(call);
    trace_end();
    return cudaSuccess;
}

/* By CUDA's programming guide, an allocation orders the work of two streams: what was started
 * before it ends before anything that is started after it ("implicit synchronization"). */
static cudaError_t allocate_between(const struct call *call, void **pointer,
                                    enum memory_space space, size_t bytes)
{
    order_land(~(order_set)0);
    return allocate(call, pointer, space, bytes);
}

CALL(cudaMalloc, (void **pointer, size_t bytes),
     allocate_between(&call, pointer, SPACE_DEVICE, bytes));
CALL(cudaMallocAsync, (void **pointer, size_t bytes, cudaStream_t stream),
     stream_is_valid(stream) ? allocate(&call, pointer, SPACE_DEVICE, bytes)
                             : cudaErrorInvalidResourceHandle);

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned int flags)
{
    bool known = flags == cudaMemAttachGlobal || flags == cudaMemAttachHost;
    API(known ? allocate_between(&call, pointer, SPACE_MANAGED, bytes) : cudaErrorInvalidValue);
}

CALL(cudaMallocHost, (void **pointer, size_t bytes),
     allocate_between(&call, pointer, SPACE_PINNED, bytes));
CALL(cudaHostAlloc, (void **pointer, size_t bytes, unsigned int flags),
     flags <= 7 ? allocate_between(&call, pointer, SPACE_PINNED, bytes) : cudaErrorInvalidValue);

cudaError_t allocate_rows(const struct call *call, void **pointer, size_t *pitch, size_t width,
                          size_t height)
{
    if (pitch == NULL) return cudaErrorInvalidValue;
    if (width > SIZE_MAX / 2) return cudaErrorMemoryAllocation;
    *pitch = (width + PITCH - 1) / PITCH * PITCH;
    if (height != 0 && *pitch > SIZE_MAX / height) return cudaErrorMemoryAllocation;
    return allocate_between(call, pointer, SPACE_DEVICE, *pitch * height);
}

CALL(cudaMallocPitch, (void **pointer, size_t *pitch, size_t width, size_t height),
     allocate_rows(&call, pointer, pitch, width, height));

/* Contents help to explain a wrong result. Large ones belong to timed runs, where saving them would
 * take too long. */
enum { CONTENTS_BYTES_MAX = 4 << 20 };

/* Writes the closing record of an allocation, with its contents. */
static void write_final(const struct allocation *allocation, bool leaked)
{
    hazard_open();
    bool wanted = allocation->space != SPACE_DEVICE || allocation->bytes <= CONTENTS_BYTES_MAX;
    const char *data = wanted ? trace_snapshot(allocation->base, allocation->bytes) : NULL;
    hazard_close();
    int64_t kernel_bytes = origin_kernel_bytes(allocation->base, allocation->bytes);
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
        write_final(one, leaked);
        if (!leaked) continue;
        char detail[100];
        snprintf(detail, sizeof detail, "%zu bytes of %s memory are never freed", one->bytes,
                 space_names[one->space]);
        fault_here("leak", one->allocated_at, one->base, one->bytes, NULL, detail);
    }
}

/* Reports why this call cannot free `pointer`. */
static cudaError_t refuse_free(const struct call *call, void *pointer, bool pinned)
{
    const struct allocation *allocation = memory_find(pointer);
    bool twice = allocation != NULL && allocation->base == pointer && allocation->freed;
    const char *detail = "no CUDA allocation function returned this pointer";
    if (twice)
        detail = "this memory was freed before";
    else if (allocation != NULL && allocation->base != pointer)
        detail = "this pointer is not at the start of an allocation";
    else if (allocation != NULL)
        detail = pinned ? "this is not pinned memory: free it with cudaFree"
                        : "this is pinned memory: free it with cudaFreeHost";
    fault_here(twice ? "double-free" : "bad-free", call->pc, pointer, 0, "free", detail);
    return cudaErrorInvalidValue;
}

/* Freeing waits until the device is idle. */
static cudaError_t release(const struct call *call, void *pointer, bool pinned)
{
    if (pointer == NULL) return cudaSuccess;
    struct allocation *allocation = allocation_at(pointer);
    if (allocation == NULL || (allocation->space == SPACE_PINNED) != pinned)
        return refuse_free(call, pointer, pinned);
    stream_wait_all();
    write_final(allocation, false);
    memory_free(allocation, call->pc);
    trace_begin("free");
    trace_fields("id:%lu t:%ld", allocation->id, clock_now());
    api_source(call);
    trace_end();
    return cudaSuccess;
}

cudaError_t allocation_free(const struct call *call, void *pointer)
{
    return release(call, pointer, false);
}

CALL(cudaFree, (void *pointer), release(&call, pointer, false));
CALL(cudaFreeHost, (void *pointer), release(&call, pointer, true));
CALL(cudaFreeAsync, (void *pointer, cudaStream_t stream),
     stream_is_valid(stream) ? release(&call, pointer, false) : cudaErrorInvalidResourceHandle);

/* ---- registered memory ---------------------------------------------------------------------- */

static struct registered **find_registered(const void *pointer)
{
    struct registered **link = &registrations;
    while (*link != NULL && !((const char *)pointer >= (*link)->base &&
                              (const char *)pointer < (*link)->base + (*link)->bytes))
        link = &(*link)->next;
    return link;
}

static cudaError_t host_register(void *pointer, size_t bytes, unsigned int flags)
{
    if (pointer == NULL || bytes == 0 || flags > 15) return cudaErrorInvalidValue;
    if (*find_registered(pointer) != NULL || memory_owns(pointer))
        return cudaErrorHostMemoryAlreadyRegistered;
    struct registered *new = malloc(sizeof *new);
    if (new == NULL) return cudaErrorMemoryAllocation;
    *new = (struct registered){pointer, bytes, flags, registrations};
    registrations = new;
    return cudaSuccess;
}

CALL(cudaHostRegister, (void *pointer, size_t bytes, unsigned int flags),
     host_register(pointer, bytes, flags));

/* Waits, as freeing does. */
static cudaError_t host_unregister(void *pointer)
{
    struct registered **link = find_registered(pointer), *old = *link;
    if (old == NULL || old->base != pointer) return cudaErrorHostMemoryNotRegistered;
    stream_wait_all();
    *link = old->next;
    free(old);
    return cudaSuccess;
}

CALL(cudaHostUnregister, (void *pointer), host_unregister(pointer));

static cudaError_t host_device_pointer(const struct call *call, void **device, void *host)
{
    const struct allocation *allocation = memory_find(host);
    if (device == NULL) return cudaErrorInvalidValue;
    if (allocation != NULL && allocation->space == SPACE_PINNED && !allocation->freed) {
        *device = host;
        return cudaSuccess;
    }
    if (*find_registered(host) == NULL) return cudaErrorInvalidValue;
    api_unknown("kernels that use registered host memory; use cudaHostAlloc", call->pc);
    return cudaErrorNotSupported;
}

CALL(cudaHostGetDevicePointer, (void **device, void *host, unsigned int flags),
     flags == 0 ? host_device_pointer(&call, device, host) : cudaErrorInvalidValue);

static cudaError_t host_flags(unsigned int *flags, void *host)
{
    const struct allocation *allocation = allocation_at(host);
    if (flags == NULL || allocation == NULL || allocation->space != SPACE_PINNED)
        return cudaErrorInvalidValue;
    *flags = cudaHostAllocMapped;
    return cudaSuccess;
}

CALL(cudaHostGetFlags, (unsigned int *flags, void *host), host_flags(flags, host));

/* ---- questions ------------------------------------------------------------------------------ */

static cudaError_t memory_info(size_t *left, size_t *total)
{
    if (left == NULL || total == NULL) return cudaErrorInvalidValue;
    *left = memory_left();
    *total = memory_total();
    return cudaSuccess;
}

CALL(cudaMemGetInfo, (size_t * left, size_t *total), memory_info(left, total));

static cudaError_t pointer_attributes(cudaPointerAttributes *attributes, const void *pointer)
{
    static const enum cudaMemoryType types[] = {[SPACE_DEVICE] = cudaMemoryTypeDevice,
                                                [SPACE_MANAGED] = cudaMemoryTypeManaged,
                                                [SPACE_PINNED] = cudaMemoryTypeHost};
    const struct allocation *allocation = memory_find(pointer);
    if (attributes == NULL) return cudaErrorInvalidValue;
    *attributes = (cudaPointerAttributes){.device = cudaInvalidDeviceId};
    void *same = (void *)(uintptr_t)pointer;
    if (allocation != NULL && !allocation->freed) {
        attributes->type = types[allocation->space];
        attributes->device = 0;
        attributes->devicePointer = same;
        attributes->hostPointer = allocation->space == SPACE_DEVICE ? NULL : same;
    } else if (program_holds_variable(pointer, 1)) {
        *attributes = (cudaPointerAttributes){cudaMemoryTypeDevice, 0, same, NULL};
    } else if (*find_registered(pointer) != NULL) {
        *attributes = (cudaPointerAttributes){cudaMemoryTypeHost, 0, same, same};
    } else {
        attributes->hostPointer = same;
    }
    return cudaSuccess;
}

CALL(cudaPointerGetAttributes, (cudaPointerAttributes * attributes, const void *pointer),
     pointer_attributes(attributes, pointer));

static cudaError_t check_managed(const void *pointer, size_t bytes, int device)
{
    const struct allocation *allocation = memory_find(pointer);
    if (device < cudaCpuDeviceId || device > 0) return cudaErrorInvalidDevice;
    bool inside = allocation != NULL && allocation->space == SPACE_MANAGED && !allocation->freed &&
                  bytes > 0 &&
                  (const char *)pointer + bytes <= allocation->base + allocation->bytes;
    return inside ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t warpup_prefetch(const void *pointer, size_t bytes, int device, cudaStream_t stream)
{
    cudaError_t error = stream_is_valid(stream) ? check_managed(pointer, bytes, device)
                                                : cudaErrorInvalidResourceHandle;
    if (error == cudaSuccess) memory_fetch(pointer, device != cudaCpuDeviceId);
    API_AS("cudaMemPrefetchAsync", error);
}

cudaError_t warpup_advise(const void *pointer, size_t bytes, cudaMemoryAdvise advice, int device)
{
    bool known = advice >= cudaMemAdviseSetReadMostly && advice <= cudaMemAdviseUnsetAccessedBy;
    API_AS("cudaMemAdvise", known ? check_managed(pointer, bytes, device) : cudaErrorInvalidValue);
}
