/*
 * diagnose.c: the order of diagnoses, what a compiler said, and how runs ended.
 */
#define _POSIX_C_SOURCE 200809L
#include "judge/diagnose/diagnose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The diagnoses in the order in which they are shown, what explains the most first, and the
 * measures that each explains: the first criterion that failed by one of them. */
static const struct {
    const char *name, *measures[4];
} known[] = {
    /* the program cannot have worked */
    {"does-not-compile", {"compiles"}},
    {"trace-not-whole", {"runs"}},
    {"launch-refused", {"kernels", "faults"}},
    {"partial-copy", {"right", "refuses", "may_refuse", "faults"}},
    {"null-pointer", {"faults"}},
    {"host-pointer-in-kernel", {"faults"}},
    {"device-pointer-on-host", {"faults"}},
    {"copy-direction", {"faults"}},
    {"copy-out-of-bounds", {"faults"}},
    {"copy-too-early", {"faults", "right", "refuses", "may_refuse"}},
    {"host-too-early", {"faults", "right", "refuses", "may_refuse"}},
    {"streams-not-ordered", {"faults"}},
    {"out-of-bounds", {"faults"}},
    {"shared-out-of-bounds", {"faults"}},
    {"misaligned-access", {"faults"}},
    {"use-after-free", {"faults"}},
    {"double-free", {"faults"}},
    {"bad-free", {"faults"}},
    {"assert-failed", {"faults"}},
    {"barrier-divergence", {"faults"}},
    {"lanes-missing", {"faults"}},
    {"race-in-block", {"faults"}},
    {"race-between-blocks", {"faults"}},
    {"uninitialised-read", {"faults"}},
    {"api-error", {"faults"}},
    /* how it ended */
    {"crashed", {"runs", "refuses", "may_refuse"}},
    {"timed-out", {"runs", "refuses", "may_refuse"}},
    {"non-zero-exit", {"runs", "refuses", "may_refuse"}},
    {"no-output", {"runs", "refuses", "may_refuse"}},
    {"missing-line", {"runs", "refuses", "may_refuse"}},
    {"no-kernel", {"kernels"}},
    /* the result */
    {"not-copied-back", {"right", "refuses", "may_refuse"}},
    {"tail-missing", {"right", "refuses", "may_refuse"}},
    {"all-zeros", {"right", "refuses", "may_refuse"}},
    {"never-written", {"right", "refuses", "may_refuse"}},
    {"not-a-number", {"right", "refuses", "may_refuse"}},
    {"scaled", {"right", "refuses", "may_refuse"}},
    {"repeated", {"right", "refuses", "may_refuse"}},
    {"wrong-formula", {"right", "refuses", "may_refuse"}},
    {"transposed", {"right", "refuses", "may_refuse"}},
    {"partial-sum", {"right", "refuses", "may_refuse"}},
    {"off-by-a-constant", {"right", "refuses", "may_refuse"}},
    {"shifted", {"right", "refuses", "may_refuse"}},
    {"every-kth", {"right", "refuses", "may_refuse"}},
    {"blocks-moved", {"right", "refuses", "may_refuse"}},
    {"whole-numbers", {"right", "refuses", "may_refuse"}},
    {"half-precision", {"right", "refuses", "may_refuse"}},
    {"differs-from-run-to-run", {"right", "refuses", "may_refuse"}},
    {"wrong-result", {"right", "refuses", "may_refuse"}},
    {"result-not-found", {"right", "refuses", "may_refuse"}},
    {"printed-diff", {"right", "refuses", "may_refuse"}},
    {"result-from-host", {"right"}},
    /* memory, watch, speed */
    {"leak", {"faults"}},
    {"part-a-skipped", {"runs"}},
    {"work-outside-the-watch", {"timer"}},
    {"time-not-measured", {"runs", "timer"}},
    {"watch-stopped-early", {"timer"}},
    {"wrong-unit", {"timer_excess"}},
    {"times-the-copies", {"timer_excess"}},
    {"wrong-rate", {"timer_excess"}},
    {"first-library-call", {"timer_excess"}},
    {"printed-figure", {"timer", "timer_excess"}},
    {"uncoalesced-access", {"sectors", "load_sectors"}},
    {"bank-conflict", {"wavefronts"}},
    {"few-blocks", {"blocks_per_sm_filled"}},
    {"managed-memory-moves", {"share"}},
    {"atomics-on-one-address", {"share"}},
    {"redundant-work", {"share"}},
    {"double-arithmetic", {"share"}},
    {"division-in-loop", {"share"}},
    {"tiny-blocks", {"share"}},
    {"times-several-runs", {"timer_excess", "share"}},
    {"output-truncated", {"runs", "refuses", "may_refuse"}},
};
enum { KNOWN = sizeof known / sizeof known[0] };

