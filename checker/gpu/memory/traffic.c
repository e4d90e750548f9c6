/* traffic.c: see traffic.h. */
#include "gpu/memory/traffic.h"
#include "gpu/memory/obtain.h"

#include "gpu/memory/cache.h"
#include "gpu/memory/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Entries that a log has room for at first, and how many wait in all before the first of them are
 * replayed: a short launch is replayed at its end, when it is known that it does not have to run
 * again. */
enum { PART = 1 << 12, WAITING = 1 << 18 };

/* The L2's sets are fetched from this machine's memory as many entries before they are needed. */
enum { AHEAD = 8 };

enum { BURST_BYTES = 64 };

/* A group that has ended before those in front of it. */
struct ended {
    struct ended *next;
    struct traffic log;
};

static struct {
    pthread_mutex_t lock;
    struct cache l2,
        before; /* before: a copy from the beginning of the launch, if anything has been replayed */
    uint64_t l2_bytes;
    uint32_t next;       /* the first block of the group to replay next */
    struct ended *ended; /* by first block */
    size_t waiting;      /* entries of their logs */
    uint64_t dram_bytes, store_bytes, moved_bytes, bus_bytes, bursts;
    bool replayed, ending;
} traffic = {.lock = PTHREAD_MUTEX_INITIALIZER};

void traffic_begin(uint64_t l2_bytes)
{
    if (traffic.l2_bytes != l2_bytes || traffic.l2.lines == NULL) {
        cache_free(&traffic.l2);
        cache_free(&traffic.before);
        traffic.l2 = cache_make(l2_bytes);
        traffic.before = cache_make(l2_bytes);
        traffic.l2_bytes = l2_bytes;
    }
    traffic.next = 0;
    traffic.dram_bytes = traffic.store_bytes = traffic.moved_bytes = traffic.bus_bytes = 0;
    traffic.bursts = 0;
    traffic.replayed = false;
}

/* ---- replaying ------------------------------------------------------------------------------ */

/* Bursts of a line with these sectors. */
static void add_bursts(unsigned sectors)
{
    traffic.bursts += (uint64_t)BURST_BYTES * (((sectors & 3) != 0) + ((sectors & 12) != 0));
}

/* A sector of which only a part is stored is fetched first. */
static void replay_one(uint64_t entry)
{
    uint64_t line = entry >> 12;
    bool store = entry >> 4 & 1;
    unsigned sectors = entry & 15, partial = entry >> 8 & 15;
    unsigned filled = partial == 0 ? 0 : cache_missing(&traffic.l2, line, partial);
    unsigned moved =
        store ? cache_store(&traffic.l2, line, sectors) : cache_fetch(&traffic.l2, line, sectors);
    if (moved == 0) return;
    add_bursts(moved);
    if (filled != 0) add_bursts(filled);
    uint64_t bytes =
        (uint64_t)(__builtin_popcount(moved) + __builtin_popcount(filled)) * SECTOR_BYTES;
    traffic.dram_bytes += bytes;
    if (store) traffic.store_bytes += bytes;
    enum memory_reach reach = memory_reach(line * LINE_BYTES);
    if (reach == REACH_MOVES) traffic.moved_bytes += bytes;
    if (reach == REACH_BUS) traffic.bus_bytes += bytes;
}

static void replay(struct traffic *log)
{
    if (!traffic.replayed && !traffic.ending) {
        size_t lines = (size_t)traffic.l2.sets * CACHE_WAYS;
        memcpy(traffic.before.lines, traffic.l2.lines, lines * sizeof *traffic.l2.lines);
    }
    traffic.replayed |= !traffic.ending;
    for (size_t i = 0; i < log->count; i++) {
        if (i + AHEAD < log->count) cache_fetch_early(&traffic.l2, log->entries[i + AHEAD] >> 12);
        replay_one(log->entries[i]);
    }
    log->count = 0;
}

static void end_group(struct traffic *log)
{
    replay(log);
    traffic.next = log->last + 1;
}

static void insert(struct ended *one)
{
    struct ended **link = &traffic.ended;
    while (*link != NULL && (*link)->log.first < one->log.first)
        link = &(*link)->next;
    one->next = *link;
    *link = one;
}

static void replay_first(void)
{
    struct ended *one = traffic.ended;
    traffic.ended = one->next;
    traffic.waiting -= one->log.count;
    end_group(&one->log);
    free(one->log.entries);
    free(one);
}

/* ---- a worker's log ------------------------------------------------------------------------- */

void traffic_block(struct traffic *log, uint32_t block)
{
    bool empty = log->first > log->last;
    if (empty || block < log->first) log->first = block;
    if (empty || block > log->last) log->last = block;
}

void traffic_spill(struct traffic *log)
{
    if (log->count >= WAITING && __atomic_load_n(&traffic.next, __ATOMIC_RELAXED) == log->first) {
        pthread_mutex_lock(&traffic.lock);
        replay(log);
        pthread_mutex_unlock(&traffic.lock);
        return;
    }
    log->entries = obtain_more(log->entries, &log->room, PART, sizeof *log->entries);
}

/* Hands the log over to those that wait. */
static void put_aside(struct traffic *log)
{
    struct ended *one = obtain(1, sizeof *one);
    one->log = *log;
    traffic.waiting += log->count;
    insert(one);
    *log = (struct traffic){0};
}

static bool is_next(void)
{
    return traffic.ended != NULL && traffic.ended->log.first == traffic.next;
}

void traffic_close(struct traffic *log)
{
    if (log->first <= log->last) {
        pthread_mutex_lock(&traffic.lock);
        put_aside(log);
        while ((traffic.replayed || traffic.waiting > WAITING) && is_next())
            replay_first();
        pthread_mutex_unlock(&traffic.lock);
    }
    log->first = 1;
    log->last = 0;
}

void traffic_end(struct tally *total)
{
    traffic.ending = true;
    while (traffic.ended != NULL)
        replay_first();
    traffic.ending = false;
    total->dram_bytes += traffic.dram_bytes;
    total->dram_bursts += traffic.bursts;
    total->dram_store_bytes += traffic.store_bytes;
    total->moved_bytes += traffic.moved_bytes;
    total->bus_bytes += traffic.bus_bytes;
}

void traffic_forget(void)
{
    struct cache now = traffic.l2;
    while (traffic.ended != NULL) {
        struct ended *one = traffic.ended;
        traffic.ended = one->next;
        free(one->log.entries);
        free(one);
    }
    traffic.waiting = 0;
    if (!traffic.replayed) return;
    traffic.l2 = traffic.before;
    traffic.before = now;
    traffic.replayed = false;
}
