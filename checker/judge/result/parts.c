/*
 * parts.c: see parts.h. The first number of each array decides which elements the array holds. Then
 * the whole result is put together and compared.
 */
#include "judge/result/parts.h"

#include "judge/result/compare.h"

#include <stdlib.h>

enum { STRIDE_MAX = 4 }; /* numbers of a structure: x, y, z, w */

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
