/* verdict.c: see verdict.h. */
#include "judge/verdict.h"
#include "judge/diagnose/diagnoses.h"
#include "judge/read/source.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static json_t *number_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

enum status verdict_status(const struct check *check, const struct ladder *ladder)
{
    if (check->internal_error_count > 0 || ladder->count == 0) return STATUS_COULD_NOT_CHECK;
    if (ladder_rung(ladder) >= ladder->required) return STATUS_REACHED;
    if (ladder_rung_at_most(ladder) >= ladder->required) return STATUS_UNDECIDED;
    const struct criterion *open = ladder_first_missed(ladder);
    for (size_t i = 0; i < ladder->count; i++)
        if (ladder->criteria[i].rung == open->rung && ladder->criteria[i].passed == PASSED_NO)
            return STATUS_NOT_YET;
    return STATUS_COULD_NOT_CHECK;
}

static json_t *devices(const struct check *check)
{
    json_t *list = json_array();
    for (size_t i = 0; i < check->device_count; i++)
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:s*}", "name", check->devices[i].name, "kind",
                                        check->devices[i].simulated ? "simulated" : "real",
                                        "profile", check->devices[i].profile));
    return list;
}

static json_t *criteria(const struct ladder *ladder)
{
    json_t *list = json_array();
    for (size_t i = 0; i < ladder->count; i++) {
        const struct criterion *c = &ladder->criteria[i];
        json_t *passed = c->passed == PASSED_UNKNOWN     ? json_null()
                         : c->passed == PASSED_UNDECIDED ? json_string("undecided")
                                                         : json_boolean(c->passed == PASSED_YES);
        json_array_append_new(list, json_pack("{s:s, s:i, s:s, s:o, s:s?, s:s?, s:s*}", "id", c->id,
                                              "rung", c->rung, "text", c->text, "passed", passed,
                                              "seen", c->why != NULL ? c->why : c->seen, "needed",
                                              c->needed, "after", c->after));
    }
    return list;
}

static json_t *rate(const struct rate *rate)
{
    if (isnan(rate->value)) return json_null();
    return json_pack("{s:f, s:s, s:s}", "value", rate->value, "unit", rate->unit, "how", rate->how);
}

/* The least traffic and the work of the timed run. */
static json_t *work(const struct check *check)
{
    const struct run *run = check->internal_error_count == 0 ? check_next_timed(check, NULL) : NULL;
    if (run == NULL) return json_null();
    return json_pack("{s:s, s:f, s:f}", "arguments", run->arguments, "bytes", run->problem.bytes,
                     "flops", run->problem.flops);
}

/* Flop per byte, as the simulated GPU counted them; null if nothing was counted. */
static json_t *intensity(const struct measures *measures)
{
    const struct measure *list = measures->list;
    return json_pack("{s:o, s:o}", "loaded", number_or_null(list[MEASURE_INTENSITY].value), "dram",
                     number_or_null(list[MEASURE_DRAM_INTENSITY].value));
}

static json_t *occupancy(const struct occupancy *occupancy)
{
    if (isnan(occupancy->value) || occupancy->limited_by == NULL) return json_null();
    return json_pack("{s:f, s:s, s:f}", "value", occupancy->value, "limited_by",
                     occupancy->limited_by, "blocks_per_sm", occupancy->blocks_per_sm);
}

static json_t *diagnosis(struct arena *arena, const struct diagnosis *d, const char *source,
                         const struct ladder *ladder)
{
    const char *name = arena_file_name(source), *page = NULL;
    int column = 0;
    bool own = d->file != NULL && strcmp(arena_file_name(d->file), name) == 0;
    const char *file = d->file == NULL ? NULL : arena_format(arena, "%s", own ? name : d->file);
    json_t *line = file != NULL && d->line > 0 ? json_integer(d->line) : json_null();
    const char *code = own ? source_code(arena, source, d->line, &column) : NULL;
    if (diagnosis_has_page(d)) page = arena_format(arena, "checker/mistakes/%s.md", d->name);
    return json_pack("{s:s, s:s?, s:o, s:o*, s:s*, s:s, s:s?, s:s?, s:O}", "name", d->name, "file",
                     file, "line", line, "column", code != NULL ? json_integer(column) : NULL,
                     "code", code, "text", d->text, "criterion", diagnosis_criterion(d, ladder),
                     "explain", page, "evidence", d->evidence);
}

