/*
 * probes.h: runs that find out whether the GPU's kernels compute the result. In such a run one
 * number of each input array is larger by 1 wherever kernels meet it in the GPU's memory, and
 * nowhere else (sim/gpu/taint.h). A result that kernels compute from there is then that of the
 * altered inputs, which the oracle knows. At the timed size numbers are altered from the first
 * timed kernel on: what was computed before does not follow them. The key of the seal chooses the
 * numbers, so that no program knows them. An intermediate result may by chance be equal to such a
 * number, and is altered too: what counts are the elements that the inputs change.
 */
#ifndef WARPUP_PROBES_H
#define WARPUP_PROBES_H

#include "judge/result/result.h"

/* Prints the bits of the numbers to alter, for WARPUP_PROBE: hexadecimal, with commas between them.
 * Prints nothing when no array has two elements. Takes the key from WARPUP_SEAL. Returns false when
 * these are no arguments of the exercise. */
bool probes_print(int argc, char *argv[], uint64_t seed);

/* The launch from which on a run like this one is to find altered numbers: the first of the timed
 * kernels. Where an earlier launch of the same kernels made the result, it is the first of these. 1
 * when it is not known. */
uint64_t probes_first_launch(const struct run *run);

/* Notes in every right result of a run that was probed whether it follows the altered inputs. */
void probes_judge(struct check *check, struct result *results);

#endif
