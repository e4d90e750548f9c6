/*
 * wrong_results.c: see kinds.h. Problems of SMALL_ELEMENTS and more come before smaller
 * ones, which fit too many patterns. Findings that name a mistake come before plain differences.
 * Only the first finding is reported: others may repeat it for another size. The largest wrong
 * result must show the same pattern, because a mistake is the same at all sizes.
 */
#include "judge/diagnose/kinds.h"
#include "judge/read/run_facts.h"
#include "judge/read/phrases.h"
#include "judge/read/source.h"
#include "judge/result/pattern.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    WRONG_RUNS_MAX = 8, /* wrong results that the judge looks at: each takes a second or less */
    PATTERN_ELEMENTS_MAX = 1 << 22, /* elements of a result in which all patterns are looked for */
    SMALL_ELEMENTS = 8,             /* with fewer elements, too many patterns fit */
};

/* Two runs differ when their Diffs differ by this share. Another order of additions changes
 * less. */
static const double DIFF_CHANGE_MIN = 0.01;

/* A wrong value this close to the right one, relative to it, looks right in a few digits. */
static const double CLOSE = 1e-5;

__attribute__((format(printf, 6, 7))) static void add(struct diagnoses *diagnoses,
                                                      const struct run *run, const char *name,
                                                      const struct record *site, json_t *evidence,
                                                      const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_format_list(diagnoses->arena, format, arguments);
    va_end(arguments);
    for (size_t i = 0; i < diagnoses->count; i++)
        if (strcmp(diagnoses->list[i].name, name) == 0) {
            json_decref(evidence);
            return;
        }
    diagnoses_add(diagnoses, run, name, site, evidence, "with arguments %s, %s", run->arguments,
                  text);
}

static json_t *difference_evidence(const struct difference *d)
{
    json_t *evidence = json_pack("{s:I, s:I, s:I, s:I}", "wrong", (json_int_t)d->wrong, "looked_at",
                                 (json_int_t)d->compared, "first", (json_int_t)d->first, "last",
                                 (json_int_t)d->last);
    json_object_set_new(evidence, "expected", json_real(d->expected));
    json_object_set_new(evidence, "got", isfinite(d->got) ? json_real(d->got) : json_null());
    return evidence;
}

/* All copies of one direction out of an allocation (d2h), or into it (h2d). */
struct copies {
    uint64_t bytes;
    const struct record *first, *last; /* NULL when there is none */
};

static struct copies copies_of(const struct run *run, const char *direction, uint64_t alloc)
{
    struct copies copies = {0};
    bool in = strcmp(direction, "h2d") == 0;
    TRACE_EACH (&run->trace, EVENT_COPY, r) {
        if (strcmp(r->copy.direction, direction) != 0 || (in ? r->copy.to : r->copy.from) != alloc)
            continue;
        copies.bytes += r->copy.bytes;
        if (copies.first == NULL) copies.first = r;
        copies.last = r;
    }
    return copies;
}

/* The time at which the last kernel ended. */
static double kernels_end(const struct run *run)
{
    double end = 0;
    TRACE_EACH (&run->trace, EVENT_KERNEL, r)
        end = fmax(end, r->end);
    return end;
}

/* The first copy of this many bytes to the host after the launch; NULL when there is none. */
static const struct record *copy_after(const struct run *run, const struct record *launch,
                                       uint64_t bytes)
{
    TRACE_EACH (&run->trace, EVENT_COPY, r)
        if (r > launch && strcmp(r->copy.direction, "d2h") == 0 && r->copy.bytes == bytes) return r;
    return NULL;
}

/* The right result is on the device, but not on the host. It was copied too early, only in part, or
 * not at all. */
