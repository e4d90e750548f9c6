/*
 * taint.h: a run that finds out whether the result is made from what is on the GPU. WARPUP_PROBE
 * holds the bits of one number of the inputs. Each kernel then finds that number larger by 1,
 * wherever it stands in the GPU's memory, and nobody else does: the result of a program whose
 * kernels compute it changes, and one that the host has made stays as it was.
 */
#ifndef WARPUP_TAINT_H
#define WARPUP_TAINT_H

#include <stdbool.h>

/* Reads WARPUP_PROBE. */
void taint_begin(void);

/* Alters the number before a kernel runs, and puts it back where it still stands afterwards. The
 * memory must be open. Writes a `probe` record, unless nothing is probed. */
void taint_alter(void);
void taint_restore(void);

#endif
