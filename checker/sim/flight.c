/* flight.c: see flight.h. */
#include "flight.h"

#include "memory.h"
#include "shadow.h"

enum { KERNELS_MAX = 64 };

/* The latest kernels, in the order of their tags: a kernel's tags end where the next one's begin.
 * Older ones than these are taken to have ended. */
static struct {
    uint32_t first_tag;
    int64_t end;
} kernels[KERNELS_MAX];
static size_t count;

void flight_note(uint32_t first_tag, int64_t end)
{
    if (count > 0 && first_tag <= kernels[count - 1].first_tag) count = 0; /* numbered anew */
    if (count == KERNELS_MAX) {
        for (size_t i = 1; i < count; i++)
            kernels[i - 1] = kernels[i];
        count--;
    }
    kernels[count].first_tag = first_tag;
    kernels[count++].end = end;
}

/* When the kernel with this tag ends; a tag of an older one gives 0. */
static int64_t end_of(uint32_t tag)
{
    size_t i = count;
    while (i > 0 && kernels[i - 1].first_tag > tag)
        i--;
    return i > 0 ? kernels[i - 1].end : 0;
}

bool flight_touches(const void *address, size_t bytes, int64_t start, bool reads)
{
    bool any = false;
    for (size_t i = 0; i < count; i++)
        any = any || kernels[i].end > start;
    if (!any || !memory_owns(address)) return false;
    uint64_t from = (uint64_t)((const char *)address - shadow.base) / 4;
    for (uint64_t word = from; word < from + (bytes + 3) / 4; word++)
        if (end_of(shadow.writer[word]) > start || (reads && end_of(shadow.reader[word]) > start))
            return true;
    return false;
}
