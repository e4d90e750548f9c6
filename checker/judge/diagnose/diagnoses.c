/*
 * diagnoses.c: see diagnoses.h. What is known of each diagnosis is in diagnoses.def.
 */
#include "judge/diagnose/diagnoses.h"

#include <string.h>

enum { DIAGNOSES_MAX = 1000 }; /* a forged trace may hold more faults */
enum { CAUSES_MAX = 3 };       /* of what stops a program or makes it wrong: see diagnoses_trim() */

/* Measures that several diagnoses explain. A fault may be the cause of a wrong result: then it is
 * shown there. */
enum {
    RESULT = 1 << MEASURE_RIGHT | 1 << MEASURE_REFUSES | 1 << MEASURE_MAY_REFUSE,
    ENDS = 1 << MEASURE_RUNS | 1 << MEASURE_REFUSES | 1 << MEASURE_MAY_REFUSE,
    ANY_FAULT = 1 << MEASURE_FAULTS | RESULT,
    TIMES = 1 << MEASURE_TIMER | 1 << MEASURE_TIMER_EXCESS | 1 << MEASURE_END_TO_END,
};

static const struct {
    const char *name, *event;
    int measures;
    const char *words, *step;
} table[] = {
#define DIAGNOSIS(name, event, picture, measures, words, step)                                     \
    {name, #event, measures, words, step},
#include "judge/diagnose/diagnoses.def"
#undef DIAGNOSIS
};
enum { COUNT = sizeof table / sizeof table[0] };

static size_t rank(const char *name)
{
    for (size_t i = 0; i < COUNT; i++)
        if (strcmp(table[i].name, name) == 0) return i;
    return COUNT;
}

static size_t rank_of(const struct diagnosis *diagnosis)
{
    return rank(diagnosis->ranks_as != NULL ? diagnosis->ranks_as : diagnosis->name);
}

/* Of one rank, those with an exact cause come first. The whole job comes after all else. */
static size_t site(const struct diagnosis *diagnosis)
{
    return 2 * (rank_of(diagnosis) + (diagnosis->of_job ? COUNT + 1 : 0)) + !diagnosis->exact;
}

bool diagnosis_has_page(const struct diagnosis *diagnosis)
{
    return rank(diagnosis->name) < COUNT;
}

const char *diagnosis_words(const char *name)
{
    size_t own = rank(name);
    return own < COUNT ? table[own].words : NULL;
}

void diagnoses_print(FILE *file)
{
    fputs("name\trank\tevent\tstep\n", file);
    for (size_t i = 0; i < COUNT; i++)
        fprintf(file, "%s\t%zu\t%s\t%s\n", table[i].name, i, table[i].event,
                table[i].step != NULL ? table[i].step : "");
}

/* True when a criterion asks about a diagnosis; an unknown one is a fault. Of rows that are
 * alternatives, the first counts: the criterion's text is about its measure. */
static bool explains(const struct diagnosis *diagnosis, const struct criterion *criterion)
{
    size_t own = rank_of(diagnosis);
    int measures = diagnosis->of_job ? 1 << MEASURE_END_TO_END
                   : own < COUNT     ? table[own].measures
                                     : ANY_FAULT;
    return (measures >> criterion->alternatives[0].measure & 1) != 0;
}

const char *diagnosis_criterion(const struct diagnosis *diagnosis, const struct ladder *ladder)
{
    size_t own = rank_of(diagnosis);
    const struct criterion *failed = NULL, *waits = NULL;
    for (size_t i = 0; i < ladder->count; i++) {
        const struct criterion *c = &ladder->criteria[i];
        if (explains(diagnosis, c) && c->passed == PASSED_NO) return c->id;
        if (explains(diagnosis, c) && c->after != NULL && waits == NULL) waits = c;
        if (c->passed == PASSED_NO && failed == NULL) failed = c;
    }
    if (waits == NULL) return NULL;
    bool stops = !diagnosis->of_job && (own == COUNT || own < rank("crashed"));
    return stops ? failed->id : waits->id;
}

const char *diagnoses_next(const struct diagnoses *diagnoses, const struct ladder *ladder)
{
    const struct criterion *open = ladder_next(ladder);
    for (size_t i = 0; i < diagnoses->count && open != NULL; i++) {
        const char *explained = diagnosis_criterion(&diagnoses->list[i], ladder);
        if (explained == NULL || strcmp(explained, open->id) != 0) continue;
        size_t own = rank(diagnoses->list[i].name);
        if (diagnoses->list[i].next != NULL) return diagnoses->list[i].next;
        return own < COUNT && table[own].step != NULL ? table[own].step : open->next;
    }
    return open != NULL ? open->next : NULL;
}

/* An insertion sort is stable, and the list is short. */
void diagnoses_sort(struct diagnoses *diagnoses)
{
    struct diagnosis *list = diagnoses->list;
    for (size_t i = 1; i < diagnoses->count; i++)
        for (size_t j = i; j > 0 && site(&list[j]) < site(&list[j - 1]); j--) {
            struct diagnosis swapped = list[j];
            list[j] = list[j - 1];
            list[j - 1] = swapped;
        }
}

void diagnoses_trim(struct diagnoses *diagnoses)
{
    size_t kept = 0, causes = 0;
    for (size_t i = 0; i < diagnoses->count; i++) {
        struct diagnosis *one = &diagnoses->list[i];
        size_t own = rank(one->name);
        if ((own == COUNT || own < rank("leak")) && causes++ >= CAUSES_MAX)
            json_decref(one->evidence);
        else
            diagnoses->list[kept++] = *one;
    }
    diagnoses->count = kept;
}

/* True when the list has this diagnosis, perhaps from a device that knows no lines. */
static bool has(const struct diagnoses *diagnoses, const struct diagnosis *new)
{
    for (size_t i = 0; i < diagnoses->count; i++) {
        const struct diagnosis *d = &diagnoses->list[i];
        bool here = new->file == NULL || (d->file != NULL && d->line == new->line);
        if (here && strcmp(d->name, new->name) == 0) return true;
    }
    return false;
}

bool diagnoses_add(struct diagnoses *diagnoses, const struct run *run, const char *name,
                   const struct record *site, json_t *evidence, const char *format, ...)
{
    struct diagnosis new = {.name = name, .evidence = evidence};
    if (site != NULL) {
        new.file = site->file;
        new.line = site->line;
    }
    if (diagnoses->count == DIAGNOSES_MAX || has(diagnoses, &new)) {
        json_decref(evidence);
        return false;
    }
    va_list arguments;
    va_start(arguments, format);
    new.text = arena_format_list(diagnoses->arena, format, arguments);
    va_end(arguments);
    if (evidence == NULL) new.evidence = json_object();
    if (run != NULL)
        json_object_update_new(
            new.evidence, json_pack("{s:s, s:s}", "run", run->dir, "arguments", run->arguments));
    if (diagnoses->list == NULL)
        diagnoses->list = arena_alloc(diagnoses->arena, DIAGNOSES_MAX * sizeof *diagnoses->list);
    diagnoses->list[diagnoses->count++] = new;
    return true;
}

void diagnoses_free(struct diagnoses *diagnoses)
{
    for (size_t i = 0; i < diagnoses->count; i++)
        json_decref(diagnoses->list[i].evidence);
    diagnoses->count = 0;
}
