/*
 * call.h: one CUDA call while the GPU's process serves it. `serve_NAME()` in runtime/ does what the call NAME of
 * wire/calls.def asks; table.c finds it.
 */
#ifndef WARPUP_CALL_H
#define WARPUP_CALL_H

#include "gpu/include/driver_types.h"
#include "gpu/wire/wire.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct call {
    const char *name;
    enum wire_call number;
    const struct wire_request *request;
    const uint64_t *argument;  /* as the program sent them */
    const unsigned char *payload; /* request->payload bytes */
    struct wire_reply *reply;  /* its results; error is set by call_end() */
    cudaError_t error;
};

typedef cudaError_t serve_function(struct call *call);

/* Adds what the program has to do. Text of a print is copied. */
void call_action(struct wire_action action, const void *text);
/* Bytes for the reply's payload. */
void call_answer(const void *data, size_t bytes);

/* The place of the call in the student's source: adds "file" and "line" to the open trace record; the line alone. */
void call_source(const struct call *call);
int call_line(const struct call *call, const char **file);

/* Writes one line on the program's stderr, and an `unknown` record. */
void call_unknown(const struct call *call, const char *what);

#endif
