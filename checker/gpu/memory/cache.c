/* cache.c: see cache.h. */
#include "gpu/memory/cache.h"
#include "gpu/memory/obtain.h"

#include <stdlib.h>
#include <string.h>

struct cache cache_make(size_t bytes)
{
    struct cache cache = {.sets = (uint32_t)(bytes / LINE_BYTES / CACHE_WAYS)};
    if (cache.sets < 2) cache.sets = 2;
    cache.inverse = UINT64_MAX / cache.sets + 1;
    cache.lines = obtain((size_t)cache.sets * CACHE_WAYS, sizeof *cache.lines);
    return cache;
}

void cache_clear(struct cache *cache)
{
    memset(cache->lines, 0, (size_t)cache->sets * CACHE_WAYS * sizeof *cache->lines);
}

void cache_free(struct cache *cache)
{
    free(cache->lines);
    *cache = (struct cache){0};
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

void cache_fetch_early(const struct cache *cache, uint64_t line)
{
    __builtin_prefetch(set_of_line(cache, line), 1);
}

/* The line's place in the cache, moved to the front of its set; the oldest way makes room. */
static struct cache_line *find(struct cache *cache, uint64_t line)
{
    struct cache_line *set = set_of_line(cache, line);
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

unsigned cache_missing(struct cache *cache, uint64_t line, unsigned sectors)
{
    return sectors & ~(unsigned)find(cache, line)->valid;
}

unsigned cache_load(struct cache *l1, uint64_t line, unsigned sectors)
{
    struct cache_line *near = find(l1, line);
    unsigned missing = sectors & ~(unsigned)near->valid;
    near->valid |= missing;
    return missing;
}

unsigned cache_fetch(struct cache *l2, uint64_t line, unsigned sectors)
{
    struct cache_line *far = find(l2, line);
    unsigned missing = sectors & ~(unsigned)far->valid;
    if (missing == 0) return 0;
    unsigned pairs = missing | (missing & 5) << 1 | (missing & 10) >> 1;
    pairs &= ~(unsigned)far->valid;
    far->valid |= pairs;
    return pairs;
}

unsigned cache_store(struct cache *l2, uint64_t line, unsigned sectors)
{
    struct cache_line *far = find(l2, line);
    unsigned clean = sectors & ~(unsigned)far->dirty;
    far->valid |= sectors;
    far->dirty |= clean;
    return clean;
}
