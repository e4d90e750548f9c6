/*
 * pattern_values.c: the patterns that hold for every element: what came back instead of what should
 * have. See pattern.h.
 */
#include "judge/inputs.h"
#include "judge/result/pattern_parts.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TERMS_MAX = 1 << 16 };

struct pattern pattern_all_zeros(const struct subject *s)
{
    for (size_t i = 0; i < s->n; i++)
        if (subject_got(s, i) != 0) return pattern_none();
    return pattern_found("all-zeros", "every element that came back is 0");
}

static bool equals_input(const struct subject *s, size_t input)
{
    double value;
    for (size_t i = 0; i < s->n; i++)
        if (!oracle_input(input, i, &value) || subject_got(s, i) != (float)value) return false;
    return true;
}

/* True when kernels wrote every byte that came to where the array is. */
static bool kernels_wrote(const struct subject *s)
{
    const struct record *first = s->array->record;
    uint64_t begin = s->array->start, end = begin + s->n * sizeof(float);
    if (first->event == EVENT_FINAL) return first->final.kernel_bytes == first->final.bytes;
    TRACE_EACH (&s->run->trace, EVENT_COPY, r)
        if (strcmp(r->copy.direction, "d2h") == 0 && r->copy.host < end &&
            r->copy.host + r->copy.bytes > begin && r->copy.kernel_bytes < r->copy.bytes)
            return false;
    return true;
}

struct pattern pattern_never_written(const struct subject *s)
{
    for (size_t input = 0; input < INPUTS_MAX; input++) {
        if (!equals_input(s, input)) continue;
        bool wrote = kernels_wrote(s);
        const char *text = wrote ? "what came back is input array %zu: kernels wrote each element, "
                                   "and gave it that value"
                                 : "what came back is input array %zu, unchanged";
        return pattern_found(wrote ? "wrong-formula" : "never-written",
                             arena_format(s->arena, text, input));
    }
    return pattern_none();
}

struct pattern pattern_not_a_number(const struct subject *s)
{
    const struct difference *d = s->difference;
    if (d->nans != d->wrong) return pattern_none();
    return pattern_found("not-a-number",
                         arena_format(s->arena,
                                      "%zu of %zu elements are nan, the first is element %zu; no "
                                      "other is wrong",
                                      d->nans, s->n, d->first));
}

/* got = factor x expected for all elements; the factor is taken from the largest of the first. */
struct pattern pattern_scaled(const struct subject *s)
{
    size_t at = 0;
    for (size_t i = 1; i < s->n && i < 1000; i++)
        if (fabs(oracle_value(i)) > fabs(oracle_value(at))) at = i;
    double factor = (double)subject_got(s, at) / oracle_value(at);
    double close = round(factor * 64) / 64; /* 2, 0.5, 1.25: what programs are off by */
    if (fabs(close - factor) < 1e-5) factor = close;
    if (s->n < FEW || !isfinite(factor) || factor == 0 || fabs(factor) > 1e6) return pattern_none();
    for (size_t i = 0; i < s->n; i++)
        if (!(fabs(subject_got(s, i) - factor * oracle_value(i)) <=
              2 * (1 + fabs(factor)) * oracle_tolerance(i)))
            return pattern_none();
    return pattern_found(
        "scaled", arena_format(s->arena, "every element is %.6g times what it should be", factor));
}

/* How many times over the change from `before` to the expected value was made, by the first
 * element with a change that is more than rounding; 0 when there is none. */
static double times_over(const struct subject *s, size_t input)
{
    double before;
    for (size_t i = 0; i < s->n && oracle_input(input, i, &before); i++) {
        double change = oracle_value(i) - before;
        if (fabs(change) > 1e3 * oracle_tolerance(i))
            return round((subject_got(s, i) - before) / change);
    }
    return 0;
}

/* True when kernels can have changed each element so many times: they wrote as many bytes, or, on a
 * GPU, which does not count them, there are as many kernels. */
static bool wrote_so_often(const struct subject *s, double times)
{
    double once = (double)s->n * sizeof(float), bytes = 0, kernels = 0;
    TRACE_EACH (&s->run->trace, EVENT_KERNEL, r) {
        bytes += r->kernel.library != NULL ? once : r->kernel.store.bytes;
        kernels++;
    }
    TRACE_EACH (&s->run->trace, EVENT_ACCESS, r)
        if (strcmp(r->access.kind, "atomic") == 0 && !r->access.shared)
            bytes += r->access.lanes * (double)r->access.size;
    return (s->run->trace.simulated ? bytes / once : kernels) >= fabs(times);
}

