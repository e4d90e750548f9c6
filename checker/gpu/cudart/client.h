/*
 * client.h: how the calls of this library reach the GPU's process. A call fills in a request, and
 * client_call() sends it, waits, and does what the replies ask for.
 */
#ifndef WARPUP_CLIENT_H
#define WARPUP_CLIENT_H

#include "gpu/include/cuda_runtime_api.h"
#include "gpu/wire/calls.h"
#include "gpu/wire/wire.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes that travel with a request, or a place for some that come with its reply. */
struct span {
    const void *data;
    size_t bytes;
};

/* A call and its outcome. What the reply carries is stored in the places of `answer`, in their
 * order; those that are NULL are passed over. */
struct remote {
    struct wire_request request;
    struct span payload[WIRE_SPANS];
    struct {
        void *target;
        size_t bytes;
    } answer[WIRE_SPANS];
    uint64_t result[WIRE_RESULTS];
};

/* Makes the call. `pc` is where it returns to, in the program. */
cudaError_t client_call(struct remote *remote, enum wire_call call, const void *pc);
#define RETURN_PC __builtin_return_address(0)

/* A pointer, handle or number as an argument. */
#define AT(value) ((uint64_t)(uintptr_t)(value))

/* Connects this process to its GPU. `child`: the GPU has started it. False: it is impossible. */
bool client_connect(int socket, int box, bool child);

/* Is this process connected to its GPU? A child that the program forks is not. */
bool client_is_connected(void);

/* True if this process has been started by its GPU. */
bool client_is_child(void);

/* Makes a call from a signal handler or at the end. False if this thread is in the middle of a
 * call, or, without `patience`, if the other threads do not let go of the connection. */
bool client_call_last(struct remote *remote, enum wire_call call, const void *pc, bool patience);

/* Where the GPU's memory is. */
bool client_is_gpu_address(const void *address);

/* Is it code of the program, not of a library? */
bool client_is_program(const void *pc);

/* Starts a GPU and connects the program to it. */
void begin_alone(void);

/* Ends the process immediately, without another message to the GPU. */
_Noreturn void end_quickly(int status);

/* From here on the library reports to the GPU signals that end the program, and accesses to memory
 * that the GPU has closed. A handler that the program has set before is called for signals that are
 * not the GPU's. */
void signals_begin(void);

#endif
