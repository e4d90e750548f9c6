/*
 * pattern_values.c: which values came back instead of the right ones. See pattern_values.h.
 */
#include "judge/result/pattern_values.h"

#include "judge/oracle/inputs.h"
#include "judge/read/run_facts.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    GUESSED_FROM = 1000, /* elements that a factor or a constant is guessed from */
};

static const double FACTOR_MAX = 1e6, /* a larger factor is probably chance */
    FACTOR_PARTS = 64,     /* factors are rounded to 1/64: programs are off by 2, 0.5, 1.25 … */
    FACTOR_LEAST = 1e-3,   /* factors nearer to 1 are lost digits */
    FACTOR_APART = 1e-5,   /* … if they are this close to one: the precision of a float */
    CHANGE_MIN = 1e3,      /* in tolerances: a smaller change may be rounding */
    CLEARLY_WRONG = 100,   /* as far as this from the right value, in what rounding may be: a value
                              that is wrong in another way is a formula's in 1 of 100 */
    ROUNDED_TWICE = 4,     /* in tolerances: another order of a few operations explains this */
    LAST_PLACES = 8,       /* in FLT_EPSILON x the largest value: rounding of an unknown formula */
    FLOAT_RELATIVE = 1e-7, /* rounding of a sum with a constant */
    LOST_MOST = 0x1p-6,    /* mean |difference| / mean |value|: a small type keeps 8 bits */
    SPREAD_MOST = 32,      /* of the mean difference: lost digits are spread over all elements */
    NEAR = 0.25;           /* mean |difference| / mean |value| of a result in low precision */

struct pattern pattern_found(const struct subject *s, const char *name, const struct record *site,
                             const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    struct pattern pattern = {
        .name = name, .text = arena_format_list(s->arena, format, arguments), .site = site};
    va_end(arguments);
    return pattern;
}

struct pattern pattern_all_zeros(const struct subject *s)
{
    for (size_t i = 0; i < s->n; i++)
        if (subject_got(s, i) != 0) return pattern_none();
    return pattern_found(s, "all-zeros", NULL, "every element that came back is 0");
}

static bool equals_input(const struct subject *s, size_t input)
{
    double value;
    for (size_t i = 0; i < s->n; i++)
        if (!input_find(s->problem, input, i, &value) || subject_got(s, i) != (float)value)
            return false;
    return true;
}

struct pattern pattern_never_written(const struct subject *s)
{
    for (size_t input = 0; input < ORACLE_INPUTS_MAX; input++) {
        if (!equals_input(s, input)) continue;
        bool wrote = host_array_by_kernels(s->array, s->run);
        if (wrote)
            return pattern_found(
                s, "wrong-formula", NULL,
                "your kernels wrote each element, but gave it the value of input array %zu", input);
        return pattern_found(
            s, "never-written", NULL,
            "the kernel never wrote its output: what came back is input array %zu, unchanged",
            input);
    }
    return pattern_none();
}

/* True for a value that the simulated GPU's compiler puts into variables that the program does not
 * set: a NaN that no computation makes, which stays the same in sums and products; in whole numbers
 * bytes of 0xaa. */
static bool is_unset(float value)
{
    const float whole = -0x55555556, whole_64 = -0x5555555555555556, close = 1e-3f;
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word == UINT32_MAX || fabsf(value / whole - 1) <= close ||
           fabsf(value / -whole - 2) <= close || fabsf(value / whole_64 - 1) <= close;
}

/* All wrong elements come from a variable that was never set. Infinities may be NaN after another
 * step. */
struct pattern pattern_unset(const struct subject *s)
{
    bool any = false;
    if (!s->run->trace.simulated) return pattern_none();
    for (size_t i = 0; i < s->n; i++) {
        float got = subject_got(s, i);
        bool unset = is_unset(got);
        any = any || unset;
        if (!unset && !isnan(got) && !subject_fits(s, i)) return pattern_none();
    }
    if (!any) return pattern_none();
    return pattern_found(
        s, "uninitialised-read", NULL,
        "%zu of %zu elements are made from a variable that the kernel never set. It "
        "has an arbitrary value; here it is %s",
        s->difference->wrong, s->n, s->difference->nans > 0 ? "not a number" : "very large");
}

