/*
 * taint.h: a run that finds out whether the result is computed from the GPU's memory. WARPUP_PROBE
 * holds the bits of numbers of the inputs, with commas between them. Each kernel then finds these
 * numbers 1 away, towards 0 and beyond, wherever they are in the GPU's memory; nobody else does. If
 * kernels compute the result, it is then that of the altered inputs. If the host has computed it,
 * it does not change. The numbers may follow the number of a launch and a colon: earlier kernels
 * then find nothing altered.
 */
#ifndef WARPUP_TAINT_H
#define WARPUP_TAINT_H

#include <stdint.h>

/* Reads WARPUP_PROBE and removes it from the environment. */
void taint_begin(void);

/* Alters the numbers before the kernel of a launch runs, and puts them back where they still stand
 * afterwards. Writes a `probe` record, unless nothing is probed. */
void taint_alter(uint64_t launch);
void taint_restore(void);

#endif
