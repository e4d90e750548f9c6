/* contention.c: see contention.h. */
#include "sim/requests/contention.h"

#include "sim/gpu/profile.h"
#include "sim/requests/lane.h"

#include <math.h>

static void heat(struct hot *places, uint64_t place, double count)
{
    struct hot *hot = &places[(uint32_t)place * 0x9e3779b1u >> 26];
    if (hot->place == place || hot->count <= 0) {
        hot->place = place;
        hot->count += count;
    } else {
        hot->count -= count;
    }
}

/* The lanes that want the same word as the first one of them */
static uint32_t lanes_at(const struct request *request, uint32_t lanes)
{
    uint64_t offset = request->offset[__builtin_ctz(lanes)];
    uint32_t same = 0;
    EACH_LANE (lane, lanes)
        if (request->offset[lane] == offset) same |= 1u << lane;
    return same;
}

/* Notes which words of shared memory the lanes add to. */
static void heat_words(struct atomics *atomics, const struct request *request)
{
    for (uint32_t left = request->mask, same; left != 0; left &= ~same) {
        uint64_t offset = request->offset[__builtin_ctz(left)];
        same = lanes_at(request, left);
        heat(atomics->shared_words, offset / BANK_BYTES, __builtin_popcount(same));
    }
}

/* Lanes take turns if their words are in the same bank. An increment by one is done for all lanes
 * of a word together. */
static void count_shared_atomics(struct warp *warp, struct request *request)
{
    struct atomics *atomics = &warp->tally->atomics;
    uint32_t lanes[BANKS] = {0}, rounds = request->wavefronts;
    uint64_t word = request->offset[__builtin_ctz(request->mask)];
    if (request->kind != ACCESS_INCREMENT)
        EACH_LANE (lane, request->mask) {
            uint32_t *bank = &lanes[request->offset[lane] / BANK_BYTES % BANKS];
            if (++*bank > rounds) rounds = *bank;
        }
    if (rounds > request->lines) request->clocks = request->lines = rounds;
    if (request->kind != ACCESS_ADD_REAL) {
        atomics->shared_rounds += rounds;
        return;
    }
    atomics->shared_real_rounds += rounds;
    if (word == atomics->last_word && warp != atomics->last_warp)
        atomics->contended_rounds += rounds;
    else
        heat_words(atomics, request);
    atomics->last_word = word;
    atomics->last_warp = warp;
}

/* Measured on an H100: how many times as long the L2 needs for a compare and swap, or to add a
 * double. */
static const double SLOW_COST = 2;

/* How long a line of the L2 is busy with a request for this many of its words; this many lanes want
 * the same one. */
static double line_ns(unsigned words, unsigned lanes)
{
    enum { FEW = 8 };
    const struct profile *gpu = profile();
    if (words < FEW) return lanes * gpu->atomic_word_ns;
    return gpu->atomic_line_ns + (lanes > 2 ? (lanes - 2) * gpu->atomic_word_ns : 0);
}

/* nvcc adds the lanes' ones together if it knows that they have the same address. */
static void count_global_atomics(struct atomics *atomics, const struct request *request)
{
    bool real = request->kind == ACCESS_ADD_REAL, swap = request->kind == ACCESS_SWAP;
    bool wide = real && request->size == sizeof(double);
    double cost = swap || wide ? SLOW_COST : 1;
    bool joined = request->kind == ACCESS_INCREMENT && (request->site->known & KNOWN_UNIFORM) != 0;
    unsigned most = 0, words = 0;
    uint64_t sector = UINT64_MAX;
    uint64_t line = request->offset[__builtin_ctz(request->mask)] / LINE_BYTES;
    atomics->sectors += request->sectors;
    if (swap) {
        atomics->tried += request->lanes;
        atomics->tried_requests++;
        atomics->tried_sectors += request->sectors;
    }
    for (uint32_t left = request->mask, same; left != 0; left &= ~same) {
        uint64_t offset = request->offset[__builtin_ctz(left)];
        same = lanes_at(request, left);
        unsigned lanes = joined ? 1 : (unsigned)__builtin_popcount(same);
        if (lanes > most) most = lanes;
        atomics->repeats += lanes - 1;
        heat(real ? atomics->real_words : atomics->words, offset / 4, cost * lanes);
        if (offset / SECTOR_BYTES != sector) heat(atomics->pieces, offset / HOT_PIECE_BYTES, cost);
        sector = offset / SECTOR_BYTES;
        words += offset / LINE_BYTES == line;
    }
    if (!joined) heat(atomics->lines, line, cost * line_ns(words, most));
}

/* Which words were swapped is kept in few bits. Several words may share one. The factors are
 * MurmurHash3's: neighbours get bits that look random. */
void contention_note_swap(struct atomics *atomics, uint64_t offset)
{
    uint64_t hash = offset / BANK_BYTES * UINT64_C(0xff51afd7ed558ccd);
    uint32_t bit =
        (uint32_t)((hash ^ hash >> 29) * UINT64_C(0xc4ceb9fe1a85ec53) >> 40) % SWAPPED_BITS;
    atomics->swaps++;
    atomics->swapped[bit / 64] |= UINT64_C(1) << bit % 64;
}

double contention_swapped_words(const struct atomics *atomics)
{
    enum { FREE_BITS = 64 };
    int free = SWAPPED_BITS;
    for (int i = 0; i < SWAPPED_BITS / 64; i++)
        free -= __builtin_popcountll(atomics->swapped[i]);
    return free < FREE_BITS ? 0 : SWAPPED_BITS * log((double)SWAPPED_BITS / free);
}

void contention_count(struct warp *warp, struct request *request, bool shared)
{
    if (shared)
        count_shared_atomics(warp, request);
    else
        count_global_atomics(&warp->tally->atomics, request);
}