static size_t rank(const char *name)
{
    for (size_t i = 0; i < KNOWN; i++)
        if (strcmp(known[i].name, name) == 0) return i;
    return KNOWN;
}

bool diagnosis_has_page(const struct diagnosis *diagnosis)
{
    return rank(diagnosis->name) < KNOWN;
}

/* True when a diagnosis, by its rank, is one of what a criterion asks for. A fault may be why a
 * result is wrong, and is shown there, for it is the cause. */
static bool explains(size_t own, const struct criterion *criterion)
{
    bool fault = own == KNOWN || strcmp(known[own].measures[0], "faults") == 0;
    if (fault && own != rank("leak") && criterion_asks(criterion, MEASURE_RIGHT)) return true;
    if (own == KNOWN) return criterion_asks(criterion, MEASURE_FAULTS);
    for (int i = 0; i < 4 && known[own].measures[i] != NULL; i++)
        if (criterion_asks(criterion, (enum measure_name)measure_find(known[own].measures[i])))
            return true;
    return false;
}

const char *diagnosis_criterion(const struct diagnosis *diagnosis, const struct ladder *ladder)
{
    size_t own = rank(diagnosis->name);
    const struct criterion *failed = NULL;
    bool waits = false;
    for (size_t i = 0; i < ladder->count; i++) {
        const struct criterion *c = &ladder->criteria[i];
        bool explained = explains(own, c);
        if (explained && c->passed == PASSED_NO) return c->id;
        if (explained && c->after != NULL) waits = true;
        if (c->passed == PASSED_NO && failed == NULL) failed = c;
    }
    bool speed = own < KNOWN && own >= rank("work-outside-the-watch");
    return waits && !speed ? failed->id : NULL;
}

/* An insertion sort: stable, and the list is short. */
void diagnoses_sort(struct diagnoses *diagnoses)
{
    struct diagnosis *list = diagnoses->list;
    for (size_t i = 1; i < diagnoses->count; i++)
        for (size_t j = i; j > 0 && rank(list[j].name) < rank(list[j - 1].name); j--) {
            struct diagnosis swapped = list[j];
            list[j] = list[j - 1];
            list[j - 1] = swapped;
        }
}

/* Finds `FILE:LINE: … error: TEXT` (gcc) or `FILE(LINE): error: TEXT` (nvcc) in one line. */
static bool parse_message(struct arena *arena, const char *line, size_t length, const char **file,
                          int *number, const char **message)
{
    const char *copy = arena_copy(arena, line, length);
    const char *at = strstr(copy, "error: ");
    if (at == NULL) return false;
    *message = at + strlen("error: ");
    size_t name = strcspn(copy, ":(");
    if (copy + name < at && sscanf(copy + name, ":%9d", number) != 1 &&
        sscanf(copy + name, "(%9d)", number) != 1)
        *number = 0;
    *file = *number > 0 ? arena_copy(arena, copy, name) : NULL;
    return true;
}

void diagnose_compile(struct diagnoses *diagnoses, const struct check *check)
{
    struct arena *arena = diagnoses->arena;
    for (size_t i = 0; i < check->compile_count; i++) {
        const struct compile *compile = &check->compiles[i];
        bool set_aside = compile->device == DEVICE_SIM && check->unknown != NULL;
        if (compile->exit == 0 || set_aside) continue;
        const char *file = NULL, *message = NULL, *line = compile->log;
        int number = 0;
        while (*line != '\0' && message == NULL) {
            size_t length = strcspn(line, "\n");
            parse_message(arena, line, length, &file, &number, &message);
            line += length + (line[length] == '\n');
        }
        if (message == NULL)
            message = compile->log[0] != '\0'
                          ? arena_copy(arena, compile->log, strcspn(compile->log, "\n"))
                          : "the compiler failed, and said nothing";
        const char *kept = arena_copy(arena, compile->log, strnlen(compile->log, 4000));
        if (diagnoses->count == 0)
            diagnoses_add(diagnoses, "does-not-compile", file, number, message,
                          json_pack("{s:s}", "log", kept));
    }
}

