/*
 * cache.h: the caches of the simulated GPU: an L1 for each worker, which acts as one SM at a time,
 * and one L2. Lines are 128 bytes in four sectors of 32. Sectors are filled one by one, and the L2
 * loads pairs of them from DRAM. A hash chooses the set, as on real GPUs, so that power-of-two
 * strides do not all use one set. The L2 is shared without locks: a lost update costs one miss.
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

/* Where a request found its last sector; each level is slower than the one before. */
enum cache_level { LEVEL_L1, LEVEL_L2, LEVEL_DRAM };

/* Makes an empty cache of about `bytes`; `lines` is NULL if there is no memory for it. */
struct cache cache_make(size_t bytes);
void cache_clear(struct cache *cache);

/* Reads the sectors (one bit each) of a line through both levels. Adds the bytes that came from the
 * L2 and from DRAM to the counts, and returns the slowest level that was needed. */
enum cache_level cache_load(struct cache *l1, struct cache *l2, uint64_t line, unsigned sectors,
                            uint64_t *l2_bytes, uint64_t *dram_bytes);

/* Writes the sectors of a line through to the L2; each dirty sector is counted once as a write to
 * DRAM. Returns how many of those the L2 did not hold. */
unsigned cache_store(struct cache *l1, struct cache *l2, uint64_t line, unsigned sectors,
                     uint64_t *l2_bytes, uint64_t *dram_bytes);

/* Does the cache hold all these sectors of a line? `dirty`: have they all been stored? */
bool cache_has(const struct cache *cache, uint64_t line, unsigned sectors, bool dirty);

#endif
