/*
 * race.h: the race detector. What a block does between two barriers is an interval. An interval has
 * one segment, or several if lanes of a warp wait for each other in it (__syncwarp, shuffles). The
 * segments of a launch are numbered, and a tag is a segment and a thread of it. Two threads that
 * access the same word, one of them writing, race if nothing orders them: they are of different
 * blocks, or of the same interval and their warp has not waited in between. Atomics do not race
 * with each other. Stores of the same value by threads of one block do not race either. What a
 * block wrote before it called __threadfence counts as ordered before what any block does after an
 * atomic, that block's other warps included.
 */
#ifndef WARPUP_RACE_H
#define WARPUP_RACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/requests/event.h"
#include "sim/gpu/shadow.h"

enum {
    TAG_THREAD_BITS = 11,
    TAG_SEVERAL = 2047, /* instead of a thread: several threads of the segment have read */
    TAG_ATOMIC = 2046,  /* instead of a thread: written by atomics */
    TAG_SOLE = 1024     /* added to a thread: its atomic is the only one of its interval so far */
};

static inline uint32_t race_thread(uint32_t tag)
{
    return tag & ((1u << TAG_THREAD_BITS) - 1);
}

static inline bool race_by_atomic(uint32_t writer)
{
    return race_thread(writer) >= TAG_SOLE;
}

/* What the thread did that wrote last. */
static inline enum access_kind race_written_by(uint32_t writer)
{
    return race_by_atomic(writer) ? ACCESS_ATOMIC : ACCESS_STORE;
}

/* True if thread `mine` has written last. */
static inline bool race_is_own(uint32_t writer, uint32_t mine)
{
    return writer == mine || (writer == mine + TAG_SOLE && race_thread(writer) < TAG_ATOMIC);
}

/* True if the thread of `mine` alone has written by atomics, perhaps in an earlier segment. Both
 * tags are of the same interval. */
static inline bool race_is_sole(uint32_t writer, uint32_t mine)
{
    return race_thread(writer) == race_thread(mine) + TAG_SOLE && race_thread(writer) < TAG_ATOMIC;
}

/* The tag of a word that thread `mine` writes by an atomic; `others`: other threads did so in this
 * interval. For the last two threads of the largest block, others always count as having done so.
 */
static inline uint32_t race_atomic_tag(uint32_t mine, bool others)
{
    if (!others && race_thread(mine) + TAG_SOLE < TAG_ATOMIC) return mine + TAG_SOLE;
    return mine - race_thread(mine) + TAG_ATOMIC;
}

/* True if all tags are lower than `least`; without a branch in its loop. */
static inline bool race_all_below(const uint32_t *tags, size_t count, uint32_t least)
{
    uint32_t highest = 0;
    for (size_t i = 0; i < count; i++)
        highest = tags[i] > highest ? tags[i] : highest;
    return highest < least;
}

/* A row is ROW_WORDS words, from a multiple of their bytes on. Mostly one warp reads all of it, and
 * neighbouring lanes read 1, 2 or 4 neighbouring words each. Then one entry stands for the tags of
 * all its words. The entry is the tag of the first reader, a multiple of 8, plus 0, 1 or 2 for 1, 2
 * or 4 words. Or it is one tag of all words, plus 5. If it is 0, each word has its own tag. */
enum { ROW_SHIFT = 7, ROW_ONE_TAG = 5 };

static inline uint32_t race_row_reader(uint32_t entry, uint64_t word)
{
    return (entry & ~(uint32_t)ROW_SHIFT) + (word % ROW_WORDS >> (entry & ROW_SHIFT));
}

static inline uint32_t race_row_entry(uint64_t word)
{
    return __atomic_load_n(&shadow.reader_row[word / ROW_WORDS], __ATOMIC_ACQUIRE);
}

/* The tag of the last reader of a word of the shadow. */
static inline uint32_t race_reader(uint64_t word)
{
    uint32_t entry = race_row_entry(word);
    return entry != 0 ? race_row_reader(entry, word) : shadow.reader[word];
}

/* True if one of `count` words has a reader's tag of at least `least`, which is a segment's first.
 * The first word begins a row. */
bool race_is_read_since(uint32_t least, uint64_t word, size_t count);

/* Gives each word of this word's row a tag of its own. */
void race_spread_row(uint64_t word);

/* The tag of a word's last reader, where it can be changed. */
static inline uint32_t *race_reader_at(uint64_t word)
{
    if (race_row_entry(word) != 0) race_spread_row(word);
    return &shadow.reader[word];
}

/* The segment in which a block runs; one per worker. */
struct segment {
    uint32_t block;        /* linear block index */
    uint32_t tag;          /* of its thread 0; threads follow */
    uint32_t interval_tag; /* the first of this interval */
    uint32_t begin;        /* number of the block's first segment; 0: it has none yet */
    bool took_atomic;      /* since the block began */
};

/* Begins a launch, which one worker runs or several share; a block in it; the block's next
 * interval; a segment within the interval. */
void race_begin_launch(bool shared);
void race_begin_block(struct segment *segment, uint32_t block);
void race_begin_interval(struct segment *segment);
void race_begin_segment(struct segment *segment);

/* `tag` is an access by a thread of the same block, `mine` is a tag of the running segment. True if
 * nothing orders the first before an access of the second. The interval began with
 * `interval_tag`. */
bool race_is_concurrent(uint32_t interval_tag, uint32_t tag, uint32_t mine);

/* True after all tags were forgotten because their numbers had run out. */
bool race_tags_forgotten(void);

/* Notes that the block has called a fence: what it wrote so far is visible to others. */
void race_fence(struct segment *segment);

/* The first tag since the launch began, or since the whole grid has waited for itself. Accesses
 * with smaller ones in the shadow came before. */
extern __attribute__((visibility("hidden"))) uint32_t race_first_tag;

/* The first tag of the launch that runs, or ran last. */
extern uint32_t race_launch_tag;

/* All blocks of the running launch have waited for each other. None runs meanwhile. */
void race_order_all(void);

struct race {
    bool between_blocks;
    uint32_t other_block, other_thread;
    enum access_kind other_kind;
};

/* Checks one lane's access to the word at `offset`, and sets its tag. True if it races. A store
 * that changed nothing does not race with another one of its block. */
bool race_check(struct segment *segment, uint32_t thread, uint64_t offset, enum access_kind kind,
                bool same, struct race *race);

/* The common case of race_check(): no other thread has accessed the word in this launch. If one
 * has, returns false and changes nothing. */
static inline bool race_check_alone(const struct segment *segment, uint32_t thread, uint64_t offset,
                                    enum access_kind kind)
{
    uint32_t *writer = &shadow.writer[offset / 4], *reader = race_reader_at(offset / 4);
    uint32_t mine = segment->tag + thread, first = race_first_tag;
    bool alone = (*writer < first || *writer == mine) && (*reader < first || *reader == mine);
    if (!alone || access_is_atomic(kind)) return false;
    *(kind == ACCESS_LOAD ? reader : writer) = mine;
    return true;
}

/* The same for `lanes` threads from `thread` on, which access neighbouring groups of 1, 2 or 4
 * words. If a lane needs race_check(), returns false and changes nothing. */
bool race_check_row(const struct segment *segment, uint32_t thread, uint64_t offset, uint32_t lanes,
                    unsigned words_each, enum access_kind kind);

/* The same for two or more lanes that load one word. */
bool race_check_same(const struct segment *segment, uint32_t thread, uint64_t offset);

#endif
