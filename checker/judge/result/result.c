/* result.c: see result.h. */
#include "judge/result/result.h"

#include <math.h>

enum { PLACES_MAX = 64, NEAREST_MAX = 16 };

/* Two Diffs that are no farther apart than this share of them are of one array. */
static const double SAME_DIFF = 1e-3;

enum answer result_answer(const struct result *result)
{
    return result->diff_small ? result->array : ANSWER_WRONG;
}

/* Finds the result in an array, without a gap, at a multiple of its length. */
static bool find_plain(const struct array *array, const struct oracle_problem *problem,
                       struct layout *layout)
{
    size_t places = array->bytes / (problem->elements * sizeof(float));
    for (size_t place = 0; place < places && place < PLACES_MAX; place++) {
        *layout = layout_plain(place * problem->elements, problem);
        if (array_fits(array, layout, problem)) return true;
    }
    return false;
}

static const struct array *find(const struct host_copy *image, bool on_device,
                                const struct oracle_problem *problem, struct layout *layout)
{
    for (size_t i = 0; i < image->count; i++)
        if (image->arrays[i].on_device == on_device &&
            find_plain(&image->arrays[i], problem, layout))
            return &image->arrays[i];
    return NULL;
}

/* Finds the result in what came to the host, in any layout. */
static const struct array *find_moved(const struct host_copy *image,
                                      const struct oracle_problem *problem, struct layout *layout)
{
    for (size_t i = 0; i < image->all; i++)
        if (!image->arrays[i].on_device && layout_find(&image->arrays[i], problem, layout))
            return &image->arrays[i];
    return NULL;
}

const struct array *result_on_device(const struct host_copy *image,
                                     const struct oracle_problem *problem)
{
    struct layout layout;
    return find(image, true, problem, &layout);
}

bool result_is_in(const struct array *array, const struct oracle_problem *problem)
{
    struct layout layout;
    return !array->on_device &&
           (find_plain(array, problem, &layout) || layout_find(array, problem, &layout));
}

uint64_t result_bytes_of(const struct result *result, const struct oracle_problem *problem,
                         const struct record *copy)
{
    uint64_t begin = result->alloc > 0 ? copy->copy.offset : copy->copy.host;
    uint64_t end = begin + copy->copy.bytes;
    if (result->alloc > 0 && copy->copy.from != result->alloc) return 0;
    if (end <= result->start) return 0;
    return layout_bytes_in(&result->layout, problem->elements,
                           begin > result->start ? begin - result->start : 0, end - result->start);
}

const struct array *result_nearest(const struct host_copy *image,
                                   const struct oracle_problem *problem,
                                   struct difference *difference)
{
    const struct array *nearest = NULL;
    size_t tried = 0;
    for (size_t i = 0; i < image->count && tried < NEAREST_MAX; i++) {
        const struct array *array = &image->arrays[i];
        if (array->on_device || array->bytes / sizeof(float) < problem->elements) continue;
        struct difference found = array_difference(array, problem);
        tried++;
        if (nearest != NULL && found.wrong >= difference->wrong) continue;
        nearest = array;
        *difference = found;
    }
    return nearest;
}

/* |v - u| / |u| of an array and the right result. */
static double distance(const struct array *array, const struct oracle_problem *problem)
{
    double apart = 0, length = 0;
    for (size_t i = 0; i < problem->elements; i++) {
        double exact = oracle_value(i), d = array_float(array, i) - exact;
        apart += d * d;
        length += exact * exact;
    }
    return sqrt(apart / length);
}

const struct array *result_compared(const struct host_copy *image,
                                    const struct oracle_problem *problem, double diff,
                                    struct difference *difference)
{
    size_t tried = 0;
    for (size_t i = 0; i < image->count && tried < NEAREST_MAX; i++) {
        const struct array *array = &image->arrays[i];
        if (array->on_device || array->bytes / sizeof(float) < problem->elements) continue;
        tried++;
        if (!(fabs(distance(array, problem) - diff) <= SAME_DIFF * diff)) continue;
        *difference = array_difference(array, problem);
        if (difference->wrong > 0) return array;
    }
    return NULL;
}

struct result result_judge(struct check *check, const struct run *run)
{
    struct result result = {.array = ANSWER_WRONG};
    struct host_copy image;
    run_prepare(check, run);
    result.small = compare_small_diff(&run->problem);
    double diff = fabs(run->printed.diff);
    result.diff_small = run->printed.has_diff && isfinite(diff) && diff <= result.small;
    const char *wrong = host_copy_read(check->arena, run, &image);
    const struct array *found = NULL;
    if (wrong != NULL)
        check_trouble(check, wrong);
    else
        found = find(&image, false, &run->problem, &result.layout);
    if (wrong == NULL && found == NULL && result.diff_small)
        found = find_moved(&image, &run->problem, &result.layout);
    if (found != NULL)
        result.array = ANSWER_RIGHT;
    else if (wrong == NULL && !image.complete)
        result.array = ANSWER_UNKNOWN;
    if (found != NULL && found->record->event == EVENT_COPY) {
        result.copied = true;
        result.alloc = found->alloc;
        result.start = found->start;
    }
    host_copy_free(&image);
    return result;
}
