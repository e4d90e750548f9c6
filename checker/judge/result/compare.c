/* compare.c: see compare.h. */
#include "judge/result/compare.h"

#include "judge/oracle/inputs.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double THREADS_FROM = 1e5; /* multiply-adds: for fewer, threads are slower */
static const double DIFF_MARGIN = 10;   /* leaves room for other ways to measure a difference */

enum {
    EDGE = 1024, /* elements at either end that are always compared, because guards fail there */
    SAMPLE_MIN = 16384,  /* elements: enough to hit each of 1000 blocks several times */
    DIFF_SAMPLES = 4096, /* elements that give |t| / |exact| to 2 % */
    KEPT_MAX = 1 << 16,  /* elements of a sample that are worth keeping: of more, each is cheap */
    KEPT_PROBLEMS = 24   /* of the runs of a check, which judges them up to three times */
};

static bool fits(const struct oracle_element *exact, float value)
{
    return value == (float)exact->value || fabs((double)value - exact->value) <= exact->tolerance;
}

bool compare_fits(const struct oracle_problem *problem, float value, size_t index)
{
    struct oracle_element exact = oracle_element(problem, index);
    return fits(&exact, value);
}

/* Multiply-adds per element. */
static double cost_of(const struct oracle_problem *problem)
{
    return fmax(problem->cost, 1);
}

/* The number of elements that are compared. */
static size_t sample_count(const struct oracle_problem *problem)
{
    double paid = problem->sample.work / cost_of(problem);
    if ((double)problem->elements <= paid) return problem->elements;
    size_t count = paid > SAMPLE_MIN ? (size_t)paid : SAMPLE_MIN;
    return count < problem->elements ? count : problem->elements;
}

/* Index of sample j of `count` among all elements; rises with j. */
static size_t sample_index(const struct oracle_problem *problem, size_t j, size_t count)
{
    size_t n = problem->elements;
    if (count == n || j < EDGE) return j;
    if (j >= count - EDGE) return n - (count - j);
    double width = (double)(n - 2 * EDGE) / (double)(count - 2 * EDGE);
    size_t from = EDGE + (size_t)((double)(j - EDGE) * width);
    uint64_t hash = (problem->sample.draw + j) * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ (hash >> 33)) * UINT64_C(0xff51afd7ed558ccd);
    size_t index = from + (size_t)((hash >> 40) % (uint64_t)(width > 1 ? width : 1));
    return index < n ? index : n - 1;
}

bool compare_is_whole(const struct oracle_problem *problem)
{
    return sample_count(problem) == problem->elements;
}

/* The exact elements of a problem's sample, or NULL if there are too many to keep. Those of the
 * last problems are kept, because a check compares one result several times: in each copy from
 * the GPU, in each layout, and in each judgement. */
static const struct oracle_element *kept_sample(const struct oracle_problem *problem)
{
    static struct {
        struct oracle_problem problem;
        struct oracle_element *exact;
    } kept[KEPT_PROBLEMS];
    static unsigned next;
    size_t count = sample_count(problem);
    if (count > KEPT_MAX) return NULL;
    for (unsigned i = 0; i < KEPT_PROBLEMS; i++)
        if (kept[i].exact != NULL && memcmp(&kept[i].problem, problem, sizeof *problem) == 0)
            return kept[i].exact;
    struct oracle_element *exact = malloc((count + 1) * sizeof *exact);
    if (exact == NULL) return NULL;
    bool shared = (double)count * cost_of(problem) > THREADS_FROM;
#pragma omp parallel for schedule(static) if (shared)
    for (size_t j = 0; j < count; j++)
        exact[j] = oracle_element(problem, sample_index(problem, j, count));
    unsigned site = next++ % KEPT_PROBLEMS;
    free(kept[site].exact);
    memcpy(&kept[site].problem, problem, sizeof *problem); /* with the bytes between its members */
    return kept[site].exact = exact;
}

/* Element j of the sample, which has this index. */
static struct oracle_element exact_of(const struct oracle_problem *problem,
                                      const struct oracle_element *kept, size_t j, size_t index)
{
    return kept != NULL ? kept[j] : oracle_element(problem, index);
}

