/*
 * tracer_memory.h: the program's memory and its contents. tracer_calls.c and tracer_faults.c call
 * these, with the lock of tracer_calls.c held.
 */
#ifndef WARPUP_TRACER_MEMORY_H
#define WARPUP_TRACER_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

extern const char DEVICE[], MANAGED[], PINNED[];

struct allocation {
    uint64_t id;       /* 1, 2, … in the order of allocation */
    const char *space; /* one of the three above */
    char *base;
    size_t bytes;
    struct allocation *next;
};

/* The live allocation that contains `address`; NULL if there is none. */
struct allocation *memory_of(const void *address);
/* The live allocation that holds this address on the device; NULL also for pinned memory, which is
 * host memory. */
struct allocation *device_memory_of(const void *address);
/* The live allocation that begins at `base`; NULL if there is none. */
struct allocation *memory_at(const void *base);

/* The freed allocation that contained `address`, unless a live one contains it now; NULL if there
 * is none. */
struct allocation *memory_was(const void *address);

struct allocation *memory_add(const char *space, void *base, size_t bytes);
void memory_remove(struct allocation *one);

/* Adds the `final` event of an allocation, with its contents if the GPU is `idle`. */
void memory_save(const struct allocation *one, bool leaked, bool idle);
/* At the end: everything that is still live was leaked. */
void memory_finish(bool idle);

/* Saves the contents of a copy to the host, `now` or after a wait for its stream. */
void arrival_expect(size_t event, bool now, const void *host, size_t bytes, const void *stream);
/* Saves the copies of this stream whose events are before that place, or all copies: they are
 * complete now. */
void arrivals_save(bool all, const void *stream, size_t before);

/* Zeroed memory for one item of a list. If there is none, returns NULL and counts a dropped record.
 */
void *item_new(size_t bytes);

#endif
