/* diagnoses.c: see diagnoses.h. */
#include "judge/diagnose/diagnoses.h"

#include <string.h>

enum { DIAGNOSES_MAX = 1000 }; /* a forged trace may hold more faults */

bool diagnoses_add(struct diagnoses *diagnoses, const char *name, const char *file, int line,
                   const char *text, json_t *evidence)
{
    for (size_t i = 0; i < diagnoses->count; i++) {
        const struct diagnosis *d = &diagnoses->list[i];
        bool placeless = file == NULL; /* the same diagnosis, from a device that knows no lines */
        bool here = placeless || (d->file != NULL && d->line == line);
        if (here && strcmp(d->name, name) == 0) {
            json_decref(evidence);
            return false;
        }
    }
    if (diagnoses->count == DIAGNOSES_MAX) {
        json_decref(evidence);
        return false;
    }
    if (diagnoses->count == diagnoses->capacity) {
        diagnoses->capacity = diagnoses->capacity > 0 ? 2 * diagnoses->capacity : 16;
        struct diagnosis *grown = arena_take(diagnoses->arena, diagnoses->capacity * sizeof *grown);
        if (diagnoses->count > 0) memcpy(grown, diagnoses->list, diagnoses->count * sizeof *grown);
        diagnoses->list = grown;
    }
    diagnoses->list[diagnoses->count++] = (struct diagnosis){
        name, file, line, text, evidence != NULL ? evidence : json_object(), false};
    return true;
}

void diagnoses_free(struct diagnoses *diagnoses)
{
    for (size_t i = 0; i < diagnoses->count; i++)
        json_decref(diagnoses->list[i].evidence);
    diagnoses->count = 0;
}
