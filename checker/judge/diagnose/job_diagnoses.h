/* job_diagnoses.h: the diagnoses of the whole job (timing/job.h): a wrong result, copies of
 * pageable memory, and copies that run one after another. */
#ifndef WARPUP_JOB_DIAGNOSES_H
#define WARPUP_JOB_DIAGNOSES_H

#include "judge/diagnose/diagnoses.h"

void diagnose_job(struct diagnoses *diagnoses, const struct check *check,
                  const struct ladder *ladder, const struct measures *measures);

#endif
