/*
 * tag.h: who accessed a word. A warp's accesses between two things that order it with others are a
 * segment; segments are numbered as they begin. A tag is the number of a segment and, in the lowest
 * 7 bits, how (plain, volatile, atomic) and by which lane. Of a row of 32 words that a warp
 * accesses side by side one tag stands for all words: its lowest bits say which lane has which
 * word. Several accesses that nothing orders are a set: a number, too, whose entry in the table has
 * one more member and the tag of the others. Tags below that of the launch's start are old.
 */
#ifndef WARPUP_TAG_H
#define WARPUP_TAG_H

#include <stdbool.h>
#include <stdint.h>

enum { FORM_BITS = 7, FORMS = 1 << FORM_BITS, NUMBERS = 1 << 25 };

/* The lowest bits of a word's tag: one of the first three plus a lane, or one of the others. */
enum word_form {
    FORM_PLAIN = 0,
    FORM_VOLATILE = 32,
    FORM_ATOMIC = 64,
    FORM_SPECIAL = 96,
    FORM_SEVERAL = 96,          /* several lanes of the segment have read; */
    FORM_SEVERAL_VOLATILE = 97, /* by volatile loads; */
    FORM_SEVERAL_ATOMIC = 98,   /* several lanes wrote by atomics */
    FORM_SET = 99,
    FORM_BLOCKS =
        100, /* several blocks; it is not known which. The number is that of the launch's start */
    FORM_WARPS = 101, /* several warps of the block, since its last barrier */
    FORM_BLOCKS_VOLATILE = 102,
    FORM_WARPS_VOLATILE = 103,
    FORM_SCOPED_ATOMIC = 104 /* an atomic that only holds within the block (atomicAdd_block) */
};

/* The lowest bits of a row's tag: words of 4, 8 or 16 bytes per lane; then lane 0, 16 …'s word is
 * the first. Or FORM_SEVERAL, FORM_SET, FORM_BLOCKS, FORM_WARPS. A writer of several blocks or
 * warps is one of atomics. */
enum row_form { ROW_4 = 1, ROW_8 = 2, ROW_16 = 4 };

/* Instead of a row's writer: each word of it has its own tags; each byte of its granule has. */
static const uint32_t ROW_SPREAD = UINT32_MAX, ROW_NARROW = UINT32_MAX - 1,
                      ROW_BUSY = UINT32_MAX - 2;

/* Instead of a writer in shared memory: outside of all variables; an asynchronous copy is in
 * flight. */
static const uint32_t NOBODY = UINT32_MAX, IN_FLIGHT = UINT32_MAX - 1;

/* A segment: its block, warp, the number of the warp's last fence before it, and where in it the
 * warp stored to global memory (UINT32_MAX: at several places). A set: the tag of its last member,
 * that of the others (0: none), its size, and whether the member's tag is one of a row. */
struct segment {
    uint32_t block, warp, fence, store_location;
};
#define SET_MEMBER(entry) ((entry)->block)
#define SET_OTHERS(entry) ((entry)->warp)
#define SET_SIZE(entry)   ((entry)->fence)
#define SET_ROW(entry)    ((entry)->store_location)

extern struct segment *segments; /* NUMBERS of them */
extern uint32_t
    tag_first; /* the tag of the launch's start, or of the moment when its whole grid has met */

static inline uint32_t tag_number(uint32_t tag)
{
    return tag >> FORM_BITS;
}

static inline uint32_t tag_form(uint32_t tag)
{
    return tag & (FORMS - 1);
}

static inline uint32_t tag_base(uint32_t tag)
{
    return tag & ~(uint32_t)(FORMS - 1);
}

static inline bool tag_is_lane(uint32_t tag)
{
    return tag_form(tag) < FORM_SPECIAL;
}

/* A row's tag as that of its word `index`. Members of sets stay as they are. */
static inline uint32_t tag_of_word(uint32_t row, uint32_t index)
{
    uint32_t form = tag_form(row);
    if (form >= FORM_SPECIAL || form == 0) return row;
    uint32_t lane = form == ROW_4   ? index
                    : form < ROW_16 ? (form - ROW_8) * 16 + index / 2
                                    : (form - ROW_16) * 8 + index / 4;
    return tag_base(row) | FORM_PLAIN | lane;
}

static inline bool tag_is_volatile(uint32_t tag)
{
    uint32_t form = tag_form(tag);
    return (form >= FORM_VOLATILE && form < FORM_ATOMIC) || form == FORM_SEVERAL_VOLATILE ||
           form == FORM_BLOCKS_VOLATILE || form == FORM_WARPS_VOLATILE;
}

static inline bool tag_is_blocks(uint32_t tag)
{
    return tag_form(tag) == FORM_BLOCKS || tag_form(tag) == FORM_BLOCKS_VOLATILE;
}

static inline bool tag_is_warps(uint32_t tag)
{
    return tag_form(tag) == FORM_WARPS || tag_form(tag) == FORM_WARPS_VOLATILE;
}

static inline bool tag_is_atomic(uint32_t tag)
{
    uint32_t form = tag_form(tag);
    return (form >= FORM_ATOMIC && form < FORM_SPECIAL) || form == FORM_SEVERAL_ATOMIC ||
           form == FORM_SCOPED_ATOMIC;
}

#endif
