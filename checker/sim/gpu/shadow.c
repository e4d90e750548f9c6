/* shadow.c: see shadow.h. */
#define _GNU_SOURCE
#include "sim/gpu/shadow.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Huge pages save time, but the first word of one costs all of it. There are as many pages in one
 * as numbers of 8 bytes in a page. So it has 2 MB where pages have 4 KB, and 512 MB where they have
 * 64 KB. */
static const size_t HUGE_PAGE_MAX = 2 << 20;

/* Since Linux 5.14 */
#ifndef MADV_POPULATE_WRITE
#    define MADV_POPULATE_WRITE 23
#endif

struct shadow shadow;

static void *reserve(uint64_t bytes, int protection)
{
    void *range = mmap(NULL, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) return NULL;
    size_t page = (size_t)sysconf(_SC_PAGESIZE), huge_page = page / 8 * page;
    madvise(range, bytes, huge_page <= HUGE_PAGE_MAX ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    return range;
}

bool shadow_reserve(uint64_t extent)
{
    const uint64_t bytes[] = {extent / GRANULE * sizeof *shadow.valid,
                              extent / 32,
                              extent,
                              extent,
                              extent / ROW_WORDS,
                              extent / PIECE_BYTES + 2,
                              extent};
    enum { RANGES = sizeof bytes / sizeof *bytes };
    void *range[RANGES];
    for (int i = 0; i < RANGES; i++) {
        range[i] = reserve(bytes[i], i < RANGES - 1 ? PROT_READ | PROT_WRITE : PROT_NONE);
        if (range[i] != NULL) continue;
        while (i-- > 0)
            munmap(range[i], bytes[i]);
        return false;
    }
    shadow = (struct shadow){.valid = range[0],
                             .written = range[1],
                             .writer = range[2],
                             .reader = range[3],
                             .reader_row = range[4],
                             .made = range[5],
                             .base = range[6],
                             .extent = extent};
    for (int size_code = 1; size_code <= 5; size_code++)
        shadow.elements[size_code] = extent >> (size_code - 1);
    return true;
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

static void populate(void *from, uint64_t piece)
{
    madvise((char *)from + piece * PIECE_BYTES, PIECE_BYTES, MADV_POPULATE_WRITE);
}

void shadow_make(uint64_t piece)
{
    for (uint64_t i = piece; i <= piece + 1; i++) {
        bool made = __atomic_exchange_n(&shadow.made[i], true, __ATOMIC_RELAXED);
        bool used = i == piece || (i * PIECE_BYTES < shadow.extent &&
                                   shadow.valid[i * PIECE_BYTES / GRANULE] == GRANULE);
        if (made || !used) continue;
        populate(shadow.writer, i);
        populate(shadow.base, i);
    }
}

void shadow_forget_tags(void)
{
    memset(shadow.made, 0, shadow.extent / PIECE_BYTES + 2);
    madvise(shadow.writer, shadow.extent, MADV_DONTNEED);
    madvise(shadow.reader, shadow.extent, MADV_DONTNEED);
    madvise(shadow.reader_row, shadow.extent / ROW_WORDS, MADV_DONTNEED);
}
