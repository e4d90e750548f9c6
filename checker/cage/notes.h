/*
 * notes.h: lines about a step for the script that started the check.
 */
#ifndef WARPUP_CAGE_NOTES_H
#define WARPUP_CAGE_NOTES_H

#include "cage/step.h"

/* Adds a line to WORK/seen: what the submission did. */
void note_seen(const struct step *step, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds a line to WORK/internal_errors: what failed on this machine. */
void note_internal_error(const struct step *step, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
