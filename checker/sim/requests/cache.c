/* cache.c: see cache.h. */
#include "sim/requests/cache.h"

#include <stdlib.h>
#include <string.h>

struct cache cache_make(size_t bytes)
{
    struct cache cache = {.sets = (uint32_t)(bytes / LINE_BYTES / CACHE_WAYS)};
    if (cache.sets < 2) cache.sets = 2;
    cache.inverse = UINT64_MAX / cache.sets + 1;
    cache.lines = calloc((size_t)cache.sets * CACHE_WAYS, sizeof *cache.lines);
    return cache;
}

void cache_clear(struct cache *cache)
{
    memset(cache->lines, 0, (size_t)cache->sets * CACHE_WAYS * sizeof *cache->lines);
}

/* hash % sets, by Lemire's method for 32-bit numbers. */
static uint32_t set_of(const struct cache *cache, uint32_t hash)
{
    uint64_t fraction = cache->inverse * hash;
    return (uint32_t)((unsigned __int128)fraction * cache->sets >> 64);
}

static struct cache_line *set_of_line(const struct cache *cache, uint64_t line)
{
    uint32_t spread = (uint32_t)(line >> 10) * 0x9e3779b1u; /* neighbours stay neighbours */
    return cache->lines + (size_t)set_of(cache, (uint32_t)line ^ spread) * CACHE_WAYS;
}

/* The line's place in the cache, moved to the front of its set; the oldest way makes room. */
static struct cache_line *find(struct cache *cache, uint64_t line)
{
    struct cache_line *set = set_of_line(cache, line);
    __builtin_prefetch(set + 64 * CACHE_WAYS); /* of the lines that come next */
    if (set[0].line == line + 1) return set;

    struct cache_line next = set[0];
    set[0] = (struct cache_line){.line = line + 1};
    for (int way = 1; way < CACHE_WAYS; way++) {
        struct cache_line before = next;
        next = set[way];
        set[way] = before;
        if (next.line != line + 1) continue;
        set[0] = next;
        break;
    }
    return set;
}

static unsigned count_bits(unsigned bits)
{
    return (unsigned)__builtin_popcount(bits);
}

enum cache_level cache_load(struct cache *l1, struct cache *l2, uint64_t line, unsigned sectors,
                            uint64_t *l2_bytes, uint64_t *dram_bytes)
{
    struct cache_line *near = find(l1, line);
    unsigned missing = sectors & ~(unsigned)near->valid;
    if (missing == 0) return LEVEL_L1;
    near->valid |= missing;
    *l2_bytes += count_bits(missing) * SECTOR_BYTES;

    struct cache_line *far = find(l2, line);
    missing &= ~(unsigned)far->valid;
    if (missing == 0) return LEVEL_L2;
    unsigned pairs = missing | (missing & 5) << 1 | (missing & 10) >> 1;
    pairs &= ~(unsigned)far->valid;
    far->valid |= pairs;
    *dram_bytes += count_bits(pairs) * SECTOR_BYTES;
    return LEVEL_DRAM;
}

bool cache_has(const struct cache *cache, uint64_t line, unsigned sectors, bool dirty)
{
    const struct cache_line *set = set_of_line(cache, line);
    for (int way = 0; way < CACHE_WAYS; way++)
        if (set[way].line == line + 1)
            return ((dirty ? set[way].dirty : set[way].valid) & sectors) == sectors;
    return false;
}

unsigned cache_store(struct cache *l1, struct cache *l2, uint64_t line, unsigned sectors,
                     uint64_t *l2_bytes, uint64_t *dram_bytes)
{
    (void)l1; /* written through: a sector that the L1 holds stays there */
    struct cache_line *far = find(l2, line);
    unsigned clean = sectors & ~(unsigned)far->dirty, missing = sectors & ~(unsigned)far->valid;
    far->valid |= sectors;
    far->dirty |= clean;
    *l2_bytes += count_bits(sectors) * SECTOR_BYTES;
    *dram_bytes += count_bits(clean) * SECTOR_BYTES;
    return count_bits(missing);
}
