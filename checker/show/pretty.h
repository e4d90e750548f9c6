/*
 * pretty.h: the verdict as the student sees it.
 */
#ifndef WARPUP_PRETTY_H
#define WARPUP_PRETTY_H

#include "show/view.h"

void show_pretty(const struct view *view);

/* Prints FILE:LINE and the line itself, where a diagnosis has a place. */
void put_location(const struct view *view, const char *indent, const json_t *diagnosis);

/* Prints "rung 3 of 6", and a bar where symbols are wanted. `perhaps`: the rung that a GPU may show
 * to be reached; 0 if there is none. */
void put_rung(const struct view *view, int rung, int perhaps, int rungs);

#endif
