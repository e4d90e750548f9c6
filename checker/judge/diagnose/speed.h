/* speed.h: the diagnoses of what keeps a right program slow. */
#ifndef WARPUP_SPEED_H
#define WARPUP_SPEED_H

#include "judge/diagnose/diagnoses.h"
#include "judge/measure/ladder.h"

/* Adds them, and those of timing, where a criterion of the ladder was missed. */
void diagnose_speed(struct diagnoses *diagnoses, const struct check *check,
                    const struct ladder *ladder, const struct measures *measures);

#endif
