/* verdict.h: the verdict as JSON; README.md describes its fields. */
#ifndef WARPUP_VERDICT_H
#define WARPUP_VERDICT_H

#include "judge/diagnose/diagnoses.h"
#include "judge/measure/ladder.h"

#include <stdio.h>

/* The judge's arguments. */
struct question {
    const char *exercise, *source, *checker, *runs; /* name, file, two directories */
    uint64_t seed;                                  /* UINT64_MAX: the one in check.json */
};

/* The exit codes too, but an undecided program exits as one that is not there yet. */
enum status { STATUS_REACHED, STATUS_NOT_YET, STATUS_COULD_NOT_CHECK, STATUS_UNDECIDED };

enum status verdict_status(const struct check *check, const struct ladder *ladder);

/* Writes the verdict to a file. False when it could not be written. */
bool verdict_write(const struct question *question, const struct check *check,
                   const struct ladder *ladder, const struct measures *measures,
                   const struct diagnoses *diagnoses, FILE *file);

#endif
