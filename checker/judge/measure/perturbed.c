/* perturbed.c: see perturbed.h. */
#include "judge/measure/perturbed.h"
#include "judge/read/run_facts.h"
#include "judge/oracle/inputs.h"
#include "judge/result/search.h"
#include "trace/mac.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double PERTURBED_MIN =
    0.25; /* least magnitude of a perturbed number: the result must show the change */
static const double WRONG_MAX =
    1e-2; /* share of an array's elements that may match neither result */

/* Before each launch, a perturbed run searches all of the GPU's memory. After more launches than
 * these, it may only be too slow for the time limit. */
enum { QUICK_LAUNCHES = 20 };

/* An element of an input array that is perturbed. */
struct chosen_number {
    size_t array, index;
    float value;
};

/* A place in an array that follows from the key alone. */
static size_t drawn(const uint64_t key[2], size_t array, size_t length)
{
    struct mac mac;
    uint64_t what[2] = {array, length};
    mac_begin(&mac, key);
    mac_add(&mac, what, sizeof what);
    return mac_value(&mac) % length;
}

/* Chooses the element of an input array that is perturbed; its number must not be small. False for
 * arrays of fewer than two elements, which programs pass as arguments of the launch. */
static bool find_number(const struct oracle_problem *problem, const uint64_t key[2], size_t array,
                        struct chosen_number *number)
{
    size_t length = problem->inputs[array].length;
    if (length < 2) return false;
    size_t from = drawn(key, array, length);
    for (size_t i = 0; i < length; i++) {
        number->array = array;
        number->index = (from + i) % length;
        number->value = (float)input_at(problem, (unsigned)array, number->index);
        if (fabsf(number->value) > PERTURBED_MIN) return true;
    }
    return false;
}

/* Chooses one element of each input array; returns how many there are. */
static size_t find_all(const struct oracle_problem *problem, const uint64_t key[2],
                       struct chosen_number list[ORACLE_INPUTS_MAX])
{
    size_t count = 0;
    for (size_t array = 0; array < ORACLE_INPUTS_MAX; array++)
        count += find_number(problem, key, array, &list[count]);
    return count;
}

