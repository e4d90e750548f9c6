/*
 * ladder.h: an exercise's ladder.tsv, and the rung that a program reached. Columns, separated by
 * tabs: rung, id, measure, test (=, >=, <=), value, text, next. Rungs rise from row to row. Rows
 * that follow each other with the same id are alternatives: a program passes the criterion when one
 * of them holds.
 */
#ifndef WARPUP_LADDER_H
#define WARPUP_LADDER_H

#include "judge/measure/metrics.h"
#include "judge/read/arena.h"

enum { ALTERNATIVES_MAX = 4 };

/* The test that a measure (MEASURE_…) has to meet. */
struct alternative {
    int measure;
    const char *test;
    double value;
};

/* Rows that follow each other with the same id are alternatives to pass one criterion: one of them
 * has to hold. Its text is that of the first row. */
struct criterion {
    int rung;
    const char *id, *text, *next;
    struct alternative alternatives[ALTERNATIVES_MAX];
    int alternative_count;
    /* set by ladder_judge() */
    enum passed passed;
    const char *seen, *needed;
    const char *after; /* id of the failed criterion that it waits for, or NULL */
    const char *why;   /* why it is unknown, if it does not wait */
};

struct ladder {
    struct criterion *criteria;
    size_t count;
    int rungs, required;
    bool in_flops; /* the limit is a rate of flops (cublas), not of bytes (copy) */
};

/* Reads a ladder. Returns NULL, or one sentence with file and line that says what is wrong. */
const char *ladder_load(struct arena *arena, const char *path, struct ladder *ladder);

/* The arguments of the runs that have to be right, and of those that may be refused: "1, 31". */
struct sizes {
    const char *right, *may_refuse;
};

/* Judges every criterion by the measures. Criteria above the rung of a failed one wait for it; not
 * those above an undecided one. */
void ladder_judge(struct ladder *ladder, struct arena *arena, const struct measures *measures,
                  const struct sizes *sizes);

/* The rung reached: the highest rung with all its criteria passed, and all criteria below it. */
int ladder_rung(const struct ladder *ladder);

/* The highest rung that is reached if the undecided criteria pass. */
int ladder_rung_at_most(const struct ladder *ladder);

/* The first criterion that did not pass, and the first that is not undecided either; NULL when
 * there is none. */
const struct criterion *ladder_first_open(const struct ladder *ladder);
const struct criterion *ladder_first_missed(const struct ladder *ladder);

/* The criterion to work on next, in the lowest open rung: a missed one before an undecided one. */
const struct criterion *ladder_next(const struct ladder *ladder);

/* True when a criterion is judged by this measure and the measure misses it, whether the criterion
 * waits or not. */
bool ladder_misses(const struct ladder *ladder, const struct measures *measures,
                   enum measure_name measure);

/* True when one of the ladder's rows asks for this measure. */
bool ladder_asks(const struct ladder *ladder, enum measure_name measure);

/* True when one of a criterion's rows asks for this measure. */
bool criterion_asks(const struct criterion *criterion, enum measure_name measure);

/* True when a criterion asks for a time: if another run is faster, it may pass. */
bool criterion_is_timed(const struct criterion *criterion);

#endif
