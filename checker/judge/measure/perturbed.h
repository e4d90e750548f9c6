/*
 * perturbed.h: runs that find out whether the GPU's kernels compute the result. In such a run, one
 * number of each input array is perturbed (oracle/inputs.h) wherever kernels find it in the GPU's
 * memory, and nowhere else (gpu/memory/perturb.h). If kernels compute the result from this memory,
 * it is the result for the perturbed inputs, which the oracle knows. At the timed size, the numbers
 * are perturbed from the first timed kernel on: earlier results do not follow them. The key of the
 * checksums chooses the numbers, so that no program knows them. An intermediate result may by
 * chance be equal to such a number and is then perturbed too. So only the elements that the inputs
 * change count.
 */
#ifndef WARPUP_PERTURBED_H
#define WARPUP_PERTURBED_H

#include "judge/result/result.h"

/* The bits of the numbers to perturb, for WARPUP_PERTURB: hexadecimal, with commas between them. ""
 * when no array has two elements, or when the exercise does not accept these arguments. `key` is
 * the key of the checksum as text. */
const char *perturbed_numbers(struct arena *arena, int argc, char *argv[], uint64_t seed,
                              const char *key_text);

/* The first launch that is to find perturbed numbers in a run like this one. It is the first timed
 * kernel. If earlier launches of the same kernels made the result, it is the first of these. 1 when
 * it is not known. */
uint64_t perturbed_first_launch(const struct run *run);

/* Marks every right result of a perturbed run: does it follow the perturbed inputs? */
void perturbed_judge(struct check *check, struct result *results);

#endif
