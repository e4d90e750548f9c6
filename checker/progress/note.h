/*
 * note.h: adds a check to what the lab remembers of an exercise.
 */
#ifndef WARPUP_NOTE_H
#define WARPUP_NOTE_H

#include "progress/record.h"

#include <jansson.h>

/* Adds a verdict, of a program with the sum `source`, given at `now`. A verdict that says "could
 * not check" changes nothing: the function then returns false. */
bool note_verdict(struct record *record, const json_t *verdict, uint64_t source, int64_t now);

#endif
