/*
 * arena.c: memory whose blocks are all freed together. Small blocks are cut from chunks; a large
 * block is a chunk of its own, which the system fills with zeros only where it is touched.
 */
#include "gpu/ptx/arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A build that looks for errors in memory sets it to 0: then each block is a chunk. */
#ifndef ARENA_CHUNK_BYTES
#    define ARENA_CHUNK_BYTES ((size_t)256 * 1024)
#endif
static const size_t LARGE_BYTES = ARENA_CHUNK_BYTES / 8;

struct chunk {
    struct chunk *next;
    size_t unused; /* keeps what follows aligned to 16 bytes */
};

struct arena {
    struct chunk *chunks;
    char *at, *end; /* free bytes of the newest small chunk */
};

static void *checked(void *memory)
{
    if (memory != NULL) return memory;
    fprintf(stderr, "warp-up: there is not enough memory to read the program's PTX\n");
    exit(2);
}

struct arena *arena_make(void)
{
    return checked(calloc(1, sizeof(struct arena)));
}

static char *new_chunk(struct arena *arena, size_t bytes)
{
    struct chunk *chunk = checked(calloc(1, sizeof *chunk + bytes));
    chunk->next = arena->chunks;
    arena->chunks = chunk;
    return (char *)(chunk + 1);
}

void *arena_new(struct arena *arena, size_t bytes)
{
    bytes = (bytes + 15) / 16 * 16;
    if (bytes >= LARGE_BYTES) return new_chunk(arena, bytes);
    if ((size_t)(arena->end - arena->at) < bytes) {
        arena->at = new_chunk(arena, ARENA_CHUNK_BYTES);
        arena->end = arena->at + ARENA_CHUNK_BYTES;
    }
    void *block = arena->at;
    arena->at += bytes;
    return block;
}

char *arena_text(struct arena *arena, const char *text, size_t length)
{
    char *copy = arena_new(arena, length + 1);
    memcpy(copy, text, length);
    return copy;
}

void arena_free(struct arena *arena)
{
    for (struct chunk *chunk = arena->chunks, *next; chunk != NULL; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    free(arena);
}

void *arena_settled(struct arena *arena, void *array, size_t bytes)
{
    void *copy = arena_new(arena, bytes + 1);
    if (bytes != 0) memcpy(copy, array, bytes);
    free(array);
    return copy;
}

void *arena_grown(void *array, size_t count, size_t *room, size_t element)
{
    if (count < *room) return array;
    *room = *room == 0 ? 64 : *room * 2;
    return checked(realloc(array, *room * element));
}
