/* questions.c: see questions.h. */
#define _POSIX_C_SOURCE 200809L
#include "judge/questions.h"
#include "judge/measure/plan.h"
#include "judge/measure/probes.h"
#include "judge/measure/provenance.h"
#include "judge/read/records.h"
#include "judge/timing/timer.h"
#include "judge/verdict.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARGUMENTS_MAX = 64 };

bool question_seed(const char *text, uint64_t *seed)
{
    char *end;
    errno = 0;
    *seed = strtoull(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0;
}

json_t *question_records(struct arena *arena, const char *path, uint64_t seed)
{
    FILE *file = fopen(path, "re");
    json_t *records = file != NULL ? records_read(arena, file, seed, getenv("WARPUP_SEAL")) : NULL;
    if (file != NULL) fclose(file);
    return records;
}

/* Prints one line of numbers for each line of arguments on stdin; an empty one where there are
 * none. */
static void print_probes_of_lines(uint64_t seed)
{
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0) {
        char *argv[ARGUMENTS_MAX], *rest;
        int argc = 0;
        for (char *word = strtok_r(line, " \n", &rest); word != NULL && argc < ARGUMENTS_MAX;
             word = strtok_r(NULL, " \n", &rest))
            argv[argc++] = word;
        if (argc == 0 || !probes_print(argc, argv, seed)) printf("\n");
    }
    free(line);
}

static int print_probes(int argc, char *argv[])
{
    uint64_t seed;
    if (argc < 1 || !question_seed(argv[0], &seed)) return STATUS_COULD_NOT_CHECK;
    if (argc == 1) print_probes_of_lines(seed);
    return argc == 1 || probes_print(argc - 1, argv + 1, seed) ? 0 : STATUS_COULD_NOT_CHECK;
}

/* Loads a check that has not ended, and judges the results of its runs with valid arguments. */
static struct result *judge_so_far(struct check *check, struct arena *arena, int argc, char *argv[])
{
    uint64_t seed;
    if (argc < 2 || argc > 3 || !question_seed(argv[0], &seed)) return NULL;
    json_t *records = argc == 3 ? question_records(arena, argv[2], seed) : NULL;
    if (argc == 3 && records == NULL) return NULL;
    check_load(check, arena, argv[1], seed, records);
    json_decref(records);
    struct result *results = arena_take(arena, check->run_count * sizeof *results);
    for (size_t i = 0; i < check->run_count; i++)
        if (!check->runs[i].died && check->runs[i].problem.elements > 0)
            results[i] = result_judge(check, &check->runs[i]);
    return results;
}

/* With a wrong result, the program need not be timed. */
static int find_wrong(struct check *check, struct result *results)
{
    for (size_t i = 0; i < check->run_count; i++) {
        const struct run *run = &check->runs[i];
        if (run->may_refuse && run_refused(run)) continue;
        if (run->died || result_answer(&results[i]) == ANSWER_WRONG) return 0;
    }
    return 1;
}

/* The first launch of a run like the one in CHECKDIR. */
static int print_timed(struct check *check, struct result *results)
{
    provenance_results(check, results);
    timer_find(check);
    for (size_t i = 0; i < check->run_count; i++)
        printf("%llu\n", (unsigned long long)probes_first_launch(&check->runs[i]));
    return 0;
}

static int ask_check(int (*answer)(struct check *, struct result *), int argc, char *argv[])
{
    struct arena arena = {NULL};
    struct check check;
    struct result *results = judge_so_far(&check, &arena, argc, argv);
    int code = results != NULL ? answer(&check, results) : STATUS_COULD_NOT_CHECK;
    arena_free(&arena);
    return code;
}

static int print_kernel_ns(const struct trace *traces, size_t count)
{
    if (count != 1) return STATUS_COULD_NOT_CHECK;
    printf("%.0f\n", floor(plan_kernel_ns(&traces[0])));
    return 0;
}

static int print_suspicions(const struct trace *traces, size_t count)
{
    struct suspicions found = plan_suspicions(traces, count);
    if (found.fixed) printf("fixed\n");
    if (found.growing) printf("growing\n");
    if (found.tall) printf("tall\n");
    return 0;
}

static int is_rehearsed(const struct trace *traces, size_t count)
{
    if (count != 1) return STATUS_COULD_NOT_CHECK;
    return plan_rehearsed(&traces[0]) ? 0 : 1;
}

/* Reads the traces of some runs as far as they go. */
static int ask_traces(int (*answer)(const struct trace *, size_t), int argc, char *argv[])
{
    struct arena arena = {NULL};
    struct trace *traces = arena_take(&arena, (size_t)argc * sizeof *traces);
    for (int i = 0; i < argc; i++)
        trace_read(&arena, arena_format(&arena, "%s/trace.jsonl", argv[i]), "", true, &traces[i]);
    int code = answer(traces, (size_t)argc);
    arena_free(&arena);
    return code;
}

bool question_answer(int argc, char *argv[], int *code)
{
    const char *question = argc > 0 ? argv[0] : "";
    if (strcmp(question, "--probes") == 0)
        *code = print_probes(argc - 1, argv + 1);
    else if (strcmp(question, "--wrong") == 0)
        *code = ask_check(find_wrong, argc - 1, argv + 1);
    else if (strcmp(question, "--timed") == 0)
        *code = ask_check(print_timed, argc - 1, argv + 1);
    else if (strcmp(question, "--kernel-ns") == 0)
        *code = ask_traces(print_kernel_ns, argc - 1, argv + 1);
    else if (strcmp(question, "--suspicions") == 0)
        *code = ask_traces(print_suspicions, argc - 1, argv + 1);
    else if (strcmp(question, "--rehearsed") == 0)
        *code = ask_traces(is_rehearsed, argc - 1, argv + 1);
    else
        return false;
    return true;
}
