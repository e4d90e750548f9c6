/*
 * faults.c: faults that the executor itself notes, with block, thread and place, and how a kernel
 * ends by one.
 */
#include "gpu/memory/fault.h"
#include "gpu/warp/control.h"

#include <stdio.h>

void thread_at(const struct warp *warp, uint32_t lane, uint32_t at[3])
{
    const uint32_t *size = warp->block->run->launch->block;
    uint32_t thread = thread_of(warp, lane);
    at[0] = thread % size[0];
    at[1] = thread / size[0] % size[1];
    at[2] = thread / size[0] / size[1];
}

void warp_fail(struct warp *warp, int error)
{
    warp->control->stop = true;
    if (warp->worker->error == 0) warp->worker->error = error;
}

/* The student's place of an instruction. A function of a header has none: then it is that of its
 * call. */
uint32_t warp_location(const struct warp *warp, const struct ptx_instruction *at)
{
    uint32_t location = at->location;
    const struct activation *one = warp->control->running_in;
    for (; location == 0 && one->caller != NULL; one = one->caller)
        location = one->call->location;
    return location;
}

static struct fault fault_of(const struct warp *warp, uint32_t location, uint32_t lane,
                             const char *name, const char *detail)
{
    struct fault fault = {
        .name = name, .module = warp->block->run->module, .location = location, .in_kernel = true};
    if (detail != NULL) snprintf(fault.detail, sizeof fault.detail, "%s", detail);
    for (int i = 0; i < 3; i++)
        fault.block[i] = warp->block->at[i];
    thread_at(warp, lane, fault.thread);
    return fault;
}

void warp_fault(struct warp *warp, const struct ptx_instruction *at, uint32_t lane,
                const char *name, const char *detail)
{
    struct fault fault = fault_of(warp, warp_location(warp, at), lane, name, detail);
    fault_note(&fault);
}

/* Notes a fault as warp_fault() does, at a place that the caller knows. */
void warp_fault_at(struct warp *warp, uint32_t location, uint32_t lane, const char *name,
                   const char *detail)
{
    struct fault fault = fault_of(warp, location, lane, name, detail);
    fault_note(&fault);
}

/* Notes a fault as warp_fault_at() does, and names another thread. */
void warp_fault_with(struct warp *warp, uint32_t location, uint32_t lane, const char *name,
                     const char *detail, const struct warp *other, uint32_t other_lane)
{
    struct fault fault = fault_of(warp, location, lane, name, detail);
    fault.has_other = true;
    for (int i = 0; i < 3; i++)
        fault.other_block[i] = other->block->at[i];
    thread_at(other, other_lane, fault.other_thread);
    fault_note(&fault);
}
