/* provenance.c: see provenance.h. */
#include "judge/measure/provenance.h"
#include "judge/oracle.h"
#include "judge/timing/repeats.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ARRAYS_MAX = 8 };

/* A rate beyond so many limits is not one of the work. */
static const double SHARE_MOST = 1.5;

/* ---- runs that probe ------------------------------------------------------------------------ */

/* How many elements an input array has. */
static size_t input_length(size_t array)
{
    double value;
    size_t low = 0, high = 1; /* below `low` there are elements, at `high` there is none */
    while (high < SIZE_MAX / 4 && oracle_input(array, high - 1, &value))
        high *= 2;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (oracle_input(array, middle - 1, &value))
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The element of an input array that is altered: in its middle, and no small number. False for
 * arrays of fewer than two, which programs hand over with the launch. */
static bool probed_element(size_t array, size_t *index, float *value)
{
    size_t length = input_length(array);
    if (length < 2) return false;
    for (size_t i = length / 2; i < length; i++) {
        double exact = 0;
        oracle_input(array, i, &exact);
        *index = i;
        *value = (float)exact;
        if (fabs(exact) > 0.25) return true;
    }
    return false;
}

bool provenance_print_probes(int argc, char *argv[], uint64_t seed)
{
    struct oracle_problem problem;
    if (!oracle_prepare(argc, argv, seed, &problem)) return false;
    for (size_t array = 0; array < ARRAYS_MAX; array++) {
        size_t index;
        float value;
        uint32_t bits;
        if (!probed_element(array, &index, &value)) continue;
        memcpy(&bits, &value, sizeof bits);
        printf("%zu %08x\n", array, (unsigned)bits);
    }
    return true;
}

/* ---- where the result comes from ------------------------------------------------------------ */

static const struct record *last_launch(const struct trace *trace)
{
    const struct record *last = NULL;
    TRACE_EACH (trace, EVENT_LAUNCH, r)
        last = r;
    return last;
}

static void add(struct diagnoses *diagnoses, const struct run *run, const struct record *place,
                const char *text, json_t *evidence)
{
    json_object_set_new(evidence, "run", json_string(run->dir));
    json_object_set_new(evidence, "arguments", json_string(run->arguments));
    for (size_t i = 0; i < diagnoses->count; i++)
        if (strcmp(diagnoses->list[i].name, "result-from-host") == 0) {
            json_decref(evidence);
            return;
        }
    diagnoses_add(diagnoses, "result-from-host", place != NULL ? place->file : NULL,
                  place != NULL ? place->line : 0, text, evidence);
}

/* True when the host has filled what a copy then brings back, and no kernel was launched in
 * between. */
static bool no_kernel_between(const struct trace *trace, const struct record *back)
{
    for (const struct record *r = back; r-- > trace->records && r->event != EVENT_LAUNCH;) {
        bool same = r->event == EVENT_COPY && strcmp(r->copy.direction, "h2d") == 0 &&
                    r->copy.to != 0 && r->copy.to == back->copy.from;
        if (same && r->copy.offset <= back->copy.offset &&
            r->copy.offset + r->copy.bytes >= back->copy.offset + back->copy.bytes)
            return true;
    }
    return false;
}

/* How many of the bytes that a copy brought no kernel wrote. */
static uint64_t host_bytes(const struct run *run, const struct record *copy)
{
    return no_kernel_between(&run->trace, copy) ? copy->copy.bytes : copy->copy.host_bytes;
}

/* The last copy that brought a part of the result which the host had put there; NULL when all of
 * it was written by kernels. What a later copy brings to the same place counts instead. */
static const struct record *copy_of_host(const struct run *run, const struct result *result)
{
    const struct record *found = NULL;
    TRACE_EACH (&run->trace, EVENT_COPY, r) {
        if (strcmp(r->copy.direction, "d2h") != 0) continue;
        uint64_t needed = result_bytes_of(result, &run->problem, r);
        if (needed == 0) continue;
        if (r->copy.bytes - host_bytes(run, r) < needed)
            found = r;
        else if (found != NULL && found->copy.host == r->copy.host &&
                 (result->alloc == 0 || found->copy.offset == r->copy.offset))
            found = NULL;
    }
    return found;
}

/* Notes it when the host has written a right result into the GPU's memory itself. */
static void judge_origin(struct diagnoses *diagnoses, const struct run *run, struct result *result)
{
    if (result->array != ANSWER_RIGHT || !result->copied) return;
    const struct record *copy = copy_of_host(run, result);
    if (copy == NULL) return;
    unsigned long long all = copy->copy.bytes, host = host_bytes(run, copy);
    result->host_made =
        arena_format(diagnoses->arena,
                     "right for %s, but no kernel wrote %llu of the %llu bytes that "
                     "came back",
                     run->arguments, host, all);
    add(diagnoses, run, copy,
        arena_format(diagnoses->arena,
                     "for %s, this copies %llu bytes to the host; %llu of them no kernel wrote: "
                     "they came from the host",
                     run->arguments, all, host),
        json_pack("{s:I, s:I}", "bytes", (json_int_t)all, "host_bytes", (json_int_t)host));
}

/* In how many places of the GPU's memory the number was altered; -1 when no kernel ran. */
static double altered_places(const struct run *probe)
{
    double places = -1;
    TRACE_EACH (&probe->trace, EVENT_PROBE, r)
        places = fmax(places, (double)r->probe.places);
    return places;
}

/* How many of a run's arrays hold the result without any alteration. The host's own result, of part
 * A, is one of them when it lies in memory that the GPU can use. */
static size_t count_results(struct check *check, const struct run *run)
{
    struct host_copy image;
    run_prepare(check, run);
    size_t count = 0;
    if (host_copy_read(check->arena, run, &image) == NULL)
        for (size_t i = 0; i < image.all; i++)
            count += result_is_in(&image.arrays[i], &run->problem);
    host_copy_free(&image);
    return count;
}

/* The run of the same arguments that did not probe and was right; NULL when there is none. */
static const struct run *partner_of(const struct check *check, const struct run *probe,
                                    const struct result *results)
{
    for (size_t i = 0; i < check->run_count; i++)
        if (check->runs[i].device == DEVICE_SIM && results[i].array == ANSWER_RIGHT &&
            strcmp(check->runs[i].arguments, probe->arguments) == 0)
            return &check->runs[i];
    return NULL;
}

/* True when as many arrays hold the result as without an alteration. */
static bool stays_right(struct check *check, const struct run *probe, const struct run *partner)
{
    size_t altered = count_results(check, probe);
    return altered > 0 && altered >= count_results(check, partner);
}

static void judge_probe(struct diagnoses *diagnoses, struct check *check, const struct run *probe,
                        struct result *results)
{
    double places = altered_places(probe);
    const struct run *partner = partner_of(check, probe, results);
    size_t index = 0;
    float value = 0;
    if (partner == NULL || places < 0 || !stays_right(check, probe, partner)) return;
    struct result *result = &results[partner - check->runs];
    if (!probed_element(probe->array, &index, &value)) return;
    const char *what =
        arena_format(diagnoses->arena, "element %zu of input array %zu", index, probe->array);
    if (result->host_made == NULL)
        result->host_made = arena_format(diagnoses->arena, "right for %s, but not made from %s",
                                         probe->arguments, what);
    const char *text =
        places > 0 ? "for %s, %s was altered in the GPU's memory before each kernel, and the "
                     "result stayed the same: no kernel makes it from there"
                   : "for %s, %s was nowhere in the GPU's memory when kernels started, and the "
                     "result is right: no kernel makes it from there";
    add(diagnoses, probe, last_launch(&probe->trace),
        arena_format(diagnoses->arena, text, probe->arguments, what),
        json_pack("{s:I, s:I, s:f}", "array", (json_int_t)probe->array, "index", (json_int_t)index,
                  "places", places));
}

/* The last launch that wrote what copies brought to an array of the host; 0 when it is not known.
 */
static uint64_t last_writer(const struct run *run, const struct array *array)
{
    uint64_t last = 0;
    TRACE_EACH (&run->trace, EVENT_COPY, r) {
        uint64_t from = r->copy.host, to = from + r->copy.bytes;
        bool brings = from < array->start + array->bytes && to > array->start;
        if (strcmp(r->copy.direction, "d2h") != 0 || !brings) continue;
        if (r->copy.last_kernel == 0) return 0;
        if (r->copy.last_kernel > last) last = r->copy.last_kernel;
    }
    return last;
}

/* Of the arrays that came to the host and hold the result: the last launch of the one that was made
 * first. Kernels that make it once more, to compare, are none of its makers. */
static uint64_t maker_of(struct check *check, const struct run *run)
{
    struct host_copy image;
    uint64_t result_kernel = 0;
    run_prepare(check, run);
    if (host_copy_read(check->arena, run, &image) == NULL)
        for (size_t i = 0; i < image.count; i++) {
            const struct array *array = &image.arrays[i];
            if (array->record->event != EVENT_COPY || array->alloc != 0 ||
                !result_is_in(array, &run->problem))
                continue;
            uint64_t last = last_writer(run, array);
            if (last != 0 && (result_kernel == 0 || last < result_kernel)) result_kernel = last;
        }
    host_copy_free(&image);
    return result_kernel;
}

void provenance_results(struct diagnoses *diagnoses, struct check *check, struct result *results)
{
    for (size_t i = 0; i < check->run_count; i++)
        judge_origin(diagnoses, &check->runs[i], &results[i]);
    for (size_t i = 0; i < check->probe_count; i++)
        judge_probe(diagnoses, check, &check->probes[i], results);
    const struct run *counted = check_counted(check);
    if (counted == NULL || trace_kernels(&counted->trace) < 2) return;
    struct run *run = &check->runs[counted - check->runs];
    if (results[counted - check->runs].array == ANSWER_RIGHT)
        run->result_kernel = maker_of(check, run);
}

/* ---- whether the timed kernels are all of the work ------------------------------------------ */

static const char *too_few_loads(const struct check *check, const struct run *run,
                                 const struct counts *counts)
{
    double loaded = counts->load.bytes + counts->library_bytes;
    if (counts->kernels == 0 || repeats_load(run, loaded)) return NULL;
    return arena_format(check->arena,
                        "the timed kernels load %.4g bytes for %s; the inputs have %.4g", loaded,
                        run->arguments, repeats_inputs(run));
}

static const char *too_fast(const struct check *check, const struct measures *measures)
{
    const struct run *timed = check_next_timed(check, NULL);
    if (timed == NULL || timed->device != DEVICE_REAL || !(measures->share > SHARE_MOST))
        return NULL;
    return arena_format(
        check->arena, "by the timed kernels the rate is %.4g %s for %s; this GPU's limit is %.4g",
        measures->rate.value, measures->rate.unit, timed->arguments, measures->limit.value);
}

const char *provenance_outside(const struct check *check, const struct result *results,
                               const struct measures *measures)
{
    const struct run *counted = check_counted(check);
    const char *why = NULL;
    if (counted != NULL && results[counted - check->runs].array == ANSWER_RIGHT)
        why = too_few_loads(check, counted, &measures->counts);
    return why != NULL ? why : too_fast(check, measures);
}

void provenance_diagnose_outside(struct diagnoses *diagnoses, const struct check *check,
                                 const struct measures *measures)
{
    const struct run *counted = check_counted(check), *run = counted;
    if (run == NULL) run = check_next_timed(check, NULL);
    const struct record *place = last_launch(&run->trace);
    diagnoses_add(
        diagnoses, "work-outside-the-watch", place != NULL ? place->file : NULL,
        place != NULL ? place->line : 0,
        arena_format(diagnoses->arena, "%s: a part of the work is elsewhere", measures->outside),
        json_pack("{s:s, s:f}", "run", run->dir, "loaded",
                  measures->counts.load.bytes + measures->counts.library_bytes));
}
