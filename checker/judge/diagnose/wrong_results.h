/* wrong_results.h: the diagnoses of a wrong result, of one that the GPU did not make, and of a Diff
 * that is too large. */
#ifndef WARPUP_WRONG_RESULTS_H
#define WARPUP_WRONG_RESULTS_H

#include "judge/diagnose/diagnoses.h"
#include "judge/result/result.h"

/* Adds what is wrong with the results; `results` has one entry per run. */
void diagnose_results(struct diagnoses *diagnoses, const struct check *check,
                      const struct result *results);

#endif
