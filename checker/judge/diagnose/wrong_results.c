/*
 * wrong_results.c: the diagnoses of a wrong result. Problems of eight elements and more are looked
 * at before smaller ones, which fit too many patterns, and findings that name a mistake before
 * plain differences: what is found first is told, and nothing that only repeats it for another
 * size. A pattern has to be that of the largest wrong result too, for a mistake is the same at all
 * sizes.
 */
#include "judge/diagnose/diagnose.h"
#include "judge/result/pattern.h"

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
                  arena_format(diagnoses->arena, "for %s, %s", run->arguments, text), evidence);
}

/* True when a kernel ended in an error, after which no call does anything: what did not come back
 * says nothing. */
static bool was_stopped(const struct run *run)
{
    TRACE_EACH (&run->trace, EVENT_ERROR, r)
        if (r->error.code >= FIRST_KERNEL_ERROR && r->error.code <= LAST_KERNEL_ERROR) return true;
    return false;
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
        arena_format(diagnoses->arena,
                     "the GPU's memory holds the right result, %llu bytes; %llu of them came to "
                     "the host",
                     (unsigned long long)needed, (unsigned long long)bytes),
        json_pack("{s:I, s:I}", "bytes", (json_int_t)bytes, "needed", (json_int_t)needed));
    return true;
}

/* The last copy of an allocation to the host; NULL when there is none. */
static const struct record *copied_back(const struct run *run, uint64_t alloc)
{
    const struct record *last = NULL;
    TRACE_EACH (&run->trace, EVENT_COPY, r)
        if (strcmp(r->copy.direction, "d2h") == 0 && r->copy.from == alloc) last = r;
    return last;
}

/* When the last kernel to end did. */
static double kernels_end(const struct run *run)
{
    double end = 0;
    TRACE_EACH (&run->trace, EVENT_KERNEL, r)
        end = fmax(end, r->end);
    return end;
}

/* The right result on the device, none on the host: it was copied before the kernel was launched or
 * had ended, or in part, or not at all. */
static bool add_not_copied(struct diagnoses *diagnoses, const struct run *run,
                           const struct host_copy *image)
{
    const struct array *device = result_on_device(image, &run->problem);
    if (device == NULL) return false;
    const struct record *copy = copied_back(run, device->alloc), *launch = last_launch(run);
    if (copy != NULL && launch != NULL && copy < launch)
        add(diagnoses, run, "not-copied-back", copy,
            "the GPU's memory holds the right result in the end, but this copy to the host comes "
            "before the launch",
            json_pack("{s:I}", "alloc", (json_int_t)device->alloc));
    else if (copy != NULL && copy->start < kernels_end(run))
        add(diagnoses, run, "copy-too-early", copy,
            "the GPU's memory holds the right result in the end, but this copy to the host began "
            "before the kernel had ended",
            json_pack("{s:I}", "alloc", (json_int_t)device->alloc));
    else if (copy == NULL)
        add(diagnoses, run, "not-copied-back", launch,
            "the GPU's memory holds the right result, and it never came to the host",
            json_pack("{s:I}", "alloc", (json_int_t)device->alloc));
    else
        return add_part_copied(diagnoses, run, device->alloc);
    return true;
}

static bool add_short_copy(struct diagnoses *diagnoses, const struct run *run)
{
    const struct record *copy = pattern_short_copy(run);
    if (copy == NULL) return false;
    add(diagnoses, run, "partial-copy", copy,
        arena_format(
            diagnoses->arena, "this copies %llu of %llu bytes, one for each element instead of 4",
            (unsigned long long)copy->copy.bytes, 4 * (unsigned long long)copy->copy.bytes),
        json_pack("{s:I}", "bytes", (json_int_t)copy->copy.bytes));
    return true;
}

/* How many floats the longest array of the host has. */
static size_t longest_array(const struct host_copy *image)
{
    size_t longest = 0;
    for (size_t i = 0; i < image->count; i++)
        if (!image->arrays[i].on_device && image->arrays[i].bytes / sizeof(float) > longest)
            longest = image->arrays[i].bytes / sizeof(float);
    return longest;
}

/* Nothing long enough came to the host. */
static void add_absent(struct diagnoses *diagnoses, const struct run *run,
                       const struct host_copy *image)
{
    size_t longest = longest_array(image);
    const char *text = longest == 0 ? "no result came to the host"
                                    : arena_format(diagnoses->arena,
                                                   "at most %zu of %zu elements came to the host",
                                                   longest, run->problem.elements);
    add(diagnoses, run, longest == 0 ? "not-copied-back" : "partial-copy", last_launch(run), text,
        json_pack("{s:I}", "elements", (json_int_t)longest));
}

