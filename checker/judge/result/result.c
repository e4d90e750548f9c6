/* result.c: see result.h. */
#include "judge/result/result.h"

#include "judge/oracle/inputs.h"

#include <math.h>

/* The most arrays that are compared completely: each costs as much as the judgement itself. */
enum { NEAREST_MAX = 16 };

/* Two Diffs belong to one array when they differ by at most this share: Diff has four digits or
 * more.
 */
static const double SAME_DIFF = 1e-3;

static bool is_unwritten_shared(const struct record *r)
{
    return r->event == EVENT_FAULT && r->fault.shared && r->fault.detail == NULL &&
           strcmp(r->fault.name, "uninitialised-read") == 0;
}

void result_forgive_reads(const struct result *result, struct run *run)
{
    struct record *end = run->trace.records + run->trace.count;
    bool others = result_answer(result) != ANSWER_RIGHT;
    for (struct record *r = run->trace.records; r < end; r++)
        others = others || (r->event == EVENT_FAULT && !is_unwritten_shared(r));
    for (struct record *r = run->trace.records; r < end && !others; r++)
        if (is_unwritten_shared(r)) r->event = EVENT_FORGIVEN;
}

enum answer result_answer(const struct result *result)
{
    return result->diff_small ? result->array : ANSWER_WRONG;
}

/* search_plain or search_any */
typedef bool search(const struct host_array *, const struct oracle_problem *, struct layout *);

/* Finds the result in the first `count` arrays. Of several that have it, the one that was copied
 * first counts, wherever it is in memory: later ones may be those of a job (timing/end_to_end.h).
 */
static const struct host_array *find(const struct host_copy *host, size_t count, bool on_device,
                                     search *search, const struct oracle_problem *problem,
                                     struct layout *layout)
{
    const struct host_array *found = NULL;
    for (size_t i = 0; i < count; i++) {
        const struct host_array *array = &host->arrays[i];
        struct layout here;
        if (array->on_device != on_device) continue;
        if (found != NULL &&
            (array->record->event != found->record->event || array->record > found->record))
            continue;
        if (!search(array, problem, &here)) continue;
        found = array;
        *layout = here;
    }
    return found;
}

const struct host_array *result_on_device(const struct host_copy *host,
                                          const struct oracle_problem *problem)
{
    struct layout layout;
    return find(host, host->count, true, search_plain, problem, &layout);
}

bool result_is_in(const struct host_array *array, const struct oracle_problem *problem)
{
    struct layout layout;
    return !array->on_device &&
           (search_plain(array, problem, &layout) || search_any(array, problem, &layout));
}

size_t result_count(const struct host_copy *host, const struct oracle_problem *problem)
{
    struct parts parts;
    size_t count = 0;
    for (size_t i = 0; i < host->all; i++)
        count += result_is_in(&host->arrays[i], problem);
    return count > 0 ? count : parts_find(host, problem, &parts);
}

bool result_is_somewhere(const struct host_copy *host, const struct oracle_problem *problem)
{
    struct parts parts;
    for (size_t i = 0; i < host->all; i++)
        if (result_is_in(&host->arrays[i], problem)) return true;
    return parts_find(host, problem, &parts);
}

/* How many bytes of one part came by this copy. */
static uint64_t part_bytes_of(const struct result_part *part, const struct record *copy)
{
    uint64_t begin = part->alloc > 0 ? copy->copy.offset : copy->copy.host;
    uint64_t end = begin + copy->copy.bytes, part_end = part->start + part->bytes;
    if (part->alloc > 0 && copy->copy.from != part->alloc) return 0;
    if (begin < part->start) begin = part->start;
    if (end > part_end) end = part_end;
    return begin < end ? end - begin : 0;
}

uint64_t result_bytes_of(const struct result *result, const struct oracle_problem *problem,
                         const struct record *copy)
{
    uint64_t of_parts = 0;
    for (size_t i = 0; i < result->part_count; i++)
        of_parts += part_bytes_of(&result->parts[i], copy);
    if (result->part_count > 0) return of_parts;
    uint64_t begin = result->alloc > 0 ? copy->copy.offset : copy->copy.host;
    uint64_t end = begin + copy->copy.bytes;
    if (result->alloc > 0 && copy->copy.from != result->alloc) return 0;
    if (end <= result->start) return 0;
    return layout_bytes_in(&result->layout, problem->elements,
                           begin > result->start ? begin - result->start : 0, end - result->start);
}

