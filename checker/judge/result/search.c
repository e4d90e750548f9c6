/*
 * search.c: see search.h. It does not try all steps of a layout: it looks for the first elements of
 * the first two rows and columns. The rest must then follow. Of several arrays, the first number of
 * each decides which elements it holds. Then the whole result is put together and compared.
 */
#include "judge/result/search.h"

#include <stdlib.h>

enum {
    MULTIPLES_MAX = 64, /* of the result's length: an array of more results is unusual */
    PLACES_MAX = 16,    /* of one element: further equal numbers are probably chance */
    STRIDE_MAX = 4,     /* numbers of a structure: x, y, z, w */
};

bool search_plain(const struct host_array *array, const struct oracle_problem *problem,
                  struct layout *layout)
{
    size_t parts = array->bytes / (problem->elements * sizeof(float));
    for (size_t part = 0; part < parts && part < MULTIPLES_MAX; part++) {
        *layout = layout_plain(part * problem->elements, problem);
        if (compare_all_fit(array, layout, problem)) return true;
    }
    return false;
}

/* Places of one element in an array: the first few numbers in [from, end) that equal it. */
struct candidates {
    size_t at[PLACES_MAX], count;
};

static struct candidates find_candidates(const struct host_array *array,
                                         const struct oracle_problem *problem, bool wide,
                                         size_t from, size_t end, size_t element)
{
    struct candidates candidates = {.count = 0};
    size_t size = wide ? sizeof(double) : sizeof(float);
    struct oracle_element exact = oracle_element(problem, element);
    for (size_t i = from; i < end && candidates.count < PLACES_MAX; i++) {
        double apart = (double)layout_number(array, wide, i * size) - exact.value;
        if (apart <= exact.tolerance && apart >= -exact.tolerance)
            candidates.at[candidates.count++] = i;
    }
    return candidates;
}

/* How many numbers an array has room for. */
static size_t numbers_in(const struct host_array *array, bool wide)
{
    return array->bytes / (wide ? sizeof(double) : sizeof(float));
}

/* True when the last element is inside the array, and all elements are the result's. */
static bool fits(const struct host_array *array, const struct oracle_problem *problem,
                 const struct layout *layout)
{
    return layout_offset(layout, problem->elements - 1) + layout_size(layout) <= array->bytes &&
           compare_all_fit(array, layout, problem);
}

/* Finds the distance of rows, when everything else is known. */
static bool find_row(const struct host_array *array, const struct oracle_problem *problem,
                     struct layout *layout)
{
    if (layout->columns == problem->elements) return fits(array, problem, layout);
    struct candidates rows = find_candidates(array, problem, layout->wide, layout->first + 1,
                                             numbers_in(array, layout->wide), layout->columns);
    for (size_t i = 0; i < rows.count; i++) {
        layout->row = rows.at[i] - layout->first;
        if (fits(array, problem, layout)) return true;
    }
    return false;
}

/* Finds the distance of columns, and then that of rows. */
static bool find_steps(const struct host_array *array, const struct oracle_problem *problem,
                       struct layout *layout)
{
    if (layout->columns == 1) return find_row(array, problem, layout);
    struct candidates columns = find_candidates(array, problem, layout->wide, layout->first + 1,
                                                numbers_in(array, layout->wide), 1);
    for (size_t i = 0; i < columns.count; i++) {
        layout->column = columns.at[i] - layout->first;
        if (find_row(array, problem, layout)) return true;
    }
    return false;
}

bool search_any(const struct host_array *array, const struct oracle_problem *problem,
                struct layout *layout)
{
    for (int wide = 0; wide <= 1; wide++) {
        size_t numbers = numbers_in(array, wide); /* all other elements follow the first one */
        if (numbers < problem->elements) continue;
        struct candidates firsts =
            find_candidates(array, problem, wide, 0, numbers - problem->elements + 1, 0);
        for (size_t i = 0; i < firsts.count; i++) {
            *layout = layout_plain(firsts.at[i], problem);
            layout->wide = wide;
            if (problem->columns > 0) layout->columns = problem->columns;
            if (find_steps(array, problem, layout)) return true;
        }
    }
    return false;
}

/* ---- several arrays -------------------------------------------------------------------------- */

static size_t floats_of(const struct host_array *array)
{
    return array->bytes / sizeof(float);
}

/* The first array that begins with an element and is not yet a part; NULL when there is none. */
static const struct host_array *beginning_with(const struct host_copy *host,
                                               const struct oracle_problem *problem,
                                               const struct parts *parts, size_t element)
{
    for (size_t i = 0; i < host->all; i++) {
        const struct host_array *array = &host->arrays[i];
        bool used = array->on_device || floats_of(array) == 0;
        for (size_t k = 0; k < parts->count; k++)
            used = used || parts->arrays[k] == array;
        if (!used && compare_fits(problem, host_array_float(array, 0), element)) return array;
    }
    return NULL;
}

/* Finds arrays for the elements first, first + stride, … and puts their numbers into `result`. */
static bool cover(const struct host_copy *host, const struct oracle_problem *problem, size_t first,
                  size_t stride, struct parts *parts, float *result)
{
    for (size_t next = first; next < problem->elements;) {
        const struct host_array *array = beginning_with(host, problem, parts, next);
        if (array == NULL || parts->count == PARTS_MAX) return false;
        parts->arrays[parts->count++] = array;
        for (size_t i = 0; i < floats_of(array) && next < problem->elements; i++, next += stride)
            result[next] = host_array_float(array, i);
    }
    return true;
}

bool parts_find(const struct host_copy *host, const struct oracle_problem *problem,
                struct parts *parts)
{
    size_t bytes = problem->elements * sizeof(float);
    float *result = malloc(bytes);
    struct host_array whole = {.data = (unsigned char *)result, .bytes = bytes};
    struct layout plain = layout_plain(0, problem);
    bool found = false;
    for (size_t stride = 1; result != NULL && !found && stride <= STRIDE_MAX; stride++) {
        parts->count = 0;
        found = true;
        for (size_t first = 0; found && first < stride; first++)
            found = cover(host, problem, first, stride, parts, result);
        found = found && compare_all_fit(&whole, &plain, problem);
    }
    free(result);
    return found;
}
