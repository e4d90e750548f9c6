/*
 * pattern_parts.h: what pattern.c (where a result is wrong) and pattern_values.c (which values are
 * wrong) have in common.
 */
#ifndef WARPUP_PATTERN_PARTS_H
#define WARPUP_PATTERN_PARTS_H

#include "judge/result/pattern.h"

/* With fewer elements, too many patterns fit by chance. */
enum { FEW = 4 };

/* The input of all patterns: one wrong array, with every element compared. */
struct subject {
    struct arena *arena;
    const struct run *run;
    const struct host_array *array;
    const struct difference *difference;
    const struct oracle_problem *problem;
    size_t n;
};

/* Tries one pattern. The result has no name when the pattern does not fit. */
typedef struct pattern pattern_try(const struct subject *subject);

static inline float subject_got(const struct subject *s, size_t i)
{
    return host_array_float(s->array, i);
}

static inline bool subject_fits(const struct subject *s, size_t i)
{
    return compare_fits(s->problem, subject_got(s, i), i);
}

static inline struct pattern pattern_none(void)
{
    return (struct pattern){NULL, NULL, NULL, false};
}

/* A pattern, with its text. */
struct pattern pattern_found(const struct subject *s, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same; the diagnosis names the line that stores the result. */
struct pattern pattern_of_values(const struct subject *s, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
