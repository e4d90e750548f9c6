/*
 * names.h: what the student calls an array. A kernel knows it by the name of a parameter. If that
 * does not follow from the source, the name is the one in the line that allocated it.
 */
#ifndef WARPUP_VIEW_NAMES_H
#define WARPUP_VIEW_NAMES_H

#include <jansson.h>
#include <stdbool.h>

enum { NAME_BYTES = 64 };

/* Adds to `names` the names of the arrays that a launch points to, by their ids as text ("3").
 * `pointers` has the ids in the order of the kernel's parameters; it may be NULL. Does nothing if
 * the parameters do not fit to it. */
void names_of_parameters(json_t *names, const char *source, const char *kernel,
                         const json_t *pointers);

/* The name in an allocating line, such as cudaMalloc(&x, bytes) or float *x = make(n), into `name`.
 * False if there is none. */
bool names_of_allocation(const char *line, char name[NAME_BYTES]);

#endif
