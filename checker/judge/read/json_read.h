/*
 * json_read.h: takes fields out of a JSON object that cannot be trusted. A missing field, or null,
 * gives the fallback. So does a field of the wrong type or outside its range, but `error` then
 * describes the first such field.
 */
#ifndef WARPUP_JSON_READ_H
#define WARPUP_JSON_READ_H

#include "judge/read/arena.h"

#include <jansson.h>
#include <stdint.h>

struct json_read {
    struct arena *arena;
    const json_t *object;
    const char *error; /* NULL while all is well: "`bytes` is not a count" */
};

/* A whole number from 0 to 2^53 (larger ones would not survive as a double). */
uint64_t json_read_count(struct json_read *fields, const char *key, uint64_t fallback);
double json_read_number(struct json_read *fields, const char *key,
                        double fallback); /* always finite */
bool json_read_flag(struct json_read *fields, const char *key, bool fallback);
/* Without control characters, and cut at 4096 bytes. The copy is in the arena. */
const char *json_read_text(struct json_read *fields, const char *key, const char *fallback);
/* The first `most` numbers of a list of counts. */
void json_read_counts(struct json_read *fields, const char *key, size_t most, uint64_t *list);
/* [x, y, z], each below 2^32. */
void json_read_triple(struct json_read *fields, const char *key, uint32_t triple[3]);

#endif