/* The simulated GPU gives a lane this NaN in place of a value that another lane did not give. It
 * remains the same in sums and products. */
static bool is_lost(float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return (word & 0x7fffffff) == 0x7ff5dead;
}

static bool all_lost(const struct subject *s)
{
    if (!s->run->trace.simulated) return false;
    for (size_t i = 0; i < s->n; i++)
        if (isnan(subject_got(s, i)) && !is_lost(subject_got(s, i))) return false;
    return true;
}

struct pattern pattern_not_a_number(const struct subject *s)
{
    const struct difference *d = s->difference;
    if (d->nans != d->wrong) return pattern_none();
    if (all_lost(s))
        return pattern_found(
            s, "lanes-missing", NULL,
            "%zu of %zu elements are made from a value that a thread takes from another lane of "
            "its warp. That lane has ended, or does not make this call",
            d->nans, s->n);
    const char *text =
        d->nans == s->n
            ? arena_format(s->arena, "all %zu elements are NaN", s->n)
            : arena_format(
                  s->arena,
                  "%zu of %zu elements %s NaN; the first is element %zu, and all others are right",
                  d->nans, s->n, d->nans == 1 ? "is" : "are", d->first);
    return pattern_found(s, "not-a-number", NULL, "%s", text);
}

/* How many launches are like the last one. */
static double launches_alike(const struct run *run)
{
    const struct record *last = run_last_launch(run);
    double count = 0;
    TRACE_EACH (&run->trace, EVENT_LAUNCH, r)
        count += trace_alike(&run->trace, last->launch.id, r->launch.id);
    return count;
}

/* Each of several launches added the result to what the one before had left. */
static struct pattern added_again(const struct subject *s, double times)
{
    struct pattern pattern = pattern_found(
        s, "repeated", run_last_launch(s->run),
        "every element is %.0f times its right value: each of %.0f launches like this one adds the "
        "result to what is there",
        times, times);
    pattern.next = "set the result to 0 before each launch that adds to it, also after a warm-up";
    return pattern;
}

/* got = factor x expected for all elements. The factor comes from the largest of the first
 * elements. */
struct pattern pattern_scaled(const struct subject *s)
{
    size_t at = 0;
    double largest = fabs(oracle_value(s->problem, 0));
    for (size_t i = 1; i < s->n && i < GUESSED_FROM; i++) {
        double value = fabs(oracle_value(s->problem, i));
        if (value > largest) at = i;
        largest = fmax(largest, value);
    }
    double factor = (double)subject_got(s, at) / oracle_value(s->problem, at);
    double close = round(factor * FACTOR_PARTS) / FACTOR_PARTS;
    if (fabs(close - factor) < FACTOR_APART) factor = close;
    if (s->n < FEW || !isfinite(factor) || factor == 0 || fabs(factor) > FACTOR_MAX ||
        fabs(factor - 1) < FACTOR_LEAST)
        return pattern_none();
    for (size_t i = 0; i < s->n; i++) {
        struct oracle_element exact = oracle_element(s->problem, i);
        double room = 2 * (1 + fabs(factor)) * exact.tolerance;
        if (!(fabs(subject_got(s, i) - factor * exact.value) <= room)) return pattern_none();
    }
    if (factor >= 2 && factor == launches_alike(s->run)) return added_again(s, factor);
    return pattern_found(s, "scaled", NULL, "every element is %.6g times its right value", factor);
}

/* How many times the change from `before` to the expected value was made. This comes from the first
 * element with a change that is more than rounding; 0 when there is none. */
static double times_over(const struct subject *s, size_t input)
{
    double before;
    for (size_t i = 0; i < s->n && input_find(s->problem, input, i, &before); i++) {
        struct oracle_element exact = oracle_element(s->problem, i);
        double change = exact.value - before;
        if (fabs(change) > CHANGE_MIN * exact.tolerance)
            return round((subject_got(s, i) - before) / change);
    }
    return 0;
}

/* True when kernels can have changed each element this often: they wrote enough bytes. A real GPU
 * does not count bytes; there, enough kernels must have run. */
static bool wrote_this_often(const struct subject *s, double times)
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

