/*
 * diagnose.h: what the judge knows about every diagnosis: its rank, the criterion that it explains,
 * its page in ../mistakes and its next step. README.md lists the diagnoses. A diagnosis states only
 * what the trace or the output shows.
 */
#ifndef WARPUP_DIAGNOSE_H
#define WARPUP_DIAGNOSE_H

#include "judge/diagnose/diagnoses.h"
#include "judge/diagnose/speed.h"
#include "judge/diagnose/timing_diagnoses.h"

/* Sorts the list. What explains the most comes first: what stopped the program, then faults,
 * results, speed. */
void diagnoses_sort(struct diagnoses *diagnoses);

/* The id of the criterion that a diagnosis explains, or NULL. Of the criteria that it can explain,
 * this is the first that failed, else the first that still waits. If the diagnosis says what
 * stopped the program, and its own criterion waits, it explains the first failed criterion of
 * all. */
const char *diagnosis_criterion(const struct diagnosis *diagnosis, const struct ladder *ladder);

/* The next step, for the first criterion that did not pass. It belongs to the first diagnosis that
 * explains this criterion, else to the ladder. NULL when all passed. */
const char *diagnoses_next(const struct diagnoses *diagnoses, const struct ladder *ladder);

/* True when ../mistakes/ has a page of this name; a trace may report faults of any name. */
bool diagnosis_has_page(const struct diagnosis *diagnosis);

#endif
