/*
 * diagnoses.h: the list of diagnoses, to which every file of this room adds, and what the judge
 * knows about each of them: its rank, the criterion that it explains, its page in ../mistakes and
 * its next step (diagnoses.def). A diagnosis states only what the trace or the output shows.
 */
#ifndef WARPUP_DIAGNOSES_H
#define WARPUP_DIAGNOSES_H

#include "judge/measure/ladder.h"
#include "judge/read/runs.h"

#include <stdio.h>

struct diagnosis {
    const char *name, *file; /* file is NULL when the place is not known */
    int line;
    const char *text;
    json_t *evidence;     /* an object; the list owns it */
    const char *next;     /* the next step, if it is not that of its name; else NULL */
    bool of_job;          /* it explains the whole job alone */
    bool exact;           /* its cause is known better than its name says */
    const char *ranks_as; /* the name in whose place it is shown: a call that failed before anything
                             else went wrong explains the rest; NULL: its own */
};

struct diagnoses {
    struct arena *arena;
    struct diagnosis *list;
    size_t count;
};

/* Adds a diagnosis at the line of a record, or without a place (NULL), and takes over `evidence`,
 * which may be NULL. Evidence is also the run that shows it, unless that is NULL. Adds nothing when
 * the list has one of this name and line, or a thousand others. Returns whether it was added. */
bool diagnoses_add(struct diagnoses *diagnoses, const struct run *run, const char *name,
                   const struct record *site, json_t *evidence, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
void diagnoses_free(struct diagnoses *diagnoses);

/* Sorts the list. What explains the most comes first: what stopped the program, then faults,
 * results, speed. */
void diagnoses_sort(struct diagnoses *diagnoses);

/* One mistake has many consequences. Of a sorted list, keeps the first three diagnoses of faults,
 * ends and wrong results: what is left of the others shows once these are repaired. */
void diagnoses_trim(struct diagnoses *diagnoses);

/* The id of the criterion that a diagnosis explains, or NULL. Of the criteria that it can explain,
 * this is the first that failed, else the first that still waits. If the diagnosis says what
 * stopped the program, and its own criterion waits, it explains the first failed criterion of
 * all. */
const char *diagnosis_criterion(const struct diagnosis *diagnosis, const struct ladder *ladder);

/* The next step, for the first criterion that did not pass. It belongs to the first diagnosis that
 * explains this criterion, else to the ladder. NULL when all passed. */
const char *diagnoses_next(const struct diagnoses *diagnoses, const struct ladder *ladder);

/* True when ../mistakes/ has a page of this name; a trace may report faults of any name. */
bool diagnosis_has_page(const struct diagnosis *diagnosis);

/* The words for a fault of this name, a format; NULL: diagnoses.def has none. */
const char *diagnosis_words(const char *name);

/* The table as text, one row per diagnosis: name, rank, event, next step. */
void diagnoses_print(FILE *file);

#endif
