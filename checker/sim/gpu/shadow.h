/*
 * shadow.h: what the simulated GPU remembers about each 4-byte word of its memory, by offset from
 * the start of its address range. `valid` has an entry per 256 bytes: how many of them belong to an
 * allocation. `written` has a bit per word: was it ever written? `writer` and `reader` have a tag
 * per word: which thread wrote or read it last. `reader_row` has an entry per row of words, which
 * may stand for all tags of the row in `reader` (race.h). All are reserved at start-up and cost
 * memory only where they are used.
 */
#ifndef WARPUP_SHADOW_H
#define WARPUP_SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GRANULE = 256, ROW_WORDS = 32, PIECE_BYTES = 2 << 20 };

struct shadow {
    char *base; /* first address of the simulated GPU's range */
    uint16_t *valid;
    uint64_t elements[6]; /* by size code: how many elements of 2^(size code - 1) bytes it has */
    uint64_t extent;      /* bytes of the range */
    /* The variables of the device image, in whole pages. They are not in the range, but use the
     * shadow of its first bytes, which belong to no allocation. */
    char *variables;
    uint64_t variables_bytes;
    uint64_t *written;
    uint32_t *writer, *reader, *reader_row;
    bool *made;                 /* by piece: has shadow_make() come to it? */
} __attribute__((aligned(64))); /* what each access needs is together */
extern __attribute__((visibility("hidden"))) struct shadow shadow;

/* The offset of an address of the range. */
static inline uint64_t shadow_offset(const void *address)
{
    return (uint64_t)((const char *)address - shadow.base);
}

/* The index of the element of 2^(size_code - 1) bytes at this offset. If the offset is not aligned,
 * it is larger than any. */
static inline uint64_t shadow_element(uint64_t offset, unsigned size_code)
{
    unsigned shift = size_code - 1;
    return offset >> shift | offset << (64 - shift) % 64;
}

/* The address that an offset stands for. */
static inline const char *shadow_address(uint64_t offset)
{
    return (offset < shadow.variables_bytes ? shadow.variables : shadow.base) + offset;
}

/* True if an aligned access of `size` <= 16 bytes is inside an allocation. */
static inline bool shadow_is_valid(uint64_t offset, unsigned size)
{
    return (offset & (GRANULE - 1)) + size <= shadow.valid[offset / GRANULE];
}

/* True when the word at `offset` was written. */
static inline bool shadow_is_written(uint64_t offset)
{
    uint64_t bits = __atomic_load_n(&shadow.written[offset >> 8], __ATOMIC_RELAXED);
    return (bits >> ((offset >> 2) & 63)) & 1;
}

/* Marks `bits` of the 64 words that start at word 64 * `index`; other threads may mark others. */
static inline void shadow_mark(uint64_t index, uint64_t bits)
{
    uint64_t *place = &shadow.written[index];
    if ((__atomic_load_n(place, __ATOMIC_RELAXED) & bits) != bits)
        __atomic_fetch_or(place, bits, __ATOMIC_RELAXED);
}

/* Workers that come to a new huge page together would each fill one, and all but one in vain. So
 * the first that stores to a piece of memory also makes the next piece and its `writer`, while the
 * others go on. */
void shadow_make(uint64_t piece);

/* A kernel is about to store at this offset, perhaps for the first time. */
static inline void shadow_reach(uint64_t offset)
{
    uint64_t piece = offset / PIECE_BYTES;
    if (!__atomic_load_n(&shadow.made[piece + 1], __ATOMIC_RELAXED)) shadow_make(piece);
}

/* Reserves a range of `extent` bytes, which is closed, and its shadow. False if there is no room.
 */
bool shadow_reserve(uint64_t extent);

/* Marks all words that the bytes touch. Were all of them written? */
void shadow_mark_range(uint64_t offset, size_t bytes);
bool shadow_is_written_range(uint64_t offset, size_t bytes);

/* Forgets all tags, because their numbers begin again. */
void shadow_forget_tags(void);

#endif
