/*
 * json_read.h: taking fields out of a JSON object that cannot be trusted. A missing field, or null,
 * gives the fallback. A field of the wrong type or outside its range gives the fallback and is
 * remembered: the first such is told in `error`.
 */
#ifndef WARPUP_JSON_READ_H
#define WARPUP_JSON_READ_H

#include "judge/read/arena.h"

#include <jansson.h>
#include <stdint.h>

struct fields {
    struct arena *arena;
    const json_t *object;
    const char *error; /* NULL while all is well: "`bytes` is not a count" */
};

/* A whole number from 0 to 2^53 (larger ones would not survive as a double). */
uint64_t field_count(struct fields *fields, const char *key, uint64_t fallback);
double field_number(struct fields *fields, const char *key, double fallback); /* always finite */
bool field_flag(struct fields *fields, const char *key, bool fallback);
/* Made plain and cut at 4096 bytes; the copy is the arena's. */
const char *field_text(struct fields *fields, const char *key, const char *fallback);
/* [x, y, z], each below 2^32. */
void field_triple(struct fields *fields, const char *key, uint32_t triple[3]);

#endif