const char *perturbed_numbers(struct arena *arena, int argc, char *argv[], uint64_t seed,
                              const char *key_text)
{
    struct oracle_problem problem = oracle_prepare(argc, argv, seed);
    struct chosen_number list[ORACLE_INPUTS_MAX];
    uint64_t key[2] = {0, 0};
    const char *text = "";
    if (problem.elements == 0) return text;
    mac_key(key_text, key);
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
uint64_t perturbed_first_launch(const struct run *run)
{
    uint64_t first = run->timed.first, last = run->timed.last;
    uint64_t result = run->maker_count > 0 ? run->makers[0].last : 0;
    if (first == 0 || last < first) return 1;
    if (result == 0 || result >= first || run->makers[0].copied > run->timed.end) return first;
    for (uint64_t id = first; id <= last; id++)
        if (trace_writes_alike(&run->trace, result, id))
            return result > last - first ? result - (last - first) : 1;
    return first;
}

/* The problem with perturbed inputs, except the input at `but`. */
static struct oracle_problem perturb(const struct oracle_problem *plain,
                                     const struct chosen_number *list, size_t count, size_t but)
{
    struct oracle_problem problem = *plain;
    for (size_t i = 0; i < count; i++)
        if (i != but) problem.perturbed.numbers[problem.perturbed.count++] = list[i].value;
    return problem;
}

/* The number of places in the GPU's memory that were perturbed; -1 when no kernel ran. */
static double perturbed_numbers_of(const struct run *run)
{
    double sites = -1;
    TRACE_EACH (&run->trace, EVENT_PERTURBED, r)
        sites = fmax(sites, (double)r->perturbed.numbers);
    return sites;
}

/* The right run with the same arguments without perturbed inputs; NULL when there is none. */
static const struct run *partner_of(const struct check *check, const struct run *run,
                                    const struct result *results)
{
    for (size_t i = 0; i < check->run_count; i++)
        if (check->runs[i].device == DEVICE_SIM && results[i].array == ANSWER_RIGHT &&
            strcmp(check->runs[i].arguments, run->arguments) == 0)
            return &check->runs[i];
    return NULL;
}

/* The change of the result when the inputs were perturbed. */
enum follows { FOLLOWS, CHANGES, STAYS, UNCLEAR };

/* No array holds the perturbed result. This decides between two cases: an array follows the wrong
 * elements, or it follows the right ones and perturbed intermediate results spoilt a few others. */
static enum follows look_closer(const struct host_copy *host, const struct oracle_problem *plain,
                                const struct oracle_problem *perturbed)
{
    enum follows found = UNCLEAR;
    struct layout layout = layout_plain(0, plain);
    for (size_t i = 0; i < host->count; i++) {
        const struct host_array *array = &host->arrays[i];
        if (array->on_device || array->bytes / sizeof(float) < plain->elements) continue;
        struct following following = compare_following(array, &layout, plain, perturbed);
        if ((double)following.wrong > WRONG_MAX * (double)following.compared) continue;
        if (following.changed == following.perturbed) return FOLLOWS;
        found = CHANGES;
    }
    return found;
}

/* True when the plain result is in as many arrays of a number run as of a run without
 * perturbation. They include part A's result if it is in memory that the GPU can use. */
static bool stays(struct check *check, const struct run *partner, size_t same)
{
    struct host_copy before;
    bool all = host_copy_read(check->arena, partner, &before) == NULL &&
               same >= result_count(&before, &partner->problem);
    host_copy_free(&before);
    return all;
}

static enum follows follow(struct check *check, const struct run *run, const struct run *partner,
                           const struct oracle_problem *perturbed)
{
    struct host_copy host;
    enum follows found = UNCLEAR;
    if (host_copy_read(check->arena, run, &host) == NULL && host.complete) {
        size_t same = 0;
        if (result_is_somewhere(&host, perturbed))
            found = FOLLOWS;
        else if ((same = result_count(&host, &run->problem)) > 0 && stays(check, partner, same))
            found = STAYS;
        else
            found = look_closer(&host, &run->problem, perturbed);
    }
    host_copy_free(&host);
    return found;
}

/* The first perturbed input that the result does not follow. */
static size_t not_followed(struct check *check, const struct run *run,
                           const struct chosen_number *list, size_t count)
{
    struct host_copy host;
    size_t found = 0;
    if (host_copy_read(check->arena, run, &host) == NULL)
        for (size_t i = count; i-- > 0;) {
            struct oracle_problem others = perturb(&run->problem, list, count, i);
            if (result_is_somewhere(&host, &others)) found = i;
        }
    host_copy_free(&host);
    return found;
}

/* Most programs follow, and at the timed size a sample shows that: elements that each perturbed
 * number changes are in it. An element that a number changes is at the same part of the result as
 * the number is of its array, in most exercises; false where one is not found so. */
static bool follows_in_sample(struct check *check, const struct run *run, const struct run *partner,
                              const struct chosen_number *list, size_t count)
{
    struct host_copy host;
    struct oracle_problem perturbed = perturb(&run->problem, list, count, count);
    perturbed.sample = partner->problem.sample;
    for (size_t i = 0; i < count; i++) {
        double length = (double)perturbed.inputs[list[i].array].length;
        size_t element = (size_t)((double)list[i].index * (double)perturbed.elements / length);
        struct oracle_problem others = perturb(&run->problem, list, count, i);
        if (!compare_changes(&others, &perturbed, element)) return false;
        perturbed.sample.also[perturbed.sample.also_count++] = element;
    }
    bool follows = host_copy_read(check->arena, run, &host) == NULL && host.complete &&
                   result_is_somewhere(&host, &perturbed);
    host_copy_free(&host);
    return follows;
}

/* True when the perturbed numbers kept the kernels from ending: the program looked for them. */
static bool ended_otherwise(const struct run *run, const struct run *partner)
{
    bool quick = trace_kernels(&partner->trace) <= QUICK_LAUNCHES;
    return run_was_aborted(run) || (run->timed_out && quick);
}

/* True when a timed run did not get as far as the launch that is the first to find perturbed
 * numbers. A program may repeat a kernel as often as its time allows. */
static bool fewer_timed(const struct run *run, const struct run *partner)
{
    return partner->speed && trace_kernels(&run->trace) < trace_kernels(&partner->trace);
}

static void judge(struct check *check, const struct run *run, struct result *results)
{
    struct chosen_number list[ORACLE_INPUTS_MAX];
    double sites = perturbed_numbers_of(run);
    const struct run *partner = partner_of(check, run, results);
    if (partner == NULL || run_was_aborted(partner)) return;
    struct host_made *made = &results[partner - check->runs].made;
    size_t count = find_all(&run->problem, check->key, list);
    if (made->how != MADE_BY_GPU || count == 0) return;
    if (ended_otherwise(run, partner)) {
        made->how = MADE_UNKNOWN;
        return;
    }
    if (sites < 0 || fewer_timed(run, partner)) return;
    if (partner->speed && follows_in_sample(check, run, partner, list, count)) return;
    struct oracle_problem perturbed = perturb(&run->problem, list, count, count);
    enum follows follows = follow(check, run, partner, &perturbed);
    if (follows == UNCLEAR && !run->timed_out) made->how = MADE_UNKNOWN;
    if (follows != STAYS && follows != CHANGES) return;
    const struct chosen_number *one = &list[not_followed(check, run, list, count)];
    *made = (struct host_made){.how = MADE_ELSEWHERE,
                               .run = run,
                               .site = run_last_launch(run),
                               .array = one->array,
                               .index = one->index,
                               .sites = (size_t)sites,
                               .timed = partner->speed,
                               .changed = follows == CHANGES};
}

void perturbed_judge(struct check *check, struct result *results)
{
    for (size_t i = 0; i < check->perturbed_run_count; i++)
        judge(check, &check->perturbed_runs[i], results);
}