static bool add_not_copied(struct diagnoses *diagnoses, const struct run *run,
                           const struct host_copy *host)
{
    const struct host_array *device = result_on_device(host, &run->problem);
    const struct record *launch = run_last_launch(run);
    uint64_t needed = run->problem.elements * sizeof(float);
    if (device == NULL) return false;
    struct copies back = copies_of(run, "d2h", device->alloc);
    const struct record *other = copy_after(run, launch, needed);
    json_t *evidence = json_pack("{s:I}", "alloc", (json_int_t)device->alloc);
    if (back.last == NULL && other != NULL)
        add(diagnoses, run, "not-copied-back", other, evidence,
            "the GPU's memory holds the right result, but this line copies another array to the "
            "host");
    else if (back.last == NULL)
        add(diagnoses, run, "not-copied-back", launch, evidence,
            "the GPU's memory holds the right result, but the program never copies it to the host");
    else if (launch != NULL && back.last < launch)
        add(diagnoses, run, "not-copied-back", back.last, evidence,
            "the GPU's memory holds the right result in the end. But this copy to the host comes "
            "before the kernel launch");
    else if (back.last->start < kernels_end(run))
        add(diagnoses, run, "copy-too-early", back.last, evidence,
            "the GPU's memory holds the right result in the end. But this copy to the host began "
            "before the kernel had finished");
    else {
        json_decref(evidence);
        if (back.bytes == 0 || back.bytes >= needed) return false;
        add(diagnoses, run, "partial-copy", back.first,
            json_pack("{s:I, s:I}", "bytes", (json_int_t)back.bytes, "needed", (json_int_t)needed),
            "the GPU's memory holds the right result, %llu bytes, but only %llu bytes were copied "
            "to the host",
            (unsigned long long)needed, (unsigned long long)back.bytes);
    }
    return true;
}

/* A copy has as many bytes as the problem has elements, out of or into an array at least four times
 * as large. No other copy in that direction copies the rest. */
static bool add_short_copy(struct diagnoses *diagnoses, const struct run *run)
{
    TRACE_EACH (&run->trace, EVENT_COPY, r) {
        bool in = strcmp(r->copy.direction, "h2d") == 0;
        uint64_t id = in ? r->copy.to : r->copy.from, bytes = r->copy.bytes;
        const struct record *alloc = trace_alloc(&run->trace, id);
        if ((!in && strcmp(r->copy.direction, "d2h") != 0) || bytes != run->problem.elements ||
            r->copy.offset != 0 || alloc == NULL || alloc->alloc.bytes < 4 * bytes ||
            copies_of(run, r->copy.direction, id).bytes != bytes)
            continue;
        add(diagnoses, run, "partial-copy", r, json_pack("{s:I}", "bytes", (json_int_t)bytes),
            "this line copies %llu of %llu bytes: 1 byte per element instead of 4",
            (unsigned long long)bytes, 4 * (unsigned long long)bytes);
        return true;
    }
    return false;
}

/* A kernel reads memory that nothing has written. It belongs to an array of which copies set only a
 * part. */
static bool add_part_uploaded(struct diagnoses *diagnoses, const struct run *run)
{
    TRACE_EACH (&run->trace, EVENT_FAULT, r) {
        const struct record *array = trace_alloc(&run->trace, r->fault.alloc);
        struct copies in = copies_of(run, "h2d", r->fault.alloc);
        if (strcmp(r->fault.name, "uninitialised-read") != 0 || r->fault.shared || array == NULL ||
            in.bytes == 0 || in.bytes >= array->alloc.bytes ||
            source_line_has(diagnoses->arena, array->file, array->line, "MallocPitch"))
            continue;
        add(diagnoses, run, "partial-copy", in.first,
            json_pack("{s:I, s:I}", "bytes", (json_int_t)in.bytes, "needed",
                      (json_int_t)array->alloc.bytes),
            "only %llu of this array's %llu bytes are copied to the GPU, but the kernel also reads "
            "the rest",
            (unsigned long long)in.bytes, (unsigned long long)array->alloc.bytes);
        return true;
    }
    return false;
}

static bool reads_unwritten(const struct run *run)
{
    TRACE_EACH (&run->trace, EVENT_FAULT, r)
        if (strcmp(r->fault.name, "uninitialised-read") == 0) return true;
    return false;
}

/* The number of floats in the host's longest array. */
static size_t longest_array(const struct host_copy *host)
{
    size_t longest = 0;
    for (size_t i = 0; i < host->count; i++)
        if (!host->arrays[i].on_device && host->arrays[i].bytes / sizeof(float) > longest)
            longest = host->arrays[i].bytes / sizeof(float);
    return longest;
}

/* A copy to the GPU after the last kernel: it was probably meant to bring the result. NULL if there
 * is none. */
