/*
 * tracer.h: what the parts of the tracer share. tracer.c talks to CUPTI, tracer_calls.c turns the
 * program's API calls into events, tracer_events.c keeps them and writes them, tracer_memory.c
 * saves contents, tracer_gpu.c asks the driver. All times are CUPTI's, in ns; they become ns since
 * `begin` when they are written.
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
    const char *symbol;     /* a launch's kernel, as the linker knows it */
    uint32_t correlation;
    uint64_t start, end; /* end and code are known on the way out only */
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
    const char *name;          /* kernel, call, space, direction, fault, or what was waited for */
    const char *deed, *detail; /* of a fault: "copy" or "free", and a sentence */
    const void *address;
    uint64_t id, from, to;
    size_t bytes, offset;
    uint32_t grid[3], block[3];
    int value; /* an error's code, the byte that a set writes */
    int stream;
    bool async, leaked;
    char data[24]; /* file that holds the contents, "" when none */
    double ms;
};

/* What the GPU did, as CUPTI's activity records tell it. */
enum activity_kind { ACTIVITY_KERNEL, ACTIVITY_COPY, ACTIVITY_SET };
struct activity {
    enum activity_kind kind;
    uint32_t correlation;
    uint64_t start, end;
    const char *name; /* a kernel's, as the linker knows it */
    uint32_t grid[3], block[3];
    uint32_t registers, static_shared, dynamic_shared, stream;
    bool written;
};

/* tracer_events.c: any thread may add. */

/* Adds an event and returns its place; SIZE_MAX when memory is out. */
size_t event_add(const struct event *event);
/* Names the file that holds the contents of the event at `place`; NULL names none. */
void event_set_data(size_t place, const char *file);
void activity_add(const struct activity *activity);
/* A copy of `text` that lives as long as the process; equal texts give one copy. */
const char *interned(const char *text);
/* Writes every event in order, a kernel after its launch. `zero` is the time of `begin`. */
void events_write(uint64_t zero);

/* tracer.c: has CUPTI deliver every record that it holds; the GPU must be idle. */
void activities_collect(void);

/* tracer_calls.c: CUPTI calls these around each call of the program. */

/* On the way in: memory that is about to be freed is saved. */
void call_entered(const struct call *call);
/* On the way out: the call's events are added. */
void call_left(const struct call *call);
/* At the end: what is still on its way arrives, and what was never freed is saved. */
void calls_finish(void);

/* tracer_gpu.c */

/* Writes the `begin` record: the facts of the current context's device, else of the first. */
void gpu_write_begin(void);
/* Waits for all work. False when the GPU cannot be asked any more, after a fault for instance. */
bool gpu_idle(void);
/* Reads device memory; false when it cannot. */
bool gpu_read(void *host, const void *device, size_t bytes);

/* tracer_errors.c: of a runtime error code; "cudaErrorUnknown" where the table has no row. */
const char *error_name(int code);
const char *error_text(int code);

#endif
