/*
 * pattern_values.h: the patterns that hold for every element: which values came back instead of the
 * right ones; and what they share with those of pattern.c, where a result is wrong.
 */
#ifndef WARPUP_PATTERN_VALUES_H
#define WARPUP_PATTERN_VALUES_H

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
    return (struct pattern){.name = NULL};
}

/* A pattern, with its text. */
struct pattern pattern_found(const struct subject *s, const char *name, const struct record *site,
                             const char *format, ...) __attribute__((format(printf, 4, 5)));

/* In the order in which they are tried. */
extern pattern_try pattern_all_zeros, pattern_never_written, pattern_unset, pattern_not_a_number,
    pattern_scaled, pattern_repeated, pattern_wrong_formula, pattern_off_by_a_constant,
    pattern_whole_numbers, pattern_lost_digits, pattern_half_precision;

#endif
