/*
 * cache.h: the caches of the simulated GPU: an L1 for each worker, which acts as one SM at a time,
 * and one L2 (traffic.h). Lines are 128 bytes in four sectors of 32. Sectors are filled one by one,
 * and the L2 loads pairs of them from DRAM. A hash chooses the set, as on real GPUs, so that
 * power-of-two strides do not all use one set.
 */
#ifndef WARPUP_CACHE_H
#define WARPUP_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LINE_BYTES = 128, SECTOR_BYTES = 32, CACHE_WAYS = 4 };

struct cache_line {
    uint64_t line : 56;            /* line number + 1; 0 when empty */
    uint64_t valid : 4, dirty : 4; /* one bit per sector */
};

struct cache {
    struct cache_line *lines; /* sets * CACHE_WAYS, the most recently used way first */
    uint32_t sets;
    uint64_t inverse; /* 2^64 / sets, rounded up: division by multiplication */
};

/* Makes an empty cache of about `bytes`. */
struct cache cache_make(size_t bytes);
void cache_clear(struct cache *cache);
void cache_free(struct cache *cache);

/* Reads the sectors (one bit each) of a line through the L1. Returns those that the L1 did not
 * hold. */
unsigned cache_load(struct cache *l1, uint64_t line, unsigned sectors);

/* The sectors of a line that the L2 has to fetch from DRAM for these: whole pairs. */
unsigned cache_fetch(struct cache *l2, uint64_t line, unsigned sectors);

/* The line will soon be looked for: the processor may fetch its set. */
void cache_fetch_early(const struct cache *cache, uint64_t line);

/* The sectors, of these of a line, that the cache does not hold. */
unsigned cache_missing(struct cache *cache, uint64_t line, unsigned sectors);

/* Stores the sectors in the L2. Returns those that become dirty: each is written to DRAM once. */
unsigned cache_store(struct cache *l2, uint64_t line, unsigned sectors);

#endif
