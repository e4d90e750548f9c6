/* diagnoses.h: the list of diagnoses, to which every file of this room adds. */
#ifndef WARPUP_DIAGNOSES_H
#define WARPUP_DIAGNOSES_H

#include "judge/read/trace_read.h"

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
    size_t count;
};

/* Adds a diagnosis at the line of a record, or without a place (NULL), and takes over `evidence`,
 * which may be NULL. Adds nothing when the list has one of this name and line, or a thousand
 * others. Returns whether it was added. */
bool diagnoses_add(struct diagnoses *diagnoses, const char *name, const struct record *place,
                   json_t *evidence, const char *format, ...) __attribute__((format(printf, 5, 6)));
void diagnoses_free(struct diagnoses *diagnoses);

#endif
