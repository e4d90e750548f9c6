/* integrity.c: see integrity.h. */
#define _POSIX_C_SOURCE 200809L
#include "judge/read/integrity.h"

#include "trace/mac.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A trace that is larger than trace_read.h accepts is not read. */
enum { TRACE_BYTES_MAX = 256 << 20, SNAPSHOTS_MAX = 1 << 20, CHUNK_BYTES = 1 << 16 };

static const char mac_field[] = ",\"mac\":\"", contents_field[] = "\"contents\":\"",
                  count_field[] = "\"snapshots\":";

/* The number after a field of the last line; false when it has none. */
static bool read_after(const char *line, const char *field, int base, uint64_t *number)
{
    const char *at = strstr(line, field);
    if (at == NULL) return false;
    *number = strtoull(at + strlen(field), NULL, base);
    return true;
}

/* Adds a snapshot's contents; false when it cannot be read. */
static bool add_file(struct mac *mac, const char *path)
{
    char chunk[CHUNK_BYTES];
    size_t bytes;
    FILE *file = fopen(path, "re");
    if (file == NULL) return false;
    while ((bytes = fread(chunk, 1, sizeof chunk, file)) > 0)
        mac_add(mac, chunk, bytes);
    bool whole = ferror(file) == 0;
    fclose(file);
    return whole;
}

static bool contents_match(struct arena *arena, const struct run *run, const uint64_t key[2],
                           const char *line)
{
    uint64_t count, expected;
    struct mac mac;
    if (!read_after(line, count_field, 10, &count) || count > SNAPSHOTS_MAX) return false;
    if (!read_after(line, contents_field, 16, &expected)) return false;
    mac_begin(&mac, key);
    for (uint64_t i = 0; i < count; i++)
        if (!add_file(&mac,
                      arena_format(arena, "%s/data-%llu.bin", run->path, (unsigned long long)i)))
            return false;
    return mac_value(&mac) == expected;
}

static const char *last_line(const char *text, size_t length)
{
    size_t begin = length > 0 ? length - 1 : 0; /* the place of its newline */
    while (begin > 0 && text[begin - 1] != '\n')
        begin--;
    return text + begin;
}

const char *integrity_check(struct arena *arena, const struct run *run, const uint64_t key[2])
{
    char *text;
    size_t length;
    uint64_t expected;
    struct mac mac;
    const char *wrong = arena_read(arena, arena_format(arena, "%s/trace.jsonl", run->path),
                                   TRACE_BYTES_MAX, &text, &length);
    if (wrong != NULL) return arena_format(arena, "%s/trace.jsonl %s", run->dir, wrong);
    const char *line = last_line(text, length);
    const char *field = strstr(line, mac_field);
    if (field == NULL || !read_after(line, mac_field, 16, &expected))
        return arena_format(arena, "%s/trace.jsonl has no checksum at its end", run->dir);
    mac_begin(&mac, key);
    mac_add(&mac, text, (size_t)(field - text));
    if (mac_value(&mac) != expected)
        return arena_format(arena, "%s/trace.jsonl was changed after it was written", run->dir);
    if (!contents_match(arena, run, key, line))
        return arena_format(arena, "a file beside %s/trace.jsonl was changed after it was written",
                            run->dir);
    return NULL;
}
