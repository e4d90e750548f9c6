/* verdict.c: see verdict.h. */
#include "judge/verdict.h"
#include "judge/diagnose/diagnose.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SOURCE_BYTES_MAX = 4 << 20, CODE_BYTES_MAX = 200 };

static json_t *text_or_null(const char *text)
{
    return text != NULL ? json_string(text) : json_null();
}

static json_t *number_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

enum status verdict_status(const struct check *check, const struct ladder *ladder)
{
    if (check->trouble_count > 0 || ladder->count == 0) return STATUS_COULD_NOT_CHECK;
    if (ladder_rung(ladder) >= ladder->required) return STATUS_REACHED;
    const struct criterion *open = ladder_first_open(ladder);
    for (size_t i = 0; i < ladder->count; i++)
        if (ladder->criteria[i].rung == open->rung && ladder->criteria[i].passed == PASSED_NO)
            return STATUS_NOT_YET;
    return STATUS_COULD_NOT_CHECK;
}

static json_t *devices(const struct check *check)
{
    json_t *list = json_array();
    for (size_t i = 0; i < check->device_count; i++) {
        json_t *device = json_object();
        json_object_set_new(device, "name", json_string(check->devices[i].name));
        json_object_set_new(device, "kind",
                            json_string(check->devices[i].simulated ? "simulated" : "real"));
        if (check->devices[i].profile != NULL)
            json_object_set_new(device, "profile", json_string(check->devices[i].profile));
        json_array_append_new(list, device);
    }
    return list;
}

static json_t *criteria(const struct ladder *ladder)
{
    json_t *list = json_array();
    for (size_t i = 0; i < ladder->count; i++) {
        const struct criterion *c = &ladder->criteria[i];
        json_t *entry = json_object();
        json_object_set_new(entry, "id", json_string(c->id));
        json_object_set_new(entry, "rung", json_integer(c->rung));
        json_object_set_new(entry, "text", json_string(c->text));
        json_object_set_new(entry, "passed",
                            c->passed == PASSED_UNKNOWN ? json_null()
                                                        : json_boolean(c->passed == PASSED_YES));
        json_object_set_new(entry, "seen", text_or_null(c->why != NULL ? c->why : c->seen));
        json_object_set_new(entry, "needed", text_or_null(c->needed));
        if (c->after != NULL) json_object_set_new(entry, "after", json_string(c->after));
        json_array_append_new(list, entry);
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
    const struct run *run = check->trouble_count == 0 ? check_next_timed(check, NULL) : NULL;
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

/* The text of one line of the source; NULL when there is no such line. */
static char *code_line(struct arena *arena, const char *source, int line)
{
    char *text;
    size_t length;
    if (line <= 0 || arena_read(arena, source, SOURCE_BYTES_MAX, &text, &length) != NULL)
        return NULL;
    for (; line > 1 && text != NULL; line--) {
        text = strchr(text, '\n');
        if (text != NULL) text++;
    }
    if (text == NULL) return NULL;
    text += strspn(text, " \t");
    size_t kept = strcspn(text, "\r\n");
    while (kept > 0 && (text[kept - 1] == ' ' || text[kept - 1] == '\t'))
        kept--;
    return kept > 0 ? arena_copy(arena, text, kept < CODE_BYTES_MAX ? kept : CODE_BYTES_MAX) : NULL;
}

static json_t *diagnosis(struct arena *arena, const struct diagnosis *d, const char *source,
                         const struct ladder *ladder)
{
    json_t *entry = json_object();
    const char *name = arena_file_name(source);
    bool own = d->file != NULL && strcmp(arena_file_name(d->file), name) == 0;
    const char *code = own ? code_line(arena, source, d->line) : NULL;
    json_object_set_new(entry, "name", json_string(d->name));
    json_object_set_new(
        entry, "file",
        text_or_null(d->file != NULL ? arena_format(arena, "%s", own ? name : d->file) : NULL));
    json_object_set_new(entry, "line",
                        d->file != NULL && d->line > 0 ? json_integer(d->line) : json_null());
    if (code != NULL) json_object_set_new(entry, "code", json_string(code));
    json_object_set_new(entry, "text", json_string(d->text));
    json_object_set_new(entry, "criterion", text_or_null(diagnosis_criterion(d, ladder)));
    json_object_set_new(entry, "explain",
                        text_or_null(diagnosis_has_page(d)
                                         ? arena_format(arena, "checker/mistakes/%s.md", d->name)
                                         : NULL));
    json_object_set(entry, "evidence", d->evidence);
    return entry;
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
    if (check->trouble_count > 0) return json_string(check->troubles[0]);
    const struct criterion *open = ladder_first_open(ladder);
    if (open == NULL) return json_null();
    return text_or_null(open->why != NULL ? open->why : diagnoses_next(diagnoses, ladder));
}

bool verdict_write(const struct question *question, const struct check *check,
                   const struct ladder *ladder, const struct measures *measures,
                   const struct diagnoses *diagnoses)
{
    static const char *const names[] = {"reached", "not yet", "could not check"};
    enum status status = verdict_status(check, ladder);
    json_t *verdict = json_object(), *list = json_array();
    for (size_t i = 0; i < diagnoses->count; i++)
        json_array_append_new(
            list, diagnosis(check->arena, &diagnoses->list[i], question->source, ladder));
    json_object_set_new(verdict, "exercise",
                        json_string(arena_format(check->arena, "%s", question->exercise)));
    json_object_set_new(
        verdict, "source",
        json_string(arena_format(check->arena, "%s", arena_file_name(question->source))));
    json_object_set_new(verdict, "status", json_string(names[status]));
    json_object_set_new(verdict, "rung",
                        json_integer(check->trouble_count > 0 ? 0 : ladder_rung(ladder)));
    json_object_set_new(verdict, "rungs", json_integer(ladder->rungs));
    json_object_set_new(verdict, "required", json_integer(ladder->required));
    json_object_set_new(verdict, "seed", seed(check));
    json_object_set_new(verdict, "devices", devices(check));
    json_object_set_new(verdict, "criteria", criteria(ladder));
    json_object_set_new(verdict, "rate", rate(&measures->rate));
    json_object_set_new(verdict, "limit", rate(&measures->limit));
    json_object_set_new(verdict, "share", number_or_null(measures->share));
    json_object_set_new(verdict, "work", work(check));
    json_object_set_new(verdict, "intensity", intensity(measures));
    json_object_set_new(
        verdict, "wavefronts_per_request",
        number_or_null(measures->counts.shared_wavefronts / measures->counts.shared_requests));
    json_object_set_new(verdict, "occupancy", occupancy(&measures->occupancy));
    json_object_set_new(verdict, "diagnoses", list);
    json_object_set_new(verdict, "next", next_step(check, ladder, diagnoses));
    json_object_set_new(verdict, "troubles", texts(check->troubles, check->trouble_count));
    json_object_set_new(verdict, "notes", texts(check->notes, check->note_count));
    bool written = json_dumpf(verdict, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) == 0 &&
                   putchar('\n') != EOF && fflush(stdout) == 0;
    json_decref(verdict);
    return written;
}
