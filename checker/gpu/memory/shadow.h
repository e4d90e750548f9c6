/*
 * shadow.h: what is remembered about the GPU's memory, by offset from the start of its range.
 * `valid` has an entry per granule of 256 bytes: how many of them belong to an allocation or
 * variable, and whether kernels may store there. `written` has a bit per word of 4 bytes: was it
 * ever written? Rows of 32 words have the tags of who wrote and who read them last, in the way that
 * tag.h says; of regions of 64 KB it is known which launch has used one last. All of it is reserved
 * in one step, and costs memory only where it is used.
 */
#ifndef WARPUP_SHADOW_H
#define WARPUP_SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GRANULE = 256, ROW_WORDS = 32, ROW_BYTES = 128, REGION = 1 << 16, READ_ONLY = 0x8000 };

/* The tags of a row, or of a word. */
struct tags {
    uint32_t writer, reader;
};

struct shadow {
    uint64_t base;   /* the first address of the range */
    uint64_t extent; /* its bytes; 0: nothing is reserved */
    uint16_t *valid;
    uint64_t *written;
    struct tags *rows;
    struct tags *words;   /* of rows that are spread */
    struct tags **narrow; /* by granule: the tags of each byte of it, if it is accessed in pieces of
                             less than 4 */
    uint32_t *regions;    /* the first tag of the last launch that accessed some of it */
};
extern struct shadow shadow;

/* Reserves the range and its shadow; false if that is not possible. */
bool shadow_reserve(uint64_t base, uint64_t extent);
void shadow_release(void);

/* Reserves room for what else is remembered, at addresses that programs do not use. NULL: none. */
void *shadow_room(uint64_t bytes);

/* The offset of an address; at least shadow.extent if it is outside. Addresses of registered memory
 * are outside of the range: memory_alias() knows their offsets. */
static inline uint64_t shadow_offset(const void *address)
{
    return (uint64_t)(uintptr_t)address - shadow.base;
}

/* Was the word at `offset` written? */
static inline bool shadow_is_written(uint64_t offset)
{
    return __atomic_load_n(&shadow.written[offset >> 8], __ATOMIC_RELAXED) >> (offset >> 2 & 63) &
           1;
}

/* Marks `bits` of the 64 words that start at word 64 * index; other threads may mark others. */
static inline void shadow_mark(uint64_t index, uint64_t bits)
{
    uint64_t *word = &shadow.written[index];
    if ((__atomic_load_n(word, __ATOMIC_RELAXED) & bits) != bits)
        __atomic_fetch_or(word, bits, __ATOMIC_RELAXED);
}

/* The launch that begins with this tag accesses the region. Workers may say so together. */
static inline void shadow_note_use(uint64_t offset, uint32_t tag)
{
    uint32_t *region = &shadow.regions[offset / REGION];
    if (__atomic_load_n(region, __ATOMIC_RELAXED) != tag)
        __atomic_store_n(region, tag, __ATOMIC_RELAXED);
}

/* Marks all words that the bytes touch. Were all of them written? Forgets that they were. */
void shadow_mark_range(uint64_t offset, size_t bytes);
bool shadow_is_written_range(uint64_t offset, size_t bytes);

/* Says how many bytes from `offset` on, which begins a granule, are valid; `flags`: READ_ONLY or 0.
 */
void shadow_set_valid(uint64_t offset, uint64_t bytes, uint64_t valid, uint16_t flags);

/* Forgets all tags: their numbers begin again. */
void shadow_forget_tags(void);

/* The offset of an address of registered memory; UINT64_MAX if it is none. */
uint64_t memory_alias(uint64_t address);

#endif
