/*
 * pattern.c: see pattern.h. This file has the patterns of where a result is wrong, one function
 * each. The patterns of wrong values are in pattern_values.c. pattern_find() gives the order in
 * which all are tried.
 */
#include "judge/result/pattern.h"

#include "judge/oracle/inputs.h"
#include "judge/read/phrases.h"
#include "judge/result/pattern_tiles.h"
#include "judge/result/pattern_sums.h"
#include "judge/result/pattern_values.h"

#include <math.h>
#include <string.h>

enum {
    BY_CHANCE =
        1000, /* of the elements that a pattern calls wrong, 1 in 1000 may be right by chance */
    EDGE_BY_CHANCE =
        100, /* the same, for elements outside a grid: sums of many terms have a wide tolerance */
    SHIFT_MAX = 64,    /* elements that a result is shifted by: two warps */
    STEP_MAX = 64,     /* elements in a stride: two warps */
    EACH_MAX = 16,     /* elements per thread, of a launch that is too small */
    LAUNCHES_MAX = 16, /* launches that may have made the result */
    BLOCKS_MAX = 1024, /* blocks that may have changed places: each is compared with all */
    PERIODS_MIN = 3,   /* times that stripes must repeat */
    TILE_MIN = 4,      /* sides of tiles that may be transposed */
    TILE_MAX = 64,
};

static bool is_wrong(const struct subject *s, size_t i)
{
    return !subject_fits(s, i);
}

/* True when the wrong elements hold input array `input`, or 0 if there is no such array. */
static bool wrong_ones_hold(const struct subject *s, size_t input, bool zero)
{
    double value = 0;
    for (size_t i = s->difference->first; i <= s->difference->last; i++)
        if (is_wrong(s, i) && ((!zero && !input_find(s->problem, input, i, &value)) ||
                               subject_got(s, i) != (float)value))
            return false;
    return true;
}

/* True when kernels computed the wrong elements too: they wrote them, and not as 0 or an input. */
static bool wrong_ones_computed(const struct subject *s)
{
    bool held = wrong_ones_hold(s, 0, true);
    for (size_t input = 0; input < ORACLE_INPUTS_MAX && !held; input++)
        held = wrong_ones_hold(s, input, false);
    return !held && s->run->trace.simulated && host_array_by_kernels(s->array, s->run);
}

/* The values of the wrong elements, in words; "" when they are not known. */
static const char *held(const struct subject *s)
{
    if (wrong_ones_hold(s, 0, true)) return ". They are 0";
    for (size_t input = 0; input < ORACLE_INPUTS_MAX; input++)
        if (wrong_ones_hold(s, input, false))
            return arena_format(s->arena, ". They still have the values of input array %zu", input);
    return "";
}

/* True when each element of the wrong tail is an input that was changed twice. */
static bool tail_changed_twice(const struct subject *s)
{
    for (size_t input = 0; input < ORACLE_INPUTS_MAX; input++) {
        double before;
        size_t i = s->difference->first;
        for (; i < s->n && input_find(s->problem, input, i, &before); i++) {
            struct oracle_element exact = oracle_element(s->problem, i);
            double twice = before + 2 * (exact.value - before);
            if (!(fabs(subject_got(s, i) - twice) <= 4 * exact.tolerance)) break;
        }
        if (i == s->n) return true;
    }
    return false;
}

/* True when the `wrong` elements are these `count`, except for a few that are right by chance. */
static bool all_but_chance(size_t wrong, size_t count)
{
    return wrong <= count && (count - wrong) * BY_CHANCE <= count;
}

/* True when exactly the elements from the first wrong one to the end are wrong. */
static bool tail_is_wrong(const struct subject *s)
{
    const struct difference *d = s->difference;
    return d->first > 0 && all_but_chance(d->wrong, s->n - d->first);
}

/* Why a launch ends where the right elements end; NULL when it does not. */
static const char *launch_ends(const struct subject *s, const struct record *launch)
{
    size_t done = s->difference->first, rest = s->n - done;
    double a_block = launch->launch.threads, threads = a_block * launch->launch.blocks;
    if (launch->launch.error != 0 || threads < 1) return NULL;
    if (threads == (double)done && (double)rest < a_block && threads > a_block)
        return arena_format(s->arena,
                            "the launch has only %.0f threads, as if %zu / %.0f was rounded down",
                            threads, s->n, a_block);
    if (threads == (double)done && threads > a_block)
        return arena_format(s->arena, "the launch has only %.0f threads", threads);
    bool covers = (double)rest < threads ||
                  ((double)done <= EACH_MAX * threads && !host_array_by_kernels(s->array, s->run));
    if (threads > 1 && covers && fmod((double)done, threads) == 0)
        return arena_format(s->arena, "%.0f threads with %s each cover only the first %zu", threads,
                            phrase_count(s->arena, (double)done / threads, "element"), done);
    if (threads > 2 && (double)rest * (threads - 1) == (double)done)
        return arena_format(s->arena, "the last of %.0f chunks of %s is %s", threads,
                            phrase_count(s->arena, (double)rest, "element"),
                            tail_changed_twice(s) ? "computed twice" : "missing");
    if (threads == (double)done && threads > 1)
        return arena_format(s->arena, "the launch has only one block of %.0f threads", threads);
    return NULL;
}

