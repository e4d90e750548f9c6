/*
 * predict.h: what a student expects of a rung, before it is reached, and what came of it.
 */
#ifndef WARPUP_PREDICT_H
#define WARPUP_PREDICT_H

#include "show/view.h"

/* Each works on the folder of an exercise, and returns an exit code: 0; 1 there is nothing to do; 3
 * not possible, with one line on stderr. */

/* Prints the question about the next rung, and the guess that is there already. 1 if this rung has
 * no question. */
int ask(const struct view *view, const char *exercise);
/* Keeps a guess for the next rung, such as "10", "2.5 times" or "1/3". */
int keep_guess(const char *exercise, const char *guess);
/* Prints the guess for the rung that the latest check reached, beside what came. 1 if there is
 * none. */
int compare(const struct view *view, const char *exercise);
/* 1, with one line on stderr, if the next rung has a question and no guess. */
int require_guess(const char *exercise);

#endif
