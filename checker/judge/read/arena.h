/*
 * arena.h: the judge's memory and text. Everything that belongs to one check is in one arena, and
 * is freed with it. Text from outside becomes valid UTF-8 without control characters, so that it
 * can always be written as JSON and shown on a terminal.
 */
#ifndef WARPUP_ARENA_H
#define WARPUP_ARENA_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct arena {
    struct chunk *chunks;
};

/* Returns zeroed memory, aligned for any type. It is valid until arena_free(). When no memory is
 * left, the program ends with exit code 2 and one line on stderr. */
void *arena_alloc(struct arena *arena, size_t bytes);
void arena_free(struct arena *arena);

/* printf into the arena; control characters of the text are replaced. */
char *arena_format(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
char *arena_format_list(struct arena *arena, const char *format, va_list arguments);

/* A plain copy of the first `length` bytes. */
char *arena_copy(struct arena *arena, const char *text, size_t length);

/* Replaces bytes that are not valid UTF-8 by '?'. */
void arena_make_utf8(char *text, size_t length);

/* Makes the text UTF-8, and replaces control characters, except tab and newline. */
void arena_make_plain(char *text, size_t length);

/* Cuts a line at its tabs into at most `most` fields; returns how many it has. The last one may
 * contain tabs. */
int arena_split(char *line, char *fields[], int most);

/* Reads a whole regular file of at most `limit` bytes, and adds a '\0'. A longer file is refused.
 * Returns NULL when the file was read, else why not: "is missing", "is empty", … */
const char *arena_read(struct arena *arena, const char *path, size_t limit, char **text,
                       size_t *length);

/* The part of a path after its last '/'. */
const char *arena_file_name(const char *path);

#endif