/* got - input = times x (expected - input), the mark of a kernel that ran several times. */
struct pattern pattern_repeated(const struct subject *s)
{
    for (size_t input = 0; input < INPUTS_MAX && s->n >= FEW; input++) {
        double before, times = times_over(s, input);
        if (!(fabs(times) >= 2 && fabs(times) < 1e6) || !wrote_so_often(s, times)) continue;
        size_t i = 0;
        while (i < s->n && oracle_input(input, i, &before) &&
               fabs(subject_got(s, i) - before - times * (oracle_value(i) - before)) <=
                   4 * fabs(times) * oracle_tolerance(i))
            i++;
        if (i == s->n)
            return pattern_found("repeated",
                                 arena_format(s->arena,
                                              "input array %zu was changed %.0f times over instead "
                                              "of once",
                                              input, times));
    }
    return pattern_none();
}

/* The exercise knows this wrong formula, and it gives every element. Its rounding is not known:
 * what rounding the right one explains, and eight last places of the largest value, are allowed. */
struct pattern pattern_wrong_formula(const struct subject *s)
{
    const char *words;
    double value, largest = 0;
    for (size_t i = 0; i < s->n && i < 1000; i++)
        largest = fmax(largest, fabs(oracle_value(i)));
    for (size_t k = 0; s->n >= FEW && (words = oracle_mistake(k, 0, &value)) != NULL; k++) {
        size_t i = 0;
        while (i < s->n && oracle_mistake(k, i, &value) != NULL &&
               fabs(subject_got(s, i) - value) <=
                   4 * oracle_tolerance(i) + 8 * FLT_EPSILON * largest)
            i++;
        if (i == s->n)
            return pattern_found("wrong-formula",
                                 arena_format(s->arena, "what came back is %s", words));
    }
    return pattern_none();
}

struct pattern pattern_transposed(const struct subject *s)
{
    size_t columns = s->run->problem.columns;
    if (columns < 2 || columns != s->n / columns || s->n % columns != 0) return pattern_none();
    for (size_t i = 0; i < s->n; i++)
        if (!float_fits(subject_got(s, i), i % columns * columns + i / columns))
            return pattern_none();
    return pattern_found("transposed", "rows and columns have changed places: the element in row i "
                                       "and column j holds what that in row j and column i should");
}

/* Adds to apart[k] how far element i is from the sum of its first k terms, or of the last from term
 * k on: infinitely far when it is not that sum. Returns whether any k is left. */
static bool add_apart(const struct subject *s, size_t i, size_t terms, bool first, double *apart)
{
    double sum = first ? 0 : oracle_value(i), got = subject_got(s, i);
    double room = 2 * oracle_tolerance(i);
    bool any = false;
    for (size_t k = 1; k < terms; k++) {
        sum += (first ? 1 : -1) * oracle_sum(i, k - 1, k);
        apart[k] += fabs(got - sum) <= room ? fabs(got - sum) : INFINITY;
        any = any || isfinite(apart[k]);
    }
    return any;
}

/* The k that fits all elements, and best where a term more or less is too small to tell; 0 when
 * there is none. */
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

struct pattern pattern_partial_sum(const struct subject *s)
{
    size_t terms = s->run->problem.terms;
    if (s->n < FEW || terms < 2 || terms > TERMS_MAX) return pattern_none();
    size_t first = find_end(s, terms, true), last = first > 0 ? 0 : find_end(s, terms, false);
    if (first == 0 && last == 0) return pattern_none();
    return pattern_found(
        "partial-sum",
        arena_format(s->arena, "every element is the sum of only the %s %zu of its %zu terms",
                     first > 0 ? "first" : "last", first > 0 ? first : terms - last, terms));
}

/* got = expected + c for all elements; c is taken from the mean of the first. */
struct pattern pattern_off_by_a_constant(const struct subject *s)
{
    size_t looked_at = s->n < 1000 ? s->n : 1000;
    double mean = 0;
    for (size_t i = 0; i < looked_at; i++)
        mean += (subject_got(s, i) - oracle_value(i)) / (double)looked_at;
    if (s->n < FEW || !isfinite(mean) || s->difference->wrong != s->n) return pattern_none();
    for (size_t i = 0; i < s->n; i++) {
        double got = subject_got(s, i);
        double room = 4 * oracle_tolerance(i) + 1e-7 * (fabs(got) + fabs(mean));
        if (!(fabs(got - oracle_value(i) - mean) <= room) || fabs(mean) <= 4 * room)
            return pattern_none();
    }
    return pattern_found("off-by-a-constant",
                         arena_format(s->arena, "every element is %.6g too %s", fabs(mean),
                                      mean > 0 ? "large" : "small"));
}

