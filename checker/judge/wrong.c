/*
 * wrong.c: the diagnoses of a wrong result. Every run with a wrong one is looked at in the order
 * of the check; each different finding is told once.
 */
#include "diagnose.h"
#include "pattern.h"

#include <math.h>
#include <string.h>

enum { WRONG_RUNS_MAX = 8, PATTERN_ELEMENTS_MAX = 1 << 22, PATTERN_ELEMENTS_MIN = 2 };

/* Where the program last asked for a kernel: the place when nothing is more exact. */
static const struct record *last_launch(const struct run *run)
{
    const struct record *last = NULL;
    TRACE_EACH (&run->trace, EVENT_LAUNCH, r)
        last = r;
    return last;
}

static void add(struct diagnoses *diagnoses, const struct run *run, const char *name,
                const struct record *place, const char *text, json_t *evidence)
{
    if (evidence == NULL) evidence = json_object();
    json_object_set_new(evidence, "run", json_string(run->dir));
    json_object_set_new(evidence, "arguments", json_string(run->arguments));
    diagnoses_add(diagnoses, name, place != NULL ? place->file : NULL,
                  place != NULL ? place->line : 0,
                  text_format(diagnoses->arena, "for %s, %s", run->arguments, text), evidence);
}

static json_t *difference_evidence(const struct difference *d)
{
    json_t *evidence = json_pack("{s:I, s:I, s:I, s:I}", "wrong", (json_int_t)d->wrong, "looked_at",
                                 (json_int_t)d->looked_at, "first", (json_int_t)d->first, "last",
                                 (json_int_t)d->last);
    json_object_set_new(evidence, "expected", json_real(d->expected));
    json_object_set_new(evidence, "got", isfinite(d->got) ? json_real(d->got) : json_null());
    return evidence;
}

/* The right result on the device, none on the host. */
static bool add_not_copied(struct diagnoses *diagnoses, const struct run *run,
                           const struct image *image)
{
    const struct array *device = result_find(image, true, &run->problem);
    if (device == NULL) return false;
    const struct record *alloc = trace_alloc(&run->trace, device->alloc);
    add(diagnoses, run, "not-copied-back", alloc,
        "the GPU's memory holds the right result, and it never came to the host",
        json_pack("{s:I}", "alloc", (json_int_t)device->alloc));
    return true;
}

static bool add_short_copy(struct diagnoses *diagnoses, const struct run *run)
{
    const struct record *copy = pattern_short_copy(run);
    if (copy == NULL) return false;
    add(diagnoses, run, "partial-copy", copy,
        text_format(diagnoses->arena,
                    "%llu bytes are copied, one for each element; each element has 4",
                    (unsigned long long)copy->copy.bytes),
        json_pack("{s:I}", "bytes", (json_int_t)copy->copy.bytes));
    return true;
}

/* Nothing long enough came to the host. */
static void add_absent(struct diagnoses *diagnoses, const struct run *run,
                       const struct image *image)
{
    size_t longest = 0;
    for (size_t i = 0; i < image->count; i++)
        if (!image->arrays[i].on_device && image->arrays[i].bytes / sizeof(float) > longest)
            longest = image->arrays[i].bytes / sizeof(float);
    const char *text =
        longest == 0 ? "no result came to the host"
                     : text_format(diagnoses->arena, "at most %zu of %zu elements came to the host",
                                   longest, run->problem.elements);
    add(diagnoses, run, longest == 0 ? "not-copied-back" : "partial-copy", last_launch(run), text,
        json_pack("{s:I}", "elements", (json_int_t)longest));
}

static void add_nearest(struct diagnoses *diagnoses, const struct run *run,
                        const struct array *array, const struct difference *d)
{
    struct arena *arena = diagnoses->arena;
    struct pattern pattern = {NULL, NULL, NULL};
    size_t n = run->problem.elements;
    if (compare_is_whole(&run->problem) && n >= PATTERN_ELEMENTS_MIN && n <= PATTERN_ELEMENTS_MAX)
        pattern = pattern_find(arena, run, array, d);
    if (pattern.name != NULL) {
        const struct record *place = pattern.place != NULL ? pattern.place : last_launch(run);
        add(diagnoses, run, pattern.name, place, pattern.text, difference_evidence(d));
        return;
    }
    const char *nans = d->nans > 0 ? text_format(arena, ", %zu of them nan", d->nans) : "";
    add(diagnoses, run, "wrong-result", last_launch(run),
        text_format(arena, "%zu of %zu elements are wrong%s; element %zu is %.7g instead of %.7g",
                    d->wrong, d->looked_at, nans, d->first, (double)d->got, d->expected),
        difference_evidence(d));
}

static void diagnose_array(struct diagnoses *diagnoses, struct check *check, const struct run *run)
{
    struct image image;
    struct difference difference = {0};
    run_prepare(check, run);
    if (image_read(check->arena, run, &image) == NULL && !add_short_copy(diagnoses, run) &&
        !add_not_copied(diagnoses, run, &image)) {
        const struct array *nearest = result_nearest(&image, &run->problem, &difference);
        if (nearest == NULL)
            add_absent(diagnoses, run, &image);
        else
            add_nearest(diagnoses, run, nearest, &difference);
    }
    image_free(&image);
}

static void diagnose_diff(struct diagnoses *diagnoses, const struct run *run,
                          const struct result *result)
{
    add(diagnoses, run, "printed-diff", NULL,
        text_format(diagnoses->arena, "the program prints Diff = %g; rounding explains %.2g",
                    run->printed.diff, result->small),
        json_pack("{s:f}", "small", result->small));
}

static bool read_unwritten(const struct run *run)
{
    TRACE_EACH (&run->trace, EVENT_FAULT, r)
        if (strcmp(r->fault.name, "uninitialised-read") == 0) return true;
    return false;
}

void diagnose_results(struct diagnoses *diagnoses, struct check *check,
                      const struct result *results)
{
    size_t looked_at = 0;
    for (size_t i = 0; i < check->run_count && looked_at < WRONG_RUNS_MAX; i++) {
        const struct run *run = &check->runs[i];
        bool wrong = !run->died && results[i].array == ANSWER_WRONG;
        if (!wrong && read_unwritten(run)) add_short_copy(diagnoses, run);
        if (run->died || trace_kernels(&run->trace) == 0) continue;
        if (wrong) {
            diagnose_array(diagnoses, check, run);
            looked_at++;
        } else if (run->printed.has_diff && !results[i].diff_small) {
            diagnose_diff(diagnoses, run, &results[i]);
            looked_at++;
        }
    }
}
