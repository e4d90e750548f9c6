/*
 * ladder.h: an exercise's ladder.tsv, and how far up a check came. Columns, separated by tabs:
 * rung, id, measure, test (=, >=, <=), value, text, next. Rungs rise from row to row. Rows of one
 * id that follow each other are ways to pass one criterion.
 */
#ifndef WARPUP_LADDER_H
#define WARPUP_LADDER_H

#include "judge/measure/metrics.h"
#include "judge/read/arena.h"

enum passed { PASSED_UNKNOWN, PASSED_YES, PASSED_NO };

enum { WAYS_MAX = 4 };

/* What a measure (MEASURE_…) is held against. */
struct way {
    int measure;
    const char *test;
    double value;
};

/* Rows that follow each other with the same id are ways to pass one criterion: one of them has to
 * hold. The words are those of the first. */
struct criterion {
    int rung;
    const char *id, *text, *next;
    struct way ways[WAYS_MAX];
    int way_count;
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

/* The arguments of the runs that have to be right, and of those that may be refused: "1, 31". */
struct sizes {
    const char *right, *may_refuse;
};

/* Judges every criterion by the measures. Criteria above the rung of a failed one wait for it. */
void ladder_judge(struct ladder *ladder, struct arena *arena, const struct measures *measures,
                  const struct sizes *sizes);

/* The rung reached: the highest of which, and of all below, every criterion passed. */
int ladder_rung(const struct ladder *ladder);

/* The first criterion that did not pass; NULL when all did. */
const struct criterion *ladder_first_open(const struct ladder *ladder);

/* True when some criterion is judged by this measure and what was seen is not enough, waiting or
 * not. */
bool ladder_misses(const struct ladder *ladder, const struct measures *measures,
                   enum measure_name measure);

/* True when one of a criterion's ways asks for this measure. */
bool criterion_asks(const struct criterion *criterion, enum measure_name measure);

#endif