/* The grid, or equal chunks, or wide accesses end before the last elements do. */
static struct pattern tail_missing(const struct subject *s)
{
    if (!tail_is_wrong(s) || (wrong_ones_computed(s) && !tail_changed_twice(s)))
        return pattern_none();
    size_t rest = s->n - s->difference->first, tried = 0;
    const char *why = NULL;
    const struct record *site = NULL;
    TRACE_EACH (&s->run->trace, EVENT_LAUNCH, r) {
        if (++tried > LAUNCHES_MAX || why != NULL) break;
        if ((why = launch_ends(s, r)) != NULL) site = r;
    }
    if (why == NULL && s->n >= 2 * FEW && rest == s->n / 2 && s->n % 2 == 0)
        why = "only the first half is computed";
    int width = rest == s->n % 4 ? 4 : rest == s->n % 2 ? 2 : 0;
    bool remainder = why == NULL && width > 0;
    if (remainder)
        why = arena_format(s->arena, "accesses of %d elements leave out the remainder of %zu / %d",
                           width, s->n, width);
    size_t width_of_row = s->run->problem.columns;
    if (why == NULL && width_of_row > 1 && rest % width_of_row == 0)
        why = rest == width_of_row ? "no thread stores the last row"
                                   : arena_format(s->arena, "no thread stores the last %zu rows",
                                                  rest / width_of_row);
    if (why == NULL) return pattern_none();
    struct pattern pattern = pattern_found(s, "tail-missing", site,
                                           "exactly the last %zu of %zu elements %s wrong: %s%s",
                                           rest, s->n, rest == 1 ? "is" : "are", why, held(s));
    if (remainder) pattern.next = "let some threads compute the elements that are left, one by one";
    return pattern;
}

/* True when exactly the elements of a matrix outside its first rows and columns are wrong.
 */
static bool edge_is_wrong(const struct subject *s, size_t rows, size_t columns)
{
    size_t width = s->run->problem.columns, outside = 0, by_chance = 0;
    for (size_t i = 0; i < s->n; i++) {
        bool beyond = i / width >= rows || i % width >= columns;
        if (!beyond && is_wrong(s, i)) return false;
        outside += beyond;
        by_chance += beyond && !is_wrong(s, i);
    }
    return outside > 0 && by_chance * EDGE_BY_CHANCE <= outside;
}

/* A grid of two dimensions ends before the matrix does. */
static struct pattern edge_missing(const struct subject *s)
{
    size_t width = s->run->problem.columns, tried = 0;
    if (width < 2 || s->difference->first == 0 || wrong_ones_computed(s)) return pattern_none();
    TRACE_EACH (&s->run->trace, EVENT_LAUNCH, r) {
        size_t columns = (size_t)r->launch.grid[0] * r->launch.block[0];
        size_t rows = (size_t)r->launch.grid[1] * r->launch.block[1];
        if (++tried > LAUNCHES_MAX) break;
        if (r->launch.error != 0 || rows < 2 || (columns >= width && rows >= s->n / width) ||
            !edge_is_wrong(s, rows, columns))
            continue;
        return pattern_found(s, "tail-missing", r,
                             "only the first %zu rows and the first %zu columns are right: the "
                             "launch has exactly this many threads%s",
                             rows < s->n / width ? rows : s->n / width,
                             columns < width ? columns : width, held(s));
    }
    size_t right = s->difference->first;
    if (right >= width || !edge_is_wrong(s, s->n / width, right)) return pattern_none();
    return pattern_found(s, "tail-missing", NULL, "no thread stores the last %s of any row%s",
                         width - right == 1 ? "element"
                                            : arena_format(s->arena, "%zu elements", width - right),
                         held(s));
}

static struct pattern first_quarter(const struct subject *s)
{
    size_t right = s->difference->first;
    if (s->n < FEW || !tail_is_wrong(s) || right < s->n / 4 || right > s->n / 4 + 1)
        return pattern_none();
    return pattern_found(
        s, "partial-copy", NULL,
        "exactly the first quarter is right: %zu of %zu elements, as many as %zu bytes hold", right,
        s->n, s->n);
}

