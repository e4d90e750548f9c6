/*
 * layout.h: how a result lies in an array. Programs bring it back in other ways than the plain one:
 * behind something else, with every row padded, row for column, one number of each structure, in
 * double. All of these are a first number and two steps.
 */
#ifndef WARPUP_LAYOUT_H
#define WARPUP_LAYOUT_H

#include "judge/result/host_copy.h"
#include "judge/oracle.h"

/* Element i, in row r and column c of rows of `columns` elements, is the number at
 * first + r * row + c * column. */
struct layout {
    size_t first, row, column, columns;
    bool wide; /* the numbers are doubles, not floats */
};

/* Floats without a gap, from `first` on. */
struct layout layout_plain(size_t first, const struct oracle_problem *problem);

/* Where element i is, in bytes from the array's start. */
size_t layout_offset(const struct layout *layout, size_t i);

/* Element i, as a float; no bounds are checked. */
float layout_value(const struct array *array, const struct layout *layout, size_t i);

/* Bytes of a number. */
size_t layout_size(const struct layout *layout);

/* How many bytes of `elements` elements are in those from `begin` to `end` of the array. */
uint64_t layout_bytes_in(const struct layout *layout, size_t elements, uint64_t begin,
                         uint64_t end);

/* Finds a layout by which the array holds the oracle's result. Returns whether there is one. */
bool layout_find(const struct array *array, const struct oracle_problem *problem,
                 struct layout *layout);

#endif
