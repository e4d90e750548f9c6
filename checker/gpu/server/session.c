/*
 * session.c: see session.h. The program's first messages, its addresses, and its end.
 */
#define _GNU_SOURCE
#include "gpu/server/session.h"

#include "gpu/memory/fault.h"
#include "gpu/memory/memory.h"
#include "gpu/runtime/runtime.h"
#include "gpu/server/clock.h"
#include "gpu/server/connection.h"
#include "gpu/server/call.h"
#include "gpu/server/line.h"
#include "gpu/time/profile.h"
#include "trace/trace.h"
#include "gpu/runtime/hazards.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

bool session_believes_end;

static void record_begin(void)
{
    const struct profile *gpu = profile();
    const char *wanted = getenv("WARPUP_PROFILE");
    trace_begin("begin");
    trace_fields("version:%d device:%s kind:%s", 1, gpu->name, "simulated");
    trace_fields("profile:%s", wanted == NULL || wanted[0] == '\0' ? "h200" : wanted);
    trace_fields("capability:%d sms:%d threads_per_sm:%d", (int)gpu->capability, (int)gpu->sms,
                 (int)gpu->threads_per_sm);
    trace_fields("memory_bytes:%ld l2_bytes:%ld", (long)(gpu->memory_gb * 1e9),
                 (long)(gpu->l2_mb * 1024 * 1024));
    trace_fields("copy_gbs:%g cublas_gflops:%g bus_gbs:%g", gpu->copy_gbs, gpu->sgemm_gflops,
                 gpu->pinned_both_gbs);
    trace_end();
}

void session_open(void)
{
    profile();
    trace_open();
    runtime_start();
    trace_forget("WARPUP_PERTURB");
    record_begin();
}

void session_close(int status, int signal)
{
    static bool closed;
    char how[20];
    if (closed) return;
    closed = true;
    runtime_finish(signal == 0 && status == 0 && !runtime_is_broken());
    snprintf(how, sizeof how, signal == 0 ? "exit" : "signal %d", signal);
    trace_close(how);
}

/* ---- the program's addresses ---------------------------------------------------------------- */

static const uint64_t GIB = UINT64_C(1) << 30;

/* Where the GPU's memory may be, in this order: far from what systems put there, with 47-bit and
 * with 39-bit addresses. */
static const uint64_t bases[] = {0x0a0000000000, 0x200000000000, 0x100000000000, 0x300000000000,
                                 0x001000000000, 0x002000000000, 0x000800000000};
enum { PLACES = sizeof bases / sizeof bases[0] };
enum { GIGABYTES_MAX = 256 };

static struct {
    int base;
    uint64_t bytes;
    bool reserved;
} addresses;

static uint64_t most_bytes(void)
{
    const char *wanted = getenv("WARPUP_ADDRESSES_GB");
    long gigabytes = wanted == NULL ? 0 : strtol(wanted, NULL, 10);
    return (gigabytes > 0 && gigabytes < GIGABYTES_MAX ? (uint64_t)gigabytes : GIGABYTES_MAX) * GIB;
}

/* Reserves the next addresses that are free in this process: all bases with the most bytes first,
 * then with half. */
static bool reserve_next(void)
{
    if (addresses.bytes == 0) addresses.bytes = most_bytes();
    while (addresses.bytes >= GIB / 16) {
        if (addresses.base == PLACES) {
            addresses.base = 0;
            addresses.bytes /= 2;
            continue;
        }
        if (memory_reserve(bases[addresses.base++], addresses.bytes)) return true;
    }
    return false;
}

static cudaError_t give_addresses(struct call *call)
{
    if (!reserve_next()) connection_refuse("no addresses are left for the simulated GPU's memory");
    call->reply->result[0] = memory_base();
    call->reply->result[1] = memory_extent();
    call->reply->result[2] = memory_shared_from();
    return cudaSuccess;
}

static bool greeted;

bool session_has_begun(void)
{
    return greeted;
}

cudaError_t serve_hello(struct call *call)
{
    if (greeted) connection_refuse("a program greets its GPU twice");
    greeted = true;
    line_begin(call_take_file(), call->argument[0]);
    clock_begin();
    return give_addresses(call);
}

cudaError_t serve_reserve(struct call *call)
{
    if (memory_left() != memory_total())
        connection_refuse("a program moves the GPU's memory that it uses");
    return give_addresses(call);
}

cudaError_t serve_finished(struct call *call)
{
    if (session_believes_end) session_close((int)call->argument[0], 0);
    return cudaSuccess;
}

cudaError_t serve_unknown(struct call *call)
{
    char name[100];
    size_t bytes =
        call->request->payload < sizeof name - 1 ? call->request->payload : sizeof name - 1;
    memcpy(name, call->payload, bytes);
    name[bytes] = '\0';
    for (size_t i = 0; i < bytes; i++)
        if (!isalnum((unsigned char)name[i]) && name[i] != '_') return cudaErrorInvalidValue;
    call_unknown(call, name);
    return cudaErrorNotSupported;
}

/* ---- the signals of the program ------------------------------------------------------------- */

/* What the program's signals mean. An access to memory that is closed for a while (a page that a
 * kernel still uses) is reported, and the program tries again. Any other signal ends the program:
 * an access to device memory is a fault of the host. */
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