static json_t *texts(const char *const *list, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, json_string(list[i]));
    return array;
}

static json_t *seed(const struct check *check)
{
    if (check->seed <= INT64_MAX) return json_integer((json_int_t)check->seed);
    return json_string(arena_format(check->arena, "%llu", (unsigned long long)check->seed));
}

static json_t *next_step(const struct check *check, const struct ladder *ladder,
                         const struct diagnoses *diagnoses)
{
    const struct criterion *open = ladder_next(ladder);
    const char *next = open != NULL ? open->why : NULL;
    if (next == NULL) next = diagnoses_next(diagnoses, ladder);
    if (open != NULL && open->passed == PASSED_UNDECIDED)
        next = arena_format(check->arena,
                            "measure rung %d on a machine with a GPU, with `make check GPU=real`. "
                            "A faster program also decides it",
                            open->rung);
    return json_pack("s?", check->internal_error_count > 0 ? check->internal_errors[0] : next);
}

static json_t *plain(struct arena *arena, const char *text)
{
    return json_string(arena_format(arena, "%s", text));
}

bool verdict_write(const struct question *question, const struct check *check,
                   const struct ladder *ladder, const struct measures *measures,
                   const struct diagnoses *diagnoses, FILE *file)
{
    static const char *const names[] = {
        [STATUS_REACHED] = "reached",
        [STATUS_NOT_YET] = "not yet",
        [STATUS_COULD_NOT_CHECK] = "could not check",
        [STATUS_UNDECIDED] = "undecided",
    };
    int rung = check->internal_error_count > 0 ? 0 : ladder_rung(ladder);
    int most = check->internal_error_count > 0 ? 0 : ladder_rung_at_most(ladder);
    const struct counts *counts = &measures->counts;
    struct arena *arena = check->arena;
    json_t *verdict = json_object(), *list = json_array();
    for (size_t i = 0; i < diagnoses->count; i++)
        json_array_append_new(list,
                              diagnosis(arena, &diagnoses->list[i], question->source, ladder));
    const struct {
        const char *name;
        json_t *value;
    } fields[] = {
        {"exercise", plain(arena, question->exercise)},
        {"source", plain(arena, arena_file_name(question->source))},
        {"status", json_string(names[verdict_status(check, ladder)])},
        {"rung", json_integer(rung)},
        {"undecided", most > rung ? json_integer(most) : json_null()},
        {"rungs", json_integer(ladder->rungs)},
        {"required", json_integer(ladder->required)},
        {"seed", seed(check)},
        {"devices", devices(check)},
        {"criteria", criteria(ladder)},
        {"rate", rate(&measures->rate)},
        {"limit", rate(&measures->limit)},
        {"share", number_or_null(measures->share)},
        {"work", work(check)},
        {"intensity", intensity(measures)},
        {"wavefronts_per_request",
         number_or_null(counts->shared_wavefronts / counts->shared_requests)},
        {"occupancy", occupancy(&measures->occupancy)},
        {"diagnoses", list},
        {"next", next_step(check, ladder, diagnoses)},
        {"internal_errors", texts(check->internal_errors, check->internal_error_count)},
        {"notes", texts(check->notes, check->note_count)},
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        json_object_set_new(verdict, fields[i].name, fields[i].value);
    bool written = json_dumpf(verdict, file, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) == 0 &&
                   putc('\n', file) != EOF && fflush(file) == 0;
    json_decref(verdict);
    return written;
}
