/*
 * compare.h: one array against the oracle. Up to WORK_MAX multiply-adds every element is looked
 * at. Beyond that, when elements x cost is larger, a sample is: the first and the last 1024
 * elements, and between them one at a pseudo-random place in each of equally wide pieces, as many
 * as WORK_MAX pays for and 16384 at least. The places are the same in every check.
 * Threads share the elements; what comes out does not depend on how many there are.
 */
#ifndef WARPUP_COMPARE_H
#define WARPUP_COMPARE_H

#include "judge/result/layout.h"

/* True when the float is the oracle's value at `index` within its tolerance. NaN never is. */
bool float_fits(float value, size_t index);

/* True when the numbers that a layout names are the oracle's result. Stops at the first that is
 * not. The oracle must be prepared. */
bool array_fits(const struct array *array, const struct layout *layout,
                const struct oracle_problem *problem);

/* How an array differs, from its start on. */
struct difference {
    size_t looked_at, wrong, nans;
    size_t first, last; /* first and last wrong index, when any is */
    double expected;    /* at `first` */
    float got;
};
struct difference array_difference(const struct array *array, const struct oracle_problem *problem);

/* True when every element is looked at. */
bool compare_is_whole(const struct oracle_problem *problem);

/* The largest printed Diff that counts as small. The exercises print |v - u| / |u| of two float
 * results, each of which may be off by the oracle's tolerance t: up to 2 |t| / |exact|. Ten times
 * that is allowed, so that other ways to measure a difference pass too; |.| is the root of the sum
 * of squares, over at most 4096 elements. */
double compare_small_diff(const struct oracle_problem *problem);

#endif
