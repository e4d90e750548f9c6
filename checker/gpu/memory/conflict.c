/* conflict.c: see conflict.h. */
#include "gpu/memory/conflict.h"
#include "gpu/memory/obtain.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 1 << 12 };

/* The ranges of one worker. They outlive its watcher: conflicts are looked for when all workers
 * have ended. */
struct conflicts {
    struct conflicts *next;
    struct watched_range *bucket[BUCKETS];
};

static struct {
    pthread_mutex_t lock;
    struct conflicts *all; /* of the running launch */
    struct watched_range *spare;
} conflicts = {.lock = PTHREAD_MUTEX_INITIALIZER};

void conflict_begin(struct watcher *watcher)
{
    struct conflicts *mine = obtain(1, sizeof *mine);
    pthread_mutex_lock(&conflicts.lock);
    mine->next = conflicts.all;
    conflicts.all = mine;
    pthread_mutex_unlock(&conflicts.lock);
    watcher->conflicts = mine;
    memset(watcher->ranges, 0, sizeof watcher->ranges);
}

void conflict_free(struct watcher *watcher)
{
    watcher->conflicts = NULL; /* conflict_settle() frees it */
    memset(watcher->ranges, 0, sizeof watcher->ranges);
}

static struct watched_range *new_range(uint64_t number)
{
    pthread_mutex_lock(&conflicts.lock);
    struct watched_range *range = conflicts.spare;
    if (range != NULL) conflicts.spare = range->next;
    pthread_mutex_unlock(&conflicts.lock);
    if (range == NULL) range = obtain(1, sizeof *range);
    memset(range->bits, 0, sizeof range->bits);
    range->number = number;
    return range;
}

struct watched_range *conflict_range(struct watcher *watcher, uint64_t number)
{
    struct watched_range **bucket = &watcher->conflicts->bucket[number % BUCKETS], *range = *bucket;
    while (range != NULL && range->number != number)
        range = range->next;
    if (range == NULL) {
        range = new_range(number);
        range->next = *bucket;
        *bucket = range;
    }
    return watcher->ranges[number % RANGES_NEAR] = range;
}

/* ---- when all have ended -------------------------------------------------------------------- */

/* One of them writes what the other reads or writes; or changes by atomics what the other uses in
 * another way. */
static bool conflict_between(const struct watched_range *a, const struct watched_range *b)
{
    uint32_t found = 0;
    for (int i = 0; i < RANGE_WORDS / 32; i++) {
        uint32_t a_writes = a->bits[CONFLICT_WRITE][i], b_writes = b->bits[CONFLICT_WRITE][i];
        uint32_t a_atomics = a->bits[CONFLICT_ATOMIC][i], b_atomics = b->bits[CONFLICT_ATOMIC][i];
        uint32_t a_reads = a->bits[CONFLICT_READ][i], b_reads = b->bits[CONFLICT_READ][i];
        found |= a_writes & (b_writes | b_atomics | b_reads);
        found |= b_writes & (a_atomics | a_reads);
        found |= (a_atomics & b_reads) | (b_atomics & a_reads);
    }
    return found != 0;
}

static bool meets_others(const struct watched_range *range, const struct conflicts *others)
{
    for (; others != NULL; others = others->next)
        for (const struct watched_range *one = others->bucket[range->number % BUCKETS]; one != NULL;
             one = one->next)
            if (one->number == range->number && conflict_between(range, one)) return true;
    return false;
}

static void empty(struct conflicts *one)
{
    for (int i = 0; i < BUCKETS; i++)
        while (one->bucket[i] != NULL) {
            struct watched_range *range = one->bucket[i];
            one->bucket[i] = range->next;
            range->next = conflicts.spare;
            conflicts.spare = range;
        }
}

bool conflict_settle(void)
{
    bool found = false;
    for (const struct conflicts *one = conflicts.all; one != NULL; one = one->next)
        for (int i = 0; !found && i < BUCKETS; i++)
            for (const struct watched_range *range = one->bucket[i]; !found && range != NULL;
                 range = range->next)
                found = meets_others(range, one->next);
    for (struct conflicts *one = conflicts.all; one != NULL; one = one->next)
        empty(one);
    return found;
}

void conflict_end(void)
{
    while (conflicts.all != NULL) {
        struct conflicts *one = conflicts.all;
        conflicts.all = one->next;
        empty(one);
        free(one);
    }
}