/* Looks for a pattern in the wrong result that came to the host. */
static struct pattern find_pattern(struct arena *arena, const struct run *run,
                                   const struct array *array, const struct difference *d)
{
    struct pattern none = {NULL, NULL, NULL};
    if (!compare_is_whole(&run->problem) || run->problem.elements > PATTERN_ELEMENTS_MAX)
        return none;
    return pattern_find(arena, run, array, d);
}

/* The largest wrong result of this device in which every pattern can be looked for. */
static const struct run *largest_wrong(const struct check *check, const struct result *results,
                                       enum device device)
{
    const struct run *largest = NULL;
    for (size_t i = 0; i < check->run_count; i++) {
        const struct run *run = &check->runs[i];
        if (run->died || run->device != device || results[i].array != ANSWER_WRONG) continue;
        if (!compare_is_whole(&run->problem) || run->problem.elements > PATTERN_ELEMENTS_MAX)
            continue;
        if (largest == NULL || run->problem.flops > largest->problem.flops) largest = run;
    }
    return largest;
}

/* Tells a pattern that holds for the largest wrong result as well. */
static void add_pattern(struct diagnoses *diagnoses, struct check *check,
                        const struct result *results, const struct run *run,
                        const struct array *array, const struct difference *d)
{
    struct pattern pattern = find_pattern(diagnoses->arena, run, array, d);
    const struct run *largest = largest_wrong(check, results, run->device);
    if (largest != NULL && largest != run && pattern.name != NULL) {
        struct host_copy image;
        struct difference difference = {0};
        struct pattern other = {NULL, NULL, NULL};
        run_prepare(check, largest);
        const struct array *nearest = NULL;
        if (host_copy_read(check->arena, largest, &image) == NULL)
            nearest = result_nearest(&image, &largest->problem, &difference);
        if (nearest != NULL) other = find_pattern(diagnoses->arena, largest, nearest, &difference);
        host_copy_free(&image);
        run_prepare(check, run);
        if (other.name == NULL || strcmp(other.name, pattern.name) != 0) return;
    }
    if (pattern.name == NULL) return;
    const struct record *place = pattern.place != NULL ? pattern.place : last_launch(run);
    add(diagnoses, run, pattern.name, place, pattern.text, difference_evidence(d));
}

static void add_plain(struct diagnoses *diagnoses, const struct run *run,
                      const struct difference *d)
{
    struct arena *arena = diagnoses->arena;
    const char *nans = d->nans > 0 ? arena_format(arena, ", %zu of them nan", d->nans) : "";
    add(diagnoses, run, "wrong-result", last_launch(run),
        arena_format(arena, "%zu of %zu elements are wrong%s; element %zu is %.7g instead of %.7g",
                     d->wrong, d->looked_at, nans, d->first, (double)d->got, d->expected),
        difference_evidence(d));
}

/* The program says that its result is right, and it is not among what came back. What that is, is
 * not known, so nothing is told of its elements. */
static void add_not_found(struct diagnoses *diagnoses, const struct run *run)
{
    const struct record *last = last_launch(run);
    TRACE_EACH (&run->trace, EVENT_COPY, r)
        if (strcmp(r->copy.direction, "d2h") == 0) last = r;
    add(diagnoses, run, "result-not-found", last,
        arena_format(diagnoses->arena,
                     "Diff = %g is small, but what came back from the GPU is not the result: the "
                     "host works on it, or Diff is that of other arrays",
                     run->printed.diff),
        NULL);
}

/* Looks for what names a mistake. */
static void diagnose_named(struct diagnoses *diagnoses, struct check *check,
                           const struct result *results, const struct run *run,
                           const struct host_copy *image)
{
    struct difference difference = {0};
    if (add_short_copy(diagnoses, run) || run_saw_fault(run) ||
        add_not_copied(diagnoses, run, image))
        return;
    const struct array *nearest = result_nearest(image, &run->problem, &difference);
    if (nearest != NULL) add_pattern(diagnoses, check, results, run, nearest, &difference);
}

/* Tells plain differences. */
static void diagnose_plain(struct diagnoses *diagnoses, const struct run *run,
                           const struct host_copy *image)
{
    struct difference difference = {0};
    if (was_stopped(run)) return;
    if (result_nearest(image, &run->problem, &difference) != NULL)
        add_plain(diagnoses, run, &difference);
    else if (!run_saw_fault(run))
        add_absent(diagnoses, run, image);
}

/* True when Diff is small and not that of an array which came back. */
static bool is_elsewhere(const struct run *run, const struct result *result,
                         const struct host_copy *image)
{
    struct difference difference;
    if (!result->diff_small || longest_array(image) == 0) return false;
    return !compare_is_whole(&run->problem) ||
           result_compared(image, &run->problem, fabs(run->printed.diff), &difference) == NULL;
}

