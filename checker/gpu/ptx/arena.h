/*
 * arena.h: memory whose blocks are all freed together. Everything that a module consists of is in
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

/* An array of malloc() becomes part of the arena: nothing is added any more. */
void *arena_settled(struct arena *arena, void *array, size_t bytes);

void arena_free(struct arena *arena);

/* An array of malloc() that grows by doubling: makes room for one more element after `count`. */
void *arena_grown(void *array, size_t count, size_t *room, size_t element);

/* One more element of such an array: ADD(list, count, room) = element; */
#define ADD(array, count, room)                                                                    \
    (array) = arena_grown((array), (count), &(room), sizeof *(array));                             \
    (array)[(count)++]

#endif
