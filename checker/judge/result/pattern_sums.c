/* pattern_sums.c: sums that lack terms, or that were not set back to 0. See pattern_sums.h. */
#include "judge/result/pattern_sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    TERMS_MAX = 1 << 16, /* largest number of terms for which partial sums are tried: each is
                            computed for all elements */
    PERIOD_MAX = 1024,   /* threads of the largest block; each may add up its own part of a sum */
};

static const double ROUNDED_TWICE = 4, /* in tolerances: another order of operations explains it */
    FLOAT_RELATIVE = 1e-7;             /* rounding of a sum of two results */

/* Adds to apart[k] how far element i is from the sum of its first k terms, or of its terms from k
 * on. It adds infinity when the element is not that sum. Returns whether any k is left. */
static bool add_apart(const struct subject *s, size_t i, size_t terms, bool first, double *apart)
{
    struct oracle_element exact = oracle_element(s->problem, i);
    double sum = first ? 0 : exact.value, got = subject_got(s, i), room = 2 * exact.tolerance;
    bool any = false;
    for (size_t k = 1; k < terms; k++) {
        sum += (first ? 1 : -1) * oracle_term(s->problem, i, k - 1);
        apart[k] += fabs(got - sum) <= room ? fabs(got - sum) : INFINITY;
        any = any || isfinite(apart[k]);
    }
    return any;
}

/* The k that fits all elements, or 0. If one term is too small to decide, this is the k that fits
 * best. */
static size_t find_end(const struct subject *s, size_t terms, bool first)
{
    double *apart = calloc(terms, sizeof *apart);
    if (apart == NULL) return 0;
    size_t i = 0, end = 0;
    while (i < s->n && add_apart(s, i, terms, first, apart))
        i++;
    for (size_t k = 1; k < terms && i == s->n; k++)
        if (isfinite(apart[k]) && (end == 0 || apart[k] < apart[end])) end = k;
    free(apart);
    return end;
}

/* Which terms a sum holds: those whose number, modulo `period`, is from `from` to before `to`;
 * or, with `others`, the rest. Each of them counts `times` times. */
struct selection {
    size_t period, from, to;
    bool others;
    double times;
};

static bool is_selected(const struct selection *chosen, size_t k)
{
    size_t rest = k % chosen->period;
    return (rest >= chosen->from && rest < chosen->to) != chosen->others;
}

/* True when each element is the sum of the selected terms. Few sums are near to the right one. */
static bool all_select(const struct subject *s, const struct selection *chosen)
{
    for (size_t i = 0; i < s->n; i++) {
        double sum = 0;
        for (size_t k = 0; k < s->problem->terms; k++)
            if (is_selected(chosen, k)) sum += oracle_term(s->problem, i, k);
        double room = 2 * chosen->times * oracle_element(s->problem, i).tolerance;
        if (!(fabs(subject_got(s, i) - chosen->times * sum) <= room)) return false;
    }
    return true;
}

/* Tries the selections of one period. rests[k] is the sum of the first element's terms whose number
 * leaves the rest k. A wrong guess hardly ever fits the first element, so few are tried on all. */
static bool find_selection(const struct subject *s, const double *rests, struct selection *chosen)
{
    static const double times[] = {1, 2, 4, 8, 16, 32};
    size_t period = chosen->period;
    double whole = 0, got = subject_got(s, 0);
    double room = 2 * oracle_element(s->problem, 0).tolerance;
    for (size_t k = 0; k < period; k++)
        whole += rests[k];
    for (size_t from = 0; from < period; from++) {
        double sum = 0;
        for (size_t to = from + 1; to <= period; to++) {
            sum += rests[to - 1];
            bool edge = from == 0 || to == period || to == from + 1;
            for (size_t t = 0; edge && t < sizeof times / sizeof times[0]; t++)
                for (int others = 0; others <= 1; others++) {
                    *chosen = (struct selection){period, from, to, others, times[t]};
                    double guess = times[t] * (others ? whole - sum : sum);
                    if (to - from < period && fabs(got - guess) <= room * times[t] &&
                        all_select(s, chosen))
                        return true;
                }
        }
    }
    return false;
}

