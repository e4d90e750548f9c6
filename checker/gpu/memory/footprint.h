/*
 * footprint.h: what kernels have done to memory, read from the tags (tag.h). It says which words
 * each launch has read and written, for the order of streams and for the host's hazards. It also
 * says who wrote them last: a kernel or the host.
 */
#ifndef WARPUP_FOOTPRINT_H
#define WARPUP_FOOTPRINT_H

#include "gpu/memory/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum use { USE_READ, USE_WRITE, USE_ATOMIC };

/* `launch` has used these bytes, an address in the GPU's range. */
typedef void footprint_visit(void *data, uint64_t launch, enum use use, uint64_t address,
                             uint64_t bytes);

/* Visits runs of words whose last writer, or reader, was a kernel of `first_launch` or later. */
void footprint_read(const struct allocation *one, uint64_t first_launch, footprint_visit *visit,
                    void *data);

/* Visits the parts of an allocation that kernels of `first_launch` or later may have used. */
typedef void part_visit(void *data, const char *part, size_t bytes);
void footprint_parts(const struct allocation *one, uint64_t first_launch, part_visit *visit,
                     void *data);

/* Has a kernel executed a fence of the whole system since the last time that this was asked? */
bool footprint_fenced(void);
void footprint_note_fence(void);

/* A copy from the host, or a fill, has written these bytes; a library's kernel has; a copy from
 * device memory to device memory has: what is known is copied. */
void origin_host(const void *address, size_t bytes);
void origin_kernel(const void *address, size_t bytes);
void origin_copied(const void *to, const void *from, size_t bytes);

/* The launches whose kernels wrote some bytes last, and how many bytes each, a word as 4; launch 0
 * is one that is not known. Those after the last place are left out. */
enum { ORIGINS_MAX = 16 };
struct origins {
    struct origin {
        uint64_t launch, bytes;
    } list[ORIGINS_MAX];
    size_t count;
};

/* How many of these bytes kernels wrote last, which are added to `origins` unless that is NULL. -1
 * if it is not known: outside of allocations, or after the numbers of the tags began again. */
int64_t origin_of(const void *address, size_t bytes, struct origins *origins);

#endif
