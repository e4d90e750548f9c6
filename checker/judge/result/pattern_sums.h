/*
 * pattern_sums.h: patterns of sums: terms are missing, or a sum began where another one ended.
 */
#ifndef WARPUP_PATTERN_SUMS_H
#define WARPUP_PATTERN_SUMS_H

#include "judge/result/pattern_values.h"

extern pattern_try pattern_partial_sum, pattern_not_reset;

#endif
