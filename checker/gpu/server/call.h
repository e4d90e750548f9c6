/*
 * call.h: one CUDA call while the GPU's process serves it. `serve_NAME()` in runtime/ does what the
 * call NAME asks; table.c finds it. Calls are served one at a time, in the server's only serving
 * thread.
 */
#ifndef WARPUP_CALL_H
#define WARPUP_CALL_H

#include "gpu/include/driver_types.h"
#include "gpu/wire/calls.h"
#include "gpu/wire/wire.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct call {
    const char *name;
    enum wire_call number;
    const struct wire_request *request;
    const uint64_t *argument;     /* as the program sent them */
    const unsigned char *payload; /* request->payload bytes */
    struct wire_reply *reply;     /* its results; error is set by runtime_serve() */
    cudaError_t error;
    bool async; /* of a copy or fill: the program does not wait for it */
};

typedef cudaError_t serve_function(struct call *call);

/* `count` elements of the payload from byte *at on, which moves past them. NULL if the program gave
 * none, or fewer. */
static inline const void *call_take(const struct call *call, bool given, size_t *at, uint64_t count,
                                    size_t bytes)
{
    size_t left = call->request->payload - *at;
    if (!given || count > left / bytes) return NULL;
    *at += count * bytes;
    return call->payload + *at - count * bytes;
}

/* A copy of the next one there, if the program gave one. */
static inline bool call_copy(const struct call *call, bool given, size_t *at, void *to,
                             size_t bytes)
{
    const void *from = call_take(call, given, at, 1, bytes);
    if (from != NULL) memcpy(to, from, bytes);
    return from != NULL;
}

/* Adds what the program has to do before the call returns. */
void call_action(struct wire_action action);
/* Bytes for the reply's payload, at most WIRE_PAYLOAD in all: the results, in the order of the
 * call's parameters. */
void call_answer(const void *data, size_t bytes);
/* Text for the program's stdout; copied. */
void call_print(const char *text, size_t bytes);

/* The program's own memory, at any address outside of the GPU's: `bytes` bytes from it, or to it.
 * They return when it is done. False: the program has ended; return any error then. */
bool call_read(uint64_t address, void *to, size_t bytes);
bool call_write(uint64_t address, const void *from, size_t bytes);
/* Read or write `rows` rows of `width` bytes. The program's rows are `pitch` bytes apart, the GPU's
 * `own_pitch`. */
bool call_read_rows(uint64_t address, size_t pitch, void *to, size_t own_pitch, size_t width,
                    size_t rows);
bool call_write_rows(uint64_t address, size_t pitch, const void *from, size_t own_pitch,
                     size_t width, size_t rows);
/* Has the program copy rows inside its own memory. */
bool call_move_rows(uint64_t to, size_t to_pitch, uint64_t from, size_t from_pitch, size_t width,
                    size_t rows);
/* Has the program do the actions so far (MAP, PROTECT, prints …) now. */
bool call_flush(void);

/* Has the calling thread run a host function, and returns when it has returned. Other calls, of
 * this thread and of others, may be served meanwhile. kind: 0 cudaHostFn_t, 1 cudaStreamCallback_t.
 */
bool call_host(uint64_t function, uint64_t data, int kind, uint64_t stream, cudaError_t status);

/* The place of the call in the student's source: adds "file" and "line" to the open trace record;
 * the line alone (0: not known). `*file` lives as long as the process. They use
 * call->request->frame only. */
void call_source(const struct call *call);
int call_line(const struct call *call, const char **file);

/* Writes one line on the program's stderr, and an `unknown` record: "FILE:LINE: the simulated GPU
 * does not know …". */
void call_unknown(const struct call *call, const char *what);

/* Takes the descriptor that came with the message; -1: there was none. */
int call_take_file(void);

#endif
