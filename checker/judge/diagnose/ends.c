/* ends.c: see kinds.h. */
#define _POSIX_C_SOURCE 200809L
#include "judge/diagnose/kinds.h"
#include "judge/read/run_facts.h"
#include "judge/read/phrases.h"

#include <stdio.h>
#include <string.h>

enum { LOG_BYTES_KEPT = 4000 }; /* of compiler messages that are kept: the first ones matter */

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
                          : "the compiler failed, but printed no message";
        const char *kept = arena_copy(arena, compile->log, strnlen(compile->log, LOG_BYTES_KEPT));
        if (diagnoses->count == 0)
            diagnoses_add(diagnoses, NULL, "does-not-compile",
                          &(struct record){.file = file, .line = number},
                          json_pack("{s:s}", "log", kept), "%s", message);
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

/* The kernel that had not finished when the run ended; NULL when none is known. */
static const struct record *unfinished_kernel(const struct run *run)
{
    const struct record *launch = run_last_launch(run), *r = launch;
    if (launch == NULL || launch->launch.error != 0) return NULL;
    for (; r < run->trace.records + run->trace.count; r++)
        if (r->event == EVENT_KERNEL && r->kernel.id == launch->launch.id) return NULL;
    return launch;
}

/* A copy that brings more to the host than the result has, and may pass the end of its array. */
static const struct record *long_copy(const struct run *run)
{
    TRACE_EACH (&run->trace, EVENT_COPY, r)
        if (strcmp(r->copy.direction, "d2h") == 0 &&
            r->copy.bytes > run->problem.elements * sizeof(float))
            return r;
    return NULL;
}

/* The last events that the trace shows before a program's end, in words. `site` becomes the record
 * concerned. */
static const char *last_seen(struct arena *arena, const struct run *run, const struct record **site)
{
    const struct record *kernel = unfinished_kernel(run);
    *site = kernel != NULL || run->timed_out ? kernel : long_copy(run);
    if (kernel != NULL)
        return arena_format(arena, ". The kernel %s had not finished",
                            phrase_launch(arena, kernel));
    if (*site == NULL) return "";
    return arena_format(arena,
                        ". This copy brings %llu bytes to the host; the result has %zu. The copy "
                        "probably goes past the end of the host array",
                        (unsigned long long)(*site)->copy.bytes,
                        run->problem.elements * sizeof(float));
}

static void diagnose_death(struct diagnoses *diagnoses, const struct run *run)
{
    struct arena *arena = diagnoses->arena;
    json_t *evidence = json_pack("{s:i, s:i, s:s}", "exit", run->exit, "signal", run->signal,
                                 "stderr", run->complaint);
    const struct record *site = NULL;
    const char *name = "non-zero-exit", *seen = "", *text;
    const char *said = run->complaint[0] != '\0'
                           ? arena_format(arena, ". It printed: %.300s", run->complaint)
                           : "";
    if (run->timed_out || run->signal != 0) seen = last_seen(arena, run, &site);
    if (run->timed_out) {
        name = "timed-out";
        text = arena_format(arena, "was still running after %.3g s%s", run->seconds, seen);
    } else if (run->signal != 0) {
        name = "crashed";
        text = arena_format(arena, "crashed with %s (signal %d)%s%s", signal_words(run->signal),
                            run->signal, seen, said);
    } else
        text = arena_format(arena, "ended with exit code %d%s", run->exit, said);
    diagnoses_add(diagnoses, run, name, site, evidence, "with arguments %s, the program %s",
                  run->arguments, text);
}

static void diagnose_output(struct diagnoses *diagnoses, const struct run *run)
{
    const struct printed *printed = &run->printed;
    const char *missing = !printed->a.present
                              ? "printed neither the CPU line nor the line of part B"
                          : !printed->b.present ? "printed one line of results; it needs two: the "
                                                  "CPU line first, then the line of part B"
                          : !printed->has_diff  ? "did not print the Diff line"
                                                : NULL;
    if (run->silent) missing = "printed nothing";
    if (missing != NULL)
        diagnoses_add(diagnoses, run, run->silent ? "no-output" : "missing-line", NULL, NULL,
                      "with arguments %s, the program %s", run->arguments, missing);
}

void diagnose_incomplete(struct diagnoses *diagnoses, const struct check *check)
{
    if (check->incomplete == NULL) return;
    diagnoses_add(diagnoses, NULL, "trace-not-whole", NULL, NULL,
                  "the program ended, but the trace of what it did is not complete: %s",
                  check->incomplete);
}

static bool launches(const struct run *run)
{
    return trace_kernels(&run->trace) > 0 || trace_first(&run->trace, EVENT_LAUNCH) != NULL;
}

static bool some_launch(const struct check *check)
{
    for (size_t i = 0; i < check->run_count; i++)
        if (launches(&check->runs[i])) return true;
    return false;
}

void diagnose_ends(struct diagnoses *diagnoses, const struct check *check)
{
    for (size_t i = 0; i < check->run_count; i++) {
        const struct run *run = &check->runs[i];
        if (run->may_refuse && run_refused(run)) continue;
        if (run->truncated)
            diagnoses_add(diagnoses, run, "output-truncated", NULL, NULL,
                          "with arguments %s, the program printed more than the check reads",
                          run->arguments);
        if (run->died)
            diagnose_death(diagnoses, run);
        else
            diagnose_output(diagnoses, run);
        if (!run->died && !launches(run))
            diagnoses_add(diagnoses, run, "no-kernel", NULL, NULL,
                          "%sthe program launches no kernel",
                          some_launch(check) ? arena_format(diagnoses->arena, "with arguments %s, ",
                                                            run->arguments)
                                             : "");
    }
}