/* got - input = times x (expected - input): the kernel ran several times. */
struct pattern pattern_repeated(const struct subject *s)
{
    for (size_t input = 0; input < ORACLE_INPUTS_MAX && s->n >= FEW; input++) {
        double before, times = times_over(s, input);
        if (!(fabs(times) >= 2 && fabs(times) < FACTOR_MAX) || !wrote_this_often(s, times))
            continue;
        size_t i = 0;
        for (; i < s->n && input_find(s->problem, input, i, &before); i++) {
            struct oracle_element exact = oracle_element(s->problem, i);
            double expected = before + times * (exact.value - before);
            double room = ROUNDED_TWICE * fabs(times) * exact.tolerance;
            if (!(fabs(subject_got(s, i) - expected) <= room)) break;
        }
        if (i == s->n)
            return pattern_found(s, "repeated", run_last_launch(s->run),
                                 "input array %zu was changed %.0f times instead of once", input,
                                 times);
    }
    return pattern_none();
}

/* True when every element is what the k-th wrong formula gives. The rounding of that formula is not
 * known: the tolerance of the right one is allowed, and LAST_PLACES of the largest value. One to
 * three elements may be near it by chance, so it must then be CLEARLY_WRONG. */
static bool follows_formula(const struct subject *s, size_t k, double largest)
{
    for (size_t i = 0; i < s->n; i++) {
        struct oracle_element exact = oracle_element(s->problem, i);
        double room = ROUNDED_TWICE * exact.tolerance + LAST_PLACES * FLT_EPSILON * largest;
        double value;
        if (oracle_mistake(s->problem, k, i, &value) == NULL) return false;
        if (!(fabs(subject_got(s, i) - value) <= room)) return false;
        if (s->n < FEW && fabs(value - exact.value) < CLEARLY_WRONG * room) return false;
    }
    return true;
}

struct pattern pattern_wrong_formula(const struct subject *s)
{
    const char *words;
    double value, largest = 0;
    for (size_t i = 0; i < s->n && i < GUESSED_FROM; i++)
        largest = fmax(largest, fabs(oracle_value(s->problem, i)));
    for (size_t k = 0; (words = oracle_mistake(s->problem, k, 0, &value)) != NULL; k++)
        if (follows_formula(s, k, largest))
            return pattern_found(s, "wrong-formula", NULL, "your kernel computes %s", words);
    return pattern_none();
}

/* got = expected + c for all elements. The mean of the first elements gives c. */
struct pattern pattern_off_by_a_constant(const struct subject *s)
{
    size_t count = s->n < GUESSED_FROM ? s->n : GUESSED_FROM;
    double mean = 0;
    for (size_t i = 0; i < count; i++)
        mean += (subject_got(s, i) - oracle_value(s->problem, i)) / (double)count;
    if (s->n < FEW || !isfinite(mean) || s->difference->wrong != s->n) return pattern_none();
    for (size_t i = 0; i < s->n; i++) {
        struct oracle_element exact = oracle_element(s->problem, i);
        double got = subject_got(s, i);
        double room = ROUNDED_TWICE * exact.tolerance + FLOAT_RELATIVE * (fabs(got) + fabs(mean));
        if (!(fabs(got - exact.value - mean) <= room) || fabs(mean) <= 4 * room)
            return pattern_none();
    }
    return pattern_found(s, "off-by-a-constant", NULL, "every element is %.6g too %s", fabs(mean),
                         mean > 0 ? "large" : "small");
}

/* True when the last `bits` bits of every element are 0, and the elements are finite and not all
 * the same. This does not happen by chance. */
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
    return pattern_found(s, "whole-numbers", NULL,
                         "every element that came back is a whole number. They "
                         "were probably stored in an int instead of a float");
}

/* True when the array is the result, but with less than a float's precision. */
static bool is_near(const struct subject *s)
{
    double apart = 0, size = 0;
    for (size_t i = 0; i < s->n; i++) {
        double value = oracle_value(s->problem, i);
        apart += fabs(subject_got(s, i) - value);
        size += fabs(value);
    }
    return apart <= NEAR * size;
}

/* Types that are shorter than a float, and the number of bits by which a float's significand is
 * longer. */
