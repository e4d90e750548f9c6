/* probes.c: see probes.h. */
#include "judge/measure/probes.h"
#include "judge/oracle/inputs.h"
#include "judge/result/search.h"
#include "trace/seal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double PROBED_MIN =
    0.25; /* least magnitude of an altered number: the result must show the change */
static const double WRONG_MAX =
    1e-2; /* share of an array's elements that may match neither result */

/* Before each launch, a probing run searches all of the GPU's memory. After more launches than
 * these, it may only be too slow for the time limit. */
enum { QUICK_LAUNCHES = 20 };

/* An element of an input array that is altered. */
struct probed {
    size_t array, index;
    float value;
};

/* A place in an array that follows from the key alone. */
static size_t drawn(const uint64_t key[2], size_t array, size_t length)
{
    struct seal seal;
    uint64_t what[2] = {array, length};
    seal_begin(&seal, key);
    seal_add(&seal, what, sizeof what);
    return seal_value(&seal) % length;
}

/* Chooses the element of an input array that is altered; its number must not be small. False for
 * arrays of fewer than two elements, which programs pass as arguments of the launch. */
static bool find_probed(const struct oracle_problem *problem, const uint64_t key[2], size_t array,
                        struct probed *probed)
{
    size_t length = problem->inputs[array].length;
    if (length < 2) return false;
    size_t from = drawn(key, array, length);
    for (size_t i = 0; i < length; i++) {
        probed->array = array;
        probed->index = (from + i) % length;
        probed->value = (float)input_at(problem, (unsigned)array, probed->index);
        if (fabsf(probed->value) > PROBED_MIN) return true;
    }
    return false;
}

/* Chooses one element of each input array; returns how many there are. */
static size_t find_all(const struct oracle_problem *problem, const uint64_t key[2],
                       struct probed list[ORACLE_INPUTS_MAX])
{
    size_t count = 0;
    for (size_t array = 0; array < ORACLE_INPUTS_MAX; array++)
        count += find_probed(problem, key, array, &list[count]);
    return count;
}

const char *probes_text(struct arena *arena, int argc, char *argv[], uint64_t seed,
                        const char *seal)
{
    struct oracle_problem problem = oracle_prepare(argc, argv, seed);
    struct probed list[ORACLE_INPUTS_MAX];
    uint64_t key[2] = {0, 0};
    const char *text = "";
    if (problem.elements == 0) return text;
    seal_key(seal, key);
    size_t count = find_all(&problem, key, list);
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &list[i].value, sizeof bits);
        text = arena_format(arena, "%s%s%08x", text, i > 0 ? "," : "", (unsigned)bits);
    }
    return text;
}

/* Programs may keep the result of a first round and then time later rounds. Such a first round has
 * as many launches as the timed ones, comes before them, and its last launch is like theirs. */
uint64_t probes_first_launch(const struct run *run)
{
    uint64_t first = run->timed.first, last = run->timed.last;
    uint64_t result = run->maker_count > 0 ? run->makers[0].last : 0;
    if (first == 0 || last < first) return 1;
    if (result == 0 || result >= first) return first;
    for (uint64_t id = first; id <= last; id++)
        if (trace_alike(&run->trace, result, id))
            return result > last - first ? result - (last - first) : 1;
    return first;
}

/* The problem with altered inputs, except the input at `but`. */
static struct oracle_problem alter(const struct oracle_problem *plain, const struct probed *list,
                                   size_t count, size_t but)
{
    struct oracle_problem problem = *plain;
    for (size_t i = 0; i < count; i++)
        if (i != but) problem.altered.numbers[problem.altered.count++] = list[i].value;
    return problem;
}

/* The number of places in the GPU's memory that were altered; -1 when no kernel ran. */
static double altered_places(const struct run *probe)
{
    double places = -1;
    TRACE_EACH (&probe->trace, EVENT_PROBE, r)
        places = fmax(places, (double)r->probe.places);
    return places;
}

/* The right run with the same arguments that did not probe; NULL when there is none. */
static const struct run *partner_of(const struct check *check, const struct run *probe,
                                    const struct result *results)
{
    for (size_t i = 0; i < check->run_count; i++)
        if (check->runs[i].device == DEVICE_SIM && results[i].array == ANSWER_RIGHT &&
            strcmp(check->runs[i].arguments, probe->arguments) == 0)
            return &check->runs[i];
    return NULL;
}

/* What became of the result when the inputs were altered. */
enum follows { FOLLOWS, CHANGES, STAYS, UNCLEAR };

/* No array holds the altered result. This decides between two cases: an array follows the wrong
 * elements, or it follows the right ones and altered intermediate results spoilt a few others. */
static enum follows look_closer(const struct host_copy *host, const struct oracle_problem *plain,
                                const struct oracle_problem *altered)
{
    enum follows found = UNCLEAR;
    struct layout layout = layout_plain(0, plain);
    for (size_t i = 0; i < host->count; i++) {
        const struct host_array *array = &host->arrays[i];
        if (array->on_device || array->bytes / sizeof(float) < plain->elements) continue;
        struct following following = compare_following(array, &layout, plain, altered);
        if ((double)following.wrong > WRONG_MAX * (double)following.compared) continue;
        if (following.changed == following.altered) return FOLLOWS;
        found = CHANGES;
    }
    return found;
}

