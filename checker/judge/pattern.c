/*
 * pattern.c: see pattern.h. One function a pattern; each returns a pattern without a name when it
 * does not fit. They are tried in the order of pattern_find().
 */
#include "pattern.h"

#include <math.h>
#include <string.h>

enum { SHIFT_MAX = 64, STEP_MAX = 64, LAUNCHES_MAX = 16, INPUTS_MAX = 3, FEW = 4 };

static const struct pattern none = {NULL, NULL, NULL};

/* What the patterns look at. */
struct subject {
    struct arena *arena;
    const struct run *run;
    const struct array *array;
    const struct difference *difference;
    size_t n;
};

static float got(const struct subject *s, size_t i)
{
    return array_float(s->array, i);
}

static struct pattern found(const char *name, const char *text)
{
    return (struct pattern){name, text, NULL};
}

/* True when exactly the elements from the first wrong one to the end are wrong. */
static bool tail_is_wrong(const struct subject *s)
{
    const struct difference *d = s->difference;
    return d->first > 0 && d->wrong == s->n - d->first;
}

/* Why a launch ends where the right elements end; NULL when it does not. */
static const char *launch_ends(const struct subject *s, const struct record *launch)
{
    const uint32_t *grid = launch->launch.grid, *block = launch->launch.block;
    size_t done = s->difference->first, rest = s->n - done;
    double a_block = (double)block[0] * block[1] * block[2];
    double threads = a_block * grid[0] * grid[1] * grid[2];
    if (launch->launch.error != 0 || threads < 1) return NULL;
    if (threads == (double)done && (double)rest < a_block)
        return text_format(s->arena,
                           "%zu elements are rounded down to whole blocks, %.0f threads in all",
                           s->n, threads);
    if (threads > 1 && (double)rest < threads && fmod((double)done, threads) == 0)
        return text_format(s->arena, "%.0f threads with %.0f elements each end there", threads,
                           (double)done / threads);
    return NULL;
}

/* The grid, or equal chunks, or wide accesses end before the last elements do. */
static struct pattern tail_missing(const struct subject *s)
{
    if (!tail_is_wrong(s)) return none;
    size_t rest = s->n - s->difference->first, tried = 0;
    const char *why = NULL;
    TRACE_EACH (&s->run->trace, EVENT_LAUNCH, r) {
        if (++tried > LAUNCHES_MAX) break;
        if ((why = launch_ends(s, r)) == NULL) continue;
        return (struct pattern){"tail-missing",
                                text_format(s->arena,
                                            "exactly the last %zu of %zu elements are wrong: %s",
                                            rest, s->n, why),
                                r};
    }
    int width = rest == s->n % 4 ? 4 : rest == s->n % 2 ? 2 : 0;
    if (width == 0) return none;
    return found("tail-missing",
                 text_format(s->arena,
                             "exactly the last %zu of %zu elements are wrong: the rest of %zu by "
                             "%d",
                             rest, s->n, s->n, width));
}

static struct pattern first_quarter(const struct subject *s)
{
    size_t right = s->difference->first;
    if (s->n < FEW || !tail_is_wrong(s) || right < s->n / 4 || right > s->n / 4 + 1) return none;
    return found("partial-copy",
                 text_format(s->arena,
                             "exactly the first quarter is right, %zu of %zu elements: as far as "
                             "%zu bytes reach",
                             right, s->n, s->n));
}

static bool equals_input(const struct subject *s, size_t input)
{
    double value;
    for (size_t i = 0; i < s->n; i++)
        if (!oracle_input(input, i, &value) || got(s, i) != (float)value) return false;
    return true;
}

static struct pattern never_written(const struct subject *s)
{
    size_t zeros = 0;
    while (zeros < s->n && got(s, zeros) == 0)
        zeros++;
    if (zeros == s->n)
        return found("never-written", "every element that came back is 0, nothing was written");
    for (size_t input = 0; input < INPUTS_MAX; input++)
        if (equals_input(s, input))
            return found(
                "never-written",
                text_format(s->arena, "what came back is input array %zu, unchanged", input));
    return none;
}

/* got = factor x expected for all elements; the factor is taken from the largest of the first. */
static struct pattern scaled(const struct subject *s)
{
    size_t at = 0;
    for (size_t i = 1; i < s->n && i < 1000; i++)
        if (fabs(oracle_value(i)) > fabs(oracle_value(at))) at = i;
    double factor = (double)got(s, at) / oracle_value(at);
    double close = round(factor * 64) / 64; /* 2, 0.5, 1.25: what programs are off by */
    if (fabs(close - factor) < 1e-5) factor = close;
    if (s->n < FEW || !isfinite(factor) || factor == 0 || fabs(factor) > 1e6) return none;
    for (size_t i = 0; i < s->n; i++)
        if (!(fabs(got(s, i) - factor * oracle_value(i)) <=
              2 * (1 + fabs(factor)) * oracle_tolerance(i)))
            return none;
    return found("scaled",
                 text_format(s->arena, "every element is %.6g times what it should be", factor));
}

/* How many times over the change from `before` to the expected value was made, by the first
 * element with a change that is more than rounding; 0 when there is none. */
