/*
 * provenance.h: did the GPU make the result? A right result alone does not say so: the host
 * may have made it. Two things that the traces show do:
 *
 * - In the simulated GPU's memory each word knows whether a kernel or the host wrote it last. What
 *   is copied to the host as the result must be a kernel's.
 * - In the runs that probe, the result has to follow altered inputs (probes.h).
 */
#ifndef WARPUP_PROVENANCE_H
#define WARPUP_PROVENANCE_H

#include "judge/measure/metrics.h"

/* Finds out for every right result whether the host made it, and which kernel did. */
void provenance_results(struct check *check, struct result *results);

#endif
