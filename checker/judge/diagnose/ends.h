/* ends.h: the diagnoses of programs that do not compile, end badly or print too little. */
#ifndef WARPUP_ENDS_H
#define WARPUP_ENDS_H

#include "judge/diagnose/diagnoses.h"
#include "judge/read/runs.h"

/* Adds what a compiler said. */
void diagnose_compile(struct diagnoses *diagnoses, const struct check *check);

/* Adds a diagnosis when a trace is not the one that its writer wrote. */
void diagnose_incomplete(struct diagnoses *diagnoses, const struct check *check);

/* Adds how runs ended badly, and which lines they did not print. */
void diagnose_ends(struct diagnoses *diagnoses, const struct check *check);

#endif
