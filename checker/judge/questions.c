/* questions.c: see questions.h. */
#include "judge/questions.h"
#include "judge/read/run_facts.h"

#include "judge/measure/perturbed.h"
#include "judge/measure/provenance.h"
#include "judge/timing/end_to_end.h"
#include "judge/timing/timer.h"

/* The check as far as these runs go. Its runs are copies: what is found out here may be wrong once
 * more runs are known. */
static struct check check_so_far(const struct ended *const *ended, size_t count)
{
    struct check check = ended[0]->check;
    check.runs = arena_alloc(check.arena, count * sizeof *check.runs);
    check.run_count = 0;
    for (size_t i = 0; i < count; i++)
        if (!ended[i]->check.runs[0].perturbed)
            check.runs[check.run_count++] = ended[i]->check.runs[0];
    return check;
}

/* Judges the results of the runs with valid arguments. */
static struct result *judge_so_far(struct check *check)
{
    struct result *results = arena_alloc(check->arena, check->run_count * sizeof *results);
    for (size_t i = 0; i < check->run_count; i++)
        if (!check->runs[i].died && check->runs[i].problem.elements > 0)
            results[i] = result_judge(check, &check->runs[i]);
    return results;
}

bool question_wrong(const struct ended *const *ended, size_t count)
{
    if (count == 0) return false;
    struct check check = check_so_far(ended, count);
    struct result *results = judge_so_far(&check);
    for (size_t i = 0; i < check.run_count; i++) {
        struct run *run = &check.runs[i];
        if (run->may_refuse && run_refused(run)) continue;
        if (run->died || result_answer(&results[i]) == ANSWER_WRONG) return true;
        end_to_end_mark(check.arena, run);
        result_forgive_reads(&results[i], run);
        if (run_saw_fault(run)) return true;
    }
    return false;
}

uint64_t question_first_timed(const struct ended *ended)
{
    struct check check = check_so_far(&ended, 1);
    struct result *results = judge_so_far(&check);
    provenance_results(&check, results);
    timer_find(&check);
    return check.run_count > 0 ? perturbed_first_launch(&check.runs[0]) : 1;
}
