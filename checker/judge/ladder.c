/* ladder.c: see ladder.h. */
#include "ladder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LADDER_BYTES_MAX = 1 << 20, COLUMNS = 7, CRITERIA_MAX = 200, RUNG_MAX = 99 };

/* Cuts a line at its tabs; returns how many columns it has. */
static int split(char *line, char *columns[COLUMNS])
{
    int count = 0;
    for (char *at = line; at != NULL; count++) {
        char *tab = strchr(at, '\t');
        if (tab != NULL) *tab++ = '\0';
        if (count < COLUMNS) columns[count] = at;
        at = tab;
    }
    return count;
}

static bool read_rung(const char *text, int *rung)
{
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < 0 || value > RUNG_MAX) return false;
    *rung = (int)value;
    return true;
}

/* `#required` and `#limit`; any other line that begins with # is a remark. */
static const char *read_setting(struct ladder *ladder, char *columns[COLUMNS], int count)
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

static const char *read_criterion(struct arena *arena, struct ladder *ladder,
                                  char *columns[COLUMNS], int count)
{
    if (count != COLUMNS) return text_format(arena, "%d columns instead of %d", count, COLUMNS);
    if (ladder->count == CRITERIA_MAX) return "too many criteria";
    struct criterion *c = &ladder->criteria[ladder->count];
    char *end;
    *c = (struct criterion){.id = columns[1],
                            .measure = columns[2],
                            .test = columns[3],
                            .text = columns[5],
                            .next = columns[6]};
    c->value = strtod(columns[4], &end);
    if (!read_rung(columns[0], &c->rung)) return "the rung is not a number";
    if (ladder->count > 0 && c->rung < c[-1].rung) return "the rungs must rise";
    if (measure_find(c->measure) < 0)
        return text_format(arena, "there is no measure `%s`", c->measure);
    if (strcmp(c->test, "=") != 0 && strcmp(c->test, ">=") != 0 && strcmp(c->test, "<=") != 0)
        return "the test is none of =, >=, <=";
    if (end == columns[4] || *end != '\0' || !isfinite(c->value))
        return "the value is not a number";
    ladder->count++;
    ladder->rungs = c->rung;
    return NULL;
}

const char *ladder_load(struct arena *arena, const char *path, struct ladder *ladder)
{
    char *text, *columns[COLUMNS];
    size_t length;
    *ladder = (struct ladder){.required = -1};
    ladder->criteria = arena_take(arena, CRITERIA_MAX * sizeof *ladder->criteria);
    const char *wrong = text_read(arena, path, LADDER_BYTES_MAX, &text, &length);
    if (wrong != NULL) return text_format(arena, "ladder.tsv %s", wrong);
    text_make_plain(text, length);
    int number = 0;
    for (char *line = text, *next; line != NULL && wrong == NULL; line = next) {
        next = strchr(line, '\n');
        if (next != NULL) *next++ = '\0';
        number++;
        int count = split(line, columns);
        if (line[0] == '#')
            wrong = read_setting(ladder, columns, count);
        else if (line[0] != '\0' && strcmp(columns[0], "rung") != 0)
            wrong = read_criterion(arena, ladder, columns, count);
    }
    if (wrong != NULL) return text_format(arena, "ladder.tsv:%d: %s", number, wrong);
    if (ladder->count == 0) return "ladder.tsv has no criteria";
    if (ladder->required < 0) ladder->required = ladder->rungs;
    return NULL;
}

static bool meets(const struct criterion *c, double value)
{
    if (c->test[0] == '>') return value >= c->value;
    if (c->test[0] == '<') return value <= c->value;
    return value == c->value;
}

/* Puts the sizes in the place of {sizes}. */
static const char *fill_in(struct arena *arena, const char *text, const char *sizes)
{
    const char *at = strstr(text, "{sizes}");
    if (at == NULL) return text;
    return text_format(arena, "%.*s%s%s", (int)(at - text), text, sizes, at + strlen("{sizes}"));
}

void ladder_judge(struct ladder *ladder, struct arena *arena, const struct measures *measures,
                  const char *sizes)
{
    const struct criterion *failed = NULL;
    for (size_t i = 0; i < ladder->count; i++) {
        struct criterion *c = &ladder->criteria[i];
        const struct measure *measure = &measures->list[measure_find(c->measure)];
        bool known = !isnan(measure->value);
        c->text = fill_in(arena, c->text, sizes);
        c->needed = measure_needed(arena, c->measure, c->test, c->value);
        c->seen = known ? measure->seen : NULL;
        if (failed != NULL && (c->rung > failed->rung || !known))
            c->after = failed->id;
        else if (!known)
            c->why = measure->seen;
        else
            c->passed = meets(c, measure->value) ? PASSED_YES : PASSED_NO;
        if (c->passed == PASSED_NO && failed == NULL) failed = c;
    }
}

int ladder_rung(const struct ladder *ladder)
{
    const struct criterion *open = ladder_first_open(ladder);
    if (open == NULL) return ladder->rungs;
    return open->rung > 0 ? open->rung - 1 : 0;
}

const struct criterion *ladder_first_open(const struct ladder *ladder)
{
    for (size_t i = 0; i < ladder->count; i++)
        if (ladder->criteria[i].passed != PASSED_YES) return &ladder->criteria[i];
    return NULL;
}

bool ladder_misses(const struct ladder *ladder, const struct measures *measures,
                   const char *measure)
{
    for (size_t i = 0; i < ladder->count; i++) {
        const struct criterion *c = &ladder->criteria[i];
        double value = measures->list[measure_find(c->measure)].value;
        if (strcmp(c->measure, measure) == 0 && !isnan(value) && !meets(c, value)) return true;
    }
    return false;
}