/* True when the plain result is in as many arrays of a probed run as of a run without
 * alteration. They include part A's result if it is in memory that the GPU can use. */
static bool stays(struct check *check, const struct run *partner, size_t same)
{
    struct host_copy before;
    bool all = host_copy_read(check->arena, partner, &before) == NULL &&
               same >= result_count(&before, &partner->problem);
    host_copy_free(&before);
    return all;
}

static enum follows follow(struct check *check, const struct run *probe, const struct run *partner,
                           const struct oracle_problem *altered)
{
    struct host_copy host;
    enum follows found = UNCLEAR;
    if (host_copy_read(check->arena, probe, &host) == NULL && host.complete) {
        size_t same = 0;
        if (result_is_somewhere(&host, altered))
            found = FOLLOWS;
        else if ((same = result_count(&host, &probe->problem)) > 0 && stays(check, partner, same))
            found = STAYS;
        else
            found = look_closer(&host, &probe->problem, altered);
    }
    host_copy_free(&host);
    return found;
}

/* The first altered input that the result does not follow. */
static size_t not_followed(struct check *check, const struct run *probe, const struct probed *list,
                           size_t count)
{
    struct host_copy host;
    size_t found = 0;
    if (host_copy_read(check->arena, probe, &host) == NULL)
        for (size_t i = count; i-- > 0;) {
            struct oracle_problem others = alter(&probe->problem, list, count, i);
            if (result_is_somewhere(&host, &others)) found = i;
        }
    host_copy_free(&host);
    return found;
}

/* Most programs follow, and at the timed size a sample shows that: elements that each altered
 * number changes are in it. An element that a number changes is at the same part of the result as
 * the number is of its array, in most exercises; false where one is not found so. */
static bool follows_in_sample(struct check *check, const struct run *probe,
                              const struct run *partner, const struct probed *list, size_t count)
{
    struct host_copy host;
    struct oracle_problem altered = alter(&probe->problem, list, count, count);
    altered.sample = partner->problem.sample;
    for (size_t i = 0; i < count; i++) {
        double length = (double)altered.inputs[list[i].array].length;
        size_t element = (size_t)((double)list[i].index * (double)altered.elements / length);
        struct oracle_problem others = alter(&probe->problem, list, count, i);
        if (!compare_changes(&others, &altered, element)) return false;
        altered.sample.also[altered.sample.also_count++] = element;
    }
    bool follows = host_copy_read(check->arena, probe, &host) == NULL && host.complete &&
                   result_is_somewhere(&host, &altered);
    host_copy_free(&host);
    return follows;
}

/* True when the altered numbers kept the kernels from ending: the program looked for them. */
static bool ended_otherwise(const struct run *probe, const struct run *partner)
{
    bool quick = trace_kernels(&partner->trace) <= QUICK_LAUNCHES;
    return run_was_aborted(probe) || (probe->timed_out && quick);
}

/* True when a timed run did not get as far as the launch that is the first to find altered numbers.
 * A program may repeat a kernel as often as its time allows. */
static bool fewer_timed(const struct run *probe, const struct run *partner)
{
    return partner->speed && trace_kernels(&probe->trace) < trace_kernels(&partner->trace);
}

static void judge(struct check *check, const struct run *probe, struct result *results)
{
    struct probed list[ORACLE_INPUTS_MAX];
    double places = altered_places(probe);
    const struct run *partner = partner_of(check, probe, results);
    if (partner == NULL || run_was_aborted(partner)) return;
    struct host_made *made = &results[partner - check->runs].made;
    size_t count = find_all(&probe->problem, check->key, list);
    if (made->how != MADE_BY_GPU || count == 0) return;
    if (ended_otherwise(probe, partner)) {
        made->how = MADE_UNKNOWN;
        return;
    }
    if (places < 0 || fewer_timed(probe, partner)) return;
    if (partner->speed && follows_in_sample(check, probe, partner, list, count)) return;
    struct oracle_problem altered = alter(&probe->problem, list, count, count);
    enum follows follows = follow(check, probe, partner, &altered);
    if (follows == UNCLEAR && !probe->timed_out) made->how = MADE_UNKNOWN;
    if (follows != STAYS && follows != CHANGES) return;
    const struct probed *one = &list[not_followed(check, probe, list, count)];
    *made = (struct host_made){.how = MADE_ELSEWHERE,
                               .run = probe,
                               .place = run_last_launch(probe),
                               .array = one->array,
                               .index = one->index,
                               .places = (size_t)places,
                               .timed = partner->speed,
                               .changed = follows == CHANGES};
}

void probes_judge(struct check *check, struct result *results)
{
    for (size_t i = 0; i < check->probe_count; i++)
        judge(check, &check->probes[i], results);
}