/* True when all elements are finite and their floats end in so many bits that are 0, and they are
 * not all the same: a result that no rounding made by chance. */
static bool ends_in_zeros(const struct subject *s, unsigned bits)
{
    bool same = true;
    for (size_t i = 0; i < s->n; i++) {
        float value = subject_got(s, i);
        uint32_t word;
        memcpy(&word, &value, sizeof word);
        if (!isfinite(value) || (word & ((1u << bits) - 1)) != 0) return false;
        same = same && value == subject_got(s, 0);
    }
    return !same;
}

struct pattern pattern_whole_numbers(const struct subject *s)
{
    bool same = true;
    if (s->n < 2 * FEW) return pattern_none();
    for (size_t i = 0; i < s->n; i++) {
        float value = subject_got(s, i);
        if (!isfinite(value) || value != truncf(value)) return pattern_none();
        same = same && value == subject_got(s, 0);
    }
    if (same) return pattern_none();
    return pattern_found("whole-numbers", "every element that came back is a whole number, as when "
                                          "an int takes what a float should hold");
}

/* True when what came back is the result all the same, though not to a float's precision. */
static bool is_near(const struct subject *s)
{
    double apart = 0, size = 0;
    for (size_t i = 0; i < s->n; i++) {
        apart += fabs(subject_got(s, i) - oracle_value(i));
        size += fabs(oracle_value(i));
    }
    return apart <= 0.25 * size;
}

/* The types of 16 bits, by what a float has more */
static const struct small_type {
    const char *name;
    unsigned lost, kept; /* bits of the significand */
} half = {"half", 13, 11}, bfloat = {"bfloat16", 16, 8};

struct input_rounding input_rounding;

/* True when the result is right for inputs that the small type held. */
static bool comes_of_rounded(const struct subject *s, unsigned arrays,
                             const struct small_type *type)
{
    input_rounding = (struct input_rounding){arrays, (int)type->lost};
    size_t i = 0;
    while (i < s->n && subject_fits(s, i))
        i++;
    input_rounding.arrays = 0;
    return i == s->n;
}

/* The input arrays that are set in `arrays`, in words: "array 0", "arrays 0, 1 and 2". */
static const char *listed(struct arena *arena, unsigned arrays)
{
    const char *list = (arrays & (arrays - 1)) == 0 ? "array " : "arrays ";
    for (unsigned k = 0, before = 0; k < INPUTS_MAX; k++) {
        if ((arrays >> k & 1) == 0) continue;
        const char *gap = before++ == 0 ? "" : arrays >> k > 1 ? ", " : " and ";
        list = arena_format(arena, "%s%s%u", list, gap, k);
    }
    return list;
}

static struct pattern rounded_inputs(const struct subject *s, const struct small_type *type)
{
    for (unsigned arrays = 1; arrays < 1u << INPUTS_MAX; arrays++)
        if (comes_of_rounded(s, arrays, type))
            return pattern_found(
                "half-precision",
                arena_format(s->arena,
                             "every element is right for numbers of input %s that are "
                             "rounded to %u significant bits, as many as a %s has; a float has 24",
                             listed(s->arena, arrays), type->kept, type->name));
    return pattern_none();
}

static struct pattern rounded_result(const struct subject *s, const struct small_type *type)
{
    if (!ends_in_zeros(s, type->lost) || !is_near(s)) return pattern_none();
    return pattern_found("half-precision",
                         arena_format(s->arena,
                                      "every element that came back has at most %u significant "
                                      "bits, as many as a %s; a float has 24",
                                      type->kept, type->name));
}

struct pattern pattern_half_precision(const struct subject *s)
{
    struct pattern found = pattern_none();
    if (s->n < 2 * FEW) return found;
    found = rounded_result(s, &bfloat);
    if (found.name == NULL) found = rounded_result(s, &half);
    if (found.name == NULL) found = rounded_inputs(s, &half);
    if (found.name == NULL) found = rounded_inputs(s, &bfloat);
    return found;
}
