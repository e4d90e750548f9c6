/*
 * provenance.h: did the GPU make the result, and in the timed kernels? A right result alone does
 * not say so: the host may have made it. Three things that the traces show do:
 *
 * - In the simulated GPU's memory each word knows whether a kernel or the host wrote it last. What
 *   is copied to the host as the result must be a kernel's.
 * - In the runs that probe, the result has to follow altered inputs (probes.h).
 * - The timed kernels have to load as many bytes as the inputs have, and cannot work at a rate
 *   that is far beyond the limit.
 */
#ifndef WARPUP_PROVENANCE_H
#define WARPUP_PROVENANCE_H

#include "judge/measure/metrics.h"

/* Finds out for every right result whether the host made it, and which kernel did. */
void provenance_results(struct check *check, struct result *results);

/* Why the timed kernels of a right run cannot be all of the work, in words; NULL when they can. */
const char *provenance_outside(const struct check *check, const struct result *results,
                               const struct measures *measures);

#endif
