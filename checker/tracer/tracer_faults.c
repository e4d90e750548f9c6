/*
 * tracer_faults.c: finds what is wrong with the pointers of a call, from the memory that the
 * program has or had. CUDA itself reports only "invalid argument".
 */
#include "tracer/tracer_faults.h"
#include "tracer/tracer_events.h"
#include "tracer/tracer_memory.h"

#include <generated_cuda_runtime_api_meta.h>

#include <stdio.h>
#include <string.h>

static void add_fault(const char *name, const char *deed, const void *address, size_t bytes,
                      const char *detail)
{
    const struct allocation *allocation = memory_of(address);
    struct event event = {.kind = EVENT_FAULT,
                          .name = name,
                          .deed = deed,
                          .address = address,
                          .bytes = bytes,
                          .detail = interned(detail)};
    if (allocation != NULL) {
        event.id = allocation->id;
        event.offset = (size_t)((const char *)address - allocation->base);
    }
    event_add(&event);
}

/* True if `bytes` bytes at `pointer` go past the end of device memory, or if that memory was freed.
 * Adds the fault. */
static bool past_the_end(const struct call *call, const void *pointer, size_t bytes)
{
    const struct allocation *allocation = device_memory_of(pointer);
    char detail[120];
    if (allocation == NULL) {
        bool gone = call->code != 0 && memory_was(pointer) != NULL;
        if (gone)
            add_fault("use-after-free", "copy", pointer, bytes,
                      "the copy uses memory that was freed");
        return gone;
    }
    size_t held = (size_t)(allocation->base + allocation->bytes - (const char *)pointer);
    if (bytes <= held) return false;
    snprintf(detail, sizeof detail, "the copy has %zu bytes, but the allocation has only %zu left",
             bytes, held);
    add_fault("copy-out-of-bounds", "copy", pointer, bytes, detail);
    return true;
}

/* Why the pointers do not match the direction; NULL if they match or are not known. */
static const char *direction_complaint(enum cudaMemcpyKind kind, const void *to, const void *from)
{
    const struct allocation *target = memory_of(to), *origin = memory_of(from);
    if (kind == cudaMemcpyHostToDevice && origin != NULL && strcmp(origin->space, DEVICE) == 0)
        return "the source is device memory, but the direction is cudaMemcpyHostToDevice";
    if (kind == cudaMemcpyDeviceToHost && target != NULL && strcmp(target->space, DEVICE) == 0)
        return "the destination is device memory, but the direction is cudaMemcpyDeviceToHost";
    if (kind == cudaMemcpyDeviceToDevice && origin != NULL && target == NULL)
        return "the destination is host memory, but the direction is cudaMemcpyDeviceToDevice";
    if (kind == cudaMemcpyDeviceToDevice && target != NULL && origin == NULL)
        return "the source is host memory, but the direction is cudaMemcpyDeviceToDevice";
    return NULL;
}

static void fault_of_copy(const struct call *call)
{
    const cudaMemcpy_v3020_params *p = call->parameters; /* cudaMemcpyAsync has them too */
    const char *complaint = call->code != 0 ? direction_complaint(p->kind, p->dst, p->src) : NULL;
    if (complaint != NULL)
        add_fault("copy-direction", "copy", p->dst, p->count, complaint);
    else if (!past_the_end(call, p->dst, p->count))
        past_the_end(call, p->src, p->count);
}

static void fault_of_set(const struct call *call)
{
    const cudaMemset_v3020_params *p = call->parameters; /* cudaMemsetAsync has them too */
    past_the_end(call, p->devPtr, p->count);
}

static void fault_of_free(const struct call *call)
{
    const void *pointer = ((const cudaFree_v3020_params *)call->parameters)->devPtr;
    const struct allocation *inside = memory_of(pointer), *was = memory_was(pointer);
    if (call->code == 0) return;
    if (inside == NULL && was != NULL && was->base == pointer)
        add_fault("double-free", "free", pointer, 0, "this memory was freed before");
    else
        add_fault("bad-free", "free", pointer, 0,
                  inside == NULL            ? "no CUDA allocation function returned this pointer"
                  : inside->base != pointer ? "this pointer is not at the start of an allocation"
                  : inside->space == PINNED ? "this is pinned memory: free it with cudaFreeHost"
                                            : "this is not pinned memory: free it with cudaFree");
}

static const struct {
    const char *call;
    void (*check)(const struct call *);
} checks[] = {
    {"cudaMemcpy", fault_of_copy},   {"cudaMemcpyAsync", fault_of_copy},
    {"cudaMemset", fault_of_set},    {"cudaMemsetAsync", fault_of_set},
    {"cudaFree", fault_of_free},     {"cudaFreeAsync", fault_of_free},
    {"cudaFreeHost", fault_of_free}, {"cudaHostUnregister", fault_of_free},
};

void faults_of(const struct call *call)
{
    /* After a fault in a kernel every call fails, whatever its arguments are. */
    if (call->code != cudaSuccess && call->code != cudaErrorInvalidValue &&
        call->code != cudaErrorInvalidMemcpyDirection)
        return;
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++)
        if (strcmp(checks[i].call, call->name) == 0) checks[i].check(call);
}
