/*
 * client.h: how the calls of this library reach the GPU's process. A call fills in a request, and
 * client_call() sends it, waits, and does what the replies ask for.
 */
#ifndef WARPUP_CLIENT_H
#define WARPUP_CLIENT_H

#include "gpu/include/cuda_runtime_api.h"
#include "gpu/wire/wire.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Two spans of payload, because several calls have a fixed and a variable one. */
struct span {
    const void *data;
    size_t bytes;
};

/* A call and its outcome. */
struct remote {
    struct wire_request request;
    struct span payload[2];
    void *answer; /* the payload of the reply is stored here, at most `room` bytes of it */
    size_t room;
    uint64_t result[WIRE_RESULTS];
};

/* Makes the call. `pc` is where it returns to, in the program. */
cudaError_t client_call(struct remote *remote, enum wire_call call, const void *pc);

/* A call whose arguments are all numbers: `cudaError_t error = REMOTE(&remote, cudaFree, address)`.
 */
#define REMOTE(place, name, ...)                                                                   \
    (*(place) = (struct remote){.request.argument = {__VA_ARGS__}},                                \
     client_call(place, WIRE_##name, RETURN_PC))
#define RETURN_PC __builtin_return_address(0)

/* A function of CUDA with numbers or pointers as arguments, and no results. */
#define PLAIN(name, parameters, ...)                                                               \
    cudaError_t name parameters                                                                    \
    {                                                                                              \
        struct remote remote;                                                                      \
        return REMOTE(&remote, name, __VA_ARGS__);                                                 \
    }
/* One whose first result is stored in *out, if the call succeeds. */
#define RESULT(name, parameters, type, out, ...)                                                   \
    cudaError_t name parameters                                                                    \
    {                                                                                              \
        struct remote remote;                                                                      \
        cudaError_t error = REMOTE(&remote, name, __VA_ARGS__);                                    \
        if (error == cudaSuccess) *out = (type)remote.result[0];                                   \
        return error;                                                                              \
    }

/* A pointer or handle as an argument; whether a pointer is there. */
#define AT(pointer)  ((uint64_t)(uintptr_t)(pointer))
#define OUT(pointer) ((pointer) != NULL)

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

#endif
