/*
 * host_copy.h: the host's copy of a run's arrays. It is put together from the trace's copies by
 * host address, a later copy over an earlier one, so that a result that arrives in pieces or out of
 * order is whole again. The last contents of managed and pinned memory, and of device memory for
 * the diagnosis, are arrays too. Copies are also put together by where they came from, because a
 * program may bring a result back piece by piece through one small buffer.
 */
#ifndef WARPUP_HOST_COPY_H
#define WARPUP_HOST_COPY_H

#include "judge/read/runs.h"

/* Bytes of host or device memory without a gap. */
struct host_array {
    const unsigned char *data;
    size_t bytes;
    bool on_device;              /* plain device memory, which the host cannot read */
    uint64_t alloc;              /* its allocation, 0 for what lies where copies brought it */
    uint64_t start;              /* of what copies brought: its host address, or its offset in
                                  * the allocation that it came from */
    const struct record *record; /* the copy that brought its first byte, or its `final` record */
};

struct host_copy {
    struct host_array *arrays;
    size_t count;
    size_t all;    /* after the first `count`: several copies each, by where they came from */
    bool complete; /* false: some memory that came to the host was not kept in the trace */
    void *storage;
};

/* Reads the arrays of a run. Returns NULL, or one sentence when a snapshot file is damaged.
 * host_copy_free() must follow either way. */
const char *host_copy_read(struct arena *arena, const struct run *run, struct host_copy *host);
void host_copy_free(struct host_copy *host);

/* Float `index` of an array; no bounds are checked. */
float host_array_float(const struct host_array *array, size_t index);

#endif
