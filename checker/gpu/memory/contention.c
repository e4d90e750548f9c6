/*
 * contention.c: atomic operations that wait for each other. The L2 does those of one request on one
 * sector in passes: each does one operation on each word of the sector. Passes on one range of
 * memory, all of which one slice of the L2 holds, follow each other. Which range gets most is found
 * out by counters, one per hash of a range: their sums do not depend on the order of blocks. In
 * shared memory, lanes that want one word, or words of one bank, are serialised (rounds).
 */
#include "gpu/memory/watching.h"

#include <string.h>

/* Measured on an H100 and an H200: operations on 256 words side by side take half as long as on 16,
 * and those on 65536 no longer wait for each other. So a slice holds about this many bytes. */
enum { RANGE_BYTES = 512 };

static uint64_t *hot_at(uint64_t *hot, uint64_t number)
{
    return &hot[(number * UINT64_C(0x9e3779b97f4a7c15)) >> 51];
}

/* The sectors that a request's lanes want, and how many want each of their words. */
struct wanted {
    uint64_t sector;
    uint8_t lanes[SECTOR_BYTES / 4], most, hottest; /* hottest: its word */
};

static struct wanted *wanted_at(struct wanted *list, uint32_t *count, uint64_t sector)
{
    for (uint32_t i = *count; i-- > 0;)
        if (list[i].sector == sector) return &list[i];
    list[*count] = (struct wanted){.sector = sector};
    return &list[(*count)++];
}

/* Where ptxas makes one operation of those of all lanes (aggregate.c), each word is wanted once. */
void contention_global(struct watched_warp *warp, const struct looked *looked)
{
    struct watcher *watcher = warp->block->watcher;
    struct wanted list[LANES];
    uint32_t count = 0;
    bool together = looked->request->instruction->together;
    EACH_LANE (lane, looked->mask) {
        uint64_t offset = looked->offset[lane];
        struct wanted *wanted = wanted_at(list, &count, offset / SECTOR_BYTES);
        uint8_t *lanes = &wanted->lanes[offset % SECTOR_BYTES / 4];
        if (!together || *lanes == 0) ++*lanes;
        if (*lanes <= wanted->most) continue;
        wanted->most = *lanes;
        wanted->hottest = (uint8_t)(offset % SECTOR_BYTES / 4);
    }
    for (uint32_t i = 0; i < count; i++) {
        watcher->tally->atomic_passes += list[i].most;
        uint64_t offset = list[i].sector * SECTOR_BYTES;
        *hot_at(watcher->hot[0], offset / RANGE_BYTES) += list[i].most;
        if (looked->request->real)
            *hot_at(watcher->hot[1], offset / 4 + list[i].hottest) += list[i].most;
    }
}

void contention_shared(struct watched_warp *warp, const struct looked *looked)
{
    uint32_t lanes[32] = {0}, rounds = looked->wavefronts;
    EACH_LANE (lane, looked->request->instruction->together ? 0 : looked->mask) {
        uint32_t *bank = &lanes[looked->offset[lane] / 4 % 32];
        if (++*bank > rounds) rounds = *bank;
    }
    warp->block->watcher->tally->shared_atomic_rounds += rounds;
    if (!looked->request->real) return;
    struct watched_block *block = warp->block;
    EACH_LANE (lane, looked->mask) {
        uint32_t *added = &block->added[looked->offset[lane] / 4 % WORDS_ADDED];
        if (++*added <= block->most_added) continue;
        block->most_added = *added;
        block->watcher->tally->added_in_row++;
    }
}

/* How much more than the average the fullest counter has. */
static uint64_t hottest_of(const uint64_t hot[HOT_WORDS])
{
    uint64_t most = 0, sum = 0;
    for (int i = 0; i < HOT_WORDS; i++) {
        sum += hot[i];
        if (hot[i] > most) most = hot[i];
    }
    uint64_t others = (sum - most) / (HOT_WORDS - 1);
    return most > others ? most - others : 0;
}

void contention_end(struct tally *total)
{
    uint64_t piece = hottest_of(watching.hot[0]), word = hottest_of(watching.hot[1]);
    if (piece > total->hottest_range) total->hottest_range = piece;
    if (word > total->hottest_word) total->hottest_word = word;
}
