/*
 * costs.c: see costs.h. The figures are medians of five runs of calibrate/cold.cu on an H200's
 * machine; those of the first call of a vector routine are from checks on an H100. Pinning and
 * registering grow with the bytes: the driver visits each page.
 */
#include "gpu/runtime/costs.h"

#include "gpu/runtime/runtime.h"
#include "gpu/server/clock.h"
#include "gpu/time/profile.h"

#include <stdbool.h>
#include <string.h>

/* Microseconds */
static const double CONTEXT = 210000;     /* the first call that needs the GPU */
static const double LOAD_MODULE = 120;    /* the first launch of a kernel of the program */
static const double LOAD_ROUTINE = 500;   /* the first call of a routine of cuBLAS, */
static const double LOAD_GEMV = 5900;     /* of one with a matrix and a vector, */
static const double LOAD_PRODUCT = 96000; /* of one with matrices: it brings many kernels */
static const double MEGABYTE = 1 << 20;

static const struct cost {
    enum wire_call call;
    double first, each, megabyte; /* `first`: more for the first call of this name */
    int bytes;                    /* the argument that says how many, or -1 */
} costs[] = {
    {WIRE_cudaMalloc, 0, 62, 0.85, 1},
    {WIRE_cudaMallocManaged, 0, 30, 0.2, 1},
    {WIRE_cudaFree, 0, 60, 0, -1},
    {WIRE_cudaMallocHost, 0, 700, 390, 1},
    {WIRE_cudaHostAlloc, 0, 700, 390, 1},
    {WIRE_cudaFreeHost, 0, 300, 0, -1},
    {WIRE_cudaHostRegister, 0, 150, 40, 1},
    {WIRE_cudaHostUnregister, 0, 65, 0, -1},
    {WIRE_cudaStreamCreate, 20, 2.8, 0, -1},
    {WIRE_cudaStreamCreateWithFlags, 20, 2.8, 0, -1},
    {WIRE_cudaStreamCreateWithPriority, 20, 2.8, 0, -1},
    {WIRE_cudaEventCreate, 2.6, 0.4, 0, -1},
    {WIRE_cudaEventCreateWithFlags, 2.6, 0.4, 0, -1},
    {WIRE_cublasCreate, 2500, 220, 0, -1},
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
        if (cost->bytes >= 0) us += cost->megabyte * (double)call->argument[cost->bytes] / MEGABYTE;
        called[i] = true;
    }
    clock_add(us * 1e3);
}

/* True the first time that it is asked about a routine; of more than ROUTINES_MAX, never. */
static bool is_new(const char *routine)
{
    static const char *seen[ROUTINES_MAX];
    static int count;
    for (int i = 0; i < count; i++)
        if (strcmp(seen[i], routine) == 0) return false;
    if (count == ROUTINES_MAX) return false;
    seen[count++] = routine;
    return true;
}

/* The cost of the first call of a routine of cuBLAS. */
static double load_us(const char *routine)
{
    if (strstr(routine, "gemv") != NULL) return LOAD_GEMV;
    bool product = strstr(routine, "gem") != NULL || strstr(routine, "Matmul") != NULL;
    return product ? LOAD_PRODUCT : LOAD_ROUTINE;
}

void costs_launch(const char *routine)
{
    static bool loaded;
    if (routine != NULL && is_new(routine)) clock_add(load_us(routine) * 1e3);
    if (routine == NULL && !loaded) clock_add(LOAD_MODULE * 1e3);
    loaded = loaded || routine == NULL;
    clock_add(profile()->launch_us * 1e3);
}