static const struct small_type {
    const char *name;
    unsigned lost, kept; /* bits of the significand */
    enum oracle_way way;
} half = {"half", 13, 11, ORACLE_TO_EVEN}, bfloat = {"bfloat16", 16, 8, ORACLE_TO_EVEN},
  tf32 = {"TF32 number", 13, 11, ORACLE_AWAY},
  tf32_cut = {"TF32 number", 13, 11, ORACLE_CUT}; /* what tensor cores make of a float */

/* True when the result is right for inputs that were stored in the small type. */
static bool comes_of_rounded(const struct subject *s, unsigned arrays,
                             const struct small_type *type)
{
    struct oracle_problem rounded = *s->problem;
    rounded.rounding = (struct oracle_rounding){arrays, (int)type->lost, type->way};
    size_t i = 0;
    while (i < s->n && compare_fits(&rounded, subject_got(s, i), i))
        i++;
    return i == s->n;
}

/* The input arrays whose bit is set in `arrays`, in words: "array 0", "arrays 0, 1 and 2". */
static const char *listed(struct arena *arena, unsigned arrays)
{
    const char *list = (arrays & (arrays - 1)) == 0 ? "array " : "arrays ";
    for (unsigned k = 0, before = 0; k < ORACLE_INPUTS_MAX; k++) {
        if ((arrays >> k & 1) == 0) continue;
        const char *gap = before++ == 0 ? "" : arrays >> k > 1 ? ", " : " and ";
        list = arena_format(arena, "%s%s%u", list, gap, k);
    }
    return list;
}

static struct pattern rounded_inputs(const struct subject *s, const struct small_type *type)
{
    unsigned arrays = 1;
    while (arrays < 1u << ORACLE_INPUTS_MAX && !comes_of_rounded(s, arrays, type))
        arrays++;
    if (arrays == 1u << ORACLE_INPUTS_MAX) return pattern_none();
    struct pattern pattern =
        pattern_found(s, "half-precision", NULL,
                      "every element is right for input %s %s to %u significant bits. "
                      "A %s has %u, a float has 24",
                      listed(s->arena, arrays), type->way == ORACLE_CUT ? "cut off" : "rounded",
                      type->kept, type->name, type->kept);
    const struct record *launch = run_timed_launch(s->run);
    if (launch != NULL && launch->launch.library != NULL)
        pattern.next = "let the library compute with floats: which mode or type does it get?";
    else if (type->way != ORACLE_TO_EVEN)
        pattern.next = "tensor cores keep 11 bits of each factor: which products give the rest?";
    return pattern;
}

/* All elements are near to their right values, and none is much farther away than most: digits are
 * lost in the computation itself. */
struct pattern pattern_lost_digits(const struct subject *s)
{
    double apart = 0, size = 0, farthest = 0;
    for (size_t i = 0; i < s->n; i++) {
        double value = oracle_value(s->problem, i), off = fabs(subject_got(s, i) - value);
        apart += off;
        size += fabs(value);
        farthest = fmax(farthest, off);
    }
    double lost = apart / size, mean = apart / (double)s->n;
    if (s->n < 2 * FEW || !(lost > 0 && lost < LOST_MOST) || farthest > SPREAD_MOST * mean)
        return pattern_none();
    struct pattern pattern =
        pattern_found(s, "half-precision", NULL,
                      "every element is close to its right value, but only about %.0f of a float's "
                      "24 bits are right: the roundings of floats do not explain this",
                      -log2(lost));
    pattern.next = "look for numbers of fewer bits: a type, or what tensor cores make of a float";
    return pattern;
}

static struct pattern rounded_result(const struct subject *s, const struct small_type *type)
{
    if (!ends_in_zeros(s, type->lost) || !is_near(s)) return pattern_none();
    return pattern_found(
        s, "half-precision", NULL,
        "every element that came back has at most %u significant bits. A %s has %u, a float has 24",
        type->kept, type->name, type->kept);
}

struct pattern pattern_half_precision(const struct subject *s)
{
    if (s->n < 2 * FEW) return pattern_none();
    struct pattern found = rounded_result(s, &bfloat);
    if (found.name == NULL) found = rounded_result(s, &half);
    if (found.name == NULL) found = rounded_inputs(s, &half);
    if (found.name == NULL) found = rounded_inputs(s, &bfloat);
    if (found.name == NULL) found = rounded_inputs(s, &tf32);
    if (found.name == NULL) found = rounded_inputs(s, &tf32_cut);
    return found;
}