/* The terms that a selection takes of every `period`, in words. If these are all but the first or
 * the last, only that one is named. */
static const char *selected(const struct subject *s, struct selection chosen)
{
    size_t from = chosen.from, to = chosen.to;
    if (to - from + 1 == chosen.period) {
        chosen.others = !chosen.others;
        from = from == 0 ? to : 0;
        to = from + 1;
    }
    const char *verb = chosen.others ? "leaves out" : "adds up only";
    if (to == from + 1) return arena_format(s->arena, "%s term %zu", verb, from);
    return arena_format(s->arena, "%s terms %zu to %zu", verb, from, to - 1);
}

/* Periods are powers of 2, and 3 times these: 2, 3, 4, 6, 8, 12, ... */
static size_t after(size_t period)
{
    return period % 3 == 0 ? period / 3 * 4 : period / 2 * 3;
}

/* Each element is the sum of a part of its terms, the same in every period: a reduction leaves out
 * lanes, or a loop leaves out a part of each tile. */
static struct pattern periodic_sum(const struct subject *s)
{
    size_t terms = s->problem->terms;
    double rests[PERIOD_MAX];
    for (size_t period = 2; period <= PERIOD_MAX && 2 * period <= terms; period = after(period)) {
        struct selection chosen = {.period = period};
        memset(rests, 0, sizeof rests);
        for (size_t k = 0; k < terms; k++)
            rests[k % period] += oracle_term(s->problem, 0, k);
        if (!find_selection(s, rests, &chosen)) continue;
        const char *more = chosen.times == 1
                               ? ""
                               : arena_format(s->arena, ". Each counts %.0f times", chosen.times);
        struct pattern pattern =
            pattern_found(s, "partial-sum", NULL,
                          "every element %s of every %zu terms of its sum, counted from 0%s",
                          selected(s, chosen), period, more);
        pattern.next = "which loop has to add these terms, or which step of a reduction?";
        return pattern;
    }
    return pattern_none();
}

struct pattern pattern_partial_sum(const struct subject *s)
{
    size_t terms = s->run->problem.terms;
    if (s->n < FEW || terms < 2 || terms > TERMS_MAX) return pattern_none();
    size_t first = find_end(s, terms, true), last = first > 0 ? 0 : find_end(s, terms, false);
    if (first == 0 && last == 0) return periodic_sum(s);
    struct pattern pattern = pattern_found(
        s, "partial-sum", NULL, "every element is the sum of only the %s %zu of its %zu terms",
        first > 0 ? "first" : "last", first > 0 ? first : terms - last, terms);
    if (last > 0) pattern.next = "where is the sum set to 0? In a loop, this loses earlier terms";
    return pattern;
}

/* True when element i is its right value plus what came back as element i - step. */
static bool continues(const struct subject *s, size_t i, size_t step)
{
    struct oracle_element exact = oracle_element(s->problem, i);
    double before = subject_got(s, i - step), got = subject_got(s, i);
    double room = ROUNDED_TWICE * exact.tolerance + FLOAT_RELATIVE * (fabs(got) + fabs(before));
    return fabs(got - exact.value - before) <= room;
}

/* Every wrong element begins where another one ended, always the same number of elements before it:
 * a thread computes several elements, and its sum is not set back to 0. */
struct pattern pattern_not_reset(const struct subject *s)
{
    size_t first = s->difference->first;
    if (s->difference->wrong < FEW) return pattern_none();
    for (size_t step = 1; step <= first; step++) {
        size_t i = first;
        while (i < s->n && (subject_fits(s, i) || continues(s, i, step)))
            i++;
        if (i == s->n)
            return pattern_found(
                s, "not-reset", NULL,
                "%zu of %zu elements also contain the sum of element i - %zu: the sum was not "
                "set back to 0",
                s->difference->wrong, s->n, step);
    }
    return pattern_none();
}
