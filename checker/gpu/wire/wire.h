/*
 * wire.h: what a program and its GPU say to each other. The program (cudart/) sends a request on a
 * socket for each CUDA call, and waits for the reply; the GPU's process (server/) believes nothing
 * that it reads: it checks sizes, handles and addresses, and an unknown message ends the run. Small
 * data travel in the message, large data through the box, memory that both have mapped. Native byte
 * order: both run on one machine.
 *
 * A call may need more than one reply: while `unfinished` is set, the program does the reply's
 * actions and sends WIRE_go_on. So the GPU reads and writes the program's pageable memory, and has
 * it call host functions.
 */
#ifndef WARPUP_WIRE_H
#define WARPUP_WIRE_H

#include <stdint.h>

enum {
    WIRE_ARGUMENTS = 16,
    WIRE_SPANS = 4, /* of bytes, in a request's payload, and of what comes with a reply */
    WIRE_RESULTS = 16,
    WIRE_PAYLOAD = 64 << 10,
    WIRE_BOX = 4 << 20, /* small enough to stay in a cache: two halves, used in turn */
    WIRE_FRAMES = 4,
    WIRE_CPU_CLOCK = 1000
};

/* A request; `payload` bytes follow it in the same message. */
struct wire_request {
    uint32_t call; /* enum wire_call (calls.h) */
    uint32_t payload;
    uint64_t thread;             /* of the host: gettid() */
    uint64_t frame[WIRE_FRAMES]; /* return addresses: of the call, and of its callers; 0 where there
                                    is none */
    uint64_t argument[WIRE_ARGUMENTS];
};

/* A kernel launch, or a node of a graph that is one. The kernel's parameters follow it in the
 * payload, laid out as OWN(parameters) says. */
struct wire_launch {
    uint64_t function; /* the address of the kernel's stub */
    uint32_t grid[3], block[3], cluster[3];
    uint32_t flags; /* enum wire_launch_flag */
    uint64_t shared, stream;
};
enum wire_launch_flag { WIRE_COOPERATIVE = 1, WIRE_CLUSTER = 2 /* `cluster` is given */ };

/* The actions that the program has to do before the call returns or goes on, one after the other.
 * They follow the reply in its message, then come the results' payload and the text of prints. */
enum wire_action_kind {
    ACTION_PRINT, /* write `bytes` bytes to stdout, as printf would: of the box from `value` on */
    ACTION_MAP,   /* map `bytes` bytes of the shared file at `address`; `value`: offset in the file;
                     `extra`: 1 keep what is there (copied to the file before), of registered memory
                   */
    ACTION_UNMAP, /* close this range again (PROT_NONE); `extra`: 1 registered memory gets its own
                     pages back */
    ACTION_PROTECT, /* `bytes` bytes at `address`; `value`: 0 closed, 1 read-only, 2 open */
    ACTION_READ,  /* copy to the box, from `value` on: `extra2` rows of `bytes` bytes, `extra` bytes
                     apart, of  which the first begins at `address` */
    ACTION_WRITE, /* the same from the box to the program's memory */
    ACTION_MOVE,  /* copy `bytes` bytes from `value` to `address`, both in the program's memory */
    ACTION_CALL_HOST /* call the host function at `address` with `value`; `bytes`: its kind (0
                        cudaHostFn_t, 1 cudaStreamCallback_t with the stream in `extra` and the
                        status in `extra2`) */
};
struct wire_action {
    uint32_t kind, reserved;
    uint64_t bytes, address, value, extra, extra2;
};

struct wire_reply {
    int32_t error;             /* cudaError_t */
    uint32_t unfinished;       /* 1: send WIRE_go_on after the actions, and expect another reply */
    uint32_t actions, payload; /* `payload` bytes of results follow the actions */
    uint64_t result[WIRE_RESULTS];
};

/* The environment of a program that the GPU has started: "SOCKET,BOX", two file descriptors. */
#define WIRE_ENVIRONMENT "WARPUP_GPU_SOCKET"

#endif
