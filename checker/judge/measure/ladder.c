/* ladder.c: see ladder.h. */
#include "judge/measure/ladder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 7 };
enum { LADDER_BYTES_MAX = 1 << 20, CRITERIA_MAX = 200, RUNG_MAX = 99 }; /* far above any ladder */

static bool read_rung(const char *text, int *rung)
{
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < 0 || value > RUNG_MAX) return false;
    *rung = (int)value;
    return true;
}

/* Reads `#required` and `#limit`. Any other line that begins with # is a comment. */
static const char *read_setting(struct ladder *ladder, char *columns[], int count)
{
    if (strcmp(columns[0], "#required") == 0)
        return count == 2 && read_rung(columns[1], &ladder->required) ? NULL
                                                                      : "#required needs a rung";
    if (strcmp(columns[0], "#limit") == 0) {
        ladder->in_flops = count == 2 && strcmp(columns[1], "cublas") == 0;
        return ladder->in_flops || (count == 2 && strcmp(columns[1], "copy") == 0)
                   ? NULL
                   : "#limit is copy or cublas";
    }
    return NULL;
}

static const char *read_alternative(struct arena *arena, char *columns[],
                                    struct alternative *alternative)
{
    char *end;
    *alternative =
        (struct alternative){measure_find(columns[2]), columns[3], strtod(columns[4], &end)};
    if (alternative->measure < 0)
        return arena_format(arena, "there is no measure `%s`", columns[2]);
    if (strcmp(alternative->test, "=") != 0 && strcmp(alternative->test, ">=") != 0 &&
        strcmp(alternative->test, "<=") != 0)
        return "the test is none of =, >=, <=";
    if (end == columns[4] || *end != '\0' || !isfinite(alternative->value))
        return "the value is not a number";
    return NULL;
}

static const char *read_criterion(struct arena *arena, struct ladder *ladder, char *columns[],
                                  int count)
{
    if (count != COLUMNS) return arena_format(arena, "%d columns instead of %d", count, COLUMNS);
    struct criterion *c = &ladder->criteria[ladder->count], *before = ladder->count > 0 ? c - 1 : c;
    struct alternative alternative;
    int rung;
    const char *wrong = read_alternative(arena, columns, &alternative);
    if (!read_rung(columns[0], &rung)) return "the rung is not a number";
    if (ladder->count > 0 && rung < before->rung) return "the rungs must rise";
    if (wrong != NULL) return wrong;
    if (ladder->count > 0 && strcmp(columns[1], before->id) == 0) {
        c = before;
        if (rung != c->rung) return "one criterion has rows in two rungs";
    } else {
        if (ladder->count == CRITERIA_MAX) return "too many criteria";
        *c = (struct criterion){
            .rung = rung, .id = columns[1], .text = columns[5], .next = columns[6]};
        ladder->count++;
        ladder->rungs = rung;
    }
    if (c->alternative_count == ALTERNATIVES_MAX)
        return "too many alternatives to pass one criterion";
    c->alternatives[c->alternative_count++] = alternative;
    return NULL;
}

const char *ladder_load(struct arena *arena, const char *path, struct ladder *ladder)
{
    char *text, *columns[COLUMNS + 1]; /* one more shows that there are too many */
    size_t length;
    *ladder = (struct ladder){.required = -1};
    ladder->criteria = arena_alloc(arena, CRITERIA_MAX * sizeof *ladder->criteria);
    const char *wrong = arena_read(arena, path, LADDER_BYTES_MAX, &text, &length);
    if (wrong != NULL) return arena_format(arena, "ladder.tsv %s", wrong);
    if (text[length - 1] != '\n') return "ladder.tsv is cut off: its last line has no end";
    arena_make_plain(text, length);
    int number = 0;
    for (char *line = text, *next; line != NULL && wrong == NULL; line = next) {
        next = strchr(line, '\n');
        if (next != NULL) *next++ = '\0';
        number++;
        int count = arena_split(line, columns, COLUMNS + 1);
        if (line[0] == '#')
            wrong = read_setting(ladder, columns, count);
        else if (line[0] != '\0' && strcmp(columns[0], "rung") != 0)
            wrong = read_criterion(arena, ladder, columns, count);
    }
    if (wrong != NULL) return arena_format(arena, "ladder.tsv:%d: %s", number, wrong);
    if (ladder->count == 0) return "ladder.tsv has no criteria";
    if (ladder->required < 0) ladder->required = ladder->rungs;
    if (ladder->required > ladder->rungs)
        return arena_format(arena, "ladder.tsv: rung %d is required, and %d is the last",
                            ladder->required, ladder->rungs);
    return NULL;
}

static enum passed passes(const struct measures *measures, const struct alternative *alternative)
{
    return measure_passes(measures, alternative->measure, alternative->test, alternative->value);
}

/* The row by which a criterion is judged: one that holds, else one that is undecided, else the
 * first that could be measured. */
