/* ranges.c: see ranges.h. */
#include "gpu/runtime/ranges.h"

#include <stdlib.h>

enum { RANGES_MAX = 1 << 16 }; /* every other float of half a megabyte */

void ranges_empty(struct ranges *ranges)
{
    free(ranges->list);
    *ranges = (struct ranges){.too_many = ranges->too_many};
}

static void give_up(struct ranges *ranges)
{
    ranges->too_many = true;
    ranges_empty(ranges);
}

void ranges_add(struct ranges *ranges, uint64_t from, uint64_t to)
{
    if (ranges->too_many || from >= to) return;
    if (ranges->count > 0 && ranges->list[ranges->count - 1].to == from) {
        ranges->list[ranges->count - 1].to = to;
        return;
    }
    if (ranges->count == ranges->room) {
        size_t room = ranges->room == 0 ? 4 : 2 * ranges->room;
        struct range *list = room > RANGES_MAX ? NULL : realloc(ranges->list, room * sizeof *list);
        if (list == NULL) {
            give_up(ranges);
            return;
        }
        ranges->list = list;
        ranges->room = room;
    }
    ranges->list[ranges->count++] = (struct range){from, to};
}

static int by_start(const void *a, const void *b)
{
    uint64_t first = ((const struct range *)a)->from, second = ((const struct range *)b)->from;
    return first < second ? -1 : first > second;
}

void ranges_tidy(struct ranges *ranges)
{
    size_t kept = 0;
    if (ranges->count < 2) return;
    qsort(ranges->list, ranges->count, sizeof *ranges->list, by_start);
    for (size_t i = 1; i < ranges->count; i++) {
        struct range *last = &ranges->list[kept], next = ranges->list[i];
        if (next.from > last->to)
            ranges->list[++kept] = next;
        else if (next.to > last->to)
            last->to = next.to;
    }
    ranges->count = kept + 1;
}

bool ranges_overlap(const struct ranges *a, const struct ranges *b, struct range *both)
{
    for (size_t i = 0, j = 0; i < a->count && j < b->count;) {
        const struct range *one = &a->list[i], *other = &b->list[j];
        both->from = one->from > other->from ? one->from : other->from;
        both->to = one->to < other->to ? one->to : other->to;
        if (both->from < both->to) return true;
        if (one->to < other->to)
            i++;
        else
            j++;
    }
    return false;
}
