/* shadow.c: see shadow.h. */
#define _GNU_SOURCE
#include "gpu/memory/shadow.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MAP_FIXED_NOREPLACE
#    define MAP_FIXED_NOREPLACE 0x100000
#endif

/* Huge pages save time, but the first word of one costs all of it: 2 MB where pages have 4 KB, 512
 * MB where they have 64 KB. */
static const size_t HUGE_PAGE_MAX = 2 << 20;

struct shadow shadow;
static uint64_t next_room; /* where the next part should be: after the range */

/* Where addresses are limited, this many bytes of them are left for everything else. */
static const uint64_t REST_BYTES = UINT64_C(1) << 30;

enum { PARTS = 6 };
static struct part {
    void *at;
    uint64_t bytes;
} parts[PARTS];

/* The system puts memory where programs have theirs, too, if nothing is wished: then registered
 * memory could not have the same addresses in both processes. */
void *shadow_room(uint64_t bytes)
{
    const uint64_t gap = UINT64_C(1) << 30;
    void *range = mmap((void *)(uintptr_t)next_room, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    next_room = (next_room + bytes + 2 * gap) / gap * gap;
    return range == MAP_FAILED ? NULL : range;
}

static void use_huge_pages(void *range, uint64_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), huge_page = page / 8 * page;
    madvise(range, bytes, huge_page <= HUGE_PAGE_MAX ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
}

/* Linux before 4.17 takes the address for a wish only. */
static bool reserve_range(uint64_t base, uint64_t extent)
{
    void *wanted = (void *)(uintptr_t)base;
    void *range = mmap(wanted, extent, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (range == MAP_FAILED) return false;
    if (range == wanted) return true;
    munmap(range, extent);
    return false;
}

static void release_parts(void)
{
    for (int i = 0; i < PARTS; i++)
        if (parts[i].at != NULL) munmap(parts[i].at, parts[i].bytes);
    for (int i = 0; i < PARTS; i++)
        parts[i] = (struct part){0};
}

bool shadow_reserve(uint64_t base, uint64_t extent)
{
    const uint64_t bytes[PARTS] = {
        extent / GRANULE * sizeof *shadow.valid,  extent / 32,
        extent / ROW_BYTES * sizeof *shadow.rows, extent / 4 * sizeof *shadow.words,
        extent / GRANULE * sizeof *shadow.narrow, extent / REGION * sizeof *shadow.regions};
    shadow_release();
    if (!reserve_range(base, extent)) return false;
    next_room = base + extent;
    for (int i = 0; i < PARTS; i++) {
        parts[i] = (struct part){shadow_room(bytes[i]), bytes[i]};
        if (parts[i].at != NULL) continue;
        release_parts();
        munmap((void *)(uintptr_t)base, extent);
        return false;
    }
    void *rest = shadow_room(REST_BYTES);
    if (rest == NULL) {
        release_parts();
        munmap((void *)(uintptr_t)base, extent);
        return false;
    }
    munmap(rest, REST_BYTES);
    use_huge_pages((void *)(uintptr_t)base, extent / 2);
    use_huge_pages(parts[3].at, bytes[3]);
    shadow = (struct shadow){.base = base,
                             .extent = extent,
                             .valid = parts[0].at,
                             .written = parts[1].at,
                             .rows = parts[2].at,
                             .words = parts[3].at,
                             .narrow = parts[4].at,
                             .regions = parts[5].at};
    return true;
}

void shadow_release(void)
{
    if (shadow.extent == 0) return;
    munmap((void *)(uintptr_t)shadow.base, shadow.extent);
    release_parts();
    shadow = (struct shadow){0};
}

/* The bits of the words [first, last] among the 64 words from word 64 * index on. */
static uint64_t shadow_bits(uint64_t index, uint64_t first, uint64_t last)
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
        shadow_mark(index, shadow_bits(index, first, last));
}

bool shadow_is_written_range(uint64_t offset, size_t bytes)
{
    uint64_t first = offset / 4, last = (offset + bytes - 1) / 4;
    for (uint64_t index = first / 64; bytes > 0 && index <= last / 64; index++) {
        uint64_t bits = shadow_bits(index, first, last);
        if ((shadow.written[index] & bits) != bits) return false;
    }
    return true;
}

void shadow_set_valid(uint64_t offset, uint64_t bytes, uint64_t valid, uint16_t flags)
{
    for (uint64_t done = 0; done < bytes; done += GRANULE) {
        uint64_t here = valid > done ? valid - done : 0;
        if (here > GRANULE) here = GRANULE;
        shadow.valid[(offset + done) / GRANULE] = (uint16_t)(here | (here > 0 ? flags : 0));
    }
}

void shadow_forget_tags(void)
{
    madvise(shadow.rows, shadow.extent / ROW_BYTES * sizeof *shadow.rows, MADV_DONTNEED);
    madvise(shadow.words, shadow.extent / 4 * sizeof *shadow.words, MADV_DONTNEED);
    madvise(shadow.regions, shadow.extent / REGION * sizeof *shadow.regions, MADV_DONTNEED);
}
