/*
 * json_read.c: see json_read.h. The ranges are so small that sums and products of accepted numbers
 * never overflow or lose a bit.
 */
#include "judge/read/json_read.h"

#include <math.h>
#include <string.h>

static const double COUNT_MAX =
    9007199254740992.0;                /* 2^53: a double holds all whole numbers below */
static const double NUMBER_MAX = 1e18; /* 30 years in nanoseconds; products still fit */
enum { TEXT_MAX = 4096 };              /* bytes of a name or message */

static const json_t *find(const struct json_read *fields, const char *key)
{
    const json_t *value = json_object_get(fields->object, key);
    return json_is_null(value) ? NULL : value;
}

static void complain(struct json_read *fields, const char *key, const char *expected)
{
    if (fields->error == NULL)
        fields->error = arena_format(fields->arena, "`%s` is not %s", key, expected);
}

uint64_t json_read_count(struct json_read *fields, const char *key, uint64_t fallback)
{
    const json_t *value = find(fields, key);
    if (value == NULL) return fallback;
    double number = json_number_value(value);
    if (json_is_number(value) && number >= 0 && number <= COUNT_MAX && number == floor(number))
        return (uint64_t)number;
    complain(fields, key, "a count");
    return fallback;
}

double json_read_number(struct json_read *fields, const char *key, double fallback)
{
    const json_t *value = find(fields, key);
    if (value == NULL) return fallback;
    if (json_is_number(value) && fabs(json_number_value(value)) <= NUMBER_MAX)
        return json_number_value(value);
    complain(fields, key, "a number");
    return fallback;
}

bool json_read_flag(struct json_read *fields, const char *key, bool fallback)
{
    const json_t *value = find(fields, key);
    if (value == NULL) return fallback;
    if (json_is_boolean(value)) return json_is_true(value);
    complain(fields, key, "true or false");
    return fallback;
}

const char *json_read_text(struct json_read *fields, const char *key, const char *fallback)
{
    const json_t *value = find(fields, key);
    if (value == NULL) return fallback;
    if (json_is_string(value)) {
        size_t length = json_string_length(value);
        return arena_copy(fields->arena, json_string_value(value),
                          length < TEXT_MAX ? length : TEXT_MAX);
    }
    complain(fields, key, "a text");
    return fallback;
}

void json_read_counts(struct json_read *fields, const char *key, size_t most, uint64_t *list)
{
    const json_t *value = find(fields, key);
    for (size_t i = 0; i < most && i < json_array_size(value); i++) {
        const json_t *part = json_array_get(value, i);
        if (json_is_integer(part) && json_integer_value(part) >= 0)
            list[i] = (uint64_t)json_integer_value(part);
        else
            complain(fields, key, "a list of counts");
    }
}

void json_read_triple(struct json_read *fields, const char *key, uint32_t triple[3])
{
    const json_t *value = find(fields, key);
    if (value == NULL) return;
    for (size_t i = 0; i < 3; i++) {
        const json_t *part = json_array_get(value, i); /* NULL when it is not an array */
        json_int_t number = json_is_integer(part) ? json_integer_value(part) : -1;
        if (number < 0 || number > UINT32_MAX) {
            complain(fields, key, "three numbers");
            return;
        }
        triple[i] = (uint32_t)number;
    }
}
