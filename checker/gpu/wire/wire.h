/*
 * wire.h: what a program and its GPU say to each other. The program (cudart/) sends a request on a socket for each
 * CUDA call, and waits for the reply; the GPU's process (server/) believes nothing that it reads: it checks sizes,
 * handles and addresses, and an unknown message ends the run. Small data travel in the message, large data through
 * the box, memory that both have mapped. Native byte order: both run on one machine.
 */
#ifndef WARPUP_WIRE_H
#define WARPUP_WIRE_H

#include <stdint.h>

enum wire_call {
#define CALL(name) WIRE_##name,
#include "gpu/wire/calls.def"
#undef CALL
    WIRE_CALLS
};

enum { WIRE_ARGUMENTS = 16, WIRE_RESULTS = 16, WIRE_PAYLOAD = 64 << 10, WIRE_BOX = 64 << 20, WIRE_FRAMES = 4 };

/* A request; `payload` bytes follow it in the same message. Bulk data are in the box, from its beginning. */
struct wire_request {
    uint32_t call; /* enum wire_call */
    uint32_t payload;
    uint64_t thread;             /* of the host: its number, 1, 2, … in the order of their first calls */
    uint64_t frame[WIRE_FRAMES]; /* return addresses: of the call, and of its callers as far as they were asked for */
    uint64_t argument[WIRE_ARGUMENTS];
};

/* What the program has to do before the call returns, one after the other. They follow the reply in its message. */
enum wire_action_kind {
    ACTION_PRINT,    /* `bytes` bytes of text follow: write them to stdout, as printf would */
    ACTION_MAP,      /* map `bytes` bytes of the shared pages at `address` (offset in the file: `value`) */
    ACTION_UNMAP,    /* close this range again (PROT_NONE) */
    ACTION_PROTECT,  /* value: 0 closed, 1 read-only, 2 open */
    ACTION_CALL_HOST /* call the host function at `address` with `value`; `bytes`: its kind (0 cudaHostFn_t,
                        1 cudaStreamCallback_t with the stream in `extra` and the status in `extra2`); then send
                        WIRE_host_done, whose reply may bring further actions */
};
struct wire_action {
    uint32_t kind, bytes;
    uint64_t address, value, extra, extra2;
};

struct wire_reply {
    int32_t error; /* cudaError_t */
    uint32_t actions, payload; /* `payload` bytes of results follow the actions */
    uint32_t bytes;            /* of everything after this struct */
    uint64_t result[WIRE_RESULTS];
};

/* The environment of a program that the GPU has started: "SOCKET,BOX", two file descriptors. */
#define WIRE_ENVIRONMENT "WARPUP_GPU_SOCKET"

#endif
