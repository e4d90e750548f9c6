/*
 * slots.c: the bytes of a function's frame that are accessed directly. A struct of four floats is
 * often written in two halves of 8 bytes and read in four of 4: then its parts are four registers.
 */
#include "gpu/ptx/local.h"

#include <stdlib.h>

enum { WIDEST = 256, PARTS_MAX = 4 };

void slots_add(struct slots *slots, uint32_t at, uint32_t bytes, bool kept)
{
    ADD(slots->list, slots->count, slots->room) =
        (struct slot){.at = at, .bytes = bytes, .kept = kept || bytes > WIDEST, .number = -1};
}

static int by_location(const void *a, const void *b)
{
    const struct slot *x = a, *y = b;
    if (x->at != y->at) return x->at < y->at ? -1 : 1;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* Sorts them, and makes one of those of the same bytes. */
static void merge(struct slots *slots)
{
    size_t count = 0;
    qsort(slots->list, slots->count, sizeof *slots->list, by_location);
    for (size_t k = 0; k < slots->count; k++) {
        struct slot *last = count == 0 ? NULL : &slots->list[count - 1], one = slots->list[k];
        if (last != NULL && last->at == one.at && last->bytes == one.bytes)
            last->kept |= one.kept;
        else
            slots->list[count++] = one;
    }
    slots->count = count;
}

/* The size of the parts of a group; 0: it has none that fit. */
static uint32_t part_of(const struct slot *group, size_t count)
{
    uint32_t part = group->bytes;
    for (size_t k = 1; k < count; k++)
        if (group[k].bytes < part) part = group[k].bytes;
    if (part == 0 || (count > 1 && part != 2 && part != 4)) return 0;
    for (size_t k = 0; k < count; k++)
        if ((group[k].at - group->at) % part != 0 || group[k].bytes % part != 0 ||
            group[k].bytes / part > PARTS_MAX || group[k].bytes / part == 3)
            return 0;
    return part;
}

void slots_group(struct slots *slots)
{
    merge(slots);
    size_t all = slots->count;
    for (size_t k = 0, next; k < all; k = next) {
        uint64_t end = 0;
        for (next = k; next < all && (next == k || slots->list[next].at < end); next++)
            if ((uint64_t)slots->list[next].at + slots->list[next].bytes > end)
                end = (uint64_t)slots->list[next].at + slots->list[next].bytes;
        uint32_t part = part_of(&slots->list[k], next - k), first = slots->list[k].at;
        for (size_t s = k; s < next; s++) {
            slots->list[s].group = (uint32_t)k;
            slots->list[s].part = part;
            slots->list[s].kept |= part == 0;
        }
        /* Every part is a slot of its own. */
        for (uint64_t at = first; next - k > 1 && part != 0 && at < end; at += part) {
            slots_add(slots, (uint32_t)at, part, false);
            slots->list[slots->count - 1].group = (uint32_t)k;
            slots->list[slots->count - 1].part = part;
        }
    }
    if (slots->count > all) merge(slots);
}

/* The first slot that does not begin before this offset. */
static size_t first_slot(const struct slots *slots, uint64_t at)
{
    size_t low = 0, high = slots->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (slots->list[middle].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void slots_keep(struct slots *slots, uint64_t from, uint64_t to)
{
    size_t k = first_slot(slots, from < WIDEST ? 0 : from - WIDEST);
    for (; k < slots->count && slots->list[k].at < to; k++)
        if ((uint64_t)slots->list[k].at + slots->list[k].bytes > from) slots->list[k].kept = true;
}

void slots_settle(struct slots *slots)
{
    for (size_t k = 0, next; k < slots->count; k = next) {
        bool kept = false;
        for (next = k; next < slots->count && slots->list[next].group == slots->list[k].group;
             next++)
            kept |= slots->list[next].kept;
        for (size_t s = k; kept && s < next; s++)
            slots->list[s].kept = true;
    }
}

struct slot *slots_find(const struct slots *slots, uint64_t at, uint32_t bytes)
{
    for (size_t k = first_slot(slots, at); k < slots->count && slots->list[k].at == at; k++)
        if (slots->list[k].bytes == bytes) return slots->list[k].kept ? NULL : &slots->list[k];
    return NULL;
}
