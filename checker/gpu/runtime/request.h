/*
 * request.h: a launch as the program asked for it, and why a GPU refuses it.
 */
#ifndef WARPUP_REQUEST_H
#define WARPUP_REQUEST_H

#include "gpu/ptx/ptx.h"
#include "gpu/runtime/graph.h"
#include "gpu/runtime/runtime.h"
#include "gpu/runtime/stream.h"

#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>

struct launch_request {
    const struct ptx_function *kernel;
    uint32_t grid[3], block[3], cluster[3]; /* cluster: 1, 1, 1 without clusters */
    uint64_t shared;                        /* bytes of dynamic shared memory */
    struct stream *stream;                  /* NULL: the program named none that there is */
    bool cooperative, cluster_given;
    const unsigned char *parameters; /* kernel->param_bytes bytes */
};

/* Reads the request from the payload, from byte `at` on: struct wire_launch, and the parameters. An
 * error: there is no such kernel, or the message is too short. */
cudaError_t request_read(const struct call *call, size_t at, struct launch_request *request);

/* The error with which the GPU refuses it; cudaSuccess if it can run. */
cudaError_t request_check(const struct launch_request *request);

/* The job of launching it, with a copy of its parameters, for a graph. */
cudaError_t launch_job(const struct launch_request *request, struct graph_job *job);

/* Bytes of dynamic shared memory that the kernel may be launched with. */
size_t function_shared_limit(const struct ptx_function *kernel);

#endif
