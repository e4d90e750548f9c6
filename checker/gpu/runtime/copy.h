/*
 * copy.h: copies between the host's and the GPU's memory, for the calls that make some.
 */
#ifndef WARPUP_COPY_H
#define WARPUP_COPY_H

#include "gpu/runtime/graph.h"
#include "gpu/runtime/hazards.h"
#include "gpu/runtime/runtime.h"
#include "gpu/runtime/stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The side of the bus that a pointer leads to. Managed and pinned memory is on both sides. */
enum side { SIDE_HOST, SIDE_DEVICE, SIDE_BOTH };
enum side side_of(uint64_t pointer);

/* Some rows of bytes in memory. */
struct rows {
    uint64_t at;
    size_t pitch, width, height;
};

/* One copy: `height` rows of `width` bytes. */
struct copy {
    uint64_t to, from;
    size_t width, height, to_pitch, from_pitch;
    cudaMemcpyKind kind;
    struct stream *stream; /* NULL: the program named none that there is */
    bool async;
};

/* The copy that the call asks for, in the stream that it names (0: the default one). */
static inline struct copy copy_rows(const struct call *call, uint64_t to, size_t to_pitch,
                                    uint64_t from, size_t from_pitch, size_t width, size_t height,
                                    cudaMemcpyKind kind, uint64_t stream)
{
    return (struct copy){to,         from,       width, height,
                         to_pitch,   from_pitch, kind,  stream_find(call, stream),
                         call->async};
}

static inline struct copy copy_bytes(const struct call *call, uint64_t to, uint64_t from,
                                     size_t bytes, cudaMemcpyKind kind, uint64_t stream)
{
    return copy_rows(call, to, bytes, from, bytes, bytes, 1, kind, stream);
}

/* Checks a copy as the real runtime does, and makes sure of its direction. */
cudaError_t copy_check(const struct call *call, struct copy *copy);

/* Checks it and puts it into its stream, or into the graph that the stream is captured in. */
cudaError_t copy_run(const struct call *call, struct copy copy);

/* The job of making the copy; its data are the caller's. */
struct graph_job copy_job(struct copy *copy);

/* From the first byte of the first row to the last of the last; SIZE_MAX if that is too much. */
size_t rows_extent(const struct rows *rows);

/* Does the GPU's memory hold the rows? If it does not, the fault is noted. */
cudaError_t rows_check(const struct call *call, const struct rows *rows);

/* Notes rows that unfinished work uses, if the host can access them. */
void rows_hazard(const struct hazard_work *work, const struct rows *rows, bool writes);

/* Notes that work in a stream uses the rows. */
void rows_touch(struct order_work *work, enum order_use use, const struct rows *rows);

/* Adds the id of the allocation at this address to the open record, and the offset in it. */
void write_allocation(const char *key, uint64_t pointer, bool with_offset);

/* Notes a fault of a copy or fill. */
cudaError_t copy_refuse(const struct call *call, const char *name, uint64_t pointer, size_t bytes,
                        const char *detail);

#endif
