/*
 * provenance.h: did the GPU compute the result? A right result alone does not prove it, because the
 * host may have computed it. Two facts in the traces do:
 *
 * - The simulated GPU records for each word of its memory whether a kernel or the host wrote it
 *   last. A kernel must have written what is copied to the host as the result.
 * - In perturbed runs, the result has to follow perturbed inputs (perturbed.h).
 */
#ifndef WARPUP_PROVENANCE_H
#define WARPUP_PROVENANCE_H

#include "judge/measure/metrics.h"

/* Finds out for every right result whether the host or a kernel computed it, and which kernel. */
void provenance_results(struct check *check, struct result *results);

#endif
