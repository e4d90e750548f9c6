/* faults.h: the diagnoses that a trace states outright. */
#ifndef WARPUP_FAULTS_H
#define WARPUP_FAULTS_H

#include "judge/diagnose/diagnoses.h"
#include "judge/read/runs.h"

/* Adds faults, refused launches, failed calls and leaks; returns how many. */
size_t diagnose_faults(struct diagnoses *diagnoses, const struct check *check);

/* Adds what the simulated GPU saw of larger problems (measure/larger.h). */
void diagnose_larger(struct diagnoses *diagnoses, const struct check *check);

#endif
