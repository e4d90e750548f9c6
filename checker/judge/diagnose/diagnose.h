/*
 * diagnose.h: what is known of every diagnosis: its place among the others, the criterion that it
 * explains, its page in ../mistakes and its next step. README.md lists the diagnoses. Each states
 * what the trace or the output shows, and nothing that they do not.
 */
#ifndef WARPUP_DIAGNOSE_H
#define WARPUP_DIAGNOSE_H

#include "judge/diagnose/diagnoses.h"
#include "judge/diagnose/speed.h"
#include "judge/diagnose/timing_diagnoses.h"

/* Sorts what explains the most first: what stopped the program, then faults, results, speed. */
void diagnoses_sort(struct diagnoses *diagnoses);

/* The id of the criterion that a diagnosis explains: of those that it can explain, the first that
 * failed, else the first that still waits. What stops a program explains the first failed criterion
 * of all when its own one waits. NULL when there is none. */
const char *diagnosis_criterion(const struct diagnosis *diagnosis, const struct ladder *ladder);

/* The next step: of the first diagnosis that explains the first criterion which did not pass, else
 * the ladder's. NULL when all passed. */
const char *diagnoses_next(const struct diagnoses *diagnoses, const struct ladder *ladder);

/* True when ../mistakes/ has a page of this name; a trace may report faults of any name. */
bool diagnosis_has_page(const struct diagnosis *diagnosis);

#endif