/* Looks at one wrong result: for what names a mistake, or for `plain` differences. */
static void diagnose_array(struct diagnoses *diagnoses, struct check *check,
                           const struct result *results, const struct run *run, bool plain)
{
    struct host_copy image;
    run_prepare(check, run);
    if (host_copy_read(check->arena, run, &image) == NULL) {
        bool elsewhere = is_elsewhere(run, &results[run - check->runs], &image);
        if (elsewhere && plain)
            add_not_found(diagnoses, run);
        else if (plain)
            diagnose_plain(diagnoses, run, &image);
        else if (!elsewhere)
            diagnose_named(diagnoses, check, results, run, &image);
    }
    host_copy_free(&image);
}

/* Looks at the wrong results of small problems, or of the others, until something is found.
 * Returns whether it was. */
static bool diagnose_arrays(struct diagnoses *diagnoses, struct check *check,
                            const struct result *results, bool small, bool plain)
{
    size_t before = diagnoses->count, looked_at = 0;
    for (size_t i = 0; i < check->run_count && looked_at < WRONG_RUNS_MAX; i++) {
        const struct run *run = &check->runs[i];
        if (diagnoses->count > before) break;
        bool is_small = run->problem.elements < SMALL_ELEMENTS;
        if (run->died || results[i].array != ANSWER_WRONG || is_small != small) continue;
        if (trace_kernels(&run->trace) == 0) continue;
        diagnose_array(diagnoses, check, results, run, plain);
        looked_at++;
    }
    return diagnoses->count > before;
}

/* Where the right result is one array of several that came back, and Diff is that of another. */
static bool add_compared(struct diagnoses *diagnoses, const struct check *check,
                         const struct run *run)
{
    struct host_copy image;
    struct difference d = {0};
    const struct array *array = NULL;
    run_prepare(check, run);
    if (compare_is_whole(&run->problem) && host_copy_read(check->arena, run, &image) == NULL)
        array = result_compared(&image, &run->problem, fabs(run->printed.diff), &d);
    if (array != NULL)
        add(diagnoses, run, "wrong-result", array->record,
            arena_format(diagnoses->arena,
                         "Diff is that of what came back here: %zu of %zu elements are wrong; "
                         "element %zu is %.7g instead of %.7g",
                         d.wrong, d.looked_at, d.first, (double)d.got, d.expected),
            difference_evidence(&d));
    host_copy_free(&image);
    return array != NULL;
}

static void diagnose_diff(struct diagnoses *diagnoses, const struct check *check,
                          const struct run *run, const struct result *result)
{
    if (result->array == ANSWER_RIGHT && add_compared(diagnoses, check, run)) return;
    add(diagnoses, run, "printed-diff", NULL,
        arena_format(diagnoses->arena, "the program prints Diff = %g; rounding explains %.2g",
                     run->printed.diff, result->small),
        json_pack("{s:f}", "small", result->small));
}

static bool read_unwritten(const struct run *run)
{
    TRACE_EACH (&run->trace, EVENT_FAULT, r)
        if (strcmp(r->fault.name, "uninitialised-read") == 0) return true;
    return false;
}

/* True when two runs on one device had the same arguments, and printed Diffs that are not the same
 * although one of them is more than rounding. */
static bool differ(const struct run *one, const struct run *other, double small)
{
    if (one->device != other->device || one->died || other->died) return false;
    if (strcmp(one->arguments, other->arguments) != 0) return false;
    double a = fabs(one->printed.diff), b = fabs(other->printed.diff);
    return isfinite(a) && isfinite(b) && fmax(a, b) > small && fabs(a - b) > 0.01 * fmax(a, b);
}

/* The timed runs on a real GPU are repeated with the same arguments and the same seed. */
static void diagnose_repeats(struct diagnoses *diagnoses, const struct check *check,
                             const struct result *results)
{
    for (size_t i = 0; i < check->run_count; i++)
        for (size_t j = i + 1; j < check->run_count; j++) {
            const struct run *one = &check->runs[i], *other = &check->runs[j];
            if (!differ(one, other, results[i].small)) continue;
            add(diagnoses, one, "differs-from-run-to-run", last_launch(one),
                arena_format(diagnoses->arena,
                             "Diff is %.6g in one run and %.6g in another of the same inputs: "
                             "something is read or written in no certain order",
                             one->printed.diff, other->printed.diff),
                json_pack("{s:f, s:f}", "one", one->printed.diff, "other", other->printed.diff));
            return;
        }
}

void diagnose_results(struct diagnoses *diagnoses, struct check *check,
                      const struct result *results)
{
    bool found = false;
    diagnose_repeats(diagnoses, check, results);
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
        if (run->printed.has_diff && results[i].array != ANSWER_WRONG)
            diagnose_diff(diagnoses, check, run, &results[i]);
    }
}
