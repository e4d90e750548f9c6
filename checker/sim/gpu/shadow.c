/* shadow.c: see shadow.h. */
#define _GNU_SOURCE
#include "sim/gpu/shadow.h"

#include <sys/mman.h>

struct shadow shadow;

static void *reserve(uint64_t bytes, int protection)
{
    void *range = mmap(NULL, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) return NULL;
    madvise(range, bytes, MADV_HUGEPAGE);
    return range;
}

static void release(void *range, uint64_t bytes)
{
    if (range != NULL) munmap(range, bytes);
}

bool shadow_reserve(uint64_t extent)
{
    const uint64_t valid = extent / GRANULE * sizeof *shadow.valid, written = extent / 32;
    shadow.valid = reserve(valid, PROT_READ | PROT_WRITE);
    shadow.written = reserve(written, PROT_READ | PROT_WRITE);
    shadow.writer = reserve(extent, PROT_READ | PROT_WRITE);
    shadow.reader = reserve(extent, PROT_READ | PROT_WRITE);
    shadow.base = reserve(extent, PROT_NONE);
    if (shadow.valid != NULL && shadow.written != NULL && shadow.writer != NULL &&
        shadow.reader != NULL && shadow.base != NULL) {
        shadow.extent = extent;
        return true;
    }
    release(shadow.valid, valid);
    release(shadow.written, written);
    release(shadow.writer, extent);
    release(shadow.reader, extent);
    release(shadow.base, extent);
    shadow = (struct shadow){0};
    return false;
}

/* Of the 64 words that start at word 64 * `index`, those from `first` to `last`. */
static uint64_t word_bits(uint64_t index, uint64_t first, uint64_t last)
{
    uint64_t bits = ~UINT64_C(0);
    if (index == first / 64) bits &= ~UINT64_C(0) << (first % 64);
    if (index == last / 64) bits &= ~UINT64_C(0) >> (63 - last % 64);
    return bits;
}

void shadow_mark_range(uint64_t offset, size_t bytes)
{
    if (bytes == 0) return;
    uint64_t first = offset / 4, last = (offset + bytes - 1) / 4;
    for (uint64_t index = first / 64; index <= last / 64; index++)
        shadow_mark(index, word_bits(index, first, last));
}

bool shadow_is_written_range(uint64_t offset, size_t bytes)
{
    uint64_t first = offset / 4, last = (offset + bytes - 1) / 4;
    for (uint64_t index = first / 64; bytes > 0 && index <= last / 64; index++) {
        uint64_t bits = word_bits(index, first, last);
        if ((shadow.written[index] & bits) != bits) return false;
    }
    return true;
}

void shadow_forget_tags(void)
{
    madvise(shadow.writer, shadow.extent, MADV_DONTNEED);
    madvise(shadow.reader, shadow.extent, MADV_DONTNEED);
}
