/* result.c: see result.h. */
#include "result.h"

#include <math.h>

enum { PLACES_MAX = 64, NEAREST_MAX = 16 };

enum answer result_answer(const struct result *result)
{
    return result->diff_small ? result->array : ANSWER_WRONG;
}

/* Finds the result, and in which element of its array it begins. */
static const struct array *find(const struct image *image, bool on_device,
                                const struct oracle_problem *problem, size_t *first)
{
    for (size_t i = 0; i < image->count; i++) {
        const struct array *array = &image->arrays[i];
        size_t places = array->bytes / (problem->elements * sizeof(float));
        if (array->on_device != on_device) continue;
        for (size_t place = 0; place < places && place < PLACES_MAX; place++)
            if (array_fits(array, *first = place * problem->elements, problem)) return array;
    }
    return NULL;
}

const struct array *result_find(const struct image *image, bool on_device,
                                const struct oracle_problem *problem)
{
    size_t first;
    return find(image, on_device, problem, &first);
}

const struct array *result_nearest(const struct image *image, const struct oracle_problem *problem,
                                   struct difference *difference)
{
    const struct array *nearest = NULL;
    size_t tried = 0;
    for (size_t i = 0; i < image->count && tried < NEAREST_MAX; i++) {
        const struct array *array = &image->arrays[i];
        if (array->on_device || array->bytes / sizeof(float) < problem->elements) continue;
        struct difference found = array_difference(array, 0, problem);
        tried++;
        if (nearest != NULL && found.wrong >= difference->wrong) continue;
        nearest = array;
        *difference = found;
    }
    return nearest;
}

struct result result_judge(struct check *check, const struct run *run)
{
    struct result result = {.array = ANSWER_WRONG};
    struct image image;
    run_prepare(check, run);
    result.small = compare_small_diff(&run->problem);
    double diff = fabs(run->printed.diff);
    result.diff_small = run->printed.has_diff && isfinite(diff) && diff <= result.small;
    const char *wrong = image_read(check->arena, run, &image);
    const struct array *found = NULL;
    size_t first;
    if (wrong != NULL)
        check_trouble(check, wrong);
    else if ((found = find(&image, false, &run->problem, &first)) != NULL)
        result.array = ANSWER_RIGHT;
    else if (!image.complete)
        result.array = ANSWER_UNKNOWN;
    if (found != NULL && found->record->event == EVENT_COPY)
        result.host = found->record->copy.host + first * sizeof(float);
    image_free(&image);
    return result;
}
