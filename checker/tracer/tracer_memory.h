/*
 * tracer_memory.h: which memory the program has, and what it held. For tracer_calls.c alone,
 * which calls it under its lock.
 */
#ifndef WARPUP_TRACER_MEMORY_H
#define WARPUP_TRACER_MEMORY_H

#include "tracer.h"

extern const char DEVICE[], MANAGED[], PINNED[];

struct allocation {
    uint64_t id;       /* 1, 2, … in the order of allocation */
    const char *space; /* one of the three above */
    char *base;
    size_t bytes;
    struct allocation *next;
};

/* The live allocation that `address` lies in; NULL when it is none of the program's. */
struct allocation *memory_of(const void *address);
/* The same, and NULL for pinned memory too, which is the host's. */
struct allocation *device_memory_of(const void *address);
/* The live allocation that begins at `base`, NULL when none does. */
struct allocation *memory_at(const void *base);

/* What was allocated and freed where `address` is, and has not been given out again; NULL if
 * nothing. */
struct allocation *memory_was(const void *address);

struct allocation *memory_add(const char *space, void *base, size_t bytes);
void memory_remove(struct allocation *one);

/* Adds the `final` event of an allocation, with its contents when the GPU is `idle`. */
void memory_save(const struct allocation *one, bool leaked, bool idle);
/* At the end: all that is live was leaked. */
void memory_finish(bool idle);

/* A copy to the host: its contents are saved `now`, or when its stream was waited for. */
void arrival_expect(size_t event, bool now, const void *host, size_t bytes, const void *stream);
/* The copies of this stream have arrived whose events stand before that place; or all have. */
void arrivals_save(bool all, const void *stream, size_t before);

/* Zeroed memory for one item of a list; NULL, and a record dropped, when there is none. */
void *item_new(size_t bytes);

#endif
