/*
 * tracer_events.h: what the program and the GPU did, until the trace is written at the end. All
 * times come from CUPTI, in ns. They become ns since `begin` when they are written. Any thread may
 * call these functions.
 */
#ifndef WARPUP_TRACER_EVENTS_H
#define WARPUP_TRACER_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum event_kind {
    EVENT_ALLOC,
    EVENT_FREE,
    EVENT_COPY,
    EVENT_SET,
    EVENT_LAUNCH,
    EVENT_GRAPH,
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
    bool in_graph; /* shares its correlation with the other work of a launched graph */
    char data[24]; /* the file with the contents, "" if there is none */
    double ms;
};

/* The activities of the GPU, from the records of CUPTI. */
enum activity_kind { ACTIVITY_KERNEL, ACTIVITY_COPY, ACTIVITY_SET };
struct activity {
    enum activity_kind kind;
    uint32_t correlation;
    uint64_t start, end, bytes;
    const char *name; /* the linker's name of a kernel */
    uint32_t grid[3], block[3];
    uint32_t registers, static_shared, dynamic_shared, stream;
    bool written;
};

/* Adds an event and returns its place, or SIZE_MAX if there is no memory left. */
size_t event_add(const struct event *event);
/* Sets the file that holds the contents of the event at `index`; NULL sets none. */
void event_set_data(size_t index, const char *file);
void activity_add(const struct activity *activity);
/* A copy of `text` that exists as long as the process; equal texts share one copy. */
const char *interned(const char *text);
/* Writes all events in order, each kernel after its launch. `zero` is the time of `begin`. */
void events_write(uint64_t zero);

#endif
