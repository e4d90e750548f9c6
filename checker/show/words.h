/*
 * words.h: the contents of a verdict, for several formats.
 */
#ifndef WARPUP_WORDS_H
#define WARPUP_WORDS_H

#include "show/view.h"

#include <stddef.h>

/* A member that is a text; "" when it is not there, or null. */
const char *text_of(const json_t *object, const char *key);
/* A member that is a number; 0 when it is not there, or null. */
int number_of(const json_t *object, const char *key);
/* The need of a criterion, for the words "needed: "; "" when its own text has said it. */
const char *needed_of(const json_t *criterion);
bool is_null(const json_t *object, const char *key);
/* True when a criterion passed, when it did not, and when the model cannot decide it; a criterion
 * that could not be checked is none of these. */
bool undecided(const json_t *criterion);
bool passed(const json_t *criterion);
bool failed(const json_t *criterion);
/* The first criterion that failed or is undecided, and the first that failed; NULL when there is
 * none. */
json_t *first_open(const json_t *verdict);
json_t *first_failed(const json_t *verdict);
/* The next diagnosis of a criterion, from *index on, which moves past it; NULL at the end. */
json_t *next_diagnosis(const json_t *verdict, const json_t *criterion, size_t *index);
/* The text of the criterion with this id. */
const char *text_of_criterion(const json_t *verdict, const char *id);
/* A number in the digits that one can read: 4240, 6.5, 0.15. The text lasts until the next call. */
const char *figure(double value);
/* Prints the name of a profile: that of its file without the folder and the ending, in capitals. */
void put_profile(const struct view *view, const char *name);
/* Prints a device: "NVIDIA H200", "simulated GPU (H200 profile)". */
void put_device(const struct view *view, const json_t *device);

#endif
