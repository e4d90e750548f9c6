/*
 * layout.c: see layout.h. The steps are not tried out one by one: where the first elements of the
 * first two rows and columns stand is looked for, and the rest must then follow.
 */
#include "judge/result/layout.h"
#include "judge/result/compare.h"

#include <string.h>

enum { PLACES_MAX = 16 };

struct layout layout_plain(size_t first, const struct oracle_problem *problem)
{
    return (struct layout){first, problem->elements, 1, problem->elements, false};
}

size_t layout_size(const struct layout *layout)
{
    return layout->wide ? sizeof(double) : sizeof(float);
}

size_t layout_offset(const struct layout *layout, size_t i)
{
    size_t row = i / layout->columns, column = i % layout->columns;
    return (layout->first + row * layout->row + column * layout->column) * layout_size(layout);
}

/* How many of `count` numbers, of which the first is at byte `at` and each `step` behind the one
 * before it, lie whole between `begin` and `end`. */
static uint64_t count_between(const struct layout *layout, uint64_t at, size_t step, size_t count,
                              uint64_t begin, uint64_t end)
{
    uint64_t size = layout_size(layout), apart = step * size;
    if (end < at + size) return 0;
    uint64_t from = begin > at ? (begin - at + apart - 1) / apart : 0;
    uint64_t to = (end - size - at) / apart + 1;
    if (to > count) to = count;
    return from < to ? to - from : 0;
}

uint64_t layout_bytes_in(const struct layout *layout, size_t elements, uint64_t begin, uint64_t end)
{
    size_t rows = elements / layout->columns, columns = layout->columns;
    uint64_t count = 0;
    for (size_t row = 0; row < rows && rows <= columns; row++)
        count += count_between(layout, layout_offset(layout, row * columns), layout->column,
                               columns, begin, end);
    for (size_t column = 0; column < columns && rows > columns; column++)
        count +=
            count_between(layout, layout_offset(layout, column), layout->row, rows, begin, end);
    return count * layout_size(layout);
}

static float number_at(const unsigned char *at, bool wide)
{
    float single;
    double value;
    if (wide) {
        memcpy(&value, at, sizeof value);
        return (float)value;
    }
    memcpy(&single, at, sizeof single);
    return single;
}

float layout_value(const struct array *array, const struct layout *layout, size_t i)
{
    return number_at(array->data + layout_offset(layout, i), layout->wide);
}

/* Where in an array one element may stand: the first few numbers from `from` on that are it. */
struct places {
    size_t at[PLACES_MAX], count;
};

static struct places find_places(const struct array *array, bool wide, size_t from, size_t element)
{
    struct places places = {.count = 0};
    size_t size = wide ? sizeof(double) : sizeof(float), numbers = array->bytes / size;
    double exact = oracle_value(element), tolerance = oracle_tolerance(element);
    for (size_t i = from; i < numbers && places.count < PLACES_MAX; i++) {
        double apart = (double)number_at(array->data + i * size, wide) - exact;
        if (apart <= tolerance && apart >= -tolerance) places.at[places.count++] = i;
    }
    return places;
}

/* True when the last element lies in the array, and all are the result's. */
static bool fits(const struct array *array, const struct oracle_problem *problem,
                 const struct layout *layout)
{
    return layout_offset(layout, problem->elements - 1) + layout_size(layout) <= array->bytes &&
           array_fits(array, layout, problem);
}

/* Finds how far rows are apart, all else being known. */
static bool find_row(const struct array *array, const struct oracle_problem *problem,
                     struct layout *layout)
{
    if (layout->columns == problem->elements) return fits(array, problem, layout);
    struct places rows = find_places(array, layout->wide, layout->first + 1, layout->columns);
    for (size_t i = 0; i < rows.count; i++) {
        layout->row = rows.at[i] - layout->first;
        if (fits(array, problem, layout)) return true;
    }
    return false;
}

/* Finds how far columns are apart, and then rows. */
static bool find_steps(const struct array *array, const struct oracle_problem *problem,
                       struct layout *layout)
{
    if (layout->columns == 1) return find_row(array, problem, layout);
    struct places columns = find_places(array, layout->wide, layout->first + 1, 1);
    for (size_t i = 0; i < columns.count; i++) {
        layout->column = columns.at[i] - layout->first;
        if (find_row(array, problem, layout)) return true;
    }
    return false;
}

bool layout_find(const struct array *array, const struct oracle_problem *problem,
                 struct layout *layout)
{
    for (int wide = 0; wide <= 1; wide++) {
        struct places firsts = find_places(array, wide, 0, 0);
        for (size_t i = 0; i < firsts.count; i++) {
            *layout = layout_plain(firsts.at[i], problem);
            layout->wide = wide;
            if (problem->columns > 0) layout->columns = problem->columns;
            if (find_steps(array, problem, layout)) return true;
        }
    }
    return false;
}
