/*
 * shared.h: taking stock of a request to shared memory. Each worker keeps the shared memory of the
 * block that it runs, and a shadow of it: who wrote and who read each word, as race.h does for
 * global memory. A block finds its shared memory unwritten.
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

static inline bool shared_is_offset(uint64_t offset)
{
    return offset - SHARED_OFFSET < SHARED_OFFSET; /* a __device__ variable's may be negative */
}

enum { BANKS = 32, BANK_BYTES = 4 };

struct shared_shadow {
    uint32_t *writer, *reader; /* a tag a word */
    size_t words;
    const char *base;
    uint32_t first_tag; /* of the running block: smaller ones are of blocks before */
};

/* Makes room for the shadow of `bytes` bytes at `base`. False when there is no memory for it. */
bool shared_prepare(struct shared_shadow *shadow, const char *base, size_t bytes);

/* Wavefronts that the lanes of `mask` take, `size` bytes each: by phases of 32, 16 or 8 lanes
 * (4, 8 or 16 bytes a lane), the largest number of distinct words in one bank. */
unsigned shared_wavefronts(const uint64_t *offset, uint32_t mask, unsigned size);

/* Checks initialisation and races of the request's lanes. */
void shared_check(const struct warp *warp, const struct request *request);

#endif