const struct host_array *result_nearest(const struct host_copy *host,
                                        const struct oracle_problem *problem,
                                        struct difference *difference)
{
    const struct host_array *nearest = NULL;
    size_t tried = 0;
    for (size_t i = 0; i < host->count && tried < NEAREST_MAX; i++) {
        const struct host_array *array = &host->arrays[i];
        if (array->on_device || array->bytes / sizeof(float) < problem->elements) continue;
        struct difference found = compare_difference(array, problem);
        tried++;
        if (nearest != NULL && found.wrong >= difference->wrong) continue;
        nearest = array;
        *difference = found;
    }
    return nearest;
}

/* |v - u| / |u| of an array and the right result. */
static double distance(const struct host_array *array, const struct oracle_problem *problem)
{
    double apart = 0, length = 0;
    for (size_t i = 0; i < problem->elements; i++) {
        double exact = oracle_value(problem, i), d = host_array_float(array, i) - exact;
        apart += d * d;
        length += exact * exact;
    }
    return sqrt(apart / length);
}

bool result_is_close(const struct host_copy *host, const struct oracle_problem *problem)
{
    for (size_t i = 0, tried = 0; i < host->count && tried < NEAREST_MAX; i++) {
        const struct host_array *array = &host->arrays[i];
        if (array->on_device || array->bytes / sizeof(float) < problem->elements) continue;
        tried++;
        if (distance(array, problem) <= compare_small_diff(problem)) return true;
    }
    return false;
}

const struct host_array *result_compared(const struct host_copy *host,
                                         const struct oracle_problem *problem, double diff,
                                         struct difference *difference)
{
    size_t tried = 0;
    for (size_t i = 0; i < host->count && tried < NEAREST_MAX; i++) {
        const struct host_array *array = &host->arrays[i];
        if (array->on_device || array->bytes / sizeof(float) < problem->elements) continue;
        tried++;
        if (!(fabs(distance(array, problem) - diff) <= SAME_DIFF * diff)) continue;
        *difference = compare_difference(array, problem);
        if (difference->wrong > 0) return array;
    }
    return NULL;
}

/* Finds the result in several arrays together. Returns the first of them, or NULL. */
static const struct host_array *find_parts(const struct host_copy *host,
                                           const struct oracle_problem *problem,
                                           struct result *result)
{
    struct parts parts;
    if (!parts_find(host, problem, &parts)) return NULL;
    for (size_t i = 0; i < parts.count; i++) {
        const struct host_array *array = parts.arrays[i];
        if (array->record->event != EVENT_COPY) continue; /* managed memory has no copies */
        result->parts[result->part_count++] =
            (struct result_part){array->alloc, array->start, array->bytes};
    }
    return parts.arrays[0];
}

struct result result_judge(struct check *check, const struct run *run)
{
    struct result result = {.array = ANSWER_WRONG};
    struct host_copy host;
    result.small = compare_small_diff(&run->problem);
    double diff = fabs(run->printed.diff);
    result.diff_small = run->printed.has_diff && isfinite(diff) && diff <= result.small;
    const char *wrong = host_copy_read(check->arena, run, &host);
    const struct host_array *found = NULL;
    if (wrong != NULL)
        check_internal_error(check, "%s", wrong);
    else
        found = find(&host, host.count, false, search_plain, &run->problem, &result.layout);
    if (wrong == NULL && found == NULL && result.diff_small)
        found = find(&host, host.all, false, search_any, &run->problem, &result.layout);
    if (wrong == NULL && found == NULL && result.diff_small)
        found = find_parts(&host, &run->problem, &result);
    if (found != NULL)
        result.array = ANSWER_RIGHT;
    else if (wrong == NULL && !host.complete)
        result.array = ANSWER_UNKNOWN;
    if (found != NULL && found->record->event == EVENT_COPY) {
        result.copied = true;
        result.alloc = found->alloc;
        result.start = found->start;
    }
    host_copy_free(&host);
    return result;
}
