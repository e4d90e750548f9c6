/*
 * compare.h: compares one array with the oracle. Up to the problem's sample.work multiply-adds, it
 * compares every element. If elements x cost is larger, it compares a sample: the first and the
 * last EDGE elements, and one element at a random place in each of many equal spans between them.
 * sample.work limits the number of spans; it is SAMPLE_MIN at least. Threads share the elements;
 * the result does not depend on their number.
 */
#ifndef WARPUP_COMPARE_H
#define WARPUP_COMPARE_H

#include "judge/result/layout.h"

/* True when a float equals the oracle's value at `index` within its tolerance. False for NaN. */
bool compare_fits(const struct oracle_problem *problem, float value, size_t index);

/* True when the numbers of a layout are the oracle's result. Stops at the first that is not. */
bool compare_all_fit(const struct host_array *array, const struct layout *layout,
                     const struct oracle_problem *problem);

/* How an array differs from the result; both begin at its start. */
struct difference {
    size_t compared, wrong, nans;
    size_t first, last; /* first and last wrong index, when any is */
    double expected;    /* at `first` */
    float got;
};
struct difference compare_difference(const struct host_array *array,
                                     const struct oracle_problem *problem);

/* True when an perturbation of the inputs changes an element by more than rounding does. */
bool compare_changes(const struct oracle_problem *plain, const struct oracle_problem *perturbed,
                     size_t index);

/* How an array follows an perturbation of the inputs: how many elements the perturbation changes,
 * how many of them have the perturbed value, and how many other elements match neither result. */
struct following {
    size_t compared, changed, perturbed, wrong;
};
struct following compare_following(const struct host_array *array, const struct layout *layout,
                                   const struct oracle_problem *plain,
                                   const struct oracle_problem *perturbed);

/* True when every element is compared. */
bool compare_is_whole(const struct oracle_problem *problem);

/* The largest printed Diff that rounding explains. The exercises print |v - u| / |u| of two float
 * results. Each may be off by the oracle's tolerance t, which gives up to 2 |t| / |exact|.
 * DIFF_MARGIN times that is allowed. |.| is the root of the sum of squares. */
double compare_small_diff(const struct oracle_problem *problem);

#endif
