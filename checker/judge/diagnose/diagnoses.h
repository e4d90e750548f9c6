/* diagnoses.h: the list of diagnoses, to which every file of this room adds. */
#ifndef WARPUP_DIAGNOSES_H
#define WARPUP_DIAGNOSES_H

#include "judge/read/arena.h"

#include <jansson.h>

struct diagnosis {
    const char *name, *file; /* file is NULL when the place is not known */
    int line;
    const char *text;
    json_t *evidence; /* an object; the list owns it */
    bool comes_first; /* it happened before anything else went wrong, and explains the rest */
};

struct diagnoses {
    struct arena *arena;
    struct diagnosis *list;
    size_t count, capacity;
};

/* Adds a diagnosis, and takes over `evidence`. Adds nothing when the list has one of this name and
 * line, or a thousand others. Returns whether it was added. */
bool diagnoses_add(struct diagnoses *diagnoses, const char *name, const char *file, int line,
                   const char *text, json_t *evidence);
void diagnoses_free(struct diagnoses *diagnoses);

#endif
