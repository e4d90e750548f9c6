/*
 * drop.h: leaves a small file about a check for the board of a class.
 */
#ifndef WARPUP_DROP_H
#define WARPUP_DROP_H

#include "progress/record.h"

#include <jansson.h>

/* Writes FOLDER/ID-EXERCISE.json about the latest check of an exercise, which is a folder. Never
 * takes longer than a second, and says in one line on stderr if the file is not there by then. */
void drop(const char *folder, const char *exercise, const struct record *record,
          const json_t *verdict);

#endif
