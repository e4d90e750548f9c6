/*
 * costs.c: see costs.h. The figures are estimates, in the order of what programs show on an H100: a
 * first product of cuBLAS takes nearly 100 ms, and its first axpy less than 1 ms. calibrate/cold.cu
 * measures them. Pinning and registering grow with the bytes: the driver visits each page.
 */
#include "gpu/runtime/costs.h"

#include "gpu/runtime/runtime.h"
#include "gpu/server/clock.h"
#include "gpu/time/profile.h"

#include <stdbool.h>
#include <string.h>

/* Microseconds */
static const double CONTEXT = 200000;     /* the first call that needs the GPU */
static const double LOAD_MODULE = 100;    /* the first launch of a kernel of the program */
static const double LOAD_ROUTINE = 500;   /* the first call of a routine of cuBLAS, */
static const double LOAD_PRODUCT = 50000; /* of one with matrices: it brings many kernels */
static const double MEGABYTE = 1 << 20;

static const struct cost {
    enum wire_call call;
    double first, each, megabyte; /* `first`: more for the first call of this name */
    int bytes;                    /* the argument that says how many, or -1 */
} costs[] = {
    {WIRE_cudaMalloc, 0, 50, 1, 1},
    {WIRE_cudaMallocManaged, 0, 30, 0, -1},
    {WIRE_cudaFree, 0, 100, 0, -1},
    {WIRE_cudaMallocHost, 0, 100, 250, 1},
    {WIRE_cudaHostAlloc, 0, 100, 250, 1},
    {WIRE_cudaFreeHost, 0, 100, 0, -1},
    {WIRE_cudaHostRegister, 0, 50, 100, 1},
    {WIRE_cudaHostUnregister, 0, 50, 0, -1},
    {WIRE_cudaStreamCreate, 100, 10, 0, -1},
    {WIRE_cudaStreamCreateWithFlags, 100, 10, 0, -1},
    {WIRE_cudaStreamCreateWithPriority, 100, 10, 0, -1},
    {WIRE_cudaEventCreate, 10, 1, 0, -1},
    {WIRE_cudaEventCreateWithFlags, 10, 1, 0, -1},
    {WIRE_cublasCreate, 100000, 1000, 0, -1},
};
enum { ROUTINES_MAX = 100 };
enum { COSTS = sizeof costs / sizeof costs[0] };

/* Calls that ask about the GPU or an error do not make a context. */
static bool needs_context(const char *name)
{
    static const char *const without[] = {"cudaGet",       "cudaPeek",     "cudaDeviceGet",
                                          "cudaDriver",    "cudaRuntime",  "cudaChoose",
                                          "cudaDeviceCan", "cudaSetDevice"};
    for (size_t i = 0; i < sizeof without / sizeof without[0]; i++)
        if (strncmp(name, without[i], strlen(without[i])) == 0) return false;
    return true;
}

void costs_call(const struct call *call)
{
    static bool has_context, called[COSTS];
    double us = 0;
    if (!has_context && needs_context(call->name)) {
        has_context = true;
        us += CONTEXT;
    }
    for (int i = 0; i < COSTS; i++) {
        const struct cost *cost = &costs[i];
        if (cost->call != call->number) continue;
        us += cost->each + (called[i] ? 0 : cost->first);
        if (cost->bytes >= 0) us += cost->megabyte * (double)argument(call, cost->bytes) / MEGABYTE;
        called[i] = true;
    }
    clock_add(us * 1e3);
}

/* True the first time that it is asked about a routine; of more than ROUTINES_MAX, never. */
static bool is_new(const char *routine)
{
    static const char *known[ROUTINES_MAX];
    static int count;
    for (int i = 0; i < count; i++)
        if (strcmp(known[i], routine) == 0) return false;
    if (count == ROUTINES_MAX) return false;
    known[count++] = routine;
    return true;
}

void costs_launch(const char *routine)
{
    static bool loaded;
    bool product = routine != NULL && (strstr(routine, "gem") || strstr(routine, "Matmul"));
    if (routine != NULL && is_new(routine))
        clock_add((product ? LOAD_PRODUCT : LOAD_ROUTINE) * 1e3);
    if (routine == NULL && !loaded) clock_add(LOAD_MODULE * 1e3);
    loaded = loaded || routine == NULL;
    clock_add(profile()->launch_us * 1e3);
}
