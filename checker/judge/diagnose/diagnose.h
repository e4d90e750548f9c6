/*
 * diagnose.h: what is wrong, where, and how it is known. README.md lists the diagnoses. A
 * diagnosis states what the trace or the output shows, and nothing that they do not.
 */
#ifndef WARPUP_DIAGNOSE_H
#define WARPUP_DIAGNOSE_H

#include "judge/diagnose/diagnoses.h"
#include "judge/measure/ladder.h"
#include "judge/measure/metrics.h"
#include "judge/result/result.h"
#include "judge/read/runs.h"

/* Sorts the most exact first: what stopped the program, then faults, then results, then speed. */
void diagnoses_sort(struct diagnoses *diagnoses);

/* The id of the failed criterion that a diagnosis explains. When its own one waits for a failed
 * one, that one, for a fault may be why. NULL when there is none. */
const char *diagnosis_criterion(const struct diagnosis *diagnosis, const struct ladder *ladder);

/* True when ../mistakes/ has a page of this name; a trace may tell faults of any name. */
bool diagnosis_has_page(const struct diagnosis *diagnosis);

/* Adds what a compiler said (diagnose.c). */
void diagnose_compile(struct diagnoses *diagnoses, const struct check *check);

/* Adds that a trace is not the one that its writer wrote (diagnose.c). */
void diagnose_incomplete(struct diagnoses *diagnoses, const struct check *check);

/* Adds how runs ended badly, and what they did not print (diagnose.c). */
void diagnose_ends(struct diagnoses *diagnoses, const struct check *check);

/* Adds faults, refused launches, failed calls and leaks (faults.c); returns how many. */
size_t diagnose_faults(struct diagnoses *diagnoses, const struct check *check);

/* Adds what a wrong result looks like (wrong_results.c). */
void diagnose_results(struct diagnoses *diagnoses, struct check *check,
                      const struct result *results);

/* Adds what keeps a watch from showing the kernel's time, where the ladder misses it
 * (timing_diagnoses.c).
 */
void diagnose_timing(struct diagnoses *diagnoses, const struct check *check,
                     const struct ladder *ladder, const struct measures *measures);

/* Adds that, and what keeps a right program slow, where the ladder misses it (speed.c). */
void diagnose_speed(struct diagnoses *diagnoses, const struct check *check,
                    const struct ladder *ladder, const struct measures *measures);

#endif
