/*
 * larger.h: would the program's kernels stay inside their arrays if the problem were larger? The
 * simulated GPU has tried launches of some runs with larger arguments (gpu/runtime/larger.h).
 */
#ifndef WARPUP_JUDGE_LARGER_H
#define WARPUP_JUDGE_LARGER_H

#include "judge/measure/metrics.h"

/* The first record of a launch that would not, and its run; NULL: there is none. */
const struct record *larger_failed(const struct check *check, const struct run **run);

/* Takes the measure: 1, or 0 if a launch would not. What could not be tried counts as 1, and `seen`
 * says why. */
void measure_larger(struct measures *measures, const struct check *check);

#endif
