/*
 * probes.h: runs that find out whether the GPU's kernels compute the result. In such a run, one
 * number of each input array is altered (oracle/inputs.h) wherever kernels find it in the GPU's
 * memory, and nowhere else (gpu/memory/taint.h). If kernels compute the result from this memory, it
 * is the result for the altered inputs, which the oracle knows. At the timed size, the numbers are
 * altered from the first timed kernel on: earlier results do not follow them. The key of the seal
 * chooses the numbers, so that no program knows them. An intermediate result may by chance be equal
 * to such a number and is then altered too. So only the elements that the inputs change count.
 */
#ifndef WARPUP_PROBES_H
#define WARPUP_PROBES_H

#include "judge/result/result.h"

/* The bits of the numbers to alter, for WARPUP_PROBE: hexadecimal, with commas between them. ""
 * when no array has two elements, or when the exercise does not accept these arguments. `seal` is
 * the key of the seal as text. */
const char *probes_text(struct arena *arena, int argc, char *argv[], uint64_t seed,
                        const char *seal);

/* The first launch that is to find altered numbers in a run like this one. It is the first timed
 * kernel. If earlier launches of the same kernels made the result, it is the first of these. 1 when
 * it is not known. */
uint64_t probes_first_launch(const struct run *run);

/* Marks every right result of a probed run: does it follow the altered inputs? */
void probes_judge(struct check *check, struct result *results);

#endif
