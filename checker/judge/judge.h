/* judge.h: the verdict of a check. */
#ifndef WARPUP_JUDGE_H
#define WARPUP_JUDGE_H

#include "judge/verdict.h"

/* How far the program is: its rung, and whether a time decides about the first criterion that did
 * not pass. It may be a time at the second shape. */
struct outcome {
    int rung;
    bool is_timed, is_second_shape;
};

/* Judges a check that was loaded, and writes the verdict to a file. `outcome` may be NULL. */
enum status judge_check(const struct question *question, struct check *check, FILE *file,
                        struct outcome *outcome);

#endif
