/*
 * provenance.h: did the GPU make the result? A right result alone does not say so: the host
 * may have made it. Two things that the traces show do:
 *
 * - In the simulated GPU's memory each word knows whether a kernel or the host wrote it last. What
 *   is copied to the host as the result must be a kernel's.
 * - In the runs that probe, one number of an input array is altered wherever the GPU's kernels meet
 *   it, and nowhere else. A result that stays as it was does not come from that array.
 */
#ifndef WARPUP_PROVENANCE_H
#define WARPUP_PROVENANCE_H

#include "judge/measure/metrics.h"

/* Finds out for every right result whether the host made it, and which kernel did. */
void provenance_results(struct check *check, struct result *results);

/* Prints what the runs that probe need, a line an input array: its number, and the bits of the
 * element to alter, for WARPUP_PROBE. Returns false when these are no arguments of the exercise. */
bool provenance_print_probes(int argc, char *argv[], uint64_t seed);

#endif
