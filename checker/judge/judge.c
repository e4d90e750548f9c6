/*
 * judge.c: makes the verdict of a check from what its runs have left. It never runs a student's
 * code and contains no exercise's name. Facts about an exercise come from its ladder.tsv and from
 * the oracle.c that is linked with this program.
 */
#include "judge/diagnose/diagnoses.h"
#include "judge/read/run_facts.h"
#include "judge/diagnose/kinds.h"
#include "judge/measure/larger.h"
#include "judge/measure/gpu_metrics.h"
#include "judge/measure/end_to_end_metrics.h"
#include "judge/measure/second_shape.h"
#include "judge/measure/provenance.h"
#include "judge/timing/end_to_end.h"
#include "judge/judge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The sizes for which the result was checked, or those that may be refused: "1, 31, 1000". */
static const char *list_sizes(const struct check *check, bool may_refuse)
{
    const char *sizes = "";
    for (size_t i = 0; i < check->run_count; i++) {
        const struct run *run = &check->runs[i];
        bool listed = run->speed || run->second_shape || run->may_refuse != may_refuse;
        for (size_t j = 0; j < i; j++)
            if (!check->runs[j].speed && check->runs[j].may_refuse == may_refuse &&
                strcmp(check->runs[j].arguments, run->arguments) == 0)
                listed = true;
        if (!listed)
            sizes = arena_format(check->arena, "%s%s%s", sizes, sizes[0] != '\0' ? ", " : "",
                                 run->arguments);
    }
    return sizes[0] != '\0' ? sizes : "every size";
}

static bool saw_fault(const struct run *run)
{
    TRACE_EACH (&run->trace, EVENT_LAUNCH, r)
        if (r->launch.error != 0) return true;
    return run_saw_fault(run);
}

/* The two devices must agree about each size, unless one of them saw a fault at any size. A program
 * with a fault may be right in one run and wrong in the next. */
static void compare_devices(struct check *check, const struct result *results)
{
    for (size_t i = 0; i < check->run_count; i++)
        if (saw_fault(&check->runs[i])) return;
    for (size_t i = 0; i < check->run_count; i++)
        for (size_t j = 0; j < check->run_count; j++) {
            const struct run *sim = &check->runs[i], *real = &check->runs[j];
            enum answer first = results[i].array, second = results[j].array;
            if (sim->device != DEVICE_SIM || real->device != DEVICE_REAL || sim->died ||
                real->died || strcmp(sim->arguments, real->arguments) != 0)
                continue;
            if (first == ANSWER_UNKNOWN || second == ANSWER_UNKNOWN || first == second) continue;
            check_internal_error(check,
                                 "the devices disagree with arguments %s: the result is %s on the "
                                 "simulated GPU and %s on the GPU",
                                 sim->arguments, first == ANSWER_RIGHT ? "right" : "wrong",
                                 second == ANSWER_RIGHT ? "right" : "wrong");
            return;
        }
}

/* The names of the last `count` diagnoses. */
static const char *name_faults(struct arena *arena, const struct diagnoses *diagnoses, size_t count)
{
    const char *names = "";
    for (size_t i = diagnoses->count - count; i < diagnoses->count; i++)
        names = arena_format(arena, "%s%s%s", names, names[0] != '\0' ? ", " : "",
                             diagnoses->list[i].name);
    return names;
}

/* The job is judged by itself: without it, nothing changes for the other rungs. */
static void measure_job(struct measures *measures, const struct check *check,
                        struct diagnoses *diagnoses)
{
    size_t faults = diagnose_faults(diagnoses, check, true);
    measure_end_to_end(measures, check,
                       faults > 0 ? name_faults(check->arena, diagnoses, faults) : NULL);
}

