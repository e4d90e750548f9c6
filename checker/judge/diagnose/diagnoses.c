/* diagnoses.c: see diagnoses.h. */
#include "judge/diagnose/diagnoses.h"

#include <string.h>

enum { DIAGNOSES_MAX = 1000 }; /* a forged trace may hold more faults */

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

bool diagnoses_add(struct diagnoses *diagnoses, const char *name, const struct record *place,
                   json_t *evidence, const char *format, ...)
{
    struct diagnosis new = {.name = name, .evidence = evidence};
    if (place != NULL) {
        new.file = place->file;
        new.line = place->line;
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
    if (diagnoses->list == NULL)
        diagnoses->list = arena_take(diagnoses->arena, DIAGNOSES_MAX * sizeof *diagnoses->list);
    diagnoses->list[diagnoses->count++] = new;
    return true;
}

void diagnoses_free(struct diagnoses *diagnoses)
{
    for (size_t i = 0; i < diagnoses->count; i++)
        json_decref(diagnoses->list[i].evidence);
    diagnoses->count = 0;
}