bool compare_all_fit(const struct host_array *array, const struct layout *layout,
                     const struct oracle_problem *problem)
{
    size_t count = sample_count(problem);
    const struct oracle_element *kept = kept_sample(problem);
    bool all = true; /* each thread has its own until all have ended */
    bool shared = kept == NULL && (double)count * cost_of(problem) > THREADS_FROM;
#pragma omp parallel for schedule(static) reduction(&& : all) if (shared)
    for (size_t j = 0; j < count; j++) {
        if (!all) continue;
        size_t i = sample_index(problem, j, count);
        struct oracle_element exact = exact_of(problem, kept, j, i);
        all = fits(&exact, layout_value(array, layout, i));
    }
    for (size_t k = 0; all && k < problem->sample.also_count; k++) {
        size_t i = problem->sample.also[k];
        all = compare_fits(problem, layout_value(array, layout, i), i);
    }
    return all;
}

struct difference compare_difference(const struct host_array *array,
                                     const struct oracle_problem *problem)
{
    struct difference difference = {.compared = sample_count(problem)};
    const struct oracle_element *kept = kept_sample(problem);
    for (size_t j = 0; j < difference.compared; j++) {
        size_t i = sample_index(problem, j, difference.compared);
        float got = host_array_float(array, i);
        struct oracle_element exact = exact_of(problem, kept, j, i);
        if (fits(&exact, got)) continue;
        if (difference.wrong == 0) {
            difference.first = i;
            difference.expected = exact.value;
            difference.got = got;
        }
        difference.last = i;
        difference.wrong++;
        difference.nans += isnan(got) != 0;
    }
    return difference;
}

/* True when the two values of an element cannot be the same after rounding. */
static bool differ(const struct oracle_element *a, const struct oracle_element *b)
{
    return fabs(a->value - b->value) > 4 * (a->tolerance + b->tolerance);
}

bool compare_changes(const struct oracle_problem *plain, const struct oracle_problem *perturbed,
                     size_t index)
{
    struct oracle_element old = oracle_element(plain, index),
                          new = oracle_element(perturbed, index);
    return differ(&old, &new);
}

struct following compare_following(const struct host_array *array, const struct layout *layout,
                                   const struct oracle_problem *plain,
                                   const struct oracle_problem *perturbed)
{
    size_t compared = sample_count(plain);
    size_t changed = 0, follow = 0, wrong = 0;
    const struct oracle_element *kept = kept_sample(plain),
                                *kept_perturbed = kept_sample(perturbed);
    bool shared = 2 * (double)compared * cost_of(plain) > THREADS_FROM;
#pragma omp parallel for schedule(static) reduction(+ : changed, follow, wrong) if (shared)
    for (size_t j = 0; j < compared; j++) {
        size_t i = sample_index(plain, j, compared);
        struct oracle_element old = exact_of(plain, kept, j, i);
        struct oracle_element new = exact_of(perturbed, kept_perturbed, j, i);
        float got = layout_value(array, layout, i);
        bool differs = differ(&old, &new);
        changed += differs;
        if (fits(&new, got))
            follow += differs;
        else
            wrong += !differs && !fits(&old, got);
    }
    return (struct following){compared, changed, follow, wrong};
}

double compare_small_diff(const struct oracle_problem *problem)
{
    struct oracle_element samples[DIFF_SAMPLES];
    double value = 0, tolerance = 0, paid = problem->sample.work / cost_of(problem);
    size_t count = problem->elements < DIFF_SAMPLES ? problem->elements : DIFF_SAMPLES;
    if ((double)count > paid) count = (size_t)paid + 1;
    bool shared = (double)count * cost_of(problem) > THREADS_FROM;
#pragma omp parallel for schedule(static) if (shared)
    for (size_t j = 0; j < count; j++)
        samples[j] = oracle_element(
            problem, (size_t)((double)j * (double)problem->elements / (double)count));
    for (size_t j = 0; j < count; j++) { /* in one order: every check has the same sums */
        value += samples[j].value * samples[j].value;
        tolerance += samples[j].tolerance * samples[j].tolerance;
    }
    double relative = sqrt(value > 0 ? tolerance / value : tolerance);
    return DIFF_MARGIN * 2 * fmax(relative, FLT_EPSILON / 2);
}