static double times_over(const struct subject *s, size_t input)
{
    double before;
    for (size_t i = 0; i < s->n && oracle_input(input, i, &before); i++) {
        double change = oracle_value(i) - before;
        if (fabs(change) > 1e3 * oracle_tolerance(i)) return round((got(s, i) - before) / change);
    }
    return 0;
}

/* got - input = times x (expected - input), the mark of a kernel that ran several times. */
static struct pattern repeated(const struct subject *s)
{
    for (size_t input = 0; input < INPUTS_MAX && s->n >= FEW; input++) {
        double before, times = times_over(s, input);
        if (!(fabs(times) >= 2 && fabs(times) < 1e6)) continue;
        size_t i = 0;
        while (i < s->n && oracle_input(input, i, &before) &&
               fabs(got(s, i) - before - times * (oracle_value(i) - before)) <=
                   4 * fabs(times) * oracle_tolerance(i))
            i++;
        if (i == s->n)
            return found("repeated", text_format(s->arena,
                                                 "input array %zu was changed %.0f times over "
                                                 "instead of once",
                                                 input, times));
    }
    return none;
}

/* got[i] = expected[i + shift] wherever there is such an element. */
static bool is_shifted(const struct subject *s, long shift)
{
    size_t from = shift < 0 ? (size_t)-shift : 0;
    size_t to = shift > 0 ? s->n - (size_t)shift : s->n;
    for (size_t i = from; i < to; i++)
        if (!float_fits(got(s, i), (size_t)((long)i + shift))) return false;
    return true;
}

static struct pattern shifted(const struct subject *s)
{
    for (long k = 1; k <= SHIFT_MAX && (size_t)k + FEW <= s->n; k++)
        for (int sign = -1; sign <= 1; sign += 2)
            if (is_shifted(s, sign * k))
                return found("shifted", text_format(s->arena,
                                                    "element i holds what element i %c %ld should, "
                                                    "wherever there is one",
                                                    sign > 0 ? '+' : '-', k));
    return none;
}

/* The wrong elements are exactly those with i mod step = rest; `right`: the right ones are. */
static bool every_kth_is(const struct subject *s, size_t step, size_t rest, bool right)
{
    size_t matching = (s->n - rest + step - 1) / step;
    if (s->difference->wrong != (right ? s->n - matching : matching)) return false;
    for (size_t i = 0; i < s->n; i++)
        if (float_fits(got(s, i), i) != ((i % step == rest) == right)) return false;
    return true;
}

static struct pattern every_kth(const struct subject *s)
{
    size_t wrong = s->difference->first, right = 0;
    while (right < s->n && !float_fits(got(s, right), right))
        right++;
    for (size_t step = 2; step <= STEP_MAX && step * FEW <= s->n; step++) {
        if (wrong < step && every_kth_is(s, step, wrong, false))
            return found("every-kth", text_format(s->arena,
                                                  "one element in %zu is wrong: %zu, %zu, %zu and "
                                                  "so on",
                                                  step, wrong, wrong + step, wrong + 2 * step));
        if (right < step && every_kth_is(s, step, right, true))
            return found("every-kth", text_format(s->arena,
                                                  "one element in %zu is right: %zu, %zu, %zu and "
                                                  "so on",
                                                  step, right, right + step, right + 2 * step));
    }
    return none;
}

struct pattern pattern_find(struct arena *arena, const struct run *run, const struct array *array,
                            const struct difference *difference)
{
    static struct pattern (*const tries[])(const struct subject *) = {
        never_written, tail_missing, first_quarter, scaled, repeated, shifted, every_kth,
    };
    struct subject subject = {arena, run, array, difference, run->problem.elements};
    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++) {
        struct pattern pattern = tries[i](&subject);
        if (pattern.name != NULL) return pattern;
    }
    return none;
}

/* Bytes that all copies of this direction move into, or out of, this allocation. */
static uint64_t bytes_copied(const struct run *run, const char *direction, bool in, uint64_t alloc)
{
    uint64_t all = 0;
    TRACE_EACH (&run->trace, EVENT_COPY, r)
        if (strcmp(r->copy.direction, direction) == 0 && (in ? r->copy.to : r->copy.from) == alloc)
            all += r->copy.bytes;
    return all;
}

const struct record *pattern_short_copy(const struct run *run)
{
    TRACE_EACH (&run->trace, EVENT_COPY, r) {
        bool in = strcmp(r->copy.direction, "h2d") == 0;
        bool out = strcmp(r->copy.direction, "d2h") == 0;
        if ((!in && !out) || r->copy.bytes != run->problem.elements || r->copy.offset != 0)
            continue;
        uint64_t id = in ? r->copy.to : r->copy.from;
        const struct record *alloc = trace_alloc(&run->trace, id);
        if (alloc == NULL || alloc->alloc.bytes < 4 * r->copy.bytes) continue;
        if (bytes_copied(run, r->copy.direction, in, id) == r->copy.bytes) return r;
    }
    return NULL;
}

const struct record *pattern_copies_back(const struct run *run, uint64_t alloc, uint64_t *bytes)
{
    *bytes = bytes_copied(run, "d2h", false, alloc);
    TRACE_EACH (&run->trace, EVENT_COPY, r)
        if (strcmp(r->copy.direction, "d2h") == 0 && r->copy.from == alloc) return r;
    return NULL;
}
