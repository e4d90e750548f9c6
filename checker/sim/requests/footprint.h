/*
 * footprint.h: which lines and words of global memory the lanes of a request touch, if these are
 * anywhere.
 */
#ifndef WARPUP_FOOTPRINT_H
#define WARPUP_FOOTPRINT_H

#include "sim/requests/shared.h"
#include "sim/requests/warp.h"

#include <stdint.h>

/* Each line once, and which of its words: a bit for each of the banks. Empty if `count` is 0. */
struct footprint {
    uint64_t line[LANES], highest; /* of the lines */
    uint32_t words[LANES];
    unsigned count;
};

/* Adds a lane's access of `size` bytes, which is in one line. */
void footprint_add(struct footprint *print, uint64_t offset, unsigned size);

/* The sectors of a line that have one of the words, a bit each. */
unsigned footprint_sectors(uint32_t words);

/* How many different words the busiest bank of the L1 has. */
unsigned footprint_busiest_bank(const struct footprint *print);

#endif
