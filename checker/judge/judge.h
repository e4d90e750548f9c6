/* judge.h: the verdict of a check. */
#ifndef WARPUP_JUDGE_H
#define WARPUP_JUDGE_H

#include "judge/verdict.h"

/* Judges a check that was loaded, and writes the verdict to a file. `rung`, unless it is NULL, gets
 * the rung that is reached. */
enum status judge_check(const struct question *question, struct check *check, FILE *file,
                        int *rung);

#endif
