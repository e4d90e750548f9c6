/*
 * compare.h: one array against the oracle. Every element is compared where the problem's
 * sample.work pays for that. Where elements x cost is larger, a sample is: the first and the last
 * EDGE elements, and between them one at a drawn place in each of equally wide pieces. There are as
 * many pieces as sample.work pays for, and SAMPLE_MIN at least. Threads share the elements; what
 * comes out does not depend on the number of threads.
 */
#ifndef WARPUP_COMPARE_H
#define WARPUP_COMPARE_H

#include "judge/result/layout.h"

/* True when a float is the oracle's value at `index` within its tolerance. NaN never is. */
bool compare_fits(const struct oracle_problem *problem, float value, size_t index);

/* True when the numbers that a layout names are the oracle's result. Stops at the first that is
 * not. */
bool compare_all_fit(const struct host_array *array, const struct layout *layout,
                     const struct oracle_problem *problem);

/* How an array differs, from its start on. */
struct difference {
    size_t compared, wrong, nans;
    size_t first, last; /* first and last wrong index, when any is */
    double expected;    /* at `first` */
    float got;
};
struct difference compare_difference(const struct host_array *array,
                                     const struct oracle_problem *problem);

/* How an array follows an alteration of the inputs: of the elements that it changes, how many there
 * are, and how many are the altered ones; and how many others are neither. */
struct following {
    size_t compared, changed, altered, wrong;
};
struct following compare_following(const struct host_array *array, const struct layout *layout,
                                   const struct oracle_problem *plain,
                                   const struct oracle_problem *altered);

/* True when every element is compared. */
bool compare_is_whole(const struct oracle_problem *problem);

/* The largest printed Diff that rounding explains. The exercises print |v - u| / |u| of two float
 * results, each of which may be off by the oracle's tolerance t: up to 2 |t| / |exact|, and
 * DIFF_MARGIN times that is allowed. |.| is the root of the sum of squares. */
double compare_small_diff(const struct oracle_problem *problem);

#endif
