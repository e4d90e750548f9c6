/* host_made.h: the diagnoses of right results that the timed kernels did not compute. */
#ifndef WARPUP_HOST_MADE_H
#define WARPUP_HOST_MADE_H

#include "judge/diagnose/diagnoses.h"
#include "judge/measure/metrics.h"

/* Adds a diagnosis for the first right result that the GPU did not compute. */
void diagnose_host_made(struct diagnoses *diagnoses, const struct check *check,
                        const struct result *results);

#endif
