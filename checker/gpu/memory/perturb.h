/*
 * perturb.h: a run that finds out whether the result is computed from the GPU's memory.
 * WARPUP_PERTURB holds the bits of numbers of the inputs, with commas between them. Each kernel
 * then finds these numbers 1 away, towards 0 and beyond, wherever they are in the GPU's memory;
 * nobody else does. If kernels compute the result, it is then that of the perturbed inputs. If the
 * host has computed it, it does not change. The numbers may follow the number of a launch and a
 * colon: earlier kernels then find nothing perturbed.
 */
#ifndef WARPUP_PERTURB_H
#define WARPUP_PERTURB_H

#include <stdint.h>

/* Reads WARPUP_PERTURB and removes it from the environment. */
void perturb_begin(void);

/* Alters the numbers before the kernel of a launch runs, and puts them back where they still stand
 * afterwards. Writes a `perturbed` record, unless nothing is perturbed. */
void perturb_apply(uint64_t launch);
void perturb_restore(void);

#endif
