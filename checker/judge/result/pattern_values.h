/*
 * pattern_values.h: the patterns that hold for every element: which values came back instead of the
 * right ones.
 */
#ifndef WARPUP_PATTERN_VALUES_H
#define WARPUP_PATTERN_VALUES_H

#include "judge/result/pattern_parts.h"

/* In the order in which they are tried. */
extern pattern_try pattern_all_zeros, pattern_never_written, pattern_not_a_number, pattern_scaled,
    pattern_repeated, pattern_wrong_formula, pattern_transposed, pattern_partial_sum,
    pattern_off_by_a_constant, pattern_whole_numbers, pattern_half_precision;

#endif
