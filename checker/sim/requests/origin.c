/* origin.c: see origin.h. A word whose bytes have several writers counts as the last one's. */
#include "sim/requests/origin.h"

#include "sim/gpu/memory.h"
#include "sim/requests/race.h"
#include "sim/gpu/shadow.h"

#include <string.h>

enum { LIBRARY_TAG = 1 }; /* of a segment that belongs to no launch: it races with nothing */

static uint32_t *tags_of(const void *address)
{
    return &shadow.writer[shadow_offset(address) / 4];
}

static size_t words(const void *address, size_t bytes)
{
    return ((uint64_t)(uintptr_t)address % 4 + bytes + 3) / 4;
}

/* Only changes tags that differ, because memory that no kernel writes has no pages of tags. */
static void set_tags(const void *address, size_t bytes, uint32_t tag)
{
    if (!memory_owns(address)) return;
    uint32_t *tags = tags_of(address);
    for (size_t i = 0, count = words(address, bytes); i < count; i++)
        if (tags[i] != tag) tags[i] = tag;
}

void origin_host(const void *address, size_t bytes)
{
    set_tags(address, bytes, 0);
}

void origin_kernel(const void *address, size_t bytes)
{
    set_tags(address, bytes, LIBRARY_TAG);
}

void origin_copied(const void *to, const void *from, size_t bytes)
{
    if (!memory_owns(to)) return;
    if (!memory_owns(
            from)) { /* a device variable, which has no tags: a kernel may have written it */
        origin_kernel(to, bytes);
        return;
    }
    uint32_t *target = tags_of(to);
    const uint32_t *source = tags_of(from);
    for (size_t i = 0, count = words(to, bytes); i < count; i++)
        if (target[i] != source[i]) target[i] = source[i] != 0 ? LIBRARY_TAG : 0;
}

int64_t origin_kernel_bytes(const void *address, size_t bytes)
{
    if (!memory_owns(address) || race_tags_forgotten()) return -1;
    const uint32_t *tags = tags_of(address);
    size_t count = words(address, bytes), written = 0;
    for (size_t i = 0; i < count; i++)
        written += tags[i] != 0;
    return written == count ? (int64_t)bytes : 4 * (int64_t)written;
}

/* ---- by which launch ------------------------------------------------------------------------ */

enum { KERNELS_MAX = 64 };

/* The latest kernels, at the number of each modulo KERNELS_MAX. */
static struct {
    uint32_t first_tag;
    uint64_t launch;
} kernels[KERNELS_MAX];
static size_t noted;

void origin_note(uint32_t first_tag, uint64_t launch)
{
    kernels[noted % KERNELS_MAX].first_tag = first_tag;
    kernels[noted++ % KERNELS_MAX].launch = launch;
}

/* A kernel's tags end where the next one's begin. */
uint64_t origin_launch(const void *address, size_t bytes)
{
    if (!memory_owns(address) || race_tags_forgotten()) return 0;
    const uint32_t *tags = tags_of(address);
    uint32_t last = 0;
    for (size_t i = 0, count = words(address, bytes); i < count; i++) {
        if (tags[i] == LIBRARY_TAG) return 0;
        if (tags[i] > last) last = tags[i];
    }
    for (size_t i = noted; i > 0 && i + KERNELS_MAX > noted; i--)
        if (kernels[(i - 1) % KERNELS_MAX].first_tag <= last)
            return kernels[(i - 1) % KERNELS_MAX].launch;
    return 0;
}
