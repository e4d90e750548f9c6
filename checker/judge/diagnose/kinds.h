/*
 * kinds.h: each kind of diagnosis, and the function that looks for it. Each is in the file that is
 * called as its kind.
 */
#ifndef WARPUP_KINDS_H
#define WARPUP_KINDS_H

#include "judge/diagnose/diagnoses.h"
#include "judge/measure/ladder.h"
#include "judge/read/runs.h"
#include "judge/result/result.h"

/* ---- ends.c: programs that do not compile, end badly or print too little ----------------------
 */

/* Adds the errors of a compiler. */
void diagnose_compile(struct diagnoses *diagnoses, const struct check *check);

/* Adds a diagnosis when a trace is not the one that its writer wrote. */
void diagnose_incomplete(struct diagnoses *diagnoses, const struct check *check);

/* Adds how runs ended badly, and which lines they did not print. */
void diagnose_ends(struct diagnoses *diagnoses, const struct check *check);

/* ---- faults.c: what a trace states outright ---------------------------------------------------
 */

/* Adds faults, refused launches, failed calls and leaks: those of the whole job, or all others.
 * Returns how many. */
size_t diagnose_faults(struct diagnoses *diagnoses, const struct check *check, bool of_job);

/* Adds what the simulated GPU saw of larger problems (measure/larger.h). */
void diagnose_larger(struct diagnoses *diagnoses, const struct check *check);

/* ---- wrong_results.c: a wrong result, one that the GPU did not make, a Diff that is too large --
 */

/* `results` has one entry per run. */
void diagnose_results(struct diagnoses *diagnoses, const struct check *check,
                      const struct result *results);

/* ---- where a criterion of the ladder was missed -----------------------------------------------
 */

/* speed.c: adds why a right program is slow, and the diagnoses of timing. */
void diagnose_speed(struct diagnoses *diagnoses, const struct check *check,
                    const struct ladder *ladder, const struct measures *measures);

/* timing_diagnoses.c: adds why a timer does not show the kernel's time. */
void diagnose_timing(struct diagnoses *diagnoses, const struct check *check,
                     const struct ladder *ladder, const struct measures *measures);

/* end_to_end_diagnoses.c: adds what is wrong with the whole job (timing/end_to_end.h): its result,
 * copies of pageable memory, and copies that run one after another. */
void diagnose_end_to_end(struct diagnoses *diagnoses, const struct check *check,
                         const struct ladder *ladder, const struct measures *measures);

#endif
