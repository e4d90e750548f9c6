/*
 * arena.c: the arena, formatting, and reading of whole files: see arena.h. It opens files in a way
 * that a pipe or a device with a file's name cannot stop the judge.
 */
#define _POSIX_C_SOURCE 200809L
#include "judge/read/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes per chunk of memory. With 0, every block is a chunk of its own, which shows the sanitizers
 * where each one ends. */
#ifndef CHUNK_BYTES
#    define CHUNK_BYTES ((size_t)1 << 16)
#endif

enum { ALIGNMENT = 16 };

struct chunk {
    struct chunk *next;
    size_t used, size; /* rounded up to a multiple of the alignment */
    _Alignas(ALIGNMENT) char bytes[];
};

static struct chunk *chunk_new(struct arena *arena, size_t size)
{
    struct chunk *chunk = calloc(1, sizeof *chunk + size);
    if (chunk == NULL) {
        fprintf(stderr, "judge: not enough memory\n");
        exit(2);
    }
    chunk->size = size;
    chunk->next = arena->chunks;
    return arena->chunks = chunk;
}

void *arena_alloc(struct arena *arena, size_t bytes)
{
    if (bytes > SIZE_MAX / 2) bytes = SIZE_MAX / 2; /* calloc refuses it, and the message follows */
    struct chunk *chunk = arena->chunks;
    if (chunk == NULL || chunk->used + bytes > chunk->size)
        chunk = chunk_new(arena, bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES);
    void *taken = chunk->bytes + chunk->used;
    chunk->used += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return taken;
}

void arena_free(struct arena *arena)
{
    while (arena->chunks != NULL) {
        struct chunk *next = arena->chunks->next;
        free(arena->chunks);
        arena->chunks = next;
    }
}

/* Length of the valid UTF-8 character at `text`, 0 when there is none. */
static size_t character_length(const unsigned char *text, size_t left)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    if (text[0] < 0x80) return 1;
    size_t length = text[0] >= 0xf0 ? 4 : text[0] >= 0xe0 ? 3 : 2;
    if (text[0] < 0xc2 || text[0] > 0xf4 || length > left) return 0;
    uint32_t code = text[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80) return 0;
        code = code << 6 | (text[i] & 0x3fu);
    }
    bool surrogate = code >= 0xd800 && code <= 0xdfff;
    return code < smallest[length] || code > 0x10ffff || surrogate ? 0 : length;
}

void arena_make_utf8(char *text, size_t length)
{
    for (size_t i = 0; i < length;) {
        size_t step = character_length((const unsigned char *)text + i, length - i);
        if (step == 0) text[i] = '?';
        i += step > 0 ? step : 1;
    }
}

void arena_make_plain(char *text, size_t length)
{
    arena_make_utf8(text, length);
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == 0x7f || (c < 0x20 && c != '\t' && c != '\n')) text[i] = '?';
    }
}

char *arena_format(struct arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = arena_format_list(arena, format, arguments);
    va_end(arguments);
    return text;
}

char *arena_format_list(struct arena *arena, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    char *text = arena_alloc(arena, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    arena_make_plain(text, (size_t)length); /* a precision in the format may have cut a character */
    return text;
}

char *arena_copy(struct arena *arena, const char *text, size_t length)
{
    char *copy = arena_alloc(arena, length + 1);
    memcpy(copy, text, length);
    arena_make_plain(copy, length);
    return copy;
}

int arena_split(char *line, char *fields[], int most)
{
    int count = 0;
    for (char *at = line; at != NULL;) {
        fields[count++] = at;
        at = count < most ? strchr(at, '\t') : NULL;
        if (at != NULL) *at++ = '\0';
    }
    return count;
}

static const char *read_opened(struct arena *arena, int file, size_t limit, char **text,
                               size_t *length)
{
    struct stat status;
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) return "is not a regular file";
    if (status.st_size == 0) return "is empty";
    if ((uintmax_t)status.st_size > limit) return "is too large";
    size_t size = (size_t)status.st_size, done = 0;
    *text = arena_alloc(arena, size + 1);
    while (done < size) {
        ssize_t got = read(file, *text + done, size - done);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return "cannot be read";
        if (got == 0) break;
        done += (size_t)got;
    }
    *length = done;
    return NULL;
}

const char *arena_read(struct arena *arena, const char *path, size_t limit, char **text,
                       size_t *length)
{
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return errno == ENOENT ? "is missing" : "cannot be opened";
    const char *why = read_opened(arena, file, limit, text, length);
    close(file);
    return why;
}

const char *arena_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}
