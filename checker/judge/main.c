/*
 * main.c: judges a check whose files were kept (WARPUP_KEEP), without running anything.
 *
 *   judge --exercise NAME --source FILE --checker DIRECTORY --runs CHECKDIR [--seed N]
 *
 * Writes verdict.json to stdout. Exit code: 0 the required rung is reached, 1 not yet, 2 could not
 * check. README.md has the formats.
 */
#include "judge/diagnose/diagnoses.h"
#include "judge/judge.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_seed(const char *text, uint64_t *seed)
{
    char *end;
    errno = 0;
    *seed = strtoull(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0;
}

static bool read_question(int argc, char *argv[], struct question *question)
{
    const struct {
        const char *name, **value;
    } options[] = {{"--exercise", &question->exercise},
                   {"--source", &question->source},
                   {"--checker", &question->checker},
                   {"--runs", &question->runs}};
    *question = (struct question){.seed = UINT64_MAX};
    for (int i = 1; i < argc; i += 2) {
        bool valid = strcmp(argv[i], "--seed") == 0 && i + 1 < argc &&
                     read_seed(argv[i + 1], &question->seed);
        for (size_t o = 0; o < sizeof options / sizeof options[0] && i + 1 < argc; o++)
            if (strcmp(argv[i], options[o].name) == 0) {
                *options[o].value = argv[i + 1];
                valid = true;
            }
        if (!valid) return false;
    }
    return question->exercise != NULL && question->source != NULL && question->checker != NULL &&
           question->runs != NULL;
}

int main(int argc, char *argv[])
{
    struct question question;
    if (argc == 2 && strcmp(argv[1], "--diagnoses") == 0) {
        diagnoses_print(stdout);
        return 0;
    }
    if (!read_question(argc, argv, &question)) {
        fprintf(stderr, "usage: judge --exercise NAME --source FILE --checker DIRECTORY "
                        "--runs CHECKDIR [--seed N]\n       judge --diagnoses\n");
        return STATUS_COULD_NOT_CHECK;
    }
    struct arena arena = {NULL};
    struct check check;
    check_load(&check, &arena, question.runs, question.seed, NULL, NULL, 0);
    enum status status = judge_check(&question, &check, stdout, NULL);
    arena_free(&arena);
    return (int)status;
}