static const char *signal_words(int number)
{
    switch (number) {
    case 4: return "an illegal instruction";
    case 6: return "an abort";
    case 7: return "a bus error";
    case 8: return "an arithmetic error";
    case 9: return "a kill";
    case 11: return "a segmentation fault";
    default: return "a signal";
    }
}

static void diagnose_death(struct diagnoses *diagnoses, const struct run *run)
{
    struct arena *arena = diagnoses->arena;
    json_t *evidence =
        json_pack("{s:s, s:s, s:i, s:i, s:s}", "run", run->dir, "arguments", run->arguments, "exit",
                  run->exit, "signal", run->signal, "stderr", run->complaint);
    const char *said =
        run->complaint[0] != '\0' ? arena_format(arena, "; it said: %.300s", run->complaint) : "";
    if (run->timed_out)
        diagnoses_add(diagnoses, "timed-out", NULL, 0,
                      arena_format(arena, "still running after %.3g s for %s, and stopped",
                                   run->seconds, run->arguments),
                      evidence);
    else if (run->signal != 0)
        diagnoses_add(diagnoses, "crashed", NULL, 0,
                      arena_format(arena, "crashed with %s (signal %d) for %s%s",
                                   signal_words(run->signal), run->signal, run->arguments, said),
                      evidence);
    else
        diagnoses_add(diagnoses, "non-zero-exit", NULL, 0,
                      arena_format(arena, "ended with exit code %d for %s%s", run->exit,
                                   run->arguments, said),
                      evidence);
}

static void diagnose_output(struct diagnoses *diagnoses, const struct run *run)
{
    struct arena *arena = diagnoses->arena;
    const struct printed *printed = &run->printed;
    json_t *evidence = json_pack("{s:s, s:s}", "run", run->dir, "arguments", run->arguments);
    if (run->silent)
        diagnoses_add(diagnoses, "no-output", NULL, 0,
                      arena_format(arena, "printed nothing for %s", run->arguments), evidence);
    else if (!printed->a.present || !printed->b.present || !printed->has_diff)
        diagnoses_add(diagnoses, "missing-line", NULL, 0,
                      arena_format(arena, "did not print %s for %s",
                                   !printed->a.present   ? "the CPU line"
                                   : !printed->b.present ? "a second line, for part B,"
                                                         : "the Diff line",
                                   run->arguments),
                      evidence);
    else
        json_decref(evidence);
}

void diagnose_incomplete(struct diagnoses *diagnoses, const struct check *check)
{
    if (check->incomplete == NULL) return;
    diagnoses_add(diagnoses, "trace-not-whole", NULL, 0,
                  arena_format(diagnoses->arena,
                               "the program ended, but what the device saw of it is not whole: %s",
                               check->incomplete),
                  json_object());
}

void diagnose_ends(struct diagnoses *diagnoses, const struct check *check)
{
    for (size_t i = 0; i < check->run_count; i++) {
        const struct run *run = &check->runs[i];
        if (run->any && run_refused(run)) continue;
        if (run->truncated)
            diagnoses_add(diagnoses, "output-truncated", NULL, 0,
                          arena_format(diagnoses->arena,
                                       "printed more than is kept for %s; the rest was not read",
                                       run->arguments),
                          json_pack("{s:s}", "run", run->dir));
        if (run->died)
            diagnose_death(diagnoses, run);
        else
            diagnose_output(diagnoses, run);
        if (!run->died && trace_kernels(&run->trace) == 0 &&
            trace_next(&run->trace, run->trace.records, EVENT_LAUNCH) == NULL)
            diagnoses_add(diagnoses, "no-kernel", NULL, 0, "the program launches no kernel",
                          json_pack("{s:s}", "run", run->dir));
    }
}
