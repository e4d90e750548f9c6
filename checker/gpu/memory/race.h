/*
 * race.h: finds races. Two threads that access the same word, one of them writing, race if nothing
 * orders them (order.h). Atomics do not race with each other. Volatile accesses of different warps
 * do not: they are flags; nor does a flag that a thread stores after a fence race with volatile
 * loads. Stores of what is already there do not race with others of their block. race.c has these
 * rules, for one access to one word or byte; race_global.c finds the tags of global memory, where a
 * row of 32 words mostly has one; race_shared.c those of shared memory.
 */
#ifndef WARPUP_RACE_H
#define WARPUP_RACE_H

#include "gpu/memory/order.h"
#include "gpu/memory/tag.h"
#include "gpu/memory/watching.h"

/* One lane's access. */
struct access {
    struct watched_warp *warp;
    const struct looked *looked;
    uint32_t lane, own; /* the tag of its segment */
    uint32_t form;      /* FORM_PLAIN, FORM_VOLATILE, FORM_ATOMIC */
    bool reads, writes; /* an atomic whose result nothing uses only writes */
    bool scoped;        /* an atomic that only holds within the block */
    bool reported;      /* one race per access is */
    uint32_t done; /* bytes of the lane before the word or byte that is looked at now, and its own
                      bytes */
    uint32_t size;
};

static inline uint32_t race_mine(const struct access *access)
{
    return access->own | (access->scoped ? FORM_SCOPED_ATOMIC : access->form | access->lane);
}

/* The lanes' access, but for `lane`. */
static inline struct access race_access(struct watched_warp *warp, const struct looked *looked)
{
    const struct request *request = looked->request;
    bool atomic = is_atomic(request->kind);
    return (struct access){.warp = warp,
                           .looked = looked,
                           .own = order_own(warp),
                           .form = atomic                 ? FORM_ATOMIC
                                   : request->is_volatile ? FORM_VOLATILE
                                                          : FORM_PLAIN,
                           .scoped =
                               atomic && !looked->shared && ptx_has(request->instruction, M_cta),
                           .reads = is_load(request->kind) || request->kind == ACCESS_ATOMIC,
                           .writes = !is_load(request->kind)};
}

/* Checks the access to the word (or byte) with these tags, the word `index` of its row; then sets
 * its tags. */
void race_check(struct access *access, struct tags *tags, uint32_t index);

/* Does what race_check() does, quickly, if the case is a common one. Otherwise returns false and
 * changes nothing. Tags below `floor` are before the access. */
static inline bool race_is_quick(const struct access *access, struct tags *tags, uint32_t floor)
{
    uint32_t mine = race_mine(access), writer = tags->writer, reader = tags->reader;
    if (access->form != FORM_PLAIN || (writer >= floor && writer != mine)) return false;
    if (access->writes) {
        if (reader >= floor && reader != mine) return false;
        tags->writer = mine;
        return true;
    }
    if (reader < floor || reader == mine) {
        tags->reader = mine;
        return true;
    }
    return reader == (access->own | FORM_SEVERAL);
}

/* The tag of earlier accesses that do not race with this one, and of this one: `mine`. `row`: both
 * are tags of rows. */
uint32_t race_join(const struct access *access, uint32_t reader, uint32_t mine, bool row,
                   uint32_t index);

/* A release that is part of the access. */
void race_begin(struct watched_warp *warp, const struct looked *looked);

/* The tags of a row's words, if it has been spread, will soon be looked at: the processor may fetch
 * them. */
static inline void race_fetch_early(uint64_t first, uint32_t bytes)
{
    enum { WORDS_OF_LINE = 64 / sizeof(struct tags) };
    if (shadow.rows[first / ROW_BYTES].writer != ROW_SPREAD) return;
    for (uint32_t i = 0; i <= bytes / 4; i += WORDS_OF_LINE)
        __builtin_prefetch(&shadow.words[first / 4 + i], 1);
}

/* 32 lanes side by side from `first` on; false: they have to be looked at one by one. Any lanes. */
bool race_row(struct watched_warp *warp, const struct request *request, uint64_t first);
void race_lanes(struct watched_warp *warp, const struct looked *looked);
/* The words of this word's row have tags of their own from now on. */
void race_spread(uint64_t word);
void race_shared(struct watched_warp *warp, const struct looked *looked);
/* A load by 32 lanes of one word, or of 32 words side by side; false: race_shared() has to look. */
bool race_shared_whole(struct watched_warp *warp, uint64_t offset, bool same);
void race_shared_begin(struct watched_block *block);

#endif
