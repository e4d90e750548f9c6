/* host_made.h: the diagnoses of right results that the timed kernels did not make. */
#ifndef WARPUP_HOST_MADE_H
#define WARPUP_HOST_MADE_H

#include "judge/diagnose/diagnoses.h"
#include "judge/measure/metrics.h"

/* Adds the first right result that was seen not to be the GPU's. */
void diagnose_host_made(struct diagnoses *diagnoses, const struct check *check,
                        const struct result *results);

#endif