/* True when got[i] = expected[i + shift] for every i that has such an element. */
static bool is_shifted(const struct subject *s, long shift)
{
    size_t from = shift < 0 ? (size_t)-shift : 0;
    size_t to = shift > 0 ? s->n - (size_t)shift : s->n;
    for (size_t i = from; i < to; i++)
        if (!compare_fits(s->problem, subject_got(s, i), (size_t)((long)i + shift))) return false;
    return true;
}

static struct pattern shifted(const struct subject *s)
{
    for (long k = 1; k <= SHIFT_MAX && (size_t)k + FEW <= s->n; k++)
        for (int sign = -1; sign <= 1; sign += 2)
            if (is_shifted(s, sign * k))
                return pattern_found(s, "shifted", NULL,
                                     "element i holds the value of element i %c %ld, for every i",
                                     sign > 0 ? '+' : '-', k);
    return pattern_none();
}

/* True when exactly the elements with i mod step = rest are wrong or, with `right`, are right. */
static bool every_kth_is(const struct subject *s, size_t step, size_t rest, bool right)
{
    size_t matching = (s->n - rest + step - 1) / step;
    if (!all_but_chance(s->difference->wrong, right ? s->n - matching : matching)) return false;
    for (size_t i = 0; i < s->n; i++)
        if ((i % step == rest) == right && is_wrong(s, i)) return false;
    return true;
}

/* Whole columns of a matrix: `step` divides its width. */
static struct pattern columns_of(const struct subject *s, size_t step, size_t first, bool right)
{
    const char *kind = right ? "right" : "wrong";
    if (step == 2 && s->run->problem.columns == 2) {
        bool second = first == 1;
        struct pattern pattern = pattern_found(
            s, "every-kth", NULL, "of every two neighbouring numbers, only the %s is %s",
            second ? "second" : "first", kind);
        if (wrong_ones_computed(s)) pattern.next = "compare this line with part A's formula";
        return pattern;
    }
    if (step == s->run->problem.columns)
        return pattern_found(s, "every-kth", NULL, "only column %zu of the matrix is %s", first,
                             kind);
    return pattern_found(s, "every-kth", NULL,
                         "one column in %zu is %s: columns %zu, %zu, %zu and so on", step, kind,
                         first, first + step, first + 2 * step);
}

static struct pattern every_kth(const struct subject *s)
{
    size_t width = s->run->problem.columns;
    size_t wrong = s->difference->first, right = 0;
    while (right < s->n && is_wrong(s, right))
        right++;
    for (size_t step = 2; step <= STEP_MAX && step * FEW <= s->n; step++) {
        bool columns = width > 1 && width % step == 0;
        if (columns && wrong < step && every_kth_is(s, step, wrong, false))
            return columns_of(s, step, wrong, false);
        if (columns && right < step && every_kth_is(s, step, right, true))
            return columns_of(s, step, right, true);
        if (wrong < step && every_kth_is(s, step, wrong, false))
            return pattern_found(s, "every-kth", NULL,
                                 "one element in %zu is wrong: elements %zu, %zu, %zu and so on",
                                 step, wrong, wrong + step, wrong + 2 * step);
        if (right < step && every_kth_is(s, step, right, true))
            return pattern_found(s, "every-kth", NULL,
                                 "one element in %zu is right: elements %zu, %zu, %zu and so on",
                                 step, right, right + step, right + 2 * step);
    }
    return pattern_none();
}

/* Index of the first element after `i` that is right where element i is wrong, or the reverse; n
 * when there is none.
 */
static size_t end_of_stripe(const struct subject *s, size_t i)
{
    bool wrong = is_wrong(s, i);
    while (i < s->n && is_wrong(s, i) == wrong)
        i++;
    return i;
}

/* Looks for a period in each of which the same elements are wrong. The first three stripes give the
 * widths; all others must be as wide, except the last. */
static struct pattern stripes(const struct subject *s)
{
    size_t first = end_of_stripe(s, 0);
    size_t second = first < s->n ? end_of_stripe(s, first) : s->n;
    size_t third = second < s->n ? end_of_stripe(s, second) : s->n;
    size_t period = third - first;
    if (third == s->n || first > third - second || s->n < PERIODS_MIN * period)
        return pattern_none();
    bool starts_wrong = is_wrong(s, 0);
    size_t expected = 0;
    for (size_t i = 0; i < s->n; i++) {
        size_t at =
            (i + (third - second) - first) % period; /* 0 at the beginning of the first kind */
        bool in_wrong_one = (at < third - second) == starts_wrong;
        if (is_wrong(s, i) && !in_wrong_one) return pattern_none();
        expected += in_wrong_one;
    }
    if (!all_but_chance(s->difference->wrong, expected)) return pattern_none();
    size_t from = starts_wrong ? second : first, to = starts_wrong ? third : second;
    size_t width = s->run->problem.columns;
    if (width > 1 && period % width == 0 && from % width == 0 && to % width == 0)
        return pattern_found(s, "every-kth", NULL,
                             "in every %zu rows, %zu are wrong: rows %zu to %zu, %zu to %zu and so "
                             "on%s",
                             period / width, (to - from) / width, from / width, to / width - 1,
                             (from + period) / width, (to + period) / width - 1, held(s));
    return pattern_found(s, "every-kth", NULL,
                         "in every %zu elements, %zu are wrong: %zu to %zu, %zu to %zu and so on%s",
                         period, to - from, from, to - 1, from + period, to - 1 + period, held(s));
}

