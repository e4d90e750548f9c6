/* compare.c: see compare.h. */
#include "judge/result/compare.h"

#include <float.h>
#include <math.h>

static const double WORK_MAX = 1e8, THREADS_FROM = 1e5; /* multiply-adds */
enum { EDGE = 1024, SAMPLE_MIN = 16384, DIFF_SAMPLES = 4096 };

bool float_fits(float value, size_t index)
{
    double exact = oracle_value(index);
    if (value == (float)exact) return true;
    return fabs((double)value - exact) <= oracle_tolerance(index);
}

/* True when looking at `count` elements takes longer than starting threads for it. */
static bool worth_threads(const struct oracle_problem *problem, size_t count)
{
    return (double)count * (problem->cost > 1 ? problem->cost : 1) > THREADS_FROM;
}

/* How many elements are looked at. */
static size_t sample_count(const struct oracle_problem *problem)
{
    double cost = problem->cost > 1 ? problem->cost : 1;
    if ((double)problem->elements * cost <= WORK_MAX) return problem->elements;
    double paid = WORK_MAX / cost;
    size_t count = paid > SAMPLE_MIN ? (size_t)paid : SAMPLE_MIN;
    return count < problem->elements ? count : problem->elements;
}

/* Index of sample j of `count` among n elements; rises with j. */
static size_t sample_index(size_t j, size_t count, size_t n)
{
    if (count == n || j < EDGE) return j;
    if (j >= count - EDGE) return n - (count - j);
    double width = (double)(n - 2 * EDGE) / (double)(count - 2 * EDGE);
    size_t from = EDGE + (size_t)((double)(j - EDGE) * width);
    uint64_t hash = (j + 1) * UINT64_C(0x9e3779b97f4a7c15);
    size_t index = from + (size_t)((hash >> 40) % (uint64_t)(width > 1 ? width : 1));
    return index < n ? index : n - 1;
}

bool compare_is_whole(const struct oracle_problem *problem)
{
    return sample_count(problem) == problem->elements;
}

bool array_fits(const struct array *array, const struct layout *layout,
                const struct oracle_problem *problem)
{
    size_t n = problem->elements, count = sample_count(problem);
    bool fits = true; /* each thread's own until all have ended; it stops where its own is false */
#pragma omp parallel for schedule(static) reduction(&& : fits) if (worth_threads(problem, count))
    for (size_t j = 0; j < count; j++) {
        if (!fits) continue;
        size_t i = sample_index(j, count, n);
        fits = float_fits(layout_value(array, layout, i), i);
    }
    return fits;
}

struct difference array_difference(const struct array *array, const struct oracle_problem *problem)
{
    size_t n = problem->elements;
    struct difference difference = {.looked_at = sample_count(problem)};
    for (size_t j = 0; j < difference.looked_at; j++) {
        size_t i = sample_index(j, difference.looked_at, n);
        float got = array_float(array, i);
        if (float_fits(got, i)) continue;
        if (difference.wrong == 0) {
            difference.first = i;
            difference.expected = oracle_value(i);
            difference.got = got;
        }
        difference.last = i;
        difference.wrong++;
        difference.nans += isnan(got) != 0;
    }
    return difference;
}

double compare_small_diff(const struct oracle_problem *problem)
{
    double value = 0, tolerance = 0, v[DIFF_SAMPLES], t[DIFF_SAMPLES];
    size_t count = problem->elements < DIFF_SAMPLES ? problem->elements : DIFF_SAMPLES;
    double work = problem->cost * (double)count;
    if (work > WORK_MAX) count = (size_t)((double)count * WORK_MAX / work) + 1;
#pragma omp parallel for schedule(static) if (worth_threads(problem, count))
    for (size_t j = 0; j < count; j++) {
        size_t i = (size_t)((double)j * (double)problem->elements / (double)count);
        v[j] = oracle_value(i);
        t[j] = oracle_tolerance(i);
    }
    for (size_t j = 0; j < count; j++) { /* in order, so that every check has the same sums */
        value += v[j] * v[j];
        tolerance += t[j] * t[j];
    }
    double relative = sqrt(value > 0 ? tolerance / value : tolerance);
    return 20 * fmax(relative, FLT_EPSILON / 2);
}
