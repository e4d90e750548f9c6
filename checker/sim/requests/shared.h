/*
 * shared.h: counts and checks a request to shared memory. Each worker has the shared memory of the
 * block that it runs, and a shadow of it: who wrote and who read each word. The tags are like those
 * of race.h for global memory, but have their own numbers. At the start of a block its shared
 * memory counts as unwritten, and holds NaNs: a value that nothing has written does not look like a
 * right one.
 */
#ifndef WARPUP_SHARED_H
#define WARPUP_SHARED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct warp;
struct request;

/* An offset in a lane's log at or above this is one into the block's shared memory. */
static const uint64_t SHARED_OFFSET = UINT64_C(1) << 62;

/* Added to it: an asynchronous copy has arrived there. */
static const uint64_t SHARED_ARRIVED = UINT64_C(1) << 61;

static inline bool shared_is_offset(uint64_t offset)
{
    return offset >= SHARED_OFFSET;
}

enum { BANKS = 32, BANK_BYTES = 4 };

/* Threads that had ended when the block's last barrier opened: what they had to write is missing.
 */
struct early_ends {
    uint32_t lanes[32];    /* of each warp */
    uintptr_t place[1024]; /* of each thread: after its return statement; 0 if there was none */
    bool any_place;
};

struct shared_shadow {
    struct early_ends ends;
    /* One tag per word. Two writers are not tags: NOBODY for a word outside all variables,
     * IN_FLIGHT for a word to which an asynchronous copy is in flight. */
    uint32_t *writer, *reader;
    size_t words;
    char *base;
    size_t dynamic;                 /* bytes of dynamic shared memory that the launch has */
    uint32_t launch_tag, first_tag; /* of the launch and of the running block: smaller ones are of
                                       earlier ones */
    uint32_t interval_tag, tag;     /* as in struct segment */
};

/* Makes a shadow of the `bytes` bytes at `base` for a launch with `dynamic` bytes of dynamic shared
 * memory. False if there is no memory for it. */
bool shared_begin_launch(struct shared_shadow *shadow, char *base, size_t bytes, size_t dynamic);

/* Begins a block; its next interval; a segment within the interval (race.h). */
void shared_begin_block(struct shared_shadow *shadow);
void shared_begin_interval(struct shared_shadow *shadow);
void shared_begin_segment(struct shared_shadow *shadow);

/* What a block has written to shared memory, while another one runs. */
struct shared_copy {
    struct shared_word {
        uint32_t at, value, writer;
    } * words;
    size_t count;
};

/* Copies the running block's words; puts them back into a block that has just begun, as written
 * before its next interval. */
void shared_save(const struct shared_shadow *shadow, struct shared_copy *copy);
void shared_restore(struct shared_shadow *shadow, const struct shared_copy *copy);
void shared_copy_free(struct shared_copy *copy);

/* The lanes' asynchronous copies have arrived. */
void shared_arrive(const struct warp *warp, const uint64_t *offset, uint32_t mask, unsigned size);

/* No thread will wait for a copy to this place any more. */
void shared_forget_copy(struct shared_shadow *shadow, const char *to, size_t bytes);

/* Adds to `sum` the static shared memory that the launch has accessed and that `kernel` itself does
 * not declare, but functions that it calls. */
size_t shared_add_touched(const struct shared_shadow *shadow, const void *kernel, size_t sum);

/* Checks bounds, initialisation and races of the request's lanes. Returns its wavefronts: the sum,
 * over phases of 32, 16 or 8 lanes (4, 8 or 16 bytes per lane; twice as many lanes if they go in
 * pairs), of the largest number of distinct words in one bank. */
unsigned shared_take(const struct warp *warp, const struct request *request);

#endif
