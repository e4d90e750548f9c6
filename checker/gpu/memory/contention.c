/*
 * contention.c: atomic operations that wait for each other. Lanes of one request that want the same
 * word take turns (repeats; rounds in shared memory, where lanes that want words of one bank do,
 * too). Which word of global memory gets most operations is found out by counters, one per hash of
 * a word: their sums do not depend on the order of blocks.
 */
#include "gpu/memory/watching.h"

#include <string.h>

static uint64_t *hot_at(uint64_t *hot, uint64_t offset)
{
    return &hot[(offset / 4 * UINT64_C(0x9e3779b97f4a7c15)) >> 51];
}

/* Lanes of a run that want one place count together; other lanes find each other by a hash of their
 * places. */
void contention_global(struct watched_warp *warp, const struct looked *looked)
{
    struct watcher *watcher = warp->block->watcher;
    uint8_t at[64] = {0}; /* a lane + 1, by the hash of its place */
    for (uint32_t i = 0; i < looked->run_count; i++) {
        const struct run *run = &looked->run[i];
        for (uint32_t k = 0; k < run->length; k += run->same ? run->length : 1) {
            uint32_t lane = run->lane + k, lanes = run->same ? run->length : 1;
            uint64_t offset = looked->offset[lane];
            uint32_t hash = (uint32_t)((offset / 4 * UINT64_C(0x9e3779b97f4a7c15)) >> 58);
            while (at[hash] != 0 && looked->offset[at[hash] - 1] != offset)
                hash = (hash + 1) % 64;
            watcher->tally->atomic_repeats += at[hash] != 0 ? lanes : lanes - 1;
            at[hash] = (uint8_t)(lane + 1);
            *hot_at(watcher->hot, offset) += lanes;
        }
    }
}

void contention_shared(struct watched_warp *warp, const struct looked *looked)
{
    uint32_t lanes[32] = {0}, rounds = looked->wavefronts;
    EACH_LANE (lane, looked->mask) {
        uint32_t *bank = &lanes[looked->offset[lane] / 4 % 32];
        if (++*bank > rounds) rounds = *bank;
    }
    warp->block->watcher->tally->shared_atomic_rounds += rounds;
    if (!looked->request->real) return;
    struct watched_block *block = warp->block;
    uint64_t word = looked->offset[__builtin_ctz(looked->mask)];
    if (word == block->added_word && warp->index != block->added_warp)
        block->watcher->tally->contended_rounds += rounds;
    block->added_word = word;
    block->added_warp = warp->index;
}

/* What the fullest counter has more than a counter has on average. */
void contention_end(const uint64_t *hot, struct tally *total)
{
    uint64_t most = 0, sum = 0;
    for (int i = 0; i < HOT_WORDS; i++) {
        sum += hot[i];
        if (hot[i] > most) most = hot[i];
    }
    uint64_t others = (sum - most) / (HOT_WORDS - 1);
    uint64_t hottest = most > others ? most - others : 0;
    if (hottest > total->hottest_word) total->hottest_word = hottest;
}
