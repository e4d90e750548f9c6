/* ending.h: what becomes of a verdict: it is kept, shown, and noted for others. */
#ifndef WARPUP_ENDING_H
#define WARPUP_ENDING_H

#include "judge/verdict.h"

/* The verdict of the exercise's own file replaces build/verdict.json, in one step, and joins what
 * make progress shows. */
void keep_verdict(void);

/* Shows the verdict in the wanted format, and after it what the student has predicted. `log`: what
 * the compiler said about an error, or "". Returns the status with which the check ends. */
enum status show_verdict(enum status status, const char *log);

/* Tells the board of a class, and keeps the check's small files as build/last. Those of a check of
 * another version of the program become build/before. */
void keep_files(void);

#endif
