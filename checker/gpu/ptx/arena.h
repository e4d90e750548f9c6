/*
 * arena.h: memory whose pieces are all freed together. Everything that a module consists of is in
 * its arena.
 */
#ifndef WARPUP_PTX_ARENA_H
#define WARPUP_PTX_ARENA_H

#include <stddef.h>

struct arena;

struct arena *arena_make(void);

/* Zeroed memory, aligned to 16 bytes. Ends the process with one line if there is none. */
void *arena_new(struct arena *arena, size_t bytes);

/* The text as a string of its own. */
char *arena_text(struct arena *arena, const char *text, size_t length);

void arena_free(struct arena *arena);

/* An array that grows by doubling: makes room for one more element after `count`. */
void *arena_grown(void *array, size_t count, size_t *room, size_t element);

#endif
