/*
 * conflict.h: if several workers run a launch, which words of global memory each of them reads,
 * stores and changes by atomics: bits that only the worker itself sets. Words that two workers have
 * used, one of them writing, make the launch one that depends on the order of its blocks.
 */
#ifndef WARPUP_CONFLICT_H
#define WARPUP_CONFLICT_H

#include "gpu/memory/watching.h"

enum conflict_use { CONFLICT_READ, CONFLICT_WRITE, CONFLICT_ATOMIC, CONFLICT_USES };

enum { PIECE_BYTES = 1 << 16, PIECE_WORDS = PIECE_BYTES / 4 };

/* The bits of 64 KB of memory. */
struct piece {
    uint64_t number;
    struct piece *next; /* with the same hash, or spare */
    uint32_t bits[CONFLICT_USES][PIECE_WORDS / 32];
};

struct conflicts;
void conflict_begin(struct watcher *watcher);
struct piece *conflict_piece(struct watcher *watcher, uint64_t number);

/* A lane, or a row of lanes, uses these bytes. */
static inline void conflict_note(struct watcher *watcher, uint64_t offset, uint32_t bytes,
                                 enum conflict_use use)
{
    uint64_t first = offset / 4, last = (offset + bytes - 1) / 4;
    while (first <= last) {
        uint64_t number = first / PIECE_WORDS, index = first % PIECE_WORDS / 32, shift = first % 32;
        uint64_t here = 32 - shift < last - first + 1 ? 32 - shift : last - first + 1;
        struct piece *piece = watcher->pieces[number % PIECES_NEAR];
        if (piece == NULL || piece->number != number) piece = conflict_piece(watcher, number);
        piece->bits[use][index] |= (uint32_t)(((UINT64_C(1) << here) - 1) << shift);
        first += here;
    }
}

/* Do words of two workers conflict? Forgets all bits. Nobody runs meanwhile. */
bool conflict_settle(void);
void conflict_free(struct watcher *watcher);

/* The launch is over. */
void conflict_end(void);

#endif
