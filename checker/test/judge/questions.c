/*
 * questions.c: the questions that a check asks the judge before its end, for tests.
 *
 *   questions --kernel-ns RUNDIR            the time of a run's kernels
 *   questions --extra-sizes RUNDIR...       why larger sizes run: fixed, growing, large_grid_y
 *   questions --warmed-up RUNDIR            exits with 0 if the program calls its library
 *                                           before the timer starts, else 1
 *   questions --perturbed SEED ARGUMENT...  the numbers that a perturbed run changes
 *   questions --wrong CHECKDIR              exits with 0 if a result of its runs is wrong, or
 *                                           if a device saw a fault
 *   questions --timed CHECKDIR              the first launch that finds changed numbers in
 *                                           the first of its runs
 *   questions --verdict CHECKDIR            the verdict, from runs that were read one by one
 *                                           before
 */
#include "judge/judge.h"
#include "judge/measure/plan.h"
#include "judge/measure/perturbed.h"
#include "judge/questions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS_MAX = 64 };

static struct arena arena;

static int ask_traces(const char *question, int count, char *folders[])
{
    struct trace traces[RUNS_MAX];
    for (int i = 0; i < count && i < RUNS_MAX; i++)
        trace_read(&arena, arena_format(&arena, "%s/trace.jsonl", folders[i]), "", true,
                   &traces[i]);
    if (strcmp(question, "--warmed-up") == 0) return plan_warmed_up(&traces[0]) ? 0 : 1;
    if (strcmp(question, "--kernel-ns") == 0)
        return printf("%.0f\n", floor(plan_kernel_ns(&traces[0]))) < 0;
    struct extra_sizes found = plan_extra_sizes(traces, (size_t)count);
    if (found.fixed) puts("fixed");
    if (found.growing) puts("growing");
    if (found.large_grid_y) puts("large_grid_y");
    return 0;
}

static int ask_check(const char *question, const char *folder)
{
    const struct ended *ended[RUNS_MAX];
    json_t *records = json_load_file(arena_format(&arena, "%s/check.json", folder),
                                     JSON_DECODE_INT_AS_REAL, NULL);
    json_t *runs = json_object_get(records, "runs");
    const char *key = json_string_value(json_object_get(records, "key"));
    size_t count = json_array_size(runs);
    for (size_t i = 0; i < count; i++)
        ended[i] = ended_read(&arena, folder, 1, key, json_array_get(runs, i));
    if (strcmp(question, "--wrong") == 0) return question_wrong(ended, count) ? 0 : 1;
    if (strcmp(question, "--timed") == 0)
        return printf("%llu\n", (unsigned long long)question_first_timed(ended[0])) < 0;
    struct check check;
    struct question verdict = {
        .exercise = "test", .source = "program.cu", .runs = folder, .seed = 1};
    verdict.checker = getenv("TOOLS");
    check_load(&check, &arena, folder, 1, records, ended, count);
    return (int)judge_check(&verdict, &check, stdout, NULL);
}

int main(int argc, char *argv[])
{
    if (argc < 3) return 2;
    if (strcmp(argv[1], "--perturbed") == 0)
        return puts(perturbed_numbers(&arena, argc - 3, argv + 3, strtoull(argv[2], NULL, 10),
                                      getenv("WARPUP_KEY"))) < 0;
    bool is_check = strcmp(argv[1], "--wrong") == 0 || strcmp(argv[1], "--timed") == 0 ||
                    strcmp(argv[1], "--verdict") == 0;
    return is_check ? ask_check(argv[1], argv[2]) : ask_traces(argv[1], argc - 2, argv + 2);
}
