/*
 * readings.h: can the printed times come from a clock? The simulated GPU records each reading of a
 * clock and each time between two events. A printed time that is none of those was not measured.
 */
#ifndef WARPUP_READINGS_H
#define WARPUP_READINGS_H

#include "diagnoses.h"
#include "measure.h"
#include "runs.h"

/* Why part B's printed time is not that of the work, in words; NULL when it may be. `name` becomes
 * the diagnosis: no clock gives it, or the kernels do too little between the readings that do. */
const char *readings_refute(const struct check *check, const char **name);

/* The same of part A: a time that was not measured, or in which no CPU does the work. `name`
 * becomes the diagnosis. */
const char *readings_refute_first(const struct check *check, const char **name);

/* Adds the diagnoses of both. */
void readings_diagnose(struct diagnoses *diagnoses, const struct check *check,
                       const struct measures *measures);

#endif
