/*
 * contention.c: atomic operations that wait for each other. Lanes of one request that want the same
 * word take turns (repeats; rounds in shared memory, where lanes that want words of one bank do,
 * too). Which word of global memory gets most operations is found out by counters, one per hash of
 * a word: their sums do not depend on the order of blocks.
 */
#include "gpu/memory/watching.h"

#include <string.h>

/* The lanes of `lanes` that want the same word as the first one of them. */
static uint32_t lanes_at(const struct looked *looked, uint32_t lanes)
{
    uint64_t offset = looked->offset[__builtin_ctz(lanes)];
    uint32_t same = 0;
    EACH_LANE (lane, lanes)
        if (looked->offset[lane] == offset) same |= 1u << lane;
    return same;
}

static uint64_t *hot_at(uint64_t *hot, uint64_t offset)
{
    return &hot[(offset / 4 * UINT64_C(0x9e3779b97f4a7c15)) >> 51];
}

void contention_global(struct watched_warp *warp, const struct looked *looked)
{
    struct watcher *watcher = warp->block->watcher;
    for (uint32_t left = looked->mask, same; left != 0; left &= ~same) {
        same = lanes_at(looked, left);
        uint32_t lanes = (uint32_t)__builtin_popcount(same);
        watcher->tally->atomic_repeats += lanes - 1;
        *hot_at(watcher->hot, looked->offset[__builtin_ctz(left)]) += lanes;
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
