/* source.h: the student's source, for the code of a line and for the line of a message. It decides
 * nothing. */
#ifndef WARPUP_SOURCE_H
#define WARPUP_SOURCE_H

#include "judge/read/arena.h"

#include <stdbool.h>

/* The text of one line, and the column in which it begins; NULL when there is no such line. */
char *source_code(struct arena *arena, const char *source, int line, int *column);

/* The last line that has this text, and a name if that is given; 0 when there is none. */
int source_line_with(struct arena *arena, const char *source, const char *text, const char *name);

/* Does a line have this text? */
bool source_line_has(struct arena *arena, const char *source, int line, const char *text);

/* Is a line in a destructor? One of the lines before it begins the function. */
bool source_in_destructor(struct arena *arena, const char *source, int line);

/* The name of a kernel's pointer parameter: number 0 is the first of its pointers. NULL if the
 * source does not show it. */
const char *source_pointer(struct arena *arena, const char *source, const char *kernel,
                           size_t number);

/* Does this code name a variable? */
bool source_names(const char *code, const char *name);

#endif