static const struct alternative *taken(const struct criterion *c, const struct measures *measures)
{
    static const enum passed order[] = {PASSED_YES, PASSED_UNDECIDED, PASSED_NO};
    for (size_t k = 0; k < sizeof order / sizeof order[0]; k++)
        for (int i = 0; i < c->alternative_count; i++)
            if (passes(measures, &c->alternatives[i]) == order[k]) return &c->alternatives[i];
    return &c->alternatives[0];
}

/* "83 %, modelled: cannot be decided without a GPU, 0.95 to 1.17 of what is needed" */
static const char *undecided(struct arena *arena, const struct measures *measures,
                             const struct alternative *alternative)
{
    const struct measure *measure = &measures->list[alternative->measure];
    const struct band *band = &measures->bands[alternative->measure];
    double ratio = measure->value / alternative->value;
    return arena_format(arena,
                        "%s: cannot be decided without a GPU, %.2f to %.2f of what is needed",
                        measure->seen, ratio * band->least, ratio * band->most);
}

/* Replaces {sizes} or {may_refuse} by the sizes. */
static const char *fill_in(struct arena *arena, const char *text, const char *mark,
                           const char *sizes)
{
    const char *at = strstr(text, mark);
    if (at == NULL) return text;
    return arena_format(arena, "%.*s%s%s", (int)(at - text), text, sizes, at + strlen(mark));
}

void ladder_judge(struct ladder *ladder, struct arena *arena, const struct measures *measures,
                  const struct sizes *sizes)
{
    const struct criterion *failed = NULL;
    for (size_t i = 0; i < ladder->count; i++) {
        struct criterion *c = &ladder->criteria[i];
        const struct alternative *alternative = taken(c, measures);
        enum passed passed = passes(measures, alternative);
        const char *seen = measures->list[alternative->measure].seen;
        c->text = fill_in(arena, c->text, "{sizes}", sizes->right);
        c->text = fill_in(arena, c->text, "{may_refuse}", sizes->may_refuse);
        c->needed =
            measure_needed(arena, alternative->measure, alternative->test, alternative->value);
        c->seen = passed != PASSED_UNKNOWN ? seen : NULL;
        if (failed != NULL && (c->rung > failed->rung || passed == PASSED_UNKNOWN))
            c->after = failed->id;
        else if (passed == PASSED_UNKNOWN)
            c->why = seen;
        else
            c->passed = passed;
        if (c->passed == PASSED_UNDECIDED) c->seen = undecided(arena, measures, alternative);
        if (c->passed == PASSED_NO && failed == NULL) failed = c;
    }
}

static int rung_below(const struct ladder *ladder, const struct criterion *open)
{
    if (open == NULL) return ladder->rungs;
    return open->rung > 0 ? open->rung - 1 : 0;
}

int ladder_rung(const struct ladder *ladder)
{
    return rung_below(ladder, ladder_first_open(ladder));
}

int ladder_rung_at_most(const struct ladder *ladder)
{
    return rung_below(ladder, ladder_first_missed(ladder));
}

static const struct criterion *first_not(const struct ladder *ladder, enum passed also)
{
    for (size_t i = 0; i < ladder->count; i++)
        if (ladder->criteria[i].passed != PASSED_YES && ladder->criteria[i].passed != also)
            return &ladder->criteria[i];
    return NULL;
}

const struct criterion *ladder_first_open(const struct ladder *ladder)
{
    return first_not(ladder, PASSED_YES);
}

const struct criterion *ladder_first_missed(const struct ladder *ladder)
{
    return first_not(ladder, PASSED_UNDECIDED);
}

const struct criterion *ladder_next(const struct ladder *ladder)
{
    const struct criterion *open = ladder_first_open(ladder), *missed = ladder_first_missed(ladder);
    return missed != NULL && missed->rung == open->rung ? missed : open;
}

bool ladder_misses(const struct ladder *ladder, const struct measures *measures,
                   enum measure_name measure)
{
    for (size_t i = 0; i < ladder->count; i++) {
        const struct alternative *alternative = taken(&ladder->criteria[i], measures);
        if (alternative->measure == (int)measure && passes(measures, alternative) == PASSED_NO)
            return true;
    }
    return false;
}

bool criterion_asks(const struct criterion *criterion, enum measure_name measure)
{
    for (int i = 0; i < criterion->alternative_count; i++)
        if (criterion->alternatives[i].measure == (int)measure) return true;
    return false;
}

bool criterion_is_timed(const struct criterion *criterion)
{
    for (int measure = MEASURE_TIMER; measure <= MEASURE_BUS_SHARE; measure++)
        if (criterion_asks(criterion, (enum measure_name)measure)) return true;
    return false;
}

bool ladder_asks(const struct ladder *ladder, enum measure_name measure)
{
    for (size_t i = 0; i < ladder->count; i++)
        if (criterion_asks(&ladder->criteria[i], measure)) return true;
    return false;
}
