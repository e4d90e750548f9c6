/*
 * table.h: what the lab remembers of all exercises, as people read it.
 */
#ifndef WARPUP_TABLE_H
#define WARPUP_TABLE_H

#include "show/view.h"

/* Prints the progress in exercises, which are folders, and what comes next. */
void show_progress(const struct view *view, int count, char *exercises[]);

/* Prints only which exercise or rung comes next. */
void show_what_is_next(const struct view *view, int count, char *exercises[]);

#endif
