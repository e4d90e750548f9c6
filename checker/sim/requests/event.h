/*
 * event.h: what a CUDA thread writes into its log: the start of a basic block, or an access to
 * memory. An event consists of the place in the device code (device_image.h), the kind of access
 * and a size code, in this order: a smaller event is earlier in the code.
 */
#ifndef WARPUP_EVENT_H
#define WARPUP_EVENT_H

#include <stdbool.h>
#include <stdint.h>

/* For each lane of a mask. */
#define EACH_LANE(lane, mask)                                                                      \
    for (uint32_t lane##_left = (mask), lane;                                                      \
         lane##_left != 0 && (lane = (uint32_t)__builtin_ctz(lane##_left), true);                  \
         lane##_left &= lane##_left - 1)

enum access_kind {
    ACCESS_LOAD,
    ACCESS_STORE,
    ACCESS_ATOMIC,
    ACCESS_COPY,      /* an asynchronous copy to shared memory begins, or has arrived */
    ACCESS_EXCHANGE,  /* an atomic that stores the same value whatever was there */
    ACCESS_ADD_REAL,  /* an atomic addition of floats or doubles */
    ACCESS_SWAP,      /* an atomic compare and swap */
    ACCESS_INCREMENT, /* an atomic addition of the constant 1 */
    ACCESS_CONSTANT   /* a load from constant memory, which is only counted */
};

static inline bool access_is_atomic(enum access_kind kind)
{
    return kind == ACCESS_ATOMIC || (kind >= ACCESS_EXCHANGE && kind <= ACCESS_INCREMENT);
}

/* Does the result of the access depend on what was there before? */
static inline bool access_reads(enum access_kind kind)
{
    return kind != ACCESS_STORE && kind != ACCESS_EXCHANGE;
}

/* As faults call it. */
static inline const char *access_name(enum access_kind kind)
{
    static const char *const names[] = {"load",   "store",  "atomic", "copy", "atomic",
                                        "atomic", "atomic", "atomic", "load"};
    return names[kind];
}

/* Size code 0 is the start of a basic block; k > 0 means accesses of 2^(k-1) bytes. */
static inline uint32_t event_make(uint32_t place, enum access_kind kind, unsigned size_code)
{
    return place << 8 | (uint32_t)kind << 4 | size_code;
}

static inline uint32_t event_place(uint32_t event)
{
    return event >> 8;
}

static inline enum access_kind event_kind(uint32_t event)
{
    return (enum access_kind)((event >> 4) & 15);
}

static inline unsigned event_size_code(uint32_t event)
{
    return event & 7;
}

#endif
