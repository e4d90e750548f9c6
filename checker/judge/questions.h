/*
 * questions.h: the small questions that a check asks before its end, to choose its next runs.
 *
 *   judge --probes SEED ARGUMENT...
 *     prints the numbers that a probing run alters (measure/probes.h).
 *   judge --probes SEED
 *     prints the same for each line of arguments on stdin.
 *   judge --wrong SEED CHECKDIR [RECORDS]
 *     exits with 0 if a result is wrong, 1 if none is.
 *   judge --timed SEED CHECKDIR [RECORDS]
 *     prints the first launch whose inputs a probing run alters.
 *   judge --kernel-ns RUNDIR
 *     prints the time of a run's kernels (measure/plan.h).
 *   judge --suspicions RUNDIR...
 *     prints why larger sizes should run: fixed, growing, tall.
 *   judge --rehearsed RUNDIR
 *     exits with 0 if the program calls its library before the timer starts, else 1.
 *
 * RECORDS is a file of read/records.h; without it, CHECKDIR/check.json is read.
 */
#ifndef WARPUP_QUESTIONS_H
#define WARPUP_QUESTIONS_H

#include "judge/read/arena.h"

#include <jansson.h>
#include <stdint.h>

/* Answers a question on stdout; `code` becomes the judge's exit code. False if it is none of them.
 */
bool question_answer(int argc, char *argv[], int *code);

/* Reads a seed; false if the text is not one. */
bool question_seed(const char *text, uint64_t *seed);

/* Reads a file of records. WARPUP_SEAL has the key of the seal. NULL when it cannot be read. */
json_t *question_records(struct arena *arena, const char *path, uint64_t seed);

#endif
