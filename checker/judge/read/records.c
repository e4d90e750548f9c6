/* records.c: see records.h. */
#define _POSIX_C_SOURCE 200809L
#include "judge/read/records.h"

#include <stdlib.h>
#include <string.h>

enum { FIELDS_MAX = 6 };

static const uint64_t SEED_MAX = 1ull << 53; /* larger ones are given to the judge as an option */

static json_t *words_of(const char *text)
{
    json_t *list = json_array();
    for (; *text != '\0'; text += strspn(text, " ")) {
        size_t length = strcspn(text, " ");
        json_array_append_new(list, json_stringn(text, length));
        text += length;
    }
    return list;
}

static json_t *compile_of(struct arena *arena, char *fields[])
{
    return json_pack("{s:s, s:i, s:s}", "device", fields[1], "exit", atoi(fields[2]), "log",
                     arena_format(arena, "compile-%s.log", fields[1]));
}

static json_t *run_of(struct arena *arena, char *fields[])
{
    const char *dir = arena_format(arena, "%s-%s-%s", fields[1], fields[2], fields[3]);
    return json_pack("{s:s, s:s, s:s, s:o}", "dir", dir, "device", fields[1], "purpose", fields[5],
                     "arguments", words_of(fields[4]));
}

/* Adds one record to the object; false when it is not a record. */
static bool add_record(struct arena *arena, json_t *object, char *fields[], int count)
{
    if (strcmp(fields[0], "compile") == 0 && count == 3)
        return json_array_append_new(json_object_get(object, "compile"),
                                     compile_of(arena, fields)) == 0;
    if (strcmp(fields[0], "run") == 0 && count == 6)
        return json_array_append_new(json_object_get(object, "runs"), run_of(arena, fields)) == 0;
    bool limit = strcmp(fields[0], "limit") == 0 || strcmp(fields[0], "bus") == 0;
    if (limit && count == 2)
        return json_object_set_new(object, fields[0], json_pack("{s:s}", "dir", fields[1])) == 0;
    if (strcmp(fields[0], "note") == 0 && count == 2)
        return json_array_append_new(json_object_get(object, "notes"), json_string(fields[1])) == 0;
    return false;
}

static bool add_line(struct arena *arena, json_t *object, char *line)
{
    char *fields[FIELDS_MAX];
    arena_make_utf8(line, strlen(line));
    line[strcspn(line, "\n")] = '\0';
    int count = arena_split(line, fields, strncmp(line, "note\t", 5) == 0 ? 2 : FIELDS_MAX);
    return line[0] == '\0' || add_record(arena, object, fields, count);
}

json_t *records_read(struct arena *arena, FILE *file, uint64_t seed, const char *seal)
{
    json_t *number = seed < SEED_MAX ? json_integer((json_int_t)seed) : json_null();
    json_t *object = json_pack("{s:o, s:s?, s:[], s:[], s:n, s:[]}", "seed", number, "seal", seal,
                               "compile", "runs", "limit", "notes");
    char *line = NULL;
    size_t size = 0;
    bool right = object != NULL;
    while (right && getline(&line, &size, file) > 0)
        right = add_line(arena, object, line);
    free(line);
    if (right) return object;
    json_decref(object);
    return NULL;
}
