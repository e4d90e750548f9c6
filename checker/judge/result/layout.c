/* layout.c: see layout.h. */
#include "judge/result/layout.h"

#include <string.h>

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
    size_t row = i < layout->columns ? 0 : i / layout->columns; /* most have one row: no division */
    size_t column = i - row * layout->columns;
    return (layout->first + row * layout->row + column * layout->column) * layout_size(layout);
}

/* How many of `count` numbers are completely between the bytes `begin` and `end`. The first number
 * is at byte `at`, and each further one is `step` numbers after the one before. */
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

float layout_number(const struct host_array *array, bool wide, size_t byte)
{
    float single;
    double value;
    if (wide) {
        memcpy(&value, array->data + byte, sizeof value);
        return (float)value;
    }
    memcpy(&single, array->data + byte, sizeof single);
    return single;
}

float layout_value(const struct host_array *array, const struct layout *layout, size_t i)
{
    return layout_number(array, layout->wide, layout_offset(layout, i));
}
