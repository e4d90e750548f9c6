/*
 * taint.h: a run that finds out whether the GPU makes the result. WARPUP_PROBE holds the bits of
 * one number of the inputs. While a kernel runs, this number is larger by 1 wherever it is in the
 * GPU's memory. If kernels compute the result, it changes; if the host made it, it does not.
 */
#ifndef WARPUP_TAINT_H
#define WARPUP_TAINT_H

#include <stdbool.h>

/* Reads WARPUP_PROBE. */
void taint_begin(void);

/* Changes the number before a kernel runs, and restores it afterwards wherever it is unchanged.
 * Device memory must be open. Writes a `probe` record, if there is a number. */
void taint_alter(void);
void taint_restore(void);

#endif