/* The block of the right result that is in block `at` of the array; `count` when there is none.
 */
static size_t block_held(const struct subject *s, size_t at, size_t width, size_t count)
{
    for (size_t block = 0; block < count; block++) {
        size_t i = 0;
        while (i < width &&
               compare_fits(s->problem, subject_got(s, at * width + i), block * width + i))
            i++;
        if (i == width) return block;
    }
    return count;
}

/* Each block of threads computed a whole block of the result, but stored it in another place. */
static struct pattern blocks_moved(const struct subject *s)
{
    const struct record *r = trace_first(&s->run->trace, EVENT_LAUNCH);
    size_t width = r != NULL ? (size_t)r->launch.block[0] * r->launch.block[1] : 0;
    size_t count = width > 0 ? s->n / width : 0;
    if (width < FEW || count < FEW || count > BLOCKS_MAX) return pattern_none();
    size_t moved = 0, example = 0, from = 0;
    for (size_t at = 0; at < count; at++) {
        size_t block = block_held(s, at, width, count);
        if (block == count) return pattern_none();
        if (block == at) continue;
        if (moved++ == 0) {
            example = at;
            from = block;
        }
    }
    if (moved == 0) return pattern_none();
    return pattern_found(s, "blocks-moved", r,
                         "%zu of %zu blocks of %zu elements are in the wrong place: block %zu "
                         "holds the elements of block %zu",
                         moved, count, width, example, from);
}

/* Is each square tile of this side transposed in its place? */
static bool is_transposed(const struct subject *s, size_t side)
{
    size_t columns = s->run->problem.columns;
    for (size_t i = 0; i < s->n; i++) {
        size_t row = i / columns, column = i % columns, y = row % side, x = column % side;
        size_t from = (row - y + x) * columns + column - x + y;
        if (from >= s->n || column - x + y >= columns) continue;
        if (!compare_fits(s->problem, subject_got(s, i), from)) return false;
    }
    return true;
}

static struct pattern transposed(const struct subject *s)
{
    size_t columns = s->run->problem.columns;
    if (columns < 2 || columns != s->n / columns || s->n % columns != 0) return pattern_none();
    if (is_transposed(s, columns))
        return pattern_found(
            s, "transposed", NULL,
            "rows and columns are swapped: element (i, j) holds the value of element (j, i)");
    for (size_t side = TILE_MIN; side <= TILE_MAX && side < columns; side *= 2)
        if (is_transposed(s, side))
            return pattern_found(s, "transposed", NULL,
                                 "rows and columns are swapped within each tile of %zu x %zu "
                                 "elements",
                                 side, side);
    return pattern_none();
}

struct pattern pattern_find(struct arena *arena, const struct run *run,
                            const struct host_array *array, const struct difference *difference)
{
    static const struct {
        pattern_try *try;
        bool of_values;
    } tries[] = {
        {pattern_all_zeros, false},
        {pattern_never_written, false},
        {pattern_unset, true},
        {pattern_not_a_number, true},
        {tail_missing, false},
        {edge_missing, false},
        {first_quarter, false},
        {pattern_whole_numbers, true},
        {pattern_half_precision, true}, /* before a factor of nearly 1 is taken for the cause */
        {pattern_scaled, true},
        {pattern_repeated, false},
        {pattern_wrong_formula, true},
        {transposed, true},
        {pattern_partial_sum, true},
        {pattern_not_reset, true},
        {pattern_off_by_a_constant, true},
        {shifted, false},
        {pattern_tile_places, false},
        {every_kth, false},
        {stripes, false},
        {blocks_moved, false},
        {pattern_tile_moved, true},
        {pattern_lost_digits, true},
    };
    struct subject subject = {arena, run, array, difference, &run->problem, run->problem.elements};
    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++) {
        struct pattern pattern = tries[i].try(&subject);
        pattern.of_values = tries[i].of_values;
        if (pattern.name != NULL) return pattern;
    }
    return pattern_none();
}

struct pattern pattern_find_tail(struct arena *arena, const struct run *run,
                                 const struct host_array *array,
                                 const struct difference *difference)
{
    struct subject subject = {arena, run, array, difference, &run->problem, run->problem.elements};
    return tail_missing(&subject);
}