static const struct record *copied_again(const struct run *run)
{
    const struct record *kernel = run_last_launch(run), *copy = NULL;
    TRACE_EACH (&run->trace, EVENT_COPY, r)
        if (kernel != NULL && r > kernel && strcmp(r->copy.direction, "h2d") == 0) copy = r;
    return copy;
}

/* No array that came to the host is long enough. */
static void add_absent(struct diagnoses *diagnoses, const struct run *run,
                       const struct host_copy *host)
{
    size_t longest = longest_array(host);
    const struct record *again = longest == 0 ? copied_again(run) : NULL;
    const char *text = again != NULL  ? "the program copies no result to the host. This copy after "
                                        "the kernel goes to the GPU"
                       : longest == 0 ? "the program copies no result to the host"
                                      : arena_format(diagnoses->arena,
                                                     "at most %zu of %zu elements came to the host",
                                                     longest, run->problem.elements);
    add(diagnoses, run, longest == 0 ? "not-copied-back" : "partial-copy",
        again != NULL ? again : run_last_launch(run),
        json_pack("{s:I}", "elements", (json_int_t)longest), "%s", text);
}

/* Looks for a pattern in the wrong result that came to the host. */
static struct pattern find_pattern(struct arena *arena, const struct run *run,
                                   const struct host_array *array, const struct difference *d)
{
    struct pattern none = {.name = NULL};
    if (!compare_is_whole(&run->problem)) return none;
    if (run->problem.elements > PATTERN_ELEMENTS_MAX)
        return pattern_find_tail(arena, run, array, d);
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

/* The bytes that the lanes of an access record store. */
static double stored_bytes(const struct record *access)
{
    return access->access.lanes * (double)access->access.size;
}

/* The line that stores the most in the kernel of the result; NULL where only the launch is
 * known. */
static const struct record *store_of(const struct run *run, const struct host_array *array)
{
    const struct record *most = NULL, *launch = run_last_launch(run), *brought = array->record;
    uint64_t kernel = brought->event == EVENT_COPY ? brought->copy.last_kernel : 0;
    if (kernel == 0 && launch != NULL) kernel = launch->launch.id;
    TRACE_EACH (&run->trace, EVENT_ACCESS, r)
        if (r->access.kernel == kernel && !r->access.shared && r->file != NULL &&
            strcmp(r->access.kind, "load") != 0 &&
            (most == NULL || stored_bytes(r) > stored_bytes(most)))
            most = r;
    return most;
}

/* Where the compiler says that a variable is not set before it is used: "axpy.cu:5: warning: 'sum'
 * …". NULL where it says nothing. */
static const struct record *unset_variable(struct arena *arena, const struct check *check)
{
    for (size_t i = 0; i < check->compile_count; i++) {
        const char *log = check->compiles[i].log, *words = strstr(log, ": warning: '");
        size_t name = strcspn(log, ":"), length = strcspn(log, "\n");
        if (check->compiles[i].device != DEVICE_SIM || words == NULL || words > log + length)
            continue;
        struct record *site = arena_alloc(arena, sizeof *site);
        *site = (struct record){.file = arena_copy(arena, log, name), .line = atoi(log + name + 1)};
        return site;
    }
    return NULL;
}

/* Where a thread took a value from a lane that did not give one; NULL where none did. */
static const struct record *lost_value(struct arena *arena, const struct run *run)
{
    TRACE_EACH (&run->trace, EVENT_KERNEL, r) {
        if (r->kernel.lost_file == NULL) continue;
        struct record *site = arena_alloc(arena, sizeof *site);
        *site = (struct record){.file = r->kernel.lost_file, .line = r->kernel.lost_line};
        return site;
    }
    return NULL;
}

/* The line that a pattern concerns. A wrong value was stored there; an element that no kernel wrote
 * has no such line. NULL where only the launch is known. */
static const struct record *site_of(struct arena *arena, const struct check *check,
                                    const struct run *run, const struct host_array *array,
                                    const struct pattern *pattern)
{
    const struct record *site = NULL;
    if (strcmp(pattern->name, "uninitialised-read") == 0) site = unset_variable(arena, check);
    if (strcmp(pattern->name, "lanes-missing") == 0) site = lost_value(arena, run);
    if (site != NULL) return site;
    if (pattern->of_values) return store_of(run, array);
    if (pattern->site != NULL) return pattern->site;
    return host_array_by_kernels(array, run) ? store_of(run, array) : NULL;
}

/* Reports a pattern if it also holds for the largest wrong result. */
static void add_pattern(struct diagnoses *diagnoses, const struct check *check,
                        const struct result *results, const struct run *run,
                        const struct host_array *array, const struct difference *d)
{
    struct pattern pattern = find_pattern(diagnoses->arena, run, array, d);
    const struct run *largest = largest_wrong(check, results, run->device);
    if (largest != NULL && largest != run && pattern.name != NULL) {
        struct host_copy host;
        struct difference difference = {0};
        struct pattern other = {.name = NULL};
        const struct host_array *nearest = NULL;
        if (host_copy_read(check->arena, largest, &host) == NULL)
            nearest = result_nearest(&host, &largest->problem, &difference);
        if (nearest != NULL) other = find_pattern(diagnoses->arena, largest, nearest, &difference);
        host_copy_free(&host);
        if (other.name == NULL || strcmp(other.name, pattern.name) != 0) return;
    }
    if (pattern.name == NULL) return;
    const struct record *site = site_of(diagnoses->arena, check, run, array, &pattern);
    if (site == NULL) site = run_last_launch(run);
    size_t before = diagnoses->count;
    add(diagnoses, run, pattern.name, site, difference_evidence(d), "%s", pattern.text);
    if (diagnoses->count > before) diagnoses->list[before].next = pattern.next;
}

static bool uses_tensor_cores(const struct run *run)
{
    TRACE_EACH (&run->trace, EVENT_KERNEL, r)
        if (r->kernel.tensor_flops > 0) return true;
    return false;
}

static void add_plain(struct diagnoses *diagnoses, const struct run *run,
                      const struct host_array *array, const struct difference *d)
{
    struct arena *arena = diagnoses->arena;
    const struct record *store = store_of(run, array);
    const char *nans = d->nans > 0 ? arena_format(arena, ", and %zu of them NaN", d->nans) : "";
    bool close = fabs(d->got - d->expected) <= CLOSE * fabs(d->expected);
    size_t columns = run->problem.columns, before = diagnoses->count;
    const char *element = columns > 2 ? arena_format(arena, "The element in row %zu, column %zu",
                                                     d->first / columns, d->first % columns)
                                      : arena_format(arena, "Element %zu", d->first);
    add(diagnoses, run, "wrong-result", store != NULL ? store : run_last_launch(run),
        difference_evidence(d), "%zu of %zu elements %s wrong%s. %s is %.*g instead of %.*g%s",
        d->wrong, d->compared, d->wrong == 1 ? "is" : "are", nans, element, close ? 9 : 7,
        isnan(d->got) ? NAN : (double)d->got, close ? 9 : 7, d->expected,
        close ? ": this is close, but the roundings of floats do not explain the difference" : "");
    if (diagnoses->count > before && uses_tensor_cores(run))
        diagnoses->list[before].next =
            "which rows and columns does each lane give the tensor cores, and which does it store? "
            "Compare with the layout in the PTX manual";
}

/* The program says that its result is right, but that result did not come back. Nobody knows what
 * the returned arrays are, so this says nothing about their elements. */
static void add_not_found(struct diagnoses *diagnoses, const struct run *run)
{
    const struct record *last = run_last_launch(run);
    TRACE_EACH (&run->trace, EVENT_COPY, r)
        if (strcmp(r->copy.direction, "d2h") == 0) last = r;
    add(diagnoses, run, "result-not-found", last, NULL,
        "Diff = %g is small, but what came back from the GPU is not the result. The host changes "
        "it afterwards, or Diff compares other arrays",
        run->printed.diff);
}

/* Looks for a finding that names a mistake. */
static void diagnose_named(struct diagnoses *diagnoses, const struct check *check,
                           const struct result *results, const struct run *run,
                           const struct host_copy *host)
{
    struct difference difference = {0};
    if (add_short_copy(diagnoses, run) || run_saw_fault(run) ||
        add_not_copied(diagnoses, run, host))
        return;
    const struct host_array *nearest = result_nearest(host, &run->problem, &difference);
    if (nearest != NULL) add_pattern(diagnoses, check, results, run, nearest, &difference);
}

/* Reports plain differences. */
static void diagnose_plain(struct diagnoses *diagnoses, const struct run *run,
                           const struct host_copy *host)
{
    struct difference difference = {0};
    if (run_was_aborted(run)) return;
    const struct host_array *nearest = result_nearest(host, &run->problem, &difference);
    if (nearest != NULL)
        add_plain(diagnoses, run, nearest, &difference);
    else if (!run_saw_fault(run))
        add_absent(diagnoses, run, host);
}

/* True when Diff is small, and is not the Diff of an array that came back. */
static bool is_elsewhere(const struct run *run, const struct result *result,
                         const struct host_copy *host)
{
    struct difference difference;
    if (!result->diff_small || longest_array(host) == 0) return false;
    if (!compare_is_whole(&run->problem)) return true;
    return !result_is_close(host, &run->problem) &&
           result_compared(host, &run->problem, fabs(run->printed.diff), &difference) == NULL;
}

/* Looks at one wrong result, for a finding that names a mistake or for `plain` differences. */
static void diagnose_array(struct diagnoses *diagnoses, const struct check *check,
                           const struct result *results, const struct run *run, bool plain)
{
    struct host_copy host;
    if (host_copy_read(check->arena, run, &host) == NULL) {
        bool elsewhere = is_elsewhere(run, &results[run - check->runs], &host);
        if (elsewhere && plain)
            add_not_found(diagnoses, run);
        else if (plain)
            diagnose_plain(diagnoses, run, &host);
        else if (!elsewhere)
            diagnose_named(diagnoses, check, results, run, &host);
    }
    host_copy_free(&host);
}

/* Looks at the wrong results of small problems, or of the others, until something is found.
 * Returns whether it was. */
static bool diagnose_arrays(struct diagnoses *diagnoses, const struct check *check,
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

/* Adds a diagnosis when several arrays came back, one of them is the right result, and Diff belongs
 * to another. */
static bool add_compared(struct diagnoses *diagnoses, const struct check *check,
                         const struct run *run)
{
    struct host_copy host;
    struct difference d = {0};
    const struct host_array *array = NULL;
    if (compare_is_whole(&run->problem) && host_copy_read(check->arena, run, &host) == NULL)
        array = result_compared(&host, &run->problem, fabs(run->printed.diff), &d);
    if (array != NULL)
        add(diagnoses, run, "wrong-result", array->record, difference_evidence(&d),
            "the printed Diff uses the array that this line copies: %zu of its %zu elements are "
            "wrong. Element %zu is %.7g instead of %.7g",
            d.wrong, d.compared, d.first, (double)d.got, d.expected);
    host_copy_free(&host);
    return array != NULL;
}

static void diagnose_diff(struct diagnoses *diagnoses, const struct check *check,
                          const struct run *run, const struct result *result)
{
    if (result->array == ANSWER_RIGHT && add_compared(diagnoses, check, run)) return;
    add(diagnoses, run, "printed-diff", NULL, json_pack("{s:f}", "small", result->small),
        "the program prints Diff = %g, but rounding explains only %.2g", run->printed.diff,
        result->small);
}

/* True when two runs on one device had the same arguments but printed different Diffs, and at least
 * one Diff is larger than rounding explains. */
static bool differ(const struct run *one, const struct run *other, double small)
{
    if (one->device != other->device || one->died || other->died) return false;
    if (strcmp(one->arguments, other->arguments) != 0) return false;
    double a = fabs(one->printed.diff), b = fabs(other->printed.diff);
    return isfinite(a) && isfinite(b) && fmax(a, b) > small &&
           fabs(a - b) > DIFF_CHANGE_MIN * fmax(a, b);
}

/* The check repeats the timed runs on a real GPU with the same arguments and the same seed. */
static void diagnose_repeats(struct diagnoses *diagnoses, const struct check *check,
                             const struct result *results)
{
    for (size_t i = 0; i < check->run_count; i++)
        for (size_t j = i + 1; j < check->run_count; j++) {
            const struct run *one = &check->runs[i], *other = &check->runs[j];
            if (!differ(one, other, results[i].small)) continue;
            add(diagnoses, one, "differs-from-run-to-run", run_last_launch(one),
                json_pack("{s:f, s:f}", "one", one->printed.diff, "other", other->printed.diff),
                "Diff is %.6g in one run and %.6g in another, with the same inputs: the result "
                "depends on the order in which threads run",
                one->printed.diff, other->printed.diff);
            return;
        }
}

/* A copy brought back data that the host had written to the GPU's memory. */
static void add_copied(struct diagnoses *diagnoses, const struct host_made *made)
{
    diagnoses_add(diagnoses, made->run, "result-from-host", made->site,
                  json_pack("{s:I, s:I}", "bytes", (json_int_t)made->bytes, "host_bytes",
                            (json_int_t)made->host),
                  "with arguments %s, this line copies %llu bytes to the host. The host itself "
                  "wrote %llu of them; no kernel did",
                  made->run->arguments, made->bytes, made->host);
}

/* The result does not follow a change of an input on the GPU. */
static void add_elsewhere(struct diagnoses *diagnoses, const struct host_made *made)
{
    const char *timed = made->timed ? "timed " : "";
    diagnoses_add(
        diagnoses, made->run, "result-from-host", made->site,
        json_pack("{s:I, s:I, s:I}", "array", (json_int_t)made->array, "index",
                  (json_int_t)made->index, "places", (json_int_t)made->sites),
        made->changed     ? "with arguments %s, the check changed element %zu of input array %zu "
                            "in the GPU's memory before each %skernel. The result changed, but it "
                            "is not the result for the changed input: %skernels compute only a "
                            "part of it"
        : made->sites > 0 ? "with arguments %s, the check changed element %zu of input array %zu "
                            "in the GPU's memory before each %skernel. The result stayed the "
                            "same, so no %skernel computes it from this array"
                          : "with arguments %s, element %zu of input array %zu was nowhere in the "
                            "GPU's memory when %skernels started. The result is right, so no "
                            "%skernel computes it from this array",
        made->run->arguments, made->index, made->array, timed, timed);
}

/* Adds the first right result that the GPU did not make. */
static void diagnose_host_made(struct diagnoses *diagnoses, const struct check *check,
                               const struct result *results)
{
    for (int how = MADE_COPIED; how <= MADE_ELSEWHERE; how++)
        for (size_t i = 0; i < check->run_count; i++) {
            const struct host_made *made = &results[i].made;
            if ((int)made->how != how) continue;
            (how == MADE_COPIED ? add_copied : add_elsewhere)(diagnoses, made);
            return;
        }
}

/* Two extern shared arrays of one kernel begin at the same byte. If the result is wrong, or threads
 * race for shared memory, that is why. */
static void diagnose_shared_arrays(struct diagnoses *diagnoses, const struct check *check,
                                   const struct result *results)
{
    for (size_t i = 0; i < check->run_count; i++) {
        const struct run *run = &check->runs[i];
        bool bad = results[i].array == ANSWER_WRONG;
        TRACE_EACH (&run->trace, EVENT_FAULT, r)
            bad = bad || (r->fault.in_kernel && r->fault.shared);
        if (!bad) continue;
        TRACE_EACH (&run->trace, EVENT_LAUNCH, r) {
            const char *name = r->launch.same_shared;
            if (name == NULL) continue;
            struct record site = {
                .file = check->source,
                .line = source_line_with(check->arena, check->source, "extern __shared__", name)};
            add(diagnoses, run, "shared-arrays-overlap", site.line > 0 ? &site : r, NULL,
                "%s begins at the same byte as the other extern __shared__ array of this kernel",
                name);
            return;
        }
    }
}

void diagnose_results(struct diagnoses *diagnoses, const struct check *check,
                      const struct result *results)
{
    bool found = false;
    diagnose_shared_arrays(diagnoses, check, results);
    diagnose_host_made(diagnoses, check, results);
    diagnose_repeats(diagnoses, check, results);
    for (size_t i = 0; i < check->run_count; i++)
        if (reads_unwritten(&check->runs[i]) && check->runs[i].problem.elements >= SMALL_ELEMENTS)
            found = add_short_copy(diagnoses, &check->runs[i]) ||
                    add_part_uploaded(diagnoses, &check->runs[i]) || found;
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
