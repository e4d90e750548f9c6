/*
 * tracer.h: what the parts of the tracer share. tracer.c uses CUPTI, tracer_calls.c turns the
 * program's API calls into events, tracer_events.c keeps the events and writes them,
 * tracer_memory.c saves contents, and tracer_gpu.c asks the driver. All times come from CUPTI, in
 * ns. They become ns since `begin` when they are written.
 */
#ifndef WARPUP_TRACER_H
#define WARPUP_TRACER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One call of the CUDA runtime. */
struct call {
    const char *name;       /* "cudaMalloc" */
    const void *parameters; /* CUPTI's structure for this call */
    const char *symbol;     /* the linker's name of a launch's kernel */
    uint32_t correlation;
    uint64_t start, end; /* end and code are known only when the call returns */
    int code;            /* cudaError_t */
};

enum event_kind {
    EVENT_ALLOC,
    EVENT_FREE,
    EVENT_COPY,
    EVENT_SET,
    EVENT_LAUNCH,
    EVENT_SYNC,
    EVENT_MARK,
    EVENT_ELAPSED,
    EVENT_ERROR,
    EVENT_FAULT,
    EVENT_FINAL,
};

/* One thing that the program did; one record of the trace. Unused fields are zero. */
struct event {
    enum event_kind kind;
    uint32_t correlation;      /* joins a launch, a copy or a set with what the GPU did */
    uint64_t start, end;       /* of the call */
    const char *name;          /* kernel, call, space, direction, fault, or the target of a wait */
    const char *deed, *detail; /* of a fault: "copy" or "free", and a sentence */
    const void *address;
    uint64_t id, from, to;
    size_t bytes, offset;
    uint32_t grid[3], block[3];
    int value; /* an error's code, the byte that a set writes */
    int stream;
    bool async, leaked;
    char data[24]; /* the file with the contents, "" if there is none */
    double ms;
};

/* What the GPU did, from the activity records of CUPTI. */
enum activity_kind { ACTIVITY_KERNEL, ACTIVITY_COPY, ACTIVITY_SET };
struct activity {
    enum activity_kind kind;
    uint32_t correlation;
    uint64_t start, end;
    const char *name; /* the linker's name of a kernel */
    uint32_t grid[3], block[3];
    uint32_t registers, static_shared, dynamic_shared, stream;
    bool written;
};

/* tracer_events.c: any thread may call these. */

/* Adds an event and returns its place, or SIZE_MAX if there is no memory left. */
size_t event_add(const struct event *event);
/* Sets the file that holds the contents of the event at `place`; NULL sets none. */
void event_set_data(size_t place, const char *file);
void activity_add(const struct activity *activity);
/* A copy of `text` that exists as long as the process; equal texts share one copy. */
const char *interned(const char *text);
/* Writes all events in order, each kernel after its launch. `zero` is the time of `begin`. */
void events_write(uint64_t zero);

/* tracer.c: asks CUPTI for all records that it still holds; the GPU must be idle. */
void activities_collect(void);

/* tracer_calls.c: CUPTI calls these before and after each call of the program. */

/* Before a call: saves memory that the call will free. */
void call_entered(const struct call *call);
/* After a call: adds the events of the call. */
void call_left(const struct call *call);
/* At the end: waits for copies in flight, and saves memory that was never freed. */
void calls_finish(void);

/* tracer_gpu.c */

/* Writes the `begin` record: the properties of the current context's device, or of device 0. */
void gpu_write_begin(void);
/* Waits for all work. False if the GPU no longer answers, for instance after a fault. */
bool gpu_idle(void);
/* Reads device memory; false on failure. */
bool gpu_read(void *host, const void *device, size_t bytes);

/* tracer_errors.c: the name and the text of a runtime error code; those of cudaErrorUnknown if the
 * table has no row for it. */
const char *error_name(int code);
const char *error_text(int code);

#endif
