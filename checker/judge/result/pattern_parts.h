/*
 * pattern_parts.h: what the patterns of pattern.c, which look at where a result is wrong, and those
 * of pattern_values.c, which look at what stands there, have in common.
 */
#ifndef WARPUP_PATTERN_PARTS_H
#define WARPUP_PATTERN_PARTS_H

#include "judge/result/pattern.h"

/* Fewer elements than this fit too many patterns by chance. */
enum { FEW = 4 };

/* What the patterns look at: one wrong array, of which every element was compared. */
struct subject {
    struct arena *arena;
    const struct run *run;
    const struct host_array *array;
    const struct difference *difference;
    const struct oracle_problem *problem;
    size_t n;
};

/* One pattern: without a name when it does not fit. */
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

/* The same; the line that stores the result is concerned. */
struct pattern pattern_of_values(const struct subject *s, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* What stands in every element (pattern_values.c), in the order in which they are tried. */
extern pattern_try pattern_all_zeros, pattern_never_written, pattern_not_a_number, pattern_scaled,
    pattern_repeated, pattern_wrong_formula, pattern_transposed, pattern_partial_sum,
    pattern_off_by_a_constant, pattern_whole_numbers, pattern_half_precision;

#endif
