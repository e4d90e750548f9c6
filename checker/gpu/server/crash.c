/*
 * crash.c: what the program's signals mean. An access to memory that is closed for a while (a page
 * that a kernel still uses) is reported, and the program tries again. Any other signal ends the
 * program: an access to device memory is a fault of the host.
 */
#include "gpu/memory/memory.h"
#include "gpu/runtime/hazards.h"
#include "gpu/runtime/runtime.h"
#include "gpu/server/session.h"

#include <stdio.h>

cudaError_t serve_touched(struct call *call)
{
    call->reply->result[0] = hazard_touched(call->argument[0], call->argument[1] != 0, call);
    return cudaSuccess;
}

static void report(const struct call *call, uint64_t address, bool writes, bool in_free)
{
    const char *pointer = (const char *)(uintptr_t)address;
    if (!memory_owns(pointer)) return;
    const struct allocation *allocation = memory_nearest(pointer);
    /* free() looks at the start of 64 MB: for the first pinned memory, this is before all of it. */
    bool pinned = allocation == NULL || allocation->space == SPACE_PINNED;
    if (in_free) {
        fault_here(
            "bad-free", call, address, 0, "free",
            pinned ? "the host's free() gets a pointer to pinned memory: free it with cudaFreeHost"
                   : "the host's free() gets a pointer to GPU memory: free it with cudaFree");
        return;
    }
    allocation = memory_find(pointer);
    bool freed = allocation != NULL && allocation->freed;
    char detail[120];
    snprintf(detail, sizeof detail, "host code %s %s", writes ? "writes" : "reads",
             freed ? "memory that was freed"
                   : "device memory through this pointer; only kernels and copies can");
    fault_here(freed ? "use-after-free" : "device-pointer-on-host", call, address, 0,
               writes ? "store" : "load", detail);
}

cudaError_t serve_crashed(struct call *call)
{
    report(call, call->argument[1], call->argument[2] != 0, call->argument[3] != 0);
    if (session_believes_end) session_close(0, (int)call->argument[0]);
    return cudaSuccess;
}
