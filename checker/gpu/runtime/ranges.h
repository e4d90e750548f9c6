/*
 * ranges.h: a set of bytes, as ranges: the addresses that an operation
 * reads or writes (stream_order.h).
 */
#ifndef WARPUP_RANGES_H
#define WARPUP_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From the address of the first byte to the address after the last one. */
struct range {
    uint64_t from, to;
};

/* {0} is empty. A set that got too many ranges has none. */
struct ranges {
    struct range *list;
    size_t count, room;
    bool too_many;
};

void ranges_add(struct ranges *ranges, uint64_t from, uint64_t to);

/* Sorts and joins the ranges, as the next function needs them. */
void ranges_tidy(struct ranges *ranges);

/* The first bytes that are in both of two tidy sets; false if there are none. */
bool ranges_overlap(const struct ranges *a, const struct ranges *b, struct range *both);

/* Removes all ranges. */
void ranges_empty(struct ranges *ranges);

#endif
