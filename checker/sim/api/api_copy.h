/*
 * api_copy.h: copies between the host's and the GPU's memory, for the calls that make some.
 */
#ifndef WARPUP_API_COPY_H
#define WARPUP_API_COPY_H

#include "sim/api/api_call.h"
#include "sim/api/graph.h"

#include <stdbool.h>
#include <stddef.h>

/* One copy: `height` rows of `width` bytes. */
struct copy {
    char *to;
    const char *from;
    size_t width, height, to_pitch, from_pitch;
    cudaMemcpyKind kind;
    cudaStream_t stream;
    bool async;
};

/* Checks a copy as the real runtime does, and makes sure of its direction. */
cudaError_t copy_check(const struct call *call, struct copy *copy);

/* Checks it and puts it into its stream, or into the graph that the stream is captured in. */
cudaError_t copy_run(const struct call *call, struct copy copy);

/* The job of making the copy; its data are the caller's. */
struct graph_job copy_job(struct copy *copy);

#endif
