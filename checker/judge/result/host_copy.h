/*
 * host_copy.h: the host's copy of a run's arrays. It joins the trace's copies by host address,
 * where a later copy replaces an earlier one. So a result that arrives in pieces or out of order is
 * complete again. The last contents of managed and pinned memory are arrays too, and those of
 * device memory for the diagnosis. Copies are also joined by the place that they came from: a
 * program may bring a result back piece by piece through one small buffer.
 */
#ifndef WARPUP_HOST_COPY_H
#define WARPUP_HOST_COPY_H

#include "judge/read/runs.h"

/* Bytes of host or device memory without a gap. */
struct host_array {
    const unsigned char *data;
    size_t bytes;
    bool on_device; /* plain device memory, which the host cannot read */
    uint64_t alloc; /* its allocation; 0 for host memory that copies wrote */
    uint64_t start; /* for bytes of copies: the host address, or the offset in the allocation that
                       they came from */
    const struct record *record; /* the copy that brought its first byte, or its `final` record */
};

/* The bytes that one copy brought to the host. */
struct host_brought {
    const struct record *record;
    const unsigned char *data;
};

struct host_copy {
    struct host_array *arrays;
    size_t count;
    size_t all; /* further arrays, after the first `count`: each joins several copies by where they
                   came from */
    struct host_brought *copies; /* whose contents are known, in the order of the trace */
    size_t copy_count;
    bool complete; /* false when the trace did not keep some memory that came to the host */
    struct storage *storage;
};

/* Reads the arrays of a run. Returns NULL, or one sentence when a snapshot file is damaged. Call
 * host_copy_free() in both cases. */
const char *host_copy_read(struct arena *arena, const struct run *run, struct host_copy *host);
void host_copy_free(struct host_copy *host);

/* Float `index` of an array. It does not check bounds. */
float host_array_float(const struct host_array *array, size_t index);

/* True when kernels wrote every byte that copies brought to this array, of a run's result. */
bool host_array_by_kernels(const struct host_array *array, const struct run *run);

#endif
