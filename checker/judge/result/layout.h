/*
 * layout.h: where a result's elements are in an array. Programs bring a result back in several
 * ways: plainly, after something else, with every row padded, column by column, one number of each
 * structure, in double. A first number and two steps describe all of these.
 */
#ifndef WARPUP_LAYOUT_H
#define WARPUP_LAYOUT_H

#include "judge/result/host_copy.h"
#include "judge/oracle/oracle.h"

/* Element i is in row r and column c, where rows have `columns` elements. It is the number at first
 * + r * row + c * column. */
struct layout {
    size_t first, row, column, columns;
    bool wide; /* the numbers are doubles, not floats */
};

/* Floats without a gap, from `first` on. */
struct layout layout_plain(size_t first, const struct oracle_problem *problem);

/* Where element i is, in bytes from the array's start. */
size_t layout_offset(const struct layout *layout, size_t i);

/* Element i, as a float. It does not check bounds. */
float layout_value(const struct host_array *array, const struct layout *layout, size_t i);

/* Bytes of a number. */
size_t layout_size(const struct layout *layout);

/* How many bytes of `elements` elements are between the bytes `begin` and `end` of the array. */
uint64_t layout_bytes_in(const struct layout *layout, size_t elements, uint64_t begin,
                         uint64_t end);

/* The number at a byte of the array, a float or a double. It does not check bounds. */
float layout_number(const struct host_array *array, bool wide, size_t byte);

#endif
