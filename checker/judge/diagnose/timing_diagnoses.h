/* timing_diagnoses.h: the diagnoses of a timer that does not show the kernel's time. */
#ifndef WARPUP_TIMING_DIAGNOSES_H
#define WARPUP_TIMING_DIAGNOSES_H

#include "judge/diagnose/diagnoses.h"
#include "judge/measure/ladder.h"

/* Adds them where a criterion of the ladder was missed. */
void diagnose_timing(struct diagnoses *diagnoses, const struct check *check,
                     const struct ladder *ladder, const struct measures *measures);

#endif
