/*
 * ladder.h: an exercise's ladder.tsv, and how far up a check came. Columns, separated by tabs:
 * rung, id, measure, test (=, >=, <=), value, text, next. Rungs rise from row to row.
 */
#ifndef WARPUP_LADDER_H
#define WARPUP_LADDER_H

#include "measure.h"
#include "text.h"

enum passed { PASSED_UNKNOWN, PASSED_YES, PASSED_NO };

struct criterion {
    int rung;
    const char *id, *measure, *test, *text, *next;
    double value;
    /* what ladder_judge() finds */
    enum passed passed;
    const char *seen, *needed;
    const char *after; /* the id of the failed criterion that it waits for; NULL when none */
    const char *why;   /* why it is unknown, when it waits for none */
};

struct ladder {
    struct criterion *criteria;
    size_t count;
    int rungs, required;
    bool in_flops; /* the limit is a rate of flops (cublas), not of bytes (copy) */
};

/* Reads a ladder; NULL, or one sentence with file and line. */
const char *ladder_load(struct arena *arena, const char *path, struct ladder *ladder);

/* Judges every criterion by the measures. Criteria above the rung of a failed one wait for it. */
void ladder_judge(struct ladder *ladder, struct arena *arena, const struct measures *measures,
                  const char *sizes);

/* The rung reached: the highest of which, and of all below, every criterion passed. */
int ladder_rung(const struct ladder *ladder);

/* The first criterion that did not pass; NULL when all did. */
const struct criterion *ladder_first_open(const struct ladder *ladder);

/* True when some criterion asks for this measure and what was seen is not enough, waiting or not.
 */
bool ladder_misses(const struct ladder *ladder, const struct measures *measures,
                   const char *measure);

#endif
