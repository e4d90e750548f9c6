/*
 * wrong.c: the diagnoses of a wrong result. Problems of eight elements and more are looked at
 * before smaller ones, which fit too many patterns, and findings that name a mistake before plain
 * differences: what is found first is told, and nothing that only repeats it for another size.
 */
#include "diagnose.h"
#include "pattern.h"

#include <math.h>
#include <string.h>

enum { WRONG_RUNS_MAX = 8, PATTERN_ELEMENTS_MAX = 1 << 22, SMALL_ELEMENTS = 8 };

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
    for (size_t i = 0; i < diagnoses->count; i++)
        if (strcmp(diagnoses->list[i].name, name) == 0) {
            json_decref(evidence);
            return;
        }
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

/* Copies out of the array that holds the right result, too short to move it. */
static bool add_part_copied(struct diagnoses *diagnoses, const struct run *run, uint64_t alloc)
{
    uint64_t bytes, needed = run->problem.elements * sizeof(float);
    const struct record *copy = pattern_copies_back(run, alloc, &bytes);
    if (copy == NULL || bytes == 0 || bytes >= needed) return false;
    add(diagnoses, run, "partial-copy", copy,
        text_format(diagnoses->arena,
                    "the GPU's memory holds the right result, %llu bytes; %llu of them came to "
                    "the host",
                    (unsigned long long)needed, (unsigned long long)bytes),
        json_pack("{s:I, s:I}", "bytes", (json_int_t)bytes, "needed", (json_int_t)needed));
    return true;
}

/* The right result on the device, none on the host, or not all of it. */
static bool add_not_copied(struct diagnoses *diagnoses, const struct run *run,
                           const struct image *image)
{
    const struct array *device = result_find(image, true, &run->problem);
    if (device == NULL) return false;
    if (add_part_copied(diagnoses, run, device->alloc)) return true;
    add(diagnoses, run, "not-copied-back", last_launch(run),
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
                    "this copies %llu of %llu bytes, one for each element instead of 4",
                    (unsigned long long)copy->copy.bytes, 4 * (unsigned long long)copy->copy.bytes),
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

static void add_pattern(struct diagnoses *diagnoses, const struct run *run,
                        const struct array *array, const struct difference *d)
{
    if (!compare_is_whole(&run->problem) || run->problem.elements > PATTERN_ELEMENTS_MAX) return;
    struct pattern pattern = pattern_find(diagnoses->arena, run, array, d);
    if (pattern.name == NULL) return;
    const struct record *place = pattern.place != NULL ? pattern.place : last_launch(run);
    add(diagnoses, run, pattern.name, place, pattern.text, difference_evidence(d));
}

static void add_plain(struct diagnoses *diagnoses, const struct run *run,
                      const struct difference *d)
{
    struct arena *arena = diagnoses->arena;
    const char *nans = d->nans > 0 ? text_format(arena, ", %zu of them nan", d->nans) : "";
    add(diagnoses, run, "wrong-result", last_launch(run),
        text_format(arena, "%zu of %zu elements are wrong%s; element %zu is %.7g instead of %.7g",
                    d->wrong, d->looked_at, nans, d->first, (double)d->got, d->expected),
        difference_evidence(d));
}

/* Looks at one wrong result: for what names a mistake, or for `plain` differences. */
static void diagnose_array(struct diagnoses *diagnoses, struct check *check, const struct run *run,
                           bool plain)
{
    struct image image;
    struct difference difference = {0};
    run_prepare(check, run);
    if (image_read(check->arena, run, &image) == NULL &&
        (plain || (!add_short_copy(diagnoses, run) && !add_not_copied(diagnoses, run, &image)))) {
        const struct array *nearest = result_nearest(&image, &run->problem, &difference);
        if (nearest != NULL && plain)
            add_plain(diagnoses, run, &difference);
        else if (nearest != NULL)
            add_pattern(diagnoses, run, nearest, &difference);
        else if (plain)
            add_absent(diagnoses, run, &image);
    }
    image_free(&image);
}

/* Looks at the wrong results of small problems, or of the others. Returns whether anything was
 * found. */
static bool diagnose_arrays(struct diagnoses *diagnoses, struct check *check,
                            const struct result *results, bool small, bool plain)
{
    size_t before = diagnoses->count, looked_at = 0;
    for (size_t i = 0; i < check->run_count && looked_at < WRONG_RUNS_MAX; i++) {
        const struct run *run = &check->runs[i];
        bool is_small = run->problem.elements < SMALL_ELEMENTS;
        if (run->died || results[i].array != ANSWER_WRONG || is_small != small) continue;
        if (trace_kernels(&run->trace) == 0) continue;
        diagnose_array(diagnoses, check, run, plain);
        looked_at++;
    }
    return diagnoses->count > before;
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
    bool found = false;
    for (size_t i = 0; i < check->run_count; i++)
        if (read_unwritten(&check->runs[i]) && check->runs[i].problem.elements >= SMALL_ELEMENTS &&
            add_short_copy(diagnoses, &check->runs[i]))
            found = true;
    for (int plain = 0; plain <= 1; plain++)
        for (int small = 0; small <= 1 && !found; small++)
            found = diagnose_arrays(diagnoses, check, results, small, plain);
    for (size_t i = 0; i < check->run_count && !found; i++) {
        const struct run *run = &check->runs[i];
        if (run->died || trace_kernels(&run->trace) == 0 || results[i].diff_small) continue;
        if (run->printed.has_diff) diagnose_diff(diagnoses, run, &results[i]);
    }
}
