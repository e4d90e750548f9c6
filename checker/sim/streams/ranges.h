/*
 * ranges.h: a set of bytes, as ranges of them: which of the simulated GPU's memory a piece of work
 * reads or writes (stream_order.h).
 */
#ifndef WARPUP_RANGES_H
#define WARPUP_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From a byte's offset to that behind the last one. */
struct range {
    uint64_t from, to;
};

/* Empty to begin with: {0}. One that came to too many ranges holds none. */
struct ranges {
    struct range *list;
    size_t count, room;
    bool too_many;
};

void ranges_add(struct ranges *ranges, uint64_t from, uint64_t to);

/* Sorts and joins them: what the next function asks for. */
void ranges_tidy(struct ranges *ranges);

/* The first bytes that are in both of two tidy sets; false when there are none. */
bool ranges_overlap(const struct ranges *a, const struct ranges *b, struct range *both);

/* Takes all out of it. */
void ranges_empty(struct ranges *ranges);

#endif
