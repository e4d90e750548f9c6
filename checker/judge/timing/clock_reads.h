/*
 * clock_reads.h: can the printed times come from a clock? The simulated GPU records each reading of
 * a clock and each time between two events. A printed time that is none of those was not measured.
 */
#ifndef WARPUP_CLOCK_READS_H
#define WARPUP_CLOCK_READS_H

#include "judge/diagnose/diagnoses.h"
#include "judge/measure/metrics.h"
#include "judge/read/runs.h"

/* Why part B's printed time is not that of the work, in words; NULL when it may be. `name` becomes
 * the diagnosis: no clock gives it, or the kernels do too little between the readings that do. */
const char *clock_reads_refute(const struct check *check, const char **name);

/* The same of part A: a time that was not measured, or in which no CPU does the work. `name`
 * becomes the diagnosis. */
const char *clock_reads_refute_first(const struct check *check, const char **name);

/* Adds the diagnoses of both. */
void clock_reads_diagnose(struct diagnoses *diagnoses, const struct check *check,
                          const struct measures *measures);

#endif