static void measure_and_diagnose(struct check *check, struct ladder *ladder,
                                 struct measures *measures, struct diagnoses *diagnoses)
{
    struct result *results = arena_alloc(check->arena, check->run_count * sizeof *results);
    for (size_t i = 0; i < check->run_count; i++) {
        if (check->runs[i].died) continue;
        if (ladder_asks(ladder, MEASURE_END_TO_END)) end_to_end_mark(check->arena, &check->runs[i]);
        results[i] = result_judge(check, &check->runs[i]);
        if (results[i].array == ANSWER_WRONG) run_compare_whole(&check->runs[i]);
        result_forgive_reads(&results[i], &check->runs[i]);
    }
    compare_devices(check, results);
    size_t faults = diagnose_faults(diagnoses, check, false);
    const char *names = name_faults(check->arena, diagnoses, faults);
    provenance_results(check, results);
    measures->timer = timer_find(check);
    measure_all(measures, check, results, faults, names, ladder->in_flops);
    measure_gpu(measures, check);
    measure_larger(measures, check);
    measure_second_shape(measures, check, results, ladder->in_flops);
    if (ladder_asks(ladder, MEASURE_END_TO_END)) measure_job(measures, check, diagnoses);
    struct sizes sizes = {list_sizes(check, false), list_sizes(check, true)};
    ladder_judge(ladder, check->arena, measures, &sizes);
    diagnose_compile(diagnoses, check);
    diagnose_ends(diagnoses, check);
    diagnose_results(diagnoses, check, results);
    if (faults == 0) diagnose_larger(diagnoses, check);
    diagnose_speed(diagnoses, check, ladder, measures);
    diagnose_end_to_end(diagnoses, check, ladder, measures);
    diagnoses_sort(diagnoses);
    diagnoses_trim(diagnoses);
}

/* When there is an internal error, the measures do not count. */
static void withdraw(const struct check *check, struct ladder *ladder, struct measures *measures)
{
    for (size_t i = 0; i < ladder->count; i++) {
        struct criterion *c = &ladder->criteria[i];
        c->passed = PASSED_UNKNOWN;
        c->seen = c->after = NULL;
        c->why = check->internal_errors[0];
    }
    measures->rate.value = measures->limit.value = measures->share = NAN;
    measures->occupancy.value = NAN;
    measures->counts = (struct counts){0};
    for (int i = 0; i < MEASURE_COUNT; i++)
        measures->list[i].value = NAN;
}

static struct outcome outcome_of(const struct check *check, const struct ladder *ladder)
{
    const struct criterion *open = ladder_first_open(ladder);
    if (check->internal_error_count > 0) return (struct outcome){0};
    return (struct outcome){.rung = ladder_rung(ladder),
                            .is_timed = open != NULL && criterion_is_timed(open),
                            .is_second_shape =
                                open != NULL && criterion_asks(open, MEASURE_SHARE_SECOND_SHAPE)};
}

enum status judge_check(const struct question *question, struct check *check, FILE *file,
                        struct outcome *outcome)
{
    struct arena *arena = check->arena;
    struct ladder ladder;
    struct measures measures = {.share = NAN};
    struct diagnoses diagnoses = {.arena = arena};
    check->source = question->source;
    const char *path = arena_format(arena, "%s/ladder.tsv", question->checker);
    const char *wrong = ladder_load(arena, path, &ladder);
    if (wrong != NULL) check_internal_error(check, "%s", wrong);
    if (check->internal_error_count == 0)
        measure_and_diagnose(check, &ladder, &measures, &diagnoses);
    diagnose_incomplete(&diagnoses, check);
    if (check->internal_error_count > 0) withdraw(check, &ladder, &measures);
    enum status status = verdict_status(check, &ladder);
    if (!verdict_write(question, check, &ladder, &measures, &diagnoses, file)) {
        fprintf(stderr, "judge: the verdict could not be written\n");
        status = STATUS_COULD_NOT_CHECK;
    }
    if (outcome != NULL) *outcome = outcome_of(check, &ladder);
    diagnoses_free(&diagnoses);
    return status == STATUS_UNDECIDED ? STATUS_NOT_YET : status;
}
